//! Tiles of a warp, and what else `simt::warp` has for its lanes.

use simt::prelude::*;
use simt::warp;

const TILE: usize = 4;

#[kernel]
fn ranks<const N: usize>(out: &mut [u32]) {
    let tile = warp::tile::<N>();
    let o = 5 * global_id();
    out[o] = tile.thread_rank();
    out[o + 1] = tile.size();
    out[o + 2] = tile.meta_group_rank();
    out[o + 3] = tile.meta_group_size();
    out[o + 4] = tile.lanes().count_ones() + warp_width() as u32;
}

/// The machines whose warps have at least so many lanes.
fn with_width(least: usize, test: &mut dyn FnMut(&dyn crate::support::machine::Machine, usize)) {
    for_each_policy!(P => for width in [4, 8, 16, 32, 64] {
        if width >= least {
            test(&Gpu::<P>::default().with_warp_width(width), width);
        }
    });
}

fn ranks_of<const N: usize>() {
    with_width(N, &mut |gpu, width| {
        let mut out = [0; 5 * 80];
        gpu.launch(Grid::new(2, (20, 2)), ranks::<N>(&mut out)).unwrap();
        for (id, found) in out.chunks(5).enumerate() {
            let (thread, n) = (id % 40, N as u32);
            let expected = [(thread % N) as u32, n, (thread / N) as u32, 40_u32.div_ceil(n), n + width as u32];
            assert_eq!(found, expected, "thread {id}");
        }
    });
}

#[test]
fn a_lane_knows_its_place_in_its_tile() {
    ranks_of::<1>();
    ranks_of::<4>();
    ranks_of::<8>();
    ranks_of::<16>();
    ranks_of::<32>();
    ranks_of::<64>();
}

#[kernel]
fn shuffles<const N: usize>(x: &[i32], out: &mut [i32]) {
    let (i, tile) = (global_id(), warp::tile::<N>());
    let o = 6 * i;
    out[o] = tile.shuffle(x[i], N as u32);
    out[o + 1] = tile.shuffle_up(x[i], 1);
    out[o + 2] = tile.shuffle_down(x[i], 2);
    out[o + 3] = tile.sum(x[i]);
    out[o + 4] = tile.prefix_maximum(x[i]);
    out[o + 5] = tile.ballot(x[i] % 2 == 0) as i32;
}

#[kernel]
fn whole<const N: usize>(x: &[i32], out: &mut [i32]) {
    let (i, tile) = (global_id(), warp::tile::<N>());
    let o = 6 * i;
    out[o] = tile.shuffle_xor(x[i], 3);
    out[o + 1] = tile.product(x[i]);
    out[o + 2] = tile.minimum(x[i]);
    out[o + 3] = tile.xor(x[i]);
    out[o + 4] = tile.prefix_and(x[i]);
    out[o + 5] = tile.any(x[i] > 9) as i32 + 2 * tile.all(x[i] > 2) as i32;
}

fn numbers(count: i32) -> Vec<i32> {
    (0..count).map(|i| i * 7 % 11 - 2).collect()
}

/// Of each lane, from the values of its tile and its rank there.
fn expected(lanes: usize, x: &[i32], of: impl Fn(&[i32], usize) -> [i32; 6]) -> Vec<i32> {
    x.chunks(lanes).flat_map(|tile| (0..tile.len()).flat_map(|rank| of(tile, rank)).collect::<Vec<_>>()).collect()
}

fn lanes_exchange_values<const N: usize>() {
    // The last tile has two lanes, or six.
    let x = numbers(22);
    let expected = expected(N, &x, |tile, rank| {
        let down = if rank + 2 < tile.len() { rank + 2 } else { rank };
        let ballot = tile.iter().enumerate().map(|(lane, v)| i32::from(v % 2 == 0) << lane).sum();
        let maximum = tile[..=rank].iter().copied().max().unwrap_or(0);
        [tile[0], tile[rank.saturating_sub(1)], tile[down], tile.iter().sum(), maximum, ballot]
    });
    with_width(N, &mut |gpu, _| {
        let mut out = vec![0; 6 * 22];
        gpu.launch(Grid::new(1, 22), shuffles::<N>(&x, &mut out)).unwrap();
        assert_eq!(out, expected);
    });
}

#[test]
fn lanes_of_a_tile_exchange_values() {
    lanes_exchange_values::<4>();
    lanes_exchange_values::<8>();
    lanes_exchange_values::<16>();
    lanes_exchange_values::<32>();
}

