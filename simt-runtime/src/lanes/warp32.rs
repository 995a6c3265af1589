//! Rows of warps of 32 lanes.

use super::row::{CHUNKS_32, Chunk, FEW_ROWS, RowWidth};

/// Rows of 32 lanes, at most [`FEW_ROWS`] of them. The compiler unrolls the loops.
///
/// PERF: the register file is an array of known length and a row number one byte, so that one comparison takes the place
/// of a bounds check for each operand. Whether it blends is known, too: an operation has no branch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Warp32<const BLENDS: bool>;

const FILE: usize = FEW_ROWS * CHUNKS_32;

impl<const BLENDS: bool> RowWidth for Warp32<BLENDS> {
    const IS_32: bool = true;

    #[inline(always)]
    fn chunks(self) -> usize {
        CHUNKS_32
    }
    #[inline(always)]
    fn start(self, row: u16) -> usize {
        usize::from(row as u8) * CHUNKS_32
    }
    #[inline(always)]
    fn file<T>(self, rows: &[Chunk<T>]) -> &[Chunk<T>] {
        &rows[..FILE]
    }
    #[inline(always)]
    fn file_mut<T>(self, rows: &mut [Chunk<T>]) -> &mut [Chunk<T>] {
        &mut rows[..FILE]
    }
    #[inline(always)]
    fn blends(self, _whole: bool) -> bool {
        BLENDS
    }
}
