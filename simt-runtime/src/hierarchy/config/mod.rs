//! A memory hierarchy as a list of named levels.

mod check;
mod machines;

use super::cache::{CacheConfig, kept_in_front};
use super::coalescing::Coalescing;
use super::crossbar::CrossbarConfig;
use super::dram::{DramConfig, DramFigures};
use super::kinds::{LevelConfig, Lone, Part};
use super::level::{AccessKind, CacheOperator, Cycle};
pub(super) use check::{LARGEST, LONGEST, MOST, between};

/// A memory hierarchy: levels from top, next to the cores, to bottom, each in front of the next.
///
/// There is one crossbar, which joins cores and partitions. What stands in front of it, any number of caches, stands there
/// once for each core; what stands behind it, any number of caches and at the end a memory module, once in each partition. So
/// the caches in front of it are the cores' own, and those behind it are shared by all cores.
///
/// [`fung2009`](Self::fung2009), [`fermi`](Self::fermi), [`volta`](Self::volta), [`turing`](Self::turing) and
/// [`ampere`](Self::ampere) say where their numbers come from.
/// "Cycles" are those of the cores unless it says otherwise.
///
/// Another hierarchy is another list. Here Turing gets a third level of caches, behind the second:
///
/// ```
/// use simt::prelude::*;
/// use simt::hierarchy::{HierarchyConfig, NamedLevel};
///
/// #[kernel]
/// fn double(x: &mut [u32]) {
///     let i = global_id();
///     x[i] *= 2;
/// }
///
/// let mut memory = HierarchyConfig::turing();
/// let mut l3 = memory.cache("l2").cloned().expect("Turing has a second level");
/// (l3.bytes, l3.hit_latency) = (1 << 20, 300);
/// memory.insert_before("dram", NamedLevel::new("l3", l3));
///
/// let mut config = GpuConfig::turing();
/// config.clock.as_mut().expect("Turing has a clock").memory = simt::clock::MemoryTiming::Hierarchy(memory);
/// let mut x = [1; 1024];
/// let report = Gpu::<Ipdom>::new(config).launch(Grid::new(4, 256), double(&mut x))?;
/// let figures = report.clock().and_then(|clock| clock.memory()).expect("a machine with a hierarchy");
/// assert_eq!(figures.levels.iter().map(|level| &level.name).collect::<Vec<_>>(), ["l1", "crossbar", "l2", "l3", "dram"]);
/// # Ok::<(), LaunchError>(())
/// ```
///
/// In TOML a level is a table with its name, its kind and its sizes:
///
/// ```toml
/// [[clock.memory.hierarchy.levels]]
/// name = "l1"
/// kind = "cache"
/// bytes = 16384
/// ways = 4
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct HierarchyConfig {
    /// Which transactions the accesses of a warp become if the cache next to the cores keeps the lines.
    pub coalescing: Coalescing,
    /// Which they become if they go past it: `.cg`, `volatile`, atomics, stores under write-through.
    pub coalescing_past: Coalescing,
    /// Whether the caches that all cores share begin a launch with what the host copied for it: slices that the kernel only
    /// reads, in the order of the parameters, of which the last that have room are still there. Else they begin empty, as those
    /// of the cores always do.
    pub copied: bool,
    /// The levels, from top to bottom: one is a crossbar, the last a memory module, and all others are of other kinds.
    pub levels: Vec<NamedLevel>,
}

/// A level of a hierarchy, with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NamedLevel {
    /// Its name: letters, digits, `-` and `_`. No other level of the hierarchy has it. Errors and figures have it.
    pub name: String,
    /// What it is, and its sizes.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub level: LevelConfig,
}

impl NamedLevel {
    /// A level with a name.
    pub fn new(name: impl Into<String>, level: impl Into<LevelConfig>) -> Self {
        Self { name: name.into(), level: level.into() }
    }

