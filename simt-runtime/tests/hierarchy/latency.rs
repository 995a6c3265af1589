//! Pointer chasing: each load is made when the last has been answered, and takes exactly what is configured.

use super::load;
use super::parts::Parts;
use simt_runtime::hierarchy::{HierarchyConfig, Level};
use simt_testing::{serve_alone, whole_hierarchy};

const MACHINES: [fn() -> HierarchyConfig; 5] = [
    HierarchyConfig::fung2009,
    HierarchyConfig::fermi,
    HierarchyConfig::turing,
    HierarchyConfig::volta,
    HierarchyConfig::ampere,
];

#[test]
fn the_first_level_takes_its_hit_latency() {
    for (machine, latency) in MACHINES.iter().zip([10, 35, 32, 20, 39]) {
        let config = machine();
        let mut level = whole_hierarchy(&config, 2);
        let mut now = 0;
        serve_alone(&mut level, &mut now, load(0, 4096, 4));
        for step in 0..32 {
            now += step;
            let found = serve_alone(&mut level, &mut now, load(0, 4096 + step % 8 * 4, 4));
            assert_eq!(found, (latency, config.at("l1")));
            assert_eq!(config.unloaded_latency("l1", 4), Some(latency));
        }
    }
}

/// A ring larger than the first level and smaller than the second: from its second round on all is found there.
#[test]
fn the_second_level_takes_what_lies_between_it_and_the_core() {
    // A miss leaves after 1, from Volta on after the latency of a hit; the request takes 8 or 4, one flit; the slice its own;
    // the reply as the request and a cycle for each further flit: Fermi's line and header are 136 bytes, two flits; a sector
    // and its header 40, one.
    let latencies = [1 + 8 + 120 + 9, 32 + 4 + 194 + 4, 20 + 4 + 160 + 4, 39 + 4 + 187 + 4];
    for (machine, latency) in MACHINES[1..].iter().zip(latencies) {
        let config = machine();
        let mut level = whole_hierarchy(&config, 1);
        let lines = 2 * config.l1().bytes / u64::from(config.l1().line);
        let mut now = 0;
        for round in 0..2 {
            for line in 0..lines {
                let found = serve_alone(&mut level, &mut now, load(0, line * u64::from(config.l1().line), 4));
                if round == 1 {
                    assert_eq!(found, (latency, config.at("l2")));
                    assert_eq!(config.unloaded_latency("l2", 4), Some(latency));
                }
            }
        }
    }
}

#[test]
fn memory_takes_all_levels_and_its_commands() {
    // TACO'09: 1 until the miss leaves, 4 of the crossbar, 1 until the controller sees it, tRCD 12, tCL 9, 64 bytes at 8 a
    // cycle, and back 4 and two more for 72 bytes in flits of 32.
    assert_eq!(HierarchyConfig::fung2009().unloaded_latency("dram", 4), Some(1 + 4 + 1 + 12 + 9 + 8 + 6));
    for machine in MACHINES {
        let config = machine();
        let mut level = whole_hierarchy(&config, 1);
        let row = u64::from(config.module().row) * u64::from(config.partitions());
        let mut now = 0u64;
        for bank in 0..u64::from(config.module().banks) {
            // Each in a bank whose rows are closed, in a cycle in which both clocks begin together.
            now = now.next_multiple_of(u64::from(config.module().core_clock));
            let found = serve_alone(&mut level, &mut now, load(0, bank * row, 4));
            assert_eq!(
                (Some(found.0), found.1),
                (config.unloaded_latency("dram", 4), config.at("dram")),
                "bank {bank}"
            );
        }
    }
}

#[test]
fn an_open_row_saves_the_activate_and_another_row_costs_a_precharge() {
    let config = HierarchyConfig::fung2009();
    let mut level = whole_hierarchy(&config, 1);
    let latency = config.unloaded_latency("dram", 4).expect("memory answers");
    let bank = u64::from(config.module().row * config.partitions() * config.module().banks);
    let mut now = 0;
    assert_eq!(serve_alone(&mut level, &mut now, load(0, 0, 4)).0, latency);
    assert_eq!(serve_alone(&mut level, &mut now, load(0, 64, 4)).0, latency - 12, "tRCD");
    assert_eq!(serve_alone(&mut level, &mut now, load(0, bank, 4)).0, latency + 13, "tRP");
    level.flush();
    now = 0;
    assert_eq!(serve_alone(&mut level, &mut now, load(0, 0, 4)).0, latency, "after a flush rows are closed");
}

/// Requests that bypass missing caches take no time there.
#[test]
fn a_machine_without_caches_is_crossbar_and_memory() {
    let mut config = HierarchyConfig::fung2009();
    config.remove("l1");
    assert_eq!(config.problem(), None);
    let mut level = whole_hierarchy(&config, 1);
    let mut now = 0;
    // 4 bytes are one cycle of the bus and one flit.
    assert_eq!(serve_alone(&mut level, &mut now, load(0, 0, 4)), (4 + 1 + 12 + 9 + 1 + 4, config.at("dram")));
    assert_eq!(config.unloaded_latency("dram", 4), Some(31));
}
