//! Transactions and passes: worked by hand, and against counting byte by byte.

use std::collections::{BTreeMap, BTreeSet};

use proptest::collection::vec;
use proptest::prelude::*;

use super::super::{Coalescing, Transaction, constant_passes, data_cache_passes, shared_passes};

const ALL: u64 = 0xffff_ffff;
const LINES: Coalescing = Coalescing::Lines { line: 128 };
const SECTORS: Coalescing = Coalescing::Sectors { sector: 32, line: 128 };

fn stride(bytes: u64, from: u64) -> Vec<u64> {
    (0..32).map(|lane| from + lane * bytes).collect()
}

/// First byte and size of each transaction.
fn places(rule: Coalescing, addresses: &[u64], active: u64, bytes: u32) -> Vec<(u64, u32)> {
    let mut out = Vec::new();
    rule.transactions(addresses, active, bytes, &mut out);
    out.iter().map(|found| (found.address, found.bytes)).collect()
}

#[test]
fn a_warp_of_neighbours_takes_one_line_or_four_sectors_in_a_row() {
    assert_eq!(places(LINES, &stride(4, 256), ALL, 4), [(256, 128)]);
    assert_eq!(places(SECTORS, &stride(4, 256), ALL, 4), [(256, 128)]);
    // Not aligned: a line more; with sectors, only the one that is needed.
    assert_eq!(places(LINES, &stride(4, 260), ALL, 4), [(256, 128), (384, 128)]);
    assert_eq!(places(SECTORS, &stride(4, 260), ALL, 4), [(256, 128), (384, 32)]);
    // Doubles: two half-warps of a line each.
    assert_eq!(places(LINES, &stride(8, 0), ALL, 8), [(0, 128), (128, 128)]);
    // All lanes at one address: one transaction; no lanes: none.
    assert_eq!(places(LINES, &[4; 32], ALL, 4), [(0, 128)]);
    assert_eq!(places(SECTORS, &[4; 32], 0, 4), []);
    // Two sectors that are no neighbours are two runs.
    assert_eq!(places(SECTORS, &[0, 96], 0b11, 4), [(0, 32), (96, 32)]);
    assert_eq!(places(SECTORS, &[0, 64, 32], 0b111, 4), [(0, 96)]);
    // Neighbours across the end of a line are not joined.
    assert_eq!(places(SECTORS, &[96, 128], 0b11, 4), [(96, 32), (128, 32)]);
    assert_eq!(places(Coalescing::PerThread, &[8, 8], 0b11, 4), [(8, 4), (8, 4)]);
}

/// The cases of the CUDA C Programming Guide's figure of coalesced accesses for compute capability 1.2.
#[test]
fn segments_shrink_to_what_is_used() {
    let rule = Coalescing::Segments;
    // 16 floats, aligned: one of 64 bytes for each half-warp.
    assert_eq!(places(rule, &stride(4, 128), ALL, 4), [(128, 64), (192, 64)]);
    // From 160: lanes 0 to 15 need 160..224, which is in neither half of 128 alone.
    assert_eq!(places(rule, &stride(4, 160), 0xffff, 4), [(128, 128)]);
    // Across the end of a segment: one of 32 bytes in each.
    assert_eq!(places(rule, &stride(4, 224), 0xffff, 4), [(224, 32), (256, 32)]);
    // Bytes: segments of 32.
    assert_eq!(places(rule, &stride(1, 0), ALL, 1), [(0, 32), (0, 32)]);
    assert_eq!(places(rule, &stride(128, 0), 0b11, 4), [(0, 32), (128, 32)]);
}

