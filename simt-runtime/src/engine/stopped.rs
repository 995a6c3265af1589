//! What stopped a launch, as data: which warp, why, and where its block stood. What to say of it is made of this, behind the
//! engine.

use super::calls::{Calls, TooManyCalls};
use super::collective::{Arrival, Misuse};
use super::{BarrierProblem, Circle, LivelockProof, Spent};
use crate::environment::Stuck;
use crate::lanes::Registers;
use crate::policy::WarpSplit;
use crate::policy::checked::BrokenCheck;
use simt_core::LaneMask;
use simt_core::code::Pc;

/// Why a launch stopped before its end.
#[derive(Clone, Debug)]
pub(crate) enum Why {
    /// A lane could not execute an operation of the plan.
    Fault { micro: u32, lane: u32, mask: LaneMask },
    /// A lane used a collective or a barrier wrongly.
    Misuse { misuse: Misuse, lane: u32, mask: LaneMask, pc: Pc },
    /// A warp used a barrier of the block wrongly.
    Barrier { problem: BarrierProblem, arrival: Arrival },
    /// A lane is in too many calls.
    Calls { what: TooManyCalls, lane: u32, mask: LaneMask, pc: Pc },
    /// The policy has broken a check or a law.
    Check(Box<BrokenCheck>),
    /// No lane of the warp can go on, and no other warp changes that.
    WarpDeadlock,
    /// No warp of the block can go on.
    Deadlock,
    /// The block never ends, or was given up: by warp, what it went round in.
    Livelock { circles: Vec<Circle>, proof: LivelockProof },
    /// The warp has issued more instructions than it may.
    StepLimit,
    /// The launch has spent what it may.
    Spent(Spent),
    /// The launch has taken more cycles than it may.
    CycleLimit(u64),
    /// No rule of the memory environment applies.
    Memory(Stuck),
}

/// A launch that has stopped. The block's memory is in its place.
#[derive(Debug)]
pub(crate) struct Stopped {
    pub(crate) block: usize,
    /// Which of the warps is named.
    pub(crate) place: usize,
    pub(crate) why: Why,
    /// The warps of the block that were running, by their numbers.
    pub(crate) warps: Vec<StoppedWarp>,
    /// Of each barrier of the block at which warps wait, how many threads have come, and how many it waits for.
    pub(crate) barriers: Vec<Option<(u32, u32)>>,
}

/// Where a warp stood.
#[derive(Debug)]
pub(crate) struct StoppedWarp {
    pub(crate) number: usize,
    pub(crate) registers: Registers,
    /// Lanes whose threads have not ended.
    pub(crate) live: LaneMask,
    /// Its lanes by address, those that issue next first.
    pub(crate) splits: Vec<WarpSplit>,
    pub(crate) calls: Calls,
    /// The lanes that have come to a collective and wait there.
    pub(crate) arrived: Vec<WarpSplit>,
    /// The barrier that it waits at.
    pub(crate) waits_at: Option<Arrival>,
}

impl Stopped {
    /// The warp that is named.
    pub(crate) fn warp(&self) -> &StoppedWarp {
        &self.warps[self.place]
    }
}
