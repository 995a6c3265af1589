//! A search whose warps steal work from each other.

use simt::prelude::*;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering::*};

const CAP: usize = 256;
const WARPS: usize = 4;

#[device]
fn lock(locks: &[AtomicU32], w: usize) {
    while locks[w].compare_exchange(0, 1, Acquire, Relaxed).is_err() {}
}
#[device]
fn unlock(locks: &[AtomicU32], w: usize) {
    locks[w].store(0, Release);
}

/// Counts the nodes of a DAG reachable from 0 by DFS. Each warp's leader has a deque in shared memory; it pops its own
/// from the back and steals others' from the front.
#[kernel]
fn dfs(first: &[u32], edges: &[u32], seen: &[AtomicU32], count: &[AtomicU32]) {
    #[shared]
    let mut items: [u32; CAP * WARPS];
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
        'find: for k in 0..WARPS {
            let w = (me + k) % WARPS;
            lock(&locks, w);
            let f = front[w].load(Relaxed);
            let b = back[w].load(Relaxed);
            if f < b {
                if w == me {
                    node = items[w * CAP + (b - 1) as usize];
                    back[w].store(b - 1, Relaxed);
                } else {
                    node = items[w * CAP + f as usize];
                    front[w].store(f + 1, Relaxed);
                }
            }
            unlock(&locks, w);
            if node != u32::MAX {
                break 'find;
            }
        }
        if node == u32::MAX {
            continue;
        }
        count[0].fetch_add(1, Relaxed);
        for e in first[node as usize]..first[node as usize + 1] {
            let next = edges[e as usize];
            if seen[next as usize].swap(1, Relaxed) == 0 {
                pending[0].fetch_add(1, Relaxed);
                lock(&locks, me);
                let b = back[me].load(Relaxed);
                items[me * CAP + b as usize] = next;
                back[me].store(b + 1, Relaxed);
                unlock(&locks, me);
            }
        }
        pending[0].fetch_sub(1, Release);
    }
}

#[test]
fn reaches_all() {
    let n = 200usize;
    let (mut first, mut edges) = (vec![0u32], vec![]);
    for i in 0..n {
        for e in [2 * i + 1, 2 * i + 2, 3 * i + 7] {
            if e < n {
                edges.push(e as u32);
            }
        }
        first.push(edges.len() as u32);
    }
    for_each_policy!(P => {
        let seen: Vec<AtomicU32> = (0..n).map(|_| AtomicU32::new(0)).collect();
        let count = [AtomicU32::new(0)];
        let launched = Gpu::<P>::default().launch(Grid::new(1, 32 * WARPS), dfs(&first, &edges, &seen, &count));
        match launched {
            Err(LaunchError::Livelock(_)) => assert!(!P::is_fair()),
            launched => {
                launched.unwrap();
                assert_eq!(count[0].load(Relaxed), n as u32);
            }
        }
    });
}
