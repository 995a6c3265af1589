use simt::prelude::*;

#[kernel]
struct Wrong;

fn main() {
    let _ = Wrong;
}
