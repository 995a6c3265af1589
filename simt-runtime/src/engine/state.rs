//! What the engine keeps of each warp besides the addresses of its lanes, which its policy has.

use super::calls::Calls;
use super::collective::Arrival;
use crate::lanes::Registers;
use crate::policy::WarpSplit;
use simt_core::LaneMask;
use smallvec::SmallVec;

/// A warp of a block that runs.
#[derive(Debug)]
pub(crate) struct ResidentWarp {
    pub(crate) registers: Registers,
    pub(crate) state: WarpState,
}

/// A warp between its turns.
#[derive(Clone, Debug)]
pub(crate) struct WarpState {
    /// Lanes whose threads have not ended.
    pub(crate) live: LaneMask,
    /// How many instructions it has issued.
    pub(crate) steps: u64,
    pub(crate) calls: Calls,
    /// Lanes that have come to a collective or barrier, and wait for the rest.
    pub(crate) arrived: SmallVec<[WarpSplit; 2]>,
    /// The barrier that the warp waits at, or has just come to.
    pub(crate) barrier: Option<Arrival>,
}

impl WarpState {
    /// A warp whose threads stand at the entry.
    pub(crate) fn new(threads: LaneMask) -> Self {
        Self { live: threads, steps: 0, calls: Calls::default(), arrived: SmallVec::new(), barrier: None }
    }

    /// The state of another warp, whose threads stand at the entry.
    ///
    /// PERF: in place, as there is little to take back.
    pub(crate) fn begin(&mut self, threads: LaneMask) {
        let Self { live, steps, calls, arrived, barrier } = self;
        (*live, *steps, *barrier) = (threads, 0, None);
        calls.clear();
        arrived.clear();
    }

    /// Whether it can run: it has not ended and does not wait at a barrier.
    pub(crate) fn runs(&self) -> bool {
        !self.live.is_empty() && self.barrier.is_none()
    }

    /// The lanes that have come to a collective or barrier and wait there.
    pub(crate) fn waiting(&self) -> LaneMask {
        let arrived = self.arrived.iter().fold(LaneMask::EMPTY, |all, split| all | split.mask);
        self.barrier.as_ref().map_or(arrived, |arrival| arrived | arrival.lanes)
    }

    /// Whether the warp goes on as the other does, if policies, registers and memory are the same.
    pub(crate) fn is_as(&self, other: &Self) -> bool {
        let Self { live, steps: _, calls, arrived, barrier } = self;
        (live, calls, arrived, barrier) == (&other.live, &other.calls, &other.arrived, &other.barrier)
    }
}
