use simt::prelude::*;

#[device]
fn up(n: &mut u32) {
    *n += 1;
}

#[kernel]
fn by_if(out: &mut [u32]) {
    let mut a = 1;
    let mut b = 2;
    let r = if out[0] > 3 { &mut a } else { &mut b };
    *r += 1;
    out[1] = a + b;
}

#[kernel]
fn by_match(out: &mut [u32]) {
    let mut a = 1;
    let mut b = 2;
    up(match out[0] {
        3 => &mut a,
        _ => &mut b,
    });
    out[1] = a + b;
}

#[derive(Clone, Copy, KernelData)]
struct P {
    at: u32,
}

#[kernel]
fn of_a_struct(out: &mut [u32]) {
    let mut a = P { at: 1 };
    let mut b = P { at: 2 };
    let r = if out[0] > 3 { &mut a } else { &mut b };
    out[1] = r.at;
}

fn main() {}
