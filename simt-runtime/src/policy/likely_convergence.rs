//! Likely convergence points: a stack whose paths also meet where many of them come by, but not all (W. W. L. Fung and
//! T. M. Aamodt, *Thread Block Compaction for Efficient SIMT Control Flow*, HPCA 2011).
//!
//! An entry is (pc, mask). A branch that diverges pushes an entry a path. Below the paths stand entries that *gather*: each
//! has the address of a point where paths may meet, and the lanes that have come there. A path that comes to such a point
//! joins the entry, and ends. The entry runs when nothing above it can: it waits for no lane that does not come.

use super::shared::Stack;
use super::{BarrierMarker, Branch, Ends, Figure, Tally, WarpChecking, WarpPolicy, WarpSplit, WarpStart};
use simt_core::LaneMask;
use simt_core::code::{Markers, Pc};

/// A stack whose paths meet at likely convergence points: at immediate post-dominators, and before them.
///
/// * **Mechanism.** Where threads leave a loop or an `if` early, the immediate post-dominator is far behind, and a stack that
///   meets there alone runs much of the code between once for each path. Here an entry of the stack gathers the lanes
///   that come to a point where paths are likely to meet, and runs when the paths above it are done.
/// * **Source.** W. W. L. Fung and T. M. Aamodt, *Thread Block Compaction for Efficient SIMT Control Flow*, HPCA 2011, which
///   adds such points to the stack of a warp and to that of a block; here it is a warp's. The paper's stack keeps with each
///   path the point and the place of its entry; ours looks for the entry. **Assumed**, as the paper finds its points by
///   profiling: they are where NVIDIA's assembler has convergence barriers
///   ([`Markers::PtxasBarriers`](simt_core::code::Markers::PtxasBarriers)), at post-dominators and early ones. `bssy` makes an
///   entry, `bsync` is the point; what else there is of barriers means nothing, as no lane is waited for.
/// * **State.** Entries with an address and a mask each: one for a path, one for a point. The markers are issued.
/// * **Fairness.** None: the taken path runs to its end or point first.
/// * **Use it** to see what reconvergence before the post-dominator is worth on a stack.
///
/// Figures of its own: the *deepest stack* in entries, and the *paths that joined others* at a point, and not the first.
///
/// ```
/// use simt::prelude::*;
///
/// #[kernel]
/// fn parity(x: &mut [u32]) {
///     let i = global_id();
///     if i % 2 == 0 {
///         x[i] = 1;
///     } else {
///         x[i] = 2;
///     }
///     x[i] += 10;
/// }
///
/// let mut x = [0; 32];
/// let report = Gpu::<LikelyConvergence>::default().launch(Grid::new(1, 32), parity(&mut x))?;
/// let behind = report.lines().iter().find(|line| line.text == "x[i] += 10;").unwrap();
/// assert_eq!(behind.mean_active_lanes(), 32.0);
/// # Ok::<(), LaunchError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LikelyConvergence {
    /// What runs; it has no lanes if nothing does.
    top: Entry,
    below: Stack<Entry, 8>,
    tally: Tally<Counts>,
}

/// Each lane is in one entry.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Entry {
    pc: Pc,
    mask: LaneMask,
    /// How many calls its lanes have made and not returned from: points of another activation are others.
    calls: u32,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Path,
    /// Has the lanes that have come to its address.
    Gathers,
    /// Waits for others at a collective or barrier.
    Parked,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    deepest: usize,
    joined: u64,
}

impl LikelyConvergence {
    #[inline(always)]
    fn push(&mut self, Entry { pc, mask, calls, kind }: Entry) {
        let entry = self.below.grow();
        (entry.pc, entry.mask, entry.calls, entry.kind) = (pc, mask, calls, kind);
        self.tally.0.deepest = self.tally.0.deepest.max(self.below.len());
    }

    /// The highest entry that can run comes on top.
    #[inline(always)]
    fn next(&mut self) {
        while let Some(entry) = self.below.pop() {
            if entry.kind == Kind::Parked {
                self.below.push(entry);
                return self.next_of_those_below();
            }
            // Where no lane has come, none will.
            if !entry.mask.is_empty() {
                self.top = Entry { kind: Kind::Path, ..entry };
                return;
            }
        }
        self.top.mask = LaneMask::EMPTY;
    }

