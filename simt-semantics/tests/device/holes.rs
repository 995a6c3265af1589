//! The holes of the report at the level of the device: each as it is decided, and as the letter would have it.

use crate::{finals, launch, program};
use simt_semantics::device::{
    Action, Command, ContextInput, CudaReport, DeviceLimits, DeviceMove, DeviceRules, DeviceState, DeviceSystem, Fate,
    HostProgram, HostStream, MemoryManager,
};

const COPY: &[&[Action]] = &[&[Action::Load(0), Action::Store { to: 1, plus: 0 }]];
const WRITE: &[&[Action]] = &[&[Action::Store { to: 0, plus: 5 }]];

/// The first grid reads a byte, which its multiprocessor then has in its L1 cache; the second writes it, on another.
#[test]
fn golden_cuda_device_h3_dependent_grids_read_fresh_data() {
    struct Letter;
    impl DeviceRules for Letter {
        fn flush(&self, _: &mut MemoryManager) {}
    }
    let three = program(&[COPY, WRITE, COPY], &[&[launch(0), launch(1), launch(2)]]);
    let one = DeviceLimits { concurrent_grids: 1, ..DeviceLimits::small() };
    assert_eq!(finals(&three, one, &CudaReport, 1), [5].into());
    assert_eq!(finals(&three, one, &Letter, 1), [0, 5].into());
}

/// A grid that has ended is one whose stores are there.
#[test]
fn golden_cuda_device_h11_completion_waits_for_stores() {
    struct Letter;
    impl DeviceRules for Letter {
        fn is_drained(&self, _: &MemoryManager, _: u32) -> bool {
            true
        }
    }
    let two = program(&[WRITE, COPY], &[&[launch(0), launch(1)]]);
    assert_eq!(finals(&two, DeviceLimits::small(), &CudaReport, 1), [5].into());
    assert_eq!(finals(&two, DeviceLimits::small(), &Letter, 1), [0, 5].into());
}

/// The moves up to the first that cannot be made.
fn follow(system: &DeviceSystem<'_, CudaReport>, moves: &[DeviceMove]) -> (usize, simt_semantics::device::DeviceRun) {
    let mut run = system.initial();
    for (made, by) in moves.iter().enumerate() {
        match system.step(&run, by) {
            Some(after) => run = after,
            None => return (made, run),
        }
    }
    (moves.len(), run)
}

#[test]
fn golden_cuda_device_h13_a_context_keeps_the_device_until_its_grids_have_ended() {
    let mut two = program(&[WRITE], &[&[launch(0)], &[launch(0)]]);
    (two.contexts, two.streams[1].context) = (2, 1);
    let system = DeviceSystem::new(DeviceLimits::small(), &two, &CudaReport);
    let run_first = [
        DeviceMove::Start((0, 0)),
        DeviceMove::Issue { grid: 0, block: 0, processor: 0 },
        DeviceMove::Exec { grid: 0, block: 0 },
    ];
    let (_, run) = follow(&system, &run_first);
    assert!(system.step(&run, &DeviceMove::Start((1, 0))).is_none());
    // Its store is in flight (H11).
    assert!(system.step(&run, &DeviceMove::Complete(0)).is_none());
    let store = run.device.memory.in_flight.first().expect("its store").clone();
    let run = system.step(&run, &DeviceMove::Perform(store)).expect("it can be performed");
    let run = system.step(&run, &DeviceMove::Complete(0)).expect("it is done");
    assert!(system.step(&run, &DeviceMove::Start((1, 0))).is_some());
}

#[test]
fn golden_cuda_device_h17_grids_wait_for_a_place() {
    let three = program(&[WRITE], &[&[launch(0)], &[launch(0)], &[launch(0)]]);
    let system = DeviceSystem::new(DeviceLimits::small(), &three, &CudaReport);
    let starts = [2, 0, 1].map(|stream| DeviceMove::Start((stream, 0)));
    let (made, run) = follow(&system, &starts);
    assert_eq!((made, run.device.contexts[0].grids.len()), (2, 2));
}

/// What is in flight when a grid is aborted comes all the same (5.7.3), and its blocks do nothing more.
#[test]
fn golden_cuda_device_an_aborted_grid_leaves_its_stores_in_flight() {
    let mut two = program(&[&[&[Action::Store { to: 0, plus: 5 }, Action::Store { to: 1, plus: 6 }]]], &[&[launch(0)]]);
    two.aborts.push((0, 0));
    let system = DeviceSystem::new(DeviceLimits::small(), &two, &CudaReport);
    let moves = [
        DeviceMove::Start((0, 0)),
        DeviceMove::Issue { grid: 0, block: 0, processor: 1 },
        DeviceMove::Exec { grid: 0, block: 0 },
        DeviceMove::Abort((0, 0)),
        DeviceMove::Exec { grid: 0, block: 0 },
    ];
    let (made, run) = follow(&system, &moves);
    assert_eq!((made, run.host.fates[&(0, 0)]), (4, Fate::Aborted));
    assert!(run.device.contexts[0].grids.is_empty() && run.device.contexts[0].program_map.is_empty());
    let store = run.device.memory.in_flight.first().expect("its store").clone();
    let run = system.step(&run, &DeviceMove::Perform(store)).expect("it can be performed");
    assert_eq!(system.outcome(&run).memories[0][..2], [5, 0]);
    // At any time: before it starts, between its stores, or behind them.
    let ends = system.explore(10_000).expect("it is small");
    let bytes: std::collections::BTreeSet<_> = ends.iter().map(|end| end.memories[0][..2].to_vec()).collect();
    assert_eq!(bytes, [vec![0, 0], vec![5, 0], vec![5, 6]].into());
}

