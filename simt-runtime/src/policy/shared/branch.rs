//! Lanes at an address, and what a policy is told of the control instruction that they have executed.

use simt_core::LaneMask;
use simt_core::code::{BarrierReg, Pc};

/// Lanes of a warp that are at the same address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarpSplit {
    /// The address of their next instruction.
    pub pc: Pc,
    /// The lanes.
    pub mask: LaneMask,
}

/// A conditional branch that the current lanes have just executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The lanes that take it; a subset of the current ones.
    pub taken: LaneMask,
    /// The address where those lanes go.
    pub target: Pc,
    /// The address where the other lanes go.
    pub next: Pc,
    /// The address where both meet again, if they do before the end of the kernel. `None` in code with tokens, which does
    /// not say it.
    pub meet: Option<Pc>,
    /// Whether the taken path leaves a loop because its condition failed.
    pub leaves: bool,
}

/// A marker of convergence barriers that the current lanes have just executed, with the lanes that its operand means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BarrierMarker {
    /// `bssy`: the current lanes are the participants of the barrier, and go on at the target once they have met.
    Set {
        /// The barrier.
        barrier: BarrierReg,
        /// The address behind its `bsync`.
        target: Pc,
    },
    /// `bsync`: the current lanes wait for the participants.
    Sync(BarrierReg),
    /// `break`: of the current lanes, those of `lanes` no longer take part.
    Break {
        /// The barrier.
        barrier: BarrierReg,
        /// The lanes whose condition holds.
        lanes: LaneMask,
    },
    /// `bmov R, B`: the participants go to a register of each current lane.
    Save(BarrierReg),
    /// `bmov B, R`: the participants come back.
    Restore {
        /// The barrier.
        barrier: BarrierReg,
        /// The participants that were saved.
        participants: LaneMask,
    },
    /// `yield`: other lanes may go first.
    Yield,
    /// `warpsync`: the current lanes wait for these, the ended ones excepted.
    WarpSync(LaneMask),
}
