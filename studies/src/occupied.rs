//! The majority's schedule, counting how many warps are in the pool when one issues (Figure 21).

use simt::core::code::Pc;
use simt::policy::{Figure, Majority, PolicyConfig, WarpPool, WarpSchedule};

/// Sizes of a pool, with the names of the figures that count how often it was not larger.
pub(crate) const SIZES: [(usize, &str); 9] = [
    (16, "warps at most 16"),
    (24, "warps at most 24"),
    (32, "warps at most 32"),
    (40, "warps at most 40"),
    (48, "warps at most 48"),
    (64, "warps at most 64"),
    (96, "warps at most 96"),
    (128, "warps at most 128"),
    (usize::MAX, "warps"),
];

/// `Majority` with a count.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Occupied {
    majority: Majority,
    counts: [u64; SIZES.len()],
}

impl WarpSchedule for Occupied {
    const NAME: &'static str = "Dwf<Occupied>";

    fn start(config: &PolicyConfig) -> Self {
        Self { majority: Majority::start(config), counts: [0; SIZES.len()] }
    }

    fn ready(&mut self, pool: &WarpPool, now: u64) -> u64 {
        self.majority.ready(pool, now)
    }

    fn pick(&mut self, pool: &WarpPool) -> Option<usize> {
        let warps = pool.warps().count();
        for ((size, _), count) in SIZES.iter().zip(&mut self.counts) {
            *count += u64::from(warps <= *size);
        }
        self.majority.pick(pool)
    }

    fn arrived(&mut self, pc: Pc, threads: usize) {
        self.majority.arrived(pc, threads);
    }

    fn figures(&self, tell: &mut dyn FnMut(Figure)) {
        self.majority.figures(tell);
        for ((_, name), &count) in SIZES.iter().zip(&self.counts) {
            tell(Figure::sum(name, count));
        }
    }
}
