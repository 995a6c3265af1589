use simt::prelude::*;

#[device]
fn add<T>(a: T, b: T) -> T { a + b }
#[kernel]
fn k<T: Num>(x: &[T], out: &mut [T]) {
    let i = global_id();
    out[i] = add(x[i], out[i]);
}

fn main() {}
