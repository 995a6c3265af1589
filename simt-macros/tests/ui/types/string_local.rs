use simt::prelude::*;

#[kernel]
fn k(out: &mut [u32]) {
    let i = global_id();
    let name = String::from("hi");
    out[i] = name.len() as u32;
}

fn main() {}
