//! The laws of a memory hierarchy, level by level. Those of whole hierarchies are `tests/hierarchy` of this crate.

mod caches;
mod capacity;
mod coalescing;
mod config;
mod contract;
mod dram;
mod driver;
