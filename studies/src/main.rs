//! The evaluations of papers on SIMT control flow, run again: every figure beside what was printed.
//!
//! `cargo run --release -p studies -- fung2009` runs that of W. W. L. Fung, I. Sham, G. Yuan and T. M. Aamodt, *Dynamic Warp
//! Formation* (TACO 2009), and writes a folder with its figures and tables, ours beside theirs, and a verdict on each claim.
//! `--quick` does it on an eighth of the machine, with small inputs.

mod fung2009;
mod measured;
mod occupied;
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

fn explore(args: &[String]) -> Result<(), String> {
    use setup::{Change, Formation, Mechanism, Setup};
    let _ = (Change::Scoreboard, Mechanism::Nrec);
    let scale = if args.iter().any(|a| a == "--full") { Scale::Full } else { Scale::Quick };
    let only: Vec<&String> = args.iter().filter(|a| !a.starts_with("--")).collect();
    let setups = [
        ("NREC", Setup::NREC),
        ("PDOM", Setup::PDOM),
        ("DWF", Setup::DWF),
        ("MIMD", Setup::MIMD),
        ("DPdP", Setup::new(Mechanism::PdomPriority)),
        ("iMaj", Setup::ideal(Mechanism::Majority)),
        ("unb", Setup::DWF.of_formation(Formation::Unbounded)),
    ];
    let dir = format!("/work/w/t-stud/points/{:?}", std::env::var("HM"));
    let store = Store::new(Path::new(&dir))?;
    let few = args.iter().any(|a| a == "--few");
    let mut all = vec![vec![]; setups.len()];
    for p in
        (0..7).filter(|&p| only.is_empty() || only.iter().any(|o| programs::PROGRAMS[p].name.eq_ignore_ascii_case(o)))
    {
        print!("{:8}", programs::PROGRAMS[p].name);
        let mut base = 0.0;
        for (i, (name, s)) in setups.iter().enumerate().filter(|(i, _)| !few || *i < 4) {
            let mut needs = Needs::default();
            needs.one(p, *s);
            let began = std::time::Instant::now();
            let r = runner::run(&needs, scale, 1, &store)?;
            let m = r.of(p, *s);
            if *name == "PDOM" {
                base = m.ipc;
            }
            all[i].push(m.ipc);
            print!(
                " | {name} {:6.2} bw{:3.0} ms{:4.1}/{:4.1} ef{:3.0} wi{:.1e} {:.1}s",
                m.ipc,
                100. * m.bandwidth,
                100. * m.misses,
                100. * m.misses_without_pending,
                100. * m.efficiency,
                m.issues as f64,
                began.elapsed().as_secs_f64()
            );
            if base > 0. && *name != "PDOM" {
                print!(" x{:.2}", m.ipc / base);
            }
        }
        println!();
    }
    for (i, (name, _)) in setups.iter().enumerate() {
        print!(
            "{name} {:.2} ({:.2}) ",
            runner::harmonic(&all[i]),
            runner::harmonic(&all[i]) / runner::harmonic(&all[0])
        );
    }
    println!();
    Ok(())
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.first().is_some_and(|a| a == "explore") {
        return explore(&args[1..]).map_or_else(|e| failed(&e), |()| ExitCode::SUCCESS);
    }
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
    // If nobody reads errors either, the exit code is left.
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
        compared(&snapshot::text(&results), file, bless)?;
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
fn compared(found: &str, file: &Path, bless: bool) -> Result<(), String> {
    if bless {
        return fs::write(file, found).map_err(|error| format!("{}: cannot be written: {error}", file.display()));
    }
    let expected = fs::read_to_string(file)
        .map_err(|error| format!("{}: cannot be read: {error}; write it by --bless", file.display()))?;
    let moved = snapshot::differences(&expected, found);
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
