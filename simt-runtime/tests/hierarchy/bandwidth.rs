//! Many requests at once: the bandwidth of a hierarchy, and how occupancy, latency and throughput belong together.

use super::parts::Parts;
use super::{dram_figures, load};
use simt_runtime::hierarchy::{AccessKind, Cycle, HierarchyConfig, Level, MemoryOrder, Request};
use simt_testing::{Random, whole_hierarchy};

/// The measurements of a crowd.
struct Crowd {
    /// Cycles until all requests were answered.
    cycles: Cycle,
    /// Cycles from offer to reply, summed over requests.
    waited: u64,
    /// Requests underway, summed over cycles.
    underway: u64,
}

/// Keeps `each` requests of each core underway until `count` are answered. `request` says what the n-th of a core is.
fn crowd<L: Level>(
    level: &mut L,
    (cores, each): (u64, u64),
    count: u64,
    mut request: impl FnMut(u64, u64) -> Request,
) -> Crowd {
    let mut offered: Vec<(usize, Cycle)> = vec![(0, 0); count as usize];
    let mut next: Vec<(u64, Option<Request>)> = vec![(0, None); cores as usize];
    let mut held = vec![0u64; cores as usize];
    let (mut sent, mut answered, mut now, mut done) = (0u64, 0, 0, Vec::new());
    let (mut waited, mut underway) = (0, 0);
    loop {
        level.advance(now, &mut done);
        for reply in done.drain(..) {
            let (core, at) = offered[reply.id as usize];
            held[core] -= 1;
            waited += reply.at - at;
            answered += 1;
        }
        for core in 0..cores as usize {
            while held[core] < each && (sent < count || next[core].1.is_some()) {
                let (number, waiting) = &mut next[core];
                let wanted = waiting.take().unwrap_or_else(|| {
                    sent += 1;
                    *number += 1;
                    Request { id: sent - 1, core: core as u16, ..request(core as u64, *number - 1) }
                });
                if level.offer(now, wanted).is_err() {
                    *waiting = Some(wanted);
                    break;
                }
                offered[wanted.id as usize] = (core, now);
                held[core] += 1;
            }
        }
        if answered == count {
            return Crowd { cycles: now, waited, underway };
        }
        let event = level.next_event().expect("something happens");
        underway += held.iter().sum::<u64>() * (event - now);
        now = event;
    }
}

fn machines() -> [(HierarchyConfig, u64); 3] {
    [(HierarchyConfig::fung2009(), 16), (HierarchyConfig::fermi(), 15), (HierarchyConfig::turing(), 30)]
}

#[test]
fn streaming_reaches_nine_tenths_of_the_peak() {
    for (config, cores) in machines() {
        for kind in [AccessKind::Load, AccessKind::Store] {
            let mut level = whole_hierarchy(&config, cores as usize);
            let line = u64::from(config.l1().line);
            let count = 200_000;
            let found = crowd(&mut level, (cores, 48), count, |core, number| Request {
                kind,
                ..load(0, (number * cores + core) * line, line as u32)
            });
            let counted = dram_figures(&level);
            let bytes = counted.bytes;
            // Stores end in the second level, if there is one: what memory sees of them are the lines that went.
            assert!(bytes * 10 > count * line * 3, "{kind:?}: {bytes}");
            let reached = bytes as f64 / found.cycles as f64 / config.peak_bandwidth();
            // All transfers fill the bus.
            assert!((config.bandwidth_utilisation(&counted, found.cycles) - reached).abs() < 1e-9);
            let bound = if kind == AccessKind::Load { 0.9 } else { 0.8 };
            assert!(reached > bound && reached <= 1.0, "{kind:?} with {} partitions: {reached}", config.partitions());
        }
    }
}

/// One module behind a crossbar, and each request wants a row of its own. A bank can be opened every tRC (34 cycles), any bank every tRRD (8): of `b` banks
/// one every `max(34 / b, 8)`.
#[test]
fn random_rows_are_bound_by_activates() {
    for (banks, cycles) in [(1, 34.0), (2, 17.0), (4, 8.5), (8, 8.0)] {
        for order in [MemoryOrder::FrFcfs, MemoryOrder::Fcfs] {
            let mut config = HierarchyConfig::fung2009();
            config.remove("l1");
            (config.module_mut().order, config.joined_mut().partitions) = (order, 1);
            let mut level = whole_hierarchy(&config, 1);
            let count = 2000;
            let found = crowd(&mut level, (1, 32), count, |_, number| load(0, (number * 8 + number % banks) * 2048, 8));
            let counted = dram_figures(&level);
            assert_eq!((counted.row_hits, counted.activates), (0, count));
            let each = found.cycles as f64 / count as f64;
            if order == MemoryOrder::FrFcfs {
                assert!((each - cycles).abs() < 0.05, "{banks} banks: {each}");
            } else {
                // One after the other, each waits for its own activate at least.
                assert!(each > cycles - 0.05 && each > 12.0, "{banks} banks: {each}");
            }
        }
    }
}

