use simt::prelude::*;

#[kernel]
fn types(n: u32, out: &mut [u32]) {
    let a = n.checked_add(1);
    out[0] = a.unwrap_or(1.0);
    out[1] = a;
    out[2] = a + 1;
    out[3] = a.map(|x| x as f32).unwrap();
    let b: Option<f32> = Some(n);
}

#[kernel]
fn texts(n: u32, out: &mut [u32]) {
    let a = n.checked_add(1);
    out[0] = a.expect(n);
    out[1] = a.unwrap(3);
    out[2] = n.unwrap();
    out[3] = a.map(|x, y| x + y).unwrap_or(2);
    out[4] = Some(1, 2).unwrap();
    out[5] = a.and_then(|x| return x);
    out[6] = a.map(|x| x.checked_add(1)?).unwrap();
    while n > out[7] {
        out[7] = a.map(|x| if x > 3 { break } else { 1 }).unwrap_or(3);
    }
}

#[kernel]
fn untyped(out: &mut [u32]) {
    let none = None;
    out[0] = 1;
}

#[kernel]
fn cases(n: u32, out: &mut [u32]) {
    match n.checked_add(1) {
        Some(0) => out[0] = 1,
        None => out[0] = 2,
    }
}

#[kernel]
fn compared(n: u32, out: &mut [bool]) {
    out[0] = n.checked_add(1) == 3;
}

fn main() {}
