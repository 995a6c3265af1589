use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct P {
    a: u32,
    b: u32,
}

#[device]
fn add(a: &mut u32, b: &u32) {
    *a += *b;
}

#[device]
fn both(p: &mut P, a: &mut u32) {
    p.a += *a;
}

#[kernel]
fn without_star(total: &mut u32, limit: &u32, out: &mut [u32]) {
    out[0] = total;
    out[1] = *limit;
}

#[kernel]
fn assigned(total: &mut u32) {
    total += 1;
    total = 5;
}

#[kernel]
fn lent_twice(total: &mut u32, p: &mut P) {
    add(total, total);
    both(p, &mut p.a);
    add(&mut p.a, &p.b);
    add(&mut *total, &*total);
    both(&mut *p, total);
}

#[kernel]
fn only_read(total: &u32) {
    add(total, &1);
    let r = &mut *total;
    *r += 1;
}

fn main() {}
