//! Bytes that nothing has written: memory and caches know of each, and loads find out.

use crate::scenario::{PLACE, add, device, load, register, run, set, store, store_shared};
use proptest::prelude::*;
use simt_runtime::environment::StateSpace::{Global, Shared};
use simt_runtime::environment::{
    Bytes, Environment, First, Level, Operation, Piece, ProgramName, Programs, Shape, SilentRule, outcomes,
};
use std::collections::BTreeSet;

/// A load of a word of the first line, which says as well whether all its bytes have values.
fn asked(name: ProgramName, processor: usize, address: u64) -> Operation {
    let offset = (address - PLACE) as usize;
    let pieces = vec![
        Piece::Loaded { register: 0, part: 0, offset, size: 4 },
        Piece::HasValue { register: 1, part: 0, offset, size: 4 },
    ];
    Operation::new(processor, Programs::default().get(name), Shape::load(Global, PLACE, 8)).with_results(pieces)
}

#[track_caller]
fn has_value(device: &mut Environment, name: ProgramName, processor: usize, address: u64) -> bool {
    run(device, asked(name, processor, address));
    register(device, processor, 1) == 1
}

/// A device whose first line has no values.
fn valueless() -> Environment {
    let mut device = device(2, 2);
    device.state.device_mut(Global).expect("it is there").forget(PLACE, 0xff);
    device
}

#[test]
fn bytes_without_values_go_through_caches() {
    let mut device = valueless();
    for name in [ProgramName::LdCa, ProgramName::LdCg, ProgramName::LdCv, ProgramName::LdCs] {
        assert!(!has_value(&mut device, name, 0, PLACE), "{name:?}");
    }
    // A store of one word leaves its neighbour without a value, in L2 and, once it is written back, in memory.
    run(&mut device, store(ProgramName::StGlobalWb, 1, Global, PLACE + 4, 0));
    for _ in 0..2 {
        assert!(has_value(&mut device, ProgramName::LdCv, 1, PLACE + 4));
        assert!(!has_value(&mut device, ProgramName::LdCv, 1, PLACE));
        // The old line is in the other's L1.
        assert!(!has_value(&mut device, ProgramName::LdCa, 0, PLACE + 4));
        for rule in [
            SilentRule::WriteBack { level: Level::L2, processor: 0, line: 0 },
            SilentRule::Evict { level: Level::L2, processor: 0, line: 0 },
        ] {
            device.silent(rule, &mut First).expect("no program is stuck");
        }
    }
    // The host writes.
    device.drain(&mut First).expect("everything ends");
    device.silent(SilentRule::Evict { level: Level::L2, processor: 0, line: 0 }, &mut First).expect("it is clean");
    set(&mut device, Global, PLACE, 3);
    assert!(has_value(&mut device, ProgramName::LdCa, 0, PLACE));
}

#[test]
fn an_atomic_gives_a_value_to_what_it_changes_alone() {
    let mut device = valueless();
    run(&mut device, add(0, Global, PLACE, 5, 0));
    assert!(has_value(&mut device, ProgramName::LdCa, 0, PLACE));
    assert_eq!(register(&device, 0, 0), 5);
    assert!(!has_value(&mut device, ProgramName::LdCa, 0, PLACE + 4));
}

#[test]
fn a_store_that_fills_a_part_of_a_line_before_the_load_does_is_a_value() {
    let mut device = valueless();
    device.issue(store(ProgramName::StGlobalWb, 1, Global, PLACE, 9)).expect("no registers");
    device.issue(asked(ProgramName::LdCa, 0, PLACE)).expect("it exists");
    let seen = outcomes(&device, true, 1 << 16, |device| (register(device, 0, 0), register(device, 0, 1)));
    assert_eq!(seen, Ok(BTreeSet::from([(0, 0), (9, 1)])), "both or neither");
}

#[test]
fn shared_memory_has_bytes_without_values_too() {
    let mut device = device(1, 1);
    device.state.processor_mut(0).expect("it is there").shared.bytes_mut().forget(0, 0xff);
    let asked = |device: &mut Environment| {
        let pieces = (0..2).map(|part| Piece::HasValue { register: part as u32, part, offset: 0, size: 4 }).collect();
        let shape = Shape::shared(vec![4, 0], vec![vec![0; 4]; 2]);
        let load = Operation::new(0, Programs::default().get(ProgramName::LdUncached), shape);
        run(device, load.with_results(pieces));
        [register(device, 0, 0), register(device, 0, 1)]
    };
    assert_eq!(asked(&mut device), [0, 0]);
    run(&mut device, store_shared(0, 0, 0));
    assert_eq!(asked(&mut device), [0, 1]);
    run(&mut device, add(0, Shared, 4, 1, 0));
    assert_eq!(asked(&mut device), [1, 1]);
    // A load that does not ask gets what is there.
    run(&mut device, load(ProgramName::LdCa, 0, Global, PLACE, 0));
    assert_eq!(register(&device, 0, 0), 0);
}

proptest! {
    /// Marks of bytes against a list, through loads of any place.
    #[test]
    fn each_byte_has_its_own_mark(
        steps in prop::collection::vec((0..60_u64, any::<u64>(), any::<bool>()), 1..20),
        asked in 0..57_u64,
    ) {
        let mut device = device(1, 1);
        let mut plain = [true; 64];
        for (at, mask, forgets) in steps {
            let bytes: &mut Bytes = device.state.device_mut(Global).expect("it is there");
            let size = (64 - at).min(8);
            if forgets {
                bytes.forget(at, u128::from(mask));
            } else {
                bytes.set(at, &[7; 8][..size as usize], u128::from(mask)).expect("it lies there");
            }
            let reach = if forgets { 64 - at } else { size };
            (0..reach).filter(|byte| mask >> byte & 1 == 1).for_each(|byte| plain[(at + byte) as usize] = !forgets);
        }
        let pieces = (0..8).map(|byte| Piece::HasValue { register: byte as u32, part: 0, offset: byte, size: 1 }).collect();
        let shape = Shape::Device { address: asked, space: Global, cached: false, value: vec![0; 8], mask: !0 };
        run(&mut device, Operation::new(0, Programs::default().get(ProgramName::LdUncached), shape).with_results(pieces));
        for byte in 0..8 {
            prop_assert_eq!(register(&device, 0, byte) == 1, plain[(asked + u64::from(byte)) as usize]);
        }
    }
}
