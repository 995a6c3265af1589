//! Convergence barriers: which lanes take part in each, and which of them have come.
//!
//! What the two policies have in common; they differ in which path runs next. A barrier is an entry of the reconvergence
//! stack of
//! Hanoi (section VII) together with the Bx register that the entry names, so that an entry keeps its participants when
//! another group of lanes uses the same Bx meanwhile. For a group the register holds the participants of its own entry:
//! where groups run one after the other, as in the paper, that is the one register.
//!
//! * `paths`: the paths of the warp, which come to barriers.

mod paths;

pub(crate) use paths::BarrierPaths;

use super::{BarrierMarker, Stack, StatePart, Tally, WarpSplit};
use simt_core::LaneMask;
use simt_core::code::{BarrierReg, Pc};

/// A convergence barrier that some lanes have not passed: an entry of the reconvergence stack and its register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConvergenceBarrier {
    /// The register.
    pub register: BarrierReg,
    /// Where its lanes go on when it opens.
    pub target: Pc,
    /// The lanes that take part.
    pub participants: LaneMask,
    /// The lanes that have come and wait.
    pub waiting: LaneMask,
    /// Whether the register holds the participants; false when a `bmov` has moved them away.
    pub valid: bool,
    /// Whether a `warpsync` made the barrier.
    pub warp_sync: bool,
    /// Lanes that hold the participants in a register of their own.
    saved: LaneMask,
}

impl ConvergenceBarrier {
    const NONE: Self = Self {
        register: BarrierReg(0),
        target: Pc(0),
        participants: LaneMask::EMPTY,
        waiting: LaneMask::EMPTY,
        valid: false,
        warp_sync: false,
        saved: LaneMask::EMPTY,
    };

    /// What a picture shows of it.
    pub(crate) fn state(&self, of: &'static str) -> StatePart {
        let kind = match (self.valid, self.warp_sync) {
            (false, _) => "saved",
            (true, true) => "warpsync",
            (true, false) => "",
        };
        StatePart {
            kind,
            register: Some(self.register.0),
            waiting: Some(self.waiting),
            meet: Some(self.target),
            ..StatePart::new(of, self.participants)
        }
    }
}

/// The barriers of a warp, the one that was set last at the end.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Barriers {
    list: Stack<ConvergenceBarrier, 4>,
    counts: Tally<BarrierCounts>,
}

/// The most barriers and registers that were in use at a time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BarrierCounts {
    /// Barriers at once: entries of the reconvergence stack.
    pub(crate) barriers: usize,
    /// Registers that had participants at once.
    pub(crate) registers: usize,
    /// How often a `bmov` has moved participants to a register of lanes.
    pub(crate) saved: u64,
}

impl Default for Barriers {
    fn default() -> Self {
        Self { list: Stack::new(ConvergenceBarrier::NONE), counts: Tally::default() }
    }
}

impl Barriers {
    pub(crate) fn list(&self) -> &[ConvergenceBarrier] {
        &self.list
    }

    pub(crate) fn counts(&self) -> BarrierCounts {
        self.counts.0
    }

    /// Updates the figures; the barriers may have become more.
    #[inline(always)]
    fn count(&mut self) {
        let counts = &mut self.counts.0;
        counts.barriers = counts.barriers.max(self.list.len());
        // Without a barrier, no register has participants.
        if self.list.len() > counts.registers {
            let valid = |at: &usize| self.list[*at].valid;
            let named_before =
                |at: &usize| (0..*at).filter(valid).any(|b| self.list[b].register == self.list[*at].register);
            let used = (0..self.list.len()).filter(valid).filter(|at| !named_before(at)).count();
            counts.registers = counts.registers.max(used);
        }
    }

    /// `bssy`: the lanes are the participants. Lanes that take part in an earlier use of the register no longer do: for them
    /// the register is written anew.
    #[inline(always)]
    pub(crate) fn set(&mut self, register: BarrierReg, target: Pc, lanes: LaneMask) {
        if self.list.iter().any(|b| b.register == register && !b.warp_sync) {
            self.overwrite(register, lanes);
        }
        let barrier = self.list.grow();
        (barrier.register, barrier.target) = (register, target);
        (barrier.participants, barrier.waiting, barrier.saved) = (lanes, LaneMask::EMPTY, LaneMask::EMPTY);
        (barrier.valid, barrier.warp_sync) = (true, false);
        self.count();
    }

    fn overwrite(&mut self, register: BarrierReg, lanes: LaneMask) {
        for barrier in self.list.iter_mut().filter(|b| b.register == register && !b.warp_sync) {
            barrier.participants = barrier.participants - (lanes - barrier.saved);
        }
        self.clean();
    }

    /// `bsync` before `target`: the lanes wait, each at the barrier that it takes part in. Returns the lanes that take part
    /// in none.
    #[inline(always)]
    pub(crate) fn sync(&mut self, register: BarrierReg, target: Pc, lanes: LaneMask) -> LaneMask {
        let mut rest = lanes;
        for barrier in self.list.iter_mut().rev().filter(|b| b.register == register && b.target == target) {
            let part = rest & barrier.participants;
            if !part.is_empty() {
                // Lanes of a group stay together: a lane that has left the barrier on the way goes on with those that have
                // not.
                barrier.waiting |= part;
                rest = rest - part;
                if rest.is_empty() {
                    break;
                }
            }
        }
        rest
    }

