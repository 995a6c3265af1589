//! What a program is run on: a mechanism, a machine, and what of the machine differs from that of Table I.

use serde::Serialize;
use simt::clock::{MemoryTiming, OpTiming, OpTimings, WarpScheduling};
use simt::hierarchy::{CacheConfig, Coalescing, LevelConfig};
use simt::policy::{DwfConfig, HomeLanes, LoadSplits};
use simt::prelude::*;

use crate::programs::Scale;

/// How branches are handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub(crate) enum Mechanism {
    Nrec,
    Pdom,
    Mimd,
    /// Dynamic warp formation, with the majority first.
    Majority,
    /// The same, and how full the pool is.
    MajorityCounted,
    Minority,
    TimeStamp,
    LowestPc,
    PdomPriority,
    Hanoi,
    ConvergenceBarriers,
    /// Thread block compaction.
    Compaction,
    /// Dynamic warp subdivision: at branches only; at loads, too (ReviveSplit), with each way of meeting.
    Subdivision,
    SubdivisionAtLoads,
    SubdivisionLimited,
    SubdivisionByPc,
    LikelyConvergence,
    MultiPath,
}

/// The machine that a setup begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub(crate) enum Board {
    /// That of TACO'09, Table I.
    Fung2009,
    /// An RTX 2060, as Accel-Sim has it.
    Turing,
}

impl Board {
    /// Its cores at a scale.
    pub(crate) fn cores(self, scale: Scale) -> usize {
        match (scale, self) {
            (Scale::Full, Self::Fung2009) => 16,
            (Scale::Full, Self::Turing) => 30,
            _ => 2,
        }
    }

    /// A kernel's time on it is that of its instructions: without the launch's.
    pub(crate) fn config(self) -> GpuConfig {
        match self {
            Self::Fung2009 => GpuConfig::fung2009(),
            Self::Turing => {
                let mut config = GpuConfig::turing();
                if let Some(clock) = &mut config.clock {
                    clock.launch_latency = 0;
                }
                config
            }
        }
    }
}

/// The hardware of dynamic warp formation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub(crate) enum Formation {
    /// As in Table V.
    Hardware,
    /// Without limits, and without the hardware's times, but lane aware.
    Unbounded,
    /// Without limits; each lane reaches all registers (Figure 9b).
    Ideal,
    /// The hardware, with threads in any lane and conflicts between those of one home lane (Figure 9c).
    Conflicts,
}

/// One thing that is not as in the baseline, to see what depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub(crate) enum Change {
    None,
    /// Threads of a warp reach any lines of the cache in one cycle (section 6.5).
    NoBankConflicts,
    /// A result takes 12 cycles, not 24.
    ShortPipeline,
    /// Each thread's access is one of its own at the cache.
    AccessesPerThread,
    /// Lines of 128 bytes.
    LongLines,
    /// Lines of 32 bytes.
    ShortLines,
    /// A quarter of the cache.
    SmallCache,
    /// Short arms become selects.
    IfConversion,
    /// All of memory is as near as the cache.
    NearMemory,
    /// Home lanes are as threads are numbered.
    NoSwizzling,
    /// The warp that issued last issues again if it can.
    Greedy,
}

/// A machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub(crate) struct Setup {
    pub(crate) mechanism: Mechanism,
    pub(crate) formation: Formation,
    pub(crate) warp: usize,
    /// Threads of a block; on the machine of TACO'09 all that a core holds.
    pub(crate) threads: usize,
    pub(crate) change: Change,
    /// Cycles of a sample of the time series, if there is one.
    pub(crate) sample: Option<u64>,
    /// Which of the program's inputs, from 0.
    pub(crate) input: u64,
    /// At the quick scale, whatever that of the study is.
    pub(crate) small: bool,
    pub(crate) board: Board,
}

impl Setup {
    /// A mechanism on the machine of Tables I and V.
    pub(crate) const fn new(mechanism: Mechanism) -> Self {
        Self {
            mechanism,
            formation: Formation::Hardware,
            warp: 32,
            threads: 768,
            change: Change::None,
            sample: None,
            input: 0,
            small: false,
            board: Board::Fung2009,
        }
    }

