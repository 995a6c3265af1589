//! What a policy holds besides addresses of lanes, for observers that look at it step by step.

use simt_core::LaneMask;
use simt_core::code::Pc;

/// A part of what a policy holds for a warp: an entry of a stack, a barrier, lanes that are disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatePart {
    /// The mechanism that it is a part of, by its name in its source. Parts with one name stand together, the top of a stack
    /// last.
    pub of: &'static str,
    /// The kind of the part, if the mechanism has several: `div`, `brk`.
    pub kind: &'static str,
    /// The number of the register, if the mechanism has registers.
    pub register: Option<u8>,
    /// Its lanes.
    pub lanes: LaneMask,
    /// Of those, the ones that wait there, if the mechanism keeps them apart.
    pub waiting: Option<LaneMask>,
    /// The address where its lanes go on.
    pub next: Option<Pc>,
    /// The address where it ends: where its lanes meet others.
    pub meet: Option<Pc>,
}

impl StatePart {
    /// A part of a mechanism with lanes only.
    pub fn new(of: &'static str, lanes: LaneMask) -> Self {
        Self { of, kind: "", register: None, lanes, waiting: None, next: None, meet: None }
    }
}
