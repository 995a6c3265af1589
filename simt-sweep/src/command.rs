//! The command line: `points`, `run`, `merge`, `plot`.

use crate::error::SweepError;
use crate::plot::Picture;
use crate::run::{self, How};
use crate::select::{Shard, selected};
use crate::store::Store;
use crate::sweep::Sweep;
use crate::table::Table;
use crate::worker;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::fmt::Write as _;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// What stands behind the help.
const AFTER: &str = "\
Exit codes:
  0  all is well
  1  points have failed, were stopped, or are missing
  2  the command line, or the sweep, cannot be meant so
  3  a file cannot be read or written";

/// Runs a kernel over policies, machines and inputs: here, in shards on many machines, or point by point.
#[derive(Debug, Parser)]
#[command(after_help = AFTER)]
struct Options {
    #[command(subcommand)]
    command: Command,
}

/// What is to be done with a sweep: a subcommand for [`clap`], which [`Sweep::command`] carries out.
#[derive(Debug, Subcommand)]
#[non_exhaustive]
pub enum Command {
    /// Lists the points: JSON, a line each
    Points(Points),
    /// Runs points whose results are not known, and keeps each result in a file of its own
    Run(Box<Run>),
    /// Writes all results as one table, and lists what is missing or has failed
    Merge(Merge),
    /// Draws a figure over a field or input, as SVG
    Plot(Plot),
}

/// Which points.
#[derive(Args, Clone, Debug)]
struct Which {
    /// Points by their ids, numbers or ranges of numbers: 3f2a9c0d11e84b76 7 100-199; all if there is none
    #[arg(value_name = "POINT")]
    points: Vec<String>,
    /// A part of them: of eight the third has every eighth point, from the third on
    #[arg(long, value_name = "3/8")]
    shard: Option<Shard>,
}

/// Where results are.
#[derive(Args, Clone, Debug)]
struct Where {
    /// The folder with a file for each point: target/sweeps/ and the sweep's name, if not given
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// The options of `points`.
#[derive(Args, Clone, Debug)]
pub struct Points {
    #[command(flatten)]
    which: Which,
    /// Their ids only
    #[arg(long)]
    ids: bool,
}

/// The options of `run`.
#[derive(Args, Clone, Debug)]
pub struct Run {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    place: Where,
    /// How many points run at a time: as many as there are processors, if not given
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// How long a point may take; how many it reaches depends on the computer, so a limit of work, the field `work_limit`, is the better one
    #[arg(long, value_name = "SECONDS", value_parser = seconds, conflicts_with = "in_process")]
    timeout: Option<Duration>,
    /// Run points again that have failed or were stopped
    #[arg(long)]
    retry: bool,
    /// Run points in this process, for a debugger: one that aborts or runs for ever takes all with it
    #[arg(long)]
    in_process: bool,
    /// No progress bar, and nothing to say if all is well
    #[arg(long)]
    quiet: bool,
    /// Be a process of another run
    #[arg(long, hide = true)]
    worker: bool,
}

/// The options of `merge`.
#[derive(Args, Clone, Debug)]
pub struct Merge {
    #[command(flatten)]
    place: Where,
    /// How the table is written
    #[arg(long, value_enum, default_value_t = Form::Csv)]
    format: Form,
    /// The file that the table goes to: the standard output, if not given
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The options of `plot`.
#[derive(Args, Clone, Debug)]
pub struct Plot {
    #[command(flatten)]
    place: Where,
    /// The column along the picture: a field, an input, policy, machine, kernel
    #[arg(long, value_name = "COLUMN")]
    x: String,
    /// The figure that is drawn
    #[arg(long, value_name = "COLUMN")]
    y: String,
    /// The columns that each have a line or bar of their own: all that differ, if not given
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',')]
    by: Vec<String>,
    /// Only points with this value in a column
    #[arg(long = "where", value_name = "COLUMN=VALUE")]
    only: Vec<String>,
    /// The file that the picture goes to
    #[arg(long, value_name = "FILE.svg")]
    output: PathBuf,
}

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Comma-separated values, with a line of names
    Csv,
    /// JSON, an object and a line for each point
    Jsonl,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: Option<f64> = text.parse().ok().filter(|&seconds| seconds > 0.0);
    let limit = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    limit.ok_or_else(|| "write seconds above 0, such as 60 or 0.5".to_string())
}

impl Sweep {
    /// Carries out what the command line asks for: what a program of a sweep consists of. Errors are printed, and the exit
    /// code says what came of it: see `--help`.
    pub fn main(&self) -> ExitCode {
        self.command(&Options::parse().command)
    }

