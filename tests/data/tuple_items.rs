//! Patterns of tuples for items that are references to tuples.

use simt::prelude::*;

#[device]
fn combined<const N: usize, const K: usize>(y: &[f64; N], h: f64, terms: [(f64, [f64; N]); K]) -> [f64; N] {
    std::array::from_fn(|i| y[i] + h * terms.iter().map(|(c, k)| c * k[i]).sum::<f64>())
}

#[kernel]
fn read(x: &[(u32, f32)], rows: &[(u32, [f32; 2])], out: &mut [f64]) {
    let i = global_id();
    out[i] = combined(&[1.0, 2.0], 0.5, [(2.0, [3.0, 4.0]), (4.0, [1.0, 2.0])])[i];
    out[i] += x.iter().map(|(a, b)| *a as f64 + *b as f64).sum::<f64>();
    for (a, b) in x.iter() {
        out[i] += (*a as f32 * b) as f64;
    }
    for (a, row) in rows {
        out[i] += (*a as f32 * row[i]) as f64;
    }
    out[i] += rows.iter().map(|(a, row)| *a as f32 * row[1]).sum::<f32>() as f64;
    out[i] += rows.iter().filter(|(a, row)| *a > 1 && row[0] > 1.0).count() as f64;
    if let Some((a, row)) = rows.iter().max_by_key(|(a, _)| *a) {
        out[i] += *a as f64 + row[0] as f64;
    }
    if let Some((a, row)) = rows.iter().find(|(a, _)| *a == 1) {
        out[i] += *a as f64 + row[0] as f64;
    }
}

#[test]
fn parts_are_read() -> Result<(), LaunchError> {
    let mut out = [0.0; 2];
    let x = [(1, 2.0), (3, 4.0)];
    let rows = [(1, [1.0, 2.0]), (2, [3.0, 5.0])];
    Gpu::<Ipdom>::default().launch(Grid::new(1, 2), read(&x, &rows, &mut out))?;
    for i in 0..2 {
        let sum = [1.0, 2.0][i] + 0.5 * [6.0 + 4.0, 8.0 + 8.0][i];
        assert_eq!(out[i], sum + 10.0 + 14.0 + [1.0 + 6.0, 2.0 + 10.0][i] + 12.0 + 1.0 + 5.0 + 2.0);
    }
    Ok(())
}

macro_rules! twice {
    ($($x:ident, $own:ident, $n:ident: $body:block)*) => {$(
        #[kernel]
        fn written($x: &mut [(u32, f32)], $n: usize) {
            let mut $own = [(1_u32, 1.5_f32), (2, 2.5)];
            $body
        }

        fn on_the_host($x: &mut [(u32, f32)], $n: usize) {
            let mut $own = [(1_u32, 1.5_f32), (2, 2.5)];
            $body
        }
    )*};
}
twice! {
    x, own, n: {
        for (a, b) in &mut own {
            *a += 1;
            *b *= 2.0;
        }
        for (i, (a, b)) in own.iter_mut().enumerate() {
            *a += i as u32;
            *b += 1.0;
        }
        for (a, b) in x.iter_mut().take(n) {
            *a += own[1].0;
            *b += own[0].1;
        }
        x.iter_mut().for_each(|(a, _)| *a += 1);
        for ((a, b), (c, d)) in x.iter_mut().zip(own.iter()) {
            *a += *c;
            *b += d;
        }
        for (i, (a, _)) in x.iter_mut().enumerate() {
            *a += i as u32;
        }
    }
}

#[test]
fn parts_are_written() -> Result<(), LaunchError> {
    let mut x = [(1, 2.0), (3, 4.0), (5, 6.0)];
    let mut expected = x;
    Gpu::<Ipdom>::default().launch(Grid::new(1, 1), written(&mut x, 2))?;
    on_the_host(&mut expected, 2);
    assert_eq!(x, expected);
    Ok(())
}
