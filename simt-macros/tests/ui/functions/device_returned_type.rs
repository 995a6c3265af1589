use simt::prelude::*;

#[device]
fn wrong(n: u32) -> u32 {
    if n > 3 {
        return 1.5;
    }
    n
}

fn main() {}
