//! The command `simt`: kernels in PTX, or in the text form of code, on a model of a GPU's SIMT machine.
//!
//! * `options`: the command line and its help; `failure`: exit codes;
//! * `source`: files of kernels; `choice`: policies and machines by name;
//! * `argument`, `contents`, `values`, `bound`: what `--arg` says, what a buffer holds, its numbers, and which parameter each is for;
//! * `outputs`: what files are to be written, before anything runs;
//! * `run`, `sweep`, `listing`: the commands; `views`: the pages, traces and pictures of a run, and the page of
//!   benches.

mod argument;
mod bound;
mod choice;
mod contents;
mod failure;
mod fields;
mod listing;
mod options;
mod outputs;
mod run;
mod source;
mod sweep;
mod values;
#[cfg(feature = "view")]
mod views;

use clap::Parser;
use failure::Failure;
use options::{Command, Options};
use simt::clock::{MACHINES, NamedMachine};
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::process::ExitCode;

fn main() -> ExitCode {
    let outcome = match &Options::parse().command {
        Command::Run(options) => run::run(options),
        Command::Ptx { file: Some(file), .. } => listing::list(file).map(|text| (text, Ok(()))),
        // Without a file the option is there.
        Command::Ptx { file: None, .. } => Ok((simt_ptx::table::page(), Ok(()))),
        #[cfg(feature = "view")]
        Command::Benches { folder, baselines, output } => {
            views::benches(folder, baselines, output.as_deref()).map(|text| (text, Ok(())))
        }
        Command::Policies => Ok((policies(), Ok(()))),
        Command::Machines { toml } => machines(toml.as_deref()).map(|text| (text, Ok(()))),
        // It says by itself what it does.
        Command::Sweep(options) => return sweep::sweep(options).unwrap_or_else(|failure| failed(&failure)),
    };
    let (text, result) = outcome.unwrap_or_else(|failure| (String::new(), Err(failure)));
    // The reader may have read enough: `simt policies | head`.
    let _ = io::stdout().lock().write_all(text.as_bytes());
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failed(&failure),
    }
}

fn failed(failure: &Failure) -> ExitCode {
    // If errors cannot be written either, the exit code is left.
    let _ = writeln!(io::stderr().lock(), "simt: {failure}");
    ExitCode::from(failure.why as u8)
}

/// The policies, one a line.
fn policies() -> String {
    let mut text = String::new();
    let policies = simt_sweep::all();
    let width = policies.iter().map(|policy| policy.name().len()).max().unwrap_or(0);
    for policy in &policies {
        let fair = if policy.is_fair() {
            "fair: every thread that can go on does so"
        } else {
            "not fair to every loop that waits"
        };
        // A `write!` to a string cannot fail.
        let _ = writeln!(text, "{:width$}  {fair}", policy.name());
    }
    text
}

/// The machines, one a line, or all of one as TOML.
fn machines(toml: Option<&str>) -> Result<String, Failure> {
    if let Some(word) = toml {
        let config = choice::config("--toml", word)?;
        return config.to_toml().map_err(|error| Failure::file(format!("--toml: {word} cannot be written: {error}")));
    }
    let mut text = String::new();
    for NamedMachine { name, what, config } in MACHINES {
        let config = config();
        let cores = config.clock.map_or(String::new(), |clock| format!(", {} cores", clock.cores));
        let _ = writeln!(text, "{name:10}  warps of {}{cores}: {what}", config.warp_width);
    }
    Ok(text)
}
