//! Where each lane returns to.
//!
//! PERF: lanes that call together are one entry, not one each: with an entry for each lane, calls and returns took half of the
//! time of kernels whose threads call small functions (Intel Xeon with AVX-512, 2026-11-29).

use simt_core::LaneMask;
use simt_core::code::Pc;
use smallvec::{SmallVec, smallvec};

/// For each lane the addresses behind the calls that it is in.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Backs {
    /// By depth, the outermost first.
    levels: Vec<Level>,
}

/// The calls of all lanes that are in so many.
#[derive(Clone, Debug, PartialEq)]
struct Level {
    lanes: LaneMask,
    /// By address: so lanes in the same calls are equal, whichever of them called first.
    calls: SmallVec<[Call; 1]>,
}

/// Lanes that have called from the same place.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Call {
    back: Pc,
    lanes: LaneMask,
}

impl Backs {
    pub(super) fn clear(&mut self) {
        self.levels.clear();
    }

    /// Lanes call, each from the calls that it is in.
    #[inline]
    pub(super) fn push(&mut self, lanes: LaneMask, back: Pc) {
        let mut rest = lanes;
        while let Some((depth, lanes)) = self.alike(rest) {
            match self.levels.get_mut(depth) {
                Some(level) => level.add(back, lanes),
                None => self.levels.push(Level { lanes, calls: smallvec![Call { back, lanes }] }),
            }
            rest = rest - lanes;
        }
    }

    /// Of some lanes those return that called last from before an address. Returns them.
    #[inline]
    pub(super) fn pop(&mut self, lanes: LaneMask, back: Pc) -> LaneMask {
        let (mut returning, mut rest) = (LaneMask::EMPTY, lanes);
        while let Some((depth, lanes)) = self.alike(rest) {
            if let Some(level) = depth.checked_sub(1).and_then(|last| self.levels.get_mut(last)) {
                returning |= level.take(back, lanes);
            }
            rest = rest - lanes;
        }
        while self.levels.pop_if(|level| level.lanes.is_empty()).is_some() {}
        returning
    }

    /// The addresses of a lane, that of the innermost call last.
    pub(super) fn of(&self, lane: usize) -> impl Iterator<Item = Pc> {
        self.levels.iter().map_while(move |level| level.back(lane))
    }

    /// The last of them.
    pub(super) fn last(&self, lane: usize) -> Option<Pc> {
        self.levels[self.depth(lane).checked_sub(1)?].back(lane)
    }

    /// Of some lanes those that are in so many calls, or in more.
    pub(super) fn in_so_many(&self, calls: usize, lanes: LaneMask) -> LaneMask {
        let Some(last) = calls.checked_sub(1) else { return lanes };
        self.levels.get(last).map_or(LaneMask::EMPTY, |level| level.lanes & lanes)
    }

    /// The bytes of a lane's addresses.
    pub(super) fn bytes(&self, lane: usize) -> usize {
        self.depth(lane) * size_of::<Pc>()
    }

    /// Those of the lane that has most.
    pub(super) fn most_bytes(&self) -> usize {
        self.levels.len() * size_of::<Pc>()
    }

    /// How many calls a lane is in.
    fn depth(&self, lane: usize) -> usize {
        match self.levels.last() {
            // A lane is in all levels up to its own.
            Some(last) if !last.lanes.contains(lane) => self.levels.partition_point(|level| level.lanes.contains(lane)),
            _ => self.levels.len(),
        }
    }

    /// In how many calls the lowest of some lanes is, and those of them that are in as many.
    fn alike(&self, lanes: LaneMask) -> Option<(usize, LaneMask)> {
        let depth = self.depth(lanes.lanes().next()?);
        let inside = depth.checked_sub(1).map_or(lanes, |last| lanes & self.levels[last].lanes);
        Some((depth, self.levels.get(depth).map_or(inside, |deeper| inside - deeper.lanes)))
    }
}

impl Level {
    fn add(&mut self, back: Pc, lanes: LaneMask) {
        self.lanes |= lanes;
        let place = self.calls.partition_point(|call| call.back < back);
        match self.calls.get_mut(place) {
            Some(call) if call.back == back => call.lanes |= lanes,
            _ => self.calls.insert(place, Call { back, lanes }),
        }
    }

    fn take(&mut self, back: Pc, lanes: LaneMask) -> LaneMask {
        let Some(place) = self.calls.iter().position(|call| call.back == back) else { return LaneMask::EMPTY };
        let call = &mut self.calls[place];
        let returning = call.lanes & lanes;
        call.lanes = call.lanes - returning;
        if call.lanes.is_empty() {
            self.calls.remove(place);
        }
        self.lanes = self.lanes - returning;
        returning
    }

    fn back(&self, lane: usize) -> Option<Pc> {
        self.calls.iter().find(|call| call.lanes.contains(lane)).map(|call| call.back)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// For each lane a stack of its own.
    type Model = [Vec<Pc>; 8];

    proptest! {
        #[test]
        fn each_lane_has_a_stack(steps in prop::collection::vec((any::<bool>(), 1..256_u64, 0..4_u32), 0..80)) {
            let (mut backs, mut model) = (Backs::default(), Model::default());
            for (calls, mask, back) in steps {
                let (mask, back) = (LaneMask(mask), Pc(back));
                if calls {
                    backs.push(mask, back);
                    mask.lanes().for_each(|lane| model[lane].push(back));
                } else {
                    let returning = mask.lanes().filter(|&lane| model[lane].pop_if(|last| *last == back).is_some());
                    let returning = returning.fold(LaneMask::EMPTY, |all, lane| all | LaneMask::lane(lane));
                    prop_assert_eq!(backs.pop(mask, back), returning);
                }
                for (lane, stack) in model.iter().enumerate() {
                    prop_assert_eq!(&backs.of(lane).collect::<Vec<_>>(), stack);
                    prop_assert_eq!(backs.last(lane), stack.last().copied());
                    prop_assert_eq!(backs.bytes(lane), size_of_val(&stack[..]));
                    let in_two = backs.in_so_many(2, LaneMask::lane(lane));
                    prop_assert_eq!(!in_two.is_empty(), stack.len() >= 2);
                }
                let most = model.iter().map(|stack| size_of_val(&stack[..])).max();
                prop_assert_eq!(Some(backs.most_bytes()), most);
                // Made of the stacks alone, in another order.
                let mut same = Backs::default();
                for lane in (0..model.len()).rev() {
                    model[lane].iter().for_each(|&back| same.push(LaneMask::lane(lane), back));
                }
                prop_assert_eq!(&same, &backs);
            }
        }
    }
}
