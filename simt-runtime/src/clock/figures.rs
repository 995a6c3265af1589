//! The figures of a timed launch.

use super::series::Sample;
use crate::hierarchy::HierarchyFigures;

macro_rules! stalls {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
        /// The state of a warp in a cycle that it is on a core: each cycle of each warp has exactly one reason.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub enum Stall { $($(#[$doc])* $name,)* }

        impl Stall {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Its name in reports.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

stalls! {
    /// It issues.
    #[default]
    Issued = "issued";
    /// It waits for a reply from memory.
    Memory = "memory";
    /// It waits for a result that is in the pipeline, or for a branch.
    Execution = "execution";
    /// It could issue, but the unit it needs, or the way to memory, is busy.
    Pipeline = "pipeline busy";
    /// It could issue, but another warp did.
    NotSelected = "not selected";
    /// It waits at a barrier of its block.
    Barrier = "barrier";
    /// Its threads could go on, but the policy of the core holds them: they are in a pool, or wait where others are to come.
    Reconvergence = "reconvergence";
    /// Its threads could go on, but the hardware that regroups them is busy: see [`DwfConfig`](crate::DwfConfig).
    Formation = "warp formation";
    /// It has ended, and its block has not.
    Ended = "ended";
    /// There is no block in its place.
    NoBlock = "no block";
}

const STALLS: usize = Stall::ALL.len();

/// Cycles of warps by their state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stalls([u64; STALLS]);

impl Stalls {
    /// Cycles of one kind, summed over the places for warps.
    pub fn of(&self, stall: Stall) -> u64 {
        self.0[stall as usize]
    }

    /// All cycles.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The share of one kind in all cycles of warps that were on a core; 0 if there was none.
    pub fn share(&self, stall: Stall) -> f64 {
        let on_core = self.total() - self.of(Stall::NoBlock);
        if on_core == 0 { 0.0 } else { self.of(stall) as f64 / on_core as f64 }
    }

    pub(crate) fn add(&mut self, stall: Stall, cycles: u64) {
        self.0[stall as usize] += cycles;
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(mine, other)| *mine += other);
    }

    pub(crate) fn clear(&mut self, stall: Stall) {
        self.0[stall as usize] = 0;
    }
}

/// Issue slots by how many threads issued: the histogram of TACO'09, Figure 15. In cycles of pipelines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Occupancy {
    /// W0-Mem: nothing issued, and all threads waited for memory.
    pub memory: u64,
    /// W0-Idle: nothing issued, because those that did not wait for memory were in the pipeline, at a barrier, or there were
    /// none.
    pub idle: u64,
    /// Stall: a warp could have issued, but the way to memory, a unit or the hardware that forms warps was busy.
    pub stall: u64,
    /// Issues of 1 to 4 threads, of 5 to 8, and so on.
    pub active: Vec<u64>,
}

impl Occupancy {
    /// All issue slots: cycles × cores × ports. Issues that share one, as threads of [`Mimd`](crate::Mimd) do, and the
    /// remainder of each kind are rounded down.
    pub fn total(&self) -> u64 {
        self.memory + self.idle + self.stall + self.active.iter().sum::<u64>()
    }

    /// Names and values in the order of the figure: `W0-Mem`, `W0-Idle`, `W1-4` and so on, `Stall`.
    pub fn classes(&self) -> Vec<(String, u64)> {
        let active = self.active.iter().enumerate().map(|(class, &cycles)| {
            let first = 4 * class + 1;
            (format!("W{first}-{}", first + 3), cycles)
        });
        let idle = [("W0-Mem".to_string(), self.memory), ("W0-Idle".to_string(), self.idle)];
        idle.into_iter().chain(active).chain([("Stall".to_string(), self.stall)]).collect()
    }

    /// The difference to earlier slots.
    pub(crate) fn since(&self, before: &Self) -> Self {
        Self {
            memory: self.memory - before.memory,
            idle: self.idle - before.idle,
            stall: self.stall - before.stall,
            active: self.active.iter().zip(&before.active).map(|(now, before)| now - before).collect(),
        }
    }

    /// In units that are so many times longer.
    pub(crate) fn divide(&mut self, by: u64) {
        let Self { memory, idle, stall, active } = self;
        [memory, idle, stall].into_iter().chain(active).for_each(|value| *value /= by);
    }

    fn merge(&mut self, other: &Self) {
        self.memory += other.memory;
        self.idle += other.idle;
        self.stall += other.stall;
        if self.active.len() < other.active.len() {
            self.active.resize(other.active.len(), 0);
        }
        self.active.iter_mut().zip(&other.active).for_each(|(mine, other)| *mine += other);
    }
}

