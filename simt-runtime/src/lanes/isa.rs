//! What the loops ask of an instruction set: bits from words, and words by bits.
//!
//! PERF: the means are closures that are made inside a function which is compiled for the instruction set: they are compiled
//! for it, too. The active mask stays one word of bits: kept as a row, it was written at each divergence and read by each
//! operation, which cost branchy kernels a fifth.
//!
//! PERF: functions for AVX-512, with masks in registers of their own and blends of one instruction, made mandel and search 3 %
//! slower and Collatz on `u32` and `u64` no faster (Intel Xeon, 2026-11-28): the compiler reads two chunks at once that were
//! written one by one, and it is not the lanes' instructions that branchy kernels wait for.

use super::CHUNK;
use super::row::{CHUNKS_32, each_lane};

/// The means of an instruction set. `bits` are of all lanes of a row, `part` says which eight of them.
pub(super) trait Isa: Copy {
    /// The highest bit of each of eight words.
    fn movemask(self, words: [u32; CHUNK]) -> u64;
    /// A bit for each of 32 words, which are all ones or zero.
    fn movemask_32(self, words: [[u32; CHUNK]; CHUNKS_32]) -> u64;
    /// Whether eight words are zero.
    fn are_zero(self, words: [u32; CHUNK]) -> bool;
    /// `new` where a lane's bit is set, otherwise `old`.
    fn blend_words(self, bits: u64, part: usize, new: [u32; CHUNK], old: [u32; CHUNK]) -> [u32; CHUNK];
    /// The same of wide words.
    fn blend_wides(self, bits: u64, part: usize, new: [u64; CHUNK], old: [u64; CHUNK]) -> [u64; CHUNK];
}

/// An instruction set by its means: [`Isa`]'s functions in their order.
#[derive(Clone, Copy)]
pub(super) struct By<M, F, Z, W, D>(pub(super) M, pub(super) F, pub(super) Z, pub(super) W, pub(super) D);

impl<M, F, Z, W, D> Isa for By<M, F, Z, W, D>
where
    M: Fn([u32; CHUNK]) -> u64 + Copy,
    F: Fn([[u32; CHUNK]; CHUNKS_32]) -> u64 + Copy,
    Z: Fn([u32; CHUNK]) -> bool + Copy,
    W: Fn(u64, usize, [u32; CHUNK], [u32; CHUNK]) -> [u32; CHUNK] + Copy,
    D: Fn(u64, usize, [u64; CHUNK], [u64; CHUNK]) -> [u64; CHUNK] + Copy,
{
    #[inline(always)]
    fn movemask(self, words: [u32; CHUNK]) -> u64 {
        (self.0)(words)
    }
    #[inline(always)]
    fn movemask_32(self, words: [[u32; CHUNK]; CHUNKS_32]) -> u64 {
        (self.1)(words)
    }
    #[inline(always)]
    fn are_zero(self, words: [u32; CHUNK]) -> bool {
        (self.2)(words)
    }
    #[inline(always)]
    fn blend_words(self, bits: u64, part: usize, new: [u32; CHUNK], old: [u32; CHUNK]) -> [u32; CHUNK] {
        (self.3)(bits, part, new, old)
    }
    #[inline(always)]
    fn blend_wides(self, bits: u64, part: usize, new: [u64; CHUNK], old: [u64; CHUNK]) -> [u64; CHUNK] {
        (self.4)(bits, part, new, old)
    }
}

/// What every processor of this architecture has.
#[derive(Clone, Copy)]
pub(super) struct Portable;

impl Isa for Portable {
    #[inline(always)]
    fn movemask(self, words: [u32; CHUNK]) -> u64 {
        let mut bits = 0;
        for (lane, word) in words.into_iter().enumerate() {
            bits |= (word >> 31) << lane;
        }
        u64::from(bits)
    }
    #[inline(always)]
    fn movemask_32(self, words: [[u32; CHUNK]; CHUNKS_32]) -> u64 {
        words.into_iter().rev().fold(0, |bits, words| bits << CHUNK | self.movemask(words))
    }
    #[inline(always)]
    fn are_zero(self, words: [u32; CHUNK]) -> bool {
        words.into_iter().fold(0, |all, word| all | word) == 0
    }
    #[inline(always)]
    fn blend_words(self, bits: u64, part: usize, new: [u32; CHUNK], old: [u32; CHUNK]) -> [u32; CHUNK] {
        let bits = (bits >> (part * CHUNK)) as u32;
        each_lane(|lane| {
            let mask = 0_u32.wrapping_sub(bits >> lane & 1);
            old[lane] ^ ((old[lane] ^ new[lane]) & mask)
        })
    }
    #[inline(always)]
    fn blend_wides(self, bits: u64, part: usize, new: [u64; CHUNK], old: [u64; CHUNK]) -> [u64; CHUNK] {
        let bits = bits >> (part * CHUNK);
        each_lane(|lane| {
            let mask = 0_u64.wrapping_sub(bits >> lane & 1);
            old[lane] ^ ((old[lane] ^ new[lane]) & mask)
        })
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) mod avx2 {
    //! As few instructions as AVX2 has for them; the portable loops of movemask and blends cost three to five times as much.

    use super::{CHUNK, CHUNKS_32};
    use std::arch::x86_64::{
        __m256i, _mm256_and_si256, _mm256_castsi256_ps, _mm256_castsi256_si128, _mm256_cvtepi32_epi64,
        _mm256_extracti128_si256, _mm256_movemask_epi8, _mm256_movemask_ps, _mm256_packs_epi16, _mm256_packs_epi32,
        _mm256_permutevar8x32_epi32, _mm256_set1_epi32, _mm256_sllv_epi32, _mm256_srai_epi32, _mm256_testz_si256,
        _mm256_xor_si256,
    };

    #[target_feature(enable = "avx2")]
    #[inline]
    pub(in crate::lanes) fn movemask(words: [u32; CHUNK]) -> u64 {
        u64::from(_mm256_movemask_ps(_mm256_castsi256_ps(bytemuck::cast(words))) as u32)
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    pub(in crate::lanes) fn movemask_32(words: [[u32; CHUNK]; CHUNKS_32]) -> u64 {
        let [a, b, c, d]: [__m256i; CHUNKS_32] = bytemuck::cast(words);
        // Packing puts fours of lanes in this order: 0 2 4 6, then 1 3 5 7.
        let fours = _mm256_packs_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d));
        let lanes = _mm256_permutevar8x32_epi32(fours, bytemuck::cast([0_u32, 4, 1, 5, 2, 6, 3, 7]));
        u64::from(_mm256_movemask_epi8(lanes) as u32)
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    pub(in crate::lanes) fn are_zero(words: [u32; CHUNK]) -> bool {
        let words: __m256i = bytemuck::cast(words);
        _mm256_testz_si256(words, words) == 1
    }

    /// How far the bit of a lane is from the sign, for four parts of 32 lanes.
    static TO_SIGN: [[u32; CHUNK]; CHUNKS_32] = {
        let mut counts = [[0; CHUNK]; CHUNKS_32];
        let mut lane = 0;
        while lane < CHUNKS_32 * CHUNK {
            counts[lane / CHUNK][lane % CHUNK] = 31 - lane as u32;
            lane += 1;
        }
        counts
    };

    /// Eight words, each all ones where the lane's bit is set, and otherwise zero.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn mask(bits: u64, part: usize) -> __m256i {
        let bits = _mm256_set1_epi32((bits >> (part / CHUNKS_32 * 32)) as i32);
        _mm256_srai_epi32::<31>(_mm256_sllv_epi32(bits, bytemuck::cast(TO_SIGN[part % CHUNKS_32])))
    }

