//! Closures that give iterators, ranges and arrays: `for i in mine()`.

use simt::prelude::*;

#[kernel]
fn given(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    let mine = || (i..x.len()).step_by(3);
    let near = |v: usize| x[v.saturating_sub(1)..(v + 2).min(x.len())].iter();
    let odd = |from: usize| {
        let start = from + 1;
        x.iter().skip(start).filter(|&&v| v % 2 == 1)
    };
    let squares = |n: u32| (0..n).map(move |v| v * v);
    let mut sum = 0;
    for k in mine() {
        sum += x[k];
        for v in near(k) {
            sum += *v;
        }
    }
    let a: u32 = near(i).sum();
    let b = odd(i).count() as u32;
    let c: u32 = squares(i as u32).zip(mine()).map(|(s, k)| s * k as u32).sum();
    let mut it = squares(5);
    let d = it.next().unwrap_or(7) + it.next().unwrap_or(7);
    out[i] = sum + a * 1000 + b * 100_000 + c + d;
}
#[test]
fn closures_give_iterators() {
    everywhere!(|gpu| {
        let x: Vec<u32> = vec![3, 1, 4, 1, 5, 9, 2, 6];
        let mut out = vec![0; 8];
        gpu.launch(Grid::new(1, 8), given(&x, &mut out)).unwrap();
        let want: Vec<u32> = (0..8usize)
            .map(|i| {
                let mine = || (i..x.len()).step_by(3);
                let near = |v: usize| x[v.saturating_sub(1)..(v + 2).min(x.len())].iter();
                let odd = |from: usize| x.iter().skip(from + 1).filter(|&&v| v % 2 == 1);
                let squares = |n: u32| (0..n).map(move |v| v * v);
                let mut sum = 0;
                for k in mine() {
                    sum += x[k];
                    for v in near(k) {
                        sum += *v;
                    }
                }
                let a: u32 = near(i).sum();
                let b = odd(i).count() as u32;
                let c: u32 = squares(i as u32).zip(mine()).map(|(s, k)| s * k as u32).sum();
                sum + a * 1000 + b * 100_000 + c + 1
            })
            .collect();
        assert_eq!(out, want);
    });
}

#[kernel]
fn arrays(out: &mut [u32]) {
    let i = global_id() as u32;
    let around = |v: u32| [v.wrapping_sub(1), v + 1];
    let range = |v: u32| v..2 * v;
    for v in around(i) {
        out[i as usize] = out[i as usize].wrapping_add(v);
    }
    for v in range(i) {
        out[i as usize] += v * 10;
    }
}
#[test]
fn closures_give_arrays() {
    everywhere!(|gpu| {
        let mut out = vec![0; 4];
        gpu.launch(Grid::new(1, 4), arrays(&mut out)).unwrap();
        assert_eq!(out, [0, 12, 54, 126]);
    });
}
