//! Rows of lanes, and the means to compute on them.
//!
//! A row is a run of chunks of eight words: a warp of 32 has rows of four chunks.

use super::CHUNK;
use super::isa::Isa;
use super::segment::{Table, table};
use crate::plan::Place;
use crate::plan::Plan;
use simt_core::{Constant, LaneMask, ScalarType};

/// Eight words. Aligned so that no vector load straddles two cache lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(32))]
pub(crate) struct Chunk<T>(pub(crate) [T; CHUNK]);

/// The words of a chunk, each computed of its lane.
///
/// PERF: in place of `array::from_fn`, whose parts are compiled apart and not inlined into code for an instruction set, unless
/// the program is optimised as a whole, which a user's is not.
#[inline(always)]
pub(super) fn each_lane<T: Copy + Default>(mut word: impl FnMut(usize) -> T) -> [T; CHUNK] {
    let mut words = [T::default(); CHUNK];
    for (lane, own) in words.iter_mut().enumerate() {
        *own = word(lane);
    }
    words
}

/// How long rows are, and where they begin.
pub(crate) trait RowWidth: Copy {
    /// Whether rows have 32 lanes and the compiler knows it.
    const IS_32: bool = false;

    /// Number of chunks in a row.
    fn chunks(self) -> usize;
    /// The chunk that a row begins with.
    fn start(self, row: u16) -> usize;
    /// The rows, as many as may be used: for some widths the compiler then knows how many there are.
    fn file<T>(self, rows: &[Chunk<T>]) -> &[Chunk<T>];
    /// The same rows, mutable.
    fn file_mut<T>(self, rows: &mut [Chunk<T>]) -> &mut [Chunk<T>];
    /// Whether what an operation writes is blended into its destination, given that it need not be if `whole`: the
    /// destination dies in its segment, or all lanes are active.
    fn blends(self, whole: bool) -> bool;

    /// A row.
    #[inline(always)]
    fn row<T>(self, rows: &[Chunk<T>], row: u16) -> &[Chunk<T>] {
        &self.file(rows)[self.start(row)..][..self.chunks()]
    }
    /// A row, mutable.
    #[inline(always)]
    fn row_mut<T>(self, rows: &mut [Chunk<T>], row: u16) -> &mut [Chunk<T>] {
        &mut self.file_mut(rows)[self.start(row)..][..self.chunks()]
    }
}

/// Chunks of a row of 32 lanes.
pub(crate) const CHUNKS_32: usize = 32 / CHUNK;
/// As many rows as a byte can number.
pub(crate) const FEW_ROWS: usize = 256;

/// Rows of any length; the loops stay loops, which keeps the machine's code small.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Any(pub(crate) usize);

impl RowWidth for Any {
    #[inline(always)]
    fn chunks(self) -> usize {
        self.0
    }
    #[inline(always)]
    fn start(self, row: u16) -> usize {
        row as usize * self.0
    }
    #[inline(always)]
    fn file<T>(self, rows: &[Chunk<T>]) -> &[Chunk<T>] {
        rows
    }
    #[inline(always)]
    fn file_mut<T>(self, rows: &mut [Chunk<T>]) -> &mut [Chunk<T>] {
        rows
    }
    #[inline(always)]
    fn blends(self, whole: bool) -> bool {
        !whole
    }
}

/// Chunks of the longest row.
pub(crate) const MAX_CHUNKS: usize = 64 / CHUNK;
/// Lanes of the widest row.
pub(crate) const MAX_LANES: usize = MAX_CHUNKS * CHUNK;

