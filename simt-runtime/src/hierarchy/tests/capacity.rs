//! No level has more underway than it says.

use super::super::Hierarchy;
use super::super::cache::{Cache, CacheConfig};
use super::super::config::{HierarchyConfig, NamedLevel};
use super::super::crossbar::Crossbar;
use super::super::dram::Dram;
use super::super::level::{Level, Request};
use super::driver::{Flat, cache_figures, figures, load, of_all, of_cores, serve_alone, store};
use super::parts::Parts;

/// How many of these requests are accepted, offered in order and in each cycle up to `end` until one is refused.
fn accepted<L: Level>(level: &mut L, end: u64, requests: impl IntoIterator<Item = Request>) -> usize {
    let mut done = Vec::new();
    let mut requests = requests.into_iter().peekable();
    let mut count = 0;
    for now in 0..=end {
        level.advance(now, &mut done);
        while let Some(&request) = requests.peek()
            && level.offer(now, request).is_ok()
        {
            count += 1;
            requests.next();
        }
    }
    assert!(done.is_empty(), "the next level does not answer");
    count
}

fn lines(bytes: u64) -> impl Iterator<Item = Request> {
    (0..10_000).map(move |line| load(line, line * bytes, 4))
}

#[test]
fn a_controller_has_room_for_its_queue() {
    let config = HierarchyConfig::fung2009().module().clone();
    assert_eq!(accepted(&mut Dram::new(&config, of_all("dram")), 0, lines(64)), 32);
}

fn config() -> CacheConfig {
    CacheConfig { mshrs: 5, merges: 3, passes: 4, queue: 2, miss_queue: 100, ..HierarchyConfig::fermi().l1().clone() }
}

/// A cache over a level that takes all and never answers.
fn silent(config: &CacheConfig, room: usize) -> Cache<Flat> {
    Cache::new(config, of_cores(1), Flat::new(1 << 40, room))
}

#[test]
fn a_cache_has_as_many_lines_underway_as_mshrs() {
    let mut level = silent(&config(), 1000);
    assert_eq!(accepted(&mut level, 50, lines(128)), 5 + 2, "and a queue");
    assert_eq!(level.next().asked.len(), 5);
    assert_eq!(cache_figures(&level, "l1").stalls_mshr, 1);
}

#[test]
fn a_line_has_as_many_waiting_as_merge() {
    let mut level = silent(&config(), 1000);
    assert_eq!(accepted(&mut level, 50, (0..20).map(|id| load(id, id * 4, 4))), 3 + 2);
    let counted = cache_figures(&level, "l1");
    assert_eq!((counted.misses, counted.pending_hits, counted.stalls_merge), (1, 2, 1));
}

#[test]
fn as_many_stores_pass_as_may() {
    let mut level = silent(&config(), 1000);
    assert_eq!(accepted(&mut level, 50, (0..20).map(|id| store(id, id * 128, 4))), 4 + 2);
    assert_eq!(cache_figures(&level, "l1").passed, 4);
}

#[test]
fn a_set_has_as_many_lines_underway_as_ways() {
    let config = CacheConfig { mshrs: 64, ..config() };
    let mut level = silent(&config, 1000);
    // Lines of one set.
    assert_eq!(accepted(&mut level, 50, lines(config.bytes / 4)), 4 + 2);
    assert_eq!(cache_figures(&level, "l1").stalls_line, 1);
}

#[test]
fn the_queue_to_the_next_level_is_as_long_as_it_says() {
    let config = CacheConfig { mshrs: 64, miss_queue: 6, ..config() };
    let mut level = silent(&config, 3);
    assert_eq!(accepted(&mut level, 50, lines(128)), 3 + 6 + 2);
    assert_eq!(cache_figures(&level, "l1").stalls_queue, 1);
}

/// Requests of a core that wait for their turn, and requests of a partition that are on their way or inside.
#[test]
fn a_crossbar_has_room_for_its_queues() {
    let mut config = HierarchyConfig::fung2009();
    config.joined_mut().partitions = 1;
    let one =
        |config: &HierarchyConfig, room| Crossbar::new(config.joined(), of_cores(1), |_| Flat::new(1 << 40, room));
    assert_eq!(accepted(&mut one(&config, 1000), 0, lines(64)), 8);
    config.joined_mut().replies = 20;
    assert_eq!(accepted(&mut one(&config, 1000), 200, lines(64)), 20 + 8 + 8, "room for replies");
    assert_eq!(accepted(&mut one(&config, 3), 200, lines(64)), 3 + 8 + 8, "room in the partition");
}

/// The last of the copied pieces for which there is room are in the second level, and none in the first.
#[test]
fn copies_stay_as_far_as_there_is_room() {
    let mut config = HierarchyConfig::fermi();
    config.l2_mut().bytes = 2 << 10;
    let mut level = Hierarchy::new(&config, 1);
    let room = u64::from(config.partitions()) * config.l2().bytes;
    // Two slices; what is too much of them is half of the first.
    let (first, second) = ((256, 8 << 10), (256 + (8 << 10), 8 << 10));
    level.copy(&[first, second]);
    let gone = first.1 + second.1 - room;
    let lines = |from: u64, bytes: u64| (from..from + bytes).step_by(128);
    let mut now = 0;
    for line in lines(first.0 + gone, first.1 - gone).chain(lines(second.0, second.1)) {
        assert_eq!(serve_alone(&mut level, &mut now, load(0, line, 4)).1, config.at("l2"), "{line}");
    }
    for line in lines(first.0, gone) {
        assert_eq!(serve_alone(&mut level, &mut now, load(0, line, 4)).1, config.at("dram"), "{line}");
    }
    // With nothing between cores and memory there is nowhere to copy to.
    config.remove("l2");
    let mut level = Hierarchy::new(&config, 1);
    level.copy(&[first]);
    assert_eq!(serve_alone(&mut level, &mut 0, load(0, 256, 4)).1, config.at("dram"));
}

/// What the host has copied is in all caches that are shared, as far as there is room: here all of it in the third level,
/// and the end of it in the second.
#[test]
fn copies_come_to_all_shared_levels() {
    let mut config = HierarchyConfig::fermi();
    let third = CacheConfig { bytes: 4 * config.l2().bytes, ..config.l2().clone() };
    config.insert_before("dram", NamedLevel::new("l3", third));
    let room = config.l2().bytes * u64::from(config.partitions());
    (config.l1_mut().ways, config.l1_mut().bytes) = (1, 128);
    let mut level = Hierarchy::new(&config, 1);
    level.copy(&[(0, 2 * room)]);
    let mut now = 0;
    for (address, name) in [(2 * room - 128, "l2"), (room, "l2"), (room - 128, "l3"), (0, "l3")] {
        assert_eq!(serve_alone(&mut level, &mut now, load(0, address, 4)).1, config.at(name), "{address}");
    }
    level.flush();
    assert_eq!(figures(&level).levels.len(), 5);
}
