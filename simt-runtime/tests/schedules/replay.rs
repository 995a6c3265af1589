//! The mechanisms once more.

use crate::{Decisions, Issues};
use simt_core::LaneMask;
use simt_core::code::{Code, Inst, JumpKind, Marker, Pc};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A warp that runs once more.
pub(crate) struct Replay<'c> {
    code: &'c Code,
    decisions: Vec<Decisions>,
    pub(crate) issued: Issues,
    /// Lanes that left an iteration (true) or a loop, by the address where they wait.
    left: BTreeMap<(bool, Pc), LaneMask>,
    /// Lanes that returned from the function, or ended.
    pub(crate) returned: LaneMask,
    /// Whether so many lanes that take a branch run before so many that do not.
    pub(crate) taken_first: fn(usize, usize) -> bool,
}

impl<'c> Replay<'c> {
    pub(crate) fn new(code: &'c Code, decisions: Vec<Decisions>) -> Self {
        let taken_first = |_, _| true;
        Self { code, decisions, issued: Vec::new(), left: BTreeMap::new(), returned: LaneMask::EMPTY, taken_first }
    }

    /// The lanes of a branch that run first and those that run later, and where they go.
    fn ordered(&self, taken: (Pc, LaneMask), rest: (Pc, LaneMask)) -> [(Pc, LaneMask); 2] {
        if (self.taken_first)(taken.1.count(), rest.1.count()) { [taken, rest] } else { [rest, taken] }
    }

    /// The instruction, which the lanes execute: all that stand there, or of an indirect branch or a return those that go
    /// one way.
    fn issue(&mut self, pc: Pc, mask: LaneMask) -> Inst {
        assert!(!mask.is_empty());
        let inst = *self.code.inst(pc);
        // A join is no issue: the end of an arm is a flag on its last instruction.
        if !matches!(inst, Inst::Jump { kind: JumpKind::Join, .. } | Inst::Indirect { .. } | Inst::Return) {
            self.issued.push((pc, mask));
        }
        inst
    }

    /// The lanes of the mask that take the branch they are at.
    fn take(&mut self, mask: LaneMask) -> LaneMask {
        let takes = |lane: &usize| self.decisions[*lane].branches.pop_front() == Some(true);
        lanes(mask.lanes().filter(takes))
    }

    /// Where the lowest lane of the mask goes from an indirect branch, and the lanes that go there too.
    fn target(&mut self, pc: Pc, mask: LaneMask) -> (Pc, LaneMask) {
        let of = |lane: usize| *self.decisions[lane].targets.front().expect("the run came here as often");
        let target = mask.lanes().map(of).next().expect("an empty group");
        let group = lanes(mask.lanes().filter(|&lane| of(lane) == target));
        for lane in group.lanes() {
            self.decisions[lane].targets.pop_front();
        }
        self.issued.push((pc, group));
        (target, group)
    }

    /// TACO'09 section 2.2. Runs the lanes until they have ended, returned, or stand at `stop`; which of them stand there.
    /// A function is run with a stack of its own.
    pub(crate) fn ipdom(&mut self, mut pc: Pc, mut mask: LaneMask, stop: Option<Pc>) -> LaneMask {
        while Some(pc) != stop {
            match self.issue(pc, mask) {
                Inst::Exit => return LaneMask::EMPTY,
                Inst::Return => {
                    self.issued.push((pc, mask));
                    self.returned |= mask;
                    return LaneMask::EMPTY;
                }
                Inst::Call { target, .. } => {
                    let outside = std::mem::replace(&mut self.returned, LaneMask::EMPTY);
                    assert!(self.ipdom(target, mask, None).is_empty());
                    assert_eq!(std::mem::replace(&mut self.returned, outside), mask, "called lanes return");
                    pc = pc.next();
                }
                Inst::Jump { target, .. } => pc = target,
                Inst::Branch { target, .. } => {
                    let taken = self.take(mask);
                    if taken.is_empty() || taken == mask {
                        pc = if taken.is_empty() { pc.next() } else { target };
                        continue;
                    }
                    let meet = self.code.reconvergence[pc.index()];
                    let until = meet.or(stop);
                    let [first, later] = self.ordered((target, taken), (pc.next(), mask - taken));
                    let mut there = self.ipdom(first.0, first.1, until);
                    there |= self.ipdom(later.0, later.1, until);
                    match meet {
                        Some(meet) if !there.is_empty() => (pc, mask) = (meet, there),
                        _ => return there,
                    }
                }
                Inst::Indirect { .. } => {
                    let (target, group) = self.target(pc, mask);
                    if group == mask {
                        pc = target;
                        continue;
                    }
                    let meet = self.code.reconvergence[pc.index()];
                    let until = meet.or(stop);
                    // The rest executes it again.
                    let [first, later] = self.ordered((target, group), (pc, mask - group));
                    let mut there = self.ipdom(first.0, first.1, until);
                    there |= self.ipdom(later.0, later.1, until);
                    match meet {
                        Some(meet) if !there.is_empty() => (pc, mask) = (meet, there),
                        _ => return there,
                    }
                }
                _ => pc = pc.next(),
            }
        }
        mask
    }