    /// The same where the highest entry waits for others. One that gathers comes after those that wait above it: they may come
    /// to its point; unless nothing else can run, as they may wait for its lanes.
    #[cold]
    fn next_of_those_below(&mut self) {
        let (mut some_wait, mut last) = (false, None);
        let mut found = None;
        for (place, entry) in self.below.iter().enumerate().rev() {
            match entry.kind {
                Kind::Parked => some_wait = true,
                _ if entry.mask.is_empty() => {}
                Kind::Gathers if some_wait => last = last.or(Some(place)),
                _ => {
                    found = Some(place);
                    break;
                }
            }
        }
        match found.or(last) {
            Some(place) => self.top = Entry { kind: Kind::Path, ..self.below.remove(place) },
            None => self.top.mask = LaneMask::EMPTY,
        }
    }

    /// The entry that gathers at an address, of this activation.
    #[inline(always)]
    fn gathering(&mut self, at: Pc) -> Option<&mut Entry> {
        let calls = self.top.calls;
        self.below.iter_mut().rev().find(|entry| (entry.kind, entry.pc, entry.calls) == (Kind::Gathers, at, calls))
    }
}

impl WarpPolicy for LikelyConvergence {
    const NAME: &'static str = "LikelyConvergence";
    const MARKERS: Markers = Markers::PtxasBarriers;
    const ENDS: Option<Ends> = Some(Ends { program_2: false, program_3: false, lock_behind: false, ..Ends::ALL });
    const CHECKING: WarpChecking<Self> = WarpChecking::TRUSTED;

    fn start(start: WarpStart<'_>) -> Self {
        let WarpSplit { pc, mask } = start.split;
        let top = Entry { pc, mask, calls: 0, kind: Kind::Path };
        Self { top, below: Stack::new(top), tally: Tally::default() }
    }

    #[inline(always)]
    fn current(&self) -> Option<WarpSplit> {
        (!self.top.mask.is_empty()).then_some(WarpSplit { pc: self.top.pc, mask: self.top.mask })
    }

    #[inline(always)]
    fn advance(&mut self, next: Pc) {
        self.top.pc = next;
    }

    #[inline(always)]
    fn branch(&mut self, branch: Branch) {
        let rest = self.top.mask - branch.taken;
        if branch.taken.is_empty() {
            self.top.pc = branch.next;
            return;
        }
        if !rest.is_empty() {
            self.push(Entry { pc: branch.next, mask: rest, ..self.top });
        }
        self.top = Entry { pc: branch.target, mask: branch.taken, ..self.top };
    }

    #[inline(always)]
    fn exit(&mut self) {
        self.next();
    }

    fn call(&mut self, target: Pc, _back: Pc) {
        self.top.calls += 1;
        self.top.pc = target;
    }

    fn ret(&mut self, returning: LaneMask, back: Pc, at: Pc) {
        let rest = self.top.mask - returning;
        if !rest.is_empty() {
            self.push(Entry { pc: at, mask: rest, ..self.top });
        }
        self.top = Entry { pc: back, mask: returning, calls: self.top.calls.saturating_sub(1), kind: Kind::Path };
    }

    fn park(&mut self) -> bool {
        self.push(Entry { kind: Kind::Parked, ..self.top });
        self.next();
        true
    }

    fn wake(&mut self, lanes: LaneMask, next: Pc) {
        for place in 0..self.below.len() {
            let entry = &mut self.below[place];
            let woken = entry.mask & lanes;
            if entry.kind != Kind::Parked || woken.is_empty() {
                continue;
            }
            let part = Entry { pc: next, mask: woken, kind: Kind::Path, ..*entry };
            entry.mask = entry.mask - woken;
            if entry.mask.is_empty() {
                *entry = part;
            } else {
                self.push(part);
            }
        }
        if self.top.mask.is_empty() {
            self.next();
        }
    }

    #[inline(always)]
    fn barrier(&mut self, marker: BarrierMarker, next: Pc) -> LaneMask {
        self.top.pc = next;
        match marker {
            // Once around a loop, or again in each of its turns: there is one entry all the same.
            BarrierMarker::Set { target, .. } if self.gathering(target).is_none() => {
                let kind = Kind::Gathers;
                self.push(Entry { pc: target, mask: LaneMask::EMPTY, calls: self.top.calls, kind });
            }
            BarrierMarker::Sync(_) => {
                let lanes = self.top.mask;
                if let Some(entry) = self.gathering(next) {
                    let joins = !entry.mask.is_empty();
                    entry.mask |= lanes;
                    self.tally.0.joined += u64::from(joins);
                    self.next();
                }
            }
            _ => {}
        }
        LaneMask::EMPTY
    }

