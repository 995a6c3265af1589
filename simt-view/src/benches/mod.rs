//! Benches of [criterion](https://docs.rs/criterion) over its baselines: how long they took, and how full the lanes were.
//!
//! Criterion keeps what it has measured by baseline: `cargo bench -- --save-baseline 1a2b3c4`. A bench leaves the report of its
//! kernel beside that, and a page shows both over the baselines, one named by each commit for instance.
//!
//! ```no_run
//! use simt::prelude::*;
//! use simt_view::benches::BenchReports;
//!
//! # #[kernel]
//! # fn double(x: &mut [u32]) { x[global_id()] *= 2; }
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // In the bench's `main`, whose arguments are criterion's.
//! let reports = BenchReports::from_args();
//! let report = Gpu::<Ipdom>::default().launch(Grid::new(8, 32), double(&mut [1; 256]))?;
//! // What `benchmark_group("double").bench_function(BenchmarkId::new("Ipdom", 256), ..)` measures.
//! reports.leave(&["double", "Ipdom", "256"], &report)?;
//! // Behind `criterion.final_summary()`: target/criterion/simt.html. The command `simt benches` writes it, too.
//! reports.write_page()?;
//! # Ok(())
//! # }
//! ```
//!
//! * `reports`: what benches leave; `read`: what criterion and benches have kept; `page`: the page.

mod page;
mod read;
mod reports;

pub use page::page;
pub use read::{Bench, Measured, read, with_baselines};
pub use reports::BenchReports;

use std::fmt;
use std::path::{Path, PathBuf};

/// What is wrong with a file or folder of benches, or with a baseline that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BenchError {
    /// The file or folder.
    pub path: PathBuf,
    /// Why.
    pub reason: String,
}

impl BenchError {
    fn new(path: &Path, reason: impl fmt::Display) -> Self {
        Self { path: path.to_path_buf(), reason: reason.to_string() }
    }
}

impl fmt::Display for BenchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.reason)
    }
}

impl std::error::Error for BenchError {}
