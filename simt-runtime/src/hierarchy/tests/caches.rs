//! Caches in front of a level without inner life: what they keep, what they ask for, and when.

use proptest::collection::vec;
use proptest::prelude::*;

use super::super::cache::{Cache, CacheConfig, Replacement};
use super::super::config::HierarchyConfig;
use super::super::kinds::Standing;
use super::super::level::{AccessKind, CacheOperator, Level, Reply, Request};
use super::driver::{FLAT, Flat, cache_figures, load, of_all, of_cores, serve_alone, store};
use super::parts::Parts;

fn small(ways: u32, sets: u32, replacement: Replacement) -> CacheConfig {
    CacheConfig { bytes: u64::from(64 * ways * sets), ways, replacement, ..HierarchyConfig::fung2009().l1().clone() }
}

fn cache(config: &CacheConfig, standing: Standing) -> Cache<Flat> {
    Cache::new(config, standing, Flat::new(100, 1000))
}

/// How many of a trace of line numbers hit, one after the other.
fn hits(config: &CacheConfig, trace: &[u64]) -> u64 {
    let mut level = cache(config, of_cores(1));
    let mut now = 0;
    for &line in trace {
        let (latency, served) = serve_alone(&mut level, &mut now, load(0, line * u64::from(config.line), 4));
        let hit = served == 0;
        assert_eq!(latency, if hit { config.hit_latency.into() } else { 100 + u64::from(config.miss_latency) });
        now += 1;
    }
    let counted = cache_figures(&level, "l1");
    assert_eq!(counted.accesses, trace.len() as u64);
    assert_eq!(counted.hits + counted.misses, counted.accesses);
    counted.hits
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A line hits under LRU if fewer different lines of its set than there are ways were used since its last use.
    #[test]
    fn lru_hits_are_those_of_stack_distance(
        trace in vec(0u64..40, 1..300), ways in 1u32..6, sets in 1u32..5,
    ) {
        let mut expected = 0;
        for (place, line) in trace.iter().enumerate() {
            if let Some(last) = trace[..place].iter().rposition(|other| other == line) {
                let mut between: Vec<u64> = trace[last + 1..place].to_vec();
                between.retain(|other| other % u64::from(sets) == line % u64::from(sets));
                between.sort_unstable();
                between.dedup();
                expected += u64::from(between.len() < ways as usize);
            }
        }
        prop_assert_eq!(hits(&small(ways, sets, Replacement::Lru), &trace), expected);
    }

    /// Under FIFO, if fewer lines of its set than there are ways came since it came.
    #[test]
    fn fifo_hits_are_those_of_queues(trace in vec(0u64..40, 1..300), ways in 1u32..6, sets in 1u32..5) {
        let mut queues = vec![std::collections::VecDeque::new(); sets as usize];
        let mut expected = 0;
        for line in &trace {
            let queue = &mut queues[(line % u64::from(sets)) as usize];
            if queue.contains(line) {
                expected += 1;
            } else {
                queue.push_back(*line);
                if queue.len() > ways as usize {
                    queue.pop_front();
                }
            }
        }
        prop_assert_eq!(hits(&small(ways, sets, Replacement::Fifo), &trace), expected);
    }
}

#[test]
fn random_replacement_follows_its_seed_and_breaks_the_cliff_of_lru() {
    // Nine lines in turns in eight ways: LRU and FIFO never hit.
    let trace: Vec<u64> = (0..900).map(|step| step % 9).collect();
    assert_eq!(hits(&small(8, 1, Replacement::Lru), &trace), 0);
    assert_eq!(hits(&small(8, 1, Replacement::Fifo), &trace), 0);
    let random = |seed| hits(&small(8, 1, Replacement::Random { seed }), &trace);
    assert_eq!(random(1), random(1));
    assert!((1..20).map(random).any(|hits| hits != random(1)));
    // A line of nine survives until it is used again with (7/8)^misses: about six of nine hit.
    assert!((1..20).map(random).all(|hits| (500..800).contains(&hits)));
}

