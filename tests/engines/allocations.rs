//! Nothing is allocated per issue: a launch that issues four times as much allocates as often. And of a slice a launch keeps what
//! it overwrites.

use simt::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The number of allocations that a launch that issues four times as much may add: something may grow once more. Less than
/// one in two hundred issues.
const SLACK: u64 = 30;
/// A block that has done 2^15 units of work is copied to see whether it repeats itself, and again when it has done four
/// times as much: so the longer launch has one such search more, which may allocate so much.
const FIRST_LOOK: u64 = 1 << 15;
const LOOK: u64 = 256;
/// Eight warps, so that what is regrouped comes from many.
const THREADS: usize = 256;

#[kernel]
fn collatz(x: &mut [u32], iterations: u32) {
    let i = global_id();
    let mut n = i as u32 + 1;
    for _ in 0..iterations {
        n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
        x[i] += n & 1;
    }
}

/// Lanes part in every iteration, and leave the inner loop at different times.
#[kernel]
fn divergent(x: &mut [u32], iterations: u32) {
    let i = global_id();
    for k in 0..iterations {
        let mut left = (i as u32 * 7 + k) % 8;
        while left > 0 {
            left -= 1;
            if left == k % 5 {
                break;
            }
            if (left + i as u32) % 3 == 0 {
                continue;
            }
            x[i] += left;
        }
        match (i as u32 + k) % 4 {
            0 => x[i] += 1,
            1 => x[i] ^= k,
            2 => x[i] = x[i].rotate_left(3),
            _ => {}
        }
    }
}

/// Lanes wait for each other, and warps.
#[kernel]
fn meeting(x: &mut [u32], iterations: u32) {
    let i = global_id();
    for k in 0..iterations {
        if (i as u32 + k) % 3 == 0 {
            x[i] += 1;
        }
        if ballot((i as u32 + k) % 2 == 0) != 0 {
            x[i] += k;
        }
        sync_warp();
        sync_threads();
    }
}

#[device]
fn steps(n: u32, k: u32) -> u32 {
    if n % 2 == 0 {
        return n / 2 + k;
    }
    3 * n + 1
}

#[kernel]
fn calling(x: &mut [u32], iterations: u32, sum: &[AtomicU32]) {
    let i = global_id();
    for k in 0..iterations {
        if (i as u32 + k) % 3 != 0 {
            x[i] = steps(x[i] & 0xffff, k);
        }
        sum[0].fetch_add(1, Relaxed);
    }
}

/// How often a launch allocates, and how much it issues.
fn counted(launch: impl FnOnce() -> Report) -> (u64, u64) {
    let mut issues = 0;
    let allocations = allocation_counter::measure(|| issues = launch().issues());
    (allocations.count_total, issues)
}

/// The problem of a policy, if it allocates more where it issues more. `launch` is given the number of iterations.
fn grows(policy: &str, few: u32, launch: impl Fn(u32) -> (u64, u64)) -> Option<String> {
    // The kernel is built and planned when it is launched first.
    launch(1);
    let ((few, less), (many, more)) = (launch(few), launch(4 * few));
    assert!((more - less) / 200 > SLACK, "{policy}: {less} issues, then {more}: too few to see what is allocated");
    let allowed = few + SLACK + if more < FIRST_LOOK { 0 } else { LOOK };
    (many > allowed).then(|| format!("{policy}: {few} allocations in {less} issues, {many} in {more}"))
}

macro_rules! allocates_nothing_per_issue {
    ($($test:ident: $kernel:ident($few:literal $(, $argument:expr)?);)*) => {
        $(
            #[test]
            fn $test() {
                let mut broken = Vec::new();
                for_each_policy!(P => {
                    let gpu = Gpu::<P>::default().with_checks(Checks::none());
                    broken.extend(grows(P::name(), $few, |iterations| {
                        let mut x = vec![0; THREADS];
                        counted(|| {
                            let call = $kernel(&mut x, iterations $(, $argument)?);
                            gpu.launch(Grid::new(1, THREADS), call).expect("the launch succeeds")
                        })
                    }));
                });
                assert!(broken.is_empty(), "{}", broken.join("\n"));
            }
        )*
    };
}

/// A few threads write here and there.
#[kernel]
fn sparse(x: &mut [u32], apart: usize) {
    let i = global_id() * apart;
    x[i] = x[(i + 1) % x.len()] + 1;
}

#[test]
fn a_launch_keeps_the_pages_that_it_writes() {
    const WRITES: usize = 64;
    let mut x = vec![1; 1 << 22];
    let apart = x.len() / WRITES;
    let mut used = || {
        let gpu = Gpu::<MinPc>::default();
        allocation_counter::measure(|| {
            gpu.launch(Grid::new(1, WRITES), sparse(&mut x, apart)).expect("the launch succeeds");
        })
    };
    used();
    let used = used().bytes_max;
    // A page is 4 KiB, and their vector may have twice the room.
    assert!(used < 2 * (WRITES as u64) * 4096 + 100_000, "{used} bytes");
    let writes = |at: usize| u32::from(at.is_multiple_of(apart));
    assert!(x.iter().enumerate().all(|(at, &x)| x == 1 + writes(at)));
}

static SUM: [AtomicU32; 1] = [AtomicU32::new(0)];

// With the iterations of the short launch. The long one ends, under most policies, before its block has done 2^15 units of
// work, at which copies are made to see whether it repeats itself.
allocates_nothing_per_issue! {
    loops_that_end_at_different_times: collatz(19);
    branches_and_jumps: divergent(4);
    collectives_and_barriers: meeting(38);
    calls_and_atomics: calling(16, &SUM);
}
