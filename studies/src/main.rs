//! The evaluations of papers on SIMT control flow, run again: every figure beside what was printed.
//!
//! `cargo run --release -p studies -- fung2009` runs that of W. W. L. Fung, I. Sham, G. Yuan and T. M. Aamodt, *Dynamic Warp
//! Formation* (TACO 2009), and writes a folder with its figures and tables, ours beside theirs, and a verdict on each claim.
//! `--quick` does it on an eighth of the machine, with small inputs.

mod fung2009;
mod measured;
mod occupancy;
mod options;
mod page;
mod plot;
mod programs;
mod runner;
mod setup;
mod snapshot;

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::{fs, io, thread};

use clap::Parser;

use fung2009::{FIGURES, Figure};
use options::{Options, Study};
use programs::Scale;
use runner::{Needs, Store};

/// The name of the page of claims on the command line.
const CLAIMS: &str = "claims";

fn main() -> ExitCode {
    let Options { study: Study::Fung2009 { figures, quick, output, threads, check, bless } } = Options::parse();
    let scale = if quick { Scale::Quick } else { Scale::Full };
    let threads = threads.or_else(|| thread::available_parallelism().ok().map(Into::into)).unwrap_or(1);
    let compare = match (check, bless) {
        (None, None) => None,
        (Some(file), _) => Some((file, false)),
        (_, Some(file)) => Some((file, true)),
    };
    match fung2009(&figures, scale, &output, threads, compare.as_ref().map(|(file, bless)| (&**file, *bless))) {
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

/// The figures that are wanted: all, if none is named.
fn wanted(names: &[String]) -> Result<Vec<&'static Figure>, String> {
    let known = |name: &&String| name.as_str() != CLAIMS && FIGURES.iter().all(|figure| figure.name != name.as_str());
    if let Some(name) = names.iter().find(known) {
        let all: Vec<&str> = FIGURES.iter().map(|figure| figure.name).chain([CLAIMS]).collect();
        return Err(format!("there is no figure `{name}`: name some of {}", all.join(", ")));
    }
    Ok(FIGURES.iter().filter(|figure| names.is_empty() || names.iter().any(|name| name == figure.name)).collect())
}

/// Runs what the figures need, and writes their pages; what is printed.
///
/// # Errors
/// If a launch fails, a name is not known, or a file cannot be written.
fn fung2009(
    names: &[String],
    scale: Scale,
    output: &Path,
    threads: usize,
    compare: Option<(&Path, bool)>,
) -> Result<String, String> {
    let figures = wanted(names)?;
    let judged = names.is_empty() || names.iter().any(|name| name == CLAIMS);
    let mut needs = Needs::default();
    if judged {
        fung2009::claims_needs(&mut needs, scale);
    }
    figures.iter().for_each(|figure| (figure.needs)(&mut needs, scale));
    let results = runner::run(&needs, scale, threads, &Store::new(&output.join("points"))?)?;

    if let Some((file, bless)) = compare {
        compared(&snapshot::text(&results), file, bless, !names.is_empty())?;
    }
    let folder = output.join(if scale == Scale::Full { "fung2009" } else { "fung2009-quick" });
    fs::create_dir_all(&folder).map_err(|error| format!("{}: cannot be created: {error}", folder.display()))?;
    let mut text = String::new();
    let mut index = String::from("# Dynamic Warp Formation, run again\n\n");
    for figure in figures {
        let page = (figure.page)(&results, scale)?;
        let markdown = page.markdown(figure.title);
        let file = format!(
            "{}.md",
            if figure.name.starts_with(char::is_alphabetic) {
                figure.name.into()
            } else {
                format!("figure-{}", figure.name)
            }
        );
        write(&folder, &file, &markdown)?;
        page.pictures.iter().try_for_each(|(name, svg)| write(&folder, name, svg))?;
        // A `write!` to a string cannot fail.
        let _ = writeln!(index, "* [{}]({file})", figure.title);
        text += &markdown;
        text.push('\n');
    }
    if judged {
        let markdown = fung2009::claims_markdown(&fung2009::claims(&results, scale));
        write(&folder, "claims.md", &markdown)?;
        index += "* [Claims](claims.md)\n";
        text += &markdown;
    }
    if names.is_empty() {
        write(&folder, "README.md", &index)?;
    }
    let _ = writeln!(text, "\n{}", folder.display());
    Ok(text)
}

/// Compares the numbers with those of a file, or writes them there.
///
/// # Errors
/// What has moved, or that the file cannot be read or written.
fn compared(found: &str, file: &Path, bless: bool, is_part: bool) -> Result<(), String> {
    if bless && is_part {
        return Err("--bless writes the numbers of the whole study: name no figures".to_string());
    }
    if bless {
        return fs::write(file, found).map_err(|error| format!("{}: cannot be written: {error}", file.display()));
    }
    let expected = fs::read_to_string(file)
        .map_err(|error| format!("{}: cannot be read: {error}; write it by --bless", file.display()))?;
    let moved = snapshot::differences(&expected, found, is_part);
    match moved.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "these are not the numbers of {}; if they are to be so, write them by --bless and say why in the commit:\n{}",
            file.display(),
            moved.join("\n")
        )),
    }
}

fn write(folder: &Path, file: &str, text: &str) -> Result<(), String> {
    let path = folder.join(file);
    fs::write(&path, text).map_err(|error| format!("{}: cannot be written: {error}", path.display()))
}
