//! A set of the lanes of one warp.
//!
//! Lane 0 is bit 0, and a mask prints with lane 0 leftmost, as ESOP'12 and the CUDA report write it.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Sub};

/// A set of at most 64 lanes of a warp; lane *i* is bit *i*.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct LaneMask(pub u64);

impl LaneMask {
    /// No lane.
    pub const EMPTY: Self = Self(0);

    /// The lanes `0..count`; `count` above 64 counts as 64.
    ///
    /// ```
    /// use simt_core::LaneMask;
    /// assert_eq!(LaneMask::first(3), LaneMask(0b111));
    /// assert_eq!(LaneMask::first(64), LaneMask(u64::MAX));
    /// ```
    #[inline(always)]
    pub const fn first(count: usize) -> Self {
        if count >= 64 { Self(u64::MAX) } else { Self((1 << count) - 1) }
    }

    /// The set of one lane; none of a `lane` above 63, which no warp has.
    ///
    /// ```
    /// use simt_core::LaneMask;
    /// assert_eq!(LaneMask::lane(3), LaneMask(0b1000));
    /// assert_eq!(LaneMask::lane(64), LaneMask::EMPTY);
    /// ```
    #[inline(always)]
    pub const fn lane(lane: usize) -> Self {
        if lane < 64 { Self(1 << lane) } else { Self::EMPTY }
    }

    /// Number of lanes in the set.
    #[inline(always)]
    pub const fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether no lane is in the set.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the lane is in the set.
    #[inline(always)]
    pub const fn contains(self, lane: usize) -> bool {
        lane < 64 && (self.0 >> lane) & 1 == 1
    }

    /// Whether every lane of `self` is in `other`.
    #[inline(always)]
    pub const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The lanes of the set in ascending order.
    pub fn lanes(self) -> impl Iterator<Item = usize> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let lane = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                lane
            })
        })
    }

    /// The mask as digits, lane 0 leftmost, one digit for each of the warp's `width` lanes.
    ///
    /// ```
    /// use simt_core::LaneMask;
    /// assert_eq!(LaneMask(0b0011).digits(4), "1100");
    /// ```
    pub fn digits(self, width: usize) -> String {
        (0..width).map(|lane| if self.contains(lane) { '1' } else { '0' }).collect()
    }
}

impl fmt::Display for LaneMask {
    /// Digits up to the highest lane of the set; a `{:N}` width shows N lanes at least.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let used = 64 - self.0.leading_zeros() as usize;
        f.write_str(&self.digits(f.width().unwrap_or(0).max(used).max(1)))
    }
}

impl fmt::Debug for LaneMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl BitAnd for LaneMask {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for LaneMask {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Sub for LaneMask {
    type Output = Self;
    /// Set difference.
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl Not for LaneMask {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl BitAndAssign for LaneMask {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for LaneMask {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_lane_zero_leftmost() {
        assert_eq!(LaneMask(0b0001).to_string(), "1");
        assert_eq!(format!("{:4}", LaneMask(0b0110)), "0110");
    }

    #[test]
    fn lanes_come_in_ascending_order() {
        assert_eq!(LaneMask(0b1010_0001).lanes().collect::<Vec<_>>(), [0, 5, 7]);
    }

    #[test]
    fn there_are_no_lanes_beyond_64() {
        assert!(!LaneMask(u64::MAX).contains(64));
        assert_eq!([63, 64, 65, 128, usize::MAX].map(|lane| LaneMask::lane(lane).count()), [1, 0, 0, 0, 0]);
        assert_eq!([63, 64, 65, usize::MAX].map(|count| LaneMask::first(count).count()), [63, 64, 64, 64]);
    }
}
