//! Code that was written by hand, and wrongly: listings of random kernels in which lines are changed. What is still code runs
//! under every policy, to an end or an error.

use simt_core::code::{Code, Markers};
use simt_runtime::{Checks, Gpu, GpuConfig, Grid, Kernel, Policy, for_each_policy};
use simt_testing::{Arrays, Faults, Random, random_program};

/// The listing with some of its lines left out, written twice, exchanged, or with another label or register in them.
fn changed(listing: &str, random: &mut Random) -> String {
    let mut lines: Vec<String> = listing.lines().map(str::to_string).collect();
    for _ in 0..1 + random.below(3) {
        // Not the first, which is the kernel's.
        let [one, other] = [0; 2].map(|_| 1 + random.below(lines.len() - 1));
        match random.below(6) {
            0 => drop(lines.remove(one)),
            1 => lines.insert(other, lines[one].clone()),
            2 => lines.swap(one, other),
            // The last word of another line: a label, a register, a constant.
            3 | 4 => {
                let word = lines[other].split_whitespace().last().unwrap_or_default().to_string();
                if let Some((begin, _)) = lines[one].clone().rsplit_once(' ') {
                    lines[one] = format!("{begin} {word}");
                }
            }
            _ => lines[one] = lines[one].replace("@%", "@!%").replace("add.", "sub.").replace("bra ", "jmp "),
        }
        if lines.len() < 3 {
            break;
        }
    }
    lines.join("\n")
}

fn runs<P: Policy>(kernel: &Kernel, arrays: &Arrays, grid: Grid) {
    let functional = GpuConfig { warp_width: 8, step_limit: 1 << 10, ..GpuConfig::functional() };
    let mut clock = GpuConfig::fung2009().clock;
    clock.iter_mut().for_each(|clock| clock.cycle_limit = 1 << 14);
    let clocked = GpuConfig { clock, ..functional.clone() };
    for config in [functional.clone(), clocked] {
        // Markers that are not as a policy understands them break checks; the engine goes on without.
        let gpu = Gpu::<P>::new(config).with_checks(Checks::none());
        let (mut now, before) = (arrays.clone(), arrays.to_bits());
        if gpu.launch(grid, now.call(kernel)).is_err() {
            assert_eq!(now.to_bits(), before, "a launch that fails changes nothing, {}", P::name());
        }
    }
}

#[test]
fn wrong_listings_are_refused_or_run_to_an_end_or_an_error() {
    let mut read = 0;
    for seed in 0..160 {
        let mut random = Random::new(seed);
        let program = random_program(seed % 40, Faults::Sometimes).validate();
        let program = program.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let markers = *random.pick(Markers::ALL);
        let text = changed(&format!("{:#}", program.code(markers)), &mut random);
        let Ok(code) = Code::parse(&text) else { continue };
        read += 1;
        let kernel = Kernel::from_code(code);
        let grid = Grid::new(1, 1 + random.below(20));
        let arrays = Arrays::random(&mut random, grid.threads().x, 7);
        for_each_policy!(P => runs::<P>(&kernel, &arrays, grid));
    }
    assert!(read > 12, "{read} of the changed listings are code");
}
