//! A study on many computers: GNU parallel, Slurm, Dask, HyperQueue.
//!
//! None of them is needed, and none knows of this crate. Whatever starts processes can run a study, as three things hold:
//!
//! * the program is the same everywhere, and so are ids, numbers and shards of its points;
//! * all processes write to one folder, `--folder`, which all computers see; each result is a file that is there whole or not
//!   at all. Folders that are not shared can be copied into one afterwards;
//! * whatever was killed is started again as it was: `run` goes on where it was.
//!
//! ```sh
//! study points --ids          # what there is to do: an id a line
//! study run --shard 3/8       # an eighth of it, every eighth point
//! study run ID ID ID          # these points
//! study merge > study.csv     # exit code 1 as long as points are missing or have failed, and a list of them
//! ```
//!
//! `run` takes as many processors as there are: say `--threads 1` where a scheduler gives it one. Its exit code is 1 if points
//! have failed or timed out; they are not run again without `--retry`, so that a scheduler may try again without harm.
//!
//! The scripts below are files of this crate's folder `recipes`. `STUDY` is the program, `FOLDER` where the results are.
//!
//! # GNU parallel
//!
//! On Debian `apt-get install parallel`; the script is tested with version 20221122.
//!
//! ```sh
#![doc = include_str!("../recipes/parallel.sh")]
//! ```
//!
//! # Slurm
//!
//! `sbatch --array=1-8 slurm.sh STUDY FOLDER`; with `--wait` it ends when all tasks have. Tasks that are cancelled or requeued
//! leave whole results only. The script is tested with version 22.05, on one computer.
//!
//! ```sh
#![doc = include_str!("../recipes/slurm.sh")]
//! ```
//!
//! To try it without a cluster, `recipes/one-node-slurm.sh start` makes one of this computer alone, as root, and `stop` ends it.
//!
//! # Dask
//!
//! `dask_study.py STUDY FOLDER`, behind `pip install 'dask[distributed]'`; the script is tested with version 2026.8 and Python 3.11.
//!
//! ```python
#![doc = include_str!("../recipes/dask_study.py")]
//! ```
//!
//! # HyperQueue
//!
//! **Untested**: written from its manual, which says that `--array` starts a task for each number, and that a task finds its own
//! in `HQ_TASK_ID`.
//!
//! ```sh
#![doc = include_str!("../recipes/hyperqueue.sh")]
//! ```
//!
//! # Your own
//!
//! A program that has a command line of its own takes [`Command`](crate::Command) into it:
//!
//! ```no_run
//! use clap::Parser;
//! use simt_sweep::{Command, Sweep};
//! use std::process::ExitCode;
//!
//! #[derive(Parser)]
//! struct Options {
//!     /// How large the inputs are
//!     #[arg(long, default_value_t = 64)]
//!     size: u32,
//!     #[command(subcommand)]
//!     command: Command,
//! }
//!
//! fn main() -> ExitCode {
//!     let options = Options::parse();
//!     let sweep = Sweep::new("mine").kernel("length", |point| Ok(point.input::<u32>("size")?)).inputs("size", [options.size]);
//!     sweep.command(&options.command)
//! }
//! ```
//!
//! Where a scheduler has a library for Rust, [`Sweep::points`](crate::Sweep::points) lists the points to it, and
//! [`Sweep::merge`](crate::Sweep::merge) reads what there is.
