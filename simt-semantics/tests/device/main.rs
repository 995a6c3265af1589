//! The device of the CUDA report: what its rules allow, how its holes are decided, and that planted bugs are found.

mod holes;
mod mutants;
mod watch;

use simt_semantics::device::{
    Action, Command, CudaReport, DeviceLimits, DeviceProgram, DeviceRules, DeviceSystem, HostProgram, HostStream,
};
use std::collections::BTreeSet;

/// More states than small programs have.
const STATES: usize = 200_000;

/// A program whose streams of one context are grids, with events between, of one entry point each.
fn program(entries: &[&[&[Action]]], streams: &[&[Command]]) -> HostProgram {
    let entries = entries.iter().map(|blocks| blocks.iter().map(|block| block.to_vec()).collect()).collect();
    let streams = streams.iter().map(|commands| HostStream { context: 0, commands: commands.to_vec() }).collect();
    let programs = vec![DeviceProgram { initial: vec![(7, 70)], entries }];
    HostProgram { programs, streams, ..HostProgram::of_contexts(1) }
}

fn launch(entry: usize) -> Command {
    Command::Launch { program: 0, entry }
}

/// What the byte at an address of the first context can be at the end.
fn finals(program: &HostProgram, limits: DeviceLimits, rules: &impl DeviceRules, at: usize) -> BTreeSet<u8> {
    let outcomes = DeviceSystem::new(limits, program, rules).explore(STATES).expect("it is small");
    outcomes.iter().map(|outcome| outcome.memories[0][at]).collect()
}

#[test]
fn golden_cuda_device_grids_of_streams_interleave() {
    let add_slowly: &[&[Action]] = &[&[Action::Load(0), Action::Store { to: 0, plus: 1 }]];
    let two = program(&[add_slowly], &[&[launch(0)], &[launch(0)]]);
    assert_eq!(finals(&two, DeviceLimits::small(), &CudaReport, 0), [1, 2].into());
    assert!(two.has_race());
    // One place: the other waits.
    let one = DeviceLimits { concurrent_grids: 1, ..DeviceLimits::small() };
    assert_eq!(finals(&two, one, &CudaReport, 0), [2].into());
}

#[test]
fn golden_cuda_device_a_stream_is_in_order_and_events_order_streams() {
    let (write, copy): (&[&[Action]], &[&[Action]]) =
        (&[&[Action::Store { to: 0, plus: 5 }]], &[&[Action::Load(0), Action::Store { to: 1, plus: 0 }]]);
    let in_order = program(&[write, copy], &[&[launch(0), launch(1)]]);
    let by_event = program(&[write, copy], &[&[launch(0), Command::Record(0)], &[Command::Wait(0), launch(1)]]);
    let apart = program(&[write, copy], &[&[launch(0)], &[launch(1)]]);
    let limits = DeviceLimits::small();
    for ordered in [&in_order, &by_event] {
        assert_eq!(finals(ordered, limits, &CudaReport, 1), [5].into());
        assert_eq!(ordered.result(&limits).expect("no race").memories[0][1], 5);
    }
    assert_eq!(finals(&apart, limits, &CudaReport, 1), [0, 5].into());
    assert_eq!(apart.result(&limits), None);
}

#[test]
fn golden_cuda_device_programs_are_loaded_before_their_grids() {
    let copy: &[&[Action]] = &[&[Action::Load(7), Action::Store { to: 1, plus: 0 }]];
    assert_eq!(finals(&program(&[copy], &[&[launch(0)]]), DeviceLimits::small(), &CudaReport, 1), [70].into());
}

/// Blocks of one grid have no order (2.3.1).
#[test]
fn golden_cuda_device_blocks_of_a_grid_run_in_any_order() {
    let both: &[&[Action]] = &[&[Action::Store { to: 0, plus: 1 }], &[Action::Store { to: 0, plus: 2 }]];
    assert_eq!(finals(&program(&[both], &[&[launch(0)]]), DeviceLimits::small(), &CudaReport, 0), [1, 2].into());
    let adds: &[&[Action]] = &[&[Action::Add { to: 0, amount: 1 }], &[Action::Add { to: 0, amount: 2 }]];
    assert_eq!(finals(&program(&[adds], &[&[launch(0)]]), DeviceLimits::small(), &CudaReport, 0), [3].into());
}