    pub(crate) const NREC: Self = Self::new(Mechanism::Nrec);
    pub(crate) const PDOM: Self = Self::new(Mechanism::Pdom);
    pub(crate) const DWF: Self = Self::new(Mechanism::Majority);
    pub(crate) const MIMD: Self = Self::new(Mechanism::Mimd);

    /// The schedule without limits of hardware or lanes (section 6.1).
    pub(crate) const fn ideal(mechanism: Mechanism) -> Self {
        Self { formation: Formation::Ideal, ..Self::new(mechanism) }
    }

    pub(crate) const fn of_formation(self, formation: Formation) -> Self {
        Self { formation, ..self }
    }

    pub(crate) const fn with_warp(self, warp: usize) -> Self {
        Self { warp, ..self }
    }

    pub(crate) const fn with_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    pub(crate) const fn of_input(self, input: u64) -> Self {
        Self { input, ..self }
    }

    pub(crate) const fn on(self, board: Board) -> Self {
        Self { board, ..self }
    }

    pub(crate) const fn but(self, change: Change) -> Self {
        Self { change, ..self }
    }

    /// The scale at which it runs in a study of a scale.
    pub(crate) fn scale(&self, study: Scale) -> Scale {
        if self.small { Scale::Quick } else { study }
    }

    /// The machine: at the quick scale two of its cores, with one of its memory modules, so that a core has as much of the
    /// memory.
    pub(crate) fn config(&self, scale: Scale) -> GpuConfig {
        let mut config = GpuConfig {
            warp_width: self.warp,
            progress_limit: 1 << 40,
            step_limit: 1 << 40,
            checks: Checks::none(),
            ..self.board.config()
        };
        let hardware = DwfConfig::fung2009();
        config.dwf = match self.formation {
            Formation::Hardware => hardware,
            Formation::Unbounded => DwfConfig { lanes: HomeLanes::Aware, swizzle: true, ..DwfConfig::UNLIMITED },
            Formation::Ideal => DwfConfig { lanes: HomeLanes::Free, ..DwfConfig::UNLIMITED },
            Formation::Conflicts => DwfConfig { lanes: HomeLanes::Conflicts, ..hardware },
        };
        if self.change == Change::NoSwizzling {
            config.dwf.swizzle = false;
        }
        let at_loads = matches!(
            self.mechanism,
            Mechanism::SubdivisionAtLoads | Mechanism::SubdivisionLimited | Mechanism::SubdivisionByPc
        );
        config.load_splits = if at_loads { LoadSplits::Revive } else { LoadSplits::Never };
        config.if_conversion = self.change == Change::IfConversion;
        let Some(clock) = &mut config.clock else { return config };
        clock.cores = self.board.cores(scale);
        if self.board == Board::Fung2009 {
            clock.threads = self.threads;
        }
        clock.sample = self.sample;
        clock.cycle_limit = 1 << 34;
        match self.change {
            Change::ShortPipeline => clock.timings = OpTimings::all(OpTiming { latency: 12, interval: 0 }),
            Change::Greedy => clock.scheduling = WarpScheduling::GreedyThenOldest,
            Change::NearMemory => clock.memory = MemoryTiming::Ideal { latency: 24 },
            _ => {}
        }
        let MemoryTiming::Hierarchy(hierarchy) = &mut clock.memory else { return config };
        if self.change == Change::AccessesPerThread {
            hierarchy.coalescing = Coalescing::PerThread;
            hierarchy.coalescing_past = Coalescing::PerThread;
        }
        let line = match self.change {
            Change::LongLines => Some(128),
            Change::ShortLines => Some(32),
            _ => None,
        };
        if let Some(line) = line {
            hierarchy.coalescing = Coalescing::Lines { line };
            hierarchy.coalescing_past = Coalescing::Lines { line };
        }
        for level in &mut hierarchy.levels {
            match &mut level.level {
                LevelConfig::Cache(cache) => self.change_cache(cache, line),
                LevelConfig::Crossbar(crossbar) if scale != Scale::Full => crossbar.partitions = 1,
                _ => {}
            }
        }
        config
    }

    fn change_cache(&self, cache: &mut CacheConfig, line: Option<u32>) {
        if let Some(line) = line {
            (cache.line, cache.sector) = (line, line);
        }
        match self.change {
            Change::NoBankConflicts => cache.ports = 64,
            Change::SmallCache => cache.bytes /= 4,
            _ => {}
        }
    }
}