    /// TACO'09's NREC. `calls`: where the lanes return to, innermost last.
    pub(crate) fn no_reconvergence(&mut self, mut pc: Pc, mut mask: LaneMask, mut calls: Vec<Pc>) {
        loop {
            match self.issue(pc, mask) {
                Inst::Exit => return,
                Inst::Return => {
                    self.issued.push((pc, mask));
                    pc = calls.pop().expect("only functions return");
                }
                Inst::Call { target, .. } => {
                    calls.push(pc.next());
                    pc = target;
                }
                Inst::Jump { target, .. } => pc = target,
                Inst::Branch { target, .. } => {
                    let taken = self.take(mask);
                    if !taken.is_empty() && taken != mask {
                        self.no_reconvergence(target, taken, calls.clone());
                        return self.no_reconvergence(pc.next(), mask - taken, calls);
                    }
                    pc = if taken.is_empty() { pc.next() } else { target };
                }
                Inst::Indirect { .. } => {
                    let (target, group) = self.target(pc, mask);
                    if group == mask {
                        pc = target;
                    } else {
                        self.no_reconvergence(target, group, calls.clone());
                        mask = mask - group;
                    }
                }
                _ => pc = pc.next(),
            }
        }
    }

    /// Of all lanes in the most calls, those at the lowest address issue; of those that would go different ways from an
    /// indirect branch or a return, those that go with the lowest lane.
    pub(crate) fn min_pc(&mut self, entry: Pc, mask: LaneMask) {
        let mut at: Vec<Option<Pc>> = (0..64).map(|lane| mask.contains(lane).then_some(entry)).collect();
        let mut calls: Vec<Vec<Pc>> = vec![Vec::new(); 64];
        loop {
            let place = |lane: usize| at[lane].map(|pc| (Reverse(calls[lane].len()), pc));
            let Some(first) = (0..64).filter_map(place).min() else { return };
            let (pc, mask) = (first.1, lanes((0..64).filter(|&lane| place(lane) == Some(first))));
            match self.issue(pc, mask) {
                Inst::Indirect { .. } => {
                    let (target, group) = self.target(pc, mask);
                    group.lanes().for_each(|lane| at[lane] = Some(target));
                }
                Inst::Return => {
                    let back = mask.lanes().find_map(|lane| calls[lane].last().copied());
                    let group = lanes(mask.lanes().filter(|&lane| calls[lane].last().copied() == back));
                    self.issued.push((pc, group));
                    group.lanes().for_each(|lane| at[lane] = calls[lane].pop());
                }
                inst => {
                    for lane in mask.lanes() {
                        at[lane] = match inst {
                            Inst::Exit => None,
                            Inst::Jump { target, .. } => Some(target),
                            Inst::Call { target, .. } => {
                                calls[lane].push(pc.next());
                                Some(target)
                            }
                            Inst::Branch { target, .. } if !self.take(LaneMask::lane(lane)).is_empty() => Some(target),
                            _ => Some(pc.next()),
                        };
                    }
                }
            }
        }
    }

    /// ESOP'12 Table 2, with `continue` and labels: runs the lanes until the topmost token is popped. The call stack is the
    /// stack of tokens: what a token is for stands behind the call that runs what is above it.
    pub(crate) fn tokens(&mut self, mut pc: Pc, mut mask: LaneMask) {
        while !mask.is_empty() {
            match self.issue(pc, mask) {
                Inst::Exit => return self.returned |= mask,
                Inst::Return => {
                    self.issued.push((pc, mask));
                    return self.returned |= mask;
                }
                Inst::Jump { kind: kind @ (JumpKind::Break | JumpKind::Continue), target } => {
                    let place = (kind == JumpKind::Continue, target);
                    return *self.left.entry(place).or_insert(LaneMask::EMPTY) |= mask;
                }
                Inst::Call { target, .. } | Inst::Jump { kind: JumpKind::Plain | JumpKind::Join, target } => {
                    pc = target;
                }
                Inst::Marker(Marker::Pop) => return,
                Inst::Marker(Marker::PushSync(behind)) => {
                    self.tokens(pc.next(), mask);
                    (pc, mask) = (behind, self.enabled(mask));
                }
                Inst::Marker(marker @ (Marker::PushBreak(behind) | Marker::PushContinue(behind))) => {
                    self.tokens(pc.next(), mask);
                    let place = (matches!(marker, Marker::PushContinue(_)), behind);
                    let waiting = self.left.entry(place).or_insert(LaneMask::EMPTY);
                    *waiting = *waiting - mask;
                    (pc, mask) = (behind, self.enabled(mask));
                }
                Inst::Marker(Marker::PushCall(behind)) => {
                    self.tokens(pc.next(), mask);
                    self.returned = self.returned - mask;
                    (pc, mask) = (behind, self.enabled(mask));
                }
                Inst::Branch { target, leaves, .. } => {
                    let taken = self.take(mask);
                    if leaves {
                        // Rule while: they wait for the brk token, without a disable state.
                        (pc, mask) = (pc.next(), mask - taken);
                    } else if taken.is_empty() || taken == mask {
                        pc = if taken.is_empty() { pc.next() } else { target };
                    } else {
                        // The div token.
                        let [first, later] = self.ordered((target, taken), (pc.next(), mask - taken));
                        self.tokens(first.0, first.1);
                        (pc, mask) = later;
                    }
                }
                Inst::Indirect { .. } => {
                    let (target, group) = self.target(pc, mask);
                    if group == mask {
                        pc = target;
                    } else {
                        // The div token; the rest executes it again.
                        let [first, later] = self.ordered((target, group), (pc, mask - group));
                        self.tokens(first.0, first.1);
                        (pc, mask) = later;
                    }
                }
                _ => pc = pc.next(),
            }
        }
    }

    fn enabled(&self, mask: LaneMask) -> LaneMask {
        self.left.values().fold(mask - self.returned, |enabled, &waiting| enabled - waiting)
    }
}

fn lanes(lanes: impl Iterator<Item = usize>) -> LaneMask {
    lanes.map(LaneMask::lane).fold(LaneMask::EMPTY, |all, lane| all | lane)
}
