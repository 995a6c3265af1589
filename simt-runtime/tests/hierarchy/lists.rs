//! Hierarchies that no machine has: a third level of caches, none but the first, two a core. They are configs and nothing else.

use super::parts::Parts;
use super::{cache_figures, dram_figures, figures, load};
use simt_runtime::hierarchy::{
    AccessKind, CacheConfig, CacheOperator, HierarchyConfig, Level, NamedLevel, Replacement, Request, WritePolicy,
};
use simt_testing::{serve_alone, whole_hierarchy};

/// Fermi with a third level of four times the size behind the second.
pub(super) fn third() -> HierarchyConfig {
    let mut config = HierarchyConfig::fermi();
    let second = config.l2();
    let l3 = CacheConfig { bytes: 4 * second.bytes, hit_latency: 50, miss_latency: 7, ..second.clone() };
    config.insert_before("dram", NamedLevel::new("l3", l3));
    config
}

/// Fermi without its second level.
pub(super) fn without_second() -> HierarchyConfig {
    let mut config = HierarchyConfig::fermi();
    config.remove("l2").expect("Fermi has it");
    config
}

/// Turing with a small cache in front of the first level of each core.
pub(super) fn second_of_cores() -> HierarchyConfig {
    let mut config = HierarchyConfig::turing();
    let l0 = CacheConfig { bytes: 2048, ways: 4, hit_latency: 3, miss_latency: 2, ports: 2, ..config.l1().clone() };
    config.insert_before("l1", NamedLevel::new("l0", l0));
    config
}

/// The same, whose caches of a core keep what is stored: one all of it, one that of local memory.
pub(super) fn alone() -> HierarchyConfig {
    let mut config = second_of_cores();
    config.front_mut().expect("it is there").write = WritePolicy::WriteEvict;
    config.l1_mut().write = WritePolicy::WriteBack;
    config.remove("l2");
    config
}

/// A store of core 0.
fn store(id: u64, address: u64, bytes: u32) -> Request {
    Request { kind: AccessKind::Store, ..load(id, address, bytes) }
}

/// A hierarchy for one core, and the cycle to which it has come.
struct Machine {
    config: HierarchyConfig,
    level: Box<dyn Level>,
    now: u64,
}

impl Machine {
    fn new(config: HierarchyConfig) -> Self {
        Self { level: Box::new(whole_hierarchy(&config, 1)), config, now: 0 }
    }

    /// The name of the level that serves a request, and its latency.
    fn serve(&mut self, request: Request) -> (&str, u64) {
        // Both clocks begin a cycle together.
        self.now = self.now.next_multiple_of(u64::from(self.config.module().core_clock));
        let (latency, served) = serve_alone(&mut self.level, &mut self.now, request);
        (&self.config.levels[served].name, latency)
    }

    /// Loads the first words of so many lines of 128 bytes.
    fn load(&mut self, lines: std::ops::Range<u64>) {
        for line in lines {
            self.serve(load(0, line * 128, 4));
        }
    }

    /// How many of so many lines are served by a level.
    fn served(&mut self, name: &str, lines: std::ops::Range<u64>) -> usize {
        lines.filter(|line| self.serve(load(0, line * 128, 4)).0 == name).count()
    }
}

/// What each level takes, added up by hand, is what a lone load takes and what the config says.
#[test]
fn latencies_are_sums_over_the_list() {
    // Fermi: a crossbar of 8, one more for a line of 128 bytes, of which a header of 8 is in the second flit. 924 cycles of
    // the memory to 700: 1 until the request is seen, tRCD 12, tCL 12, 32 bytes a cycle, 100 after that. The first level asks
    // for a whole line.
    let memory = |offered: u64, bytes: u64| {
        let end = offered * 924 / 700 + 1 + 12 + 12 + bytes / 32;
        (end * 700).div_ceil(924) + 100
    };
    let there = 1 + 8;
    let cases: [(HierarchyConfig, &[(&str, u64)]); 3] = [
        (
            third(),
            &[
                ("l1", 35),
                ("l2", there + 120 + 9),
                ("l3", there + 120 + 50 + 9),
                ("dram", memory(there + 127, 128) + 9),
            ],
        ),
        (without_second(), &[("l1", 35), ("dram", memory(there, 128) + 9)]),
        // Turing: a crossbar of 4, a sector and its header in one flit.
        (second_of_cores(), &[("l0", 3), ("l1", 2 + 32), ("l2", 2 + 32 + 4 + 194 + 4)]),
    ];
    for (config, levels) in cases {
        for (name, latency) in levels {
            assert_eq!(config.unloaded_latency(name, 4), Some(*latency), "{name}");
        }
        assert_eq!(config.unloaded_latency("crossbar", 4), None);
        assert_eq!(config.unloaded_latency("l9", 4), None);
        // Enough lines that what was loaded first has gone from all levels but one.
        let mut machine = Machine::new(config.clone());
        assert_eq!(machine.serve(load(0, 0, 4)), ("dram", config.unloaded_latency("dram", 4).expect("memory answers")));
        let behind: Vec<&str> = levels.iter().map(|level| level.0).filter(|&name| name != "dram").collect();
        for (number, name) in behind.iter().enumerate() {
            if number > 0 {
                let cache = config.cache(behind[number - 1]).expect("it is a cache");
                let before: u64 = config.partitions().into();
                let lines = cache.bytes / 128 * if behind[number - 1] == "l2" { before } else { 1 };
                machine.load(1..2 * lines + 1);
            }
            let latency = config.unloaded_latency(name, 4).expect("a cache answers");
            assert_eq!(machine.serve(load(0, 0, 4)), (*name, latency));
        }
    }
}

