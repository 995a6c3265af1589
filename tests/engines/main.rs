//! The engines that launches run, without checks.
//!
//! Debug builds have one for all policies, others one that is compiled for each. CI runs these tests with both: see
//! `.ci/release-engine.toml`.

mod agree;
mod allocations;
