//! Runs what is asked for, on all processors.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::endings::{Ending, Place, endings};
use crate::measured::{Limits, Measured, limits, measure};
use crate::programs::{PROGRAMS, Scale, all, waiting};
use crate::setup::{Mechanism, Setup};
use crate::store::Store;
use crate::traces::{Traces, traces};
use indicatif::{ProgressBar, ProgressStyle};

/// A program, by its number, on a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Point {
    pub(crate) program: usize,
    pub(crate) setup: Setup,
}

/// What a study needs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Needs {
    pub(crate) points: BTreeSet<Point>,
    /// Whether the limit study is among it.
    pub(crate) limits: bool,
    /// Programs whose traces are compared.
    pub(crate) traces: BTreeSet<usize>,
    /// Programs that may wait, by their number among these, that are run under all policies.
    pub(crate) endings: BTreeSet<(usize, Place)>,
}

impl Needs {
    /// Whether nothing has to be run.
    pub(crate) fn are_none(&self) -> bool {
        self.points.is_empty() && !self.limits && self.traces.is_empty() && self.endings.is_empty()
    }

    /// The seven benchmarks on a machine.
    pub(crate) fn all(&mut self, setup: Setup) {
        (0..PROGRAMS.len()).for_each(|program| self.one(program, setup));
    }

    pub(crate) fn one(&mut self, program: usize, setup: Setup) {
        self.points.insert(Point { program, setup });
    }
}

/// What has been measured.
#[derive(Clone, Debug, Default)]
pub(crate) struct Results {
    pub(crate) points: BTreeMap<Point, Measured>,
    /// The limit study of each program, and of the contrived loop behind them.
    pub(crate) limits: Vec<Limits>,
    pub(crate) traces: BTreeMap<usize, Traces>,
    pub(crate) endings: BTreeMap<(usize, Place), Vec<Ending>>,
}

impl Results {
    /// A program on a machine.
    ///
    /// # Panics
    /// If the figure that asks has not said that it needs it.
    pub(crate) fn of(&self, program: usize, setup: Setup) -> &Measured {
        self.points.get(&Point { program, setup }).expect("a figure names all points that it needs")
    }

    /// The traces of a program.
    ///
    /// # Panics
    /// If the figure that asks has not said that it needs them.
    pub(crate) fn traces(&self, program: usize) -> &Traces {
        self.traces.get(&program).expect("a figure names all traces that it needs")
    }

    /// Thread instructions per cycle of the seven benchmarks on a machine.
    pub(crate) fn ipcs(&self, setup: Setup) -> Vec<f64> {
        (0..PROGRAMS.len()).map(|program| self.of(program, setup).ipc).collect()
    }

    /// The harmonic mean over the programs.
    pub(crate) fn mean(&self, setup: Setup) -> f64 {
        harmonic(&self.ipcs(setup))
    }
}

/// The mean of rates, that of the same work in each.
pub(crate) fn harmonic(values: &[f64]) -> f64 {
    values.len() as f64 / values.iter().map(|value| 1.0 / value).sum::<f64>()
}

/// A piece of work.
#[derive(Clone, Copy)]
enum Job {
    Point(Point),
    Limits(usize),
    Traces(usize),
    Endings(usize, Place),
}

impl Job {
    /// All that is needed, the longest first.
    fn of(needs: &Needs) -> Vec<Self> {
        let limits = if needs.limits { 0..PROGRAMS.len() + 1 } else { 0..0 };
        let points = needs.points.iter().copied().map(Self::Point);
        let traces = needs.traces.iter().copied().map(Self::Traces);
        let endings = needs.endings.iter().map(|&(program, place)| Self::Endings(program, place));
        let mut jobs: Vec<Self> = points.chain(limits.map(Self::Limits)).chain(traces).chain(endings).collect();
        jobs.sort_by_key(|job| std::cmp::Reverse(job.cost()));
        jobs
    }

    fn name(self) -> String {
        match self {
            Self::Point(Point { program, setup }) => format!("{} under {:?}", all()[program].name, setup.mechanism),
            Self::Limits(program) => format!("limits of {}", all()[program].name),
            Self::Traces(program) => format!("traces of {}", all()[program].name),
            Self::Endings(program, place) => format!("endings of {} on {}", waiting()[program].name, place.name()),
        }
    }

    /// How long it takes, roughly, beside others.
    fn cost(self) -> u32 {
        match self {
            Self::Point(point) => cost(&point),
            Self::Limits(_) | Self::Endings(..) | Self::Traces(_) => 1,
        }
    }

    /// Does it, or finds what is known of it.
    fn run(self, scale: Scale, store: &Store, results: &Mutex<Results>) -> Result<(), String> {
        match self {
            Self::Point(point) => {
                let Point { program, setup } = point;
                let scale = setup.scale(scale);
                let known = store.get(&description(&point, scale)?, || measure(&all()[program], &setup, scale))?;
                locked(results).points.insert(point, known);
            }
            Self::Limits(program) => {
                let known = store.get(&self.name(), || limits(&all()[program]))?;
                let limits = &mut locked(results).limits;
                // Others may come before it.
                limits.resize(limits.len().max(program + 1), Limits::default());
                limits[program] = known;
            }
            Self::Traces(program) => {
                let scale = if scale == Scale::Full { Scale::Quick } else { Scale::Trace };
                let known = store.get(&format!("{} {scale:?}", self.name()), || traces(&all()[program], scale))?;
                locked(results).traces.insert(program, known);
            }
            Self::Endings(program, place) => {
                let known = store.get(&self.name(), || Ok(endings(&waiting()[program], place)))?;
                locked(results).endings.insert((program, place), known);
            }
        }
        Ok(())
    }
}

