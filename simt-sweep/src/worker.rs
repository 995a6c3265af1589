//! Processes that points run in: one that ends, or must be ended, takes its point with it and nothing else.
//!
//! A process is this program, called as it was, with one word more. It reads ids from its standard input, runs a point after
//! the other, keeps the result, and says so in a line of its standard output. It ends as soon as its input does: when the
//! program that started it has ended, however it has.

use crate::error::SweepError;
use crate::execute::keep_places;
use crate::point::Point;
use crate::run::here;
use crate::store::{Outcome, Store};
use crate::sweep::Sweep;
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitCode, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use std::{env, thread};

/// The word on the command line of such a process.
pub(crate) const WORD: &str = "--worker";
/// What a line of its output begins with; others are of the kernels.
const MARK: &str = "simt-sweep-answer ";
/// How often a point is begun whose process was ended by others.
const ATTEMPTS: usize = 3;

/// How a point has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Ended {
    Done,
    Failed,
    TimedOut,
}

impl Ended {
    pub(crate) fn of(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Done(_) => Self::Done,
            Outcome::Failed(_) => Self::Failed,
            Outcome::TimedOut(_) => Self::TimedOut,
        }
    }
}

/// A line of a process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Answer {
    Ended(Ended),
    /// The result cannot be kept.
    NotKept(String),
    /// There is no such point.
    Error(String),
}

/// The processes of a run: as many as points are run at a time.
pub(crate) struct Crew<'r> {
    store: &'r Store,
    limit: Option<Duration>,
    bar: &'r ProgressBar,
    idle: Mutex<Vec<Worker>>,
}

/// What came of asking a process for a point.
enum Asked {
    Answer(Answer),
    TimedOut,
    /// It has ended.
    Gone(io::Result<ExitStatus>),
}

impl<'r> Crew<'r> {
    pub(crate) fn new(store: &'r Store, limit: Option<Duration>, bar: &'r ProgressBar) -> Self {
        Self { store, limit, bar, idle: Mutex::default() }
    }

    /// Runs a point in one of the processes.
    ///
    /// # Errors
    /// If its result cannot be kept, or no process be started.
    pub(crate) fn run(&self, point: &Point) -> Result<Ended, SweepError> {
        for _ in 0..ATTEMPTS {
            let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut worker = idle.map_or_else(|| Worker::start(self.bar), Ok)?;
            match worker.ask(point, self.limit) {
                Asked::Answer(Answer::Ended(ended)) => {
                    self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
                    return Ok(ended);
                }
                Asked::Answer(Answer::NotKept(error)) => return Err(SweepError::NotKept(error)),
                Asked::Answer(Answer::Error(error)) => return Err(SweepError::Worker { done: "used", error }),
                Asked::TimedOut => {
                    drop(worker);
                    return self.keep(point, &Outcome::TimedOut(self.limit.unwrap_or_default().as_secs_f64()));
                }
                Asked::Gone(Ok(status)) if !is_of_others(status) => {
                    return self.keep(point, &Outcome::Failed(format!("its process ended: {status}")));
                }
                Asked::Gone(_) => {}
            }
        }
        let text = format!("its process was killed {ATTEMPTS} times: is there enough memory?");
        self.keep(point, &Outcome::Failed(text))
    }

    /// Keeps what became of a point whose process has ended, unless that has kept a result before.
    fn keep(&self, point: &Point, outcome: &Outcome) -> Result<Ended, SweepError> {
        if let Ok(Some(Outcome::Done(_))) = self.store.read(point) {
            return Ok(Ended::Done);
        }
        self.store.write(point, outcome)?;
        Ok(Ended::of(outcome))
    }
}

/// Whether a process was ended by others: what they stop says nothing of a point.
#[cfg(unix)]
fn is_of_others(status: ExitStatus) -> bool {
    // SIGHUP, SIGINT, SIGKILL, SIGTERM.
    std::os::unix::process::ExitStatusExt::signal(&status).is_some_and(|signal| [1, 2, 9, 15].contains(&signal))
}