    /// Lanes that wait at a barrier in which they take no part: nothing opens it.
    #[cold]
    pub(crate) fn strand(&mut self, register: BarrierReg, target: Pc, lanes: LaneMask) {
        let (participants, waiting, saved) = (lanes, lanes, LaneMask::EMPTY);
        let (valid, warp_sync) = (false, false);
        let barrier = ConvergenceBarrier { register, target, participants, waiting, valid, warp_sync, saved };
        self.list.insert(0, barrier);
    }

    /// `warpsync`: the lanes wait for those of a mask. The first that come make the barrier, with the lowest register that
    /// is free.
    #[cold]
    pub(crate) fn warp_sync(&mut self, target: Pc, mask: LaneMask, lanes: LaneMask) {
        let mut known = self.list.iter_mut().rev().filter(|b| b.warp_sync && b.target == target);
        if let Some(barrier) = known.find(|b| b.participants == mask && (b.waiting & lanes).is_empty()) {
            barrier.waiting |= lanes;
            return;
        }
        let is_free = |number: &u8| self.list.iter().all(|b| b.register != BarrierReg(*number));
        let register = BarrierReg((0..u8::MAX).find(is_free).unwrap_or(u8::MAX));
        let (participants, waiting, saved) = (mask, lanes, LaneMask::EMPTY);
        let (valid, warp_sync) = (true, true);
        self.list.push(ConvergenceBarrier { register, target, participants, waiting, valid, warp_sync, saved });
        self.count();
    }

    /// `break`: each lane no longer takes part in its barrier.
    #[cold]
    pub(crate) fn leave(&mut self, register: BarrierReg, lanes: LaneMask) {
        let mut rest = lanes;
        for barrier in self.list.iter_mut().rev().filter(|b| b.register == register && !b.warp_sync) {
            let part = rest & barrier.participants;
            barrier.participants = barrier.participants - part;
            rest = rest - part;
        }
        self.clean();
    }

    /// `bmov R, B`: returns the participants, which the register no longer holds.
    #[cold]
    pub(crate) fn save(&mut self, register: BarrierReg, lanes: LaneMask) -> LaneMask {
        let (mut rest, mut participants) = (lanes, LaneMask::EMPTY);
        for barrier in self.list.iter_mut().rev().filter(|b| b.register == register && !b.warp_sync) {
            let part = rest & barrier.participants;
            if !part.is_empty() {
                participants |= barrier.participants;
                barrier.saved |= part;
                barrier.valid = false;
                rest = rest - part;
            }
        }
        self.counts.0.saved += u64::from(!participants.is_empty());
        participants
    }

    /// `bmov B, R`: the register has the participants again. Those that have ended or left meanwhile take no part.
    #[cold]
    pub(crate) fn restore(&mut self, register: BarrierReg, lanes: LaneMask) {
        let mut rest = lanes;
        for barrier in self.list.iter_mut().rev().filter(|b| b.register == register && !b.warp_sync) {
            let part = rest & barrier.saved;
            if !part.is_empty() {
                barrier.saved = barrier.saved - part;
                barrier.valid = true;
                rest = rest - part;
            }
        }
        self.count();
    }

    /// `exit`: the lanes leave every barrier.
    #[inline(always)]
    pub(crate) fn exit(&mut self, lanes: LaneMask) {
        if !self.list.is_empty() {
            for barrier in self.list.iter_mut() {
                barrier.participants = barrier.participants - lanes;
                barrier.saved = barrier.saved - lanes;
            }
            self.clean();
        }
    }

    /// Removes barriers that no lane takes part in any more.
    fn clean(&mut self) {
        self.list.retain(|barrier| !(barrier.participants | barrier.waiting).is_empty());
    }

    /// Opens a barrier that can open, the one that was set last first: one whose participants all wait or, for `bsync` only,
    /// are in `idle`. Those that wait go on; the others still take part in what is left of the barrier.
    #[inline(always)]
    pub(crate) fn open(&mut self, idle: LaneMask) -> Option<WarpSplit> {
        let opens = |b: &ConvergenceBarrier| {
            let there = if b.warp_sync { b.waiting } else { b.waiting | idle };
            b.valid && !b.waiting.is_empty() && b.participants.is_subset(there)
        };
        let index = self.list.iter().rposition(opens)?;
        let barrier = &mut self.list[index];
        let split = WarpSplit { pc: barrier.target, mask: barrier.waiting };
        barrier.participants = barrier.participants - split.mask;
        barrier.waiting = LaneMask::EMPTY;
        if barrier.participants.is_empty() {
            self.list.remove(index);
        }
        Some(split)
    }

    /// The lanes that wait, by where they will go on.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = WarpSplit> {
        let waiting = self.list.iter().filter(|barrier| !barrier.waiting.is_empty());
        waiting.map(|barrier| WarpSplit { pc: barrier.target, mask: barrier.waiting })
    }
}
