//! The command `simt`: kernels in PTX, or in the text form of code, on a model of a GPU's SIMT machine.
//!
//! * `options`: the command line and its help; `failure`: exit codes;
//! * `source`: files of kernels; `choice`: policies and machines by name;
//! * `argument`, `contents`, `values`, `bound`: what `--arg` says, what a buffer holds, its numbers, and which parameter each is for;
//! * `run`, `listing`: the commands; `views`: the pages, traces and pictures of a run.

mod argument;
mod bound;
mod choice;
mod contents;
mod failure;
mod listing;
mod options;
mod run;
mod source;
mod values;
#[cfg(feature = "view")]
mod views;

use clap::Parser;
use failure::Failure;
use options::{Command, Options};
use run::Outcome;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::process::ExitCode;

fn main() -> ExitCode {
    let options = Options::parse();
    let (text, result) = command(&options.command).unwrap_or_else(|failure| (String::new(), Err(failure)));
    // The reader may have read enough: `simt policies | head`.
    let _ = io::stdout().lock().write_all(text.as_bytes());
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let _ = writeln!(io::stderr().lock(), "simt: {failure}");
            ExitCode::from(failure.why as u8)
        }
    }
}

fn command(command: &Command) -> Result<Outcome, Failure> {
    match command {
        Command::Run(options) => run::run(options),
        Command::Ptx { file } => Ok((listing::list(file)?, Ok(()))),
        Command::Policies => Ok((policies(), Ok(()))),
        Command::Machines => Ok((machines(), Ok(()))),
    }
}

/// The policies, one a line.
fn policies() -> String {
    let mut text = String::new();
    let rows = choice::policies();
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
    for row in &rows {
        let fair =
            if row.fair { "fair: every thread that can go on does so" } else { "not fair to every loop that waits" };
        // A `write!` to a string cannot fail.
        let _ = writeln!(text, "{:width$}  {fair}", row.name);
    }
    text
}

/// The machines, one a line.
fn machines() -> String {
    let mut text = String::new();
    for (name, what, config) in choice::MACHINES {
        let config = config();
        let cores = config.clock.map_or(String::new(), |clock| format!(", {} cores", clock.cores));
        let _ = writeln!(text, "{name:10}  warps of {}{cores}: {what}", config.warp_width);
    }
    text
}
