//! Multi-path: the paths of a warp in two tables (A. ElTantawy, J. W. Ma, M. O'Connor and T. M. Aamodt, *A Scalable
//! Multi-Path Microarchitecture for Efficient GPU Control Flow*, HPCA 2014).
//!
//! The *split table* has the paths that can issue: (pc, mask), and the point where each ends. The *reconvergence table* has the
//! points: (pc, lanes that are to come, lanes that have come), and the point where those end that go on from there. A branch
//! that diverges makes two splits of one, and a point at its immediate post-dominator, unless the path itself ends there. A
//! split that comes to its point leaves the table; when no lane is to come any more, those that have come are a split.

use super::shared::{Lanes, Parked, Stack};
use super::{Branch, Ends, Figure, Tally, WarpChecking, WarpPolicy, WarpSplit, WarpStart, WarpTiming};
use simt_core::LaneMask;
use simt_core::code::{Markers, Pc};

/// All paths of a warp issue in turns, and meet at immediate post-dominators, or before by chance.
///
/// * **Mechanism.** Two tables in place of a stack: of splits, all of which can issue, and of points where they meet. Splits
///   with the same point that stand at one address become one: the paper's *opportunistic early reconvergence*.
/// * **Source.** A. ElTantawy, J. W. Ma, M. O'Connor and T. M. Aamodt, *A Scalable Multi-Path Microarchitecture for Efficient
///   GPU Control Flow*, HPCA 2014. **Assumed:** splits take turns, a segment each; with a clock the first that can issue after
///   the one that issued last. Splits become one where they happen to be at one address at one time; none waits for another
///   before the post-dominator. There is room for as many splits as lanes, and what the paper keeps of a split for its
///   pipeline (instructions, a scoreboard) costs nothing.
/// * **State.** Two tables of at most as many entries as lanes: an address, a mask and the number of a point; an address, two
///   masks and the number of a point.
/// * **Fairness.** Each split has its turn; lanes that wait where paths meet wait for ever if the others spin.
/// * **Beside [`WarpSubdivision`](crate::WarpSubdivision)**, which keeps a stack, has room for some splits only and divides at
///   loads, too, every path runs here, and none is divided at a load.
///
/// Figures of its own: the *most splits* at once, the *most points* at which some wait, and *splits that met early*.
///
/// ```
/// use simt::prelude::*;
/// use std::sync::atomic::{AtomicU32, Ordering::{Acquire, Release}};
///
/// /// ESOP'12, Program 2: one side of a branch waits for the other.
/// #[kernel]
/// fn program_2(lock: &[AtomicU32]) {
///     if global_id() == 0 {
///         lock[0].store(1, Release);
///     } else {
///         while lock[0].load(Acquire) != 1 {}
///     }
/// }
///
/// Gpu::<MultiPath>::default().launch(Grid::new(1, 32), program_2(&[AtomicU32::new(0)]))?;
/// # Ok::<(), LaunchError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MultiPath {
    splits: Stack<Path, 4>,
    /// The split that issues next, if there is one.
    current: usize,
    /// Points; one at which no lane is or will be is free.
    points: Stack<Point, 4>,
    parked: Parked<Path>,
    tally: Tally<Counts>,
}

/// An entry of the split table.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Path {
    pc: Pc,
    mask: LaneMask,
    /// The point where it ends; none if with the kernel.
    point: Option<u32>,
}

impl Lanes for Path {
    fn lanes(self) -> LaneMask {
        self.mask
    }
    fn of(self, mask: LaneMask) -> Self {
        Self { mask, ..self }
    }
}

/// An entry of the reconvergence table.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Point {
    /// The address where lanes go on.
    pc: Pc,
    /// Whether paths come by returning from a function, and not by their address.
    returns: bool,
    /// Lanes that are to come.
    pending: LaneMask,
    /// Lanes that have come.
    waiting: LaneMask,
    /// The point where those end that go on.
    outer: Option<u32>,
}

impl Point {
    const FREE: Self =
        Self { pc: Pc(0), returns: false, pending: LaneMask::EMPTY, waiting: LaneMask::EMPTY, outer: None };

    fn is_free(&self) -> bool {
        (self.pending | self.waiting).is_empty()
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    splits: usize,
    points: usize,
    met_early: u64,
}

impl MultiPath {
    /// A new point, at which these lanes will meet.
    #[inline(always)]
    fn point(&mut self, pc: Pc, returns: bool, pending: LaneMask, outer: Option<u32>) -> Option<u32> {
        let point = Point { pc, returns, pending, waiting: LaneMask::EMPTY, outer };
        let place = self.points.iter().position(Point::is_free).unwrap_or(self.points.len());
        match self.points.get_mut(place) {
            Some(free) => *free = point,
            // No other is free.
            None => {
                self.points.push(point);
                self.tally.0.points = self.tally.0.points.max(self.points.len());
            }
        }
        Some(place as u32)
    }