#[cfg(not(unix))]
fn is_of_others(_: ExitStatus) -> bool {
    false
}

/// A process that runs points.
struct Worker {
    child: Child,
    ids: ChildStdin,
    answers: Receiver<Answer>,
}

impl Worker {
    fn start(bar: &ProgressBar) -> Result<Self, SweepError> {
        let failed = |error: io::Error| SweepError::Worker { done: "started", error: error.to_string() };
        let mut words: Vec<_> = env::args_os().skip(1).collect();
        // Behind `--` it would be an id.
        let place = words.iter().position(|word| word == "--").unwrap_or(words.len());
        words.insert(place, WORD.into());
        let mut child = Command::new(env::current_exe().map_err(failed)?)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let (Some(ids), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed(io::ErrorKind::BrokenPipe.into()));
        };
        let (sender, answers) = channel();
        let bar = bar.clone();
        thread::spawn(move || listen(BufReader::new(output), &sender, &bar));
        Ok(Self { child, ids, answers })
    }

    fn ask(&mut self, point: &Point, limit: Option<Duration>) -> Asked {
        if writeln!(self.ids, "{}", point.id).is_err() {
            return Asked::Gone(self.child.wait());
        }
        let answer = match limit {
            Some(limit) => self.answers.recv_timeout(limit),
            None => self.answers.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match answer {
            Ok(answer) => Asked::Answer(answer),
            Err(RecvTimeoutError::Timeout) => Asked::TimedOut,
            Err(RecvTimeoutError::Disconnected) => Asked::Gone(self.child.wait()),
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Takes the answers out of a process's output; what else it prints goes to the standard error.
fn listen(mut output: impl BufRead, answers: &Sender<Answer>, bar: &ProgressBar) {
    let mut line = Vec::new();
    while output.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
        let text = String::from_utf8_lossy(&line);
        let answer = text.strip_prefix(MARK).and_then(|answer| serde_json::from_str(answer).ok());
        match answer {
            // The run may have ended meanwhile.
            Some(answer) => drop(answers.send(answer)),
            None if text.trim().is_empty() => {}
            None => bar.suspend(|| eprint!("{text}")),
        }
        line.clear();
    }
}

/// Runs the points whose ids come by the standard input.
pub(crate) fn serve(sweep: &Sweep, points: &[Point], store: &Store) -> ExitCode {
    keep_places();
    let numbers: HashMap<&str, &Point> = points.iter().map(|point| (point.id.as_str(), point)).collect();
    let (sender, ids) = channel();
    thread::spawn(move || {
        io::stdin().lines().map_while(Result::ok).try_for_each(|id| sender.send(id)).ok();
        // At once, whatever the point does: its result is of no use to anything any more.
        std::process::exit(0);
    });
    for id in ids {
        let answer = match numbers.get(id.as_str()) {
            Some(point) => match here(sweep, point, store) {
                Ok(ended) => Answer::Ended(ended),
                Err(error) => Answer::NotKept(error.to_string()),
            },
            None => Answer::Error(format!("it has no point {id}: has the program been changed meanwhile?")),
        };
        let text = serde_json::to_string(&answer).unwrap_or_default();
        // What a kernel has printed may have no end of line.
        let written = writeln!(io::stdout(), "\n{MARK}{text}");
        if written.and_then(|()| io::stdout().flush()).is_err() {
            break;
        }
    }
    ExitCode::SUCCESS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_found_between_what_kernels_print() {
        let (sender, answers) = channel();
        let text = format!(
            "printed\n\n{MARK}{{\"ended\":\"done\"}}\nhalf a line\n{MARK}{{\"error\":\"a\"}}\n{MARK}nonsense\n\u{fffd}"
        );
        listen(text.as_bytes(), &sender, &ProgressBar::hidden());
        drop(sender);
        assert_eq!(answers.iter().collect::<Vec<_>>(), [Answer::Ended(Ended::Done), Answer::Error("a".into())]);
    }
}
