//! Accesses that nothing orders.

use super::{SourcePlace, ThreadPlace};
use crate::memory::Nearest;
use simt_core::Constant;
use std::borrow::Cow;

/// Two threads have accessed an element, one of them has written it, and nothing orders the two: see
/// [`RaceCheck`](crate::RaceCheck). The fault's thread is the one that came second.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Race {
    /// The array's or slice's name in the kernel; of memory by address, the name of the space.
    pub name: Cow<'static, str>,
    /// The index, where elements are arrays that of one of theirs, all counted; of memory by address, the byte's address in the space.
    pub index: usize,
    /// Whether it was accessed by address.
    pub by_address: bool,
    /// The variable or allocation that the byte lies in.
    pub lies_in: Option<Nearest>,
    /// Whether the fault's thread writes.
    pub write: bool,
    /// The value that it writes, or finds; `None` where the memory environment has not determined it yet, and of memory by
    /// address.
    pub value: Option<Constant>,
    /// The thread that came first.
    pub earlier_thread: ThreadPlace,
    /// Whether that thread wrote.
    pub earlier_write: bool,
    /// The value that it wrote, or found.
    pub earlier_value: Option<Constant>,
    /// The place of its access.
    pub earlier_place: SourcePlace,
    /// Whether both are threads of one block. Others are compared with [`RaceCheck::Grid`](crate::RaceCheck::Grid).
    pub same_block: bool,
    /// Whether both are lanes of one warp: the kernel relies on the lanes of a warp running in step.
    pub same_warp: bool,
    /// Whether one issue was the access of both: they write different values at once.
    pub same_issue: bool,
    /// Whether the thread that came first has come to a barrier since, at which it did not wait (`arrive_barrier`): that
    /// orders only the accesses before a fence.
    pub earlier_arrived: bool,
    /// Whether the thread that came first had returned when a barrier of all threads opened between the two accesses, which so did
    /// not wait for it.
    pub earlier_returned: bool,
    /// Whether the thread that came first, of another block, has handed on since what it had done, by an atomic, which the other has
    /// not acquired.
    pub earlier_released: bool,
    /// Whether the access is an atomic. One of the two is none, or each is an atomic of its block and they are of two.
    pub atomic: bool,
    /// Whether that of the thread which came first was one.
    pub earlier_atomic: bool,
    /// Whether both are volatile accesses by address, which race if they are of one warp.
    pub volatile: bool,
    /// Whether the kernel loads, stores or exchanges atomics by `Ordering::Relaxed`, or by address has volatile accesses or relaxed
    /// atomics whose result is used: alone these order no other accesses.
    pub relaxed: bool,
}
