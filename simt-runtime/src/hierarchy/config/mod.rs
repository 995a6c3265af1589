//! The sizes and timings of a memory hierarchy.

mod check;
mod machines;

use super::cache::first_level_keeps;
use super::coalescing::Coalescing;
use super::figures::DramFigures;
use super::level::{AccessKind, CacheOperator, Cycle, Served};

/// A memory hierarchy: a first level of caches, one a core; a crossbar; and behind it partitions, each of a slice of the
/// second level and a memory module with its controller.
///
/// [`fung2009`](Self::fung2009), [`fermi`](Self::fermi), [`volta`](Self::volta), [`turing`](Self::turing) and
/// [`ampere`](Self::ampere) say where their numbers come from.
/// "Cycles" are those of the cores unless it says otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct HierarchyConfig {
    /// The rule for transactions of accesses whose lines the first level keeps.
    pub coalescing: Coalescing,
    /// The rule for accesses that bypass the first level: `.cg`, `volatile`, atomics, stores under write-through.
    pub coalescing_past: Coalescing,
    /// The cache of a core.
    pub l1: CacheConfig,
    /// The crossbar between cores and partitions.
    pub crossbar: CrossbarConfig,
    /// Partitions, each with a slice of the second level and a memory module: 1 to 128.
    pub partitions: u32,
    /// Bytes in a row that belong to one partition, before the next has its turn; a multiple of the lines of both levels.
    pub interleave: u32,
    /// The slice of the second level in a partition. Its bytes are those of one slice.
    pub l2: CacheConfig,
    /// The memory module of a partition and its controller.
    pub dram: DramConfig,
    /// Whether the second level begins a launch with what the host copied for it: slices that the kernel only reads, in the
    /// order of the parameters, of which the last that have room are still there. Else it begins empty, as the first level
    /// always does.
    pub copied: bool,
}

/// A cache, or a slice of one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct CacheConfig {
    /// Its size in bytes, a multiple of `line * ways`. 0: there is no such cache, and the other fields say nothing.
    pub bytes: u64,
    /// Lines of a set.
    pub ways: u32,
    /// Bytes of a line, a power of two.
    pub line: u32,
    /// Bytes that are fetched at once, a power of two: `line`, or a part of it with at most 32 in a line.
    pub sector: u32,
    /// Which line goes when a set is full.
    pub replacement: Replacement,
    /// The policy for stores.
    pub write: WritePolicy,
    /// Cycles from the lookup until the reply of a hit, at least 1.
    pub hit_latency: u32,
    /// Cycles from the lookup until a miss is offered to the next level, at least 1.
    pub miss_latency: u32,
    /// Lookups a cycle.
    pub ports: u32,
    /// Cycles for which an atomic occupies all ports, at least 1. The first level does no atomics.
    pub atomic_cycles: u32,
    /// Lines that can be underway from the next level: miss status holding registers.
    pub mshrs: u32,
    /// Requests that can wait for one of them.
    pub merges: u32,
    /// Requests that can be underway past the cache: stores under write-through, atomics at the first level, loads that do
    /// not use it.
    pub passes: u32,
    /// Requests that can wait for their lookup.
    pub queue: u32,
    /// Requests that can wait for the next level, at least 2: a line may have to go for the one that comes.
    pub miss_queue: u32,
}

/// Which line of a full set goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Replacement {
    /// The one whose last use is longest ago.
    Lru,
    /// The one that came first.
    Fifo,
    /// A random one.
    Random {
        /// The seed of the draw.
        seed: u64,
    },
}

/// The policy of a cache for stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum WritePolicy {
    /// They go to the next level, and the line here, if there is one, is dropped: the first level of Fermi for global
    /// memory (Habermaier 2011, section 4.2). Stores to local memory are written back all the same.
    WriteEvict,
    /// They go to the next level, and change the line here, which is made if it is not there. Nothing is fetched for them: a
    /// sector that a store covers can be read from then on; of a sector that it covers in part, the rest is fetched when it
    /// is read. The first level of Volta and later, for all memory: `-gpgpu_cache:dl1 S:...,L:T:m:L:L` of GPGPU-Sim's
    /// configurations, whose second group says LRU, write-through, lines reserved when they are missed, and allocated by
    /// writes with a fetch as late as the read that needs it.
    WriteThrough,
    /// They change the line here, which is fetched first if the store does not cover its sectors, and written back when it
    /// goes.
    WriteBack,
}

