//! The measurements of a kernel under a policy on a machine.

use simt::clock::{MemoryTiming, Occupancy, Stalls};
use simt::hierarchy::{DramConfig, HierarchyFigures};
use simt::prelude::*;

/// A launch that ended, or how it does not end.
pub(crate) type Outcome = Result<Run, &'static str>;

/// The launches of a kernel under a policy.
#[derive(Clone, Debug, Default)]
pub(crate) struct Run {
    /// Thread instructions of all threads: not the same under each policy where threads spin.
    pub(crate) instructions: u64,
    /// Thread instructions per cycle, of the whole machine.
    pub(crate) ipc: f64,
    /// SIMD efficiency, from 0 to 1.
    pub(crate) efficiency: f64,
    pub(crate) stalls: Stalls,
    pub(crate) occupancy: Occupancy,
    pub(crate) memory: HierarchyFigures,
    /// The part of the cycles of all data buses in which they carried bytes.
    pub(crate) bandwidth: f64,
}

impl Run {
    /// `None` if the machine has no clock.
    pub(crate) fn of(report: &Report, config: &GpuConfig) -> Option<Self> {
        let (clock, machine) = (report.clock()?, config.clock.as_ref()?);
        let memory = clock.memory().cloned().unwrap_or_default();
        let buses = match &machine.memory {
            MemoryTiming::Ideal { .. } => 0.0,
            MemoryTiming::Hierarchy(hierarchy) => {
                let clocks = |dram: &DramConfig| f64::from(dram.clock) / f64::from(dram.core_clock);
                f64::from(hierarchy.partitions()) * hierarchy.dram().map_or(0.0, clocks)
            }
        };
        let whole = buses * clock.cycles() as f64;
        let busy = memory.dram().map_or(0, |dram| dram.busy_cycles);
        Some(Self {
            instructions: report.thread_instructions(),
            ipc: clock.ipc(),
            efficiency: report.simd_efficiency(),
            stalls: *clock.stalls(),
            occupancy: clock.occupancy().clone(),
            bandwidth: if whole > 0.0 { busy as f64 / whole } else { 0.0 },
            memory,
        })
    }
}

/// A kernel under each policy.
pub(crate) struct Row {
    pub(crate) kernel: &'static str,
    /// In the order of the results' policies.
    pub(crate) runs: Vec<Outcome>,
}

/// The description of a machine in the text.
pub(crate) struct Machine {
    pub(crate) name: String,
    pub(crate) cores: usize,
    /// Lanes of all its pipelines: the highest IPC that there can be.
    pub(crate) lanes: usize,
}

impl Machine {
    pub(crate) fn new(name: &str, config: &GpuConfig) -> Self {
        let (cores, ports, width) =
            config.clock.as_ref().map_or((0, 0, 0), |clock| (clock.cores, clock.ports, clock.simd_width));
        Self { name: name.into(), cores, lanes: cores * ports * width }
    }

    pub(crate) fn words(&self) -> String {
        format!("{} cores, at most {} thread instructions a cycle", self.cores, self.lanes)
    }
}

/// Whether all of them end, and do the same.
pub(crate) fn same_work<'r>(runs: impl IntoIterator<Item = &'r Outcome>) -> bool {
    let mut first = None;
    runs.into_iter().all(|run| match run {
        Ok(run) => *first.get_or_insert(run.instructions) == run.instructions,
        Err(_) => false,
    })
}

/// Every kernel under every policy on one machine.
pub(crate) struct Results {
    pub(crate) machine: Machine,
    pub(crate) policies: Vec<&'static str>,
    pub(crate) rows: Vec<Row>,
}

impl Results {
    /// The kernels by which policies can be compared: under all of them they end, after as many thread instructions. Threads
    /// that spin issue more of them, the longer they have to.
    pub(crate) fn common(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| same_work(&row.runs))
    }

    /// The place of a policy.
    pub(crate) fn policy(&self, name: &str) -> Option<usize> {
        self.policies.iter().position(|policy| *policy == name)
    }
}

/// The runs for the tests of the other files: two kernels and a lock under as many policies as there are figures for each.
#[cfg(test)]
pub(crate) fn example(policies: &[&'static str], rows: &[(&'static str, &[f64])]) -> Results {
    let run = |&ipc: &f64| {
        let occupancy = Occupancy { memory: 10, idle: 20, stall: 30, active: vec![5; 8] };
        let run = Run { ipc, efficiency: 0.5, occupancy, bandwidth: 0.25, ..Run::default() };
        if ipc > 0.0 { Ok(run) } else { Err("cycle limit") }
    };
    let row = |&(kernel, runs): &(&'static str, &[f64])| Row { kernel, runs: runs.iter().map(run).collect() };
    Results {
        machine: Machine { name: "example".into(), cores: 1, lanes: 8 },
        policies: policies.to_vec(),
        rows: rows.iter().map(row).collect(),
    }
}
