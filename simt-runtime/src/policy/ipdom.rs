//! The SIMT stack: paths that meet at the branch's immediate post-dominator (TACO'09 section 2.2, Fig. 4).
//!
//! An entry is (reconvergence pc, next pc, mask). A branch that diverges turns the top entry into the one that waits at the
//! reconvergence pc and pushes one entry a path, the taken one on top. An entry is popped as soon as its next pc is its
//! reconvergence pc. A call is such an entry, too: the caller waits behind the call until all paths of the function have
//! returned.
//!
//! A `break`, `continue` or `return` in an inner `if` moves the outer one's post-dominator past its end: its lanes then meet
//! later than where structured control flow has them meet (`testing::Reconvergence::behind_exits` has them counted).
//!
//! Lanes that wait at a collective stay where they are on the stack. Of the paths below, the first that does not wait for
//! them comes on top meanwhile: so lanes that return early have ended before the others need them to.
//!
//! Cost: a stack of entries of two addresses and a mask per warp; at most one waiting and one pending entry per nesting
//! level. Unfair: lanes that wait at a reconvergence point do so for ever if the others spin (ESOP'12 section 5).

use super::{Branch, ReconvergencePolicy, WarpSplit};
use simt_core::LaneMask;
use simt_core::code::{Markers, Pc};
use smallvec::SmallVec;

/// The stack of immediate post-dominators; the taken path runs first.
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
/// let report = Gpu::<Ipdom>::default().launch(Grid::new(1, 32), parity(&mut x))?;
/// // The arms run one after the other; behind them all lanes go on together.
/// let behind = report.lines().iter().find(|line| line.text == "x[i] += 10;").unwrap();
/// assert_eq!(behind.mean_active_lanes(), 32.0);
/// # Ok::<(), LaunchError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Ipdom {
    // PERF: the top entry lives in fields; the stack holds the rest.
    top: Entry,
    below: SmallVec<[Entry; 8]>,
    /// Whether lanes of entries below may have ended, in a function, or may wait.
    checks: bool,
    /// Lanes that wait for others at a collective. Neither they nor the entries that wait for them can run.
    parked: LaneMask,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    /// Where the entry ends, [`NEVER`] if only with the kernel.
    reconvergence: Pc,
    next: Pc,
    mask: LaneMask,
}

/// An entry of the stack of [`Ipdom`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackEntry {
    /// Where the entry ends; `None` if only with the kernel or, in a function, with its return.
    pub reconvergence: Option<Pc>,
    /// Where its lanes go on.
    pub next: Pc,
    /// The lanes.
    pub mask: LaneMask,
}

/// No address: the entry ends with the kernel or, in a function, with its return.
const NEVER: Pc = Pc(u32::MAX);

impl Ipdom {
    /// The entries of the stack, the top last; there is none when all lanes have ended.
    pub fn entries(&self) -> impl Iterator<Item = StackEntry> {
        let entries = self.below.iter().chain((!self.top.mask.is_empty()).then_some(&self.top));
        entries.map(|&Entry { reconvergence, next, mask }| StackEntry {
            reconvergence: (reconvergence != NEVER).then_some(reconvergence),
            next,
            mask,
        })
    }

    #[inline(never)]
    fn pop(&mut self) {
        // PERF: a warp that neither calls nor waits is spared the checks.
        if self.checks {
            return self.pop_with_checks();
        }
        while let Some(entry) = self.below.pop() {
            self.top = entry;
            if entry.next != entry.reconvergence {
                return;
            }
        }
        self.top.mask = LaneMask::EMPTY;
    }

    #[cold]
    fn pop_with_checks(&mut self) {
        while let Some(entry) = self.below.pop() {
            if !(entry.mask & self.parked).is_empty() {
                self.below.push(entry);
                self.run_another();
                return;
            }
            self.top = entry;
            if entry.next != entry.reconvergence && !entry.mask.is_empty() {
                return;
            }
        }
        self.top.mask = LaneMask::EMPTY;
    }

    /// Makes the topmost entry current that waits neither at a collective nor for lanes further up; gives whether there is
    /// one.
    #[cold]
    fn run_another(&mut self) -> bool {
        let mut above = self.parked;
        for index in (0..self.below.len()).rev() {
            let entry = self.below[index];
            if !entry.mask.is_empty() && (entry.mask & above).is_empty() && entry.next != entry.reconvergence {
                self.top = self.below.remove(index);
                return true;
            }
            above |= entry.mask;
        }
        self.top.mask = LaneMask::EMPTY;
        false
    }
}

impl ReconvergencePolicy for Ipdom {
    const NAME: &'static str = "Ipdom";
    const MARKERS: Markers = Markers::PostDominators;

