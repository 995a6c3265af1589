//! The suite that every policy must pass: random kernels, at every warp width, against the reference.

use super::{
    Arrays, Construct, Faults, Outcome, Random, ReferenceFault, Refusal, random_program, random_program_with,
    reference_in_warps, shared_memory,
};
use simt_core::ops::{Args, NumericOp, UnaryOp};
use simt_core::program::{Block, Builtin, Expr, Program, StmtKind};
use simt_runtime::policy::Policy;
use simt_runtime::{Checks, Gpu, GpuConfig, Grid, Kernel, LaunchError, RaceCheck, Report};
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
/// on, and now and then the check for races, of which there are none. Of every second seed there is another kernel, with
/// [`Construct`]s in which threads do nothing together.
///
/// # Errors
/// The first disagreement.
pub fn check_policy<P: Policy>(seeds: impl IntoIterator<Item = u64>, faults: Faults) -> Result<(), Box<Disagreement>> {
    seeds.into_iter().try_for_each(|seed| {
        ConformanceCase::new(seed, faults)?.check::<P>()?;
        if seed.is_multiple_of(2) {
            let mut constructs = Construct::drawn(seed);
            constructs.retain(|construct| !construct.meets());
            ConformanceCase::with_constructs(seed, faults, &constructs)?.check::<P>()?;
        }
        Ok(())
    })
}

/// As [`check_policy`], on kernels whose threads wait for each other at barriers, votes and shuffles: for a policy that can run
/// other lanes while some wait ([`WarpPolicy::park`](simt_runtime::WarpPolicy::park)).
///
/// # Errors
/// The first disagreement.
pub fn check_policy_together<P: Policy>(
    seeds: impl IntoIterator<Item = u64>,
    faults: Faults,
) -> Result<(), Box<Disagreement>> {
    seeds
        .into_iter()
        .try_for_each(|seed| ConformanceCase::with_constructs(seed, faults, &Construct::drawn(seed))?.check::<P>())
}

/// A random kernel with its input, and what the reference makes of it: for a comparison with many policies.
///
/// ```
/// use simt::policy::{Ipdom, MinPc};
/// use simt::testing::{ConformanceCase, Faults};
///
/// let case = ConformanceCase::new(7, Faults::Never).unwrap();
/// case.check::<Ipdom>().and_then(|()| case.check::<MinPc>()).unwrap();
/// ```
#[derive(Debug)]
pub struct ConformanceCase {
    seed: u64,
    kernel: Kernel,
    grid: Grid,
    before: Arrays,
    /// What the reference makes of it: by warp width, or once if that makes no difference.
    expected: Vec<Result<Outcome, ReferenceFault>>,
    config: GpuConfig,
}

impl ConformanceCase {
    /// The case of a seed.
    ///
    /// # Errors
    /// If the generator has made a program that it should not make.
    pub fn new(seed: u64, faults: Faults) -> Result<Self, Box<Disagreement>> {
        Self::of(random_program(seed, faults), seed, faults)
    }

    /// The case of a seed whose kernel has these constructs, too.
    ///
    /// # Errors
    /// As [`ConformanceCase::new`].
    pub fn with_constructs(seed: u64, faults: Faults, constructs: &[Construct]) -> Result<Self, Box<Disagreement>> {
        Self::of(random_program_with(seed, faults, constructs), seed, faults)
    }

    /// The case of a seed with arithmetic that overflows now and then, and faults where it does.
    ///
    /// # Errors
    /// As [`ConformanceCase::new`].
    pub fn strict(seed: u64) -> Result<Self, Box<Disagreement>> {
        let mut program = random_program(seed, Faults::Sometimes);
        let mut random = Random::new(seed ^ 0x0fe5);
        for number in 0..program.exprs.len() {
            let node = program.exprs[number];
            let (strict, args) = match node.expr {
                Expr::Binary { op, left, right } => (op.strict(node.ty), Args::Two([left, right])),
                Expr::Unary { op: UnaryOp::Neg, value } if node.ty.is_int() => {
                    (Some(NumericOp::StrictNeg), Args::One([value]))
                }
                Expr::Numeric { op, args } => (op.strict(node.ty), args),
                _ => continue,
            };
            if let Some(op) = strict.filter(|_| random.once_in(8)) {
                program.exprs[number].expr = Expr::Numeric { op, args };
            }
        }
        Self::of(program, seed, Faults::Sometimes)
    }

