//! Pointers to functions and to methods.

use super::{Run, arguments, everywhere};
use simt::Grid;
use simt::host::DeviceMemory;

/// Each thread has the operators of its expression in another order.
fn postfix(run: &Run) {
    const LENGTH: usize = 10;
    let letters = |thread: usize| [thread % 3, thread / 3 % 3, thread / 9 % 3];
    let expressions: Vec<u8> = (0..32)
        .flat_map(|thread| {
            let [first, second, third] = letters(thread).map(|operator| b'a' + operator as u8);
            [b'7', b'0' + (thread % 10) as u8, first, b'5', second, b'3', third, b' ', b' ', b' ']
        })
        .collect();
    assert_eq!(expressions.len(), 32 * LENGTH);
    let mut memory = DeviceMemory::new();
    let (text, out) = (memory.upload(&expressions).unwrap(), memory.upload(&[0_u32; 32]).unwrap());
    run.launch("postfix", Grid::new(1, 32), &mut memory, arguments![text, LENGTH as u32, out]);
    let operators = [u32::wrapping_add, u32::wrapping_mul, u32::wrapping_sub];
    let expected: Vec<u32> = (0..32)
        .map(|thread| {
            let [first, second, third] = letters(thread).map(|operator| operators[operator]);
            third(second(first(7, thread as u32 % 10), 5), 3)
        })
        .collect();
    assert_eq!(memory.read::<u32>(out, 32).unwrap(), expected, "{run}");
}

/// Virtual methods, one of which takes a struct and returns one.
fn shapes(run: &Run) {
    let mut memory = DeviceMemory::new();
    let out = memory.upload(&[0_i32; 32]).unwrap();
    run.launch("shapes", Grid::new(1, 32), &mut memory, arguments![out]);
    let expected: Vec<i32> = (0..32)
        .map(|i| {
            let (area, least, size) = if i % 3 == 0 { (i * i, i, 8) } else { (i * 3, 0, 10) };
            2 * area + least * 1000 + size * 100
        })
        .collect();
    assert_eq!(memory.read::<i32>(out, 32).unwrap(), expected, "{run}");
}

/// Pointers to methods have the lowest bit for those that are virtual.
fn methods(run: &Run) {
    let mut memory = DeviceMemory::new();
    let out = memory.upload(&[0_i32; 32]).unwrap();
    run.launch("methods", Grid::new(1, 32), &mut memory, arguments![out]);
    let expected: Vec<i32> = (0..32).map(|i| 5 * i * (1 + i % 2)).collect();
    assert_eq!(memory.read::<i32>(out, 32).unwrap(), expected, "{run}");
}

/// Functions that call each other by a table in memory.
fn rules(run: &Run) {
    let mut memory = DeviceMemory::new();
    let (out, table) = (memory.upload(&[0_u32; 64]).unwrap(), memory.alloc(2 * 3 * 8).unwrap());
    run.launch("rules", Grid::new(2, 32), &mut memory, arguments![out, table]);
    let steps = |mut n: u32| {
        let mut steps = 0;
        while n != 1 {
            n = if n.is_multiple_of(2) { n / 2 } else { 3 * n + 1 };
            steps += 1;
        }
        steps
    };
    let expected: Vec<u32> = (1..=64).map(steps).collect();
    assert_eq!(memory.read::<u32>(out, 64).unwrap(), expected, "{run}");
}

#[test]
fn operators_of_expressions() {
    everywhere("pointers", &["postfix"], postfix);
}

#[test]
fn virtual_methods() {
    everywhere("pointers", &["shapes"], shapes);
}

#[test]
fn pointers_to_methods() {
    everywhere("pointers", &["methods"], methods);
}

#[test]
fn recursion_through_pointers() {
    everywhere("pointers", &["rules"], rules);
}
