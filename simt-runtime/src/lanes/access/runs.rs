//! Runs of lanes: accesses that are reported as one.

use crate::lanes::row::MAX_LANES;
use crate::memory::races::Races;
use simt_core::LaneMask;
use simt_core::code::Pc;
use std::ops::Range;

/// The lanes of the shortest run of elements that is told as one. PERF: what a run costs is that of three lanes.
pub(super) const FEW: usize = 4;

/// Consecutive lanes that access consecutive elements, or the same one.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) lanes: Range<usize>,
    /// The element of the first lane.
    pub(super) first: u64,
    /// How far the element of each lane is behind that of the lane before: 0 or 1.
    pub(super) step: u64,
}

impl Run {
    /// The part of it whose elements are below a length.
    pub(super) fn below(mut self, length: u64) -> Self {
        let below = length.saturating_sub(self.first);
        let count = match self.step {
            0 if below > 0 => self.lanes.len(),
            _ => self.lanes.len().min(below.min(MAX_LANES as u64) as usize),
        };
        self.lanes.end = self.lanes.start + count;
        self
    }

    /// Reports its accesses of a slot, with the values that are written or found, by lane, if they are known; returns the lowest
    /// lane that races.
    #[inline(always)]
    pub(super) fn tell(
        self,
        races: &mut Races,
        slot: u16,
        pc: Pc,
        write: bool,
        values: Option<&[u64; MAX_LANES]>,
    ) -> Option<usize> {
        let Self { mut lanes, first, step } = self;
        let (index, start) = (first as usize, lanes.start);
        if !write && step == 0 && lanes.len() > 1 {
            return races.read((slot, index), lanes, pc, values.map(|values| values[start]));
        }
        if step == 1 && lanes.len() >= FEW {
            let values = values.map(|values| &values[lanes.clone()]);
            return races.access_all((slot, index), lanes, pc, write, values);
        }
        lanes.find(|&lane| {
            let index = index + (lane - start) * step as usize;
            !races.access((slot, index), lane, pc, write, values.map(|values| values[lane]))
        })
    }
}

/// The runs of the active lanes.
pub(super) struct Runs<'a> {
    pub(super) indices: &'a [u64; MAX_LANES],
    /// The lanes that are left.
    pub(super) lanes: u64,
}

impl Iterator for Runs<'_> {
    type Item = Run;

    // PERF: this and what is told of a run, inlined, take a tenth of `bitonic` with the race check.
    #[inline(always)]
    fn next(&mut self) -> Option<Run> {
        let start = LaneMask(self.lanes).lanes().next()?;
        let count = (self.lanes >> start).trailing_ones() as usize;
        let indices = &self.indices[start..start + count];
        let first = indices[0];
        let step = indices.get(1).map_or(0, |&second| u64::from(second == first.wrapping_add(1)));
        let differs = |(lane, &index): (usize, &u64)| index ^ first.wrapping_add(lane as u64 * step);
        // PERF: all lanes are often one run, which is found without a branch a lane.
        let is_whole = indices.iter().enumerate().fold(0, |all, lane| all | differs(lane)) == 0;
        let other = || indices.iter().enumerate().position(|lane| differs(lane) != 0);
        let length = if is_whole { count } else { other().unwrap_or(count) };
        self.lanes &= !(LaneMask::first(length).0 << start);
        Some(Run { lanes: start..start + length, first, step })
    }
}
