//! What orders accesses, and what does not.

use super::*;
use AtomicOrder::{AcqRel, Acquire, Relaxed, Release};

const X: Element = (0, 0);
const Y: Element = (0, 1);

/// Whether the second thread hears of the first one's accesses until now, once `then` has happened.
fn hears<T>(clocks: &mut Clocks, (from, to): (usize, usize), then: impl FnOnce(&mut Clocks) -> T) -> bool {
    let now = clocks.now(from);
    let is_before = |clocks: &Clocks| clocks.is_before(from as u32, now, to as u32);
    assert!(!is_before(clocks));
    then(clocks);
    is_before(clocks)
}

/// Threads, of the first 64.
fn threads(threads: impl IntoIterator<Item = usize>) -> WarpThreads {
    WarpThreads { first: 0, lanes: threads.into_iter().fold(LaneMask(0), |all, thread| all | LaneMask(1 << thread)) }
}

#[test]
fn those_which_meet_hear_of_each_other_and_none_else() {
    let mut clocks = Clocks::new(8, 2);
    assert!(hears(&mut clocks, (0, 1), |clocks| clocks.meet(threads(0..4))));
    assert!(!hears(&mut clocks, (0, 4), |clocks| clocks.meet(threads(0..4))));
    assert!(!hears(&mut clocks, (0, 1), |clocks| clocks.meet(threads(1..4))));
    // Through a third: 0 and 1 meet, then 1 and 5.
    assert!(hears(&mut clocks, (0, 5), |clocks| {
        assert!(!clocks.meet(threads(0..2)));
        assert!(!clocks.meet(threads([1, 5])));
    }));
    // The other way round it is too early.
    assert!(!hears(&mut clocks, (0, 5), |clocks| {
        assert!(!clocks.meet(threads([1, 5])));
        assert!(!clocks.meet(threads(0..2)));
    }));
    clocks.restart();
    assert!(!hears(&mut clocks, (0, 1), |_| {}));
}

#[test]
fn warps_that_wait_at_a_barrier_hear_of_those_that_come_later() {
    let mut clocks = Clocks::new(12, 3);
    let open = |clocks: &mut Clocks, waits: [bool; 2]| {
        assert!(!clocks.arrive(0, threads(0..4), 3, true, waits[0]));
        assert!(!clocks.arrive(1, threads(4..8), 3, false, waits[1]));
        clocks.wakes(0, threads(0..4));
        clocks.wakes(1, threads(4..8));
    };
    assert!(hears(&mut clocks, (4, 0), |clocks| open(clocks, [true; 2])));
    assert!(hears(&mut clocks, (0, 4), |clocks| open(clocks, [true; 2])));
    assert!(!hears(&mut clocks, (0, 4), |clocks| open(clocks, [true, false])));
    // A warp that goes on brings what it has fenced, or known to others otherwise.
    assert!(!hears(&mut clocks, (4, 0), |clocks| open(clocks, [true, false])));
    assert!(hears(&mut clocks, (4, 0), |clocks| {
        clocks.fence(4, FenceScope::Block);
        open(clocks, [true, false]);
    }));
    assert!(hears(&mut clocks, (4, 0), |clocks| {
        assert!(!clocks.meet(threads(4..8)));
        open(clocks, [true, false]);
    }));
    assert!(hears(&mut clocks, (4, 0), |clocks| {
        assert!(!clocks.arrive(1, threads(4..8), 2, true, true));
        clocks.wakes(1, threads(4..8));
        open(clocks, [true, false]);
    }));
    // The next barrier of that number is another one.
    assert!(!hears(&mut clocks, (4, 0), |clocks| {
        clocks.fence(4, FenceScope::Block);
        assert!(!clocks.arrive(0, threads(0..4), 3, true, true));
        assert!(!clocks.arrive(1, threads(4..8), 3, true, false));
        clocks.wakes(0, threads(0..4));
    }));
}

#[test]
fn where_all_threads_meet_clocks_start_anew() {
    let mut clocks = Clocks::new(8, 2);
    assert!(!clocks.meet(threads(1..8)) && clocks.now(1) == 2);
    assert!(clocks.meet(threads(0..8)) && clocks.now(1) == 1);
    clocks.fence(1, FenceScope::Block);
    assert!(!clocks.arrive(0, threads(0..4), 3, true, true) && !clocks.arrive(1, threads(4..7), 3, false, true));
    assert_eq!(clocks.now(1), 2, "nothing is brought before a warp goes on");
    clocks.wakes(0, threads(0..4));
    assert!(clocks.now(1) == 3 && clocks.is_before(4, 1, 1) && !clocks.is_before(7, 1, 1));
    assert!(!clocks.arrive(0, threads(0..4), 3, true, true) && clocks.arrive(1, threads(4..8), 3, false, true));
    assert_eq!(clocks.now(1), 1);
    clocks.wakes(0, threads(0..4));
    assert!(!clocks.is_before(4, 1, 1));
}

#[test]
fn atomics_order_as_in_rust() {
    let mut clocks = Clocks::new(4, 1);
    let mut message = |store: AtomicOrder, load: AtomicOrder, fences: [bool; 2]| {
        clocks.restart();
        hears(&mut clocks, (0, 1), |clocks| {
            if fences[0] {
                clocks.fence(0, FenceScope::Block);
            }
            clocks.atomic(0, X, store, (false, true), None);
            clocks.atomic(1, X, load, (true, false), None);
            if fences[1] {
                clocks.fence(1, FenceScope::Block);
            }
        })
    };
    assert!(message(Release, Acquire, [false; 2]));
    assert!(!message(Relaxed, Acquire, [false; 2]) && !message(Release, Relaxed, [false; 2]));
    assert!(message(Relaxed, Acquire, [true, false]) && message(Release, Relaxed, [false, true]));
    assert!(message(Relaxed, Relaxed, [true; 2]) && !message(Relaxed, Relaxed, [true, false]));
}

#[test]
fn operations_that_read_hand_on_what_was_released_and_stores_do_not() {
    for (reads, heard) in [(true, true), (false, false)] {
        let mut clocks = Clocks::new(4, 1);
        let then = |clocks: &mut Clocks| {
            clocks.atomic(0, X, Release, (false, true), None);
            clocks.atomic(2, X, Relaxed, (reads, true), None);
            clocks.atomic(1, X, Acquire, (true, false), None);
        };
        assert_eq!(hears(&mut clocks, (0, 1), then), heard);
    }
    // A lock: a thread that takes it hears of all threads that had it, but not of those that had another lock.
    let mut clocks = Clocks::new(4, 1);
    assert!(hears(&mut clocks, (0, 2), |clocks| (0..3).for_each(|thread| {
        clocks.atomic(thread, X, AcqRel, (true, true), None);
    })));
    assert!(!hears(&mut clocks, (0, 2), |clocks| {
        clocks.atomic(0, X, AcqRel, (true, true), None);
        clocks.atomic(2, Y, AcqRel, (true, true), None);
    }));
}
