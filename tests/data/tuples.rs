//! Tuples: the text is compiled as plain Rust, too.

use simt::prelude::*;

const ORIGIN: (u32, f32) = (3, 0.5);

kernels! {
    fn patterns(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let (a, b) = (x[i], x[i] + 1);
        let (mut c, (d, _), e): (u32, (u32, bool), u64) = (a * 2, (b, a > b), 7);
        c += 1;
        let (a, b) = (b, a);
        let _ = (a, x[0]);
        out[i] = a + b * 10 + c * 100 + d * 1000 + e as u32;
    }

    fn swaps(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let (mut a, mut b) = (x[i], 5);
        (a, b) = (b, a);
        let mut c = 1;
        for _ in 0..x[i] % 8 {
            (a, b, c) = (b, c, (a + b) % 100);
        }
        (out[i], a) = (a, out[i] + b);
        ((b, _), c) = ((a + c, 1), b);
        out[i] += a * 100 + b * 1000 + c * 3;
    }

    fn fields(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let t = (x[i], 2.5f32, (x[i] > 5, 7));
        let mut u = t;
        u.0 += 3;
        u.2.1 = u.0 * 2;
        u.1 *= 2.0;
        let v = u;
        u = (1, v.1, (false, u.2.1));
        u.2 = (v.2.0, u.0 + 5);
        let n = (x[i], 1).0 + ((2, 3), 4).0.1 + ORIGIN.0;
        out[i] = n + t.0 + u.0 + v.0 + (u.1 + v.1 + ORIGIN.1) as u32 + u.2.1 + v.2.1 * 10 + u.2.0 as u32;
    }

    fn values(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let n = x[i];
        let pair = if n > 10 { (n, true) } else { let m = n + 1; (m * 2, false) };
        let (q, r) = match pair { (k, true) => (k / 3, k % 3), (0..=5, _) => (1, 2), _ => (n, n) };
        let found = loop {
            break (q + 1, (r, pair.1));
        };
        let block = 'b: {
            if n % 2 == 0 { break 'b (1, 2.0); }
            (2, n as f32)
        };
        let shadow = { let t = (n, found); t.1 };
        out[i] = q + r * 10 + found.0 * 100 + shadow.1.0 + found.1.1 as u32 + block.0 + block.1 as u32;
    }

    fn order(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut n = x[i];
        let t = (n, { n += 1; n }, n, { n *= 2; n });
        let (a, b) = ({ n += 1; n }, n);
        let mut u = (1, 2);
        u = (u.1, u.0 + n);
        out[i] = t.0 + t.1 * 10 + t.2 * 100 + t.3 * 1000 + a + b + u.0 + u.1;
    }
}
same! { patterns swaps fields values order }

#[kernel]
fn inferred(out: &mut [u64]) {
    // The types of the parts follow from a later line.
    let mut t = (0, 1);
    for _ in 0..3 {
        t = (t.1, t.0 + t.1);
    }
    let k = if out[0] == 0 { (1, 2) } else { (3, 4) };
    out[k.0] = t.0;
    out[0] = t.1 + k.1;
}

#[test]
fn types_of_parts_are_inferred() {
    let mut out = [0; 2];
    assert!(Gpu::<Ipdom>::default().launch(Grid::new(1, 1), inferred(&mut out)).is_ok());
    assert_eq!(out, [5, 2]);
}
