use simt::prelude::*;

#[kernel]
fn wrong(n: u32, out: &mut [u32]) {
    let m;
    if n > 1 {
        m = 1;
    }
    out[0] = m;
}

#[kernel]
fn in_a_loop(n: u32, out: &mut [u32]) {
    let m;
    while out[0] < n {
        m = out[0];
        break;
    }
    out[0] = m;
}

#[kernel]
fn in_an_arm(n: u32, out: &mut [u32]) {
    let mut m: u32;
    match n {
        0 => m = 1,
        1 => {}
        _ => m = 2,
    }
    m += 1;
    out[0] = m;
}

fn main() {}