    fn of(program: Program, seed: u64, faults: Faults) -> Result<Self, Box<Disagreement>> {
        let complain = |what| Box::new(Disagreement { seed, warp_width: 0, what, program: program.to_string() });
        let validated = program.clone().validate();
        let validated = validated.map_err(|error| complain(format!("the generated program is invalid: {error}")))?;
        let mut random = Random::new(seed ^ 0x5eed);
        // Blocks that are no multiple of the width, some in two dimensions, and fewer elements than threads.
        let grid = Grid::new(1 + random.below(2), if random.once_in(3) { (9, 5) } else { (1 + random.below(90), 1) });
        let threads = grid.blocks().x * grid.threads().x * grid.threads().y;
        let (elements, inputs) = (threads - random.below(threads.min(4)), 1 + random.below(30));
        let before = Arrays::random(&mut random, elements, inputs);
        let if_conversion = random.once_in(3);
        let bytes = shared_memory(&program, grid.threads().x * grid.threads().y, &mut random, faults);
        let grid = grid.with_shared_memory(bytes);
        let widths =
            if depends_on_width(&program) { &GpuConfig::WARP_WIDTHS[..] } else { &GpuConfig::WARP_WIDTHS[..1] };
        let mut expected = Vec::new();
        for &width in widths {
            let outcome = reference_in_warps(&validated, grid, &before, width);
            if let Err(fault) = &outcome
                && (faults == Faults::Never
                    || matches!(fault.kind, Refusal::Waits | Refusal::Open | Refusal::CallDepth))
            {
                return Err(complain(format!("the generated program is wrong: {fault:?}")));
            }
            expected.push(outcome);
        }
        let race_check = if random.once_in(4) { RaceCheck::Everywhere } else { RaceCheck::Off };
        let config = GpuConfig { if_conversion, race_check, checks: Checks::all(), ..GpuConfig::functional() };
        Ok(Self { seed, kernel: Kernel::from_program(program), grid, before, expected, config })
    }

    /// Runs it under a policy at every warp width.
    ///
    /// # Errors
    /// The first disagreement.
    pub fn check<P: Policy>(&self) -> Result<(), Box<Disagreement>> {
        let mut instructions = None;
        for (number, width) in GpuConfig::WARP_WIDTHS.into_iter().enumerate() {
            let expected = self.expected.get(number).unwrap_or(&self.expected[0]);
            if self.expected.len() > 1 {
                // What threads execute may depend on the width, too.
                instructions = None;
            }
            let mut arrays = self.before.clone();
            let gpu = Gpu::<P>::new(self.config.clone()).with_warp_width(width);
            let result = gpu.launch(self.grid, arrays.call(&self.kernel));
            self.compare(expected, &arrays, result, &mut instructions).map_err(|what| {
                let what = format!("{what} under {}", P::name());
                Box::new(Disagreement {
                    seed: self.seed,
                    warp_width: width,
                    what,
                    program: self.kernel.program().to_string(),
                })
            })?;
        }
        Ok(())
    }

    fn compare(
        &self,
        expected: &Result<Outcome, ReferenceFault>,
        arrays: &Arrays,
        result: Result<Report, LaunchError>,
        instructions: &mut Option<u64>,
    ) -> Result<(), String> {
        match (expected, result) {
            (Ok(outcome), Ok(report)) => {
                if arrays.to_bits() != outcome.memory {
                    return Err("memory differs from the reference".into());
                }
                if report.prints() != outcome.prints {
                    return Err("the lines printed differ from the reference".into());
                }
                let count = report.thread_instructions();
                if *instructions.get_or_insert(count) != count {
                    return Err(format!("{count} thread instructions, {instructions:?} at another width"));
                }
                Ok(())
            }
            (Err(_), Err(_)) if arrays.to_bits() != self.before.to_bits() => {
                Err("a failing launch changed the caller's slices".into())
            }
            (Err(_), Err(_)) => Ok(()),
            (Ok(_), Err(error)) => Err(format!("unexpected error: {error}")),
            (Err(fault), Ok(_)) => Err(format!("no error, but the reference has {fault:?}")),
        }
    }
}

/// Whether results may depend on how wide warps are.
fn depends_on_width(program: &Program) -> bool {
    let asks = |expr: &Expr| matches!(expr, Expr::Builtin(Builtin::LaneId | Builtin::WarpId | Builtin::WarpWidth));
    program.exprs.iter().any(|node| asks(&node.expr)) || has_collective(program)
}

fn has_collective(program: &Program) -> bool {
    let mut pending: Vec<&Block> = program.bodies().map(|(_, body)| body).collect();
    while let Some(block) = pending.pop() {
        for stmt in block {
            if matches!(stmt.kind, StmtKind::Collective { .. }) {
                return true;
            }
            pending.extend(stmt.kind.blocks());
        }
    }
    false
}
