//! Splits that wait go on: at collectives, and where paths meet and nothing is left but the end.

use super::paths::{NEVER, State};
use super::{Remerge, WarpSubdivision};
use crate::policy::{WarpPolicy, WarpSplit};
use simt_core::LaneMask;
use simt_core::code::Pc;

impl<M: Remerge> WarpSubdivision<M> {
    /// Lanes that wait where paths meet do so no longer, and go on from there.
    pub(super) fn let_go(&mut self, WarpSplit { pc, mask }: WarpSplit) -> bool {
        self.paths.forget(mask);
        let path = self.add(None, NEVER, pc, mask);
        self.turn(path);
        true
    }

    /// Of the parked lanes, some go on.
    pub(super) fn go_on(&mut self, lanes: LaneMask, next: Pc) {
        for path in 0..self.paths.len() {
            let woken = self.paths.at(path);
            let part = woken.mask & lanes;
            if woken.state != State::Parked || part.is_empty() {
                continue;
            }
            if part != woken.mask {
                woken.mask = woken.mask - part;
                let (below, reconvergence) = (woken.below, woken.reconvergence);
                // Lanes that have come to the end are those of the path below again.
                if reconvergence != next {
                    self.add(below, reconvergence, next, part);
                }
                continue;
            }
            woken.next = next;
            if woken.reconvergence == next { self.end(path) } else { self.begin(path) }
        }
        // The split whose turn it is has not issued yet, so it keeps the turn.
        let from = if self.current().is_some() { self.current } else { 0 };
        self.turn(from);
    }
}
