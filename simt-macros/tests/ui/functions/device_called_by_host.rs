use simt::prelude::*;

#[device]
fn double(n: u32) -> u32 {
    2 * n
}

fn main() {
    let n = double(3);
}
