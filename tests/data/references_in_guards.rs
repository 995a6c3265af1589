//! Names of patterns that are references, in guards and behind `&&`: `if byte.eq_ignore_ascii_case(other)`.

use simt::prelude::*;
#[device]
fn same(a: &u8, b: &u8) -> bool {
    *a == *b
}
#[kernel]
fn guards(x: &[u8], y: &[u8], out: &mut [u32]) {
    let i = global_id();
    out[i] = match (&x[i..], &y[i..]) {
        ([], _) | (_, []) => 0,
        ([a, ..], [b, ..]) if same(a, b) => 1,
        ([a, ..], [b, rest @ ..]) if a.eq_ignore_ascii_case(b) => 2 + rest.len() as u32,
        ([a, ..], [b, ..]) if a < b => {
            if same(a, b) {
                50
            } else {
                60
            }
        }
        ([a, ..], [b, ..]) => {
            if same(a, b) {
                5
            } else if a.eq_ignore_ascii_case(b) {
                7
            } else {
                6
            }
        }
    };
    if let [a, b, ..] = &x[i..]
        && same(a, b)
    {
        out[i] += 100;
    }
    if let Some(a) = x.get(i)
        && let Some(b) = y.first()
        && same(a, b)
    {
        out[i] += 1000;
    }
    if let Some((a, _)) = x.split_first()
        && a.eq_ignore_ascii_case(&y[i])
    {
        out[i] += 10000;
    }
}
#[test]
fn references_in_guards() {
    everywhere!(|gpu| {
        let (x, y) = (b"aABbcc", b"aaBBdb");
        let mut out = [0; 6];
        gpu.launch(Grid::new(1, 6), guards(x, y, &mut out)).unwrap();
        assert_eq!(out, [11001, 14 + 10000 - 8, 1, 4, 160, 6]);
    });
}
