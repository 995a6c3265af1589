//! Checks of a launch while it runs: the invariants of the machine. (Races are found with [`RaceCheck`](crate::RaceCheck).)

#[doc(inline)]
pub use simt_runtime::{Check, Checks};
