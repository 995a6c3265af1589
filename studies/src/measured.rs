//! What is kept of a program's run.

use serde::{Deserialize, Serialize};
use simt::clock::MemoryTiming;
use simt::observe::Observer;
use simt::policy::{BranchLimited, ByPc};
use simt::prelude::*;
use simt::study::LimitStudy;

use crate::occupancy::Counted;
use crate::programs::{Machine, Program, Scale, Size, limited};
use crate::setup::{Mechanism, Setup};

/// A sample of the time series: of the whole machine, but for the progress.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Moment {
    pub(crate) cycle: u64,
    pub(crate) ipc: f64,
    pub(crate) incomplete: u64,
    /// Issue slots by class, as in [`Measured::slots`].
    pub(crate) slots: Vec<u64>,
    /// Instructions of the slowest, the tenth, the middle, the ninetieth of a hundred and the fastest thread of the block that
    /// the first core runs.
    pub(crate) progress: [u32; 5],
}

/// The figures of a program on a machine, all launches together.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Measured {
    /// How it does not end, if it does not; then there is nothing else.
    pub(crate) unending: Option<String>,
    pub(crate) cycles: u64,
    /// Instructions of warps, or of threads under MIMD.
    pub(crate) issues: u64,
    pub(crate) thread_instructions: u64,
    /// Thread instructions per cycle, of the whole machine.
    pub(crate) ipc: f64,
    /// The part of all lanes that worked, over all cycles.
    pub(crate) utilisation: f64,
    /// The part of lanes that worked, of warps that issued.
    pub(crate) efficiency: f64,
    /// Issue slots by how many threads issued (Figure 15).
    pub(crate) slots: Vec<(String, u64)>,
    /// The part of the cycles of all data buses in which they carried bytes.
    pub(crate) bandwidth: f64,
    /// Miss rates of the data cache, pending hits counted as misses and not.
    pub(crate) misses: f64,
    pub(crate) misses_without_pending: f64,
    /// What the mechanism has counted.
    pub(crate) counts: Vec<(String, u64)>,
    pub(crate) moments: Vec<Moment>,
}

impl Measured {
    fn of(report: &Report, config: &GpuConfig) -> Option<Self> {
        let (clock, machine) = (report.clock()?, config.clock.as_ref()?);
        let memory = clock.memory().cloned().unwrap_or_default();
        let bandwidth = match (&machine.memory, memory.dram()) {
            (MemoryTiming::Hierarchy(hierarchy), Some(dram)) => hierarchy.bandwidth_utilisation(dram, clock.cycles()),
            _ => 0.0,
        };
        let cache = memory.cache("l1");
        let figures = report.policy_figures().iter();
        let moments = clock.samples().iter().map(|sample| {
            let mut progress = sample.thread_progress.clone();
            progress.sort_unstable();
            let at =
                |hundredth: usize| progress.get((progress.len().max(1) - 1) * hundredth / 100).copied().unwrap_or(0);
            Moment {
                cycle: sample.begin,
                ipc: sample.ipc(),
                incomplete: sample.incomplete_threads,
                slots: sample.occupancy.classes().into_iter().map(|(_, cycles)| cycles).collect(),
                progress: [0, 10, 50, 90, 100].map(at),
            }
        });
        Some(Self {
            unending: None,
            cycles: clock.cycles(),
            issues: report.issues(),
            thread_instructions: report.thread_instructions(),
            ipc: clock.ipc(),
            utilisation: clock.utilisation(),
            efficiency: report.simd_efficiency(),
            slots: clock.occupancy().classes(),
            bandwidth,
            misses: cache.map_or(0.0, |cache| cache.miss_rate()),
            misses_without_pending: cache.map_or(0.0, |cache| cache.miss_rate_without_pending_hits()),
            counts: figures.map(|figure| (figure.name.clone(), figure.value)).collect(),
            moments: moments.collect(),
        })
    }

    /// A count of the mechanism, 0 if it does not count it.
    pub(crate) fn count(&self, name: &str) -> u64 {
        self.counts.iter().find(|(found, _)| found == name).map_or(0, |(_, count)| *count)
    }

    /// The part of a class in all issue slots.
    pub(crate) fn slot_share(&self, class: &str) -> f64 {
        let all: u64 = self.slots.iter().map(|(_, cycles)| cycles).sum();
        let mine = self.slots.iter().find(|(name, _)| name == class).map_or(0, |(_, cycles)| *cycles);
        mine as f64 / all.max(1) as f64
    }
}

/// A machine of any policy, what observes it, and the reports of all its launches together.
pub(crate) struct Reported<'g, O> {
    gpu: &'g dyn Launch,
    width: usize,
    pub(crate) observer: O,
    pub(crate) report: Option<Report>,
}

impl<'g, O> Reported<'g, O> {
    pub(crate) fn new(gpu: &'g dyn Launch, width: usize, observer: O) -> Self {
        Self { gpu, width, observer, report: None }
    }
}

/// A GPU of any policy.
pub(crate) trait Launch {
    fn launch(&self, grid: Grid, call: KernelCall<'_>, observer: &mut dyn Observer) -> Result<Report, LaunchError>;
}

impl<P: Policy> Launch for Gpu<P> {
    fn launch(&self, grid: Grid, call: KernelCall<'_>, observer: &mut dyn Observer) -> Result<Report, LaunchError> {
        // PERF: an engine for each policy would be compiled, which a launch with a clock does not use. Watched launches share one.
        self.launch_watched(grid, call, observer)
    }
}

impl<O: Observer> Machine for Reported<'_, O> {
    fn launch(&mut self, grid: Grid, call: KernelCall<'_>) -> Result<Report, LaunchError> {
        let report = self.gpu.launch(grid, call, &mut self.observer)?;
        match &mut self.report {
            Some(all) => all.merge(&report),
            all @ None => *all = Some(report.clone()),
        }
        Ok(report)
    }

