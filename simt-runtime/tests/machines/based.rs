//! Machines as text that begin with another machine and say what differs.

use simt_runtime::hierarchy::HierarchyConfig;
use simt_runtime::{ClockConfig, GpuConfig, MACHINES, MemoryTiming, NamedMachine, Replacement};

fn read(text: &str) -> GpuConfig {
    GpuConfig::from_toml(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn refused(text: &str) -> String {
    GpuConfig::from_toml(text).expect_err(text).to_string().trim_end().to_string()
}

#[test]
fn a_base_alone_is_the_machine_and_so_is_what_is_written_of_it() {
    for NamedMachine { name, config, .. } in MACHINES {
        for base in [name.to_string(), name.to_uppercase()] {
            assert_eq!(read(&format!("base = \"{base}\"")), config(), "{base}");
        }
        let text = config().to_toml().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(read(&text), config(), "{name}");
    }
    // All of a machine of the same parts goes over all of the base.
    for config in [GpuConfig::volta(), GpuConfig::ampere()] {
        let text = config.to_toml().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(read(&format!("base = \"turing\"\n{text}")), config);
    }
}

/// Turing with another clock.
fn turing(change: impl FnOnce(&mut ClockConfig)) -> GpuConfig {
    let mut config = GpuConfig::turing();
    change(config.clock.as_mut().expect("Turing has a clock"));
    config
}

fn hierarchy(clock: &mut ClockConfig) -> &mut HierarchyConfig {
    match &mut clock.memory {
        MemoryTiming::Hierarchy(hierarchy) => hierarchy,
        MemoryTiming::Ideal { .. } => panic!("Turing has a hierarchy"),
    }
}

#[test]
fn fields_differ_and_all_others_stay() {
    type Change = fn(&mut ClockConfig);
    let cases: [(&str, Change); 8] = [
        ("[clock]\ncores = 4", |clock| clock.cores = 4),
        ("clock.timings.special.latency = 99", |clock| clock.timings.special.latency = 99),
        ("[clock.unified]\nshared = [65536]", |clock| {
            clock.unified.as_mut().expect("it has one array").shared = vec![65536];
        }),
        ("[clock.memory.hierarchy]\ncopied = false", |clock| hierarchy(clock).copied = false),
        // Two kinds of one part.
        ("[clock.memory.ideal]\nlatency = 7", |clock| clock.memory = MemoryTiming::Ideal { latency: 7 }),
        ("[[clock.memory.hierarchy.levels]]\nname = \"l2\"\nways = 8", |clock| {
            hierarchy(clock).cache_mut("l2").expect("it has a second level").ways = 8;
        }),
        (
            "[[clock.memory.hierarchy.levels]]\nname = \"dram\"\nt_rcd = 77\n\
             [[clock.memory.hierarchy.levels]]\nname = \"l1\"\nkind = \"cache\"\nreplacement = { random = { seed = 9 } }",
            |clock| {
                hierarchy(clock).dram_mut().expect("it has memory").t_rcd = 77;
                hierarchy(clock).cache_mut("l1").expect("it has a first level").replacement =
                    Replacement::Random { seed: 9 };
            },
        ),
        // A table in which nothing differs.
        ("[clock]", |_| ()),
    ];
    for (text, change) in cases {
        assert_eq!(read(&format!("base = \"turing\"\n{text}")), turing(change), "{text}");
    }
    let config = read("base = \"turing\"\nwarp_width = 16\nwork_limit = 9\n[dwf]\nswizzle = true");
    let mut expected = GpuConfig { warp_width: 16, work_limit: Some(9), ..GpuConfig::turing() };
    expected.dwf.swizzle = true;
    assert_eq!(config, expected);
}

#[test]
fn what_is_wrong_is_named() {
    let names = "functional, fung2009, fermi, volta, turing, ampere";
    assert_eq!(refused("base = \"hopper\""), format!("`base` is \"hopper\": it must be one of {names}"));
    assert_eq!(refused("base = 7"), format!("`base` is 7: it must be one of {names}"));
    for (text, parts) in [
        ("warp_widht = 8", ["unknown field `warp_widht`", "`warp_width`"]),
        ("[clock]\ncoers = 4", ["unknown field `coers`", "in `clock`"]),
        ("[clock]\ncores = \"four\"", ["invalid type: string \"four\"", "in `clock.cores`"]),
        ("[clock.memory.ideal]\nlate = 7", ["unknown field `late`", "`latency`"]),
        ("[clock.memory]\nideal = { latency = 7 }\nhierarchy = {}", ["memory", ""]),
        ("clock.memory.hierarchy.levels = []", ["", ""]),
        (
            "[[clock.memory.hierarchy.levels]]\nname = \"L1\"",
            ["over \"turing\", `levels` has no `L1`, but l1, crossbar, l2, dram", "written whole, without `base`"],
        ),
        ("[[clock.memory.hierarchy.levels]]\nways = 8", ["has no `name`", "l1, crossbar, l2, dram"]),
        ("[[clock.memory.hierarchy.levels]]\nname = \"l1\"\nwayz = 8", ["unknown field `wayz`", "levels"]),
        ("[[clock.memory.hierarchy.levels]]\nname = \"l1\"\nkind = \"dram\"", ["missing field", "levels"]),
        ("base = \"fermi\"", ["duplicate", "base"]),
    ] {
        let text = format!("base = \"turing\"\n{text}");
        // A list without levels is read, and cannot work.
        let error = match GpuConfig::from_toml(&text) {
            Err(error) => error.to_string(),
            Ok(config) => config.validate().expect_err(&text).to_string(),
        };
        assert!(!error.is_empty() && parts.iter().all(|part| error.contains(part)), "{text}: {error}");
    }
    // Only a file has a base.
    assert!(toml::from_str::<GpuConfig>("base = \"turing\"").is_err());
}
