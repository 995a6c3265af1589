use simt::prelude::*;

#[device]
fn wrong(n: u32) -> u32 {
    if n > 3 {
        return;
    }
    n
}

fn main() {}