    /// Returns its config if it is a cache.
    pub fn cache(&self) -> Option<&CacheConfig> {
        if let LevelConfig::Cache(config) = &self.level { Some(config) } else { None }
    }

    /// Returns its config if it is a cache.
    pub fn cache_mut(&mut self) -> Option<&mut CacheConfig> {
        if let LevelConfig::Cache(config) = &mut self.level { Some(config) } else { None }
    }

    fn crossbar(&self) -> Option<&CrossbarConfig> {
        if let LevelConfig::Crossbar(config) = &self.level { Some(config) } else { None }
    }

    fn crossbar_mut(&mut self) -> Option<&mut CrossbarConfig> {
        if let LevelConfig::Crossbar(config) = &mut self.level { Some(config) } else { None }
    }

    fn dram(&self) -> Option<&DramConfig> {
        if let LevelConfig::Dram(config) = &self.level { Some(config) } else { None }
    }

    fn dram_mut(&mut self) -> Option<&mut DramConfig> {
        if let LevelConfig::Dram(config) = &mut self.level { Some(config) } else { None }
    }
}

impl HierarchyConfig {
    /// Most cores that a hierarchy can serve.
    pub const MOST_CORES: usize = 128;

    /// Returns the index of the level with this name.
    pub fn index(&self, name: &str) -> Option<usize> {
        self.levels.iter().position(|level| level.name == name)
    }

    /// Returns the cache with this name.
    pub fn cache(&self, name: &str) -> Option<&CacheConfig> {
        self.levels.iter().find(|level| level.name == name)?.cache()
    }

    /// Returns the cache with this name, to change it.
    pub fn cache_mut(&mut self, name: &str) -> Option<&mut CacheConfig> {
        self.levels.iter_mut().find(|level| level.name == name)?.cache_mut()
    }

    /// Returns all caches, from top to bottom.
    pub fn caches(&self) -> impl Iterator<Item = &CacheConfig> {
        self.levels.iter().filter_map(NamedLevel::cache)
    }

    /// Returns all caches, from top to bottom, to change them.
    pub fn caches_mut(&mut self) -> impl Iterator<Item = &mut CacheConfig> {
        self.levels.iter_mut().filter_map(NamedLevel::cache_mut)
    }

    /// Returns the cache next to the cores: the first of those in front of the crossbar.
    pub fn front(&self) -> Option<&CacheConfig> {
        self.levels[..self.joins()].iter().find_map(NamedLevel::cache)
    }

    /// Returns the cache next to the cores, to change it.
    pub fn front_mut(&mut self) -> Option<&mut CacheConfig> {
        let joins = self.joins();
        self.levels[..joins].iter_mut().find_map(NamedLevel::cache_mut)
    }

    /// The index of the crossbar; of the end if there is none.
    fn joins(&self) -> usize {
        let joins = |level: &NamedLevel| level.level.sizes().part() == Part::Joins;
        self.levels.iter().position(joins).unwrap_or(self.levels.len())
    }

    /// Returns the crossbar. A hierarchy that has no [`problem`](Self::problem) has one.
    pub fn crossbar(&self) -> Option<&CrossbarConfig> {
        self.levels.iter().find_map(NamedLevel::crossbar)
    }

    /// Returns the crossbar, to change it.
    pub fn crossbar_mut(&mut self) -> Option<&mut CrossbarConfig> {
        self.levels.iter_mut().find_map(NamedLevel::crossbar_mut)
    }

    /// Returns the memory module of a partition. A hierarchy that has no [`problem`](Self::problem) has one.
    pub fn dram(&self) -> Option<&DramConfig> {
        self.levels.iter().find_map(NamedLevel::dram)
    }

    /// Returns the memory module of a partition, to change it.
    pub fn dram_mut(&mut self) -> Option<&mut DramConfig> {
        self.levels.iter_mut().find_map(NamedLevel::dram_mut)
    }

