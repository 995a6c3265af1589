//! Lowest address first (Collange's thread frontiers without calls; DESIGN of stack-less machines in ESOP'12 section 5.2).
//!
//! Inside a function that was called deeper, lanes go before those outside: min(SP:PC), the innermost call first (Collange).
//!
//! All splits of the warp are kept by address. The one at the lowest address issues; splits that come to one address merge.
//! Compilers lay code out so that a join comes behind the paths that lead to it, so lanes at the lower address catch up.
//!
//! Cost: one address per lane, or a table of splits. Unfair: lanes that spin at a low address keep the others from running.

use super::shared::{Lanes, Parked, Stack};
use super::{Branch, Ends, WarpChecking, WarpPolicy, WarpSplit, WarpStart};
use simt_core::LaneMask;
use simt_core::code::{Markers, Pc};

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
#[derive(Clone, Debug, PartialEq)]
pub struct MinPc {
    // PERF: the current split is kept in fields; the others are sorted, the next to run last.
    current: Split,
    waiting: Stack<Split, 8>,
    /// Splits that wait for others at a collective or barrier.
    parked: Parked<Split>,
}

/// Lanes at one address and one depth of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Split {
    /// The order in which splits run: deeper calls first, then lower addresses. The low half is the address.
    key: u64,
    mask: LaneMask,
}

/// The difference in the key for each call that has returned.
const DEPTH: u64 = 1 << 32;
/// The key of address 0 in the kernel itself.
const KERNEL: u64 = (u32::MAX as u64) << 32;

impl Split {
    const NONE: Self = Self { key: KERNEL, mask: LaneMask::EMPTY };

    #[inline(always)]
    fn at(self, pc: Pc) -> Self {
        Self { key: self.key & !(DEPTH - 1) | u64::from(pc.0), ..self }
    }

    #[inline(always)]
    fn shown(self) -> WarpSplit {
        WarpSplit { pc: Pc(self.key as u32), mask: self.mask }
    }
}

impl Lanes for Split {
    fn lanes(self) -> LaneMask {
        self.mask
    }
    fn of(self, mask: LaneMask) -> Self {
        Self { mask, ..self }
    }
}

impl MinPc {
    #[inline(always)]
    fn wait(&mut self, split: Split) {
        let place = self.waiting.iter().rposition(|other| other.key >= split.key).map_or(0, |last| last + 1);
        match self.waiting.get_mut(place.wrapping_sub(1)) {
            Some(other) if other.key == split.key => other.mask |= split.mask,
            _ => self.waiting.insert(place, split),
        }
    }

    /// The current split has moved: another may be first now, or at the same address.
    #[inline(always)]
    fn settle(&mut self) {
        if let Some(&first) = self.waiting.last()
            && first.key <= self.current.key
        {
            self.waiting.pop();
            if first.key == self.current.key {
                self.current.mask |= first.mask;
            } else {
                let current = std::mem::replace(&mut self.current, first);
                self.wait(current);
            }
        }
    }

    fn next(&mut self) {
        self.current = self.waiting.pop().unwrap_or(Split::NONE);
    }
}

impl WarpPolicy for MinPc {
    const NAME: &'static str = "MinPc";
    const MARKERS: Markers = Markers::None;
    const ENDS: Option<Ends> =
        Some(Ends { program_2_swapped: false, program_3: false, lock_behind: false, ..Ends::ALL });
    const CHECKING: WarpChecking<Self> = WarpChecking::TRUSTED;

    fn start(start: WarpStart<'_>) -> Self {
        let WarpSplit { pc, mask } = start.split;
        let current = Split { key: KERNEL, mask }.at(pc);
        Self { current, waiting: Stack::new(Split::NONE), parked: Parked::default() }
    }

    #[inline(always)]
    fn current(&self) -> Option<WarpSplit> {
        (!self.current.mask.is_empty()).then_some(self.current.shown())
    }

    #[inline(always)]
    fn advance(&mut self, next: Pc) {
        self.current = self.current.at(next);
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
            self.wait(Split { mask: taken, ..self.current }.at(branch.target));
        }
        self.advance(branch.next);
    }

    #[inline(always)]
    fn exit(&mut self) {
        self.next();
    }

    fn call(&mut self, target: Pc, _back: Pc) {
        self.current.key -= DEPTH;
        self.advance(target);
    }

    fn ret(&mut self, returning: LaneMask, back: Pc, at: Pc) {
        let returned = Split { key: self.current.key + DEPTH, mask: returning }.at(back);
        self.current.mask = self.current.mask - returning;
        if self.current.mask.is_empty() {
            self.current = returned;
            self.settle();
        } else {
            self.wait(returned);
            self.advance(at);
        }
    }

    fn park(&mut self) -> bool {
        self.parked.park(self.current);
        self.next();
        true
    }

    fn wake(&mut self, lanes: LaneMask, next: Pc) {
        while let Some(split) = self.parked.wake(lanes) {
            self.wait(split.at(next));
        }
        if self.current.mask.is_empty() { self.next() } else { self.settle() }
    }

    fn splits(&self) -> Vec<WarpSplit> {
        let waiting = self.waiting.iter().rev().copied().chain(self.parked.iter());
        self.current().into_iter().chain(waiting.map(|split| split.shown())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(pc: u32, mask: u64) -> WarpSplit {
        WarpSplit { pc: Pc(pc), mask: LaneMask(mask) }
    }

    #[test]
    fn deeper_calls_go_first_and_meet_behind_the_call() {
        let mut policy = MinPc::start(split(0, 0b11).into());
        let branch = Branch { taken: LaneMask(0b10), target: Pc(2), next: Pc(1), meet: None, leaves: false };
        policy.branch(branch);
        // Lane 0 is at the lower address, but calls from there a function that stands behind.
        policy.call(Pc(50), Pc(2));
        assert_eq!(policy.current(), Some(split(50, 0b01)));
        policy.ret(LaneMask(0b01), Pc(2), Pc(50));
        assert_eq!(policy.current(), Some(split(2, 0b11)));
    }

    #[test]
    fn lanes_of_two_calls_return_to_where_each_came_from() {
        let mut policy = MinPc::start(split(0, 0b11).into());
        policy.call(Pc(50), Pc(1));
        policy.ret(LaneMask(0b10), Pc(7), Pc(50));
        assert_eq!(policy.current(), Some(split(50, 0b01)));
        policy.ret(LaneMask(0b01), Pc(3), Pc(50));
        assert_eq!(policy.splits(), [split(3, 0b01), split(7, 0b10)]);
    }

    #[test]
    fn parked_lanes_go_on_when_they_are_woken() {
        let mut policy = MinPc::start(split(0, 0b111).into());
        policy.branch(Branch { taken: LaneMask(0b100), target: Pc(5), next: Pc(1), meet: None, leaves: false });
        assert!(policy.park());
        assert_eq!(policy.current(), Some(split(5, 0b100)));
        assert_eq!(policy.splits().len(), 2);
        policy.wake(LaneMask(0b011), Pc(5));
        assert_eq!(policy.current(), Some(split(5, 0b111)));
    }
}
