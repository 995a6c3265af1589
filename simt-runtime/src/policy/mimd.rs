//! Every thread by itself (MIMD in TACO'09 section 6): the upper bound that regrouping of threads can come near.
//!
//! Each lane is a processor with its own address. Lanes take turns.

use super::{Branch, Ends, Stops, WarpChecking, WarpPolicy, WarpSplit, WarpStart, WarpTiming};
use simt_core::LaneMask;
use simt_core::code::{Markers, Pc};

/// Every lane issues alone; there is no divergence.
///
/// * **Mechanism.** One lane after the other runs a segment, from one branch or join to the next.
/// * **Source.** W. W. L. Fung, I. Sham, G. Yuan and T. M. Aamodt, *Dynamic Warp Formation*, TACO 2009, section 6, whose
///   MIMD machine executes as many scalar threads a cycle as its SIMD pipeline has lanes.
/// * **State.** An address for each lane, and a fetch and decode unit for each: this is what SIMD saves.
/// * **Fairness.** Fair: between two turns of a lane every other that can run has had one.
/// * **Use it** as the upper bound of what a reconvergence mechanism can gain.
/// * **What it cannot do.** Accesses to memory are not coalesced, because no two lanes issue together.
///
/// An issue has one lane, which is never idle: [`simd_efficiency`](crate::Report::simd_efficiency) is 1, and
/// [`issues`](crate::Report::issues) are thread instructions. To compare them with those of warps, divide by the width: a
/// machine with as many scalar pipelines as a warp has lanes needs issues / width slots, if every pipeline is busy.
///
/// ```
/// use simt::prelude::*;
///
/// #[kernel]
/// fn collatz(x: &mut [u32]) {
///     let i = global_id();
///     let mut n = i as u32 + 1;
///     while n != 1 {
///         n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
///         x[i] += 1;
///     }
/// }
///
/// let (mut x, mut y) = ([0; 32], [0; 32]);
/// let warp = Gpu::<Ipdom>::default().launch(Grid::new(1, 32), collatz(&mut x))?;
/// let lanes = Gpu::<Mimd>::default().launch(Grid::new(1, 32), collatz(&mut y))?;
/// assert_eq!((x, lanes.simd_efficiency()), (y, 1.0));
/// assert_eq!(lanes.issues(), warp.thread_instructions());
/// // What the best machine could win.
/// assert!(lanes.issues() / 32 < warp.issues());
/// # Ok::<(), LaunchError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Mimd {
    /// The address of each lane.
    pcs: [Pc; 64],
    /// Lanes that can run.
    ready: LaneMask,
    /// The lane that issues, if any can run.
    current: usize,
    /// Lanes that wait at a collective or barrier.
    parked: LaneMask,
}

impl Mimd {
    /// Passes the turn to the next lane that can run, from `from` on.
    #[inline(always)]
    fn turn(&mut self, from: usize) {
        let behind = self.ready.0 & u64::MAX.checked_shl(from as u32).unwrap_or(0);
        self.current = if behind == 0 { self.ready.0 } else { behind }.trailing_zeros() as usize % 64;
    }

    fn leave(&mut self) -> LaneMask {
        let lane = LaneMask::lane(self.current);
        self.ready = self.ready - lane;
        self.turn(self.current);
        lane
    }

    fn select(&mut self, free: LaneMask) -> bool {
        let ready = self.ready & free;
        if !ready.contains(self.current) {
            let behind = ready.0 & u64::MAX.checked_shl(self.current as u32).unwrap_or(0);
            let next = if behind == 0 { ready.0 } else { behind }.trailing_zeros() as usize % 64;
            if ready.contains(next) {
                self.current = next;
            }
        }
        ready.contains(self.current)
    }
}

impl WarpPolicy for Mimd {
    const NAME: &'static str = "Mimd";
    const MARKERS: Markers = Markers::None;
    const STOPS: Stops = Stops::AtJoins;
    const FAIR: bool = true;
    const ENDS: Option<Ends> = Some(Ends::ALL);
    const TIMING: WarpTiming<Self> =
        WarpTiming { select: Some(Self::select), lanes_per_issue: Some(1), ..WarpTiming::DEFAULT };
    const CHECKING: WarpChecking<Self> = WarpChecking::TRUSTED;

    fn start(start: WarpStart<'_>) -> Self {
        let WarpSplit { pc, mask } = start.split;
        let mut policy = Self { pcs: [pc; 64], ready: mask, current: 0, parked: LaneMask::EMPTY };
        policy.turn(0);
        policy
    }

    #[inline(always)]
    fn current(&self) -> Option<WarpSplit> {
        let mask = LaneMask::lane(self.current);
        (!self.ready.is_empty()).then_some(WarpSplit { pc: self.pcs[self.current], mask })
    }

    #[inline(always)]
    fn advance(&mut self, next: Pc) {
        self.pcs[self.current] = next;
        self.turn(self.current + 1);
    }

    #[inline(always)]
    fn branch(&mut self, branch: Branch) {
        self.advance(if branch.taken.is_empty() { branch.next } else { branch.target });
    }

    fn exit(&mut self) {
        self.leave();
    }

    fn park(&mut self) -> bool {
        let lane = self.leave();
        self.parked |= lane;
        true
    }

    fn wake(&mut self, lanes: LaneMask, next: Pc) {
        let woken = self.parked & lanes;
        self.parked = self.parked - woken;
        woken.lanes().for_each(|lane| self.pcs[lane] = next);
        self.ready |= woken;
        // The lane whose turn it is has not issued yet, so it keeps the turn.
        self.turn(self.current);
    }

    fn splits(&self) -> Vec<WarpSplit> {
        let others = (self.ready | self.parked).lanes().filter(|&lane| self.ready.is_empty() || lane != self.current);
        let others = others.map(|lane| WarpSplit { pc: self.pcs[lane], mask: LaneMask::lane(lane) });
        self.current().into_iter().chain(others).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turns(policy: &mut Mimd, count: u32) -> Vec<u64> {
        (0..count)
            .map(|turn| {
                let current = policy.current().expect("a lane can run");
                policy.advance(Pc(10 + turn));
                current.mask.0
            })
            .collect()
    }

    #[test]
    fn lanes_take_turns() {
        let mut policy = Mimd::start(WarpSplit { pc: Pc(0), mask: LaneMask(0b1011 | 1 << 63) }.into());
        assert_eq!(turns(&mut policy, 5), [0b1, 0b10, 0b1000, 1 << 63, 0b1]);
        assert!(policy.park());
        assert_eq!(turns(&mut policy, 3), [0b1000, 1 << 63, 0b1]);
        policy.wake(LaneMask(0b10), Pc(5));
        assert_eq!(policy.splits().len(), 4);
        assert_eq!(turns(&mut policy, 3), [0b1000, 1 << 63, 0b1]);
        assert_eq!(policy.current(), Some(WarpSplit { pc: Pc(5), mask: LaneMask(0b10) }));
    }

    #[test]
    fn a_branch_is_a_jump() {
        let mut policy = Mimd::start(WarpSplit { pc: Pc(0), mask: LaneMask(0b11) }.into());
        let branch = |taken| Branch { taken: LaneMask(taken), target: Pc(7), next: Pc(1), meet: None, leaves: false };
        policy.branch(branch(0b1));
        policy.branch(branch(0));
        let split = |pc, mask| WarpSplit { pc: Pc(pc), mask: LaneMask(mask) };
        assert_eq!(policy.splits(), [split(7, 0b1), split(1, 0b10)]);
        policy.exit();
        policy.exit();
        assert_eq!((policy.current(), policy.splits().len()), (None, 0));
    }
}
