//! Litmus tests of locks, in all interleavings: the gallery's, and some that are broken.

use simt::Program;
use simt::prelude::*;
use simt_semantics::{
    End, Ending, Esop12, Exploration, Memory, Place, Setting, Termination, ThreadSystem, WarpSystem, Witness, explore,
    replay, shrink, try_seeds,
};
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

#[path = "../examples/support/machine.rs"]
mod machine;
#[path = "../examples/gallery/kernels/spin_lock.rs"]
#[expect(dead_code, reason = "the gallery runs it")]
mod spin_lock;
#[path = "../examples/gallery/kernels/ticket_lock.rs"]
#[expect(dead_code, reason = "the gallery runs it")]
mod ticket_lock;

/// The gallery's spin lock, except that it does not count its attempts, which would make the state space infinite.
#[kernel]
fn spin(lock: &[AtomicU32], sum: &mut [u32]) {
    let mut done = false;
    while !done {
        if lock[0].compare_exchange(0, 1, Acquire, Relaxed).is_ok() {
            sum[0] += global_id() as u32;
            lock[0].store(0, Release);
            done = true;
        }
    }
}

/// Looks whether the lock is free, and then takes it.
#[kernel]
fn two_steps(lock: &[AtomicU32], sum: &mut [u32]) {
    while lock[0].load(Acquire) != 0 {}
    lock[0].store(1, Relaxed);
    sum[0] += global_id() as u32;
    lock[0].store(0, Release);
}

/// Does not give the lock back.
#[kernel]
fn kept(lock: &[AtomicU32], sum: &mut [u32]) {
    while lock[0].compare_exchange(0, 1, Acquire, Relaxed).is_err() {}
    sum[0] += global_id() as u32;
}

/// One thread passes on a number, the other waits for it.
#[kernel]
fn message(flag: &[AtomicU32], data: &mut [u32], got: &mut [u32]) {
    if global_id() == 0 {
        data[0] = 42;
        flag[0].store(1, Release);
    } else {
        while flag[0].load(Acquire) == 0 {}
        got[0] = data[0];
    }
}