    fn start(split: WarpSplit) -> Self {
        let top = Entry { reconvergence: NEVER, next: split.pc, mask: split.mask };
        Self { top, below: SmallVec::new(), checks: false, parked: LaneMask::EMPTY }
    }

    #[inline(always)]
    fn current(&self) -> Option<WarpSplit> {
        (!self.top.mask.is_empty()).then_some(WarpSplit { pc: self.top.next, mask: self.top.mask })
    }

    #[inline(always)]
    fn advance(&mut self, next: Pc) {
        self.top.next = next;
        if next == self.top.reconvergence {
            self.pop();
        }
    }

    #[inline(always)]
    fn branch(&mut self, branch: Branch) {
        let all = self.top.mask;
        let (taken, rest) = (branch.taken, all - branch.taken);
        if rest.is_empty() {
            return self.advance(branch.target);
        }
        if taken.is_empty() {
            return self.advance(branch.next);
        }
        // Paths that meet only at the end of the kernel need no entry that waits there.
        let reconvergence = match branch.meet {
            Some(meet) => {
                // An entry that waits where it ends would be popped at once: the one below it waits there already.
                if meet != self.top.reconvergence {
                    self.below.push(Entry { next: meet, ..self.top });
                }
                meet
            }
            None => self.top.reconvergence,
        };
        if branch.next != reconvergence {
            self.below.push(Entry { reconvergence, next: branch.next, mask: rest });
        }
        self.top = Entry { reconvergence, next: self.top.next, mask: taken };
        self.advance(branch.target);
    }

    #[inline(always)]
    fn exit(&mut self) {
        // No waiting entry of the same function has these lanes: its address post-dominates every path of theirs, so they
        // are past it. Those of callers may.
        if self.checks {
            let ended = self.top.mask;
            self.below.iter_mut().for_each(|entry| entry.mask = entry.mask - ended);
        }
        self.pop();
    }

    /// The caller's path waits behind the call, below the paths through the function, each of which ends with a return.
    fn call(&mut self, target: Pc, back: Pc) {
        self.checks = true;
        self.below.push(Entry { next: back, ..self.top });
        self.top = Entry { reconvergence: NEVER, next: target, mask: self.top.mask };
    }

    fn ret(&mut self, _returning: LaneMask, _back: Pc, _at: Pc) {
        self.pop();
    }

    fn park(&mut self) -> bool {
        self.checks = true;
        let parking = self.top;
        self.parked |= parking.mask;
        let runs = self.run_another();
        if runs {
            self.below.push(parking);
        } else {
            self.parked = self.parked - parking.mask;
            self.top = parking;
        }
        runs
    }

    fn wake(&mut self, lanes: LaneMask, next: Pc) {
        let woken = self.parked & lanes;
        self.parked = self.parked - woken;
        let mut above = self.top.mask;
        for entry in self.below.iter_mut().rev() {
            // A lane is in the topmost entry that has it.
            if entry.mask.is_subset(woken) && (entry.mask & above).is_empty() {
                entry.next = next;
            }
            above |= entry.mask;
        }
        if self.top.mask.is_empty() {
            self.pop();
        }
    }

    fn splits(&self) -> Vec<WarpSplit> {
        let mut seen = LaneMask::EMPTY;
        let mut splits = Vec::new();
        // From the top down: a lane belongs to the topmost entry that has it.
        for entry in [self.top].iter().chain(self.below.iter().rev()) {
            let mask = entry.mask - seen;
            seen |= entry.mask;
            if !mask.is_empty() {
                splits.push(WarpSplit { pc: entry.next, mask });
            }
        }
        splits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 8] = ["A", "B", "C", "D", "E", "F", "G", "end"];

    fn pc(name: &str) -> Pc {
        Pc(NAMES.iter().position(|&other| other == name).expect("a block of the figure") as u32)
    }

    fn mask(digits: &str) -> LaneMask {
        let lanes = digits.chars().enumerate().filter(|&(_, digit)| digit == '1');
        lanes.map(|(lane, _)| LaneMask::lane(lane)).fold(LaneMask::EMPTY, |all, lane| all | lane)
    }

    /// The entries (reconvergence pc, next pc, mask), the top last.
    fn stack(policy: &Ipdom) -> String {
        let entry = |entry: StackEntry| {
            let reconvergence = entry.reconvergence.map_or("-", |pc| NAMES[pc.index()]);
            format!("({reconvergence},{},{})", NAMES[entry.next.index()], entry.mask.digits(4))
        };
        policy.entries().map(entry).collect::<Vec<_>>().join(" ")
    }

    fn branch(taken: &str, target: &str, next: &str, meet: &str) -> Branch {
        Branch { taken: mask(taken), target: pc(target), next: pc(next), meet: Some(pc(meet)), leaves: false }
    }