/// The clock's figures of one source line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LineClock {
    /// Line of the file (1-based); 0 collects instructions that stand on no line.
    pub line: u32,
    /// The file.
    pub file: String,
    /// The line's text, without the blanks around it.
    pub text: String,
    /// Cycles that pipelines were busy with its instructions.
    pub issue_cycles: u64,
    /// Cycles that warps waited before they could issue one, by reason; each warp counts by itself.
    pub waits: Stalls,
    /// Accesses of warps to global or local memory.
    pub requests: u64,
    /// The transactions of those.
    pub transactions: u64,
    /// Accesses of warps to shared memory.
    pub shared_requests: u64,
    /// Passes that those took: as many as requests if no banks conflict.
    pub shared_passes: u64,
}

/// The times of a launch.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClockReport {
    pub(crate) cycles: u64,
    pub(crate) lanes: u64,
    pub(crate) warps: u64,
    pub(crate) thread_instructions: u64,
    pub(crate) registers: usize,
    pub(crate) blocks_per_core: usize,
    pub(crate) stalls: Stalls,
    pub(crate) occupancy: Occupancy,
    pub(crate) requests: u64,
    pub(crate) transactions: u64,
    pub(crate) bank_conflicts: Vec<u64>,
    pub(crate) memory: Option<HierarchyFigures>,
    pub(crate) lines: Vec<LineClock>,
    pub(crate) samples: Vec<Sample>,
}

impl ClockReport {
    /// Cycles from the launch, its latency included ([`ClockConfig::launch_latency`](crate::ClockConfig::launch_latency)),
    /// until all blocks have ended and all their stores have arrived.
    pub fn cycles(&self) -> u64 {
        self.cycles
    }

    /// Thread instructions per cycle, of the whole machine: program instructions, markers apart.
    pub fn ipc(&self) -> f64 {
        ratio(self.thread_instructions, self.cycles)
    }

    /// Thread instructions / (lanes of all pipelines × cycles).
    pub fn utilisation(&self) -> f64 {
        ratio(self.thread_instructions, self.lanes * self.cycles)
    }

    /// Where the cycles went, of each place for a warp on each core: their sum is places × cycles.
    pub fn stalls(&self) -> &Stalls {
        &self.stalls
    }

    /// Places for warps on all cores.
    pub fn warp_places(&self) -> u64 {
        self.warps
    }

    /// How many threads issued together, over time.
    pub fn occupancy(&self) -> &Occupancy {
        &self.occupancy
    }

    /// Blocks that a core held.
    pub fn blocks_per_core(&self) -> usize {
        self.blocks_per_core
    }

    /// Registers of 32 bits that a thread took: the most values that are alive at a time, as far as they differ between
    /// threads.
    pub fn registers(&self) -> usize {
        self.registers
    }

    /// Accesses of warps to global and local memory.
    pub fn requests(&self) -> u64 {
        self.requests
    }

    /// The transactions of those; without divergence of addresses one a request.
    pub fn transactions(&self) -> u64 {
        self.transactions
    }

    /// Transactions per request; 0 if there was none.
    pub fn transactions_per_request(&self) -> f64 {
        ratio(self.transactions, self.requests)
    }

    /// Accesses of warps to shared memory by how many passes they took: index *n* counts those of *n*.
    pub fn bank_conflicts(&self) -> &[u64] {
        &self.bank_conflicts
    }

    /// The figures of caches and DRAM; `None` if memory is ideal.
    pub fn memory(&self) -> Option<&HierarchyFigures> {
        self.memory.as_ref()
    }

    /// The figures by source line, in line order.
    pub fn lines(&self) -> &[LineClock] {
        &self.lines
    }

    /// The time series, if the config asks for one.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// Adds the figures of a launch that came after this one.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.cycles += other.cycles;
        self.thread_instructions += other.thread_instructions;
        self.stalls.merge(&other.stalls);
        self.occupancy.merge(&other.occupancy);
        self.requests += other.requests;
        self.transactions += other.transactions;
        if self.bank_conflicts.len() < other.bank_conflicts.len() {
            self.bank_conflicts.resize(other.bank_conflicts.len(), 0);
        }
        self.bank_conflicts.iter_mut().zip(&other.bank_conflicts).for_each(|(mine, other)| *mine += other);
        match (&mut self.memory, &other.memory) {
            (Some(mine), Some(other)) => mine.merge(other),
            (mine @ None, other) => mine.clone_from(other),
            (Some(_), None) => {}
        }
        for line in &other.lines {
            match self.lines.iter_mut().find(|mine| (mine.line, &mine.file) == (line.line, &line.file)) {
                Some(mine) => {
                    mine.issue_cycles += line.issue_cycles;
                    mine.waits.merge(&line.waits);
                    mine.requests += line.requests;
                    mine.transactions += line.transactions;
                    mine.shared_requests += line.shared_requests;
                    mine.shared_passes += line.shared_passes;
                }
                None => self.lines.push(line.clone()),
            }
        }
        self.samples.extend_from_slice(&other.samples);
    }
}

pub(crate) fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