/// A crossbar with a port for each core and each partition, in both directions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct CrossbarConfig {
    /// Cycles from the offer of a packet of one flit until it is at the other side, if nothing is in the way: at least 1.
    /// Each further flit takes one more.
    pub latency: u32,
    /// Bytes that a port carries a cycle.
    pub flit: u32,
    /// Bytes of a packet besides the data: all of a load's request and of a store's reply.
    pub header: u32,
    /// Requests of one core that can wait for their turn.
    pub queue: u32,
    /// Requests for one partition that can be underway or wait there to be taken.
    pub output_queue: u32,
    /// Requests in a partition whose replies have not yet left it. No request enters without room for its reply.
    pub replies: u32,
}

/// A memory module and its controller. Times are in cycles of the memory's command clock.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct DramConfig {
    /// In which order requests are served.
    pub order: MemoryOrder,
    /// Requests that can wait at the controller.
    pub queue: u32,
    /// Banks, each with one row open: 1 to 64.
    pub banks: u32,
    /// Bytes of a row, a power of two.
    pub row: u32,
    /// Bytes that the data bus carries a memory cycle.
    pub bus: u32,
    /// The memory's clock: so many of its cycles
    pub clock: u32,
    /// in so many of the cores' cycles.
    pub core_clock: u32,
    /// Cycles of the cores from the end of the data until the reply: the latency of the pipeline between controller and
    /// pins.
    pub latency: u32,
    /// tCL: from a read command to its data.
    pub t_cl: u32,
    /// tRP: from a precharge to the next activate of the bank.
    pub t_rp: u32,
    /// tRC: from an activate to the next of the bank.
    pub t_rc: u32,
    /// tRAS: from an activate to the precharge of the bank.
    pub t_ras: u32,
    /// tRCD: from an activate to a read or write of the bank.
    pub t_rcd: u32,
    /// tRRD: from an activate to one of another bank.
    pub t_rrd: u32,
    /// tWL: from a write command to its data.
    pub t_wl: u32,
    /// tWR: from the end of a write's data to the precharge of the bank.
    pub t_wr: u32,
    /// tWTR: from the end of a write's data to a read command of any bank.
    pub t_wtr: u32,
    /// tRTP: from a read command to the precharge of the bank.
    pub t_rtp: u32,
    /// Cycles for which the data bus rests when it turns from reads to writes.
    pub turnaround: u32,
}

/// In which order a controller serves requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum MemoryOrder {
    /// As they come, one after the other.
    Fcfs,
    /// Requests that are ready, because their row is open, come first; then the oldest (Rixner et al. 2000, which TACO'09,
    /// section 2.2, cites for its controller).
    FrFcfs,
}

impl CacheConfig {
    /// No cache: requests go straight to the next level.
    pub fn none() -> Self {
        Self {
            bytes: 0,
            ways: 0,
            line: 0,
            sector: 0,
            replacement: Replacement::Lru,
            write: WritePolicy::WriteBack,
            hit_latency: 0,
            miss_latency: 0,
            ports: 0,
            atomic_cycles: 0,
            mshrs: 0,
            merges: 0,
            passes: 0,
            queue: 0,
            miss_queue: 0,
        }
    }

    /// Whether there is such a cache.
    pub fn is_there(&self) -> bool {
        self.bytes > 0
    }
}

impl CrossbarConfig {
    /// Flits of a packet with so many bytes of data.
    pub(super) fn flits(&self, data: u32) -> u32 {
        (self.header + data).div_ceil(self.flit)
    }

    /// Cycles that a packet with so many bytes of data takes if nothing is in its way.
    pub(super) fn unloaded(&self, data: u32) -> Cycle {
        Cycle::from(self.latency + self.flits(data) - 1)
    }
}

