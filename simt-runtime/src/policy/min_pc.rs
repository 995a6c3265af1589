//! Lowest address first (Collange's thread frontiers without calls; DESIGN of stack-less machines in ESOP'12 section 5.2).
//!
//! All splits of the warp are kept by address. The one at the lowest address issues; splits that come to one address merge.
//! Compilers lay code out so that a join comes behind the paths that lead to it, so lanes at the lower address catch up.
//!
//! Cost: one address per lane, or a table of splits. Unfair: lanes that spin at a low address keep the others from running.

use super::{Branch, ReconvergencePolicy, WarpSplit};
use simt_core::LaneMask;
use simt_core::code::{Markers, Pc};
use smallvec::SmallVec;

/// The lanes at the lowest address issue; lanes that come to the same address merge.
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
/// let report = Gpu::<MinPc>::default().launch(Grid::new(1, 32), parity(&mut x))?;
/// // The first half waits at the address behind the arms until the other half comes there.
/// let behind = report.lines().iter().find(|line| line.text == "x[i] += 10;").unwrap();
/// assert_eq!(behind.mean_active_lanes(), 32.0);
/// assert_eq!(report.marker_issues(), 0);
/// # Ok::<(), LaunchError>(())
/// ```
#[derive(Clone, Debug)]
pub struct MinPc {
    // PERF: the current split lives in fields; the others are sorted, the next lowest last.
    current: WarpSplit,
    waiting: SmallVec<[WarpSplit; 8]>,
}

impl MinPc {
    #[inline(always)]
    fn wait(&mut self, split: WarpSplit) {
        let place = self.waiting.iter().rposition(|other| other.pc >= split.pc).map_or(0, |last| last + 1);
        match self.waiting.get_mut(place.wrapping_sub(1)) {
            Some(other) if other.pc == split.pc => other.mask |= split.mask,
            _ => self.waiting.insert(place, split),
        }
    }

    /// The current split has moved: another may be lower now, or at the same address.
    #[inline(always)]
    fn settle(&mut self) {
        if let Some(&lowest) = self.waiting.last()
            && lowest.pc <= self.current.pc
        {
            self.waiting.pop();
            if lowest.pc == self.current.pc {
                self.current.mask |= lowest.mask;
            } else {
                let current = std::mem::replace(&mut self.current, lowest);
                self.wait(current);
            }
        }
    }
}

impl ReconvergencePolicy for MinPc {
    const NAME: &'static str = "MinPc";
    const MARKERS: Markers = Markers::None;

    fn start(split: WarpSplit) -> Self {
        Self { current: split, waiting: SmallVec::new() }
    }

    #[inline(always)]
    fn current(&self) -> Option<WarpSplit> {
        (!self.current.mask.is_empty()).then_some(self.current)
    }

    #[inline(always)]
    fn advance(&mut self, next: Pc) {
        self.current.pc = next;
        self.settle();
    }

    #[inline(always)]
    fn branch(&mut self, branch: Branch) {
        let (taken, rest) = (branch.taken, self.current.mask - branch.taken);
        if rest.is_empty() {
            return self.advance(branch.target);
        }
        if !taken.is_empty() {
            self.current.mask = rest;
            self.wait(WarpSplit { pc: branch.target, mask: taken });
        }
        self.advance(branch.next);
    }

    #[inline(always)]
    fn exit(&mut self) {
        self.current = self.waiting.pop().unwrap_or(WarpSplit { pc: Pc(0), mask: LaneMask::EMPTY });
    }

    fn splits(&self) -> Vec<WarpSplit> {
        let live = self.current().into_iter();
        live.chain(self.waiting.iter().rev().copied()).collect()
    }
}
