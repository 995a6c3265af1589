//! Observers: they see what a launch issues.

#[doc(inline)]
pub use simt_runtime::{Issue, IssueTrace, Observer, WarpId};
