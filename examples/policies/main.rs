//! The matrix: every kernel of the gallery under every reconvergence policy.
//!
//! `cargo run --release --example policies` prints SIMD efficiency and issues of each pair, or how its launch does not end,
//! and which mechanism suits which kernel; it draws the efficiencies as a heat map, `target/policies.svg` unless
//! `--output FILE` says otherwise.

mod answer;
mod heat_map;
// The kernels are the gallery's.
#[path = "../gallery/kernels/mod.rs"]
mod kernels;
mod matrix;

use std::path::PathBuf;
use std::{fs, io};

use clap::Parser;
use simt::prelude::*;

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

/// Runs every kernel under every policy.
macro_rules! rows {
    ($($kernel:ident)*) => {
        |width: usize| -> Result<Vec<Row>, LaunchError> {
            Ok(vec![$({
                let mut cells = Vec::new();
                for_each_policy!(P => {
                    // Examples are built with the feature `testing`, which would check every step.
                    let gpu = Gpu::<P>::default().with_checks(Checks::none()).with_step_limit(kernels::step_limit::<P>());
                    cells.push(match kernels::$kernel::run(&gpu.with_warp_width(width)) {
                        Ok(report) => Ok(Cell { efficiency: report.simd_efficiency(), issues: report.issues() }),
                        Err(error) => Err(kernels::unending(&error).ok_or(error)?),
                    });
                });
                Row { kernel: stringify!($kernel), cells }
            }),*])
        }
    };
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = Options::parse();
    let mut policies = Vec::new();
    for_each_policy!(P => policies.push(P::name()));
    let rows = kernels::with_kernels!(rows)(options.width)?;
    let matrix = Matrix { policies, rows };

    if let Some(folder) = options.output.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(&options.output, heat_map::svg(&matrix))?;
    let text = format!("{}\n{}\n{}", matrix.table(), answer::which_suits(&matrix), options.output.display());
    match io::Write::write_fmt(&mut io::stdout().lock(), format_args!("{text}\n")) {
        // The reader of the output has closed it, as `head` does.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result?),
    }
}
