use simt::prelude::*;

#[kernel]
fn wrong(x: &[u32], y: &mut [u32]) {
    let o = Some(x[0]);
    let q = x.get(1..2);
    y.sort_unstable_by(|a, b| b.cmp(a));
    let u = y.partition_point(|| true);
    if let Some(v) = &mut y[0] && v.take().is_some() {
        *v += 1;
        y[1] = 2;
    }
    y[0] = o.map_or(0, |v| *v);
}

fn main() {}