impl DramConfig {
    /// Memory cycles for which so many bytes occupy the data bus.
    pub(super) fn burst(&self, bytes: u32) -> u64 {
        u64::from(bytes.div_ceil(self.bus))
    }

    /// The memory cycle in which a cycle of the cores begins.
    pub(super) fn to_memory(&self, cycle: Cycle) -> u64 {
        if self.clock == self.core_clock {
            return cycle;
        }
        cycle * u64::from(self.clock) / u64::from(self.core_clock)
    }

    /// The first cycle of the cores in which a memory cycle has begun.
    pub(super) fn to_core(&self, cycle: u64) -> Cycle {
        if self.clock == self.core_clock {
            return cycle;
        }
        (cycle * u64::from(self.core_clock)).div_ceil(u64::from(self.clock))
    }
}

impl HierarchyConfig {
    /// Most cores that a hierarchy can serve.
    pub const MOST_CORES: usize = 128;

    /// The rule by which accesses of this kind become transactions.
    pub(crate) fn coalescing(&self, kind: AccessKind, operator: CacheOperator, local: bool) -> Coalescing {
        let kept = self.l1.is_there() && first_level_keeps(self.l1.write, kind, operator, local);
        if kept { self.coalescing } else { self.coalescing_past }
    }

    /// Bytes that all memory modules together can carry in a cycle of the cores.
    pub fn peak_bandwidth(&self) -> f64 {
        let DramConfig { bus, clock, core_clock, .. } = self.dram;
        f64::from(self.partitions) * f64::from(bus) * f64::from(clock) / f64::from(core_clock)
    }

    /// The part of so many cycles of the cores in which data buses carried bytes, on average over modules (TACO'09,
    /// Table II); 0 for no cycles.
    pub fn bandwidth_utilisation(&self, figures: &DramFigures, cycles: Cycle) -> f64 {
        let memory_cycles = cycles as f64 * f64::from(self.dram.clock) / f64::from(self.dram.core_clock);
        let all = memory_cycles * f64::from(self.partitions);
        if all == 0.0 { 0.0 } else { figures.busy_cycles as f64 / all }
    }

    /// Cycles from the offer of a lone load to its reply, by the level that has the bytes. Memory means a bank without an
    /// open row, and a load offered in cycle 0. With caches at both levels and a clock ratio of one:
    ///
    /// * first level: `l1.hit_latency`;
    /// * second level: `l1.miss_latency + c(0) + l2.hit_latency + c(l1.sector)`;
    /// * memory: `l1.miss_latency + c(0) + l2.miss_latency + 1 + tRCD + tCL + ceil(l2.sector / bus) + dram.latency + c(l1.sector)`
    ///
    /// where `c(n) = crossbar.latency + ceil((header + n) / flit) - 1`, sectors are as many as hold the `bytes` of the load,
    /// which begin with a sector, and the 1 is the cycle after which the controller sees the request.
    pub fn unloaded_latency(&self, served: Served, bytes: u32) -> Cycle {
        let fetched = |cache: &CacheConfig, bytes: u32| {
            if cache.is_there() { bytes.next_multiple_of(cache.sector) } else { bytes }
        };
        let miss = |cache: &CacheConfig| if cache.is_there() { Cycle::from(cache.miss_latency) } else { 0 };
        if served == Served::FirstLevel {
            return Cycle::from(self.l1.hit_latency);
        }
        let asked = fetched(&self.l1, bytes);
        let there = miss(&self.l1) + self.crossbar.unloaded(0);
        let back = self.crossbar.unloaded(asked);
        if served == Served::SecondLevel {
            return there + Cycle::from(self.l2.hit_latency) + back;
        }
        let dram = &self.dram;
        let offered = there + miss(&self.l2);
        let burst = dram.burst(fetched(&self.l2, asked));
        let end = dram.to_memory(offered) + 1 + u64::from(dram.t_rcd + dram.t_cl) + burst;
        dram.to_core(end) + Cycle::from(dram.latency) + back
    }
}