/// A ring of lines is served by the first level that has room for it, from its second round on.
#[test]
fn a_ring_is_served_by_the_first_level_that_holds_it() {
    // Lines of Fermi's first level, of its second and of the third behind that.
    for (lines, name) in [(128, "l1"), (256, "l2"), (6144, "l2"), (12288, "l3"), (24576, "l3"), (49152, "dram")] {
        let mut machine = Machine::new(third());
        machine.load(0..lines);
        assert_eq!(machine.served(name, 0..lines), lines as usize, "{lines}");
    }
    for (lines, name) in [(128, "l1"), (256, "dram")] {
        let mut machine = Machine::new(without_second());
        machine.load(0..lines);
        assert_eq!(machine.served(name, 0..lines), lines as usize, "{lines}");
    }
    for (lines, name) in [(16, "l0"), (32, "l1"), (256, "l1"), (512, "l2")] {
        let mut machine = Machine::new(second_of_cores());
        machine.load(0..lines);
        assert_eq!(machine.served(name, 0..lines), lines as usize, "{lines}");
    }
}

/// Atomics are done by the first cache behind the crossbar, or by memory; loads with `.cg` pass the caches of a core.
#[test]
fn what_passes_the_caches_of_a_core_ends_where_all_share() {
    let atomic = Request { kind: AccessKind::Atomic, ..load(0, 0, 4) };
    let global = Request { operator: CacheOperator::Global, ..load(0, 0, 4) };
    for (config, own, name) in [
        (third(), &["l1"][..], "l2"),
        (without_second(), &["l1"], "dram"),
        (second_of_cores(), &["l0", "l1"], "l2"),
        (alone(), &["l0", "l1"], "dram"),
    ] {
        for request in [atomic, global] {
            let mut machine = Machine::new(config.clone());
            machine.serve(load(0, 0, 4));
            assert_eq!(machine.serve(request).0, name);
            let counted = figures(&machine.level);
            for cache in own {
                let cache = counted.cache(cache).expect("it is there");
                assert_eq!((cache.accesses, cache.passed), (2, 1));
            }
            assert_eq!(machine.serve(load(0, 0, 4)).0, name, "the caches of the core have dropped the line");
        }
        assert_eq!(figures(&Machine::new(config).level).cache("l3").map_or(0, |cache| cache.atomic_sectors), 0);
    }
}

/// A dirty line goes level by level: from the second to the third, from there to memory.
#[test]
fn what_is_written_back_goes_to_the_next_level() {
    let mut config = third();
    config.l2_mut().bytes = 2048;
    config.l2_mut().replacement = Replacement::Fifo;
    let mut machine = Machine::new(config);
    // All of one partition, in which they lie 256 bytes apart: of 2 sets of 8 lines they are in one.
    let lines = (0..32).map(|block| block * 256 * 6);
    for address in lines {
        machine.serve(store(0, address, 128));
    }
    let (second, third) = (cache_figures(&machine.level, "l2"), cache_figures(&machine.level, "l3"));
    assert_eq!((second.accesses, second.write_backs), (32, 24));
    assert_eq!((third.accesses, third.store_sectors, third.write_backs), (24, 96, 0));
    assert_eq!(dram_figures(&machine.level).writes, 0);
}

/// A line of local memory that leaves the first cache of a core is kept by the second.
#[test]
fn local_memory_stays_with_its_core() {
    let mut config = second_of_cores();
    for cache in config.caches_mut() {
        cache.write = WritePolicy::WriteEvict;
    }
    let mut machine = Machine::new(config);
    let local = |request: Request| Request { local: true, ..request };
    for line in 0..32 {
        machine.serve(local(store(0, line * 128, 128)));
    }
    assert_eq!(cache_figures(&machine.level, "l0").write_backs, 16);
    assert_eq!(machine.serve(local(load(0, 0, 4))).0, "l1");
    assert_eq!(cache_figures(&machine.level, "l2").accesses, 0, "nothing has left the core");
}
