//! Machines as text: what is written can be read again, with all fields of the clock, and what is no field is named.

mod based;

use simt_runtime::hierarchy::{HierarchyConfig, HierarchyFigures, NamedLevel};
use simt_runtime::{
    CacheFigures, CrossbarFigures, DramFigures, GpuConfig, InFlight, MemoryTiming, OpTiming, Replacement,
    WarpScheduling, WritePolicy,
};

fn machines() -> [GpuConfig; 5] {
    [GpuConfig::fung2009(), GpuConfig::fermi(), GpuConfig::volta(), GpuConfig::turing(), GpuConfig::ampere()]
}

fn text(config: &GpuConfig) -> String {
    config.to_toml().unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_machines_are_read_as_they_were_written() {
    for config in machines() {
        let text = text(&config);
        assert_eq!(GpuConfig::from_toml(&text).unwrap_or_else(|error| panic!("{error}\n{text}")), config);
    }
}

/// Fields of every kind: numbers, choices, options, tables in tables.
#[test]
fn changed_fields_stay_changed() {
    type Change = fn(&mut simt_runtime::ClockConfig);
    let changes: [Change; 14] = [
        |clock| clock.cores = 3,
        |clock| clock.scheduling = WarpScheduling::TwoLevel,
        |clock| clock.in_flight = InFlight::OneInstruction,
        |clock| clock.timings.special = OpTiming { latency: 99, interval: 17 },
        |clock| clock.shared_banks = 8,
        |clock| clock.cycle_limit = 12_345,
        |clock| clock.sample = Some(777),
        |clock| clock.pipeline = 6,
        |clock| clock.launch_latency = 99,
        |clock| clock.unified = None,
        |clock| {
            if let MemoryTiming::Hierarchy(memory) = &mut clock.memory {
                memory.copied = !memory.copied;
                memory.cache_mut("l1").expect("it has a first level").write = WritePolicy::WriteEvict;
            }
        },
        |clock| clock.memory = MemoryTiming::Ideal { latency: 123 },
        |clock| {
            if let MemoryTiming::Hierarchy(memory) = &mut clock.memory {
                memory.cache_mut("l1").expect("it has a first level").replacement = Replacement::Random { seed: 9 };
            }
        },
        |clock| {
            if let MemoryTiming::Hierarchy(memory) = &mut clock.memory {
                memory.dram_mut().expect("it has memory").t_rcd = 77;
            }
        },
    ];
    for machine in machines() {
        for change in changes {
            let mut config = machine.clone();
            change(config.clock.as_mut().expect("the machine has a clock"));
            let text = text(&config);
            assert_eq!(GpuConfig::from_toml(&text).unwrap_or_else(|error| panic!("{error}\n{text}")), config);
        }
        // A field that is changed in the text is changed in the machine.
        let text = text(&machine);
        let other = text.replacen("\ncores = ", "\ncores = 1", 1);
        let read = GpuConfig::from_toml(&other).unwrap_or_else(|error| panic!("{error}\n{other}"));
        let cores = |config: &GpuConfig| config.clock.as_ref().map(|clock| clock.cores.to_string());
        assert_eq!(cores(&read), cores(&machine).map(|cores| format!("1{cores}")));
    }
}

/// Each line of the text with another name: the error says which.
#[test]
fn a_field_that_is_none_is_named() {
    for machine in machines() {
        let text = text(&machine);
        let lines: Vec<&str> = text.lines().collect();
        let clock = lines.iter().position(|line| line.starts_with("[clock")).expect("there is a clock");
        let mut renamed = 0;
        for (number, line) in lines.iter().enumerate().skip(clock) {
            let Some((field, value)) = line.split_once(" = ") else { continue };
            let mut other = lines.clone();
            let wrong = format!("x{field} = {value}");
            other[number] = &wrong;
            let error = GpuConfig::from_toml(&other.join("\n")).expect_err(&wrong).to_string();
            assert!(error.contains(&format!("x{field}")) || error.contains(field), "{wrong}: {error}");
            renamed += 1;
        }
        assert!(renamed > 60, "{renamed} fields");
    }
}

/// A level is a table of the list, with its name, its kind and its sizes; there can be more than the machines have.
#[test]
fn levels_are_a_list_of_tables() {
    let mut config = GpuConfig::turing();
    let memory = hierarchy(&mut config);
    let l3 = memory.cache("l2").cloned().expect("it has a second level");
    memory.insert_before("dram", NamedLevel::new("l3", l3));
    memory.cache_mut("l3").expect("it is there").replacement = Replacement::Random { seed: 5 };
    let text = text(&config);
    let levels: Vec<&str> = text.split("[[clock.memory.hierarchy.levels]]\n").skip(1).collect();
    let heads = levels.iter().map(|level| level.lines().take(2).collect::<Vec<_>>().join(", "));
    let kinds = [("l1", "cache"), ("crossbar", "crossbar"), ("l2", "cache"), ("l3", "cache"), ("dram", "dram")];
    assert!(heads.eq(kinds.map(|(name, kind)| format!("name = \"{name}\", kind = \"{kind}\""))), "{text}");
    assert_eq!(GpuConfig::from_toml(&text).unwrap_or_else(|error| panic!("{error}\n{text}")), config);
    // A level less is a table less.
    let without = text.replace(&format!("[[clock.memory.hierarchy.levels]]\n{}", levels[2]), "");
    hierarchy(&mut config).remove("l2");
    assert_eq!(GpuConfig::from_toml(&without).unwrap_or_else(|error| panic!("{error}\n{without}")), config);
    assert_eq!(config.validate(), Ok(()));
    // What is wrong is named by the level.
    let wrong = text.replace("name = \"l3\"\nkind = \"cache\"", "name = \"l3\"\nkind = \"cash\"");
    let error = GpuConfig::from_toml(&wrong).expect_err("no such kind").to_string();
    assert!(error.contains("cash") && error.contains("`cache`, `crossbar`, `dram`"), "{error}");
    hierarchy(&mut config).cache_mut("l3").expect("it is there").ways = 0;
    let error = config.validate().expect_err("no ways").to_string();
    assert_eq!(error, "`l3.ways` is 0: it must be at least 1");
}

fn hierarchy(config: &mut GpuConfig) -> &mut HierarchyConfig {
    match config.clock.as_mut().map(|clock| &mut clock.memory) {
        Some(MemoryTiming::Hierarchy(hierarchy)) => hierarchy,
        _ => panic!("the machine has a hierarchy"),
    }
}

#[test]
fn figures_are_read_as_they_were_written() {
    let mut figures = HierarchyFigures::default();
    figures.add("l1", CacheFigures { hits: 3, accesses: 5, ..CacheFigures::default() });
    figures.add("crossbar", CrossbarFigures { requests: 2, ..CrossbarFigures::default() });
    figures.add("dram", DramFigures { bytes: 64, ..DramFigures::default() });
    figures.add("l1", CacheFigures { hits: 4, ..CacheFigures::default() });
    assert_eq!(figures.cache("l1").map(|l1| (l1.hits, l1.accesses)), Some((7, 5)));
    let text = toml::to_string(&figures).expect("figures are data");
    assert!(text.starts_with("[[levels]]\nname = \"l1\"\nkind = \"cache\"\n"), "{text}");
    assert_eq!(toml::from_str::<HierarchyFigures>(&text).expect("and can be read"), figures);
    // Of two launches the first is taken away by name.
    let mut later = figures.clone();
    later.add("dram", DramFigures { bytes: 8, ..DramFigures::default() });
    let since = later.since(&figures);
    assert_eq!(since.dram().map(|dram| dram.bytes), Some(8));
    assert_eq!(since.cache("l1"), Some(&CacheFigures::default()));
}
