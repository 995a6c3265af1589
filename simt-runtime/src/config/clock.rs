//! The parts of a timed machine.

use crate::hierarchy::HierarchyConfig;
use crate::scheduler::WarpScheduling;
use std::borrow::Cow;

/// The cores of a machine with a clock: a field of [`GpuConfig`](crate::GpuConfig). Times are in cycles of the core.
///
/// ```
/// use simt::prelude::*;
///
/// #[kernel]
/// fn double(x: &mut [u32]) {
///     let i = global_id();
///     x[i] *= 2;
/// }
///
/// let mut x = [1; 1024];
/// let gpu = Gpu::<Ipdom>::new(GpuConfig::fung2009());
/// let report = gpu.launch(Grid::new(4, 256), double(&mut x))?;
/// let clock = report.clock().expect("the machine has a clock");
/// // Nothing is in the caches when a launch begins.
/// assert!(clock.cycles() > 100);
/// assert!(clock.ipc() > 0.0);
/// # Ok::<(), LaunchError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct ClockConfig {
    /// Shader cores.
    pub cores: usize,
    /// Threads that a core holds; a block counts with whole warps.
    pub threads: usize,
    /// Blocks that a core holds.
    pub blocks: usize,
    /// Registers of 32 bits that a core has for its threads. What a thread needs is what its plan needs: see
    /// [`ClockReport::registers`](crate::ClockReport::registers).
    pub registers: usize,
    /// Bytes of shared memory that a core has for its blocks.
    pub shared_memory: usize,
    /// Lanes of a SIMD pipeline: a warp of M threads issues down one of N lanes in M / N cycles.
    pub simd_width: usize,
    /// Pipelines of a core, each of which can begin an issue.
    pub ports: usize,
    /// Which warp issues.
    pub scheduling: WarpScheduling,
    /// How many instructions of a thread may be in flight.
    pub in_flight: InFlight,
    /// The latencies of operations.
    pub timings: OpTimings,
    /// Banks of shared memory, a word of 32 bits wide.
    pub shared_banks: usize,
    /// Cycles from the issue of an access to shared memory without conflicts until its result can be used, and `pipeline`
    /// more.
    pub shared_latency: u32,
    /// Cycles that an instruction which writes a register spends besides its latency, that of a memory included: on its way
    /// to the unit, where its operands are collected, and from there to the register.
    pub pipeline: u32,
    /// Cycles of a launch before the first block comes to a core, at most 2^32.
    /// [`ClockReport::cycles`](crate::ClockReport::cycles) includes them.
    pub launch_latency: u64,
    /// The array that shared memory and the cache next to the cores share, if they do: then what `memory` says of that cache's
    /// size holds for its sets only, and ways are as many as there is room for.
    pub unified: Option<UnifiedConfig>,
    /// The kind of global and local memory.
    pub memory: MemoryTiming,
    /// The launch is given up after so many cycles.
    pub cycle_limit: u64,
    /// The length of a sample of the time series, in cycles; `None` records none. The first 2^14 samples are kept.
    pub sample: Option<u64>,
}

/// An array of which shared memory takes what the blocks of a core need, and the cache of the core the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct UnifiedConfig {
    /// Its size.
    pub bytes: usize,
    /// The sizes that shared memory can have of it, smallest first. It has the first that is enough for the blocks that a core
    /// holds at a time.
    pub shared: Vec<usize>,
}

/// How many instructions of a thread may be in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum InFlight {
    /// One instruction at a time (TACO'09, section 2.3).
    OneInstruction,
    /// Any number of instructions that need no result of one in flight: a scoreboard of registers for each warp. Policies of
    /// a core, whose warps do not last, have one instruction of a thread in flight all the same.
    Scoreboard,
}

/// Global and local memory.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
#[allow(clippy::large_enum_variant, reason = "a machine has one, and it is read where it lies")]
pub enum MemoryTiming {
    /// Every access takes the same time, and any number are under way.
    Ideal {
        /// Cycles until the result can be used.
        latency: u32,
    },
    /// Caches, a crossbar and DRAM.
    Hierarchy(HierarchyConfig),
}

/// The duration of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct OpTiming {
    /// Cycles from the issue until an instruction that needs the result can issue.
    pub latency: u32,
    /// Cycles from one issue of a warp until the core can begin the next of this kind, if that is longer than the pipeline
    /// is busy with a warp.
    pub interval: u32,
}