/// The input and the whole machine of a point, which its result depends on.
fn description(point: &Point, scale: Scale) -> Result<String, String> {
    let machine = serde_json::to_string(&point.setup.config(scale)).map_err(|error| error.to_string())?;
    let Setup { mechanism, input, .. } = point.setup;
    Ok(format!("{} {input} {scale:?} {mechanism:?} {machine}", all()[point.program].name))
}

/// How long the programs take under `Mimd` and under mechanisms of warps, in tens of seconds of one core of an AMD EPYC at the
/// full scale (2026-11-28).
const COSTS: [(u32, u32); PROGRAMS.len()] = [(3, 2), (19, 4), (13, 2), (12, 2), (20, 3), (15, 3), (21, 2)];

/// Lanes of the widest warps of a study.
const WIDEST: usize = 32;

/// How long a point takes, roughly, beside others.
fn cost(point: &Point) -> u32 {
    if all()[point.program].may_wait() {
        return 1;
    }
    let (scalar, of_warps) = COSTS.get(point.program).copied().unwrap_or((1, 1));
    let Setup { mechanism, warp, small, .. } = point.setup;
    let cost = match mechanism {
        Mechanism::Mimd => scalar,
        Mechanism::Nrec => 3 * of_warps,
        Mechanism::Pdom => of_warps * (WIDEST / warp) as u32,
        _ => 2 * of_warps * (WIDEST / warp) as u32,
    };
    if small { cost.div_ceil(4) } else { cost }
}

/// Runs what is needed, on so many threads.
///
/// # Errors
/// The first failure.
pub(crate) fn run(needs: &Needs, scale: Scale, threads: NonZeroUsize, store: &Store) -> Result<Results, String> {
    let jobs = Job::of(needs);
    let bar = ProgressBar::new(jobs.iter().map(|job| u64::from(job.cost())).sum());
    let style = ProgressStyle::with_template("{elapsed:>4} [{bar:40}] {percent} % eta {eta} {msg}");
    bar.set_style(style.map_err(|error| error.to_string())?.progress_chars("=> "));
    let (next, results, failure) = (AtomicUsize::new(0), Mutex::new(Results::default()), Mutex::new(None));
    let work = || {
        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            bar.set_message(job.name());
            let done = job.run(scale, store, &results);
            bar.inc(u64::from(job.cost()));
            if let Err(error) = done {
                locked(&failure).get_or_insert(error);
                next.store(jobs.len(), Ordering::Relaxed);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.get() {
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                // The host has no room for more; those that there are do the work.
                break;
            }
        }
        work();
    });
    bar.finish_and_clear();
    match into_inner(failure) {
        Some(error) => Err(error),
        None => Ok(into_inner(results)),
    }
}

/// What a mutex holds, whether a thread panicked with it or not: results are whole at any time.
fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_point_is_known_by_its_whole_machine() {
        let of = |setup: Setup, scale| description(&Point { program: 0, setup }, setup.scale(scale)).unwrap();
        let known = of(Setup::PDOM, Scale::Quick);
        assert_ne!(known, of(Setup::PDOM, Scale::Full));
        assert_ne!(known, of(Setup::NREC, Scale::Quick));
        assert_ne!(known, of(Setup::PDOM.with_threads(512), Scale::Quick));
        assert_ne!(known, of(Setup::PDOM.of_input(1), Scale::Quick));
        assert_eq!(known, of(Setup { small: true, ..Setup::PDOM }, Scale::Full));
    }

    #[test]
    fn programs_are_right_and_the_oracle_is_best() {
        for program in &all()[..=PROGRAMS.len()] {
            // It compares the results with those of plain Rust.
            let limits = limits(program).unwrap();
            assert!(limits.oracle <= limits.pdom, "{}: {limits:?}", program.name);
            assert!(limits.pdom <= limits.nrec, "{}: {limits:?}", program.name);
        }
    }

    #[test]
    fn a_machine_runs_what_is_needed() {
        let folder = std::env::temp_dir().join(format!("simt-studies-points-{}", std::process::id()));
        let mut needs = Needs::default();
        // The shortest of the programs at the quick scale.
        for setup in [Setup::PDOM, Setup::DWF] {
            needs.one(2, setup);
        }
        let results =
            run(&needs, Scale::Quick, NonZeroUsize::MIN.saturating_add(1), &Store::new(&folder).unwrap()).unwrap();
        let [pdom, dwf] = [Setup::PDOM, Setup::DWF].map(|setup| results.of(2, setup));
        assert_eq!(pdom.thread_instructions, dwf.thread_instructions);
        assert!(pdom.ipc > 0.0 && pdom.ipc <= 16.0, "{}", pdom.ipc);
        assert!(dwf.count("warp pool entries, most") > 0);
        fs::remove_dir_all(folder).unwrap();
    }
}
