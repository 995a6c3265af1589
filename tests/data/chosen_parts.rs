//! Parts of one slice, of which one is chosen: `x.chunks(n).nth(i).unwrap_or(&x[..0])`.

use simt::prelude::*;

#[kernel]
fn parts(x: &[u32], n: usize, out: &mut [u32]) {
    let i = global_id();
    let mut sum = 0;
    for v in x.chunks(n).nth(i).unwrap_or(&x[..0]) {
        sum += *v;
    }
    out[i] = sum;
    for v in x.chunks(n).nth(i).unwrap_or(&[]) {
        out[i] += v;
    }
    let part = x.chunks(n).nth(i).unwrap_or_default();
    out[i] += part.len() as u32;
    let part = if i % 2 == 0 { &x[1..3] } else { &x[2..] };
    out[i] += part[0];
    let part = match x.get(i..i + 2) {
        Some(p) => p,
        None => &x[..2],
    };
    out[i] += part.iter().sum::<u32>();
}

#[test]
fn of_one_slice() {
    everywhere!(|gpu| {
        let x: Vec<u32> = (0..50).collect();
        let mut out = vec![0; 64];
        gpu.launch(Grid::new(2, 32), parts(&x, 4, &mut out)).unwrap();
        let want: Vec<u32> = (0..64usize)
            .map(|i| {
                let c = x.chunks(4).nth(i).unwrap_or(&[]);
                let p = if i % 2 == 0 { &x[1..3] } else { &x[2..] };
                let q = match x.get(i..i + 2) {
                    Some(p) => p,
                    None => &x[..2],
                };
                c.iter().sum::<u32>() * 2 + c.len() as u32 + p[0] + q.iter().sum::<u32>()
            })
            .collect();
        assert_eq!(out, want);
    });
}