#[test]
fn strides_reveal_each_degree_of_conflict_in_shared_memory() {
    for (words, passes) in [(0, 1), (1, 1), (2, 2), (3, 1), (4, 4), (8, 8), (16, 16), (17, 1), (32, 32), (33, 1)] {
        assert_eq!(shared_passes(32, &stride(4 * words, 0), ALL, 4), passes, "stride of {words} words");
    }
    // Habermaier 2011, section 2.3.2: successive doubles take two accesses; floats take one.
    assert_eq!(shared_passes(32, &stride(8, 0), ALL, 8), 2);
    assert_eq!(shared_passes(32, &stride(16, 0), ALL, 16), 4);
    // A word for all, or some words for some each: multicast.
    assert_eq!(shared_passes(32, &[64; 32], ALL, 4), 1);
    let pairs: Vec<u64> = (0..32).map(|lane| lane / 2 * 4).collect();
    assert_eq!(shared_passes(32, &pairs, ALL, 4), 1);
    // Bytes of one word.
    assert_eq!(shared_passes(32, &stride(1, 0), ALL, 1), 1);
    // 16 banks: by half-warps.
    assert_eq!(shared_passes(16, &stride(4, 0), ALL, 4), 2);
    assert_eq!(shared_passes(16, &stride(8, 0), 0xffff, 4), 2);
    assert_eq!(shared_passes(32, &[], ALL, 4), 0);
    // A half-warp without lanes takes no pass.
    assert_eq!(shared_passes(32, &stride(8, 0), 0xffff_0000, 8), 1);
}

#[test]
fn a_constant_is_given_to_all_at_once() {
    assert_eq!(constant_passes(&[40; 32], ALL), 1);
    assert_eq!(constant_passes(&stride(4, 0), ALL), 32);
    assert_eq!(constant_passes(&stride(4, 0), 0b101), 2);
}

/// TACO'09, section 6.5, with Table I's 16 banks.
#[test]
fn only_different_lines_of_one_bank_conflict_in_the_data_cache() {
    let passes = |addresses: &[u64]| {
        let mut out = Vec::new();
        Coalescing::Lines { line: 64 }.transactions(addresses, ALL, 4, &mut out);
        data_cache_passes(16, 64, &out)
    };
    assert_eq!(passes(&stride(4, 0)), 1);
    // 32 lines in 16 banks.
    assert_eq!(passes(&stride(64, 0)), 2);
    // 32 lines in one.
    assert_eq!(passes(&stride(64 * 16, 0)), 32);
    assert_eq!(passes(&[0; 32]), 1);
}

/// The bytes of the active lanes, and which lanes want each.
fn wanted(addresses: &[u64], active: u64, bytes: u32) -> BTreeMap<u64, u64> {
    let mut wanted = BTreeMap::new();
    for (lane, &address) in addresses.iter().enumerate().filter(|(lane, _)| active >> lane & 1 == 1) {
        for byte in address..address + u64::from(bytes) {
            *wanted.entry(byte).or_default() |= 1 << lane;
        }
    }
    wanted
}

/// Any lanes of a warp of 64, or one.
fn active() -> impl Strategy<Value = u64> {
    prop_oneof![any::<u64>(), (0..64_u32).prop_map(|lane| 1 << lane)]
}

fn accesses() -> impl Strategy<Value = (Vec<u64>, u64, u32)> {
    let addresses = prop_oneof![vec(0u64..1024, 32), vec(0u64..1 << 20, 32), vec(0u64..1024, 64)];
    let bytes = prop_oneof![Just(1u32), Just(2), Just(4), Just(8), Just(16)];
    (addresses, active(), bytes).prop_map(|(addresses, active, bytes)| {
        let active = if addresses.len() == 64 { active } else { active & ALL };
        // As kernels make them: aligned.
        (addresses.iter().map(|address| address * u64::from(bytes)).collect(), active, bytes)
    })
}

