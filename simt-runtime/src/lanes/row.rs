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

/// Chunks of the longest row.
pub(crate) const MAX_CHUNKS: usize = 64 / CHUNK;

/// The row of words that holds the active mask: zeros and all-ones.
///
/// PERF: among the registers, because the compiler copies a mask that it knows to be constant to the stack at every call.
pub(crate) const MASK_ROW: u16 = 0;

/// The registers of one warp: rows of 32-bit words, rows of 64-bit words, and predicates of one bit a lane.
#[derive(Debug)]
pub(crate) struct Registers {
    /// Chunks of a row.
    pub(crate) chunks: usize,
    /// The active lanes.
    pub(crate) mask: ActiveMask,
    pub(crate) words: Vec<Chunk<u32>>,
    pub(crate) wides: Vec<Chunk<u64>>,
    pub(crate) predicates: Vec<u64>,
}

impl Registers {
    pub(crate) fn new(lanes: usize, words: usize, wides: usize, predicates: usize) -> Self {
        let chunks = lanes.div_ceil(CHUNK);
        Self {
            chunks,
            mask: ActiveMask { bits: 0, all: LaneMask::first(chunks * CHUNK).0 },
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

/// The active lanes. Their words are in [`MASK_ROW`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct ActiveMask {
    pub(crate) bits: u64,
    /// All lanes of a row.
    all: u64,
}

impl ActiveMask {
    /// Whether all lanes of the row are active: nothing needs blending.
    #[inline(always)]
    pub(crate) fn is_full(self) -> bool {
        self.bits == self.all
    }
}

/// The words of eight lanes, by their bits.
///
/// PERF: looked up rather than computed: the compiler vectorises the computation across chunks, with scatters, which takes
/// a third of the time of a branchy kernel.
static MASKS: [Chunk<u32>; 256] = {
    let mut table = [Chunk([0; CHUNK]); 256];
    let mut bits = 0;
    while bits < 256 {
        let mut lane = 0;
        while lane < CHUNK {
            table[bits].0[lane] = if bits >> lane & 1 == 1 { !0 } else { 0 };
            lane += 1;
        }
        bits += 1;
    }
    table
};

impl Registers {
    /// Makes other lanes the active ones.
    #[inline(always)]
    pub(crate) fn activate(&mut self, mask: LaneMask) {
        self.mask.bits = mask.0;
        for (part, chunk) in self.words[..self.chunks].iter_mut().enumerate() {
            *chunk = MASKS[usize::from((mask.0 >> (part * CHUNK)) as u8)];
        }
    }
}

/// A word that rows are made of.
pub(crate) trait Word: Copy + Default {
    /// The chunks of all rows of this word.
    fn rows(registers: &mut Registers) -> &mut [Chunk<Self>];
    /// `new` where the mask word is all ones, `old` where it is zero.
    fn blend(new: Self, old: Self, mask: u32) -> Self;
    /// The rows of this word, and the rows of words if those are others.
    fn split(registers: &mut Registers) -> (&mut [Chunk<Self>], &[Chunk<u32>]);
    /// The row of the active mask's words, from what `split` gives.
    fn mask_row<'r>(rows: &'r [Chunk<Self>], words: &'r [Chunk<u32>], width: impl RowWidth) -> &'r [Chunk<u32>];
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
    #[inline(always)]
    fn split(registers: &mut Registers) -> (&mut [Chunk<Self>], &[Chunk<u32>]) {
        (&mut registers.words, &[])
    }
    #[inline(always)]
    fn mask_row<'r>(rows: &'r [Chunk<Self>], _words: &'r [Chunk<u32>], width: impl RowWidth) -> &'r [Chunk<u32>] {
        &rows[MASK_ROW as usize * width.chunks()..][..width.chunks()]
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
    #[inline(always)]
    fn split(registers: &mut Registers) -> (&mut [Chunk<Self>], &[Chunk<u32>]) {
        (&mut registers.wides, &registers.words)
    }
    #[inline(always)]
    fn mask_row<'r>(_rows: &'r [Chunk<Self>], words: &'r [Chunk<u32>], width: impl RowWidth) -> &'r [Chunk<u32>] {
        &words[MASK_ROW as usize * width.chunks()..][..width.chunks()]
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
        let mut registers = Registers::new(64, 1, 0, 0);
        registers.activate(LaneMask(0x8000_0001_0000_00f0));
        assert!(!registers.mask.is_full());
        let bits = LaneMask(registers.mask.bits);
        for (lane, word) in registers.word_row(MASK_ROW).enumerate() {
            assert_eq!(*word, if bits.contains(lane) { !0 } else { 0 }, "lane {lane}");
        }
        registers.activate(LaneMask::first(64));
        assert!(registers.mask.is_full());
    }
}
