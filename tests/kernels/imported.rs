//! Functions of `std` by the names that `use` gives them: `min`, `max`, `swap`, `replace`, `take`.

use simt::prelude::*;
use std::cmp::{max, min};
use std::mem::{replace, swap, take};

#[derive(Clone, Copy, Debug, Default, Eq, KernelData, Ord, PartialEq, PartialOrd)]
struct P {
    a: u32,
    b: i32,
}

#[device]
fn moved(x: &mut [u32], p: &mut P, i: usize) -> u32 {
    swap(&mut x[i], &mut p.a);
    let most = max(p.a, p.b as u32);
    min(most, most) + take(&mut p.b) as u32 + replace(&mut x[(i + 1) % 3], 7) + x[i]
}

kernels! {
    fn of_numbers(x: &[u32], out: &mut [u32]) {
        use core::cmp::{max, min as least};
        let i = global_id();
        let mut n = 0;
        let ordered = max({ n += 1; n * x[i] }, { n += 2; n * 7 }) + n;
        if least(i, 2) == 0 && max(i, 1) == 1 {
            out[i] = 1000;
        }
        out[i] += ordered + least(x[least(i, 3)], max(1, x[0])) + least(true, x[i] > 3) as u32;
        out[i] += max((1u32, x[i] as i32), (1, 9)).1 as u32 + least(i, 3usize.max(2)) as u32;
    }

    fn of_places(x: &[u32], out: &mut [u32]) {
        use std::mem::{replace, swap, take};
        let i = global_id();
        let mut a = [1u32, 2];
        let (mut b, mut o) = (x[i], Some(3u32));
        swap(&mut a[i % 2], &mut b);
        let mut k = 0;
        swap(&mut a[{ k += 1; k }], &mut b);
        let old = replace(&mut a[0], b + 1);
        let taken = take(&mut o);
        let mut p = Some(x[0]).or(taken);
        swap(&mut o, &mut p);
        out[i] = a[0] * 10 + a[1] * 100 + b + old + taken.unwrap_or(1) + o.unwrap_or(5) + p.unwrap_or(6);
    }
}
same!(of_numbers of_places);

#[kernel]
fn of_structs(out: &mut [u32]) {
    let mut x = [5, 6, 7];
    let (p, q) = (P { a: 1, b: 2 }, P { a: 1, b: 3 });
    let (mut v, mut w) = (min(q, p), max(p, q));
    swap(&mut v, &mut w);
    out[0] = v.b as u32 * 10 + w.b as u32;
    let old = take(&mut v);
    out[0] += old.b as u32 * 100 + (v == P::default()) as u32 * 1000;
    out[1] = moved(&mut x, &mut w, 1) + w.a * 100;
}

#[test]
fn structs_are_ordered_and_exchanged() {
    everywhere!(|gpu| {
        let mut out = [0; 2];
        gpu.launch(Grid::new(1, 1), of_structs(&mut out)).unwrap();
        assert_eq!(out, [1332, 6 + 2 + 7 + 1 + 600]);
    });
}

mod own {
    use simt::prelude::*;

    #[device]
    fn min(a: u32, b: u32) -> u32 {
        a * b
    }

    #[device]
    fn swap(a: &mut u32, b: &mut u32) {
        *a += *b;
    }

    fn max<T: Ord>(a: T, _: T) -> T {
        a
    }

    #[kernel]
    pub(super) fn named(out: &mut [u32]) {
        let (mut a, mut b) = (3, 4);
        swap(&mut a, &mut b);
        let max = |a: u32, b: u32| a - b;
        out[0] = min(a, b) + max(9, 2);
    }

    #[kernel]
    pub(super) fn of_the_host(out: &mut [u32]) {
        out[0] = max(out[0], 3);
    }
}

/// What a name means rustc finds out: a function of the user's is never taken for that of `std`.
#[test]
fn own_functions_have_these_names() {
    let mut out = [0];
    Gpu::<Ipdom>::default().launch(Grid::new(1, 1), own::named(&mut out)).unwrap();
    assert_eq!(out, [7 * 4 + 7]);
    let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 1), own::of_the_host(&mut out)).unwrap_err().to_string();
    assert!(error.contains("own::max` cannot be called in a kernel: write `#[device]` above the function"), "{error}");
}
