//! The evaluations of papers on SIMT control flow, run again: every figure beside what was printed.
//!
//! `cargo run --release -p studies -- fung2009` runs that of W. W. L. Fung, I. Sham, G. Yuan and T. M. Aamodt, *Dynamic Warp
//! Formation* (TACO 2009), and writes a folder with its figures and tables, ours beside theirs, and a verdict on each claim.
//! The other studies are listed by `--help`. `--quick` does it on an eighth of the machine, with small inputs.

mod claims;
mod compare;
mod endings;
mod fairness;
mod fnv;
mod fung2009;
mod hanoi;
mod measured;
mod occupancy;
mod options;
mod page;
mod plot;
mod programs;
mod regrouping;
mod runner;
mod setup;
mod skeleton;
mod snapshot;
mod store;
mod study;
mod traces;

use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::{io, thread};

use clap::Parser;

use compare::Compare;
use options::Options;
use programs::Scale;
use study::How;

fn main() -> ExitCode {
    let Options { study, figures, quick, output, threads, check, bless } = Options::parse();
    let scale = if quick { Scale::Quick } else { Scale::Full };
    let threads = threads.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
    let compare = match (check, bless) {
        (Some(file), _) => Some(Compare::Check(file)),
        (None, file) => file.map(Compare::Bless),
    };
    match study.study().run(&figures, &How { scale, output: &output, threads, compare }) {
        Ok(text) => match io::Write::write_all(&mut io::stdout().lock(), text.as_bytes()) {
            // The reader of the output has closed it, as `head` does.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => failed(&error.to_string()),
            _ => ExitCode::SUCCESS,
        },
        Err(error) => failed(&error),
    }
}

fn failed(error: &str) -> ExitCode {
    // If errors cannot be written either, the exit code is left.
    let _ = io::Write::write_all(&mut io::stderr().lock(), format!("error: {error}\n").as_bytes());
    ExitCode::FAILURE
}
