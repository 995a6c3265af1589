//! A hash of a word.

/// The finalizer of SplitMix64: each bit of the word changes each bit of the result with probability one half. G. Steele,
/// D. Lea and C. Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014.
#[inline(always)]
pub(crate) fn mixed(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}
