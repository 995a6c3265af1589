//! What observers are told of a machine on which time passes.

use crate::policy::WarpPart;
use simt_core::code::Pc;

/// An event of a launch with a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockEvent<'e> {
    /// A block comes to a core.
    Placed {
        /// Number of the core.
        core: usize,
        /// Number of the block.
        block: usize,
    },
    /// All threads of a block have ended, and it leaves its core.
    Left {
        /// Number of the core.
        core: usize,
        /// Number of the block.
        block: usize,
    },
    /// Threads issue the instruction of which the observer was told last.
    Issued {
        /// Number of the core.
        core: usize,
        /// Number of the block.
        block: usize,
        /// The instruction.
        pc: Pc,
        /// The threads, by warp.
        parts: &'e [WarpPart],
        /// The cycle in which the pipeline is free again.
        until: u64,
    },
    /// A warp has waited.
    Waited {
        /// Number of the core.
        core: usize,
        /// Number of the block.
        block: usize,
        /// Number of the warp in its block.
        warp: usize,
        /// The first cycle. The last is the one before the event's.
        since: u64,
        /// Why.
        why: &'static str,
    },
    /// An access of a warp goes to the memory hierarchy.
    Requested {
        /// Number of the core.
        core: usize,
        /// Number of the block.
        block: usize,
        /// The instruction.
        pc: Pc,
        /// The threads, by warp.
        parts: &'e [WarpPart],
        /// Its number, which no other access has before this one is answered.
        access: u32,
        /// Transactions that it takes, and how many of them the first level does not hold.
        transactions: u32,
        /// Of those, the ones whose data the first level does not hold.
        misses: u32,
    },
    /// The last transaction of an access is answered.
    Answered {
        /// Number of the core.
        core: usize,
        /// The number of the access.
        access: u32,
    },
}
