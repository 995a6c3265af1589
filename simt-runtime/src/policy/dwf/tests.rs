//! The cases that the golden runs of the paper do not reach.

use super::pool::WarpPool;
use super::*;
use crate::policy::{PolicyConfig, PolicyTiming};

fn part(warp: usize, lanes: u64) -> WarpPart {
    WarpPart { warp, lanes: LaneMask(lanes) }
}

/// The threads of some parts, in a block of three warps of four lanes.
fn threads(parts: &[WarpPart]) -> ThreadMask {
    let mut threads = ThreadMask::empty(3, 4);
    parts.iter().for_each(|&part| threads.insert(part));
    threads
}

fn current<S: WarpSchedule>(dwf: &Dwf<S>) -> Option<(Pc, Vec<WarpPart>)> {
    dwf.current().map(|split| (split.pc, split.threads.parts().collect()))
}

/// A pool to which threads have come: address, part, and how many post-dominators they have passed.
fn pool(updates: &[(u32, WarpPart, u32)]) -> WarpPool {
    let mut pool = WarpPool::new(&DwfConfig::default(), threads(&[]));
    for &(pc, part, passed) in updates {
        let passed = Fewest { passed, is_exact: true };
        pool.arrive(Coming { pc: Pc(pc), threads: &threads(&[part]), lanes: part.lanes, passed });
    }
    pool
}

#[test]
fn a_warp_has_passed_what_the_last_of_its_threads_has() {
    for (first, second) in [(0, 3), (3, 0), (2, 2)] {
        let pool = pool(&[(7, part(0, 0b01), first), (7, part(1, 0b10), second)]);
        let warps: Vec<_> = pool.warps().collect();
        assert_eq!(warps, [FormedWarp { pc: Pc(7), threads: 2, passed: first.min(second) }]);
    }
    // A thread that finds no lane has not joined.
    let pool = pool(&[(7, part(0, 0b01), 3), (7, part(1, 0b01), 0)]);
    assert_eq!(pool.warps().map(|warp| warp.passed).collect::<Vec<_>>(), [3, 0]);
}

#[test]
fn threads_that_joined_before_the_pool_was_full_are_counted() {
    let config = DwfConfig { pool: Some(1), ..DwfConfig::default() };
    let mut pool = WarpPool::new(&config, threads(&[]));
    let passed = Fewest { passed: 0, is_exact: true };
    for part in [part(0, 0b0011), part(1, 0b0110)] {
        pool.arrive(Coming { pc: Pc(5), threads: &threads(&[part]), lanes: part.lanes, passed });
    }
    assert_eq!(pool.addresses(), [(Pc(5), 3)], "one of two is in memory");
    let mut issued = Update::none(threads(&[]));
    assert!(pool.issue(0, &mut issued));
    assert_eq!((issued.threads.count(), issued.lanes, pool.addresses()), (3, LaneMask(0b0111), &[][..]));
    assert_eq!(pool.fill(0), Some((Pc(5), 1)));
}

#[test]
fn of_addresses_with_as_many_threads_the_majority_is_at_the_lowest() {
    let mut majority = Majority::start(&PolicyConfig::FUNCTIONAL);
    let pool = pool(&[(7, part(0, 0b0011), 0), (3, part(1, 0b0011), 0), (5, part(2, 0b0001), 0)]);
    assert_eq!(majority.pick(&pool), Some(1));
}

#[test]
fn threads_that_are_woken_leave_the_others_waiting() {
    let config = PolicyConfig { warp_width: 4, ..PolicyConfig::FUNCTIONAL };
    let warps = [LaneMask(0b11), LaneMask(0b100)];
    let mut dwf = Dwf::<TimeStamp>::start(BlockStart { pc: Pc(0), warps: &warps, config: &config });
    assert_eq!(current(&dwf), Some((Pc(0), vec![part(0, 0b11), part(1, 0b100)])));
    dwf.park();
    assert_eq!(dwf.current(), None);
    dwf.wake(part(1, 0), Pc(5));
    assert_eq!(dwf.current(), None);
    dwf.wake(part(0, 0b01), Pc(5));
    assert_eq!(dwf.splits(), [(Pc(5), part(0, 0b01)), (Pc(0), part(0, 0b10)), (Pc(0), part(1, 0b100))]);
    dwf.wake(part(1, 0b100), Pc(5));
    dwf.wake(part(0, 0b10), Pc(5));
    dwf.exit();
    assert_eq!(current(&dwf), Some((Pc(5), vec![part(0, 0b10), part(1, 0b100)])));
    dwf.exit();
    assert_eq!(dwf.splits(), []);
}

#[test]
fn a_warp_that_waits_in_the_pool_has_one_part_of_each_of_the_programs_warps() {
    let config = PolicyConfig { warp_width: 4, ..PolicyConfig::FUNCTIONAL };
    let warps = [LaneMask(0b0111), LaneMask(0b1000)];
    let mut dwf = Dwf::<LowestPc>::start(BlockStart { pc: Pc(0), warps: &warps, config: &config });
    // In a loop at 0 they leave one by one: warp 0, warp 1, warp 0.
    for leaves in [part(0, 0b010), part(1, 0b1000), part(0, 0b100)] {
        let taken = &threads(&[leaves]);
        dwf.branch(BlockBranch { taken, target: Pc(9), next: Pc(0), meet: None, leaves: true });
    }
    assert_eq!(dwf.splits(), [(Pc(0), part(0, 0b001)), (Pc(9), part(0, 0b110)), (Pc(9), part(1, 0b1000))]);
    dwf.exit();
    assert_eq!(current(&dwf), Some((Pc(9), vec![part(0, 0b110), part(1, 0b1000)])));
    dwf.exit();
    let none = Update::none(ThreadMask::empty(2, 4));
    assert_eq!(dwf, Dwf { current: none, ..dwf.clone() }, "no thread is current");
}

#[test]
fn with_a_clock_threads_come_to_the_pool_when_the_last_of_them_is_free() {
    let timing = Some(PolicyTiming { issue_cycles: 4, spill_cycles: 0 });
    let config = PolicyConfig { warp_width: 4, timing, ..PolicyConfig::FUNCTIONAL };
    let all = [LaneMask(0b11), LaneMask(0b100)];
    let mut dwf = Dwf::<TimeStamp>::start(BlockStart { pc: Pc(0), warps: &all, config: &config });
    assert!(dwf.select(&all));
    dwf.advance(Pc(1));
    let [first, second, none] = [all[0], all[1], LaneMask::EMPTY];
    for free in [[none, none], [first, none], [none, second], [LaneMask(0b01), second]] {
        assert!(!dwf.select(&free), "{free:?}");
    }
    assert!(dwf.select(&all));
    assert_eq!(current(&dwf), Some((Pc(1), vec![part(0, 0b11), part(1, 0b100)])));
}