fn with<T>(program: &Program, threads: u32, arguments: &[Vec<u64>], run: impl FnOnce(&Setting<'_>, Memory) -> T) -> T {
    let program = program.clone().validate().expect("what `#[kernel]` builds is valid");
    let setting = Setting::new(&program, Place::alone(threads)).expect("it has rules for all statements");
    let memory = Memory::initial(&setting, arguments.to_vec()).expect("the arguments fit");
    run(&setting, memory)
}

/// All interleavings of a kernel.
fn interleavings(program: &Program, threads: u32, arguments: &[Vec<u64>]) -> Exploration {
    with(program, threads, arguments, |setting, memory| explore(&ThreadSystem::new(setting, memory), 100_000))
}

/// The sum of all thread numbers, which is there if no thread's is lost.
fn sum(threads: u32) -> u64 {
    (0..u64::from(threads)).sum()
}

/// Every interleaving ends, and leaves this.
fn assert_only(found: &Exploration, expected: &[Vec<u64>]) {
    assert!(found.always_finishes(), "{:?}", found.termination());
    let results: Vec<_> = found.results().map(|ending| &ending.memory.slices).collect();
    assert_eq!(results, [expected]);
}

#[test]
fn the_spin_lock_excludes_all_others() {
    for threads in 2..=3 {
        let (start, end) = ([vec![0], vec![0]], [vec![0], vec![sum(threads)]]);
        assert_only(&interleavings(spin_lock::naive::program(), threads, &start), &end);
        assert_only(&interleavings(spin::program(), threads, &start), &end);
    }
}

/// Locks that hang on a warp and end under all fair schedules, and locks that end on both (ESOP'12, section 5.1).
#[test]
fn on_a_warp_only_the_careful_lock_ends() {
    let start = [vec![0], vec![0]];
    for threads in 2..=4 {
        let naive = with(spin_lock::naive::program(), threads, &start, |setting, memory| {
            explore(&WarpSystem::new(setting, &Esop12, memory), 100_000)
        });
        assert!(matches!(naive.termination(), Termination::NotUnder(_)));
        assert_eq!(naive.results().count(), 0, "no order of the lanes helps");
        let start = [vec![0], vec![0], vec![0; threads as usize]];
        let careful = with(spin_lock::careful::program(), threads, &start, |setting, memory| {
            explore(&WarpSystem::new(setting, &Esop12, memory), 100_000)
        });
        assert!(careful.always_finishes());
        assert!(careful.results().all(|ending| ending.memory.slices[1] == [sum(threads)]));
        // The thread that comes first, second, and so on.
        assert_eq!(careful.results().count(), (1..=threads as usize).product::<usize>());
    }
}

#[test]
fn the_ticket_lock_serves_in_order() {
    for threads in 2..=3 {
        let count = u64::from(threads);
        let start = [vec![0, 0], vec![9; threads as usize], vec![0]];
        let end = [vec![count, count], (0..count).collect(), vec![count]];
        assert_only(&interleavings(ticket_lock::enter_naively::program(), threads, &start), &end);
    }
}

/// The gallery's kernels count how often they try in vain, so that their configurations have no end: as many as the bound
/// allows, and random ones of more threads.
#[test]
fn as_far_as_it_goes_the_gallery_is_right() {
    let right = |ending: &Ending| ending.end == End::Finished && ending.memory.slices[1] == [1];
    let found = with(spin_lock::careful::program(), 2, &[vec![0], vec![0], vec![0; 2]], |setting, memory| {
        explore(&ThreadSystem::new(setting, memory), 20_000)
    });
    let (complete, endings) = (found.is_complete(), found.endings());
    assert!(!complete && endings.len() > 9 && endings.iter().all(right), "{complete}, {}", endings.len());
    with(spin_lock::careful::program(), 4, &[vec![0], vec![0], vec![0; 4]], |setting, memory| {
        let wrong = |ending: &Ending| ending.end != End::Finished || ending.memory.slices[1] != [6];
        assert_eq!(try_seeds(&ThreadSystem::new(setting, memory), 0..50, 10_000, wrong), None);
    });
    let start = [vec![0, 0], vec![9; 4], vec![0], vec![0; 4]];
    with(ticket_lock::enter::program(), 4, &start, |setting, memory| {
        let system = ThreadSystem::new(setting, memory);
        let wrong = |ending: &Ending| ending.end != End::Finished || ending.memory.slices[1] != [0, 1, 2, 3];
        assert_eq!(try_seeds(&system, 0..50, 10_000, wrong), None);
    });
}

/// Thread 1 looks, thread 0 looks, takes the lock and reads the sum, thread 1 runs to its end, and thread 0 writes over what
/// it wrote: three switches, and less do not lose it, because thread 1 waits if it looks later. The schedule can be kept as a
/// line.
#[test]
fn a_lock_in_two_steps_loses_an_update() {
    let start = [vec![0], vec![0]];
    with(two_steps::program(), 2, &start, |setting, memory| {
        let system = ThreadSystem::new(setting, memory);
        let lost = |ending: &Ending| ending.end == End::Finished && ending.memory.slices[1] != [1];
        let found = explore(&system, 100_000);
        assert!(found.is_complete() && found.termination() == &Termination::Always);
        let ending = found.find(lost).expect("an update is lost");
        let seeded = try_seeds(&system, 0..100, 10_000, lost).expect("chance finds it, too").ending;
        for ending in [ending, &seeded] {
            let shrunk = shrink(&system, ending, lost);
            assert!(lost(&shrunk));
            assert_eq!(shrunk.witness.switches(), 3, "{}", shrunk.witness);
            assert!(shrunk.witness.to_string().starts_with("thread 1 x"), "{}", shrunk.witness);
            let line = shrunk.witness.to_string();
            let again: Witness = line.parse().expect("it is read as it is printed");
            assert_eq!(replay(&system, &again), Ok(shrunk), "{line}");
        }
    });
}

#[test]
fn a_lock_that_is_kept_is_waited_for_for_ever() {
    let found = interleavings(kept::program(), 2, &[vec![0], vec![0]]);
    assert!(found.is_complete());
    let Termination::NotUnder(lasso) = found.termination() else { panic!("it ends") };
    // One thread has ended, the other spins.
    assert_eq!(lasso.cycle.switches(), 0, "{}", lasso.cycle);
    assert_eq!(found.endings(), []);
}

#[test]
fn a_message_is_passed_on() {
    assert_only(&interleavings(message::program(), 2, &[vec![0], vec![0], vec![0]]), &[vec![1], vec![42], vec![42]]);
}