    /// Whether a path ends at an address.
    ///
    /// PERF: without a closure, which would not be compiled for the processor's instructions on bits.
    #[inline(always)]
    fn ends(&self, point: Option<u32>, pc: Pc) -> bool {
        let Some(point) = point else { return false };
        let point = &self.points[point as usize];
        point.pc == pc && !point.returns
    }

    /// Lanes have come to a point. Returns those that go on from there, if all have come.
    #[inline(always)]
    fn arrive(&mut self, lanes: LaneMask, place: u32) -> Option<Path> {
        let point = &mut self.points[place as usize];
        point.pending = point.pending - lanes;
        point.waiting |= lanes;
        self.open(place)
    }

    #[inline(always)]
    fn open(&mut self, place: u32) -> Option<Path> {
        let point = &mut self.points[place as usize];
        let opens = point.pending.is_empty() && !point.waiting.is_empty();
        opens.then(|| {
            let mask = std::mem::take(&mut point.waiting);
            Path { pc: point.pc, mask, point: point.outer }
        })
    }

    /// A path goes on: at a point it leaves the table, where another one with its point stands it joins that.
    #[inline(always)]
    fn settle(&mut self, mut path: Path) {
        while self.ends(path.point, path.pc) {
            match path.point.and_then(|point| self.arrive(path.mask, point)) {
                Some(next) => path = next,
                None => return,
            }
        }
        if let Some(other) = self.splits.iter_mut().find(|other| (other.pc, other.point) == (path.pc, path.point)) {
            other.mask |= path.mask;
            self.tally.0.met_early += 1;
        } else {
            self.add(path);
        }
    }

    /// A split more, which has its turn behind the others.
    #[inline(always)]
    fn add(&mut self, path: Path) {
        let split = self.splits.grow();
        (split.pc, split.mask, split.point) = (path.pc, path.mask, path.point);
        self.tally.0.splits = self.tally.0.splits.max(self.splits.len());
    }

    /// Takes the current split out of the table; the next one has its turn.
    #[inline(always)]
    fn take(&mut self) -> Path {
        let path = self.splits.remove(self.current);
        if self.current >= self.splits.len() {
            self.current = 0;
        }
        path
    }

    fn select(&mut self, free: LaneMask) -> bool {
        let len = self.splits.len();
        let found = (0..len).map(|after| (self.current + after) % len).find(|&at| self.splits[at].mask.is_subset(free));
        self.current = found.unwrap_or(self.current);
        found.is_some()
    }
}

impl WarpPolicy for MultiPath {
    const NAME: &'static str = "MultiPath";
    const MARKERS: Markers = Markers::PostDominators;
    const ENDS: Option<Ends> = Some(Ends { program_3: false, lock_behind: false, ..Ends::ALL });
    const TIMING: WarpTiming<Self> = WarpTiming { select: Some(Self::select), ..WarpTiming::DEFAULT };
    const CHECKING: WarpChecking<Self> = WarpChecking::TRUSTED;

    fn start(WarpStart { split: WarpSplit { pc, mask }, .. }: WarpStart<'_>) -> Self {
        let path = Path { pc, mask, point: None };
        let mut splits = Stack::new(path);
        splits.push(path);
        Self {
            splits,
            current: 0,
            points: Stack::new(Point::FREE),
            parked: Parked::default(),
            tally: Tally(Counts { splits: 1, ..Counts::default() }),
        }
    }

    #[inline(always)]
    fn current(&self) -> Option<WarpSplit> {
        self.splits.get(self.current).map(|path| WarpSplit { pc: path.pc, mask: path.mask })
    }

    #[inline(always)]
    fn advance(&mut self, next: Pc) {
        // PERF: the only split need not be taken out, and joins no other.
        if let [path] = *self.splits
            && !self.ends(path.point, next)
        {
            self.splits[0].pc = next;
            return;
        }
        let path = self.take();
        self.settle(Path { pc: next, ..path });
    }

    #[inline(always)]
    fn branch(&mut self, branch: Branch) {
        let rest = self.splits[self.current].mask - branch.taken;
        if rest.is_empty() {
            return self.advance(branch.target);
        }
        if branch.taken.is_empty() {
            return self.advance(branch.next);
        }
        let path = self.take();
        let sides = [(branch.target, branch.taken), (branch.next, rest)];
        if let Some(meet) = branch.meet
            && !self.ends(path.point, meet)
        {
            let point = self.point(meet, false, path.mask, path.point);
            for (pc, mask) in sides {
                let side = Path { pc, mask, point };
                // PERF: at a new point no other path ends.
                if pc == meet || branch.target == branch.next { self.settle(side) } else { self.add(side) }
            }
        } else {
            for (pc, mask) in sides {
                self.settle(Path { pc, mask, point: path.point });
            }
        }
    }

