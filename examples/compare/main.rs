//! Four divergence-heavy algorithms under every reconvergence policy, side by side.
//!
//! `cargo run --release --example compare` runs Mandelbrot, Collatz, approximate search in a
//! dictionary and breadth-first search, each in plain Rust and as a kernel under every policy,
//! checks that all results agree, and prints one table of policies and algorithms, `-- --all` all figures. `-- --help` tells
//! how to give own data.
//!
//! An algorithm is one file (`mandelbrot.rs`, `collatz.rs`, `spelling.rs`, `bfs.rs`) that
//! implements `workload::Workload`; the others load data (`input.rs`, `words.rs`, `trie.rs`,
//! `graph.rs`) and talk to the user (`cli.rs`, `progress.rs`, `table.rs`, `picture.rs` with the figures
//! that `efficiency.rs` takes from a launch).

mod bfs;
mod cli;
mod collatz;
mod efficiency;
mod graph;
// The picture is drawn as `--example policies` draws its own.
#[path = "../support/heat_map.rs"]
mod heat_map;
mod input;
mod mandelbrot;
mod pages;
mod picture;
mod progress;
mod spelling;
mod table;
mod trie;
mod words;
mod workload;

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Parser, ValueEnum};

use crate::bfs::Bfs;
use crate::cli::{Algorithm, Cli};
use crate::collatz::Collatz;
use crate::graph::Graph;
use crate::input::{InputError, Source};
use crate::mandelbrot::Mandelbrot;
use crate::progress::Progress;
use crate::spelling::Spelling;
use crate::workload::{Measured, Settings, Workload, measure};

fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_pipe(error.as_ref()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: &Cli) -> Result<(), Box<dyn Error>> {
    let begin = Instant::now();
    // All input first: a mistake in a file should not cost a minute.
    let size = cli.size.unwrap_or(if cli.quick { 128 } else { 512 });
    let mandelbrot = cli.wants(Algorithm::Mandelbrot).then(|| Mandelbrot::new(size));
    let collatz = cli.wants(Algorithm::Collatz).then(|| Collatz::new(if cli.quick { 1 << 14 } else { 1 << 18 }));
    let spelling = cli.wants(Algorithm::Spelling).then(|| read_spelling(cli)).transpose()?;
    let bfs = cli.wants(Algorithm::Bfs).then(|| read_graph(cli)).transpose()?;
    std::fs::create_dir_all(&cli.output)
        .map_err(|error| format!("{}: cannot be created: {error}", cli.output.display()))?;

    let settings = Settings {
        warp_width: cli.width,
        patience: if cli.quick { Duration::ZERO } else { Duration::from_millis(500) },
    };
    let wanted = Algorithm::value_variants().iter().filter(|&&algorithm| cli.wants(algorithm)).count();
    let mut progress = Progress::new(wanted as u64 * workload::runs_per_workload(&settings));
    let mut all = Vec::new();
    if let Some(mandelbrot) = &mandelbrot {
        all.push(measure(mandelbrot, &settings, &mut progress)?);
    }
    if let Some(collatz) = &collatz {
        all.push(measure(collatz, &settings, &mut progress)?);
    }
    if let Some(spelling) = &spelling {
        all.push(measure(spelling, &settings, &mut progress)?);
    }
    if let Some(bfs) = &bfs {
        all.push(measure(bfs, &settings, &mut progress)?);
    }
    drop(progress);

    // Before the table, for readers that stop before its end; errors are printed after it.
    let pictures = write_pictures(cli, mandelbrot.as_ref(), &all);
    let pages = pages::write(&cli.output, &all, cli.width);
    let mut out = io::stdout().lock();
    writeln!(out, "{}\n", if cli.all { table::comparison(&all) } else { table::overview(&all) })?;
    for measured in &all {
        writeln!(out, "{:<10}  {}", measured.name, measured.summary)?;
    }
    writeln!(out, "\n{}", table::reading(&all, cli.all))?;
    for (path, legend) in pictures? {
        writeln!(out, "Wrote {}: {legend}.", path.display())?;
    }
    writeln!(out, "Open {} in a browser: the lines that lose lanes, and under which policy fewer.", pages?.display())?;
    writeln!(out, "Took {}", table::duration(begin.elapsed()))?;
    Ok(())
}

/// Writes the pictures; their paths, and what there is to see.
fn write_pictures(
    cli: &Cli,
    mandelbrot: Option<&Mandelbrot>,
    all: &[Measured],
) -> Result<Vec<(PathBuf, &'static str)>, Box<dyn Error>> {
    let drawn = table::picture(all)?.write(&cli.output, "compare")?;
    let says = ["the SIMD efficiency of each algorithm under each policy", "its numbers"];
    let mut pictures: Vec<_> = drawn.into_iter().zip(says).collect();
    if let Some(mandelbrot) = mandelbrot {
        let (iterations, efficiency) = (mandelbrot.host(), mandelbrot.efficiency_of_warps(cli.width)?);
        pictures.extend(picture::write_both(&cli.output, mandelbrot.size, &iterations, cli.width, &efficiency)?);
    }
    Ok(pictures)
}

fn read_spelling(cli: &Cli) -> Result<Spelling, InputError> {
    let dictionary = cli.words.as_deref().map_or_else(|| Ok(words::bundled_dictionary()), Source::open)?;
    let misspelt = cli.misspelt.as_deref().map_or_else(|| Ok(words::bundled_misspelt()), Source::open)?;
    let mut misspelt = words::read_misspelt(&misspelt)?;
    if cli.quick {
        misspelt.truncate(256);
    }
    Ok(Spelling::new(words::read_dictionary(&dictionary)?, misspelt))
}

fn read_graph(cli: &Cli) -> Result<Bfs, InputError> {
    let graph = cli.graph.as_deref().map_or_else(|| Ok(graph::bundled_graph()), Source::open)?;
    Ok(Bfs::new(Graph::read(&graph)?))
}

/// Whether the reader of the output has closed it, as `head` does, which is no error.
fn is_closed_pipe(error: &(dyn Error + 'static)) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