/// The registers of one warp: rows of 32-bit words, rows of 64-bit words, and predicates of one bit a lane.
#[derive(Debug)]
pub(crate) struct Registers {
    /// Lanes of the warp: with 4, half a chunk is not used.
    pub(crate) lanes: usize,
    /// Chunks of a row.
    pub(crate) chunks: usize,
    /// The active lanes.
    pub(crate) mask: ActiveMask,
    pub(crate) words: Vec<Chunk<u32>>,
    pub(crate) wides: Vec<Chunk<u64>>,
    pub(crate) predicates: Vec<u64>,
    /// The predicate by which the next operation selects.
    pub(crate) selector: u64,
    /// The row that the next operation adds.
    pub(crate) addend: u16,
    /// The functions that run operations on rows of this width.
    pub(super) table: &'static Table,
}

impl Registers {
    pub(crate) fn new(lanes: usize, words: usize, wides: usize, predicates: usize) -> Self {
        let chunks = lanes.div_ceil(CHUNK);
        let padding = if chunks == CHUNKS_32 { FEW_ROWS } else { 0 };
        // PERF: where there is none no operation looks for one, and a machine with a clock holds a thousand warps.
        let padded = |rows: usize| if rows == 0 { 0 } else { rows.max(padding) };
        Self {
            lanes,
            chunks,
            mask: ActiveMask { bits: 0, all: LaneMask::first(chunks * CHUNK).0 },
            words: vec![Chunk::default(); padded(words) * chunks],
            wides: vec![Chunk::default(); padded(wides) * chunks],
            predicates: vec![0; predicates],
            selector: 0,
            addend: 0,
            // The rows are those of a `Warp32` if there are few.
            table: table(chunks == CHUNKS_32 && words <= FEW_ROWS && wides <= FEW_ROWS),
        }
    }

    /// The values that lanes keep from one instruction of a plan to the next: words, wide words and predicates.
    pub(crate) fn contents(&self, plan: &Plan) -> (&[Chunk<u32>], &[Chunk<u64>], &[u64]) {
        let (words, wides) = (plan.words * self.chunks, plan.wides * self.chunks);
        (&self.words[..words], &self.wides[..wides], &self.predicates)
    }

    /// Copies the contents of other registers of the same plan, with the active mask.
    pub(crate) fn copy_from(&mut self, other: &Self, plan: &Plan) {
        let (words, wides) = (plan.words * self.chunks, plan.wides * self.chunks);
        self.words[..words].copy_from_slice(&other.words[..words]);
        self.wides[..wides].copy_from_slice(&other.wides[..wides]);
        self.predicates.copy_from_slice(&other.predicates);
        (self.mask, self.selector, self.addend) = (other.mask, other.selector, other.addend);
    }

    /// The words of a row, in lane order.
    pub(crate) fn word_row(&mut self, row: u16) -> impl Iterator<Item = &mut u32> {
        self.words[row as usize * self.chunks..][..self.chunks].iter_mut().flat_map(|chunk| &mut chunk.0)
    }

    /// The lanes for whose words something holds, a bit for each. Lanes that the warp has not may be among them.
    ///
    /// PERF: chunk by chunk, whose length the compiler knows.
    #[inline(always)]
    pub(crate) fn lanes_with(&self, row: u16, holds: impl Fn(u32) -> bool) -> u64 {
        let chunks = &self.words[row as usize * self.chunks..][..self.chunks];
        chunks.iter().rev().fold(0, |bits, chunk| {
            let own = chunk.0.iter().zip(0..).fold(0, |own, (&word, lane)| own | u32::from(holds(word)) << lane);
            bits << CHUNK | u64::from(own)
        })
    }

    /// All lanes get the same word.
    #[inline(never)]
    pub(crate) fn fill(&mut self, row: u16, word: u32) {
        self.words[row as usize * self.chunks..][..self.chunks].fill(Chunk([word; CHUNK]));
    }

    /// Numbers the lanes, the lowest by `first`.
    #[inline(never)]
    pub(crate) fn number(&mut self, row: u16, first: u32) {
        let mut numbers = each_lane(|lane| first.wrapping_add(lane as u32));
        for chunk in &mut self.words[row as usize * self.chunks..][..self.chunks] {
            chunk.0 = numbers;
            numbers = each_lane(|lane| numbers[lane].wrapping_add(CHUNK as u32));
        }
    }

