//! Checks of a launch while it runs: the invariants of the machine, and races.

#[doc(inline)]
pub use simt_runtime::{Check, Checks, RaceCheck};
