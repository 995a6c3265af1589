//! The sizes and timings of a cache.

use super::super::config::{LARGEST, LONGEST, MOST, between};
use super::super::kinds::{Lone, Sizes};
use super::super::level::Cycle;

/// A cache, or a slice of one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct CacheConfig {
    /// Its size in bytes, a multiple of `line * ways`; of one that stands once in each partition, the size of one slice.
    pub bytes: u64,
    /// Lines of a set.
    pub ways: u32,
    /// Bytes of a line, a power of two.
    pub line: u32,
    /// Bytes that are fetched at once, a power of two: `line`, or a part of it with at most 32 in a line.
    pub sector: u32,
    /// Which line goes when a set is full.
    pub replacement: Replacement,
    /// What becomes of stores, of a cache in front of the crossbar. One behind it writes back.
    pub write: WritePolicy,
    /// Cycles from the lookup until the reply of a hit, at least 1.
    pub hit_latency: u32,
    /// Cycles from the lookup until a miss is offered to the next level, at least 1.
    pub miss_latency: u32,
    /// Lookups a cycle.
    pub ports: u32,
    /// Cycles for which an atomic occupies all ports, at least 1. Only the first cache behind the crossbar does atomics.
    pub atomic_cycles: u32,
    /// Lines that can be underway from the next level: miss status holding registers.
    pub mshrs: u32,
    /// Requests that can wait for one of them.
    pub merges: u32,
    /// Requests that can be underway past the cache: stores under write-through, atomics at the caches of the
    /// cores, loads that do not use it.
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
    /// Any.
    Random {
        /// What the choice begins with.
        seed: u64,
    },
}

/// What a cache does with stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum WritePolicy {
    /// They go to the next level, and the line here, if there is one, is dropped: the first level of Fermi for global
    /// memory (Habermaier 2011, section 4.2). Stores to local memory are written back all the same.
    WriteEvict,
    /// They go to the next level, and change the line here, which is made if it is not there. Nothing is fetched for them: a
    /// sector that a store covers can be read from then on, of one that it covers in part what is read later is fetched. The
    /// first level of Volta and later, for all memory: `-gpgpu_cache:dl1 S:...,L:T:m:L:L` of GPGPU-Sim's configurations,
    /// whose second group says LRU, write-through, lines reserved when they are missed, and allocated by writes with a fetch
    /// as late as the read that needs it.
    WriteThrough,
    /// They change the line here, which is fetched first if the store does not cover its sectors, and written back when it
    /// goes.
    WriteBack,
}

impl Sizes for CacheConfig {
    fn lines(&self) -> u64 {
        self.bytes / u64::from(self.line.max(1))
    }

    fn problem(&self) -> Option<(&'static str, usize, &'static str)> {
        let Self { bytes, ways, line, sector, hit_latency, miss_latency, .. } = *self;
        if !line.is_power_of_two() || line > MOST {
            return Some(("line", line as usize, "a power of two, at most 16384"));
        }
        if !sector.is_power_of_two() || sector > line {
            return Some(("sector", sector as usize, "a power of two, and no larger than the line"));
        }
        if line / sector > 32 {
            return Some(("sector", sector as usize, "large enough that a line has at most 32 sectors"));
        }
        if ways == 0 {
            return Some(("ways", 0, "at least 1"));
        }
        if bytes == 0 {
            return Some((
                "bytes",
                0,
                "at least `line * ways`; a hierarchy without the cache is one without the level",
            ));
        }
        if bytes > LARGEST || !bytes.is_multiple_of(u64::from(line) * u64::from(ways)) {
            return Some(("bytes", bytes as usize, "a multiple of `line * ways`, and at most 4 GiB"));
        }
        let Self { ports, atomic_cycles, mshrs, merges, passes, queue, miss_queue, replacement: _, write: _, .. } =
            *self;
        let sizes = [("ports", ports), ("mshrs", mshrs), ("merges", merges), ("passes", passes), ("queue", queue)];
        let times = [("hit_latency", hit_latency), ("miss_latency", miss_latency), ("atomic_cycles", atomic_cycles)];
        between(&sizes, 1, MOST, "1 to 16384")
            .or_else(|| between(&times, 1, LONGEST, "1 to 1048576"))
            .or_else(|| between(&[("miss_queue", miss_queue)], 2, MOST, "2 to 16384"))
    }

    fn pass(&self, load: &mut Lone) {
        load.at += Cycle::from(self.miss_latency);
        load.bytes = load.bytes.next_multiple_of(self.sector);
    }

    fn serve(&self, load: &Lone) -> Option<Cycle> {
        Some(load.at + Cycle::from(self.hit_latency) + load.back)
    }
}