    /// The word of one lane.
    #[inline]
    pub(crate) fn word(&mut self, row: u16, lane: usize) -> &mut u32 {
        &mut self.words[row as usize * self.chunks + lane / CHUNK].0[lane % CHUNK]
    }

    /// The wide word of one lane.
    #[inline]
    pub(crate) fn wide(&mut self, row: u16, lane: usize) -> &mut u64 {
        &mut self.wides[row as usize * self.chunks + lane / CHUNK].0[lane % CHUNK]
    }

    /// The bits of all lanes' values, as they lie in their row. Lanes that the warp has not are left out.
    ///
    /// PERF: chunk by chunk, whose length the compiler knows.
    pub(crate) fn get_all(&self, place: Place, values: &mut [u64; MAX_LANES]) {
        let (values, _) = values.as_chunks_mut::<CHUNK>();
        match place {
            Place::Word(row) => {
                let chunks = &self.words[row as usize * self.chunks..][..self.chunks];
                let each = values.iter_mut().zip(chunks);
                each.for_each(|(values, chunk)| *values = each_lane(|lane| chunk.0[lane].into()));
            }
            Place::Wide(row) => {
                let chunks = &self.wides[row as usize * self.chunks..][..self.chunks];
                values.iter_mut().zip(chunks).for_each(|(values, chunk)| *values = chunk.0);
            }
            Place::Predicate(row) => {
                let bits = self.predicates[row as usize];
                let values = values.as_flattened_mut().iter_mut().enumerate();
                values.for_each(|(lane, value)| *value = bits >> lane & 1);
            }
        }
    }

    /// The bits of one lane's value, as they lie in its row.
    #[inline(always)]
    pub(crate) fn get(&self, place: Place, lane: usize) -> u64 {
        let (part, within) = (lane / CHUNK, lane % CHUNK);
        match place {
            Place::Word(row) => self.words[row as usize * self.chunks + part].0[within].into(),
            Place::Wide(row) => self.wides[row as usize * self.chunks + part].0[within],
            Place::Predicate(row) => self.predicates[row as usize] >> lane & 1,
        }
    }

    /// Writes one lane's value.
    #[inline]
    pub(crate) fn set(&mut self, place: Place, lane: usize, bits: u64) {
        match place {
            Place::Word(row) => *self.word(row, lane) = bits as u32,
            Place::Wide(row) => *self.wide(row, lane) = bits,
            Place::Predicate(row) => {
                let predicate = &mut self.predicates[row as usize];
                *predicate = (*predicate & !(1 << lane)) | ((bits & 1) << lane);
            }
        }
    }

    /// What is computed for each lane of its number and its word. Lanes that the warp has not are left out.
    ///
    /// PERF: chunk by chunk, as in [`get_all`](Self::get_all).
    #[inline(always)]
    pub(crate) fn of_words(&self, row: u16, compute: impl Fn(u32, u32) -> u32) -> [u32; MAX_LANES] {
        let mut values = [0; MAX_LANES];
        let chunks = &self.words[row as usize * self.chunks..][..self.chunks];
        for ((values, chunk), part) in values.as_chunks_mut::<CHUNK>().0.iter_mut().zip(chunks).zip(0..) {
            *values = each_lane(|lane| compute(part * CHUNK as u32 + lane as u32, chunk.0[lane]));
        }
        values
    }