    fn width(&self) -> usize {
        self.width
    }
}

fn gpu(mechanism: Mechanism, config: GpuConfig) -> Box<dyn Launch> {
    match mechanism {
        Mechanism::Nrec => Box::new(Gpu::<NoReconvergence>::new(config)),
        Mechanism::Pdom => Box::new(Gpu::<Ipdom>::new(config)),
        Mechanism::Mimd => Box::new(Gpu::<Mimd>::new(config)),
        Mechanism::Majority => Box::new(Gpu::<Dwf<Majority>>::new(config)),
        Mechanism::MajorityCounted => Box::new(Gpu::<Dwf<Counted>>::new(config)),
        Mechanism::Minority => Box::new(Gpu::<Dwf<Minority>>::new(config)),
        Mechanism::TimeStamp => Box::new(Gpu::<Dwf<TimeStamp>>::new(config)),
        Mechanism::LowestPc => Box::new(Gpu::<Dwf<LowestPc>>::new(config)),
        Mechanism::PdomPriority => Box::new(Gpu::<Dwf<PdomPriority>>::new(config)),
        Mechanism::Hanoi => Box::new(Gpu::<Hanoi>::new(config)),
        Mechanism::ConvergenceBarriers => Box::new(Gpu::<ConvergenceBarriers>::new(config)),
        Mechanism::Compaction => Box::new(Gpu::<BlockCompaction>::new(config)),
        Mechanism::Subdivision | Mechanism::SubdivisionAtLoads => Box::new(Gpu::<WarpSubdivision>::new(config)),
        Mechanism::SubdivisionLimited => Box::new(Gpu::<WarpSubdivision<BranchLimited>>::new(config)),
        Mechanism::SubdivisionByPc => Box::new(Gpu::<WarpSubdivision<ByPc>>::new(config)),
        Mechanism::LikelyConvergence => Box::new(Gpu::<LikelyConvergence>::new(config)),
        Mechanism::MultiPath => Box::new(Gpu::<MultiPath>::new(config)),
    }
}

/// Runs a program on a machine; its results are compared with plain Rust.
///
/// # Errors
/// What the launch failed with.
pub(crate) fn measure(program: &Program, setup: &Setup, scale: Scale) -> Result<Measured, String> {
    let mut config = setup.config(scale);
    if program.may_wait() {
        config = limited(config, 1 << 22);
    }
    let gpu = gpu(setup.mechanism, config.clone());
    let mut machine = Reported::new(&*gpu, setup.warp, ());
    let size = Size { scale, cores: setup.board.cores(scale), threads: setup.threads, input: setup.input };
    if let Err(error) = program.run(&mut machine, &size) {
        return match program.unending(&error) {
            Some(how) => Ok(Measured { unending: Some(how.into()), ..Measured::default() }),
            None => Err(format!("{} on {setup:?}: {error}", program.name)),
        };
    }
    let report = machine.report.ok_or_else(|| format!("{} has launched nothing", program.name))?;
    Measured::of(&report, &config).ok_or_else(|| "the machine has no clock".into())
}

/// Issues of the first threads in warps of four, with a memory that always hits (section 3.3).
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Limits {
    pub(crate) thread_instructions: u64,
    pub(crate) nrec: u64,
    pub(crate) pdom: u64,
    pub(crate) oracle: u64,
}

/// A functional machine whose launches are aligned by the oracle.
struct Traced {
    limits: Limits,
    error: Option<String>,
}

impl Machine for Traced {
    fn launch(&mut self, grid: Grid, call: KernelCall<'_>) -> Result<Report, LaunchError> {
        let mut study = LimitStudy::with_limit(1 << 28);
        let gpu = Gpu::<Ipdom>::default().with_warp_width(WIDTH).with_checks(Checks::none());
        let report = gpu.launch_watched(grid, call, &mut study)?;
        self.limits.pdom += report.issues();
        self.limits.thread_instructions += report.thread_instructions();
        match study.oracle(WIDTH) {
            Ok(oracle) => self.limits.oracle += oracle.issues(),
            Err(error) => self.error = Some(error.to_string()),
        }
        Ok(report)
    }

    fn width(&self) -> usize {
        WIDTH
    }
}

/// Lanes of the warps of the limit study.
const WIDTH: usize = 4;

/// A functional machine without reconvergence.
struct Unaligned(u64);

impl Machine for Unaligned {
    fn launch(&mut self, grid: Grid, call: KernelCall<'_>) -> Result<Report, LaunchError> {
        let gpu = Gpu::<NoReconvergence>::default().with_warp_width(WIDTH).with_checks(Checks::none());
        let report = gpu.launch(grid, call)?;
        self.0 += report.issues();
        Ok(report)
    }

    fn width(&self) -> usize {
        WIDTH
    }
}

/// The limit study of a program.
///
/// # Errors
/// What the launch failed with, or why traces are not aligned.
pub(crate) fn limits(program: &Program) -> Result<Limits, String> {
    let size = Size::of_one_block(Scale::Trace);
    let say = |error: LaunchError| format!("{} in the limit study: {error}", program.name);
    let mut traced = Traced { limits: Limits::default(), error: None };
    program.run(&mut traced, &size).map_err(say)?;
    let mut unaligned = Unaligned(0);
    program.run(&mut unaligned, &size).map_err(say)?;
    match traced.error {
        Some(error) => Err(error),
        None => Ok(Limits { nrec: unaligned.0, ..traced.limits }),
    }
}
