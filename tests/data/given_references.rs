//! Items of what functions, fields and methods give, which may be references: `for &w in self.weights`.

use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct Csr<'a> {
    rows: &'a [u32],
    weights: &'a [u32; 4],
    own: [u32; 3],
}
#[device]
impl Csr<'_> {
    fn sum(&self) -> u32 {
        let mut sum = 0;
        for &w in self.weights {
            sum += w;
        }
        for w in self.weights {
            sum += *w;
        }
        for w in self.weights.iter() {
            sum += *w;
        }
        for &r in self.rows {
            sum += r;
        }
        for r in self.rows {
            sum += *r;
        }
        for o in self.own {
            sum += o;
        }
        for o in &self.own {
            sum += *o;
        }
        for (k, &w) in self.weights.iter().enumerate() {
            sum += w * k as u32;
        }
        sum
    }
    fn all(&self) -> impl Iterator<Item = &u32> {
        self.rows.iter().chain(self.weights.iter())
    }
}
#[device]
fn even(x: &[u32]) -> impl Iterator<Item = &u32> {
    x.iter().filter(|v| **v % 2 == 0)
}

#[kernel]
fn fields(x: &[u32], w: &[u32; 4], out: &mut [u32]) {
    let i = global_id();
    let csr = Csr { rows: &x[..i], weights: w, own: [1, 2, i as u32] };
    let mut sum = csr.sum();
    for v in csr.all() {
        sum += *v;
    }
    for &v in csr.all() {
        sum += v;
    }
    for v in even(x) {
        sum += *v * 2;
    }
    for &v in even(x) {
        sum += v;
    }
    sum += even(x).map(|&v| v).sum::<u32>() + even(x).map(|v| *v).max().unwrap_or(0);
    sum += csr.all().filter(|&&v| v > 2).count() as u32;
    out[i] = sum;
}
#[test]
fn references_that_are_given() {
    everywhere!(|gpu| {
        let x = [4, 7, 2, 9, 8, 1];
        let w = [1, 2, 3, 4];
        let mut out = [0; 6];
        gpu.launch(Grid::new(1, 6), fields(&x, &w, &mut out)).unwrap();
        let want: Vec<u32> = (0..6usize)
            .map(|i| {
                let csr = Csr { rows: &x[..i], weights: &w, own: [1, 2, i as u32] };
                let r: u32 = csr.rows.iter().sum();
                let ws: u32 = w.iter().sum();
                let sum = 3 * ws + 2 * r + 2 * (3 + i as u32) + (2 + 2 * 3 + 3 * 4);
                let e: u32 = x.iter().filter(|v| **v % 2 == 0).sum();
                let big = csr.rows.iter().chain(&w).filter(|v| **v > 2).count() as u32;
                sum + 2 * (r + ws) + 3 * e + e + 8 + big
            })
            .collect();
        assert_eq!(out[..], want);
    });
}
