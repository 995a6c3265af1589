//! The matrix: every kernel of the gallery under every reconvergence policy.
//!
//! `cargo run --release --example policies` prints SIMD efficiency and issues of each pair, or how its launch does not end,
//! and which mechanism suits which kernel; it draws the efficiencies as a heat map, `target/policies.svg` unless
//! `--output FILE` says otherwise. `docs/policies.svg` is such a map, which a test holds current.

mod answer;
#[path = "../support/heat_map.rs"]
mod heat_map;
// The kernels are the gallery's.
#[path = "../gallery/kernels/mod.rs"]
mod kernels;
mod matrix;
mod table;

use std::path::PathBuf;
use std::{fs, io};

use clap::Parser;
use simt::prelude::*;

use kernels::machine::Machine;
use matrix::{Cell, Matrix, Row};

/// Runs every kernel of the gallery under every reconvergence policy.
#[derive(Parser)]
struct Options {
    /// Where the heat map goes
    #[arg(long, default_value = "target/policies.svg")]
    output: PathBuf,
    /// Lanes of a warp: 4, 8, 16, 32 or 64
    #[arg(long, default_value_t = 32)]
    width: usize,
}

/// Runs a kernel under every policy.
fn row(
    kernel: &'static str,
    run: fn(&dyn Machine) -> Result<Report, LaunchError>,
    width: usize,
) -> Result<Row, LaunchError> {
    let mut cells = Vec::new();
    for_each_policy!(P => {
        // Examples are built with the feature `testing`, which would check every step.
        let gpu = Gpu::<P>::default().with_checks(Checks::none()).with_step_limit(kernels::step_limit::<P>());
        cells.push(match run(&gpu.with_warp_width(width)) {
            Ok(report) => Ok(Cell { efficiency: report.simd_efficiency(), issues: report.issues() }),
            Err(error) => Err(kernels::unending(&error).ok_or(error)?),
        });
    });
    Ok(Row { kernel, cells })
}

/// Calls [`row`] for each kernel.
macro_rules! rows {
    ($($kernel:ident)*) => {
        |width: usize| -> Result<Vec<Row>, LaunchError> {
            Ok(vec![$(row(stringify!($kernel), kernels::$kernel::run, width)?),*])
        }
    };
}

/// Every kernel of the gallery under every policy, in warps of a width.
fn measured(width: usize) -> Result<Matrix, LaunchError> {
    let mut policies = Vec::new();
    for_each_policy!(P => policies.push(P::name()));
    Ok(Matrix { policies, rows: kernels::with_kernels!(rows)(width)? })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = Options::parse();
    let matrix = measured(options.width)?;
    if let Some(folder) = options.output.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(&options.output, matrix.heat_map()?.svg)?;
    let text = format!("{}\n{}\n{}", table::table(&matrix), answer::which_suits(&matrix), options.output.display());
    match io::Write::write_fmt(&mut io::stdout().lock(), format_args!("{text}\n")) {
        // The reader of the output has closed it, as `head` does.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The README shows it.
    #[test]
    fn the_heat_map_in_docs_is_the_one_that_is_drawn() {
        let matrix = measured(32).unwrap_or_else(|error| panic!("{error}"));
        let drawn = matrix.heat_map().expect("a heat map").svg;
        let committed = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/policies.svg");
        let committed = fs::read_to_string(committed).expect("the heat map is committed");
        let differs = drawn.lines().zip(committed.lines()).find(|(drawn, committed)| drawn != committed);
        assert!(
            drawn == committed,
            "look at what has changed, then: cargo run --release --example policies -- --output docs/policies.svg\n{differs:?}"
        );
    }
}
