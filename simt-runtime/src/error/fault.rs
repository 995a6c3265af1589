//! Faults: actions of threads that have no meaning.

use super::BarrierProblem;
use super::{Called, Race, SourcePlace};
use crate::grid::Dim3;
use crate::memory::BadAccess;
use simt_core::ScalarType;
use simt_core::code::Pc;
use simt_core::ops::ArithmeticFault;
use simt_core::{LaneMask, Source, Span};
use std::borrow::Cow;

/// Which thread of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ThreadPlace {
    /// Index of the block.
    pub block: Dim3,
    /// Index of the thread in its block.
    pub thread: Dim3,
    /// The thread's `global_id()`.
    pub global_id: usize,
    /// Number of the thread's warp in its block.
    pub warp: usize,
    /// Position of the thread in its warp.
    pub lane: usize,
}

/// A thread did something that has no meaning.
///
/// ```
/// use simt::error::FaultKind;
/// use simt::prelude::*;
///
/// #[kernel]
/// fn shift(x: &mut [u32]) {
///     let i = global_id();
///     x[i] = x[i + 1];
/// }
///
/// let mut x = [1, 2, 3, 4];
/// let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 4), shift(&mut x)).unwrap_err();
/// let LaunchError::Fault(fault) = error else { panic!("{error}") };
/// assert_eq!((fault.thread.lane, fault.policy, fault.active.count()), (3, "Ipdom", 4));
/// assert!(matches!(fault.kind, FaultKind::OutOfBounds { index: 4, length: 4, write: false, .. }));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Fault {
    /// The kernel.
    pub kernel: Cow<'static, str>,
    /// The fault of the thread.
    pub kind: FaultKind,
    /// The thread. If several faulted at once, the one in the lowest lane.
    pub thread: ThreadPlace,
    /// The lanes of the warp that were active.
    pub active: LaneMask,
    /// The policy that was running.
    pub policy: &'static str,
    /// The address of the instruction.
    pub pc: Pc,
    /// The place in the source.
    pub span: Span,
    /// The functions that the thread was in, the innermost first; none in the kernel itself.
    pub calls: Vec<Cow<'static, str>>,
    /// Where they were called, as far as the error shows it, the innermost first.
    pub(crate) called: Called,
    /// The lines that the thread had printed.
    pub prints: Vec<String>,
    /// Bytes of shared memory that the grid gives, if the thread was at the array whose length they say.
    pub(crate) given: Option<usize>,
    /// Whether the thread was at an array of its own.
    pub(crate) is_own: bool,
    /// How many elements an index of the user's has, where the thread was at a slice or array.
    pub(crate) row: usize,
    /// Whether the thread was at an array, which the kernel declares.
    pub(crate) is_array: bool,
    /// How many threads of a block whose threads wait for each other had returned.
    pub(crate) returned: usize,
    pub(crate) warp_width: usize,
    pub(crate) source: Source,
}

/// The kinds of faults.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// Accessed a slice beyond its end.
    OutOfBounds {
        /// The slice's name in the kernel.
        slice: Cow<'static, str>,
        /// The index; of an array of arrays the outer one, if the element's place in memory is one that an index can have.
        index: usize,
        /// The slice's length, in elements that such an index names.
        length: usize,
        /// Whether it was written.
        write: bool,
    },
    /// Accessed memory by an address that does not allow it.
    Address(Box<BadAccess>),
    /// Divided an integer by zero.
    DivisionByZero {
        /// The dividend.
        dividend: String,
    },
    /// Took an integer remainder by zero.
    RemainderByZero {
        /// The dividend.
        dividend: String,
    },
    /// Computed an integer that its type does not have, or shifted by the type's width or more: only on a machine whose
    /// config has [`Overflow::Fault`](crate::Overflow::Fault).
    Overflow {
        /// The attempt in words, as Rust has them: `add`, `shift left`.
        attempt: &'static str,
        /// The operation with its values, as Rust writes it: `255 + 1`. Of a shift by a count that is no `u32`, the count is
        /// 4294967295.
        operation: String,
        /// The type of the first value.
        ty: ScalarType,
    },
    /// Called a numeric method that has no result for these operands.
    NoResult {
        /// The method.
        method: &'static str,
        /// The value that it was called on.
        receiver: String,
        /// Its arguments.
        arguments: Vec<String>,
        /// The problem of the operands.
        reason: ArithmeticFault,
    },
    /// Read an element of a `#[shared]` array that no thread of its block had written.
    Unwritten {
        /// The array's name in the kernel.
        array: Cow<'static, str>,
        /// The index, where elements are arrays that of one of theirs, all counted.
        index: usize,
        /// An earlier block that had written it, if there is one: a block does not see the values of others.
        by_block: Option<Dim3>,
        /// Whether a thread of the block has stored to it, and that store has not come to memory yet: only where memory is
        /// [`MemoryModel::Environment`](crate::MemoryModel::Environment).
        in_flight: bool,
        /// Where the array is declared.
        declared: SourcePlace,
    },
    /// Accessed an element that another thread has accessed, one of the two writing it, with nothing that orders them.
    /// Launches with a [`RaceCheck`](crate::RaceCheck) look for it.
    Race(Box<Race>),
    /// An assertion failed, or `panic!` was reached.
    Panic {
        /// The assertion's message.
        message: String,
    },
    /// Called functions in functions to a greater depth than the machine has room for.
    CallDepth {
        /// The machine's `call_depth`.
        limit: usize,
    },
    /// Called functions that keep more for their callers than a thread has memory: variables and arrays of recursive
    /// functions.
    CallMemory {
        /// The machine's `local_memory`, in bytes.
        limit: usize,
    },
    /// Took part in an operation of lanes that it did not name.
    NotNamed {
        /// The operation.
        operation: &'static str,
        /// The lanes that it named.
        named: LaneMask,
    },
    /// Asked for the value of a lane that does not take part.
    AbsentLane {
        /// The operation.
        operation: &'static str,
        /// The lane.
        lane: usize,
        /// The lanes that take part.
        present: LaneMask,
    },
    /// Used a barrier of the block in a way that it does not have.
    Barrier {
        /// The problem.
        problem: BarrierProblem,
    },
}
