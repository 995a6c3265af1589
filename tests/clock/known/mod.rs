//! Kernels whose times are known in advance.
//!
//! What a launch spends before and after the part that is of interest is the same for a kernel with twice as much of it: the
//! difference of two launches is the part alone.

mod atomics;
mod bandwidth;
mod banks;
mod coalescing;
mod forming;
mod issue;
mod latency;
mod little;
mod memory_divergence;
mod reasons;
mod whole;
