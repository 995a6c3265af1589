use simt::prelude::*;

#[device]
fn counted(n: u32) -> impl Iterator<Item = u32> {
    if n > 7 {
        return 0..7;
    }
    0..n
}

#[kernel]
fn sums(out: &mut [u32]) {
    out[0] = counted(out[1]).sum();
}

fn main() {}