/// A walk over memory with some stride shows the sizes of a cache, without looking at its config.
#[test]
fn strides_reveal_line_size_and_associativity() {
    let [fung, fermi, turing] = [HierarchyConfig::fung2009(), HierarchyConfig::fermi(), HierarchyConfig::turing()];
    let [volta, ampere] = [HierarchyConfig::volta(), HierarchyConfig::ampere()];
    for config in [fung.l1(), fermi.l1(), turing.l1(), volta.l1(), ampere.l1(), fermi.l2(), turing.l2(), volta.l2()] {
        let misses = |addresses: &mut dyn Iterator<Item = u64>, rounds: u32| {
            let mut level = cache(config, of_cores(1));
            let mut now = 0;
            let addresses: Vec<u64> = addresses.collect();
            let mut misses = 0;
            for _ in 0..rounds {
                let slow = |address: &&u64| serve_alone(&mut level, &mut now, load(0, **address, 4)).1 == FLAT;
                misses = addresses.iter().filter(slow).count();
            }
            misses
        };
        // With the stride of what is fetched at once, each load misses, and with half of it, every other one.
        let fetched = (2..12).map(|log| 1 << log).find(|stride| misses(&mut (0..64).map(|i| i * stride), 1) == 64);
        assert_eq!(fetched, Some(u64::from(config.sector)));
        assert_eq!(misses(&mut (0..64).map(|i| i * u64::from(config.sector) / 2), 1), 32);
        // A walk in steps of a line hits in its second round as long as it fits, and by LRU not at all when it is larger by
        // the lines of one way.
        let line = u64::from(config.line);
        let walk = |bytes: u64| misses(&mut (0..bytes / line).map(|i| i * line), 2) as u64;
        assert_eq!(walk(config.bytes), 0);
        let way = config.bytes / u64::from(config.ways);
        assert_eq!(walk(config.bytes + way), (config.bytes + way) / line);
        assert_eq!(walk(config.bytes + line), u64::from(config.ways) + 1);
        // As many lines of one set as there are ways.
        let same = |count: u64| misses(&mut (0..count).map(|i| i * way), 2) as u64;
        assert_eq!((same(u64::from(config.ways)), same(u64::from(config.ways) + 1)), (0, u64::from(config.ways) + 1));
    }
}

/// Offers requests in one cycle and waits for all replies, sorted by id.
fn together(level: &mut Cache<Flat>, now: &mut u64, requests: &[Request]) -> Vec<Reply> {
    let mut done = Vec::new();
    for &request in requests {
        level.offer(*now, request).expect("there is room");
    }
    while let Some(at) = level.next_event() {
        *now = at;
        level.advance(at, &mut done);
    }
    done.sort_by_key(|reply| reply.id);
    done
}

fn asked(level: &Cache<Flat>) -> Vec<(AccessKind, u64, u32)> {
    level.next().asked.iter().map(|request| (request.kind, request.address, request.bytes)).collect()
}

use AccessKind::{Atomic, Load, Store};

#[test]
fn what_misses_on_a_line_underway_waits_with_it() {
    let config = HierarchyConfig::fung2009().l1().clone();
    let mut level = cache(&config, of_cores(1));
    let done = together(&mut level, &mut 0, &[load(0, 0, 4), load(1, 60, 4), load(2, 64, 4), load(3, 32, 4)]);
    assert!(done.iter().all(|reply| reply.at == 101 && reply.served == FLAT));
    assert_eq!(asked(&level), [(Load, 0, 64), (Load, 64, 64)]);
    let counted = cache_figures(&level, "l1");
    assert_eq!((counted.misses, counted.pending_hits, counted.hits), (2, 2, 0));
    assert_eq!((counted.miss_rate(), counted.miss_rate_without_pending_hits()), (1.0, 0.5));
}

