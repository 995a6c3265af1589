//! The laws of a memory hierarchy, level by level, and what only the crate can call. The others of whole hierarchies are in
//! `tests/hierarchy`.

mod caches;
mod capacity;
mod coalescing;
mod config;
mod contract;
mod dram;
mod driver;
mod parts;

use super::{CacheConfig, CrossbarConfig, DramConfig, HierarchyConfig, MemoryOrder, Replacement};
