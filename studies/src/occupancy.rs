//! How full the warp pool is (Figure 21b): a schedule that does what another one does, and looks at the pool before each choice.

use simt::core::code::Pc;
use simt::policy::{Figure, Majority, PolicyConfig, WarpPool, WarpSchedule};

/// The name of a count, and the most warps in the pool when it counts.
pub(crate) const LEVELS: [(&str, usize); 9] = [
    ("issues with at most 8 warps in the pool", 8),
    ("issues with at most 16 warps in the pool", 16),
    ("issues with at most 24 warps in the pool", 24),
    ("issues with at most 32 warps in the pool", 32),
    ("issues with at most 48 warps in the pool", 48),
    ("issues with at most 64 warps in the pool", 64),
    ("issues with at most 96 warps in the pool", 96),
    ("issues with at most 128 warps in the pool", 128),
    ("issues", usize::MAX),
];

/// The majority first, counted.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Counted {
    majority: Majority,
    counts: [u64; LEVELS.len()],
}

impl WarpSchedule for Counted {
    const NAME: &'static str = Majority::NAME;

    fn start(config: &PolicyConfig) -> Self {
        Self { majority: Majority::start(config), counts: [0; LEVELS.len()] }
    }

    fn ready(&mut self, pool: &WarpPool, now: u64) -> u64 {
        self.majority.ready(pool, now)
    }

    fn pick(&mut self, pool: &WarpPool) -> Option<usize> {
        let picked = self.majority.pick(pool);
        if picked.is_some() {
            let warps = pool.warps().count();
            for (count, (_, most)) in self.counts.iter_mut().zip(LEVELS) {
                *count += u64::from(warps <= most);
            }
        }
        picked
    }

    fn arrived(&mut self, pc: Pc, threads: usize) {
        self.majority.arrived(pc, threads);
    }

    fn figures(&self, tell: &mut dyn FnMut(Figure)) {
        self.majority.figures(tell);
        for ((name, _), &count) in LEVELS.iter().zip(&self.counts) {
            tell(Figure::sum(name, count));
        }
    }
}
