//! Whole numbers of any type, as the host gives them for a grid.

use super::Dim3;

/// A whole number, of whatever type of integer the host computes it in: [`Grid`](crate::Grid) and [`Dim3`] take any.
///
/// A number below 0 is the error [`GridError::Negative`](crate::GridError) at launch.
pub trait Size: Copy + sealed::Number {}

mod sealed {
    pub trait Number {
        /// The number; one below 0 as in two's complement, one that could be mistaken for such as the greatest that is not.
        fn size(self) -> usize;
    }
}

/// The number, as [`is_negative`] reads it.
pub(super) fn size(number: impl Size) -> usize {
    number.size()
}

/// Whether a number was below 0. One that is as large, but was not, is beyond all limits, too.
pub(super) fn is_negative(size: usize) -> bool {
    size > isize::MAX as usize
}

macro_rules! sizes {
    ($($ty:ty)*) => {$(
        impl sealed::Number for $ty {
            fn size(self) -> usize {
                // Of those without a sign the comparison is never true.
                #[allow(unused_comparisons, reason = "the types with a sign and those without have one macro")]
                match usize::try_from(self) {
                    Ok(number) => number.min(isize::MAX as usize),
                    Err(_) if self < 0 => isize::try_from(self).unwrap_or(isize::MIN) as usize,
                    Err(_) => isize::MAX as usize,
                }
            }
        }

        impl Size for $ty {}
    )*};
}
sizes!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

impl<X: Size> From<X> for Dim3 {
    fn from(x: X) -> Self {
        Self { x: size(x), y: 1, z: 1 }
    }
}

impl<X: Size, Y: Size> From<(X, Y)> for Dim3 {
    fn from((x, y): (X, Y)) -> Self {
        Self { x: size(x), y: size(y), z: 1 }
    }
}

impl<X: Size, Y: Size, Z: Size> From<(X, Y, Z)> for Dim3 {
    fn from((x, y, z): (X, Y, Z)) -> Self {
        Self { x: size(x), y: size(y), z: size(z) }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Dim3, Grid, GridError};

    #[test]
    fn numbers_of_all_types_are_sizes() {
        let all = [Dim3::from(7_u8), Dim3::from(7_i64), Dim3::from((7_u32, 1_usize)), Dim3::from((7, 1_u16, 1_i8))];
        assert_eq!(all, [Dim3::from(7); 4]);
        assert_eq!([Dim3::from(7_u128), Dim3::from(7_i128)], [Dim3::from(7); 2]);
        assert_eq!(Grid::covering(1000_u32, 128_usize), Grid::new(8, 128));
    }

    /// No grid is so large, whatever it is made of; the message must not call the number negative.
    #[test]
    fn the_greatest_numbers_are_not_negative() {
        let all = [
            (Grid::covering(u64::MAX, 32), 1 << 58),
            (Grid::covering(usize::MAX, 32), 1 << 58),
            (Grid::new(u64::MAX, 1), (1 << 63) - 1),
            (Grid::new(1_u64 << 63, 1), (1 << 63) - 1),
            (Grid::new(u128::MAX, 1), (1 << 63) - 1),
            (Grid::new(i128::MAX, 1), (1 << 63) - 1),
        ];
        for (grid, blocks) in all {
            assert_eq!(
                grid.validate(),
                Err(GridError::TooManyBlocks { blocks: Dim3 { x: blocks, y: 1, z: 1 } }),
                "{grid}"
            );
        }
        let threads = Grid::new(1, u64::MAX);
        assert_eq!(threads.validate(), Err(GridError::BlockTooLarge { threads: threads.threads() }));
    }

    #[test]
    fn a_negative_number_is_an_error_wherever_it_stands() {
        let all = [
            Grid::new(-1, 64),
            Grid::new((1, -1_i64), 64),
            Grid::new(0, -64),
            Grid::new(1, (1, 1, i64::MIN)),
            Grid::new(1, (1, 1, i128::MIN)),
            Grid::covering(-1000, 64),
            Grid::covering(1000, -64),
            Grid::covering(0, -64),
            Grid::new(1, 64).with_shared_memory(-4),
        ];
        for grid in all {
            assert_eq!(grid.validate(), Err(GridError::Negative { grid }), "{grid}");
        }
        assert_eq!(Grid::new((-2, 3), 1).to_string(), "(-2, 3, 1) blocks of (1, 1, 1) threads");
        assert_eq!(Grid::covering(-65, 64).blocks(), Dim3::from(-65));
    }
}