    /// Carries out a subcommand, for programs that have a command line of their own. `run` starts this program again, as it
    /// was called, with `--worker` at the end: what it parses then must lead here again.
    pub fn command(&self, command: &Command) -> ExitCode {
        match self.carry_out(command) {
            Ok(code) => code,
            Err(error) => {
                let _ = writeln!(io::stderr(), "error: {error}");
                ExitCode::from(if error.is_of_files() { 3 } else { 2 })
            }
        }
    }

    /// Runs all points in this process, on all its processors; those whose results are in the folder are not run again.
    ///
    /// # Errors
    /// If something is wrong with the sweep, or the results cannot be written. What a point does is no error here.
    pub fn run(&self, folder: &Path) -> Result<run::Summary, SweepError> {
        let points = self.points()?;
        let how = How { in_process: true, quiet: true, ..How::default() };
        run::run(self, &points.iter().collect::<Vec<_>>(), &Store::new(folder), how)
    }

    /// Reads all results.
    ///
    /// # Errors
    /// If something is wrong with the sweep, or the folder cannot be read.
    pub fn merge(&self, folder: &Path) -> Result<Table, SweepError> {
        Table::read(self.points()?, &Store::new(folder))
    }

    fn carry_out(&self, command: &Command) -> Result<ExitCode, SweepError> {
        let points = self.points()?;
        match command {
            Command::Points(Points { which, ids }) => {
                let mut text = String::new();
                let numbers = points.iter().enumerate().map(|(number, point)| (&*point.id, number));
                let numbers: std::collections::HashMap<&str, usize> = numbers.collect();
                for point in selected(&points, &which.points, which.shard)? {
                    let _ = if *ids {
                        writeln!(text, "{}", point.id)
                    } else {
                        let number = numbers.get(&*point.id).copied().unwrap_or_default();
                        writeln!(text, "{}", serde_json::to_string(&Listed { number, point }).unwrap_or_default())
                    };
                }
                printed(&text)?;
                Ok(ExitCode::SUCCESS)
            }
            Command::Run(options) => {
                let store = self.store(&options.place);
                if options.worker {
                    return Ok(worker::serve(self, &points, &store));
                }
                let Run { threads, retry, in_process, timeout: limit, quiet, .. } = **options;
                let how = How { threads: threads.map(usize::from), retry, in_process, limit, quiet };
                let chosen = selected(&points, &options.which.points, options.which.shard)?;
                let summary = run::run(self, &chosen, &store, how)?;
                let mut text = String::new();
                for reason in &summary.damaged {
                    let _ = writeln!(text, "run again: {reason}");
                }
                if !quiet || !summary.is_whole() {
                    let _ = writeln!(text, "{summary}");
                }
                let _ = io::stderr().write_all(text.as_bytes());
                Ok(whole(summary.is_whole()))
            }
            Command::Merge(Merge { place, format, output }) => {
                let table = Table::read(points, &self.store(place))?;
                let text = match format {
                    Form::Csv => table.csv(),
                    Form::Jsonl => table.json_lines(),
                };
                match output {
                    Some(path) => {
                        std::fs::write(path, text).map_err(|error| SweepError::written(path, error))?;
                    }
                    None => printed(&text)?,
                }
                let mut text = table.problems();
                let _ = match table.others {
                    0 => Ok(()),
                    1 => writeln!(text, "1 result in the folder is of another point, and left alone"),
                    others => writeln!(text, "{others} results in the folder are of other points, and left alone"),
                };
                let _ = io::stderr().write_all(text.as_bytes());
                Ok(whole(table.is_whole()))
            }
            Command::Plot(Plot { place, x, y, by, only, output }) => {
                let table = Table::read(points, &self.store(place))?;
                let svg = Picture { table: &table, title: self.name(), x, y, by, only }.svg()?;
                std::fs::write(output, svg).map_err(|error| SweepError::written(output, error))?;
                let _ = io::stderr().write_all(table.problems().as_bytes());
                Ok(whole(table.is_whole()))
            }
        }
    }

    fn store(&self, place: &Where) -> Store {
        let default = || Path::new("target").join("sweeps").join(self.name());
        Store::new(&place.folder.clone().unwrap_or_else(default))
    }
}

/// A point with its number.
#[derive(serde::Serialize)]
struct Listed<'p> {
    number: usize,
    #[serde(flatten)]
    point: &'p crate::Point,
}

fn whole(is_whole: bool) -> ExitCode {
    if is_whole { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints; the reader may have read enough, as `head` has.
///
/// # Errors
/// If nothing can be written there for another reason.
fn printed(text: &str) -> Result<(), SweepError> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(SweepError::written(Path::new("the standard output"), error))
        }
        _ => Ok(()),
    }
}
