//! Pages that every launch of a process leaves, and the index of them: what `SIMT_PAGES` asks for.
//!
//! * `place`: which folder, and names that files can have; `kept`: what a process says of its launches, as data;
//! * `store`: the folder, which several processes write at a time; `index`: the page that lists what is there.
//!
//! Pages show what a test has done: of the launches of a test the first leave a page, and beyond those only what fails, or what
//! a test has launched last before it panics.

mod index;
mod kept;
mod place;
mod store;

use crate::{Recorder, Run, page_beside, stepper_beside};
use kept::Launch;
pub(crate) use place::target_folder;
use simt_runtime::{Dim3, GpuConfig, Grid, LaunchBegun, LaunchError, LaunchWatcher, Observer, Report, watch_launches};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt::Display;
use std::io::Write;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, MutexGuard, Once, OnceLock, PoisonError};
use std::thread;
use store::{Files, Store};

/// The launches of a test that leave a page.
const OF_TEST: u64 = 48;
/// So many more of a test leave one, if they fail, or the test panics behind them.
const FAILED_OF_TEST: u64 = 16;
/// The most pages that a process leaves.
const OF_PROCESS: u64 = 512;
/// The steps of a launch that can be stepped through.
const STEPS: usize = 1 << 12;

static LEAVING: OnceLock<Leaving> = OnceLock::new();

thread_local! {
    /// The thread's last launch, if it has left no page.
    static LAST: RefCell<Option<Ended>> = const { RefCell::new(None) };
    /// Whether the thread is at work here: if that panics, it is not the test that does.
    static AT_WORK: Cell<bool> = const { Cell::new(false) };
}

/// Has every launch of the process leave its page from now on, if the environment variable `SIMT_PAGES` says so: `1`, and they
/// are in `simt` of cargo's target folder, or the path of a folder. Any call but the first does nothing. A line on the standard
/// error says where they are.
///
/// `simt` calls it with the feature `pages`. What can be looked at is `index.html`: the launches of each test executable with
/// what became of them, those first which failed or whose test panicked. Each has a page with its figures by source line, and
/// one to step through it, up to 4,096 steps. Of a test the first 48 launches leave pages, and 16 more that fail or after which
/// it panics; a process leaves 512 at most. A test that returns an error has not panicked. The pages of an earlier run of the
/// same executable are replaced.
///
/// A launch that is watched takes several times longer, which a limit of time does not know. Where pages cannot be written,
/// launches go on, and a line on the standard error says why.
pub fn leave_pages() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let folder = match place::folder() {
            Ok(Some(folder)) => folder,
            Ok(None) => return,
            Err(problem) => return say(problem),
        };
        match Store::open(folder, &place::Executable::current()) {
            Ok(store) => {
                LEAVING.get_or_init(|| Leaving { state: Mutex::new(State { store, ..State::default() }) });
                if watch_launches(begin) {
                    mark_panics();
                }
            }
            Err(error) => say(error),
        }
    });
}

/// Past what captures the output of tests, else it is not seen of those that pass.
fn say(problem: impl Display) {
    tell(format_args!("launches leave no pages: {problem}"));
}

fn tell(line: impl Display) {
    // There is nowhere else to say it.
    let _ = writeln!(std::io::stderr(), "simt: {line}");
}

/// What the process leaves.
struct Leaving {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    store: Store,
    tests: HashMap<String, Counts>,
    /// Pages that are written or begun.
    pages: u64,
    /// Launches that have left none.
    without: u64,
    /// Whether a file could not be written.
    failed: bool,
    /// Whether it has been said where pages are.
    told: bool,
}

/// Of a test.
#[derive(Default)]
struct Counts {
    launches: u64,
    /// Pages beyond those of its first launches.
    more: u64,
}

impl Leaving {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A launch has ended: it leaves its page, or is kept until the thread's next launch has.
    fn ended(&self, ended: Ended) {
        let page = self.state().has_room(&ended, ended.run.outcome.is_err());
        LAST.set(None);
        if page {
            return self.write(&ended);
        }
        LAST.set(Some(ended));
        let mut state = self.state();
        state.without += 1;
        // Each time that there are twice as many: there is no end at which all could be said.
        if state.without.is_power_of_two() {
            let without = state.without;
            state.change(|store| store.without_page(without));
        }
    }