    /// Writes the values of some lanes.
    ///
    /// PERF: chunk by chunk, as in [`get_all`](Self::get_all).
    #[inline(always)]
    pub(crate) fn set_lanes(&mut self, place: Place, lanes: LaneMask, value: impl Fn(usize) -> u64) {
        let blend = |old, lane| if lanes.0 >> lane & 1 != 0 { value(lane) } else { old };
        match place {
            Place::Word(row) => {
                let chunks = &mut self.words[row as usize * self.chunks..][..self.chunks];
                for (part, chunk) in chunks.iter_mut().enumerate() {
                    chunk.0 = each_lane(|lane| blend(chunk.0[lane].into(), part * CHUNK + lane) as u32);
                }
            }
            Place::Wide(row) => {
                let chunks = &mut self.wides[row as usize * self.chunks..][..self.chunks];
                for (part, chunk) in chunks.iter_mut().enumerate() {
                    chunk.0 = each_lane(|lane| blend(chunk.0[lane], part * CHUNK + lane));
                }
            }
            Place::Predicate(row) => {
                let holding = lanes.lanes().filter(|&lane| value(lane) & 1 != 0);
                let holds = holding.fold(0, |holds, lane| holds | 1 << lane);
                let predicate = &mut self.predicates[row as usize];
                *predicate = *predicate & !lanes.0 | holds;
            }
        }
    }

    /// One lane's value: a row holds narrow integers extended to a word.
    pub(crate) fn value(&self, place: Place, ty: ScalarType, lane: usize) -> Constant {
        Constant { ty, bits: self.get(place, lane) & (u64::MAX >> (64 - ty.bits())) }
    }

    /// The wide words of a row, in lane order.
    pub(crate) fn wide_row(&mut self, row: u16) -> impl Iterator<Item = &mut u64> {
        self.wides[row as usize * self.chunks..][..self.chunks].iter_mut().flat_map(|chunk| &mut chunk.0)
    }
}

/// The active lanes.
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

impl Registers {
    /// Makes other lanes the active ones.
    #[inline(always)]
    pub(crate) fn activate(&mut self, mask: LaneMask) {
        self.mask.bits = mask.0;
    }
}

/// A word that rows are made of.
pub(crate) trait Word: Copy + Default {
    /// The chunks of all rows of this word.
    fn rows(registers: &mut Registers) -> &mut [Chunk<Self>];
    /// `new` where a lane's bit is set, otherwise `old`: see [`Isa`].
    fn blend(isa: impl Isa, bits: u64, part: usize, new: [Self; CHUNK], old: [Self; CHUNK]) -> [Self; CHUNK];
    /// The rows of this word, and the rows of words if those are others.
    fn split(registers: &mut Registers) -> (&mut [Chunk<Self>], &[Chunk<u32>]);
    /// A part of a row of words, from what `split` gives.
    fn words(rows: &[Chunk<Self>], words: &[Chunk<u32>], at: usize) -> [u32; CHUNK];
}

impl Word for u32 {
    #[inline(always)]
    fn rows(registers: &mut Registers) -> &mut [Chunk<Self>] {
        &mut registers.words
    }
    #[inline(always)]
    fn blend(isa: impl Isa, bits: u64, part: usize, new: [Self; CHUNK], old: [Self; CHUNK]) -> [Self; CHUNK] {
        isa.blend_words(bits, part, new, old)
    }
    #[inline(always)]
    fn split(registers: &mut Registers) -> (&mut [Chunk<Self>], &[Chunk<u32>]) {
        (&mut registers.words, &[])
    }
    #[inline(always)]
    fn words(rows: &[Chunk<Self>], _words: &[Chunk<u32>], at: usize) -> [u32; CHUNK] {
        rows[at].0
    }
}

impl Word for u64 {
    #[inline(always)]
    fn rows(registers: &mut Registers) -> &mut [Chunk<Self>] {
        &mut registers.wides
    }
    #[inline(always)]
    fn blend(isa: impl Isa, bits: u64, part: usize, new: [Self; CHUNK], old: [Self; CHUNK]) -> [Self; CHUNK] {
        isa.blend_wides(bits, part, new, old)
    }
    #[inline(always)]
    fn split(registers: &mut Registers) -> (&mut [Chunk<Self>], &[Chunk<u32>]) {
        (&mut registers.wides, &registers.words)
    }
    #[inline(always)]
    fn words(_rows: &[Chunk<Self>], words: &[Chunk<u32>], at: usize) -> [u32; CHUNK] {
        words[at].0
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
