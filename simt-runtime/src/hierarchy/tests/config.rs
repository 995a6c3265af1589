//! Configs that cannot work are refused with the field's name; those of the machines have the numbers of their sources.

use super::super::Coalescing;
use super::super::config::{HierarchyConfig, NamedLevel};
use super::super::level::{AccessKind, CacheOperator};
use super::parts::Parts;

#[test]
fn the_machines_can_work_and_have_their_sources_numbers() {
    let [fung, fermi, turing] = [HierarchyConfig::fung2009(), HierarchyConfig::fermi(), HierarchyConfig::turing()];
    let [volta, ampere] = [HierarchyConfig::volta(), HierarchyConfig::ampere()];
    for config in [&fung, &fermi, &turing, &volta, &ampere] {
        assert_eq!(config.problem(), None);
    }
    // TACO'09, Table I: 8 bytes a cycle at 650 MHz are 5.2 GB/s.
    assert_eq!(u64::from(fung.module().bus) * 650, 5200);
    assert_eq!((fung.l1().bytes, fung.l1().ways, fung.l1().hit_latency), (512 << 10, 8, 10));
    assert!(fung.cache("l2").is_none());
    // Habermaier 2011, section 3.2; Hanoi, Table III.
    assert_eq!((fermi.l1().bytes, fermi.l2().bytes * u64::from(fermi.partitions())), (16 << 10, 768 << 10));
    assert_eq!(turing.l2().bytes * u64::from(turing.partitions()), 3 << 20);
    // The products' memories: 6 MB and 870 GB/s at 850 MHz (HBM2), 4 MB and 448 GB/s (GDDR6).
    let gigabytes = |config: &HierarchyConfig| config.peak_bandwidth() * f64::from(config.module().core_clock) / 1000.0;
    assert_eq!((volta.l2().bytes * u64::from(volta.partitions()), gigabytes(&volta).round()), (6 << 20, 870.0));
    assert_eq!((ampere.l2().bytes * u64::from(ampere.partitions()), gigabytes(&ampere).round()), (4 << 20, 448.0));
    // Jia et al. 2018: a hit in the V100's second level takes 193 cycles, the 5 of the cores' pipeline included.
    assert_eq!(volta.unloaded_latency("l2", 4).map(|cycles| 5 + cycles), Some(193));
}

#[test]
fn each_bad_value_names_its_field() {
    type Spoil = fn(&mut HierarchyConfig);
    let bad: [(&str, Spoil); 42] = [
        ("coalescing", |config| config.coalescing = Coalescing::Lines { line: 256 }),
        ("coalescing", |config| config.coalescing = Coalescing::Sectors { sector: 24, line: 128 }),
        ("coalescing_past", |config| config.coalescing_past = Coalescing::Sectors { sector: 128, line: 64 }),
        ("crossbar.partitions", |config| config.joined_mut().partitions = 0),
        ("crossbar.partitions", |config| config.joined_mut().partitions = 129),
        ("crossbar.interleave", |config| config.joined_mut().interleave = 0),
        ("crossbar.interleave", |config| config.joined_mut().interleave = 64),
        ("l1.bytes", |config| config.l1_mut().bytes += 1),
        ("l1.ways", |config| config.l1_mut().ways = 0),
        ("l1.line", |config| config.l1_mut().line = 96),
        ("l1.line", |config| (config.l1_mut().line, config.l1_mut().bytes) = (256, 256 * 64)),
        ("l1.sector", |config| config.l1_mut().sector = 256),
        ("l1.sector", |config| config.l1_mut().sector = 2),
        ("l1.hit_latency", |config| config.l1_mut().hit_latency = 0),
        ("l2.miss_latency", |config| config.l2_mut().miss_latency = 0),
        ("l1.ports", |config| config.l1_mut().ports = 0),
        ("l2.atomic_cycles", |config| config.l2_mut().atomic_cycles = 0),
        ("l1.mshrs", |config| config.l1_mut().mshrs = 0),
        ("l1.mshrs", |config| config.l1_mut().mshrs = 1 << 15),
        ("l1.merges", |config| config.l1_mut().merges = 0),
        ("l1.passes", |config| config.l1_mut().passes = 0),
        ("l1.queue", |config| config.l1_mut().queue = 0),
        ("l2.miss_queue", |config| config.l2_mut().miss_queue = 1),
        ("l2.bytes", |config| config.l2_mut().bytes = 1 << 40),
        ("crossbar.latency", |config| config.joined_mut().latency = 0),
        ("crossbar.flit", |config| config.joined_mut().flit = 0),
        ("crossbar.header", |config| config.joined_mut().header = 0),
        ("crossbar.queue", |config| config.joined_mut().queue = 0),
        ("crossbar.output_queue", |config| config.joined_mut().output_queue = 0),
        ("crossbar.replies", |config| config.joined_mut().replies = 0),
        ("dram.queue", |config| config.module_mut().queue = 0),
        ("dram.banks", |config| config.module_mut().banks = 0),
        ("dram.banks", |config| config.module_mut().banks = 65),
        ("dram.row", |config| config.module_mut().row = 3000),
        ("dram.row", |config| config.module_mut().row = 64),
        ("dram.bus", |config| config.module_mut().bus = 0),
        ("dram.clock", |config| config.module_mut().clock = 0),
        ("dram.core_clock", |config| config.module_mut().core_clock = 0),
        ("dram.t_cl", |config| config.module_mut().t_cl = u32::MAX),
        ("dram.t_rc", |config| config.module_mut().t_rc = u32::MAX),
        ("dram.turnaround", |config| config.module_mut().turnaround = u32::MAX),
        ("dram.latency", |config| config.module_mut().latency = u32::MAX),
    ];
    for (field, spoil) in bad {
        let mut config = HierarchyConfig::fermi();
        spoil(&mut config);
        assert_eq!(config.problem().map(|problem| problem.0), Some(field.into()));
    }
    let mut config = HierarchyConfig::fermi();
    config.remove("l1");
    config.remove("l2");
    assert_eq!(config.problem(), None, "caches can be left out");
}

