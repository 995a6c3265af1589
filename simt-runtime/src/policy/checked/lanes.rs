//! The address of each lane of a warp.

use simt_core::LaneMask;
use simt_core::code::Pc;

/// An address for each lane, whether it has a thread or not.
///
/// PERF: a policy of a user's is compared with it at every step. Loops over a fixed number of lanes are vectorised.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lanes([u32; 64]);

impl Lanes {
    pub(super) fn at(pc: Pc) -> Self {
        Self([pc.0; 64])
    }

    /// The address of a lane.
    pub(super) fn of(&self, lane: usize) -> Pc {
        Pc(self.0[lane % 64])
    }

    /// Moves the lanes of a mask to an address.
    #[inline(always)]
    pub(super) fn go(&mut self, mask: LaneMask, to: Pc) {
        for (lane, at) in self.0.iter_mut().enumerate() {
            *at = if mask.0 >> lane & 1 == 1 { to.0 } else { *at };
        }
    }

    /// The lanes of a mask that are elsewhere.
    #[inline]
    pub(super) fn elsewhere(&self, mask: LaneMask, pc: Pc) -> LaneMask {
        let lanes = (u64::BITS - mask.0.leading_zeros()) as usize;
        let mut elsewhere = 0;
        for (number, part) in self.0.as_chunks::<16>().0.iter().enumerate().take(lanes.div_ceil(16)) {
            let mut bits = 0u32;
            for (lane, &at) in part.iter().enumerate() {
                bits |= u32::from(at != pc.0) << lane;
            }
            elsewhere |= u64::from(bits) << (16 * number);
        }
        mask & LaneMask(elsewhere)
    }

    /// The lanes of a mask by address, the lowest address first.
    pub(super) fn by_address(&self, mask: LaneMask) -> Vec<(Pc, LaneMask)> {
        let mut rest = mask;
        let mut groups = Vec::new();
        while let Some(lowest) = rest.lanes().map(|lane| self.of(lane)).min() {
            let left = self.elsewhere(rest, lowest);
            groups.push((lowest, rest - left));
            rest = left;
        }
        groups
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
        assert_eq!(lanes.by_address(LaneMask(0b11)), [(Pc(1), LaneMask(0b10)), (Pc(3), LaneMask(0b01))]);
        assert_eq!(lanes.by_address(LaneMask::EMPTY), []);
    }
}
