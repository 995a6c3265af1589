//! The SIMT stack: paths that meet at the branch's immediate post-dominator (TACO'09 section 2.2, Fig. 4).
//!
//! An entry is (reconvergence pc, next pc, mask). A branch that diverges turns the top entry into the one that waits at the
//! reconvergence pc and pushes one entry a path, the one that runs first on top: the paper's figure has the taken one there,
//! and other orders are a type parameter ([`PathOrder`]). An entry is popped as soon as its next pc is its
//! reconvergence pc. A call is such an entry, too: the caller waits behind the call until all paths of the function have
//! returned.
//!
//! A `break`, `continue` or `return` in an inner `if` moves the outer one's post-dominator past its end: its lanes then meet
//! later than structured control flow would have them meet (`testing::Reconvergence::behind_exits` counts them).
//!
//! Lanes that wait at a collective stay where they are on the stack. Of the paths below, the first that does not wait for
//! them comes on top meanwhile: so lanes that return early have ended before the others need them to. If there is none, lanes
//! end that wait where nothing stands but the end of the kernel.
//!
//! Cost: a stack of entries of two addresses and a mask per warp; at most one waiting and one pending entry per nesting
//! level. Unfair: lanes that wait at a reconvergence point do so for ever if the others spin (ESOP'12 section 5).

mod entry;

use super::shared::Stack;
use super::{
    Branch, Ends, Figure, PathOrder, StatePart, TakenFirst, Tally, WarpChecking, WarpPolicy, WarpSplit, WarpStart,
};
use entry::{Below, Depths, Entry, NEVER};
use simt_core::LaneMask;
use simt_core::code::{Markers, Pc};
use std::marker::PhantomData;

/// The stack of immediate post-dominators. `O` says which path of a branch runs first, by default the taken one.
///
/// Figures of its own: the *deepest stack*, in entries, and the *most pending paths*, which are the entries of paths that
/// have not begun; entries that wait where paths meet are not among them. With [`SmallerFirst`](crate::SmallerFirst) no more
/// than log2(lanes) paths are ever pending.
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
pub struct Ipdom<O = TakenFirst> {
    // PERF: the top entry is kept in fields; the stack holds the rest.
    top: Entry,
    below: Stack<Below, 8>,
    /// Whether lanes of entries below may have ended, in a function, or may wait.
    checks: bool,
    /// Lanes that wait for others at a collective. Neither they nor the entries that wait for them can run.
    parked: LaneMask,
    depths: Tally<Depths>,
    order: PhantomData<O>,
}

/// An entry of the stack of [`Ipdom`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackEntry {
    /// The address where the entry ends; `None` if only with the kernel or, in a function, with its return.
    pub reconvergence: Option<Pc>,
    /// The address where its lanes go on.
    pub next: Pc,
    /// The lanes.
    pub mask: LaneMask,
}

impl<O: PathOrder> Ipdom<O> {
    /// The entries of the stack, the top last; none when all lanes have ended.
    pub fn entries(&self) -> impl Iterator<Item = StackEntry> {
        let entries =
            self.below.iter().map(|below| below.entry()).chain((!self.top.mask.is_empty()).then_some(self.top));
        entries.map(|Entry { reconvergence, next, mask }| StackEntry {
            reconvergence: (reconvergence != NEVER).then_some(reconvergence),
            next,
            mask,
        })
    }

    /// Lanes that neither called nor waited have left the stack empty.
    #[inline(always)]
    fn again(&mut self, WarpSplit { pc: next, mask }: WarpSplit) {
        self.top = Entry { reconvergence: NEVER, next, mask };
        if self.checks {
            let depths = Tally(self.depths.0.again());
            *self = Self { depths, ..Self::start(WarpSplit { pc: next, mask }.into()) };
        }
    }

    #[inline(always)]
    fn pop(&mut self) {
        // PERF: a warp that neither calls nor waits skips the checks.
        if self.checks {
            return self.pop_with_checks();
        }
        while let Some(entry) = self.below.pop().map(Below::entry) {
            self.top = entry;
            self.depths.0.begin(entry.mask);
            if entry.next != entry.reconvergence {
                return;
            }
        }
        self.top.mask = LaneMask::EMPTY;
    }

    #[cold]
    fn pop_with_checks(&mut self) {
        while let Some(entry) = self.below.pop().map(Below::entry) {
            if !(entry.mask & self.parked).is_empty() {
                self.below.push(Below::new(entry));
                self.run_another();
                return;
            }
            self.top = entry;
            self.depths.0.begin(entry.mask);
            if entry.next != entry.reconvergence && !entry.mask.is_empty() {
                return;
            }
        }
        self.top.mask = LaneMask::EMPTY;
    }

    /// Makes the topmost entry current that waits neither at a collective nor for lanes further up; returns whether there is
    /// one.
    #[cold]
    fn run_another(&mut self) -> bool {
        let mut above = self.parked;
        let found = self.below.iter().rposition(|below| {
            let entry = below.entry();
            let runs = !entry.mask.is_empty() && (entry.mask & above).is_empty() && entry.next != entry.reconvergence;
            above |= entry.mask;
            runs
        });
        match found.map(|place| self.below.remove(place).entry()) {
            Some(entry) => {
                self.top = entry;
                self.depths.0.begin(entry.mask);
            }
            None => self.top.mask = LaneMask::EMPTY,
        }
        !self.top.mask.is_empty()
    }
}

