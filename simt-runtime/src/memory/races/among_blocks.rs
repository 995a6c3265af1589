//! Accesses as they are compared with those of other blocks.

use super::by_address::index_of;
use super::cells::Event;
use super::{Found, Races, grid};
use simt_core::code::Pc;
use std::ops::Range;

impl Races {
    /// As [`access`](Self::access), compared with accesses of other blocks, too.
    #[cold]
    pub(super) fn access_among_blocks(
        &mut self,
        (slot, index): (u16, usize),
        lane: usize,
        pc: Pc,
        write: bool,
        value: Option<u64>,
    ) -> bool {
        let now = self.event(lane, pc, write, value);
        match self.cells.access(&self.clocks, (slot, index as u64), now) {
            Some(earlier) => self.report(index_of((slot, index), &now, &earlier), now, earlier),
            None => self.compare((slot, index), now),
        }
    }

    /// Compares an access with those of other blocks. Returns whether it may be.
    fn compare(&mut self, (slot, index): (u16, usize), now: Event) -> bool {
        let Some(grid) = &self.grid else { return true };
        let found = grid.borrow_mut().access(&self.clocks, (slot, index as u64), now);
        self.report_among_blocks(now, found)
    }

    /// Notes a race of threads of two blocks, if there is one. Returns whether the access may be.
    pub(super) fn report_among_blocks(&mut self, now: Event, found: Option<(grid::Access, usize)>) -> bool {
        let (Some((access, index)), Some(grid)) = (found, &self.grid) else { return true };
        let (earlier, other_block) = (access.event, Some(access.block as usize));
        let unawaited = earlier.issue <= self.clocks.met_far(self.warp);
        let released = grid.borrow().has_handed_on(&access);
        self.found = Some(Found { index, now, earlier, other_block, arrived: false, unawaited, released });
        false
    }

    /// As [`read`](Self::read), compared with accesses of other blocks.
    #[cold]
    pub(super) fn read_among_blocks(
        &mut self,
        place: (u16, usize),
        lanes: Range<usize>,
        first: Event,
    ) -> Option<usize> {
        let mut last: Option<usize> = None;
        lanes.clone().find(|&lane| {
            let thread = first.thread + (lane - lanes.start) as u32;
            // Lanes that know the same race with the same.
            let again =
                last.replace(thread as usize).is_some_and(|last| self.clocks.know_the_same(last, thread as usize));
            !again && !self.compare(place, Event { thread, ..first })
        })
    }

    /// As [`access_all`](Self::access_all), of accesses in one page by as many lanes from one on, compared with those of other blocks.
    /// Returns the lane.
    #[cold]
    pub(super) fn own_among_blocks(
        &mut self,
        (slot, first): (u16, usize),
        mut lanes: Range<usize>,
        (pc, write): (Pc, bool),
        values: Option<&[u64]>,
    ) -> Option<usize> {
        let start = lanes.start;
        lanes.find(|&lane| {
            let now = self.event(lane, pc, write, values.map(|values| values[lane - start]));
            !self.compare((slot, first + lane - start), now)
        })
    }
}