    fn splits(&self) -> Vec<WarpSplit> {
        let others = self.below.iter().rev().filter(|entry| !entry.mask.is_empty());
        let others = others.map(|entry| WarpSplit { pc: entry.pc, mask: entry.mask });
        self.current().into_iter().chain(others).collect()
    }

    fn figures(&self, tell: &mut dyn FnMut(Figure)) {
        tell(Figure::highest("deepest stack (entries)", self.tally.0.deepest as u64 + 1));
        tell(Figure::sum("paths that joined others", self.tally.0.joined));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::gathered;
    use simt_core::code::BarrierReg;

    fn split(pc: u32, mask: u64) -> WarpSplit {
        WarpSplit { pc: Pc(pc), mask: LaneMask(mask) }
    }

    fn branch(taken: u64, target: u32, next: u32) -> Branch {
        Branch { taken: LaneMask(taken), target: Pc(target), next: Pc(next), meet: None, leaves: false }
    }

    fn set(policy: &mut LikelyConvergence, register: u8, target: u32, next: u32) {
        policy.barrier(BarrierMarker::Set { barrier: BarrierReg(register), target: Pc(target) }, Pc(next));
    }

    /// Hanoi's Figure 6: lane 0 never comes to B, at 5; the others meet there, and all at D, at 7.
    #[test]
    fn paths_meet_where_one_does_not_come_by() {
        let mut policy = LikelyConvergence::start(split(0, 0b1111).into());
        set(&mut policy, 1, 7, 1);
        set(&mut policy, 0, 5, 2);
        policy.branch(branch(0b1100, 4, 3));
        policy.barrier(BarrierMarker::Sync(BarrierReg(0)), Pc(5));
        assert_eq!(policy.splits(), [split(3, 0b0011), split(5, 0b1100)], "the others may still come");
        policy.branch(branch(0b0001, 6, 4));
        policy.barrier(BarrierMarker::Sync(BarrierReg(1)), Pc(7));
        assert_eq!(policy.current(), Some(split(4, 0b0010)));
        policy.barrier(BarrierMarker::Sync(BarrierReg(0)), Pc(5));
        assert_eq!(policy.splits(), [split(5, 0b1110), split(7, 0b0001)], "three have met");
        policy.barrier(BarrierMarker::Sync(BarrierReg(1)), Pc(7));
        assert_eq!(policy.splits(), [split(7, 0b1111)]);
        assert_eq!(gathered(|tell| policy.figures(tell)), [4, 2]);
    }

    #[test]
    fn what_gathers_runs_after_those_that_wait_above_it() {
        let mut policy = LikelyConvergence::start(split(0, 0b111).into());
        set(&mut policy, 0, 9, 1);
        policy.branch(branch(0b001, 4, 2));
        assert!(policy.park());
        policy.branch(branch(0b010, 8, 3));
        policy.barrier(BarrierMarker::Sync(BarrierReg(0)), Pc(9));
        assert_eq!(policy.current(), Some(split(3, 0b100)));
        policy.wake(LaneMask(0b001), Pc(5));
        policy.exit();
        assert_eq!(policy.current(), Some(split(5, 0b001)));
        policy.park();
        assert_eq!(policy.current(), Some(split(9, 0b010)), "nothing else can");
    }

    #[test]
    fn a_point_of_another_activation_is_another_one() {
        let mut policy = LikelyConvergence::start(split(0, 0b11).into());
        set(&mut policy, 0, 9, 1);
        policy.call(Pc(0), Pc(2));
        set(&mut policy, 0, 9, 1);
        policy.branch(branch(0b01, 8, 3));
        policy.barrier(BarrierMarker::Sync(BarrierReg(0)), Pc(9));
        policy.barrier(BarrierMarker::Sync(BarrierReg(0)), Pc(9));
        assert_eq!(policy.splits(), [split(9, 0b11)]);
        policy.ret(LaneMask(0b01), Pc(2), Pc(9));
        assert_eq!(policy.splits(), [split(2, 0b01), split(9, 0b10)]);
    }
}