    fn exit(&mut self) {
        let Path { mask, mut point, .. } = self.take();
        // They are waited for at each point up to the kernel's end. The innermost that opens has lanes that the next waits for.
        while let Some(place) = point {
            let left = &mut self.points[place as usize];
            left.pending = left.pending - mask;
            point = left.outer;
            if let Some(path) = self.open(place) {
                self.settle(path);
            }
        }
    }

    fn call(&mut self, target: Pc, back: Pc) {
        let path = self.take();
        let point = self.point(back, true, path.mask, path.point);
        self.settle(Path { pc: target, point, ..path });
    }

    /// All paths through a function end at the point behind its call.
    fn ret(&mut self, _returning: LaneMask, _back: Pc, _at: Pc) {
        let path = self.take();
        if let Some(next) = path.point.and_then(|point| self.arrive(path.mask, point)) {
            self.settle(next);
        }
    }

    fn park(&mut self) -> bool {
        let path = self.take();
        self.parked.park(path);
        true
    }

    fn release(&mut self, ends: &dyn Fn(Pc) -> bool) -> bool {
        // Lanes may come to the next point out.
        while self.splits.is_empty() {
            let Some(point) = self.points.iter_mut().find(|point| !point.waiting.is_empty() && ends(point.pc)) else {
                return false;
            };
            let mask = std::mem::take(&mut point.waiting);
            let path = Path { pc: point.pc, mask, point: point.outer };
            self.settle(path);
        }
        true
    }

    fn wake(&mut self, lanes: LaneMask, next: Pc) {
        while let Some(path) = self.parked.wake(lanes) {
            self.settle(Path { pc: next, ..path });
        }
    }

    fn splits(&self) -> Vec<WarpSplit> {
        let current = self.current();
        let paths = self.splits.iter().copied().chain(self.parked.iter());
        let paths = paths.map(|path| WarpSplit { pc: path.pc, mask: path.mask });
        let waiting = self.points.iter().filter(|point| !point.waiting.is_empty());
        let waiting = waiting.map(|point| WarpSplit { pc: point.pc, mask: point.waiting });
        let others = paths.filter(|split| Some(*split) != current).chain(waiting);
        current.into_iter().chain(others).collect()
    }

    fn figures(&self, tell: &mut dyn FnMut(Figure)) {
        let Counts { splits, points, met_early } = self.tally.0;
        tell(Figure::highest("most splits in turns", splits as u64));
        tell(Figure::highest("most points", points as u64));
        tell(Figure::sum("splits that met early", met_early));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::gathered;

    fn split(pc: u32, mask: u64) -> WarpSplit {
        WarpSplit { pc: Pc(pc), mask: LaneMask(mask) }
    }

    fn branch(taken: u64, target: u32, next: u32, meet: u32) -> Branch {
        Branch { taken: LaneMask(taken), target: Pc(target), next: Pc(next), meet: Some(Pc(meet)), leaves: false }
    }

    #[test]
    fn all_paths_have_their_turns_and_meet() {
        let mut policy = MultiPath::start(split(0, 0b1111).into());
        policy.branch(branch(0b0011, 5, 1, 9));
        assert_eq!(policy.splits(), [split(5, 0b0011), split(1, 0b1100)]);
        policy.branch(branch(0b0001, 6, 7, 8));
        assert_eq!(policy.splits(), [split(1, 0b1100), split(6, 0b0001), split(7, 0b0010)]);
        policy.advance(Pc(9));
        policy.advance(Pc(8));
        assert_eq!(policy.splits(), [split(7, 0b0010), split(9, 0b1100), split(8, 0b0001)]);
        policy.advance(Pc(8));
        assert_eq!(policy.splits(), [split(8, 0b0011), split(9, 0b1100)]);
        policy.advance(Pc(9));
        assert_eq!(policy.splits(), [split(9, 0b1111)]);
        assert_eq!(gathered(|tell| policy.figures(tell)), [3, 2, 0]);
    }

    #[test]
    fn splits_at_one_address_become_one() {
        let mut policy = MultiPath::start(split(0, 0b111).into());
        policy.branch(branch(0b001, 5, 1, 9));
        policy.branch(branch(0, 6, 6, 9));
        policy.branch(branch(0b010, 6, 2, 9));
        assert_eq!(policy.splits(), [split(6, 0b011), split(2, 0b100)]);
    }

    #[test]
    fn those_that_have_ended_are_not_waited_for() {
        let mut policy = MultiPath::start(split(0, 0b11).into());
        policy.call(Pc(20), Pc(1));
        policy.branch(branch(0b01, 25, 21, 29));
        policy.exit();
        policy.advance(Pc(29));
        assert_eq!(policy.splits(), [split(29, 0b10)]);
        policy.ret(LaneMask(0b10), Pc(1), Pc(29));
        assert_eq!(policy.splits(), [split(1, 0b10)]);
        assert!(policy.park());
        assert_eq!((policy.current(), policy.splits()), (None, vec![split(1, 0b10)]));
        policy.wake(LaneMask(0b10), Pc(2));
        policy.exit();
        assert!(policy.splits().is_empty());
    }
}
