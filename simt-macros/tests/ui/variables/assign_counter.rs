use simt::prelude::*;

#[kernel]
fn wrong(out: &mut [usize]) {
    for i in 0..4 {
        i += 1;
        out[0] = i;
    }
}

fn main() {}
