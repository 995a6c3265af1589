//! Rows of lanes, and what it takes to compute on them.

use super::CHUNK;
use simt_core::LaneMask;

/// One word a lane. Aligned to a cache line, so that no vector load straddles two.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Row<T, const W: usize>(pub(crate) [T; W]);

/// The registers of one warp: rows of 32-bit words, rows of 64-bit words, and predicates of one bit a lane.
#[derive(Debug)]
pub(crate) struct Registers<const W: usize> {
    pub(crate) words: Vec<Row<u32, W>>,
    pub(crate) wides: Vec<Row<u64, W>>,
    pub(crate) predicates: Vec<u64>,
}

impl<const W: usize> Registers<W> {
    pub(crate) fn new(words: usize, wides: usize, predicates: usize) -> Self {
        Self {
            words: vec![Row([0; W]); words],
            wides: vec![Row([0; W]); wides],
            predicates: vec![0; predicates],
        }
    }
}

/// The active lanes, as bits and as a row of zeros and all-ones.
#[derive(Debug)]
pub(crate) struct ActiveMask<const W: usize> {
    pub(crate) bits: u64,
    pub(crate) row: Row<u32, W>,
    /// Whether all lanes of the row are active: nothing needs blending.
    pub(crate) full: bool,
}

/// Bit *i* mod 32 of word *i*: comparing with a table vectorises, shifting by the lane number does not.
const BITS: [u32; 64] = {
    let mut bits = [0; 64];
    let mut lane = 0;
    while lane < 64 {
        bits[lane] = 1 << (lane % 32);
        lane += 1;
    }
    bits
};

impl<const W: usize> ActiveMask<W> {
    #[inline(always)]
    pub(crate) fn new(mask: LaneMask) -> Self {
        let mut new = Self { bits: 0, row: Row([0; W]), full: false };
        new.set(mask);
        new
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, mask: LaneMask) {
        self.bits = mask.0;
        self.full = mask == LaneMask::first(W);
        for chunk in 0..W / CHUNK {
            let half = (mask.0 >> (chunk * CHUNK / 32 * 32)) as u32;
            for lane in chunk * CHUNK..(chunk + 1) * CHUNK {
                self.row.0[lane] = if half & BITS[lane] != 0 { !0 } else { 0 };
            }
        }
    }
}

/// A word that rows are made of.
pub(crate) trait Word: Copy + Default {
    /// The rows of this word.
    fn rows<const W: usize>(registers: &mut Registers<W>) -> &mut [Row<Self, W>];
    /// `new` where the mask word is all ones, `old` where it is zero.
    fn blend(new: Self, old: Self, mask: u32) -> Self;
}

impl Word for u32 {
    #[inline(always)]
    fn rows<const W: usize>(registers: &mut Registers<W>) -> &mut [Row<Self, W>] {
        &mut registers.words
    }
    #[inline(always)]
    fn blend(new: Self, old: Self, mask: u32) -> Self {
        (new & mask) | (old & !mask)
    }
}

impl Word for u64 {
    #[inline(always)]
    fn rows<const W: usize>(registers: &mut Registers<W>) -> &mut [Row<Self, W>] {
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

/// A chunk of a row.
#[inline(always)]
pub(crate) fn chunk<T: Copy, const W: usize>(row: &Row<T, W>, chunk: usize) -> [T; CHUNK] {
    std::array::from_fn(|lane| row.0[chunk * CHUNK + lane])
}

/// Writes a chunk of a row.
#[inline(always)]
pub(crate) fn put<T: Copy, const W: usize>(row: &mut Row<T, W>, chunk: usize, values: [T; CHUNK]) {
    row.0[chunk * CHUNK..(chunk + 1) * CHUNK].copy_from_slice(&values);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mask_row_agrees_with_its_bits() {
        let mask = ActiveMask::<64>::new(LaneMask(0x8000_0001_0000_00f0));
        for lane in 0..64 {
            assert_eq!(mask.row.0[lane] != 0, LaneMask(mask.bits).contains(lane), "lane {lane}");
        }
        assert!(!mask.full && ActiveMask::<8>::new(LaneMask(0xff)).full);
    }
}
