//! Hanoi: Turing's control-flow instructions on two stacks (M. A. Shoushtary, J. Tubella and A. González, *Control Flow
//! Management in Modern GPUs*, sections V to VII).

use super::barriers::{Barriers, ConvergenceBarrier};
use super::{BarrierMarker, Branch, ReconvergencePolicy, WarpSplit};
use simt_core::LaneMask;
use simt_core::code::{BarrierReg, Markers, Pc};
use smallvec::SmallVec;

/// Turing's control-flow instructions on two stacks; the path of the majority runs first.
///
/// The source is Shoushtary, Tubella and González, *Control Flow Management in Modern GPUs*; sections are its.
///
/// # Mechanism
///
/// The *warp split stack* WS has the paths to be executed, (address, mask); its top runs. The *reconvergence stack* REC has
/// the points where paths meet, (address, Bx): the barrier register Bx has the mask of those that meet there, the
/// participants.
///
/// * `bssy Bx, L`: Bx becomes the active mask and valid; (L, Bx) is pushed on REC.
/// * `bsync Bx`: the path ends; its lanes wait. When all participants of an entry wait, it is popped from REC, they are
///   pushed on WS behind the `bsync`, and Bx is not valid any more. That is looked at whenever a path has ended.
/// * A branch that diverges becomes two paths, the one with more lanes on top, the taken one if they have equally many.
/// * `break p, Bx`: the lanes that p holds for no longer take part, as they will not come.
/// * `bmov R, Bx` moves the participants to a register and makes Bx free; `bmov Bx, R` moves them back. So few registers
///   are enough, and another entry may name the same one.
/// * `warpsync m`: the lanes wait for those of m. The first that come take a free register for m and push (next, Bx).
/// * `exit`: the lanes end, and leave every register.
/// * `yield` swaps the two topmost paths if they are siblings, which is so if all their lanes are participants of REC's
///   topmost entry. Otherwise it does nothing.
///
/// Calls change the address only. Lanes that wait at an operation of lanes together leave WS as for a `warpsync`, and come
/// back together.
///
/// # Code
///
/// [`Markers::HanoiBarriers`]: barriers at immediate post-dominators, and early where paths of unstructured code meet before
/// (section VI-B, Figure 6); participants of a lock meet behind the release (section VI-C, Figure 7); each loop that may wait
/// for others has a `yield` at its head.
///
/// # Cost
///
/// Of a warp of 32 lanes with 8 registers 432 bytes: at most 32 entries of WS, 31 of REC, and the waiting and finished masks
/// (section IX-A).
///
/// # Fairness
///
/// Unfair but for siblings: a path that spins lets the one run that it parted from last. Two paths with no reconvergence
/// point in common never change places, and a loop without a `yield` runs until it ends.
///
/// # When to use it
///
/// To see what a Turing machine does with divergent code; the paper measures that its issues differ from the hardware's by
/// 1.03 % in the mean. For locks whose release is far from the loop, or flags that other paths set, use
/// [`ConvergenceBarriers`](super::ConvergenceBarriers).
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
/// let report = Gpu::<Hanoi>::default().launch(Grid::new(1, 32), parity(&mut x))?;
/// // `bssy` for all, `bsync` for each arm.
/// assert_eq!(report.marker_issues(), 3);
/// let behind = report.lines().iter().find(|line| line.text == "x[i] += 10;").unwrap();
/// assert_eq!(behind.mean_active_lanes(), 32.0);
/// # Ok::<(), LaunchError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Hanoi {
    // PERF: the top of the split stack lives in fields; the vector holds the rest.
    top: WarpSplit,
    below: SmallVec<[WarpSplit; 8]>,
    barriers: Barriers,
    /// The lanes that the warp was started with.
    threads: LaneMask,
    finished: LaneMask,
    /// Lanes that wait for others at a collective.
    parked: SmallVec<[WarpSplit; 2]>,
}

impl Hanoi {
    /// The warp split stack WS: paths to be executed, the top last.
    pub fn splits_stack(&self) -> impl Iterator<Item = WarpSplit> {
        self.below.iter().copied().chain(self.current())
    }

    /// The reconvergence stack REC, the top last, with the registers that its entries name.
    pub fn reconvergence_stack(&self) -> &[ConvergenceBarrier] {
        self.barriers.list()
    }

    /// What a Bx register holds, if it is valid.
    pub fn register(&self, register: BarrierReg) -> Option<LaneMask> {
        let last = self.barriers.list().iter().rev().find(|barrier| barrier.register == register)?;
        last.valid.then_some(last.participants)
    }

    /// The waiting mask: lanes that have come to a `bsync` or `warpsync`.
    pub fn waiting(&self) -> LaneMask {
        self.barriers.waiting().fold(LaneMask::EMPTY, |all, split| all | split.mask)
    }

    /// The finished mask: lanes that have ended.
    pub fn finished(&self) -> LaneMask {
        self.finished
    }

