use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct Silent(u32);

#[derive(Clone, Copy, Debug, KernelData)]
struct Loud(u32);

#[kernel]
fn silent(n: u32) {
    println!("{:?}", Silent(n));
}

#[kernel]
fn displayed(n: u32) {
    println!("{}", Loud(n));
}

#[kernel]
fn hexadecimal(n: u32) {
    println!("{:x}", Some(n));
}

#[kernel]
fn unwrapped(n: u32, out: &mut [u32]) {
    let result: Result<u32, Silent> = Err(Silent(n));
    out[0] = result.unwrap();
}

#[kernel]
fn compared(n: u32) {
    assert_eq!(Loud(n), Loud(3));
}

fn main() {}
