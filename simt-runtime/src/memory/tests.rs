//! The data that go back to the caller, and those that do not.

use super::*;
use simt_core::Atomic;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicIsize, AtomicU32};
use std::sync::{Arc, Mutex};

fn memory(arguments: Vec<Argument<'_>>) -> Memory<'_> {
    Memory::new(arguments, &[], 4, 1).expect("no argument is refused")
}

/// The bits of everything that threads can write.
fn image(memory: &Memory<'_>) -> Vec<u64> {
    let mut image = Vec::new();
    memory.show(&mut image);
    image
}

#[test]
fn a_rolled_back_slice_is_as_before() {
    let (mut floats, mut flags, mut sizes) = ([1.5f32, 2.5], [true, false], [7usize]);
    let mut memory = memory(vec![
        Argument::slice_mut(&mut floats),
        Argument::slice_mut(&mut flags),
        Argument::slice_mut(&mut sizes),
    ]);
    memory.keep();
    memory.write::<u32>(0).set(1, 0);
    memory.write::<u8>(1).set(0, 0);
    memory.write::<u32>(2).set(0, 0);
    drop(memory);
    assert_eq!((floats, flags, sizes), ([1.5, 2.5], [true, false], [7]));
}

#[test]
fn a_committed_slice_has_what_was_written() {
    let (mut bytes, mut flags, mut signed) = ([1i8], [true, false], [7isize]);
    let mut memory = memory(vec![
        Argument::slice_mut(&mut bytes),
        Argument::slice_mut(&mut flags),
        Argument::slice_mut(&mut signed),
    ]);
    memory.write::<u8>(0).set(0, 0xff);
    memory.write::<u8>(1).set(1, 1);
    memory.write::<u32>(2).set(0, u32::MAX);
    memory.commit();
    assert_eq!((bytes, flags, signed), ([-1], [true, true], [-1]));
}

#[test]
fn atomics_change_when_the_launch_has_succeeded_and_not_before() {
    let (wide, sizes, flags) = ([AtomicI64::new(-1)], [AtomicIsize::new(3)], [AtomicBool::new(false)]);
    let arguments = || vec![Argument::atomic(&wide), Argument::atomic(&sizes), Argument::atomic(&flags)];
    let now = || (wide[0].get(), sizes[0].get(), flags[0].get());
    let work = |memory: &mut Memory<'_>| {
        memory.write::<u64>(0).set(0, 5);
        memory.write::<u32>(1).set(0, -4i32 as u32);
        memory.write::<u8>(2).set(0, 1);
    };
    let mut failing = memory(arguments());
    work(&mut failing);
    drop(failing);
    assert_eq!(now(), (-1, 3, false));
    let mut succeeding = memory(arguments());
    work(&mut succeeding);
    assert_eq!(now(), (-1, 3, false));
    succeeding.commit();
    assert_eq!(now(), (5, -4, true));
}

#[test]
fn the_fields_of_structs_go_back_together() {
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Star {
        mass: u16,
        place: [f64; 2],
    }
    let before = [Star { mass: 1, place: [0.5, 1.5] }, Star { mass: 2, place: [2.5, 3.5] }];
    let mut stars = before;
    for succeeds in [false, true] {
        {
            let structs = Arc::new(Mutex::new(&mut stars[..]));
            let mut memory = memory(vec![
                Argument::column_mut(&structs, 1, |star, _| star.mass, |star, _, mass| star.mass = mass),
                Argument::column_mut(&structs, 2, |star, i| star.place[i], |star, i, x| star.place[i] = x),
            ]);
            assert_eq!(memory.length(1), 4);
            assert_eq!(memory.read::<u64>(1)[3], 3.5f64.to_bits());
            memory.write::<u16>(0).set(1, 9);
            memory.write::<u64>(1).set(2, (-1.0f64).to_bits());
            if succeeds {
                memory.commit();
            } else {
                drop(memory);
            }
        }
        let after = [before[0], Star { mass: 9, place: [-1.0, 3.5] }];
        assert_eq!(stars, if succeeds { after } else { before });
    }
    let column = memory(vec![Argument::column(&before, 1, |star: &Star, _| star.mass)]);
    assert_eq!(column.read::<u16>(0), [1, 2]);
}

/// A call with arguments that live for long is one with arguments that live for a shorter time, too.
#[test]
fn arguments_may_be_taken_for_shorter_ones() {
    fn shorter<'s>(argument: Argument<'static>, _: &'s u32) -> Argument<'s> {
        argument
    }
    let local = 1;
    assert_eq!(shorter(Argument::scalar(1u32), &local).slot.length(), 0);
}

#[test]
fn atomics_under_several_names_are_in_the_image_once_and_restart_together() {
    let all = [1, 2, 3].map(AtomicU32::new);
    let mut memory = memory(vec![Argument::atomic(&all[1..]), Argument::scalar(5u32), Argument::atomic(&all)]);
    assert_eq!(image(&memory), [1, 2, 3]);
    memory.atomics::<u32>(0).set(0, 7);
    assert_eq!(
        (memory.atomics::<u32>(2).words()[1], memory.bits(2, 1, 0), memory.bits(0, 0, 0)),
        (7, Some(7), Some(7))
    );
    assert_eq!((memory.bits(0, 2, 0), memory.length(0), memory.length(2)), (None, 2, 3));
    assert_eq!(image(&memory), [1, 7, 3]);
    assert_eq!((memory.place(0).memory, memory.place(0).start), (memory.place(2).memory, 1));
    memory.restart();
    assert_eq!(image(&memory), [1, 2, 3]);
    memory.atomics::<u32>(2).set(2, 9);
    memory.commit();
    assert_eq!(all.each_ref().map(Atomic::get), [1, 2, 9]);
}

#[test]
fn only_what_has_changed_is_stored() {
    let all = [const { AtomicU32::new(1) }; 200];
    let mut memory = memory(vec![Argument::atomic(&all[..150]), Argument::atomic(&all[100..])]);
    memory.atomics::<u32>(0).set(120, 2);
    memory.atomics::<u32>(1).set(99, 2);
    // Meanwhile the host changes the atomics.
    all.iter().for_each(|atomic| atomic.set(7));
    memory.commit();
    for (number, atomic) in all.iter().enumerate() {
        assert_eq!(atomic.get(), if [120, 199].contains(&number) { 2 } else { 7 }, "{number}");
    }
}

#[test]
fn of_parts_that_write_an_element_the_last_one_that_does_more_than_try_stays() {
    let mut words = [1_u32, 2, 3, 4];
    let mut all = memory(vec![Argument::slice_mut(&mut words)]);
    let joins = [Join::Last(Seen::All)];
    let base = all.base(&joins).expect("it has words only");
    let mut part = base.of_part(&[], 4, 1);
    let changes = [((1, 20), 3), ((2, 30), 1), ((3, 4), 2)].map(|((index, value), tried)| {
        part.set_bits(0, index, 0, value);
        part.tried(|part| {
            let before = part.bits(0, tried, 0).expect("there are four");
            part.set_bits(0, tried, 0, 99);
            part.set_bits(0, tried, 0, before);
        });
        part.take_changes(base, 4)
    });
    drop(part);
    all.apply(changes.into_iter());
    drop(all.commit());
    assert_eq!(words, [1, 20, 30, 4]);
}
