//! The address of each lane of a warp.

use simt_core::LaneMask;
use simt_core::code::Pc;
use smallvec::{SmallVec, smallvec};

/// An address for each lane, whether it has a thread or not: the lanes that are together, the lowest address first. Each of the
/// 64 lanes is in one group, and no group is empty, so that equal addresses are equal groups.
///
/// PERF: a policy is compared with it at every step, and lanes are at few addresses: what is asked takes a look at each.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lanes(SmallVec<[(Pc, LaneMask); 4]>);

impl Lanes {
    pub(super) fn at(pc: Pc) -> Self {
        Self(smallvec![(pc, LaneMask(u64::MAX))])
    }

    /// The address of a lane.
    pub(super) fn of(&self, lane: usize) -> Pc {
        let has_it = |group: &&(Pc, LaneMask)| group.1.contains(lane);
        self.0.iter().find(has_it).expect("each lane is somewhere").0
    }

    /// Moves the lanes of a mask to an address.
    #[inline]
    pub(super) fn go(&mut self, mask: LaneMask, to: Pc) {
        if mask.is_empty() {
            return;
        }
        self.0.retain(|(_, lanes)| {
            *lanes = *lanes - mask;
            !lanes.is_empty()
        });
        match self.0.binary_search_by_key(&to, |&(pc, _)| pc) {
            Ok(there) => self.0[there].1 |= mask,
            Err(place) => self.0.insert(place, (to, mask)),
        }
    }

    /// The lanes of a mask that are elsewhere.
    #[inline]
    pub(super) fn elsewhere(&self, mask: LaneMask, pc: Pc) -> LaneMask {
        self.0.iter().find(|&&(at, _)| at == pc).map_or(mask, |&(_, there)| mask - there)
    }

    /// The lanes of a mask by address, the lowest address first.
    pub(super) fn by_address(&self, mask: LaneMask) -> impl Iterator<Item = (Pc, LaneMask)> {
        self.0.iter().map(move |&(pc, lanes)| (pc, lanes & mask)).filter(|(_, lanes)| !lanes.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_go_alone_and_are_found_where_they_are() {
        let mut lanes = Lanes::at(Pc(3));
        lanes.go(LaneMask(1 << 63 | 0b10), Pc(1));
        assert_eq!((lanes.of(63), lanes.of(0)), (Pc(1), Pc(3)));
        assert_eq!(lanes.elsewhere(LaneMask(0b111), Pc(1)), LaneMask(0b101));
        assert_eq!(lanes.elsewhere(LaneMask(u64::MAX), Pc(3)), LaneMask(1 << 63 | 0b10));
        let by_address = |mask| lanes.by_address(LaneMask(mask)).collect::<Vec<_>>();
        assert_eq!(by_address(0b11), [(Pc(1), LaneMask(0b10)), (Pc(3), LaneMask(0b01))]);
        assert_eq!(by_address(0), []);
        // As they were, however they have come there.
        lanes.go(LaneMask(0b10), Pc(3));
        lanes.go(LaneMask(1 << 63), Pc(3));
        assert_eq!(lanes, Lanes::at(Pc(3)));
    }
}
