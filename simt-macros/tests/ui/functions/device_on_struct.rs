use simt::prelude::*;

#[device]
struct Wrong;

fn main() {
    let _ = Wrong;
}