    /// The stack of TACO'09 Fig. 4, whose blocks are the addresses here. Taken are the paths that it runs first.
    #[test]
    fn the_stack_is_that_of_the_papers_figure() {
        let mut policy = Ipdom::start(WarpSplit { pc: pc("A"), mask: mask("1111") });
        policy.branch(branch("1110", "B", "F", "G"));
        assert_eq!(stack(&policy), "(-,G,1111) (G,F,0001) (G,B,1110)");
        policy.branch(branch("1000", "C", "D", "E"));
        assert_eq!(stack(&policy), "(-,G,1111) (G,F,0001) (G,E,1110) (E,D,0110) (E,C,1000)");
        policy.advance(pc("E"));
        assert_eq!(stack(&policy), "(-,G,1111) (G,F,0001) (G,E,1110) (E,D,0110)");
        policy.advance(pc("E"));
        assert_eq!(stack(&policy), "(-,G,1111) (G,F,0001) (G,E,1110)");
        policy.advance(pc("G"));
        assert_eq!(stack(&policy), "(-,G,1111) (G,F,0001)");
        policy.advance(pc("G"));
        assert_eq!(stack(&policy), "(-,G,1111)");
        policy.exit();
        assert_eq!(policy.current(), None);
    }

    #[test]
    fn a_path_that_begins_where_it_ends_is_no_entry() {
        let mut policy = Ipdom::start(WarpSplit { pc: pc("A"), mask: mask("1111") });
        policy.branch(branch("1110", "G", "F", "G"));
        assert_eq!(stack(&policy), "(-,G,1111) (G,F,0001)");
        let mut policy = Ipdom::start(WarpSplit { pc: pc("A"), mask: mask("1111") });
        policy.branch(branch("1110", "B", "G", "G"));
        assert_eq!(stack(&policy), "(-,G,1111) (G,B,1110)");
    }
    /// Lanes 0 and 1 return early, but the others run first, and come to a collective that waits for them.
    #[test]
    fn lanes_that_wait_let_those_run_who_do_not_wait_for_them() {
        let mut policy = Ipdom::start(WarpSplit { pc: pc("A"), mask: mask("1111") });
        policy.branch(Branch { meet: None, ..branch("0011", "B", "F", "end") });
        policy.branch(branch("0010", "C", "D", "E"));
        assert_eq!(stack(&policy), "(-,F,1100) (-,E,0011) (E,D,0001) (E,C,0010)");
        assert!(policy.park());
        assert_eq!(stack(&policy), "(-,F,1100) (-,E,0011) (E,C,0010) (E,D,0001)");
        policy.advance(pc("E"));
        // Lane 3 waits at E for lane 2.
        assert_eq!(stack(&policy), "(-,E,0011) (E,C,0010) (-,F,1100)");
        policy.exit();
        assert_eq!(policy.current(), None);
        policy.wake(mask("0010"), pc("E"));
        assert_eq!(stack(&policy), "(-,E,0011)");
        assert!(!policy.park(), "nobody else can run");
        assert_eq!(policy.current(), Some(WarpSplit { pc: pc("E"), mask: mask("0011") }));
    }

    /// A function that calls itself from A and goes on at B, where the outer activation waits too: neither is the other's end.
    #[test]
    fn an_address_in_another_activation_is_no_reconvergence_point() {
        let mut policy = Ipdom::start(WarpSplit { pc: pc("A"), mask: mask("1111") });
        policy.call(pc("A"), pc("B"));
        policy.branch(branch("1100", "A", "C", "F"));
        assert_eq!(stack(&policy), "(-,B,1111) (-,F,1111) (F,C,0011) (F,A,1100)");
        policy.call(pc("A"), pc("B"));
        assert_eq!(stack(&policy), "(-,B,1111) (-,F,1111) (F,C,0011) (F,B,1100) (-,A,1100)");
        policy.ret(mask("1100"), pc("B"), pc("G"));
        assert_eq!(stack(&policy), "(-,B,1111) (-,F,1111) (F,C,0011) (F,B,1100)");
        policy.advance(pc("F"));
        policy.ret(mask("0011"), pc("B"), pc("G"));
        assert_eq!(stack(&policy), "(-,B,1111) (-,F,1111)");
        policy.ret(mask("1111"), pc("B"), pc("G"));
        assert_eq!(stack(&policy), "(-,B,1111)");
    }

    #[test]
    fn lanes_that_end_in_a_function_do_not_return() {
        let mut policy = Ipdom::start(WarpSplit { pc: pc("A"), mask: mask("1111") });
        policy.call(pc("C"), pc("B"));
        policy.branch(branch("1000", "D", "E", "F"));
        policy.exit();
        policy.ret(mask("0111"), pc("B"), pc("G"));
        assert_eq!(policy.current(), Some(WarpSplit { pc: pc("F"), mask: mask("0111") }));
    }
}