    /// The pages of a launch, and its row in the index.
    fn write(&self, ended: &Ended) {
        let Ended { test, number, kernel, run, grid } = ended;
        let title = format!("{kernel}, launch {number} of {test}");
        let one = std::slice::from_ref(run);
        let index = ("../index.html", "all launches");
        // Names of files are given when they are written.
        let html = match run.recording {
            Some(_) => page_beside(&title, &[index, (store::OTHER, "step through it")], one),
            None => page_beside(&title, &[index], one),
        };
        let links = [index, (store::OTHER, "its figures by line")];
        let steps = run.recording.as_ref().map(|_| stepper_beside(&title, &links, "", one));
        let launch = Launch {
            page: String::new(),
            steps: None,
            test: test.clone(),
            number: *number,
            kernel: kernel.clone(),
            policy: run.policy.clone(),
            grid: grid.clone(),
            efficiency: run.report().filter(|_| run.machine.statistics).map(Report::simd_efficiency),
            error: run.outcome.as_ref().err().map(|error| error.lines().next().unwrap_or_default().to_string()),
        };
        let mut state = self.state();
        state.change(|store| store.add(launch, &Files { page: html, steps }));
        if !std::mem::replace(&mut state.told, true) && !state.failed {
            tell(format_args!("launches leave pages: {}", state.store.index().display()));
        }
    }

    /// The thread's test panics.
    fn panicked(&self) {
        let test = test();
        let launches = self.state().tests.get(&test).map_or(0, |counts| counts.launches);
        if launches == 0 {
            return;
        }
        let last = LAST.try_with(RefCell::take).ok().flatten();
        let last = last.filter(|last| self.state().has_room(last, true));
        if let Some(last) = last {
            self.write(&last);
        }
        self.state().change(|store| store.panicked(&test, launches));
    }
}

impl State {
    /// Whether a launch leaves a page, which has failed, or whose test has.
    fn has_room(&mut self, ended: &Ended, failed: bool) -> bool {
        let counts = self.tests.entry(ended.test.clone()).or_default();
        let more = failed && counts.more < FAILED_OF_TEST;
        let room = self.pages < OF_PROCESS && !self.failed && (ended.number <= OF_TEST || more);
        self.pages += u64::from(room);
        counts.more += u64::from(room && ended.number > OF_TEST);
        room
    }

    /// Changes what is on the disk, until that fails.
    fn change(&mut self, change: impl FnOnce(&mut Store) -> Result<(), store::StoreError>) {
        if self.failed {
            return;
        }
        if let Err(error) = change(&mut self.store) {
            self.failed = true;
            say(error);
        }
    }
}

/// The thread's test: tests run in threads of their name.
fn test() -> String {
    thread::current().name().unwrap_or("a thread without a name").to_string()
}

/// How many threads there are: dimensions that are not used are not named.
fn in_words(grid: Grid) -> String {
    let of = |dimensions: Dim3| match dimensions {
        Dim3 { x, y: 1, z: 1 } => x.to_string(),
        all => all.to_string(),
    };
    let noun = |dimensions: Dim3, one: &str| match dimensions {
        Dim3 { x: 1, y: 1, z: 1 } => one.to_string(),
        _ => format!("{one}s"),
    };
    let (blocks, threads) = (grid.blocks(), grid.threads());
    format!("{} {} of {} {}", of(blocks), noun(blocks, "block"), of(threads), noun(threads, "thread"))
}

/// A launch that runs.
struct Running {
    recorder: Recorder,
    test: String,
    number: u64,
    kernel: String,
    policy: &'static str,
    machine: GpuConfig,
    grid: String,
}

/// A launch that has ended.
struct Ended {
    test: String,
    /// Which launch of its test it is, from 1.
    number: u64,
    kernel: String,
    run: Run,
    grid: String,
}

fn begin(begun: LaunchBegun<'_>) -> Option<Box<dyn LaunchWatcher>> {
    let test = test();
    let number = {
        let mut state = LEAVING.get()?.state();
        let counts = state.tests.entry(test.clone()).or_default();
        counts.launches += 1;
        counts.launches
    };
    Some(Box::new(Running {
        recorder: Recorder::new().with_limit(STEPS),
        test,
        number,
        kernel: begun.kernel.to_string(),
        policy: begun.policy,
        machine: begun.config.clone(),
        grid: in_words(begun.grid),
    }))
}

impl LaunchWatcher for Running {
    fn observer(&mut self) -> &mut dyn Observer {
        &mut self.recorder
    }

    fn ended(self: Box<Self>, outcome: Result<&Report, &LaunchError>) {
        let Self { recorder, test, number, kernel, policy, machine, grid } = *self;
        let Some(leaving) = LEAVING.get() else { return };
        at_work(|| {
            let run = Run::new(policy, machine, outcome, &recorder);
            leaving.ended(Ended { test, number, kernel, run, grid });
        });
    }
}

/// Marks tests that panic, before what is done about panics is done.
fn mark_panics() {
    if thread::panicking() {
        // Then it cannot be changed what is done.
        return;
    }
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if let Some(leaving) = LEAVING.get()
            && !AT_WORK.try_with(Cell::get).unwrap_or(true)
        {
            at_work(|| leaving.panicked());
        }
        before(info);
    }));
}

/// Does what is no affair of the test: a panic here is one of this library, which has been said, and the test goes on.
fn at_work(work: impl FnOnce()) {
    AT_WORK.set(true);
    let _ = panic::catch_unwind(AssertUnwindSafe(work));
    AT_WORK.set(false);
}
