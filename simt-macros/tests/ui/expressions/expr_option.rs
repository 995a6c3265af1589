use simt::prelude::*;

#[kernel]
fn wrong(n: u32, x: &mut [u32]) {
    let best = None;
    let found = if n > 3 { Some(n) } else { None };
    x[0] = 1;
}

fn main() {}