#[test]
fn sectors_are_fetched_as_they_are_missed() {
    let config = HierarchyConfig::turing().l1().clone();
    let mut level = cache(&config, of_cores(1));
    let mut now = 0;
    together(&mut level, &mut now, &[load(0, 0, 4), load(1, 96, 4), load(2, 4, 4)]);
    assert_eq!(asked(&level), [(Load, 0, 32), (Load, 96, 32)]);
    // The whole line: what lies between is fetched.
    together(&mut level, &mut now, &[load(0, 0, 128)]);
    assert_eq!(asked(&level)[2..], [(Load, 32, 64)]);
    let counted = cache_figures(&level, "l1");
    assert_eq!((counted.misses, counted.pending_hits, counted.hits), (3, 1, 0));
    assert_eq!((counted.load_sectors, counted.load_sector_misses, counted.sectors_read), (7, 4, 4));
    // Sectors that are here are not fetched again, though they lie between some that are not.
    together(&mut level, &mut now, &[load(0, 160, 4)]);
    together(&mut level, &mut now, &[load(0, 128, 128)]);
    assert_eq!(asked(&level)[3..], [(Load, 160, 32), (Load, 128, 32), (Load, 192, 64)]);
    assert_eq!(together(&mut level, &mut now, &[load(0, 128, 128)])[0].served, 0);
}

/// The number of sectors asked for at once is bounded by the queue: then all between the first and the last are fetched.
#[test]
fn runs_of_sectors_fit_into_the_queue() {
    let config =
        CacheConfig { line: 256, bytes: 4096, ways: 4, miss_queue: 2, ..HierarchyConfig::turing().l1().clone() };
    let mut level = cache(&config, of_cores(1));
    let mut now = 0;
    together(&mut level, &mut now, &[load(0, 32, 32)]);
    together(&mut level, &mut now, &[load(0, 96, 32)]);
    together(&mut level, &mut now, &[load(0, 0, 256)]);
    assert_eq!(asked(&level)[2..], [(Load, 0, 256)]);
    assert_eq!(together(&mut level, &mut now, &[load(0, 0, 256)])[0].served, 0);
}

/// Loads, stores, atomics and volatile accesses are told apart; what is written through goes on by sectors.
#[test]
fn sectors_are_counted_by_what_touches_them() {
    let mut level = cache(&HierarchyConfig::turing().l1().clone(), of_cores(1));
    let mut now = 0;
    let volatile = |request: Request| Request { operator: CacheOperator::Volatile, ..request };
    together(&mut level, &mut now, &[load(0, 0, 64)]);
    together(&mut level, &mut now, &[store(0, 32, 64)]);
    together(&mut level, &mut now, &[volatile(load(0, 256, 96)), volatile(store(1, 512, 4))]);
    together(&mut level, &mut now, &[Request { kind: Atomic, ..load(0, 1024, 4) }]);
    let counted = cache_figures(&level, "l1");
    assert_eq!((counted.load_sectors, counted.load_sector_misses), (2, 2));
    assert_eq!((counted.store_sectors, counted.store_sector_misses), (2, 1));
    assert_eq!((counted.volatile_sectors, counted.atomic_sectors), (4, 1));
    assert_eq!((counted.sectors_read, counted.sectors_written), (2 + 3, 2 + 1));
}

