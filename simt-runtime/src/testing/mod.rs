//! What it takes to test a policy or an engine: random kernels, and a reference that runs them thread by thread.
//!
//! The kernels of [`random_program`] end, have no data races, and use every statement and operation of the language, so
//! that every policy at every warp width must give the results that [`reference()`] gives.

mod arrays;
mod conformance;
mod core_laws;
mod generate;
mod laws;
mod random;
mod reference;

pub use arrays::{Arrays, Atomics};
pub use conformance::{Disagreement, check_laws, check_policy};
pub use core_laws::LawfulCore;
pub use generate::{Faults, random_program};
pub use laws::Lawful;
pub use random::Random;
pub use reference::{Outcome, ReferenceFault, Refusal, reference};
