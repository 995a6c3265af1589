//! The means to test a policy or an engine: random kernels, and a reference that runs them thread by thread; and memory
//! hierarchies to send requests to, with the contract of their levels as a test.
//!
//! The kernels of [`random_program`] end, have no data races, and use every statement and operation of the language but for
//! what has to be asked for ([`Construct`]), so that every policy at every warp width must give the results that
//! [`reference()`] gives.

mod arrays;
mod conformance;
mod generate;
mod random;
mod reconvergence;
mod reference;

pub use arrays::{Arrays, Atomics};
pub use conformance::{ConformanceCase, Disagreement, check_policy, check_policy_together};
pub use generate::{
    Construct, Faults, Unsettled, random_program, random_program_with, shared_memory, unsettled_program,
};
pub use random::Random;
pub use reconvergence::{Masks, Reconvergence, Structured};
pub use reference::{Outcome, ReferenceFault, Refusal, reference, reference_in_warps};
pub use simt_runtime::hierarchy::{hold_level_to_contract, serve_alone, whole_hierarchy};
