//! The command line.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Parser, ValueEnum};

use crate::study::Study;
use crate::{fairness, fung2009, hanoi, regrouping};

/// The evaluations of papers on SIMT control flow, run again.
#[derive(Parser)]
#[command(version)]
pub(crate) struct Options {
    /// What is run again
    pub(crate) study: Named,
    /// Figures by their names, and `claims`: all if there is none; a name that is none lists them
    pub(crate) figures: Vec<String>,
    /// Two cores with one memory module, and small inputs
    #[arg(long)]
    pub(crate) quick: bool,
    /// Where the pages go; what has been measured is kept below it
    #[arg(long, default_value = "target/studies")]
    pub(crate) output: PathBuf,
    /// Threads of the host: as many as it has processors, if not given
    #[arg(long)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Compare the numbers with those of this file, and fail if one has moved; of named figures, only theirs
    #[arg(long, value_name = "FILE", conflicts_with = "bless")]
    pub(crate) check: Option<PathBuf>,
    /// Write the numbers to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) bless: Option<PathBuf>,
}

/// A study by its name.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Named {
    /// Dynamic Warp Formation (W. Fung, I. Sham, G. Yuan and T. Aamodt, TACO 2009)
    Fung2009,
    /// Control Flow Management in Modern GPUs (M. Abaie Shoushtary, J. Tubella and A. González)
    Hanoi,
    /// Thread Block Compaction (HPCA 2011), Dynamic Warp Subdivision (ISCA 2010) and Multi-Path (HPCA 2014) against stacks
    Regrouping,
    /// Which programs end: ESOP 2012, section 5, and the paper on Hanoi
    Fairness,
}

impl Named {
    pub(crate) const fn study(self) -> Study {
        match self {
            Self::Fung2009 => fung2009::STUDY,
            Self::Hanoi => hanoi::STUDY,
            Self::Regrouping => regrouping::STUDY,
            Self::Fairness => fairness::STUDY,
        }
    }
}
