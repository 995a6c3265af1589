//! Why a thread has no transition: what the kernel did wrong.

use simt_core::LaneMask;
use simt_core::program::{ArrayId, EvaluateFault, Memory as Slice};

/// A thread cannot go on. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("thread {thread}: {kind}")]
pub struct Fault {
    /// Its number in the warp.
    pub thread: usize,
    /// What is wrong.
    pub kind: FaultKind,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultKind {
    /// An expression has no value.
    #[error("{0}")]
    Evaluate(EvaluateFault),
    /// A store or an atomic operation out of bounds.
    #[error("index {index} is out of bounds of a slice of length {length}")]
    OutOfBounds {
        /// The slice or array.
        slice: Slice,
        /// The index.
        index: u32,
        /// How many elements there are.
        length: u32,
    },
    /// An atomic operation on an element that no thread has written.
    #[error("element {index} is read, but no thread has written it")]
    Unwritten {
        /// The array.
        slice: Slice,
        /// The index.
        index: u32,
    },
    /// A store to a local array of a function that is not active.
    #[error("the function that declares array {} is not active", .0.0)]
    NotActive(ArrayId),
    /// The kernel ends itself.
    #[error("panicked: {0}")]
    Panic(String),
    /// A thread at a collective does not name itself.
    #[error("it is not among the threads that it names, {0}")]
    NotNamed(LaneMask),
    /// A thread at a collective names threads that have not come.
    #[error("it waits for threads that have not come: {0}")]
    Missing(LaneMask),
    /// A shuffle from a thread that takes no part.
    #[error("thread {0} takes no part in its shuffle")]
    FromAbsent(u32),
    /// Calls nest deeper than [`CALL_DEPTH`](crate::CALL_DEPTH).
    #[error("calls nest too deeply")]
    CallDepth,
    /// No rule applies: the configuration is not a reachable one.
    #[error("no rule applies")]
    Stuck,
}