/// GPGPU-Sim's configurations of Volta and later: the line stays, stores make lines, and what they do not cover is fetched when
/// it is read.
#[test]
fn a_store_under_write_through_keeps_the_line() {
    let config = HierarchyConfig::turing().l1().clone();
    let mut level = cache(&config, of_cores(1));
    let mut now = 0;
    together(&mut level, &mut now, &[load(0, 0, 4)]);
    let done = together(&mut level, &mut now, &[store(0, 8, 4)]);
    assert_eq!(done[0].served, FLAT, "the next level has it, too");
    assert_eq!(together(&mut level, &mut now, &[load(0, 0, 4)])[0].served, 0);
    // A sector that a store covers is there without a fetch; of others, what is read later is fetched.
    together(&mut level, &mut now, &[store(0, 128, 36)]);
    assert_eq!(together(&mut level, &mut now, &[load(0, 128, 32)])[0].served, 0);
    assert_eq!(together(&mut level, &mut now, &[load(0, 160, 4)])[0].served, FLAT);
    assert_eq!(asked(&level), [(Load, 0, 32), (Store, 8, 4), (Store, 128, 36), (Load, 160, 32)]);
    // A line that is underway comes and stays.
    together(&mut level, &mut now, &[load(0, 256, 4), store(1, 256, 4)]);
    assert_eq!(together(&mut level, &mut now, &[load(0, 256, 4)])[0].served, 0);
    // So it is with memory of threads: nothing is ever dirty.
    together(&mut level, &mut now, &[Request { local: true, ..store(0, 1 << 20, 128) }]);
    assert_eq!(asked(&level).last(), Some(&(Store, 1 << 20, 128)));
    assert_eq!(cache_figures(&level, "l1").write_backs, 0);
}

/// Habermaier 2011, section 4.2: "L1 is never written by global stores".
#[test]
fn a_store_under_write_evict_drops_the_line() {
    let config = HierarchyConfig::fermi().l1().clone();
    let mut level = cache(&config, of_cores(1));
    let mut now = 0;
    together(&mut level, &mut now, &[load(0, 0, 4)]);
    let done = together(&mut level, &mut now, &[store(0, 8, 4)]);
    assert_eq!(done[0].served, FLAT);
    assert_eq!(asked(&level), [(Load, 0, 128), (Store, 8, 4)]);
    assert_eq!(together(&mut level, &mut now, &[load(0, 0, 4)])[0].served, FLAT, "it has to be fetched again");
    // A line that is underway is dropped when it has come.
    together(&mut level, &mut now, &[load(0, 128, 4), store(1, 128, 4)]);
    assert_eq!(together(&mut level, &mut now, &[load(0, 128, 4)])[0].served, FLAT);
    // Local memory is written back.
    let local = |request: Request| Request { local: true, ..request };
    let done = together(&mut level, &mut now, &[local(store(0, 1 << 20, 128))]);
    assert_eq!((done[0].served, asked(&level).len()), (0, 6), "a whole line needs no fetch");
    let done = together(&mut level, &mut now, &[local(load(0, 1 << 20, 4))]);
    assert_eq!(done[0].served, 0);
    assert_eq!(cache_figures(&level, "l1").write_backs, 0);
}

#[test]
fn dirty_sectors_are_written_back_when_their_line_goes() {
    let config = CacheConfig { bytes: 256, ways: 2, ..HierarchyConfig::turing().l2().clone() };
    let mut level = cache(&config, of_all("l2"));
    let mut now = 0;
    // A part of a sector: it is fetched first. A whole sector: not.
    together(&mut level, &mut now, &[store(0, 4, 4)]);
    together(&mut level, &mut now, &[store(0, 64, 32)]);
    assert_eq!(asked(&level), [(Load, 0, 32)]);
    together(&mut level, &mut now, &[load(0, 128, 4)]);
    together(&mut level, &mut now, &[load(0, 256, 4)]);
    assert_eq!(asked(&level)[1..], [(Load, 128, 32), (Store, 0, 64), (Load, 256, 32)]);
    let counted = cache_figures(&level, "l2");
    assert_eq!((counted.write_backs, counted.evictions), (1, 1));
    // An atomic needs what was there.
    together(&mut level, &mut now, &[Request { kind: Atomic, ..load(0, 512, 32) }]);
    assert_eq!(asked(&level)[4..], [(Load, 512, 32)]);
}