/// Random loads of one sector over all of Fermi's memory: each opens a row, one every tRRD of 6 memory cycles in each of 6
/// modules. Banks clash by chance, so that it comes near the bound and not above.
#[test]
fn random_loads_come_near_the_row_miss_bound() {
    let mut config = HierarchyConfig::fermi();
    config.l1_mut().sector = 32;
    let mut level = whole_hierarchy(&config, 15);
    let mut numbers = Random::new(5);
    let count = 30_000;
    let found = crowd(&mut level, (15, 60), count, |_, _| load(0, numbers.below(1 << 32) as u64 * 32, 4));
    let counted = dram_figures(&level);
    assert!(counted.row_hit_rate() < 0.01 && counted.reads * 100 > count * 99);
    let bound = 6.0 / 6.0 * 924.0 / 700.0;
    let reached = count as f64 / found.cycles as f64;
    assert!(reached > 0.85 * bound && reached <= bound, "{reached} of {bound} loads a cycle");
}

/// Occupancy = latency * throughput: with few underway, throughput follows from the latency of a lone load; with many, the
/// latency from the peak.
#[test]
fn littles_law_holds() {
    let config = HierarchyConfig::fung2009();
    let near = |a: f64, b: f64| (a / b - 1.0).abs() < 0.05;
    let mut numbers = Random::new(3);
    // Random rows, almost all in banks with another row open: tRP more than of closed ones.
    let alone = (config.unloaded_latency("dram", 4).expect("memory answers") + 13) as f64;
    for each in [1u64, 2, 4] {
        let mut level = whole_hierarchy(&config, 1);
        let found = crowd(&mut level, (1, each), 20_000, |_, _| load(0, numbers.below(1 << 28) as u64 * 64, 4));
        let throughput = 20_000.0 / found.cycles as f64;
        let (latency, occupancy) = (found.waited as f64 / 20_000.0, found.underway as f64 / found.cycles as f64);
        assert!(near(occupancy, latency * throughput), "{occupancy} {latency} {throughput}");
        assert!(near(occupancy, each as f64));
        assert!(each > 1 || near(latency, alone), "{latency} {alone}");
        assert!(near(throughput, each as f64 / latency));
    }
    // Eight modules of 8 bytes a cycle carry a line of 64 bytes a cycle: of 512 underway each takes 512 cycles.
    let mut level = whole_hierarchy(&config, 16);
    let found = crowd(&mut level, (16, 32), 100_000, |_, _| load(0, numbers.below(1 << 28) as u64 * 64, 4));
    let (latency, occupancy) = (found.waited as f64 / 100_000.0, found.underway as f64 / found.cycles as f64);
    assert!(near(found.cycles as f64, 100_000.0), "{}", found.cycles);
    assert!(near(latency, 512.0) && near(occupancy, 512.0), "{latency} {occupancy}");
}

/// All cores ask one partition: each gets the same share of it.
#[test]
fn arbitration_is_fair() {
    let config = HierarchyConfig::fermi();
    let mut level = whole_hierarchy(&config, 15);
    let mut served = vec![0u64; 15];
    let block = u64::from(config.joined().interleave * config.partitions());
    // Lines of the first partition's slice; what a core asks for, it asks for anew.
    crowd(&mut level, (15, 8), 15_000, |core, number| {
        served[core as usize] += 1;
        load(0, (number % 50 * 15 + core) * block, 4)
    });
    assert!(served.iter().all(|&served| (950..=1050).contains(&served)), "{served:?}");
}

/// Partitions take turns by address: a stride of all partitions' blocks finds one of them, and a fraction of the bandwidth.
#[test]
fn a_stride_that_finds_one_partition_gets_its_share_only() {
    let (config, cores) = (HierarchyConfig::turing(), 30);
    let cycles = |stride: u64| {
        let mut level = whole_hierarchy(&config, cores as usize);
        crowd(&mut level, (cores, 128), 80_000, |core, number| load(0, (number * cores + core) * stride, 4)).cycles
            as f64
    };
    let ratio = cycles(256 * 12) / cycles(256);
    assert!((11.0..13.5).contains(&ratio), "{ratio}");
}