/// A grid that fails leaves nothing behind, but what another has changed since; its context is lost, and no other.
#[test]
fn golden_cuda_device_h19_a_grid_that_fails_is_undone() {
    let fails: &[&[Action]] = &[&[Action::Store { to: 0, plus: 5 }, Action::Store { to: 1, plus: 6 }, Action::Fault]];
    let mut three = program(&[fails, WRITE], &[&[launch(0), launch(1)], &[launch(1)]]);
    (three.contexts, three.streams[1].context) = (2, 1);
    let ends = DeviceSystem::new(DeviceLimits::small(), &three, &CudaReport).explore(10_000).expect("it is small");
    assert_eq!(ends.len(), 1, "{ends:?}");
    for end in ends {
        assert_eq!((&end.memories[0][..2], &end.memories[1][..2]), (&[0, 0][..], &[5, 0][..]));
        let fates: Vec<Fate> = end.fates.into_values().collect();
        assert_eq!(fates, [Fate::Failed, Fate::Aborted, Fate::Completed]);
    }
    let mut memory = MemoryManager::new(1);
    memory.add(0, 0, 0, 1);
    memory.add(1, 0, 0, 1);
    memory.add(0, 0, 1, 1);
    memory.undo(0);
    assert_eq!((memory.get(0), memory.get(1)), (2, 0));
}

/// Out of memory is ⊥ (4.3): the grid fails.
#[test]
fn golden_cuda_device_an_access_outside_of_the_context_fails() {
    let outside = DeviceLimits::small().memory;
    let wild: &[&[Action]] = &[&[Action::Load(outside)]];
    let program = program(&[wild], &[&[launch(0)]]);
    let ends = DeviceSystem::new(DeviceLimits::small(), &program, &CudaReport).explore(1000).expect("it is small");
    assert!(ends.iter().all(|end| end.fates[&(0, 0)] == Fate::Failed));
}

/// (destroy) takes the grids with it, and what is in flight comes all the same (5.8.3).
#[test]
fn golden_cuda_device_a_destroyed_context_leaves_its_stores_in_flight() {
    let one = program(&[WRITE], &[&[launch(0)]]);
    let system = DeviceSystem::new(DeviceLimits::small(), &one, &CudaReport);
    let moves = [
        DeviceMove::Start((0, 0)),
        DeviceMove::Issue { grid: 0, block: 0, processor: 1 },
        DeviceMove::Exec { grid: 0, block: 0 },
    ];
    let (_, mut run) = follow(&system, &moves);
    assert!(CudaReport.rule_destroy(&mut run.device, 0) && !CudaReport.rule_destroy(&mut run.device, 0));
    assert!(run.device.contexts.is_empty());
    let store = run.device.memory.in_flight.first().expect("its store").clone();
    assert!(CudaReport.rule_perform(&mut run.device.memory, &store));
    assert_eq!(run.device.memory.get(0), 5);
}

/// Messages wait in queues that have no order (5.7.2): two grids that wait for one place start in any order.
#[test]
fn golden_cuda_device_messages_have_no_order() {
    let (five, six): (&[&[Action]], &[&[Action]]) = (WRITE, &[&[Action::Store { to: 0, plus: 6 }]]);
    let two = program(&[five, six], &[&[launch(0)], &[launch(1)]]);
    let one = DeviceLimits { concurrent_grids: 1, ..DeviceLimits::small() };
    assert_eq!(finals(&two, one, &CudaReport, 0), [5, 6].into());
}

/// A grid of a program that is not loaded does not start (5.7.3), nor does one in a context that is not there.
#[test]
fn golden_cuda_device_a_grid_needs_its_program() {
    let mut device = DeviceState { memory: MemoryManager::new(1), ..DeviceState::default() };
    let limits = DeviceLimits::small();
    assert!(!CudaReport.rule_start(&limits, &mut device, 0, (0, 0)));
    CudaReport.rule_create(&limits, &mut device);
    let start = ContextInput::Start { program: 0, entry: 0, ticket: (0, 0) };
    device.contexts[0].inputs.push(start);
    assert!(!CudaReport.rule_start(&limits, &mut device, 0, (0, 0)));
    let program = program(&[WRITE], &[]).programs.remove(0);
    assert!(CudaReport.rule_load(&limits, &mut device, program.clone(), 0));
    assert!(!CudaReport.rule_load(&limits, &mut device, program, 1));
    assert!(CudaReport.rule_start(&limits, &mut device, 0, (0, 0)));
    assert_eq!(device.contexts[0].program_map[&0], 0);
}

/// Programs with an event that nothing records wait for ever, as the host's do.
#[test]
fn golden_cuda_device_what_waits_for_nothing_never_starts() {
    let streams = vec![HostStream { context: 0, commands: vec![Command::Wait(3), launch(0)] }];
    let waits = HostProgram { streams, ..program(&[WRITE], &[]) };
    let ends = DeviceSystem::new(DeviceLimits::small(), &waits, &CudaReport).explore(1000).expect("it is small");
    assert!(ends.iter().all(|end| end.fates.is_empty()) && ends.len() == 1);
}
