use simt::prelude::*;

#[kernel]
fn wrong(out: &mut [usize]) {
    for i in (0..4).rev().step_by(2).rev() {
        out[0] = i;
    }
}

fn main() {}
