//! Markers: instructions for the reconvergence mechanism alone.

use super::address::{Operand, Pc, Reg};
use std::fmt;

/// An instruction that only tells the reconvergence mechanism something: it computes nothing, and is counted apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Marker {
    /// `ssy L`: pushes a sync token for the active threads, to continue at L.
    PushSync(Pc),
    /// `prebrk L`: pushes a brk token, to continue at L.
    PushBreak(Pc),
    /// `precont L`: pushes a cont token, to continue at L.
    PushContinue(Pc),
    /// `preret L`: pushes a call token, to continue at L.
    PushCall(Pc),
    /// `sync`: the path ends here; pops the topmost token.
    Pop,
    /// `bssy B, L`: the active threads are the participants of barrier B, whose `bsync` stands before L.
    BarrierSet {
        /// The barrier.
        barrier: BarrierReg,
        /// Where they go on once they have met.
        target: Pc,
    },
    /// `bsync B`: waits for the participants of barrier B.
    BarrierSync(BarrierReg),
    /// `break B`, `break c, B` or `break.not c, B`: the threads whose condition equals `when` no longer participate in
    /// barrier B.
    BarrierBreak {
        /// The barrier.
        barrier: BarrierReg,
        /// The condition, a `bool`; without, all active threads.
        cond: Option<Operand>,
        /// Value of the condition that leaves; true if there is none.
        when: bool,
    },
    /// `bmov R, B`: moves the participants of barrier B to a register, a `u64`, and makes the barrier free.
    BarrierSave {
        /// The register.
        dst: Reg,
        /// The barrier.
        barrier: BarrierReg,
    },
    /// `bmov B, R`: moves them back.
    BarrierRestore {
        /// The barrier.
        barrier: BarrierReg,
        /// What was saved.
        src: Operand,
    },
    /// `yield`: lets other threads of the warp go first.
    Yield,
    /// `warpsync m`: waits for the lanes of a mask, a `u64`.
    WarpSync(Operand),
}

/// Number of a convergence barrier register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BarrierReg(pub u8);

impl fmt::Display for BarrierReg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "B{}", self.0)
    }
}

impl Marker {
    /// The address that it names, if it names one.
    pub const fn target(self) -> Option<Pc> {
        match self {
            Self::PushSync(target)
            | Self::PushBreak(target)
            | Self::PushContinue(target)
            | Self::PushCall(target)
            | Self::BarrierSet { target, .. } => Some(target),
            _ => None,
        }
    }
}
