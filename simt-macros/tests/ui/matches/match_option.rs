use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    match n.checked_add(1) {
        Some(m) => out[0] = m,
    }
}

fn main() {}
