//! One contract for all levels: the laws of [`Level`], on requests of all kinds.

use super::super::Hierarchy;
use super::super::cache::{Cache, Role};
use super::super::config::{HierarchyConfig, MemoryOrder, Replacement};
use super::super::crossbar::Crossbar;
use super::super::dram::Dram;
use super::super::level::Level;
use super::driver::{Flat, figures, run, script};

/// Holds a level to its laws under crowds and under few requests.
fn holds<L: Level + Clone + std::fmt::Debug>(make: impl Fn() -> L, cores: u64, line: u64) {
    for (seed, gap) in [(1, 0), (2, 0), (3, 3), (4, 40)] {
        let script = script(seed, 600, cores, line, gap);
        let mut level = make();
        let outcome = run(&mut level, &script, true, if gap == 0 { 2 } else { 0 });
        assert!(gap > 0 || outcome.refusals > 0, "a crowd is refused");
        // Cycle by cycle, nothing else happens.
        let mut other = make();
        let stepped = run(&mut other, &script, false, 0);
        assert_eq!(stepped.replies, outcome.replies);
        assert_eq!(stepped.accepted, outcome.accepted);
        assert_eq!(figures(&other), figures(&level));
        // Between launches everything is forgotten.
        let before = figures(&level);
        level.flush();
        assert_eq!(level.next_event(), None);
        assert_eq!(run(&mut level, &script, true, 0), outcome, "after a flush it is as new");
        assert_eq!(figures(&level).dram.bytes, 2 * before.dram.bytes);
        // And again from the beginning.
        let mut other = make();
        assert_eq!(run(&mut other, &script, true, 0), outcome, "it does the same again");
        // What has been loaded is there.
        hit_after_fill(&mut other, outcome.end + 1, line);
    }
}

/// Loads a line twice: if the level has caches at all, it has the line the second time.
fn hit_after_fill<L: Level>(level: &mut L, mut now: u64, line: u64) {
    let before = figures(level);
    let request = super::driver::load(0, 77 * line, 4);
    let first = super::driver::lone(level, &mut now, request);
    now += 1;
    let second = super::driver::lone(level, &mut now, request);
    let after = figures(level);
    let lookups = after.l1.accesses - before.l1.accesses + after.l2.accesses - before.l2.accesses;
    if lookups > 0 {
        assert!(second.0 < first.0 && after.l1.hits + after.l2.hits > before.l1.hits + before.l2.hits);
        assert!(after.dram.reads <= before.dram.reads + 1);
    } else {
        // A cycle more, as clocks do not divide.
        assert!(second.0 <= first.0 + 1);
    }
}

/// The machine with the smallest sizes that work.
fn least(mut config: HierarchyConfig) -> HierarchyConfig {
    for cache in [&mut config.l1, &mut config.l2].into_iter().filter(|cache| cache.is_there()) {
        cache.bytes = u64::from(cache.line) * 4;
        cache.ways = 2;
        (cache.ports, cache.mshrs, cache.merges, cache.passes, cache.queue, cache.miss_queue) = (1, 1, 1, 1, 1, 2);
        (cache.hit_latency, cache.miss_latency, cache.atomic_cycles) = (1, 1, 3);
    }
    let crossbar = &mut config.crossbar;
    (crossbar.latency, crossbar.queue, crossbar.output_queue, crossbar.replies) = (1, 1, 1, 1);
    config.dram.queue = 1;
    assert_eq!(config.problem(), None);
    config
}

fn middling(mut config: HierarchyConfig) -> HierarchyConfig {
    for cache in [&mut config.l1, &mut config.l2].into_iter().filter(|cache| cache.is_there()) {
        cache.bytes = u64::from(cache.line) * 16;
        cache.ways = 4;
        (cache.ports, cache.mshrs, cache.merges, cache.passes, cache.queue, cache.miss_queue) = (2, 4, 2, 3, 3, 3);
        cache.replacement = Replacement::Random { seed: 7 };
    }
    config.crossbar.replies = 5;
    (config.dram.queue, config.dram.order) = (4, MemoryOrder::Fcfs);
    assert_eq!(config.problem(), None);
    config
}

