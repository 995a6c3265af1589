//! A scan of a block by doubling, and sums of blocks.

use simt::prelude::*;

const N: usize = 256;

#[kernel]
fn hillis_steele(x: &[i32], out: &mut [i32]) {
    #[shared]
    let mut buf: [[i32; N]; 2];
    let t = thread_idx().x;
    let i = global_id();
    let mut cur = 0;
    buf[cur][t] = if i < x.len() { x[i] } else { 0 };
    sync_threads();
    let mut d = 1;
    while d < N {
        let v = buf[cur][t];
        buf[1 - cur][t] = if t >= d { v + buf[cur][t - d] } else { v };
        cur = 1 - cur;
        d <<= 1;
        sync_threads();
    }
    if i < out.len() {
        out[i] = buf[cur][t];
    }
}

#[device]
fn warp_scan<T: Num>(mut v: T) -> T {
    let mut d = 1;
    while d < 32 {
        let o = shuffle_up(v, d);
        if lane_id() >= d as usize {
            v += o;
        }
        d *= 2;
    }
    v
}

#[kernel]
fn shuffle_scan<T: Num>(x: &[T], out: &mut [T]) {
    #[shared]
    let mut sums: [T; 32];
    let i = global_id();
    let warp = warp_id();
    let lane = lane_id();
    let mut v = warp_scan(if i < x.len() { x[i] } else { T::default() });
    if lane == 31 {
        sums[warp] = v;
    }
    sync_threads();
    if warp == 0 {
        let n = block_dim().x / 32;
        let s = if lane < n { sums[lane] } else { T::default() };
        let s = warp_scan(s);
        if lane < n {
            sums[lane] = s;
        }
    }
    sync_threads();
    if warp > 0 {
        v += sums[warp - 1];
    }
    if i < out.len() {
        out[i] = v;
    }
}

fn want(x: &[i32]) -> Vec<i32> {
    x.chunks(N)
        .flat_map(|c| {
            c.iter()
                .scan(0, |s, v| {
                    *s += v;
                    Some(*s)
                })
                .collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn scans() {
    let x: Vec<i32> = (0..1000).map(|i| (i * 7919) % 101 - 50).collect();
    for_each_policy!(P => {
        let gpu = Gpu::<P>::default();
        let mut out = vec![0; x.len()];
        gpu.launch(Grid::covering(x.len(), N), hillis_steele(&x, &mut out)).unwrap();
        assert_eq!(out, want(&x));
        let mut out = vec![0; x.len()];
        gpu.launch(Grid::covering(x.len(), N), shuffle_scan(&x, &mut out)).unwrap();
        assert_eq!(out, want(&x));
    });
}
