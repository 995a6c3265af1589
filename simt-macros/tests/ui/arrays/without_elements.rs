use simt::prelude::*;
use std::sync::atomic::AtomicU32;

#[kernel]
fn of_a_thread(out: &mut [u32]) {
    let a = [0_u32; 0];
    let b: [u32; 0] = [];
    let mut c: [u32; 0];
    let d = [[0; 0]; 3];
    for v in [0_u32; 0] {
        out[0] = v;
    }
}

#[kernel]
fn of_a_block(out: &mut [u32]) {
    #[shared]
    let mut a: [u32; 0];
    #[shared]
    let mut b: [[u32; 3]; 0x0];
    #[shared]
    let c: [AtomicU32; 0_usize];
}

fn main() {}