macro_rules! op_classes {
    ($($(#[$doc:meta])* $class:ident = $field:ident;)*) => {
        /// The class of an instruction's operation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum OpClass { $($(#[$doc])* $class,)* }

        impl OpClass {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$class,)*];
        }

        /// The durations of the operations of each class.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
        pub struct OpTimings { $($(#[$doc])* pub $field: OpTiming,)* }

        impl OpTimings {
            /// The same duration for all operations.
            pub const fn all(timing: OpTiming) -> Self {
                Self { $($field: timing,)* }
            }

            /// The duration of the operations of a class.
            pub const fn of(&self, class: OpClass) -> OpTiming {
                match class { $(OpClass::$class => self.$field,)* }
            }

            fn fields(&self) -> impl Iterator<Item = (&'static str, OpTiming)> {
                [$((concat!("clock.timings.", stringify!($field), ".latency"), self.$field),)*].into_iter()
            }
        }
    };
}

op_classes! {
    /// Moves, additions, logic, shifts, comparisons and conversions of integers of up to 32 bits.
    Integer = integer;
    /// Those of integers of 64 bits.
    Long = long;
    /// Products of integers.
    Multiply = multiply;
    /// Quotients and remainders of integers.
    Divide = divide;
    /// Floats of up to 32 bits: sums, products, comparisons, conversions.
    Single = single;
    /// Floats of 64 bits.
    Double = double;
    /// Quotients of floats, square roots and transcendental functions.
    Special = special;
    /// Branches, jumps, calls, returns, markers and the end of a thread.
    Control = control;
    /// Votes and shuffles.
    Exchange = exchange;
    /// Address computation of accesses to memory: a store takes no longer.
    Access = access;
}

/// Most lines of all caches of a machine: each takes memory of the host, whether it is used or not.
const MOST_LINES: u64 = 1 << 23;
const FEW_LINES: &str = "a hierarchy whose caches have at most 8388608 lines together: make the `bytes` of a cache smaller, or \
                         its lines longer";

/// A field, its value, and what it must be.
type Problem = (Cow<'static, str>, usize, &'static str);
/// The same of a field with a fixed name.
type Field = (&'static str, usize, &'static str);

fn own((field, value, must): Field) -> Option<Problem> {
    Some((field.into(), value, must))
}

impl UnifiedConfig {
    /// What of the array cannot work, on a core with so many bytes of shared memory.
    fn problem(&self, shared_memory: usize, hierarchy: &HierarchyConfig) -> Option<Field> {
        let Self { bytes, shared } = self;
        let most = shared.last().copied().unwrap_or(0);
        if !shared.is_sorted() || most < shared_memory {
            return Some(("clock.unified.shared", most, "sizes in order, the last at least `clock.shared_memory`"));
        }
        if *bytes <= most {
            return Some(("clock.unified.bytes", *bytes, "larger than the most that shared memory has of it"));
        }
        // Lines of all ways of a set.
        let way = hierarchy.front().map_or(0, |front| front.bytes / u64::from(front.ways.max(1)));
        let fits = |&shared: &usize| way > 0 && ((bytes - shared) as u64).is_multiple_of(way);
        let odd = shared.iter().find(|shared| !fits(shared));
        odd.map(|&odd| ("clock.unified.shared", odd, "such that whole ways of the first cache are left"))
    }
}

impl ClockConfig {
    /// The problem of the machine, for warps of so many lanes.
    pub(crate) fn problem(&self, warp_width: usize) -> Option<Problem> {
        if let Some(problem) = self.of_cores(warp_width) {
            return own(problem);
        }
        match &self.memory {
            MemoryTiming::Ideal { latency: 0 } => own(("clock.memory.ideal.latency", 0, "at least 1")),
            MemoryTiming::Ideal { .. } => None,
            MemoryTiming::Hierarchy(hierarchy) => hierarchy.problem().or_else(|| {
                let unified = self.unified.as_ref();
                let mut most = hierarchy.clone();
                if let (Some(front), Some(unified)) = (most.front_mut(), unified) {
                    // The cache of a core may be nearly all of the array.
                    front.bytes = front.bytes.max(unified.bytes as u64);
                }
                let lines = most.lines(self.cores);
                let many = (lines > MOST_LINES).then_some(("clock.memory".into(), lines as usize, FEW_LINES));
                many.or_else(|| own(unified?.problem(self.shared_memory, hierarchy)?))
            }),
        }
    }

    /// What of the cores cannot work.
    fn of_cores(&self, warp_width: usize) -> Option<Field> {
        let at_least_one = [
            ("clock.cores", self.cores),
            ("clock.blocks", self.blocks),
            ("clock.registers", self.registers),
            ("clock.simd_width", self.simd_width),
            ("clock.ports", self.ports),
            ("clock.shared_banks", self.shared_banks),
            ("clock.shared_latency", self.shared_latency as usize),
            ("clock.cycle_limit", self.cycle_limit as usize),
            ("clock.sample", self.sample.map_or(1, |sample| sample as usize)),
        ];
        let zero = at_least_one.into_iter().find(|&(_, value)| value == 0);
        if let Some((field, value)) = zero {
            return Some((field, value, "at least 1"));
        }
        if self.cores > HierarchyConfig::MOST_CORES {
            return Some(("clock.cores", self.cores, "at most 128"));
        }
        if self.threads < warp_width {
            return Some(("clock.threads", self.threads, "at least the threads of a warp"));
        }
        if self.threads > 1 << 16 {
            return Some(("clock.threads", self.threads, "at most 65536"));
        }
        if self.ports > 64 {
            return Some(("clock.ports", self.ports, "at most 64"));
        }
        if self.pipeline > 1 << 20 {
            return Some(("clock.pipeline", self.pipeline as usize, "at most 1048576"));
        }
        if self.launch_latency > 1 << 32 {
            return Some(("clock.launch_latency", self.launch_latency as usize, "at most 4294967296"));
        }
        if self.simd_width > 1024 {
            return Some(("clock.simd_width", self.simd_width, "at most 1024"));
        }
        if !warp_width.is_multiple_of(self.simd_width) && !self.simd_width.is_multiple_of(warp_width) {
            return Some(("clock.simd_width", self.simd_width, "such that a warp is a multiple of it"));
        }
        if !self.shared_banks.is_power_of_two() || self.shared_banks > 64 {
            return Some(("clock.shared_banks", self.shared_banks, "a power of two of at most 64"));
        }
        let (field, timing) = self.timings.fields().find(|(_, timing)| timing.latency == 0)?;
        Some((field, timing.latency as usize, "at least 1"))
    }
}