/// A test of the contract for each level that is made of a config.
macro_rules! contract {
    ($($name:ident: $config:expr, $cores:expr, $make:expr;)*) => {$(
        #[test]
        fn $name() {
            let config: HierarchyConfig = $config;
            assert_eq!(config.problem(), None);
            let make: fn(&HierarchyConfig, usize) -> _ = $make;
            holds(|| make(&config, $cores), $cores, u64::from(config.l1.line.max(64)));
        }
    )*};
}

fn dram(config: &HierarchyConfig, _: usize) -> Dram {
    Dram::new(&config.dram)
}

fn first(config: &HierarchyConfig, cores: usize) -> Cache<Flat> {
    Cache::new(&config.l1, Role::First, cores, Flat::new(60, 2))
}

fn slice(config: &HierarchyConfig, _: usize) -> Cache<Dram> {
    Cache::new(&config.l2, Role::Second, 1, Dram::new(&config.dram))
}

fn crossbar(config: &HierarchyConfig, cores: usize) -> Crossbar<Flat> {
    let partitions = (0..config.partitions).map(|number| Flat::new(10 + u64::from(number), 3)).collect();
    Crossbar::new(config, cores, partitions)
}

contract! {
    a_module_of_fung2009: HierarchyConfig::fung2009(), 1, dram;
    a_module_of_fermi: HierarchyConfig::fermi(), 1, dram;
    a_module_of_turing: HierarchyConfig::turing(), 1, dram;
    a_module_of_volta: HierarchyConfig::volta(), 1, dram;
    a_module_first_come_first_served: middling(HierarchyConfig::turing()), 1, dram;
    a_module_with_room_for_one: least(HierarchyConfig::fermi()), 1, dram;
    caches_written_back: HierarchyConfig::fung2009(), 3, first;
    caches_that_drop_what_is_written: HierarchyConfig::fermi(), 3, first;
    caches_written_through: HierarchyConfig::turing(), 3, first;
    caches_with_sectors: middling(HierarchyConfig::turing()), 2, first;
    caches_with_room_for_one: least(HierarchyConfig::turing()), 2, first;
    caches_written_back_with_room_for_one: least(HierarchyConfig::fung2009()), 2, first;
    a_slice_of_fermi: HierarchyConfig::fermi(), 4, slice;
    a_slice_of_middling_size: middling(HierarchyConfig::turing()), 4, slice;
    a_slice_with_room_for_one: least(HierarchyConfig::turing()), 4, slice;
    the_crossbar_of_fung2009: HierarchyConfig::fung2009(), 16, crossbar;
    the_crossbar_of_turing: HierarchyConfig::turing(), 30, crossbar;
    a_crossbar_with_room_for_one: least(HierarchyConfig::fermi()), 5, crossbar;
    all_of_fung2009: HierarchyConfig::fung2009(), 16, Hierarchy::new;
    all_of_fermi: HierarchyConfig::fermi(), 15, Hierarchy::new;
    all_of_turing: HierarchyConfig::turing(), 30, Hierarchy::new;
    all_of_volta: HierarchyConfig::volta(), 30, Hierarchy::new;
    all_of_ampere: HierarchyConfig::ampere(), 46, Hierarchy::new;
    all_of_middling_size: middling(HierarchyConfig::turing()), 7, Hierarchy::new;
    all_of_fung2009_at_its_least: least(HierarchyConfig::fung2009()), 7, Hierarchy::new;
    all_of_fermi_at_its_least: least(HierarchyConfig::fermi()), 7, Hierarchy::new;
    all_of_turing_at_its_least: least(HierarchyConfig::turing()), 7, Hierarchy::new;
}
