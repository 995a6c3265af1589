//! The number of times that banked memories are accessed for one warp.

use smallvec::SmallVec;

use super::buckets::Buckets;
use super::coalescing::{Transaction, lanes};

/// The largest number of banks.
const BANKS: usize = 64;

/// The passes that shared memory takes for the accesses of the `active` lanes, each of `bytes` at its address.
///
/// Successive words of 4 bytes lie in successive banks. In a pass each bank gives one word, to all lanes that want it:
/// lanes conflict only if they want different words of one bank (Habermaier 2011, section 2.3.2). Accesses of 8 bytes are
/// made by half-warps: 32 lanes that read successive doubles take 2 passes (ibid.); of 16 bytes, by quarters (**Assumed**:
/// CUDA C Programming Guide, version 3.2, G.4.3). With 16 banks a warp of 32 goes by halves, those of compute capability 1.x
/// (G.3.3), here with multicast.
///
/// `banks` is a power of two, at most 64. No active lanes take no pass.
pub(crate) fn shared_passes(banks: u32, addresses: &[u64], active: u64, bytes: u32) -> u32 {
    let banks = banks.clamp(1, BANKS as u32);
    let bytes = bytes.max(1);
    let group = (banks * 4 / bytes.max(4)).clamp(1, 64);
    let mask = if group == 64 { u64::MAX } else { (1 << group) - 1 };
    let mut rest = active;
    let mut passes = 0;
    while rest != 0 {
        let first = rest.trailing_zeros() / group * group;
        let lanes = rest & (mask << first);
        passes += group_passes(banks, addresses, lanes, bytes);
        rest &= !lanes;
    }
    passes
}

/// The largest number of words that one bank has to give to a group of lanes.
fn group_passes(banks: u32, addresses: &[u64], active: u64, bytes: u32) -> u32 {
    let mut counts = [0u32; BANKS];
    let mut words: SmallVec<[u64; 64]> = SmallVec::new();
    let mut most = 0;
    for (_, address) in lanes(addresses, active) {
        let last = address.saturating_add(u64::from(bytes) - 1) / 4;
        for word in address / 4..=last {
            let count = &mut counts[(word % u64::from(banks)) as usize];
            if *count == 0 || !words.contains(&word) {
                words.push(word);
                *count += 1;
                most = most.max(*count);
            }
        }
    }
    most
}

/// The passes that a constant cache takes: it gives one address at a time to all lanes that want it, so there are as many
/// as different addresses. **Assumed**: CUDA C Programming Guide, version 3.2, section 5.3.2.4.
pub(crate) fn constant_passes(addresses: &[u64], active: u64) -> u32 {
    let mut seen: SmallVec<[u64; 64]> = SmallVec::new();
    for (_, address) in lanes(addresses, active) {
        if !seen.contains(&address) {
            seen.push(address);
        }
    }
    seen.len() as u32
}

/// The passes that a data cache of `banks` banks takes for the transactions of a warp: accesses "to different lines in the
/// same bank" are made one after the other (TACO'09, section 6.5). Successive lines lie in successive banks (**Assumed**), and
/// so do successive sectors, if lines have some (`-gpgpu_l1_banks 4` of GPGPU-Sim's configurations of Volta and later).
pub(crate) fn data_cache_passes(banks: u32, sector: u32, transactions: &[Transaction]) -> u32 {
    let banks = banks.clamp(1, BANKS as u32);
    let mut counts = [0u32; BANKS];
    let (mut seen, mut known): (SmallVec<[u64; 64]>, _) = (SmallVec::new(), Buckets::new());
    let mut most = 0;
    let size = u64::from(sector.max(1));
    for transaction in transactions {
        let last = (transaction.address + u64::from(transaction.bytes.max(1)) - 1) / size;
        for sector in transaction.address / size..=last {
            let count = &mut counts[(sector % u64::from(banks)) as usize];
            if *count == 0 || !known.of(sector).any(|place| seen[place] == sector) {
                seen.push(sector);
                known.push(sector);
                *count += 1;
                most = most.max(*count);
            }
        }
    }
    most
}
