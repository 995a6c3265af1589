//! The command line.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

/// The evaluations of papers on SIMT control flow, run again.
#[derive(Parser)]
#[command(version)]
pub(crate) struct Options {
    #[command(subcommand)]
    pub(crate) study: Study,
}

/// A paper.
#[derive(Subcommand)]
pub(crate) enum Study {
    /// Dynamic Warp Formation (W. Fung, I. Sham, G. Yuan and T. Aamodt, TACO 2009)
    Fung2009 {
        /// Figures by their numbers, and `table2` to `table5`, `sensitivity`, `claims`: all if there is none
        figures: Vec<String>,
        /// Two cores with one memory module, and small inputs
        #[arg(long)]
        quick: bool,
        /// Where the pages go; what has been measured is kept below it
        #[arg(long, default_value = "target/studies")]
        output: PathBuf,
        /// Threads of the host: as many as it has processors, if not given
        #[arg(long)]
        threads: Option<usize>,
        /// Compare the numbers with those of this file, and fail if one has moved; of named figures, only theirs
        #[arg(long, value_name = "FILE", conflicts_with = "bless")]
        check: Option<PathBuf>,
        /// Write the numbers to this file
        #[arg(long, value_name = "FILE")]
        bless: Option<PathBuf>,
    },
}
