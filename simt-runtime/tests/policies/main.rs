//! What holds for every policy.
//!
//! PERF: one program, because each is built with all policies.

mod conformance;
mod independence;
mod reconvergence;
