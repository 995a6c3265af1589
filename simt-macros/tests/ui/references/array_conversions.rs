use simt::prelude::*;

#[device]
fn three(a: &[u32; 3]) -> u32 {
    a[0] + a[2]
}

#[kernel]
fn not_unwrapped(x: &[u32], out: &mut [u32]) {
    out[0] = three(x[..3].try_into());
}

#[kernel]
fn of_a_number(n: u32, out: &mut [u32]) {
    out[0] = three(n.try_into().unwrap());
}

#[kernel]
fn of_other_elements(x: &[u8], out: &mut [u32]) {
    out[0] = three(x[..3].try_into().unwrap());
    let a: &[u32; 2] = x[..2].try_into().unwrap();
    out[1] = a[0];
}

fn main() {}