    /// Returns how many partitions there are; 0 without a crossbar.
    pub fn partitions(&self) -> u32 {
        self.crossbar().map_or(0, |crossbar| crossbar.partitions)
    }

    /// Takes a level out; returns it if there was one of this name.
    pub fn remove(&mut self, name: &str) -> Option<NamedLevel> {
        self.index(name).map(|index| self.levels.remove(index))
    }

    /// Puts a level in front of the one with this name; at the bottom if there is none.
    pub fn insert_before(&mut self, name: &str, level: NamedLevel) {
        let index = self.index(name).unwrap_or(self.levels.len());
        self.levels.insert(index, level);
    }

    /// The rule by which accesses of this kind become transactions.
    pub(crate) fn coalescing(&self, kind: AccessKind, operator: CacheOperator, local: bool) -> Coalescing {
        let kept = self.front().is_some_and(|front| kept_in_front(front.write, kind, operator, local));
        if kept { self.coalescing } else { self.coalescing_past }
    }

    /// Returns the bytes that all memory modules together can carry in a cycle of the cores.
    pub fn peak_bandwidth(&self) -> f64 {
        let Some(DramConfig { bus, clock, core_clock, .. }) = self.dram() else { return 0.0 };
        f64::from(self.partitions()) * f64::from(*bus) * f64::from(*clock) / f64::from(*core_clock)
    }

    /// Returns the part of so many cycles of the cores in which data buses carried bytes, on average over modules (TACO'09,
    /// Table II); 0 for no cycles.
    pub fn bandwidth_utilisation(&self, figures: &DramFigures, cycles: Cycle) -> f64 {
        let Some(dram) = self.dram() else { return 0.0 };
        let memory_cycles = cycles as f64 * f64::from(dram.clock) / f64::from(dram.core_clock);
        let all = memory_cycles * f64::from(self.partitions());
        if all == 0.0 { 0.0 } else { figures.busy_cycles as f64 / all }
    }

    /// Returns the cycles from the offer of a lone load to its reply, if the level with this name has the bytes; none if no
    /// level has the name, or if it is one that never has any, as a crossbar. Memory means a bank without an open row, and a
    /// load offered in cycle 0.
    ///
    /// It is the sum over the list: `miss_latency` of each cache above; of the crossbar, `c(0)` on the way there and `c(n)` on
    /// the way back, where `c(n) = latency + ceil((header + n) / flit) - 1` and `n` is what the level above the crossbar asks
    /// for; at the end `hit_latency` of a cache, or of memory `1 + tRCD + tCL + ceil(m / bus)` of its cycles and `latency`,
    /// where `m` is what the level above asks for and the 1 is the cycle after which the controller sees the request. What a
    /// cache asks for are as many sectors as hold the bytes that it was asked for, which begin with a sector. So with a cache at
    /// either side of the crossbar and a clock ratio of one:
    ///
    /// * `l1`: `l1.hit_latency`;
    /// * `l2`: `l1.miss_latency + c(0) + l2.hit_latency + c(l1.sector)`;
    /// * `dram`: `l1.miss_latency + c(0) + l2.miss_latency + 1 + tRCD + tCL + ceil(l2.sector / bus) + dram.latency + c(l1.sector)`
    pub fn unloaded_latency(&self, name: &str, bytes: u32) -> Option<Cycle> {
        self.unloaded(self.index(name)?, bytes)
    }

    /// [`unloaded_latency`](Self::unloaded_latency) of memory itself: the bottom of the list.
    pub(crate) fn memory_latency(&self, bytes: u32) -> Option<Cycle> {
        self.unloaded(self.levels.len().checked_sub(1)?, bytes)
    }

    fn unloaded(&self, index: usize, bytes: u32) -> Option<Cycle> {
        let mut load = Lone { at: 0, bytes, back: 0 };
        self.levels[..index].iter().for_each(|level| level.level.sizes().pass(&mut load));
        self.levels[index].level.sizes().serve(&load)
    }
}
