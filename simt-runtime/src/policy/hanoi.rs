//! Hanoi: Turing's control-flow instructions on two stacks (M. A. Shoushtary, J. Tubella and A. González, *Control Flow
//! Management in Modern GPUs*, sections V to VII).

use super::shared::{BarrierCounts, BarrierPaths, ConvergenceBarrier};
use super::{BarrierMarker, Branch, Ends, Figure, StatePart, WarpChecking, WarpPolicy, WarpSplit, WarpStart};
use simt_core::LaneMask;
use simt_core::code::{BarrierReg, Markers, Pc};

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
///   pushed on WS behind the `bsync`, and Bx is not valid any more. REC is searched for such an entry whenever a path has
///   ended.
/// * A branch that diverges becomes two paths, the one with more lanes on top, the taken one if they have equally many.
/// * `break p, Bx`: the lanes for which p holds no longer take part, as they will not come.
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
/// Of a warp of 32 lanes with 8 registers 432 bytes (section IX-A): 32 entries of WS with an address and a mask, 31 of REC with
/// an address and a register's number of 3 bits, 8 registers, and the waiting and finished masks. Addresses and masks have 4
/// bytes: 256 + 136 + 32 + 8.
///
/// Figures of its own, which show how much of that a kernel takes: the *deepest split stack* and the *deepest reconvergence
/// stack*, in entries; the *most barrier registers in use* at once, which are those that hold participants; and *barrier
/// registers saved*, how often a `bmov` has moved participants to a register of the lanes.
///
/// # Fairness
///
/// Unfair except between siblings: a path that spins lets the path run that it parted from last. Two paths with no
/// reconvergence point in common never change places, and a loop without a `yield` runs until it ends.
///
/// # When to use it
///
/// To see what a Turing machine does with divergent code; the paper measures that its issues differ from the hardware's by
/// 1.03 % on average. For locks whose release is far from the loop, or flags that other paths set, use
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
    /// WS and REC, with the barriers.
    paths: BarrierPaths,
    /// The lanes that the warp was started with.
    threads: LaneMask,
    finished: LaneMask,
}

impl Hanoi {
    /// The warp split stack WS: paths to be executed, the top last.
    pub fn splits_stack(&self) -> impl Iterator<Item = WarpSplit> {
        self.paths.below.iter().copied().chain(self.current())
    }

    /// The reconvergence stack REC, the top last, with the registers that its entries name.
    pub fn reconvergence_stack(&self) -> &[ConvergenceBarrier] {
        self.paths.barriers.list()
    }

    /// The contents of a Bx register, if it is valid.
    pub fn register(&self, register: BarrierReg) -> Option<LaneMask> {
        let last = self.paths.barriers.list().iter().rev().find(|barrier| barrier.register == register)?;
        last.valid.then_some(last.participants)
    }

    /// The waiting mask: lanes that have come to a `bsync` or `warpsync`.
    pub fn waiting(&self) -> LaneMask {
        self.paths.barriers.waiting().fold(LaneMask::EMPTY, |all, split| all | split.mask)
    }

    /// The finished mask: lanes that have ended.
    pub fn finished(&self) -> LaneMask {
        self.finished
    }

    /// The top of the split stack has come to its end. Before another path is scheduled, paths that can reconverge do, and
    /// come on top.
    #[inline(always)]
    fn pop(&mut self) {
        self.paths.pop();
        self.paths.open(LaneMask::EMPTY);
    }

    /// Runs the sibling instead, if there is one: the path below shares the topmost reconvergence point.
    fn yield_to_sibling(&mut self) {
        let BarrierPaths { top, below, barriers, .. } = &mut self.paths;
        if let (Some(below), Some(barrier)) = (below.last_mut(), barriers.list().last())
            && (below.mask | top.mask).is_subset(barrier.participants)
        {
            std::mem::swap(below, top);
        }
    }
}

impl WarpPolicy for Hanoi {
    const NAME: &'static str = "Hanoi";
    const MARKERS: Markers = Markers::HanoiBarriers;
    const ENDS: Option<Ends> = Some(Ends { program_2: false, program_2_swapped: false, ..Ends::ALL });
    const CHECKING: WarpChecking<Self> = WarpChecking::TRUSTED;

    fn start(WarpStart { split, .. }: WarpStart<'_>) -> Self {
        Self { paths: BarrierPaths::start(split), threads: split.mask, finished: LaneMask::EMPTY }
    }

    #[inline(always)]
    fn current(&self) -> Option<WarpSplit> {
        self.paths.current()
    }

    #[inline(always)]
    fn advance(&mut self, next: Pc) {
        self.paths.top.pc = next;
    }

    #[inline(always)]
    fn branch(&mut self, branch: Branch) {
        self.paths.branch(branch);
    }

    #[inline(always)]
    fn exit(&mut self) {
        let mask = self.paths.top.mask;
        self.finished |= mask;
        self.paths.barriers.exit(mask);
        self.pop();
    }

    #[inline(always)]
    fn barrier(&mut self, marker: BarrierMarker, next: Pc) -> LaneMask {
        let mask = self.paths.top.mask;
        self.paths.top.pc = next;
        match marker {
            BarrierMarker::Sync(barrier) => {
                let stranded = self.paths.barriers.sync(barrier, next, mask);
                if !stranded.is_empty() {
                    self.paths.barriers.strand(barrier, next, stranded);
                }
                self.pop();
            }
            BarrierMarker::Yield => self.yield_to_sibling(),
            BarrierMarker::WarpSync(lanes) => {
                self.paths.barriers.warp_sync(next, (lanes & self.threads) - self.finished, mask);
                self.pop();
            }
            _ => return self.paths.write(marker, LaneMask::EMPTY),
        }
        LaneMask::EMPTY
    }

    fn park(&mut self) -> bool {
        self.paths.park();
        self.pop();
        true
    }

    fn wake(&mut self, lanes: LaneMask, next: Pc) {
        self.paths.wake(lanes, next);
    }

    fn splits(&self) -> Vec<WarpSplit> {
        self.paths.splits()
    }

    #[inline]
    fn figures(&self, tell: &mut dyn FnMut(Figure)) {
        let BarrierCounts { barriers, registers, saved } = self.paths.barriers.counts();
        tell(Figure::highest("deepest split stack (entries)", self.paths.most.0 as u64));
        tell(Figure::highest("deepest reconvergence stack (entries)", barriers as u64));
        tell(Figure::highest("most barrier registers in use", registers as u64));
        tell(Figure::sum("barrier registers saved", saved));
    }

    fn state(&self, tell: &mut dyn FnMut(StatePart)) {
        for WarpSplit { pc, mask } in self.splits_stack() {
            tell(StatePart { next: Some(pc), ..StatePart::new("WS", mask) });
        }
        self.reconvergence_stack().iter().for_each(|barrier| tell(barrier.state("REC")));
        if !self.finished.is_empty() {
            tell(StatePart::new("finished", self.finished));
        }
    }
}

#[cfg(test)]
mod tests;