proptest! {
    /// Transactions hold all bytes that are wanted, and for each lane those that it wants; none is useless.
    #[test]
    fn transactions_hold_what_is_wanted(
        (addresses, active, bytes) in accesses(),
        rule in prop_oneof![Just(LINES), Just(SECTORS), Just(Coalescing::Segments), Just(Coalescing::PerThread)],
    ) {
        let mut out = Vec::new();
        rule.transactions(&addresses, active, bytes, &mut out);
        let wanted = wanted(&addresses, active, bytes);
        let inside = |found: &Transaction| found.address..found.address + u64::from(found.bytes);
        for (&byte, &lanes) in &wanted {
            let holders = out.iter().filter(|found| inside(found).contains(&byte));
            prop_assert_eq!(holders.fold(0, |all, found| all | found.lanes) & lanes, lanes, "byte {}", byte);
        }
        for found in &out {
            let users = wanted.range(inside(found)).fold(0, |all, (_, lanes)| all | lanes);
            prop_assert_eq!(users & found.lanes, found.lanes);
            prop_assert!(found.lanes != 0);
            let unit = if rule == LINES { 128 } else { 32 };
            prop_assert!(rule == Coalescing::PerThread || u64::from(found.bytes) % unit == 0);
            prop_assert!(rule == Coalescing::PerThread || found.address / 128 == (inside(found).end - 1) / 128);
        }
        let lowest: Vec<u32> = out.iter().map(|found| found.lanes.trailing_zeros()).collect();
        prop_assert!(rule == SECTORS || lowest.is_sorted());
    }

    /// A lone lane has the transactions that two lanes at its address have, wherever its bytes begin and end.
    #[test]
    fn a_lone_lane_needs_what_two_at_its_address_need(
        address in prop_oneof![0u64..1024, (u64::MAX - 64)..=u64::MAX],
        bytes in 0u32..=64,
        lane in 0..32_usize,
        rule in prop_oneof![Just(LINES), Just(SECTORS)],
    ) {
        let transactions = |active| {
            let mut out = Vec::new();
            rule.transactions(&[address; 32], active, bytes, &mut out);
            out
        };
        // Lanes 0 and 1 are in one request of the warp, of so many bytes a lane.
        let (lone, two) = (transactions(1 << lane), transactions(0b11));
        let places = |all: &[Transaction]| all.iter().map(|found| (found.address, found.bytes)).collect::<Vec<_>>();
        prop_assert_eq!(places(&lone), places(&two));
        prop_assert!(lone.iter().all(|found| found.lanes == 1 << lane));
    }

    /// Of accesses of 4 bytes a warp of 32 makes one transaction a line, and one byte in each sector.
    #[test]
    fn each_line_and_each_sector_is_asked_for_once(addresses in vec(0u64..4096, 32), active in active()) {
        let addresses: Vec<u64> = addresses.iter().map(|address| address * 4).collect();
        let active = active & ALL;
        let wanted = wanted(&addresses, active, 4);
        let units = |unit: u64| wanted.keys().map(|byte| byte / unit).collect::<BTreeSet<u64>>();
        prop_assert_eq!(places(LINES, &addresses, active, 4).len(), units(128).len());
        let runs = places(SECTORS, &addresses, active, 4);
        prop_assert_eq!(runs.iter().map(|run| run.1).sum::<u32>() as usize, 32 * units(32).len());
        let starts = units(32).into_iter().filter(|sector| sector % 4 == 0 || !units(32).contains(&(sector - 1)));
        prop_assert_eq!(runs.len(), starts.count());
    }

    /// Passes are the most words of a bank, group by group.
    #[test]
    fn passes_are_what_counting_gives(
        (addresses, active, bytes) in accesses(),
        banks in prop_oneof![Just(16u32), Just(32)],
    ) {
        let group = (banks * 4 / bytes.max(4)) as usize;
        let mut passes = 0;
        for from in (0..addresses.len()).step_by(group) {
            let lanes = (from..(from + group).min(addresses.len())).filter(|lane| active >> lane & 1 == 1);
            let mask = lanes.fold(0u64, |mask, lane| mask | 1 << lane);
            let words: BTreeSet<u64> = wanted(&addresses, mask, bytes).keys().map(|byte| byte / 4).collect();
            let of = |bank: u32| words.iter().filter(|&word| word % u64::from(banks) == u64::from(bank)).count() as u32;
            passes += (0..banks).map(of).max().unwrap_or(0);
        }
        prop_assert_eq!(shared_passes(banks, &addresses, active, bytes), passes);
    }
}
