use simt::prelude::*;

#[kernel]
fn wrong(n: u32, x: &[u32], out: &mut [u32]) {
    for value in n {
        out[0] += value;
    }
    for (i, value) in x {
        out[i] += value;
    }
    for i in x.iter().skip(n) {
        out[0] += *i;
    }
    for value in x.iter_mut() {
        *value += 1;
    }
}

#[kernel]
fn also_wrong(x: &[u32], out: &mut [u32]) {
    for value in x {
        *value = 1;
    }
    for value in out.iter_mut() {
        value += 1;
    }
    for (i, value) in x.iter().enumerate() {
        out[*i] = *value;
    }
    let table = [1.5, 2.5];
    for value in table {
        out[0] = value;
    }
}

#[kernel]
fn iterator_as_value(x: &[u32], out: &mut [u32]) {
    let all = x.iter().map(|v| v + 1).collect();
    let both = x.iter().fold(0, |v| v);
    let some = x.iter().any(|v| { return v > 3.0; });
}

#[kernel]
fn ends(x: &[f32], out: &mut [u32]) {
    let sum: u32 = x.iter().sum();
    let most = x.iter().copied().max();
    let some = x.iter().any(|v| *v);
}

fn main() {}
