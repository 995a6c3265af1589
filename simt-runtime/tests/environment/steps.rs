//! How many micro steps the programs take when nothing is in their way.

use crate::scenario::{PLACE, add, device, in_memory, load, register, run, set, store};
use simt_runtime::environment::StateSpace::{Global, Local, Shared};
use simt_runtime::environment::{Operation, Piece, ProgramName, Programs, Shape};

#[test]
fn golden_cuda_memory_4_1_takes_two_steps() {
    let mut device = device(2, 2);
    assert_eq!(run(&mut device, store(ProgramName::StGlobalWb, 0, Global, PLACE, 5)), 2);
    // The value is in L2, dirty, and nowhere else.
    let line = device.state.l2().line(PLACE).expect("L2 has it");
    assert!(line.is_dirty() && line.data()[..4] == [5, 0, 0, 0]);
    assert!(device.state.processors()[0].l1.line(PLACE).is_none());
    assert_eq!(in_memory(&device, Global, PLACE), 0);
}

#[test]
fn golden_cuda_memory_4_2_takes_seven_five_or_three_steps() {
    for space in [Global, Local] {
        let mut device = device(2, 2);
        let place = device.state.start_of(space);
        set(&mut device, space, place + 4, 9);
        let load = |processor| load(ProgramName::LdCa, processor, space, place + 4, 2);
        assert_eq!(run(&mut device, load(0)), 7, "neither cache has it");
        assert_eq!(run(&mut device, load(1)), 5, "L2 has it");
        assert_eq!(run(&mut device, load(1)), 3, "L1 has it");
        assert_eq!([register(&device, 0, 2), register(&device, 1, 2)], [9, 9]);
    }
}

#[test]
fn golden_cuda_memory_4_3_takes_two_steps() {
    let mut device = device(2, 2);
    let place = device.state.start_of(Local);
    assert_eq!(run(&mut device, store(ProgramName::StLocalCg, 1, Local, place, 5)), 2);
    let line = device.state.processors()[1].l1.line(place).expect("L1 has it");
    assert!(line.is_dirty() && device.state.l2().line(place).is_none());
    assert_eq!(line.class(), simt_runtime::environment::EvictionClass::First);
}

#[test]
fn golden_cuda_memory_4_4_takes_seven_or_four_steps() {
    let mut device = device(2, 2);
    set(&mut device, Global, PLACE + 4, 40);
    set(&mut device, Global, PLACE, 3);
    assert_eq!(run(&mut device, add(0, Global, PLACE + 4, 2, 1)), 7, "L2 has it not");
    assert_eq!(run(&mut device, add(1, Global, PLACE + 4, 2, 1)), 4, "L2 has it");
    assert_eq!([register(&device, 0, 1), register(&device, 1, 1)], [40, 42]);
    assert_eq!(device.state.l2().line(PLACE).expect("L2 has it").data(), [3, 0, 0, 0, 44, 0, 0, 0]);
}

#[test]
fn golden_cuda_memory_4_5_takes_six_steps() {
    let mut device = device(2, 2);
    assert_eq!(run(&mut device, add(0, Shared, 8, 2, 1)), 6);
    assert_eq!(run(&mut device, add(0, Shared, 8, 5, 1)), 6);
    assert_eq!((in_memory(&device, Shared, 8), register(&device, 0, 1)), (7, 2));
}

#[test]
fn golden_cuda_memory_4_6_takes_two_steps() {
    let mut device = device(2, 2);
    let program = Programs::default();
    let write = Operation::new(1, program.get(ProgramName::Register), Shape::Register);
    let id = device.issue(write.with_results(vec![Piece::Computed { register: 3, value: 77 }])).expect("it exists");
    let now = |device: &simt_runtime::environment::Environment| {
        device.state.processors()[1].registers.get(3).map(|register| (register.value, register.blocked))
    };
    // Even an ALU result comes later, and blocks its register until then.
    assert_eq!(now(&device), Some((0, true)));
    assert!(crate::scenario::step(&mut device, id));
    assert_eq!(now(&device), Some((77, true)));
    assert!(crate::scenario::step(&mut device, id));
    assert_eq!((now(&device), device.operations().len()), (Some((77, false)), 0));
}

#[test]
fn the_programs_of_ours_end_and_do_what_they_are_for() {
    for name in [ProgramName::LdCg, ProgramName::LdCs, ProgramName::LdCv, ProgramName::LdCa] {
        let mut device = device(2, 2);
        set(&mut device, Global, PLACE, 6);
        run(&mut device, load(name, 0, Global, PLACE, 2));
        assert_eq!(register(&device, 0, 2), 6, "{name:?}");
        let in_l1 = device.state.processors()[0].l1.line(PLACE).is_some();
        assert_eq!(in_l1, matches!(name, ProgramName::LdCa | ProgramName::LdCs), "{name:?}");
    }
    let stores =
        [ProgramName::StGlobalWb, ProgramName::StGlobalCs, ProgramName::StGlobalWt, ProgramName::StGlobalInOrder];
    for name in stores {
        let mut device = device(2, 2);
        assert_eq!(run(&mut device, store(name, 0, Global, PLACE, 6)), 2, "{name:?}");
        assert_eq!(device.state.l2().line(PLACE).expect("L2 has it").data()[0], 6, "{name:?}");
        assert_eq!(in_memory(&device, Global, PLACE) == 6, name == ProgramName::StGlobalWt, "{name:?}");
    }
    let mut device = device(2, 2);
    let place = device.state.start_of(Local);
    run(&mut device, store(ProgramName::StLocalWb, 0, Local, place, 6));
    run(&mut device, load(ProgramName::LdLocalLu, 0, Local, place, 2));
    // The rest of the line came from memory; the line went without a write-back, as it was the last use.
    assert_eq!((register(&device, 0, 2), device.state.processors()[0].l1.line(place)), (6, None));
    assert_eq!(in_memory(&device, Local, place), 0);
}
