//! What a clock asks for: a split of free lanes, splits divided at loads, parts held back at branches.

use super::paths::{Path, State};
use super::{Remerge, WarpSubdivision};
use crate::policy::WarpPolicy;
use simt_core::LaneMask;

impl<M: Remerge> WarpSubdivision<M> {
    /// Chooses a split whose lanes are all free, the current one if it can be. Returns whether there is one.
    pub(super) fn select(&mut self, free: LaneMask) -> bool {
        let from = self.current;
        for _ in 0..self.paths.len() {
            if self.current().is_some_and(|split| split.mask.is_subset(free)) {
                return true;
            }
            let Some(next) = self.paths.next_that_runs(self.current + 1) else { return false };
            self.current = next;
        }
        self.current = from;
        false
    }

    /// Lanes that have their data run ahead; the others fall behind. Both end where the split would have ended.
    pub(super) fn divide(&mut self, late: LaneMask) -> bool {
        if self.splits >= self.room {
            return false;
        }
        let Some(path) = self.paths.parted_by(late) else { return false };
        let Path { below, reconvergence, next, mask, .. } = *self.paths.at(path);
        self.tally.0.at_loads += 1;
        if M::AT_BRANCHES {
            // It waits where it ends, unless a branch comes before.
            self.paths.set(path, State::Waits);
            (self.paths.at(path).parted, self.paths.at(path).next) = (true, reconvergence);
            self.splits -= 1;
            let first = self.add(Some(path as u32), reconvergence, next, mask - late);
            self.add(Some(path as u32), reconvergence, next, mask & late);
            if self.current == path {
                self.current = first;
            }
            return true;
        }
        self.paths.at(path).mask = mask - late;
        self.add(below, reconvergence, next, mask & late);
        true
    }

    /// Before a branch, a part of a split waits for the others.
    pub(super) fn hold(&mut self) -> bool {
        let path = self.current;
        let Path { below, next, .. } = *self.paths.at(path);
        let Some(whole) = below.map(|below| below as usize) else { return false };
        if !M::AT_BRANCHES || !self.paths.at(whole).parted {
            return false;
        }
        self.paths.at(whole).next = next;
        self.end(path);
        self.turn(path + 1);
        true
    }
}
