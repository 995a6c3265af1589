//! Lanes that are at one address.

use crate::policy::WarpSplit;
use crate::policy::shared::Lanes;
use simt_core::LaneMask;
use simt_core::code::Pc;
use std::fmt;

/// Lanes at one address and one depth of calls.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Split {
    /// The depth of calls, and the address: the same for splits that merge.
    pub(super) at: u64,
    /// The lanes.
    pub mask: LaneMask,
}

/// The difference in the key for each call.
const CALL: u64 = 1 << 32;

impl Split {
    pub(super) const NONE: Self = Self { at: 0, mask: LaneMask::EMPTY };

    /// The address of their next instruction.
    #[inline(always)]
    pub const fn pc(self) -> Pc {
        Pc(self.at as u32)
    }

    /// How many calls deeper they are than where the warp began.
    #[inline(always)]
    pub const fn calls(self) -> u32 {
        (self.at / CALL) as u32
    }

    #[inline(always)]
    pub(super) fn new(split: WarpSplit) -> Self {
        Self { at: u64::from(split.pc.0), mask: split.mask }
    }

    #[inline(always)]
    pub(super) fn to(self, pc: Pc) -> Self {
        Self { at: self.at & !(CALL - 1) | u64::from(pc.0), ..self }
    }

    #[inline(always)]
    pub(super) fn of(self, lanes: LaneMask) -> Self {
        Self { mask: lanes, ..self }
    }

    pub(super) fn called(self) -> Self {
        Self { at: self.at.wrapping_add(CALL), ..self }
    }

    pub(super) fn returned(self) -> Self {
        Self { at: self.at.wrapping_sub(CALL), ..self }
    }

    #[inline(always)]
    pub(super) fn shown(self) -> WarpSplit {
        WarpSplit { pc: self.pc(), mask: self.mask }
    }
}

impl fmt::Debug for Split {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (pc, calls) = (self.pc(), self.calls());
        out.debug_struct("Split").field("pc", &pc).field("calls", &calls).field("mask", &self.mask).finish()
    }
}

impl Lanes for Split {
    fn lanes(self) -> LaneMask {
        self.mask
    }
    fn of(self, mask: LaneMask) -> Self {
        Self { mask, ..self }
    }
}