fn lanes_reduce_values<const N: usize>() {
    let x = numbers(64);
    let expected = expected(N, &x, |tile, rank| {
        let least = tile.iter().copied().min().unwrap_or(0);
        let flags = i32::from(tile.iter().any(|&v| v > 9)) + 2 * i32::from(tile.iter().all(|&v| v > 2));
        let (xor, and) = (tile.iter().fold(0, |a, b| a ^ b), tile[..=rank].iter().fold(-1, |a, b| a & b));
        [tile[rank ^ 3], tile.iter().fold(1, |a, &b| b.wrapping_mul(a)), least, xor, and, flags]
    });
    with_width(N, &mut |gpu, _| {
        let mut out = vec![0; 6 * 64];
        gpu.launch(Grid::new(2, 32), whole::<N>(&x, &mut out)).unwrap();
        assert_eq!(out, expected);
    });
}

#[test]
fn lanes_of_a_tile_reduce_values() {
    lanes_reduce_values::<4>();
    lanes_reduce_values::<8>();
    lanes_reduce_values::<16>();
    lanes_reduce_values::<32>();
}

/// Tiles of a warp go ways of their own.
#[kernel]
fn apart(out: &mut [u32]) {
    let (i, tile) = (global_id(), warp::tile::<TILE>());
    let mut sum = 0;
    for _ in 0..tile.meta_group_rank() {
        sum = tile.sum(sum + 1);
        tile.sync();
    }
    if tile.meta_group_rank() % 2 == 1 {
        sum += tile.sum(i as u32);
    }
    out[i] = sum;
}

#[test]
fn tiles_of_a_warp_need_not_meet() {
    let expected: Vec<u32> = (0..32_u32)
        .map(|i| {
            let tile = i / 4;
            let loops = (0..tile).fold(0, |sum, _| 4 * (sum + 1));
            loops + if tile % 2 == 1 { 16 * tile + 6 } else { 0 }
        })
        .collect();
    with_width(TILE, &mut |gpu, _| {
        let mut out = [0; 32];
        gpu.launch(Grid::new(1, 32), apart(&mut out)).unwrap();
        assert_eq!(&out[..], &expected[..]);
    });
}

#[test]
fn a_tile_is_not_larger_than_a_warp() {
    let mut out = [0; 5 * 32];
    let gpu = Gpu::<Ipdom>::default().with_warp_width(8);
    let text = gpu.launch(Grid::new(1, 32), ranks::<16>(&mut out)).unwrap_err().to_string();
    assert!(text.starts_with("error[simt::panic]: a tile of 16 lanes is larger than a warp, which has 8"), "{text}");
    let text = gpu.launch(Grid::new(1, 32), ranks::<3>(&mut out)).unwrap_err().to_string();
    assert!(text.starts_with("error[simt::panic]: a tile has 1, 2, 4, 8, 16, 32 or 64 lanes, not 3"), "{text}");
}

#[kernel]
fn matches(x: &[u32], y: &[f32], out: &mut [u64]) {
    let (i, o) = (global_id(), 4 * global_id());
    out[o] = warp::match_any(x[i]);
    out[o + 1] = warp::match_any(y[i]);
    out[o + 2] = warp::match_all(x[i] / 8) as u64 + 2 * warp::match_all(x[i]) as u64;
    out[o + 3] = (warp::and(x[i] | 4) * 10_000 + warp::or(x[i]) * 100 + warp::xor(x[i])) as u64;
}

#[test]
fn lanes_with_equal_values_are_found() {
    let (x, y) = ([1, 2, 1, 3, 2, 1, 7], [0.0, -0.0, f32::NAN, 1.0, 1.0, 2.0, f32::NAN]);
    let of_x = [0b10_0101, 0b1_0010, 0b10_0101, 0b1000, 0b1_0010, 0b10_0101, 0b100_0000];
    let of_y = [0b11, 0b11, 0, 0b1_1000, 0b1_1000, 0b10_0000, 0];
    with_width(8, &mut |gpu, _| {
        let mut out = [0; 4 * 7];
        gpu.launch(Grid::new(1, 7), matches(&x, &y, &mut out)).unwrap();
        for lane in 0..7 {
            let xor = x.iter().fold(0, |a, b| a ^ b);
            assert_eq!(&out[4 * lane..][..4], [of_x[lane], of_y[lane], 1, 40_700 + u64::from(xor)], "lane {lane}");
        }
    });
}
