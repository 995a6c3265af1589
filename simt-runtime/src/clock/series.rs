//! The time series: samples of so many cycles (TACO'09, Figure 16).

use super::figures::{Occupancy, ratio};

/// The events of some cycles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sample {
    /// The first cycle.
    pub begin: u64,
    /// How many cycles.
    pub cycles: u64,
    /// Thread instructions that issued.
    pub thread_instructions: u64,
    /// Threads on cores that had not ended, at the end.
    pub incomplete_threads: u64,
    /// Program instructions that each thread of the block in the first place of the first core had executed at the end.
    pub thread_progress: Vec<u32>,
    /// How many threads issued together. An issue counts where it begins.
    pub occupancy: Occupancy,
}

impl Sample {
    /// Thread instructions per cycle.
    pub fn ipc(&self) -> f64 {
        ratio(self.thread_instructions, self.cycles)
    }
}
