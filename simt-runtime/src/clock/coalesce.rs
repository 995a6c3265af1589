//! Temporary: what a warp's addresses become.

use super::access::Transactions;

/// Rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Coalescing {
    /// 128 B.
    Lines128,
    /// 64 B.
    Lines64,
    /// 32 B.
    Sectors32,
}

pub(crate) fn coalesce(rule: Coalescing, addresses: &[u64], bytes: u32, out: &mut Transactions) {
    let size = match rule {
        Coalescing::Lines128 => 128u64,
        Coalescing::Lines64 => 64,
        Coalescing::Sectors32 => 32,
    };
    for &address in addresses {
        let first = address / size * size;
        if !out.iter().any(|&(known, _)| known == first) {
            out.push((first, size as u32));
        }
    }
    let _ = bytes;
}

pub(crate) fn bank_passes(addresses: &[u64], bytes: u32, banks: usize) -> u32 {
    let mut most = 1;
    let mut seen: smallvec::SmallVec<[u64; 64]> = smallvec::SmallVec::new();
    for &address in addresses {
        let word = address / 4;
        if !seen.contains(&word) {
            seen.push(word);
        }
    }
    for bank in 0..banks as u64 {
        most = most.max(seen.iter().filter(|&&word| word % banks as u64 == bank).count() as u32);
    }
    let _ = bytes;
    most
}