/// A list is caches, one crossbar, caches and a memory module, whose names are those of fields.
#[test]
fn each_bad_list_is_refused() {
    type Spoil = fn(&mut HierarchyConfig);
    let bad: [(&str, Spoil); 13] = [
        ("levels", |config| config.levels.clear()),
        ("levels", |config| config.levels.reverse()),
        ("levels", |config| drop(config.remove("dram"))),
        ("levels", |config| drop(config.remove("crossbar"))),
        ("levels", |config| config.levels.push(NamedLevel::new("l3", config.l2().clone()))),
        ("levels", |config| config.levels.push(NamedLevel::new("more", config.module().clone()))),
        ("levels", |config| config.insert_before("l1", NamedLevel::new("more", config.joined().clone()))),
        ("levels", |config| {
            for number in 0..20 {
                config.insert_before("l1", NamedLevel::new(format!("l1-{number}"), config.l1().clone()));
            }
        }),
        ("levels[1]", |config| config.levels[1].name.clear()),
        ("levels[2]", |config| config.levels[2].name = "the second".into()),
        ("levels[2]", |config| config.levels[2].name = "l2.ways".into()),
        ("levels[3]", |config| config.levels[3].name = "l1".into()),
        ("big.bytes", |config| {
            config.levels[0].name = "big".into();
            config.cache_mut("big").expect("it was there").bytes = 0;
        }),
    ];
    for (field, spoil) in bad {
        let mut config = HierarchyConfig::fermi();
        spoil(&mut config);
        assert_eq!(config.problem().map(|problem| problem.0), Some(field.into()));
    }
}

#[test]
fn the_front_is_the_first_cache_of_a_core() {
    let mut config = HierarchyConfig::fermi();
    assert_eq!(config.front(), config.cache("l1"));
    config.remove("l1");
    // The second level stands behind the crossbar.
    assert!(config.front().is_none() && config.front_mut().is_none());
}

/// Fermi makes transactions of lines of what its first level keeps and of sectors of all else (Habermaier 2011, section 4.7).
#[test]
fn transactions_are_of_the_level_that_they_go_to() {
    let config = HierarchyConfig::fermi();
    let of = |kind, operator, local| config.coalescing(kind, operator, local);
    let (lines, sectors) = (Coalescing::Lines { line: 128 }, Coalescing::Sectors { sector: 32, line: 128 });
    assert_eq!(of(AccessKind::Load, CacheOperator::Cached, false), lines);
    assert_eq!(of(AccessKind::Load, CacheOperator::Global, false), sectors);
    assert_eq!(of(AccessKind::Load, CacheOperator::Volatile, false), sectors);
    assert_eq!(of(AccessKind::Store, CacheOperator::Cached, false), sectors);
    assert_eq!(of(AccessKind::Store, CacheOperator::Cached, true), lines);
    assert_eq!(of(AccessKind::Atomic, CacheOperator::Cached, false), sectors);
}