    /// The top of the split stack has come to its end, or a barrier may open.
    #[inline(always)]
    fn pop(&mut self) {
        self.top = self.below.pop().unwrap_or(WarpSplit { mask: LaneMask::EMPTY, ..self.top });
        self.open();
    }

    /// Before the top is scheduled: what can reconverge comes on top of it.
    #[inline(always)]
    fn open(&mut self) {
        while let Some(split) = self.barriers.open(LaneMask::EMPTY) {
            self.push(split);
        }
    }

    #[inline(always)]
    fn push(&mut self, split: WarpSplit) {
        if !self.top.mask.is_empty() {
            self.below.push(self.top);
        }
        self.top = split;
    }

    /// Runs the sibling instead, if there is one: the path below shares the topmost reconvergence point.
    fn yield_to_sibling(&mut self) {
        if let (Some(below), Some(barrier)) = (self.below.last_mut(), self.barriers.list().last())
            && (below.mask | self.top.mask).is_subset(barrier.participants)
        {
            std::mem::swap(below, &mut self.top);
        }
    }
}

impl ReconvergencePolicy for Hanoi {
    const NAME: &'static str = "Hanoi";
    const MARKERS: Markers = Markers::HanoiBarriers;

    fn start(split: WarpSplit) -> Self {
        let (barriers, threads, finished) = (Barriers::default(), split.mask, LaneMask::EMPTY);
        Self { top: split, below: SmallVec::new(), barriers, threads, finished, parked: SmallVec::new() }
    }

    #[inline(always)]
    fn current(&self) -> Option<WarpSplit> {
        (!self.top.mask.is_empty()).then_some(self.top)
    }

    #[inline(always)]
    fn advance(&mut self, next: Pc) {
        self.top.pc = next;
    }

    #[inline(always)]
    fn branch(&mut self, branch: Branch) {
        let taken = WarpSplit { pc: branch.target, mask: branch.taken };
        let rest = WarpSplit { pc: branch.next, mask: self.top.mask - branch.taken };
        if rest.mask.is_empty() {
            self.top = taken;
        } else if taken.mask.is_empty() {
            self.top = rest;
        } else {
            // The path of the majority goes first; of two equal ones, the taken path.
            let (first, second) = if taken.mask.count() >= rest.mask.count() { (taken, rest) } else { (rest, taken) };
            self.below.push(second);
            self.top = first;
        }
    }

    #[inline(always)]
    fn exit(&mut self) {
        self.finished |= self.top.mask;
        self.barriers.exit(self.top.mask);
        self.pop();
    }

    #[inline(always)]
    fn barrier(&mut self, marker: BarrierMarker, next: Pc) -> LaneMask {
        let mask = self.top.mask;
        self.top.pc = next;
        match marker {
            BarrierMarker::Set { barrier, target } => self.barriers.set(barrier, target, mask),
            BarrierMarker::Sync(barrier) => {
                let stranded = self.barriers.sync(barrier, next, mask);
                if !stranded.is_empty() {
                    self.barriers.strand(barrier, next, stranded);
                }
                self.pop();
            }
            BarrierMarker::Break { barrier, lanes } => {
                self.barriers.leave(barrier, lanes);
                self.open();
            }
            BarrierMarker::Save(barrier) => return self.barriers.save(barrier, mask),
            BarrierMarker::Restore { barrier, .. } => {
                self.barriers.restore(barrier, mask);
                self.open();
            }
            BarrierMarker::Yield => self.yield_to_sibling(),
            BarrierMarker::WarpSync(lanes) => {
                self.barriers.warp_sync(next, (lanes & self.threads) - self.finished, mask);
                self.pop();
            }
        }
        LaneMask::EMPTY
    }

    fn park(&mut self) -> bool {
        self.parked.push(self.top);
        self.pop();
        true
    }

    /// They go on together, as from a `warpsync`; with those that came last, who are at the same address.
    fn wake(&mut self, lanes: LaneMask, next: Pc) {
        let woken = wake(&mut self.parked, lanes);
        if woken.is_empty() {
            return;
        }
        if self.top.pc == next && !self.top.mask.is_empty() {
            self.top.mask |= woken;
        } else {
            self.push(WarpSplit { pc: next, mask: woken });
        }
    }

    fn splits(&self) -> Vec<WarpSplit> {
        let below = self.below.iter().rev().copied();
        self.current().into_iter().chain(below).chain(self.barriers.waiting()).chain(self.parked.clone()).collect()
    }
}

/// The lanes that wait no longer, of groups all of which are named.
pub(super) fn wake(parked: &mut SmallVec<[WarpSplit; 2]>, lanes: LaneMask) -> LaneMask {
    let mut woken = LaneMask::EMPTY;
    parked.retain(|split| {
        let wakes = split.mask.is_subset(lanes);
        if wakes {
            woken |= split.mask;
        }
        !wakes
    });
    woken
}

#[cfg(test)]
mod tests;
