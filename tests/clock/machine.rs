//! The common part of the tests: the machines, changes of them, kernels as text, and launches.

use simt::clock::{ClockConfig, ClockReport, MemoryTiming, OpTiming, OpTimings};
use simt::hierarchy::{
    CacheConfig, CacheFigures, CrossbarConfig, DramConfig, DramFigures, HierarchyConfig, HierarchyFigures,
};
use simt::host::{Argument, Kernel};
use simt::policy::Ipdom;
use simt::{Code, Gpu, GpuConfig, Grid};

/// The machines, by name.
pub(crate) fn machines() -> [(&'static str, GpuConfig); 5] {
    [
        ("fung2009", GpuConfig::fung2009()),
        ("fermi", GpuConfig::fermi()),
        ("volta", GpuConfig::volta()),
        ("turing", GpuConfig::turing()),
        ("ampere", GpuConfig::ampere()),
    ]
}

/// The cores of a machine.
pub(crate) fn clock(config: &GpuConfig) -> &ClockConfig {
    config.clock.as_ref().expect("the machine has a clock")
}

/// The machine with other cores.
pub(crate) fn changed(mut config: GpuConfig, change: impl FnOnce(&mut ClockConfig)) -> GpuConfig {
    change(config.clock.as_mut().expect("the machine has a clock"));
    config
}

/// The memory of a machine.
pub(crate) fn memory(config: &GpuConfig) -> &HierarchyConfig {
    match &clock(config).memory {
        MemoryTiming::Hierarchy(hierarchy) => hierarchy,
        MemoryTiming::Ideal { .. } => panic!("the memory of the machine is ideal"),
    }
}

/// The levels of the machines by name: those that all of them have are there.
pub(crate) trait Levels {
    fn l1(&self) -> &CacheConfig;
    fn l1_mut(&mut self) -> &mut CacheConfig;
    /// The crossbar.
    fn joined(&self) -> &CrossbarConfig;
    fn joined_mut(&mut self) -> &mut CrossbarConfig;
    /// The memory module of a partition.
    fn module(&self) -> &DramConfig;
    fn module_mut(&mut self) -> &mut DramConfig;
}

impl Levels for HierarchyConfig {
    fn l1(&self) -> &CacheConfig {
        self.cache("l1").expect("it has a first level")
    }

    fn l1_mut(&mut self) -> &mut CacheConfig {
        self.cache_mut("l1").expect("it has a first level")
    }

    fn joined(&self) -> &CrossbarConfig {
        self.crossbar().expect("it has a crossbar")
    }

    fn joined_mut(&mut self) -> &mut CrossbarConfig {
        self.crossbar_mut().expect("it has a crossbar")
    }

    fn module(&self) -> &DramConfig {
        self.dram().expect("it has memory")
    }

    fn module_mut(&mut self) -> &mut DramConfig {
        self.dram_mut().expect("it has memory")
    }
}

/// What the first level has counted.
pub(crate) fn first_level(report: &ClockReport) -> CacheFigures {
    *counted(report).cache("l1").expect("it has a first level")
}

/// What the memory modules have counted.
pub(crate) fn modules(figures: &HierarchyFigures) -> DramFigures {
    *figures.dram().expect("it has memory")
}

/// What the levels have counted.
pub(crate) fn counted(report: &ClockReport) -> &HierarchyFigures {
    report.memory().expect("memory is modelled")
}

/// The machine with another memory: caches that are as the change leaves them, and empty when a launch begins.
pub(crate) fn remembering(config: GpuConfig, change: impl FnOnce(&mut HierarchyConfig)) -> GpuConfig {
    changed(config, |clock| match &mut clock.memory {
        MemoryTiming::Hierarchy(hierarchy) => {
            clock.unified = None;
            hierarchy.copied = false;
            change(hierarchy);
        }
        MemoryTiming::Ideal { .. } => panic!("the memory of the machine is ideal"),
    })
}

/// The machine with one core and a memory that always takes as long.
pub(crate) fn one_core(config: GpuConfig) -> GpuConfig {
    changed(config, |clock| {
        clock.cores = 1;
        clock.memory = MemoryTiming::Ideal { latency: 40 };
    })
}

/// Operations that take no longer than the pipeline, so that what is of interest is not hidden.
pub(crate) fn quick(clock: &mut ClockConfig) {
    clock.pipeline = 0;
    clock.timings = OpTimings::all(OpTiming { latency: 1, interval: 0 });
}

/// A kernel from a text.
#[track_caller]
pub(crate) fn kernel(text: &str) -> Kernel {
    Kernel::from_code(Code::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}")))
}

/// The figures of a launch of blocks of warps that keep their threads.
#[track_caller]
pub(crate) fn timed(config: &GpuConfig, grid: Grid, kernel: &Kernel, arguments: Vec<Argument<'_>>) -> ClockReport {
    let report = Gpu::<Ipdom>::new(config.clone()).launch(grid, simt::host::call(kernel, arguments));
    let report = report.unwrap_or_else(|error| panic!("{error}"));
    report.clock().expect("the machine has a clock").clone()
}

/// The cycles by which a launch of the longer kernel takes longer than one of the shorter.
#[track_caller]
pub(crate) fn difference(config: &GpuConfig, grid: Grid, kernels: [&Kernel; 2], x: &mut [usize]) -> u64 {
    let [short, long] = kernels.map(|kernel| timed(config, grid, kernel, vec![Argument::slice_mut(x)]).cycles());
    long - short
}
