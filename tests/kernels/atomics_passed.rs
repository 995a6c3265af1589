//! Atomics passed to device functions, and atomics by other names: what they are is a matter of their type.

use simt::error::LivelockProof;
use simt::language::Atomic;
use simt::prelude::*;
use std::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicI64, AtomicIsize, AtomicU32, AtomicU64, AtomicUsize};
use std::sync::atomic::{AtomicU32 as Counter, AtomicU32 as A};

type Flag = AtomicBool;

fn counters<const N: usize>() -> [AtomicU32; N] {
    [const { AtomicU32::new(0) }; N]
}

fn values(counters: &[AtomicU32]) -> Vec<u32> {
    counters.iter().map(|counter| counter.load(Relaxed)).collect()
}

/// A device function for each integer atomic, which adds, and the kernel that calls them all.
macro_rules! adders {
    ($($add:ident $name:ident: $atomic:ident;)*) => {
        $(#[device] fn $add(x: &[$atomic], i: usize) { x[i].fetch_add(3, Relaxed); })*

        #[device]
        fn set(x: &[AtomicBool], i: usize) -> bool {
            x[i].swap(true, AcqRel)
        }

        #[kernel]
        fn add_all(bools: &[AtomicBool], $($name: &[$atomic]),*) {
            $(
                #[shared]
                let local: [$atomic; 2];
                if thread_idx().x == 0 {
                    local[1].store(0, Relaxed);
                }
                sync_threads();
                $add($name, 1);
                $add(&local, 1);
                sync_threads();
                if thread_idx().x == 0 {
                    let sum = local[1].load(Relaxed);
                    $name[0].fetch_add(sum, Relaxed);
                }
            )*
            if set(bools, 0) {
                set(&bools, 1);
            }
        }

        #[test]
        fn each_atomic_type_is_passed_from_slices_and_shared_arrays() {
            everywhere!(|gpu| {
                let bools = [const { AtomicBool::new(false) }; 2];
                $(let $name = [const { $atomic::new(0) }; 2];)*
                gpu.launch(Grid::new(2, 20), add_all(&bools, $(&$name),*)).expect("a launch");
                assert_eq!(bools.map(AtomicBool::into_inner), [true, true]);
                $(assert_eq!($name.map($atomic::into_inner), [120, 120]);)*
            });
        }
    };
}
adders! {
    add_u32 u32s: AtomicU32;
    add_i32 i32s: AtomicI32;
    add_u64 u64s: AtomicU64;
    add_i64 i64s: AtomicI64;
    add_usize usizes: AtomicUsize;
    add_isize isizes: AtomicIsize;
}

/// Adds to both, which may be one.
#[device]
fn add_both(a: &[AtomicU32], b: &[AtomicU32], i: usize) {
    a[i].fetch_add(1, Relaxed);
    b[i].fetch_add(10, Relaxed);
}

/// Passes its atomics on, to itself and to others.
#[device]
fn down(x: &[AtomicU32], depth: usize) {
    if depth > 0 {
        down(x, depth - 1);
        add_both(x, x, depth % 4);
        for i in 0..depth {
            add_both(x, x, i % 2);
        }
    }
}

#[kernel]
fn nested(x: &[AtomicU32], y: &[AtomicU32]) {
    add_both(x, y, 3);
    down(x, 3);
    let mut i = 0;
    while i < 4 {
        add_both(y, y, i);
        i += 1;
    }
}

#[test]
fn atomics_are_passed_on_and_passed_twice() {
    everywhere!(|gpu| {
        let (x, y) = (counters::<4>(), counters::<4>());
        gpu.launch(Grid::new(1, 10), nested(&x, &y)).expect("a launch");
        // Depths 1, 2, 3 add to themselves; their loops to 0 three plus one times, and to 1 twice.
        assert_eq!(values(&x), [440, 330, 110, 120]);
        assert_eq!(values(&y), [110, 110, 110, 210]);
    });
}

/// Generic over a number, and over what the atomics are.
#[device]
fn rotated<const N: usize>(x: &[Counter], i: usize) -> u32 {
    x[(i + N) % x.len()].fetch_add(N as u32, Relaxed)
}

#[device]
fn read<X: Atomic>(x: &[X], i: usize) -> X::Value {
    x[i].load(Acquire)
}

#[kernel]
fn generic<X: Atomic>(x: &[X], y: &[AtomicU32], out: &mut [X::Value])
where
    X::Value: simt::host::Element,
{
    let i = global_id();
    rotated::<2>(y, i);
    rotated::<5>(&y, i);
    out[i] = read(x, i);
}

#[test]
fn atomics_are_passed_to_generic_functions_and_kernels() {
    everywhere!(|gpu| {
        let (x, y) = ([AtomicI64::new(-5), AtomicI64::new(7)], counters::<2>());
        let mut out = [0; 2];
        gpu.launch(Grid::new(1, 2), generic(&x, &y, &mut out)).expect("a launch");
        assert_eq!((out, values(&y)), ([-5, 7], vec![7, 7]));
        let (flags, mut out) = ([AtomicBool::new(true)], [false]);
        gpu.launch(Grid::new(1, 1), generic(&flags, &y, &mut out)).expect("a launch");
        assert_eq!(out, [true]);
    });
}

/// What `&[T]` means is a matter of `T`.
#[kernel]
fn aliased(x: &[A], seen: &[Flag], order: &[number::Atomic], out: &mut [u32]) {
    #[shared]
    let local: [A; 1];
    let i = global_id();
    if i == 0 {
        local[0].store(5, Relaxed);
    }
    sync_threads();
    local[0].fetch_max(x[i].fetch_add(1, Relaxed), Relaxed);
    seen[i].store(true, Release);
    order[0].fetch_or(1 << i, Relaxed);
    sync_threads();
    out[i] = local[0].load(Relaxed);
}

mod number {
    pub(super) type Atomic = std::sync::atomic::AtomicU64;
}

#[test]
fn an_atomics_alias_is_an_atomic() {
    everywhere!(|gpu| {
        let (x, seen, order, mut out) =
            ([A::new(1), A::new(9), A::new(4)], [const { AtomicBool::new(false) }; 3], [AtomicU64::new(0)], [0; 3]);
        gpu.launch(Grid::new(1, 3), aliased(&x, &seen, &order, &mut out)).expect("a launch");
        assert_eq!((values(&x), out), (vec![2, 10, 5], [9, 9, 9]));
        assert!(seen.iter().all(|seen| seen.load(Relaxed)));
        assert_eq!(order[0].load(Ordering::SeqCst), 7);
    });
    assert!(aliased::program().to_string().starts_with("kernel aliased(x: &[AtomicU32], seen: &[AtomicBool], "));
}

const CAPACITY: usize = 64;
const WARPS: usize = 4;

#[device]
fn acquire(locks: &[AtomicU32], i: usize) {
    while locks[i].compare_exchange(0, 1, Acquire, Relaxed).is_err() {}
}

#[device]
fn release(locks: &[AtomicU32], i: usize) {
    locks[i].store(0, Release);
}

/// Takes an item of a deque: its own thread's from the back, another's from the front.
#[device]
fn take(items: &[u32], locks: &[AtomicU32], front: &[AtomicU32], back: &[AtomicU32], from: usize, own: bool) -> u32 {
    acquire(locks, from);
    let (f, b) = (front[from].load(Relaxed), back[from].load(Relaxed));
    let mut item = u32::MAX;
    if f < b {
        if own {
            item = items[from * CAPACITY + (b - 1) as usize];
            back[from].store(b - 1, Relaxed);
        } else {
            item = items[from * CAPACITY + f as usize];
            front[from].store(f + 1, Relaxed);
        }
    }
    release(locks, from);
    item
}

#[device]
fn push(items: &mut [u32], locks: &[AtomicU32], back: &[AtomicU32], to: usize, item: u32) {
    acquire(locks, to);
    let b = back[to].load(Relaxed);
    items[to * CAPACITY + b as usize] = item;
    back[to].store(b + 1, Relaxed);
    release(locks, to);
}

/// Counts the nodes that can be reached from node 0, by depth-first search. Each of a block's warps has a deque in shared
/// memory, whose leader steals from the others when it is empty.
#[kernel]
fn depth_first(warps: usize, first: &[u32], edges: &[u32], seen: &[AtomicU32], count: &[AtomicU32]) {
    #[shared]
    let mut items: [u32; CAPACITY * WARPS];
    #[shared]
    let locks: [AtomicU32; WARPS];
    #[shared]
    let front: [AtomicU32; WARPS];
    #[shared]
    let back: [AtomicU32; WARPS];
    #[shared]
    let pending: [AtomicI32; 1];
    let me = warp_id();
    if lane_id() == 0 {
        locks[me].store(0, Relaxed);
        front[me].store(0, Relaxed);
        back[me].store(0, Relaxed);
        if me == 0 {
            items[0] = 0;
            back[0].store(1, Relaxed);
            pending[0].store(1, Relaxed);
            seen[0].store(1, Relaxed);
        }
    }
    sync_threads();
    if lane_id() != 0 {
        return;
    }
    while pending[0].load(Acquire) > 0 {
        let mut node = u32::MAX;
        for k in 0..warps {
            let from = (me + k) % warps;
            node = take(&items, &locks, &front, &back, from, k == 0);
            if node != u32::MAX {
                break;
            }
        }
        if node != u32::MAX {
            count[0].fetch_add(1, Relaxed);
            for e in first[node as usize]..first[node as usize + 1] {
                let next = edges[e as usize];
                if seen[next as usize].swap(1, Relaxed) == 0 {
                    pending[0].fetch_add(1, Relaxed);
                    push(&mut items, &locks, &back, me, next);
                }
            }
            pending[0].fetch_sub(1, Release);
        }
    }
}

#[test]
fn a_search_with_locks_in_device_functions_reaches_every_node() {
    let n = 60;
    let (mut first, mut edges) = (vec![0], Vec::new());
    for i in 0..n {
        edges.extend([2 * i + 1, 2 * i + 2, 3 * i + 7].into_iter().filter(|&to| to < n).map(|to| to as u32));
        first.push(edges.len() as u32);
    }
    let warps = 4;
    for_each_policy!(P => {
        let (seen, count) = (counters::<60>(), counters::<1>());
        let call = depth_first(warps, &first, &edges, &seen, &count);
        match Gpu::<P>::default().launch(Grid::new(1, 32 * warps), call) {
            Ok(_) => assert_eq!(count[0].load(Relaxed), n as u32),
            // A policy that regroups a block's threads decides on all of them, and may let those spin that wait for a lock.
            Err(LaunchError::Livelock(livelock)) => assert_eq!(livelock.proof, LivelockProof::ThisPolicy, "{livelock:?}"),
            Err(error) => panic!("{error}"),
        }
    });
}

/// One atomic is one parameter.
#[test]
fn a_kernel_takes_one_atomic() {
    use simt::prelude::*;
    use std::sync::atomic::Ordering::Relaxed;
    use std::sync::atomic::{AtomicU32, AtomicUsize};
    #[device]
    fn counted(cursor: &AtomicUsize, by: usize) -> usize {
        cursor.fetch_add(by, Relaxed)
    }
    #[kernel]
    fn compact(x: &[u32], cursor: &AtomicUsize, most: &AtomicU32, kept: &mut [u32]) {
        let i = global_id();
        if x[i] % 3 == 0 {
            let at = counted(cursor, 1);
            kept[at] = x[i];
            most.fetch_max(x[i], Relaxed);
        }
    }
    let x: Vec<u32> = (0..64).map(|i| i * 7 % 31).collect();
    everywhere!(|gpu| {
        let (cursor, most, mut kept) = (AtomicUsize::new(0), AtomicU32::new(1), vec![0; 64]);
        let launched = gpu.launch(Grid::new(2, 32), compact(&x, &cursor, &most, &mut kept));
        assert!(launched.is_ok(), "{launched:?}");
        let mut expected: Vec<u32> = x.iter().copied().filter(|v| v % 3 == 0).collect();
        kept.truncate(cursor.into_inner());
        kept.sort_unstable();
        expected.sort_unstable();
        assert_eq!((most.into_inner(), kept), (30, expected));
    });
}
