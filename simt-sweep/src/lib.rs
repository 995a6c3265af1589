//! Sweeps without a scheduler of their own: kernels over policies, machines, fields of machines and inputs.
//!
//! A study is a program that says what its points are. This is a whole one, which asks how much of a cache each policy needs:
//!
//! ```no_run
//! use simt::prelude::*;
//! use simt_sweep::{Figures, Sweep, all};
//! use std::process::ExitCode;
//!
//! #[kernel]
//! fn gather(from: &[u32], to: &mut [u32]) {
//!     let i = global_id();
//!     let mut at = i;
//!     let mut sum = 0;
//!     while from[at] > i as u32 {
//!         sum += from[at];
//!         at = (at * 7 + 1) % from.len();
//!     }
//!     to[i] = sum;
//! }
//!
//! fn main() -> ExitCode {
//!     Sweep::new("caches")
//!         .version(gather::program())
//!         .kernel("gather", |point| {
//!             let n: usize = point.input("n")?;
//!             let from: Vec<u32> = (0..n as u32).rev().collect();
//!             let mut to = vec![0; n];
//!             let report = point.launch(Grid::covering(n, 128), gather(&from, &mut to))?;
//!             Ok(Figures::of(&report))
//!         })
//!         .policies(all())
//!         .machines(["fermi", "turing"])
//!         .field("clock.memory.l1.bytes", [16 << 10, 32 << 10, 64 << 10])
//!         .inputs("n", [256, 1024])
//!         .main()
//! }
//! ```
//!
//! The program has four subcommands:
//!
//! ```text
//! caches points                                     # a line of JSON for each point
//! caches run                                        # all that have not run yet, on all processors
//! caches run --shard 3/8                            # the third of eight parts, on this computer
//! caches run 3f2a9c0d11e84b76 7 100-199             # points by id or number
//! caches merge > caches.csv                         # all results as one table, and what is missing
//! caches plot --x clock.memory.l1.bytes --y ipc --where n=1024 --where machine=turing --output caches.svg
//! ```
//!
//! # Points
//!
//! A point is a kernel, a policy, a machine with values in its fields, and inputs. Its id is a hash of all that its result
//! depends on: these, the whole config of the machine, the version of this crate and what [`Sweep::version`] adds. It is the
//! same on every computer, and does not change if the sweep gets more values: a study grows, and what it has stays. Results
//! depend neither on where points run nor on their order, and two runs of one point write the same bytes.
//!
//! What no build can know is whether the function that you give to [`Sweep::kernel`] has changed: say so by
//! [`Sweep::version`], by a kernel's `program()`, or by a number that you raise.
//!
//! # Runs
//!
//! `run` keeps each result in a file of its own, written whole or not at all, and skips points that have one: whatever ends
//! a run, the next one goes on where it was, and any number of runs may share a folder, at the same time, too. A file that was
//! cut off or edited is found out by its hash, and its point runs again.
//!
//! Points run in processes of their own, one for each processor. A point that returns an error, panics, aborts, overflows its
//! stack or runs longer than `--timeout` is kept as failed or timed out, with the reason, and the others go on; `--retry` runs
//! such points again. If a process is killed from outside, its point begins again, three times at most. A launch of this
//! library ends by itself where it makes no progress; a limit that means the same on every computer is the field `work_limit`.
//!
//! # From Rust
//!
//! [`Sweep::points`], [`Sweep::run`] and [`Sweep::merge`] do the same within a program, without processes:
//!
//! ```
//! use simt::prelude::*;
//! use simt_sweep::{Figures, Sweep, policy};
//!
//! #[kernel]
//! fn collatz(start: &[u32], steps: &mut [u32]) {
//!     let i = global_id();
//!     let mut n = start[i];
//!     while n != 1 {
//!         if n % 2 == 0 { n /= 2; } else { n = 3 * n + 1; }
//!         steps[i] += 1;
//!     }
//! }
//!
//! let sweep = Sweep::new("widths")
//!     .kernel("collatz", |point| {
//!         let start: Vec<u32> = (1..=point.input("n")?).collect();
//!         let mut steps = vec![0; start.len()];
//!         let report = point.launch(Grid::covering(start.len(), 64), collatz(&start, &mut steps))?;
//!         Ok(Figures::of(&report).with("longest", steps.into_iter().max()))
//!     })
//!     .policies([policy::<Ipdom>(), policy::<Hanoi>()])
//!     .field("warp_width", [8, 16, 32])
//!     .inputs("n", [64]);
//! assert_eq!(sweep.points()?.len(), 6);
//!
//! # let folder = std::env::temp_dir().join(format!("simt-sweep-{}", std::process::id()));
//! let summary = sweep.run(&folder)?;
//! assert_eq!((summary.done, summary.known), (6, 0));
//! // Nothing is left to do.
//! assert_eq!(sweep.run(&folder)?.known, 6);
//!
//! let table = sweep.merge(&folder)?;
//! let efficiency = |row: usize| table.rows[row].value("simd_efficiency").and_then(|value| value.as_f64());
//! // Lanes of wider warps wait for more others.
//! assert!(efficiency(0) > efficiency(4));
//! assert!(table.csv().starts_with("number,id,kernel,policy,machine,warp_width,n,outcome,branch_efficiency,"));
//! # std::fs::remove_dir_all(folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`recipes`] has the lines for GNU parallel, Slurm, Dask and HyperQueue.

mod chart;
mod choice;
mod command;
mod error;
mod execute;
mod field;
mod figures;
mod nearest;
mod plot;
mod point;
pub mod recipes;
mod run;
mod select;
mod store;
mod sweep;
mod table;
mod worker;

pub use choice::{MachineChoice, PolicyChoice, all, policy};
pub use command::{Command, Merge, Plot, Points, Run};
pub use error::SweepError;
pub use figures::{FigureValue, Figures};
pub use point::{InputError, Point};
pub use run::Summary;
pub use select::Shard;
#[doc(inline)]
pub use simt::clock::{MACHINES, NamedMachine};
pub use sweep::Sweep;
pub use table::{PointState, Row, Table};
