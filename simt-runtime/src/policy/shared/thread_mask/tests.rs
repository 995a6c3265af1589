//! Sets of threads are sets, whatever the width of warps.

use super::*;
use std::collections::BTreeSet;

/// Parts of many warps, some without lanes.
fn parts(width: usize, seed: u64) -> Vec<WarpPart> {
    let lanes = |warp: u64| (seed ^ warp).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (warp % 7) & LaneMask::first(width).0;
    (0..1024 / width).map(|warp| WarpPart { warp, lanes: LaneMask(lanes(warp as u64)) }).collect()
}

fn threads(parts: impl Iterator<Item = WarpPart>) -> BTreeSet<(usize, usize)> {
    parts.flat_map(|part| part.lanes.lanes().map(move |lane| (part.warp, lane)).collect::<Vec<_>>()).collect()
}

#[test]
fn it_is_a_set_whatever_the_width_of_warps() {
    for width in [4, 8, 16, 32, 64] {
        let [one, other] = [3, 77].map(|seed| parts(width, seed));
        let mask = |parts: &[WarpPart]| {
            let mut mask = ThreadMask::empty(1024 / width, width);
            parts.iter().for_each(|&part| mask.insert(part));
            mask
        };
        let (mut union, mut difference) = (mask(&one), mask(&one));
        union |= &mask(&other);
        difference -= &mask(&other);
        let mut both = mask(&one);
        both &= &mask(&other);
        let [one, other] = [one, other].map(|parts| threads(parts.into_iter()));
        assert_eq!(threads(union.parts()), &one | &other);
        assert_eq!(threads(difference.parts()), &one - &other);
        assert_eq!(threads(both.parts()), &one & &other);
        assert_eq!(union.count(), (&one | &other).len());
        assert!(union.parts().map(|part| part.warp).is_sorted_by(|a, b| a < b));
        let lanes = |set: &BTreeSet<(usize, usize)>| {
            set.iter().fold(LaneMask::EMPTY, |all, &(_, lane)| all | LaneMask::lane(lane))
        };
        assert_eq!(difference.lanes(), lanes(&(&one - &other)));
        for warp in 0..1024 / width {
            assert_eq!(mask(&[WarpPart { warp, lanes: LaneMask(0b110) }]).lanes(), LaneMask(0b110));
            let of_warp = one.iter().copied().filter(|&(of, _)| of == warp).collect();
            assert_eq!(mask(&parts(width, 3)).of_warp(warp), lanes(&of_warp));
        }
        let (mut left, mut firsts, mut seen) = (union.clone(), Vec::new(), BTreeSet::new());
        while !left.is_empty() {
            let mut first = left.without_threads();
            left.give_first_of_lanes(&mut first);
            firsts.push(threads(first.parts()));
        }
        for (place, first) in firsts.iter().enumerate() {
            let of_lane = |lane| (&one | &other).into_iter().filter(move |&(_, of)| of == lane);
            assert_eq!(first, &(0..width).filter_map(|lane| of_lane(lane).nth(place)).collect());
            seen.extend(first);
        }
        assert_eq!(seen, &one | &other);
        union.clear();
        assert!(union.is_empty() && !difference.is_empty());
    }
}

/// The result has no meaning, but is a set.
#[test]
fn sets_of_different_blocks_are_combined_without_a_panic() {
    let (mut small, mut large) = (ThreadMask::empty(2, 4), ThreadMask::empty(16, 64));
    large.insert(WarpPart { warp: 15, lanes: LaneMask(1 << 63) });
    small |= &large;
    small -= &large;
    large &= &small;
    assert!(small.is_empty() && large.is_empty());
}

#[test]
fn there_is_room_for_the_warps_of_the_block() {
    for (warps, outside) in [(2, 4), (5, 16), (16, 16), (usize::MAX, 16)] {
        let mut threads = ThreadMask::empty(warps, 64);
        threads.insert(WarpPart { warp: outside, lanes: LaneMask(1) });
        assert!(threads.is_empty() && threads.of_warp(outside).is_empty());
    }
    let mut threads = ThreadMask::empty(2, 64);
    threads.insert(WarpPart { warp: 1, lanes: LaneMask(1 << 63) });
    assert_eq!(format!("{threads:?}"), format!("{{{:?}}}", WarpPart { warp: 1, lanes: LaneMask(1 << 63) }));
}
