//! Observers: they see what a launch issues.

#[doc(inline)]
pub use simt_runtime::{ClockEvent, Issue, IssueTrace, Moment, Observer, WarpId};
