use simt::prelude::*;

#[kernel]
fn k(out: &mut [u32]) {
    let i = global_id();
    std::thread::spawn(|| { });
    out[i] = 1;
}

fn main() {}
