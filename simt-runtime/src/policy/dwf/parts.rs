//! Threads by warp, in vectors that are used again.

use crate::policy::WarpPart;
use crate::policy::spares::Reused;
use simt_core::LaneMask;
use std::fmt;
use std::ops::Deref;

/// Threads, by the warp that they belong to in the program. A warp may come more than once, until they are [`merged`](Self::merge).
///
/// PERF: a part without lanes is written, too, and not counted. Which parts have lanes nobody can foresee, and a branch that
/// was guessed wrong costs as much as ten such writes.
#[derive(Clone, Default)]
pub(super) struct Parts {
    /// What stands behind `len` does not count.
    entries: Vec<WarpPart>,
    len: usize,
}

impl Parts {
    /// Adds a part, if it has lanes.
    #[inline(always)]
    pub(super) fn add(&mut self, part: WarpPart) {
        if self.len == self.entries.len() {
            let room = (2 * self.len).max(8);
            self.entries.resize(room, part);
        }
        self.entries[self.len] = part;
        self.len += usize::from(!part.lanes.is_empty());
    }

    /// Makes one part of those of a warp, where the first of them stood. The masks of `lanes`, by warp, are empty before and
    /// after.
    #[inline(always)]
    pub(super) fn merge(&mut self, lanes: &mut Vec<LaneMask>) {
        let parts = &mut self.entries[..self.len];
        for part in &*parts {
            if part.warp >= lanes.len() {
                lanes.resize(part.warp + 1, LaneMask::EMPTY);
            }
            lanes[part.warp] |= part.lanes;
        }
        let mut len = 0;
        for at in 0..parts.len() {
            let warp = parts[at].warp;
            parts[len] = WarpPart { warp, lanes: std::mem::take(&mut lanes[warp]) };
            len += usize::from(!parts[len].lanes.is_empty());
        }
        self.len = len;
    }
}

impl Reused for Parts {
    fn has_room(&self) -> bool {
        !self.entries.is_empty()
    }
    #[inline(always)]
    fn clear(&mut self) {
        self.len = 0;
    }
}

impl Deref for Parts {
    type Target = [WarpPart];
    #[inline(always)]
    fn deref(&self) -> &[WarpPart] {
        &self.entries[..self.len]
    }
}

impl fmt::Debug for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl PartialEq for Parts {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(warp: usize, lanes: u64) -> WarpPart {
        WarpPart { warp, lanes: LaneMask(lanes) }
    }

    #[test]
    fn parts_without_lanes_are_not_there_and_those_of_a_warp_become_one() {
        let mut parts = Parts::default();
        for part in [part(3, 0b1), part(0, 0), part(7, 0b10), part(3, 0b100), part(7, 0), part(0, 0b1000)] {
            parts.add(part);
        }
        assert_eq!(*parts, [part(3, 0b1), part(7, 0b10), part(3, 0b100), part(0, 0b1000)]);
        let mut lanes = Vec::new();
        parts.merge(&mut lanes);
        assert_eq!(*parts, [part(3, 0b101), part(7, 0b10), part(0, 0b1000)]);
        assert!(lanes.iter().all(|lanes| lanes.is_empty()));
        parts.clear();
        parts.merge(&mut lanes);
        assert_eq!(parts, Parts::default());
    }
}
