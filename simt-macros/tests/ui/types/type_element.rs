use simt::prelude::*;

#[kernel]
fn wrong(text: &[String], out: &mut [usize]) {
    out[0] = text.len();
}

fn main() {}