#[test]
fn operators_say_which_caches_are_used() {
    let config = HierarchyConfig::fermi().l1().clone();
    let mut level = cache(&config, of_cores(1));
    let mut now = 0;
    let with = |operator, request: Request| Request { operator, ..request };
    use CacheOperator::{Global, Streaming, Volatile, WriteThrough};
    for operator in [Global, Volatile] {
        for _ in 0..2 {
            let done = together(&mut level, &mut now, &[with(operator, load(0, 32, 32))]);
            assert_eq!(done[0].served, FLAT, "{operator:?}");
        }
    }
    assert_eq!(asked(&level), [(Load, 32, 32); 4], "only what is needed");
    // Atomics are done behind the first level, which forgets the line.
    together(&mut level, &mut now, &[load(0, 0, 4)]);
    together(&mut level, &mut now, &[Request { kind: Atomic, ..load(0, 0, 4) }]);
    assert_eq!(together(&mut level, &mut now, &[load(0, 0, 4)])[0].served, FLAT);
    // What is dirty there is written back first.
    for request in [Request { kind: Atomic, ..load(0, 4, 4) }, with(Volatile, load(0, 4, 4))] {
        let mut level = cache(&small(2, 1, Replacement::Lru), of_cores(1));
        together(&mut level, &mut now, &[store(0, 0, 64)]);
        together(&mut level, &mut now, &[request]);
        assert_eq!(asked(&level), [(Store, 0, 64), (request.kind, 4, 4)]);
        // A line that is still coming for a store has to come first.
        together(&mut level, &mut now, &[store(0, 128, 4), Request { address: 132, ..request }]);
        assert_eq!(asked(&level)[2..], [(Load, 128, 64), (Store, 128, 64), (request.kind, 132, 4)]);
    }
    // At the second, a store that goes through is also passed on.
    let mut second = cache(&HierarchyConfig::fermi().l2().clone(), of_all("l2"));
    together(&mut second, &mut now, &[with(WriteThrough, store(0, 0, 32))]);
    assert_eq!(asked(&second), [(Store, 0, 32)]);
    // A line that streams is the first to go, though it was used last.
    let mut level = cache(&small(2, 1, Replacement::Lru), of_cores(1));
    together(&mut level, &mut now, &[load(0, 0, 4)]);
    together(&mut level, &mut now, &[with(Streaming, load(0, 64, 4))]);
    together(&mut level, &mut now, &[load(0, 128, 4)]);
    assert_eq!(together(&mut level, &mut now, &[load(0, 0, 4)])[0].served, 0);
    assert_eq!(together(&mut level, &mut now, &[load(0, 64, 4)])[0].served, FLAT);
}

/// With one port a lookup a cycle; an atomic holds it for longer.
#[test]
fn ports_limit_lookups() {
    let config = CacheConfig { atomic_cycles: 5, ..HierarchyConfig::fermi().l2().clone() };
    let mut level = cache(&config, of_all("l2"));
    let mut now = 0;
    together(&mut level, &mut now, &[load(0, 0, 4)]);
    let from = now;
    let requests = [load(0, 0, 4), load(1, 4, 4), Request { kind: Atomic, ..load(2, 8, 4) }, load(3, 0, 4)];
    let at: Vec<u64> = together(&mut level, &mut now, &requests).iter().map(|reply| reply.at - from).collect();
    assert_eq!(at, [120, 121, 122, 127]);
    let config = CacheConfig { ports: 2, ..config };
    let mut level = cache(&config, of_all("l2"));
    now = 0;
    together(&mut level, &mut now, &[load(0, 0, 4)]);
    let from = now;
    let requests: Vec<Request> = (0..5).map(|id| load(id, 0, 4)).collect();
    let at: Vec<u64> = together(&mut level, &mut now, &requests).iter().map(|reply| reply.at - from).collect();
    assert_eq!(at, [120, 120, 121, 121, 122]);
}
