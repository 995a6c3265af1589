//! Accesses of arrays by all lanes at once, compared with one lane after the other.

mod by_address;

use super::super::isa::Portable;
use crate::lanes::Registers;
use crate::memory::Memory;
use crate::plan::Place;
use crate::plan::{Access, AtomicAccess, Target};
use proptest::prelude::*;
use simt_core::ops::{AtomicOp, atomic_meaning};
use simt_core::program::{Array, ArraySpace};
use simt_core::{LaneMask, ScalarType};

/// Rows: 1 of words has the indices, 2 of words and 0 of wide words and predicates the values, the next gets the results.
const INDEX: u16 = 1;
const LENGTH: u32 = 100;

fn memory(element: ScalarType, space: ArraySpace, width: usize) -> Memory<'static> {
    let array = Array::new("a", element, LENGTH, space);
    let mut memory = Memory::new(vec![], &[array], width, 2).expect("no argument is refused");
    memory.begin_block(3);
    memory.select_warp(1);
    memory
}

fn places(element: ScalarType) -> (Place, Place) {
    match element.bits() {
        1 => (Place::Predicate(0), Place::Predicate(1)),
        64 => (Place::Wide(0), Place::Wide(1)),
        _ => (Place::Word(2), Place::Word(3)),
    }
}

/// Registers of `width` lanes with indices, and values that are lane numbers, in a form that the type has.
fn registers(width: usize, mask: LaneMask, indices: &[u32], value: Place, salt: u64) -> Registers {
    let mut registers = Registers::new(width, 4, 2, 2);
    for (lane, &index) in indices.iter().enumerate().take(width) {
        registers.set(Place::Word(INDEX), lane, index.into());
        registers.set(value, lane, (lane as u64).wrapping_mul(salt));
    }
    registers.activate(mask);
    registers
}

/// The indices of lanes: neighbours, also from below zero, one index for all, any, and sometimes one beyond the end.
fn indices() -> impl Strategy<Value = Vec<u32>> {
    prop_oneof![
        (0..LENGTH).prop_map(|first| (0..64).map(|lane| first + lane).collect()),
        (1..64u32).prop_map(|back| (0..64u32).map(|lane| lane.wrapping_sub(back)).collect()),
        (0..LENGTH + 3).prop_map(|same| vec![same; 64]),
        prop::collection::vec(0..LENGTH, 64),
        prop::collection::vec(0..LENGTH + 20, 64),
    ]
}

fn masks() -> impl Strategy<Value = u64> {
    prop_oneof![Just(u64::MAX), any::<u64>(), (0..64u32).prop_map(|lane| 1 << lane)]
}

const TYPES: [ScalarType; 4] = [ScalarType::U32, ScalarType::F64, ScalarType::Bool, ScalarType::I8];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn lanes_together_do_what_lanes_one_by_one_would(
        width in prop::sample::select(vec![4usize, 8, 16, 32, 64]),
        ty in prop::sample::select(TYPES.to_vec()),
        space in prop::sample::select(vec![ArraySpace::Shared, ArraySpace::Local]),
        rounds in prop::collection::vec((indices(), masks(), any::<u64>(), any::<bool>()), 1..6),
    ) {
        let (value, dst) = places(ty);
        let (mut together, mut alone) = (memory(ty, space, width), memory(ty, space, width));
        for (indices, mask, salt, store) in rounds {
            let mask = LaneMask(mask) & LaneMask::first(width);
            if mask.is_empty() {
                continue;
            }
            let mut rows = registers(width, mask, &indices, value, salt);
            let before: Vec<u64> = (0..width).map(|lane| rows.get(dst, lane)).collect();
            let values: Vec<u64> = (0..width).map(|lane| rows.get(value, lane)).collect();
            let access = if store {
                Access::Store { slot: 0, index: INDEX, value }
            } else {
                Access::Load { slot: 0, index: INDEX, dst }
            };
            let fault = access.run(&mut rows, &mut together, Portable);
            let array = alone.array_mut(0).expect("there is one array");
            let is_there = |lane: &usize| {
                let index = indices[*lane] as usize;
                if store { index < LENGTH as usize } else { array.get(index, *lane).is_some() }
            };
            let expected = mask.lanes().find(|lane| !is_there(lane));
            prop_assert_eq!(fault, expected);
            if fault.is_some() {
                break;
            }
            for lane in 0..width {
                if !mask.contains(lane) {
                    prop_assert_eq!(rows.get(dst, lane), before[lane]);
                } else if store {
                    array.set(indices[lane] as usize, lane, values[lane]);
                } else {
                    prop_assert_eq!(Some(rows.get(dst, lane)), array.get(indices[lane] as usize, lane));
                }
            }
        }
        for lane in 0..width {
            for index in 0..LENGTH as usize {
                let element = |memory: &Memory<'_>| memory.array(0).and_then(|array| array.get(index, lane));
                prop_assert_eq!(element(&together), element(&alone));
            }
        }
    }
}

#[test]
fn atomics_see_what_lower_lanes_did() {
    let element = ScalarType::I64;
    let mut memory = memory(element, ArraySpace::Shared, 8);
    let mut rows = registers(8, LaneMask(0b0111_0110), &[5; 64], Place::Wide(0), 10);
    let mut atomic = AtomicAccess {
        op: AtomicOp::Add,
        meaning: atomic_meaning(AtomicOp::Add, element),
        target: Target::Array,
        slot: 0,
        index: Place::Word(INDEX),
        operands: [Some(Place::Wide(0)), None],
        // The results take the place of the operands.
        dst: Some(Place::Wide(0)),
    };
    assert_eq!(
        Access::Atomic(atomic).run(&mut rows, &mut memory, Portable),
        Some(1),
        "nothing is there to be added to"
    );
    memory.array_mut(0).expect("there is one array").set(5, 0, 1000);
    assert_eq!(Access::Atomic(atomic).run(&mut rows, &mut memory, Portable), None);
    let results: Vec<u64> = (0..8).map(|lane| rows.get(Place::Wide(0), lane)).collect();
    assert_eq!(results, [0, 1000, 1010, 30, 1030, 1070, 1120, 70]);
    assert_eq!(memory.array(0).and_then(|array| array.get(5, 0)), Some(1180));

    atomic.op = AtomicOp::Store;
    atomic.meaning = atomic_meaning(AtomicOp::Store, element);
    atomic.dst = None;
    rows.set(Place::Word(INDEX), 4, 99);
    assert_eq!(
        Access::Atomic(atomic).run(&mut rows, &mut memory, Portable),
        None,
        "a store does not mind what was there"
    );
    assert_eq!(memory.array(0).and_then(|array| array.get(99, 0)), Some(1030));
    rows.set(Place::Word(INDEX), 2, 100);
    assert_eq!(Access::Atomic(atomic).run(&mut rows, &mut memory, Portable), Some(2));
}
