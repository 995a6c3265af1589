//! The laws of a memory hierarchy, level by level and as a whole.

mod bandwidth;
mod caches;
mod capacity;
mod coalescing;
mod config;
mod contract;
mod dram;
mod driver;
mod latency;
mod lists;
