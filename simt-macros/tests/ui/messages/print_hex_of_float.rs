use simt::prelude::*;

#[kernel]
fn wrong(x: f32) {
    println!("{x:#x}");
}

fn main() {}