    // PERF: by three operations of bits: of a blend the compiler makes a store under a mask, which loads cannot be forwarded
    // from.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn merge(mask: __m256i, new: __m256i, old: __m256i) -> __m256i {
        _mm256_xor_si256(old, _mm256_and_si256(_mm256_xor_si256(old, new), mask))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    pub(in crate::lanes) fn blend_words(bits: u64, part: usize, new: [u32; CHUNK], old: [u32; CHUNK]) -> [u32; CHUNK] {
        bytemuck::cast(merge(mask(bits, part), bytemuck::cast(new), bytemuck::cast(old)))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    pub(in crate::lanes) fn blend_wides(bits: u64, part: usize, new: [u64; CHUNK], old: [u64; CHUNK]) -> [u64; CHUNK] {
        let mask = mask(bits, part);
        let low = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(mask));
        let high = _mm256_cvtepi32_epi64(_mm256_extracti128_si256::<1>(mask));
        let (new, old): ([__m256i; 2], [__m256i; 2]) = (bytemuck::cast(new), bytemuck::cast(old));
        bytemuck::cast([merge(low, new[0], old[0]), merge(high, new[1], old[1])])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Each instruction set does the same as one lane after the other.
    fn check(isa: impl Isa, bits: u64, part: usize, new: [u64; CHUNK], old: [u64; CHUNK]) {
        let chosen: [bool; CHUNK] = each_lane(|lane| bits >> (part * CHUNK + lane) & 1 == 1);
        let expected: [u64; CHUNK] = each_lane(|lane| if chosen[lane] { new[lane] } else { old[lane] });
        assert_eq!(isa.blend_wides(bits, part, new, old), expected);
        let word = |wides: [u64; CHUNK]| wides.map(|wide| wide as u32);
        assert_eq!(isa.blend_words(bits, part, word(new), word(old)), word(expected));
        let signs = (0..CHUNK).fold(0, |signs, lane| signs | (u64::from(new[lane] as u32 >> 31) << lane));
        assert_eq!(isa.movemask(word(new)), signs);
        let row: [[u32; CHUNK]; CHUNKS_32] = std::array::from_fn(|part| {
            each_lane(|lane| 0_u32.wrapping_sub((bits >> (part * CHUNK + lane)) as u32 & 1))
        });
        assert_eq!(isa.movemask_32(row), u64::from(bits as u32));
        // One bit may be all that is set.
        for words in [word(new), [0; CHUNK], each_lane(|lane| u32::from(lane == part) << (bits % 32))] {
            assert_eq!(isa.are_zero(words), words == [0; CHUNK]);
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn check_avx2(bits: u64, part: usize, new: [u64; CHUNK], old: [u64; CHUNK]) {
        let isa = By(
            |words| avx2::movemask(words),
            |words| avx2::movemask_32(words),
            |words| avx2::are_zero(words),
            |bits, part, new, old| avx2::blend_words(bits, part, new, old),
            |bits, part, new, old| avx2::blend_wides(bits, part, new, old),
        );
        check(isa, bits, part, new, old);
    }

    #[multiversion::multiversion(targets("x86_64+avx2"))]
    fn check_best(bits: u64, part: usize, new: [u64; CHUNK], old: [u64; CHUNK]) {
        multiversion::target::match_target! {
            "x86_64+avx2" => check_avx2(bits, part, new, old),
            _ => check(Portable, bits, part, new, old),
        }
    }

    proptest! {
        #[test]
        fn instruction_sets_agree(bits: u64, part in 0..8_usize, new: [u64; CHUNK], old: [u64; CHUNK]) {
            check(Portable, bits, part, new, old);
            check_best(bits, part, new, old);
        }
    }
}
