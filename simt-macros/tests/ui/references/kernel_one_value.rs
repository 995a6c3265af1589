use simt::prelude::*;
use std::sync::atomic::AtomicU32;

#[derive(Clone, Copy, KernelData)]
struct Rows<'a> {
    rows: &'a [u32],
}

#[kernel]
fn references_to_references(x: &&u32, y: &mut &mut u32) {}

#[kernel]
fn atomic(x: &mut AtomicU32) {}

#[kernel]
fn nothing(x: &mut ()) {}

#[kernel]
fn constant(#[constant] x: &u32, #[constant] y: &mut u32) {}

#[kernel]
fn changing(mut x: &mut u32) {}

#[kernel]
fn of_references(x: &Rows<'_>, y: &mut Rows<'_>) {}

#[kernel]
fn of_any(x: &impl Iterator, y: &mut dyn Copy, z: &mut String) {}

fn main() {}