impl<O: PathOrder> WarpPolicy for Ipdom<O> {
    const NAME: &'static str = O::IPDOM;
    const MARKERS: Markers = Markers::PostDominators;
    const ENDS: Option<Ends> = O::ENDS;
    const CHECKING: WarpChecking<Self> = WarpChecking::TRUSTED.with_any_parameter();
    const AGAIN: Option<fn(&mut Self, WarpSplit)> = Some(Self::again);

    fn start(start: WarpStart<'_>) -> Self {
        let WarpSplit { pc: next, mask } = start.split;
        let top = Entry { reconvergence: NEVER, next, mask };
        let below = Stack::new(Below::new(top));
        Self { top, below, checks: false, parked: LaneMask::EMPTY, depths: Tally::default(), order: PhantomData }
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
                // An entry that waits at its own end would be popped at once: the one below it waits there already.
                if meet != self.top.reconvergence {
                    self.below.push(Below::new(Entry { next: meet, ..self.top }));
                }
                meet
            }
            None => self.top.reconvergence,
        };
        let (taken, rest) = ((branch.target, taken), (branch.next, rest));
        let (first, later) = if O::taken_first(taken.1, rest.1) { (taken, rest) } else { (rest, taken) };
        if later.0 != reconvergence {
            self.below.push(Below::new(Entry { reconvergence, next: later.0, mask: later.1 }));
            self.depths.0.defer(later.1, self.below.len());
        } else {
            self.depths.0.pushed(self.below.len());
        }
        self.top = Entry { reconvergence, next: self.top.next, mask: first.1 };
        self.advance(first.0);
    }

    #[inline(always)]
    fn exit(&mut self) {
        // No waiting entry of the same function has these lanes: its address post-dominates every path of theirs, so they
        // have passed it. Entries of callers may have them.
        if self.checks {
            let ended = self.top.mask;
            self.below.iter_mut().for_each(|entry| entry.mask = entry.mask - ended);
        }
        self.pop();
    }

    /// The caller's path waits behind the call, below the paths through the function, each of which ends with a return.
    fn call(&mut self, target: Pc, back: Pc) {
        self.checks = true;
        self.below.push(Below::new(Entry { next: back, ..self.top }));
        self.depths.0.pushed(self.below.len());
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
            self.below.push(Below::new(parking));
        } else {
            self.parked = self.parked - parking.mask;
            self.top = parking;
        }
        runs
    }

    fn release(&mut self, ends: &dyn Fn(Pc) -> bool) -> bool {
        let mut above = self.top.mask | self.parked;
        for place in (0..self.below.len()).rev() {
            let entry = self.below[place].entry();
            let part = entry.mask - above;
            above |= entry.mask;
            if !part.is_empty() && ends(entry.next) {
                self.below[place] = Below::new(Entry { mask: entry.mask - part, ..entry });
                self.parked |= self.top.mask;
                if !self.top.mask.is_empty() {
                    self.below.push(Below::new(self.top));
                    self.depths.0.pushed(self.below.len());
                }
                self.top = Entry { reconvergence: NEVER, next: entry.next, mask: part };
                return true;
            }
        }
        false
    }

    fn wake(&mut self, lanes: LaneMask, next: Pc) {
        let woken = self.parked & lanes;
        self.parked = self.parked - woken;
        let mut above = self.top.mask;
        for place in (0..self.below.len()).rev() {
            let entry = self.below[place].entry();
            let part = entry.mask & woken;
            // A lane is in the topmost entry that has it.
            if !part.is_empty() && (entry.mask & above).is_empty() {
                self.below[place] = Below::new(Entry { next, mask: part, ..entry });
                if part != entry.mask {
                    self.below.insert(place, Below::new(Entry { mask: entry.mask - part, ..entry }));
                    self.depths.0.pushed(self.below.len());
                }
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
        for entry in std::iter::once(self.top).chain(self.below.iter().rev().map(|below| below.entry())) {
            let mask = entry.mask - seen;
            seen |= entry.mask;
            if !mask.is_empty() {
                splits.push(WarpSplit { pc: entry.next, mask });
            }
        }
        splits
    }

    #[inline]
    fn figures(&self, tell: &mut dyn FnMut(Figure)) {
        let Depths { most_paths, most_below, .. } = self.depths.0;
        tell(Figure::highest("deepest stack (entries)", most_below as u64 + 1));
        tell(Figure::highest("most pending paths", most_paths.into()));
    }

    fn state(&self, tell: &mut dyn FnMut(StatePart)) {
        for StackEntry { reconvergence, next, mask } in self.entries() {
            tell(StatePart { next: Some(next), meet: reconvergence, ..StatePart::new("stack", mask) });
        }
    }
}

#[cfg(test)]
mod tests;
