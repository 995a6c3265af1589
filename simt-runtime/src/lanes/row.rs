//! Rows of lanes, and what it takes to compute on them.
//!
//! A row is a run of chunks of eight words: a warp of 32 has rows of four chunks.

use super::CHUNK;
use simt_core::LaneMask;

/// Eight words. Aligned so that no vector load straddles two cache lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(32))]
pub(crate) struct Chunk<T>(pub(crate) [T; CHUNK]);

/// How many chunks a row has.
pub(crate) trait RowWidth: Copy {
    /// Number of chunks.
    fn chunks(self) -> usize;
}

/// A width known to the compiler, which unrolls the loops.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fixed<const CHUNKS: usize>;

impl<const CHUNKS: usize> RowWidth for Fixed<CHUNKS> {
    #[inline(always)]
    fn chunks(self) -> usize {
        CHUNKS
    }
}

/// Any width; the loops stay loops, which keeps the machine's code small.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Any(pub(crate) usize);

impl RowWidth for Any {
    #[inline(always)]
    fn chunks(self) -> usize {
        self.0
    }
}

/// The registers of one warp: rows of 32-bit words, rows of 64-bit words, and predicates of one bit a lane.
#[derive(Debug)]
pub(crate) struct Registers {
    /// Chunks of a row.
    pub(crate) chunks: usize,
    pub(crate) words: Vec<Chunk<u32>>,
    pub(crate) wides: Vec<Chunk<u64>>,
    pub(crate) predicates: Vec<u64>,
}

impl Registers {
    pub(crate) fn new(lanes: usize, words: usize, wides: usize, predicates: usize) -> Self {
        let chunks = lanes.div_ceil(CHUNK);
        Self {
            chunks,
            words: vec![Chunk::default(); words * chunks],
            wides: vec![Chunk::default(); wides * chunks],
            predicates: vec![0; predicates],
        }
    }

    /// The words of a row, in lane order.
    pub(crate) fn word_row(&mut self, row: u16) -> impl Iterator<Item = &mut u32> {
        self.words[row as usize * self.chunks..][..self.chunks].iter_mut().flat_map(|chunk| &mut chunk.0)
    }

    /// The wide words of a row, in lane order.
    pub(crate) fn wide_row(&mut self, row: u16) -> impl Iterator<Item = &mut u64> {
        self.wides[row as usize * self.chunks..][..self.chunks].iter_mut().flat_map(|chunk| &mut chunk.0)
    }
}

/// The active lanes, as bits and as a row of zeros and all-ones.
#[derive(Debug)]
pub(crate) struct ActiveMask {
    pub(crate) bits: u64,
    pub(crate) row: [Chunk<u32>; 64 / CHUNK],
    /// All lanes of a row.
    all: u64,
}

/// Bit *i* of word *i*: comparing with a table vectorises, shifting by the lane number does not.
const BITS: [u32; CHUNK] = [1, 2, 4, 8, 16, 32, 64, 128];

impl ActiveMask {
    /// The mask of a warp whose rows have so many chunks.
    pub(crate) fn new(mask: LaneMask, chunks: usize) -> Self {
        let mut new = Self { bits: 0, row: Default::default(), all: LaneMask::first(chunks * CHUNK).0 };
        new.set(mask, Any(chunks));
        new
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, mask: LaneMask, width: impl RowWidth) {
        self.bits = mask.0;
        for (part, chunk) in self.row.iter_mut().enumerate().take(width.chunks()) {
            let bits = (mask.0 >> (part * CHUNK)) as u32;
            chunk.0 = std::array::from_fn(|lane| if bits & BITS[lane] != 0 { !0 } else { 0 });
        }
    }

    /// Whether all lanes of the row are active: nothing needs blending.
    #[inline(always)]
    pub(crate) fn is_full(&self) -> bool {
        self.bits == self.all
    }
}

/// A word that rows are made of.
pub(crate) trait Word: Copy + Default {
    /// The chunks of all rows of this word.
    fn rows(registers: &mut Registers) -> &mut [Chunk<Self>];
    /// `new` where the mask word is all ones, `old` where it is zero.
    fn blend(new: Self, old: Self, mask: u32) -> Self;
}

impl Word for u32 {
    #[inline(always)]
    fn rows(registers: &mut Registers) -> &mut [Chunk<Self>] {
        &mut registers.words
    }
    #[inline(always)]
    fn blend(new: Self, old: Self, mask: u32) -> Self {
        (new & mask) | (old & !mask)
    }
}

impl Word for u64 {
    #[inline(always)]
    fn rows(registers: &mut Registers) -> &mut [Chunk<Self>] {
        &mut registers.wides
    }
    #[inline(always)]
    fn blend(new: Self, old: Self, mask: u32) -> Self {
        let mask = mask as i32 as i64 as u64;
        (new & mask) | (old & !mask)
    }
}

/// A type whose values lie in rows. Integers narrower than a word are kept extended to it, by zeros or by their sign.
pub(crate) trait Cell: Copy {
    type Word: Word;
    fn from_word(word: Self::Word) -> Self;
    fn to_word(self) -> Self::Word;
}

macro_rules! cells {
    ($($ty:ty: $word:ty, |$w:ident| $from:expr, |$v:ident| $to:expr;)*) => {$(
        impl Cell for $ty {
            type Word = $word;
            #[inline(always)]
            fn from_word($w: $word) -> Self { $from }
            #[inline(always)]
            fn to_word(self) -> $word { let $v = self; $to }
        }
    )*};
}
cells! {
    u8: u32, |w| w as u8, |v| u32::from(v);
    u16: u32, |w| w as u16, |v| u32::from(v);
    u32: u32, |w| w, |v| v;
    i8: u32, |w| w as i8, |v| i32::from(v) as u32;
    i16: u32, |w| w as i16, |v| i32::from(v) as u32;
    i32: u32, |w| w as i32, |v| v as u32;
    f32: u32, |w| f32::from_bits(w), |v| v.to_bits();
    u64: u64, |w| w, |v| v;
    i64: u64, |w| w as i64, |v| v as u64;
    f64: u64, |w| f64::from_bits(w), |v| v.to_bits();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mask_row_agrees_with_its_bits() {
        let mask = ActiveMask::new(LaneMask(0x8000_0001_0000_00f0), 8);
        for lane in 0..64 {
            let word = mask.row[lane / CHUNK].0[lane % CHUNK];
            assert_eq!(word, if LaneMask(mask.bits).contains(lane) { !0 } else { 0 }, "lane {lane}");
        }
        assert!(!mask.is_full() && ActiveMask::new(LaneMask(0xff), 1).is_full());
    }
}
