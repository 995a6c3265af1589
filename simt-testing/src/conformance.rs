//! The suite that every policy must pass: random kernels, at every warp width, against the reference.

use super::{Arrays, Faults, Random, Refusal, random_program, reference};
use simt_runtime::Checks;
use simt_runtime::Gpu;
use simt_runtime::GpuConfig;
use simt_runtime::Grid;
use simt_runtime::Kernel;
use simt_runtime::policy::Policy;
use std::fmt;

/// A policy did not give the reference's result.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// Seed of the kernel.
    pub seed: u64,
    /// Lanes of a warp.
    pub warp_width: usize,
    /// The difference.
    pub what: String,
    /// The kernel's program.
    pub program: String,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "kernel of seed {}, warps of {}: {}", self.seed, self.warp_width, self.what)?;
        f.write_str(&self.program)
    }
}

/// Runs the random kernels of the seeds under a policy at every warp width, some with if-conversion, and compares memory,
/// printed lines and errors with the reference, and the number of thread instructions between widths. All [`Checks`] are
/// on.
///
/// # Errors
/// The first disagreement.
pub fn check_policy<P: Policy>(seeds: impl IntoIterator<Item = u64>, faults: Faults) -> Result<(), Box<Disagreement>> {
    for seed in seeds {
        check_seed::<P>(seed, faults)?;
    }
    Ok(())
}

fn check_seed<P: Policy>(seed: u64, faults: Faults) -> Result<(), Box<Disagreement>> {
    let program = random_program(seed, faults);
    let text = program.to_string();
    let complain = |warp_width, what: String| {
        Err(Box::new(Disagreement {
            seed,
            warp_width,
            what: format!("{what} under {}", P::name()),
            program: text.clone(),
        }))
    };
    let validated = match program.clone().validate() {
        Ok(validated) => validated,
        Err(error) => return complain(0, format!("the generated program is invalid: {error}")),
    };
    let kernel = Kernel::from_program(program);
    let mut random = Random::new(seed ^ 0x5eed);
    // Blocks that are no multiple of the width, some in two dimensions, and fewer elements than threads.
    let grid = Grid::new(1 + random.below(2), if random.once_in(3) { (9, 5) } else { (1 + random.below(90), 1) });
    let threads = grid.blocks().x * grid.threads().x * grid.threads().y;
    let (elements, inputs) = (threads - random.below(threads.min(4)), 1 + random.below(30));
    let before = Arrays::random(&mut random, elements, inputs);
    let expected = reference(&validated, grid, &before);
    if let Err(fault) = &expected
        && (faults == Faults::Never || matches!(fault.kind, Refusal::Waits | Refusal::CallDepth))
    {
        return complain(0, format!("the generated program is wrong: {fault:?}"));
    }
    let if_conversion = random.once_in(3);
    let config = GpuConfig { if_conversion, checks: Checks::all(), ..GpuConfig::functional() };
    let mut instructions = None;
    for width in GpuConfig::WARP_WIDTHS {
        let mut arrays = before.clone();
        let gpu = Gpu::<P>::new(config.clone()).with_warp_width(width);
        let result = gpu.launch(grid, arrays.call(&kernel));
        match (&expected, result) {
            (Ok(outcome), Ok(report)) => {
                if arrays.to_bits() != outcome.memory {
                    return complain(width, "memory differs from the reference".into());
                }
                if report.prints() != outcome.prints {
                    return complain(width, "the lines printed differ from the reference".into());
                }
                let count = report.thread_instructions();
                if *instructions.get_or_insert(count) != count {
                    return complain(width, format!("{count} thread instructions, {instructions:?} at another width"));
                }
            }
            (Err(_), Err(_)) => {
                if arrays.to_bits() != before.to_bits() {
                    return complain(width, "a failing launch changed the caller's slices".into());
                }
            }
            (Ok(_), Err(error)) => return complain(width, format!("unexpected error: {error}")),
            (Err(fault), Ok(_)) => return complain(width, format!("no error, but the reference has {fault:?}")),
        }
    }
    Ok(())
}
