//! Machines as text: what is written can be read again, with all fields of the clock, and what is no field is named.

#![cfg(feature = "serde")]

use simt_runtime::{GpuConfig, InFlight, MemoryTiming, OpTiming, Replacement, WarpScheduling, WritePolicy};

fn machines() -> [GpuConfig; 5] {
    [GpuConfig::fung2009(), GpuConfig::fermi(), GpuConfig::volta(), GpuConfig::turing(), GpuConfig::ampere()]
}

fn text(config: &GpuConfig) -> String {
    toml::to_string(config).unwrap_or_else(|error| panic!("{error}"))
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
