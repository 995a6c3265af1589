//! Barriers, shared memory, atomics, operations of a warp, local arrays and recursion, on all machines under all policies.

use crate::machine::machines;
use simt::prelude::*;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

#[kernel]
fn reduced(x: &[u32], sums: &mut [u32]) {
    #[shared]
    let mut tile: [u32; 64];
    let t = thread_idx().x;
    tile[t] = x[global_id()];
    sync_threads();
    let mut step = 32;
    while step > 0 {
        if t < step {
            tile[t] += tile[t + step];
        }
        sync_threads();
        step /= 2;
    }
    if t == 0 {
        sums[block_idx().x] = tile[0];
    }
}

#[kernel]
fn histogram(x: &[u32], bins: &[AtomicU32]) {
    #[shared]
    let local: [AtomicU32; 8];
    let t = thread_idx().x;
    if t < local.len() {
        local[t].store(0, Relaxed);
    }
    sync_threads();
    local[x[global_id()] as usize % 8].fetch_add(1, Relaxed);
    sync_threads();
    if t < 8 {
        let count = local[t].load(Relaxed);
        bins[t].fetch_add(count, Relaxed);
    }
}

#[kernel]
fn voted(x: &[u32], out: &mut [u64]) {
    let i = global_id();
    let above = ballot(x[i] > 40);
    out[i] = above + shuffle_xor(x[i], 1) as u64;
}

/// Some return after others of their warp have come to the vote, which waits for them until then.
#[kernel]
fn left(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    if x[i] % 7 == 0 {
        for left in (0..20).rev() {
            out[i] = left;
        }
        return;
    }
    let all = all(x[i] % 7 > 0);
    out[i] = sync_threads_count(all);
}

#[kernel]
fn sorted(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    let mut a = [x[i] % 7, x[i] % 5, x[i] % 11, x[i] % 3];
    for j in 1..a.len() {
        let mut k = j;
        while k > 0 && a[k - 1] > a[k] {
            let larger = a[k - 1];
            a[k - 1] = a[k];
            a[k] = larger;
            k -= 1;
        }
    }
    out[i] = a[0] * 1000 + a[1] * 100 + a[2] * 10 + a[3];
}

#[device]
fn fibonacci(n: u32) -> u32 {
    if n < 2 { n } else { fibonacci(n - 1) + fibonacci(n - 2) }
}

#[kernel]
fn recursive(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    out[i] = fibonacci(x[i] % 8);
}

#[kernel]
fn printing(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    if x[i] % 9 == 0 {
        println!("{} has {}", i, x[i]);
    }
    out[i] = x[i] + 1;
}

const BLOCKS: usize = 5;
const THREADS: usize = 64;

fn input() -> Vec<u32> {
    (0..(BLOCKS * THREADS) as u32).map(|i| i * i % 83).collect()
}

/// Runs a kernel on all machines under all policies, and compares what it gives with what it gives without a clock.
macro_rules! everywhere {
    ($name:ident: |$gpu:ident, $x:ident| $run:expr) => {
        #[test]
        fn $name() {
            let $x = input();
            let expected = {
                let $gpu = Gpu::<Ipdom>::default();
                $run
            };
            for (name, config) in machines() {
                for_each_policy!(P => {
                    let $gpu = Gpu::<P>::new(config.clone());
                    let (report, got): (Report, _) = $run;
                    let place = || format!("{name} under {}", report.policy());
                    assert_eq!(got, expected.1, "{}", place());
                    assert_eq!(report.prints(), expected.0.prints(), "{}", place());
                    assert_eq!(report.thread_instructions(), expected.0.thread_instructions(), "{}", place());
                    crate::accounts::check(&report, &config, &place);
                });
            }
        }
    };
}

fn grid() -> Grid {
    Grid::new(BLOCKS, THREADS)
}

fn launched(report: Result<Report, LaunchError>) -> Report {
    report.unwrap_or_else(|error| panic!("{error}"))
}

everywhere!(barriers_and_shared_memory: |gpu, x| {
    let mut sums = vec![0; BLOCKS];
    let report = launched(gpu.launch(grid(), reduced(&x, &mut sums)));
    let host: Vec<u32> = x.chunks(THREADS).map(|block| block.iter().sum()).collect();
    assert_eq!(sums, host);
    (report, sums)
});

everywhere!(atomics: |gpu, x| {
    let bins: Vec<AtomicU32> = (0..8).map(|_| AtomicU32::new(0)).collect();
    let report = launched(gpu.launch(grid(), histogram(&x, &bins)));
    let counts: Vec<u32> = bins.iter().map(|bin| bin.load(Relaxed)).collect();
    let host: Vec<u32> = (0..8).map(|bin| x.iter().filter(|&&v| v % 8 == bin).count() as u32).collect();
    assert_eq!(counts, host);
    (report, counts)
});

everywhere!(operations_of_a_warp: |gpu, x| {
    let mut out = vec![0; x.len()];
    let report = launched(gpu.launch(grid(), voted(&x, &mut out)));
    (report, out)
});

everywhere!(votes_without_those_that_return: |gpu, x| {
    let mut out = vec![0; x.len()];
    let report = launched(gpu.launch(grid(), left(&x, &mut out)));
    let stays = |v: &u32| !v.is_multiple_of(7);
    let host = x.chunks(THREADS).flat_map(|block| {
        let count = block.iter().filter(|v| stays(v)).count() as u32;
        block.iter().map(move |v| if stays(v) { count } else { 0 })
    });
    assert_eq!(out, host.collect::<Vec<u32>>());
    (report, out)
});

everywhere!(local_arrays: |gpu, x| {
    let mut out = vec![0; x.len()];
    let report = launched(gpu.launch(grid(), sorted(&x, &mut out)));
    (report, out)
});

everywhere!(recursion: |gpu, x| {
    let mut out = vec![0; x.len()];
    let report = launched(gpu.launch(grid(), recursive(&x, &mut out)));
    (report, out)
});

everywhere!(prints: |gpu, x| {
    let mut out = vec![0; x.len()];
    let report = launched(gpu.launch(grid(), printing(&x, &mut out)));
    (report, out)
});
