//! Methods of fields of what a closure sees by reference: an item of memory, one of `.enumerate()` or `.zip(..)`, and what is
//! within these. The text is compiled as plain Rust, too.

use crate::support::host;
use simt::KernelData;
use simt::prelude::*;

#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq)]
struct Inner {
    r: i32,
    at: (u32, f32),
}

#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq)]
struct P {
    a: u32,
    b: f32,
    q: Inner,
    v: [i32; 3],
    m: Meters,
    o: Option<u32>,
}

#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq)]
struct Meters(f32);

#[device]
impl P {
    fn weight(&self) -> u32 {
        self.a % 7 + self.v[0].unsigned_abs()
    }
}

#[device]
impl Inner {
    fn size(&self, by: u32) -> u32 {
        self.r.unsigned_abs() + by
    }
}

/// Every third thing that it counts.
#[derive(Clone, Copy, KernelData)]
struct Thirds(u32);

#[device]
impl Iterator for Thirds {
    type Item = (u32, i32);

    fn next(&mut self) -> Option<Self::Item> {
        if self.0 > 30 {
            return None;
        }
        self.0 += 3;
        Some((self.0, 9 - self.0 as i32))
    }
}

alike! {
    fn of_structs(x: &[P], out: &mut [u32]) {
        let i = global_id();
        let x = &x[i..i + 7];
        out[i] = x.iter().filter(|p| p.b.is_finite()).count() as u32
            + x.iter().find(|p| p.b.abs() < 5.0).map_or(0, |p| p.a)
            + x.iter().take_while(|p| p.b.is_finite()).count() as u32
            + x.iter().skip_while(|p| p.b.is_finite()).count() as u32
            + x.iter().min_by_key(|p| p.a.abs_diff(9)).map_or(0, |p| p.a)
            + x.iter().max_by_key(|p| p.a.count_ones()).map_or(0, |p| p.a)
            + x.iter().min_by(|p, q| p.b.abs().total_cmp(&q.b.abs())).map_or(0, |p| p.a)
            + x.iter().max_by(|p, q| q.a.abs_diff(9).cmp(&p.a.abs_diff(9))).map_or(0, |p| p.a)
            + x.iter().position(|p| p.b.is_nan()).unwrap_or(20) as u32
            + x.iter().any(|p| p.b.is_nan()) as u32
            + x.iter().all(|p| p.b.is_nan()) as u32
            + x.iter().filter_map(|p| p.a.checked_sub(9)).sum::<u32>()
            + x.iter().map_while(|p| p.a.checked_sub(1)).sum::<u32>()
            + x.iter().find_map(|p| p.a.checked_sub(9)).unwrap_or(3);
    }

    fn of_fields_of_fields(x: &[P], out: &mut [u32]) {
        let i = global_id();
        let x = &x[i..i + 7];
        out[i] = x.iter().filter(|p| p.q.r.abs() < 5).count() as u32
            + x.iter().filter(|p| p.q.at.0.is_power_of_two()).count() as u32
            + x.iter().find(|p| p.q.at.1.abs() > 2.0).map_or(0, |p| p.a)
            + x.iter().min_by_key(|p| p.q.size(p.a)).map_or(0, |p| p.a)
            + x.iter().max_by_key(|p| p.weight()).map_or(0, |p| p.a)
            + x.iter().filter(|p| p.v[1].abs() < 6).count() as u32
            + x.iter().filter(|p| p.v.iter().sum::<i32>() > 3).count() as u32
            + x.iter().filter(|p| p.v.len() == 3 && p.v.contains(&4)).count() as u32
            + x.iter().take_while(|p| p.v[i % 3].is_positive()).count() as u32
            + x.iter().filter(|p| p.m.0.sqrt() < 2.0).count() as u32
            + x.iter().filter(|p| p.o.is_some()).count() as u32
            + x.iter().find(|p| p.o.unwrap_or(9).abs_diff(9) > 2).map_or(0, |p| p.a);
    }

    fn of_numbered(x: &[P], y: &[u32], out: &mut [u32]) {
        let i = global_id();
        let x = &x[i..i + 7];
        let y = &y[i..i + 7];
        out[i] = y.iter().enumerate().filter(|p| p.0.pow(2) < 9).map(|p| *p.1).sum::<u32>()
            + y.iter().enumerate().min_by_key(|p| p.1.count_ones()).map_or(0, |p| p.0 as u32)
            + y.iter().enumerate().max_by(|a, b| b.0.cmp(&a.0)).map_or(0, |p| *p.1)
            + y.iter().enumerate().min_by(|a, b| a.1.cmp(b.1)).map_or(0, |p| *p.1)
            + y.iter().enumerate().max_by(|a, b| a.1.cmp(b.1).then(b.0.cmp(&a.0))).map_or(0, |p| p.0 as u32)
            + y.iter().rev().enumerate().find(|p| p.1.is_power_of_two()).map_or(7, |p| p.0 as u32)
            + y.iter().skip(2).enumerate().take_while(|p| p.1.abs_diff(8) < 9).count() as u32
            + x.iter().enumerate().filter(|p| p.1.b.is_finite()).count() as u32
            + x.iter().enumerate().min_by_key(|p| p.1.q.at.0.abs_diff(p.0 as u32)).map_or(0, |p| p.0 as u32)
            + x.iter().enumerate().skip_while(|p| p.1.weight().pow(2) > 20).count() as u32
            + x.iter().enumerate().filter(|p| p.1.v[p.0 % 3].abs() > 2).count() as u32
            + x.iter().enumerate().position(|p| p.1.b.abs() > 2.0).unwrap_or(9) as u32
            + x.iter().enumerate().any(|p| p.0.pow(2) == 9 && p.1.b.is_finite()) as u32;
    }

    fn of_pairs(x: &[P], y: &[u32], t: &[(u32, i32)], out: &mut [u32]) {
        let i = global_id();
        let x = &x[i..i + 7];
        let y = &y[i..i + 7];
        let t = &t[i..i + 7];
        out[i] = y.iter().zip(x).filter(|p| p.0.abs_diff(p.1.a) < 9).count() as u32
            + y.iter().zip(y.iter().rev()).filter(|p| p.0.abs_diff(*p.1) < 9).count() as u32
            + y.iter().zip(t).enumerate().filter(|p| p.1.0.abs_diff(p.1.1.0) < 9).count() as u32
            + t.iter().filter(|p| p.0.abs_diff(9) < 9).count() as u32
            + t.iter().filter(|p| p.1.abs() < 4).map(|p| p.0).sum::<u32>()
            + t.iter().min_by_key(|p| p.1.unsigned_abs()).map_or(0, |p| p.0)
            + t.iter().max_by(|p, q| p.1.cmp(&q.1)).map_or(0, |p| p.0)
            + t.iter().max_by(|p, q| p.1.abs().cmp(&q.1.abs())).map_or(0, |p| p.0)
            + t.iter().zip(0..9u32).find(|p| p.0.1.abs() < 4 && p.1.pow(2) > 1).map_or(0, |p| p.1)
            + t.iter().enumerate().take_while(|p| p.1.1.abs() < 9).count() as u32;
    }

    fn of_pieces(x: &[P], y: &[u32], t: &[(u32, i32)], out: &mut [u32]) {
        let i = global_id();
        let x = &x[i..i + 7];
        let y = &y[i..i + 7];
        let t = &t[i..i + 7];
        out[i] = y.chunks(2).filter(|c| c.len() == 2 && c[0].abs_diff(c[1]) < 9).count() as u32
            + y.windows(3).filter(|w| w.iter().sum::<u32>() > 30).count() as u32
            + y.windows(2).enumerate().filter(|w| w.1[0].abs_diff(w.1[1]) < 9).count() as u32
            + y.chunks(2).enumerate().filter(|w| w.1.len() == 2 && w.1.iter().any(|v| v.is_power_of_two())).count() as u32
            + x.windows(2).filter(|w| w[0].b.abs() < w[1].b.abs()).count() as u32
            + t.chunks(3).map(|c| c.iter().filter(|p| p.1.abs() < 4).count() as u32).sum::<u32>();
    }

    fn of_others(x: &[P], y: &[u32], t: &[(u32, i32)], out: &mut [u32]) {
        let i = global_id();
        let x = &x[i..i + 7];
        let y = &y[i..i + 7];
        let t = &t[i..i + 7];
        let kept = x.iter().filter(|p| p.b.is_finite());
        out[i] = Thirds(0).filter(|p| p.1.abs() < 4).count() as u32
            + Thirds(i as u32).min_by_key(|p| p.1.abs()).map_or(0, |p| p.0)
            + Thirds(0).enumerate().filter(|p| p.1.1.abs() < p.0 as i32).count() as u32
            + x.iter().copied().filter(|p| p.q.r.abs() < 5).count() as u32
            + x.iter().map(|p| p.q).filter(|q| q.at.0.is_power_of_two()).count() as u32
            + x.iter().chain(x.iter().skip(1)).filter(|p| p.v[1].abs() < 6).count() as u32
            + x.iter().step_by(2).filter(|p| p.b.abs() < 3.0).max_by_key(|p| p.a.count_ones()).map_or(0, |p| p.a)
            + kept.clone().filter(|p| p.b.abs() < 3.0).count() as u32
            + kept.peekable().next_if(|p| p.a.is_power_of_two()).is_some() as u32
            + (0..9u32).zip(0..5u32).filter(|p| p.0.abs_diff(3) < p.1.pow(2)).count() as u32
            + y.iter().zip(t.iter().map(|p| p.1)).filter(|p| p.0.abs_diff(p.1.unsigned_abs()) < 9).count() as u32;
    }

    fn of_values(x: &[P], y: &[u32], t: &[(u32, i32)], out: &mut [u32]) {
        let i = global_id();
        let x = &x[i..i + 7];
        let y = &y[i..i + 7];
        let t = &t[i..i + 7];
        let mut sum = y.iter().enumerate().map(|p| p.1.pow(2) + p.0 as u32).sum::<u32>()
            + y.iter().enumerate().fold(0, |s, p| s * 3 % 1009 + p.1.count_ones())
            + t.iter().rev().position(|p| p.1.abs() < 3).unwrap_or(9) as u32
            + t.iter().rposition(|p| p.1.abs() < 3).unwrap_or(9) as u32
            + x.iter().filter(|p| x.iter().any(|q| q.a.abs_diff(p.a) == 1)).count() as u32
            + x.iter().filter(|p| y.iter().enumerate().any(|q| q.1.abs_diff(p.a) < q.0 as u32)).count() as u32
            + t.partition_point(|p| p.1.abs() < 5 && p.0.pow(2) < 500) as u32;
        for p in y.iter().zip(t) {
            sum += p.0.abs_diff(p.1.0);
        }
        let mut rest = t.iter().enumerate().filter(|p| p.1.1.abs() < 7);
        while let Some(p) = rest.next() {
            sum += p.1.0.pow(2) + p.0.pow(2) as u32;
        }
        if let Some(p) = x.iter().filter(|p| p.b.abs() < 5.0).max_by(|p, q| p.b.abs().total_cmp(&q.b.abs())) {
            sum += p.a.pow(2) + p.q.at.0.count_ones();
        }
        let best = y.iter().enumerate().min_by_key(|p| p.1.abs_diff(20)).unwrap();
        out[i] = sum + best.0.pow(2) as u32 + best.1.pow(2);
    }

    fn written(t: &[(u32, i32)], out: &mut [u32]) {
        let i = global_id();
        let mut own = [(0u32, 0i32); 4];
        for k in 0..4 {
            own[k] = t[i + k];
        }
        for p in own.iter_mut().filter(|p| p.1.abs() < 6) {
            p.0 += 100;
        }
        for (k, p) in own.iter_mut().enumerate().filter(|p| p.1.0.is_power_of_two() || p.0.pow(2) == 4) {
            p.1 += k as i32;
        }
        let mut sorted = own;
        sorted.sort_by_key(|p| p.1.abs());
        let first = sorted[0].0;
        sorted.sort_by(|p, q| q.1.abs().cmp(&p.1.abs()));
        out[i] = own.iter().map(|p| p.0 + p.1.unsigned_abs()).sum::<u32>() + first + sorted[0].0;
    }
}

#[test]
fn methods_of_fields_of_items() {
    let x: Vec<P> = (0..40u32)
        .map(|i| P {
            a: i * 7 % 23,
            b: if i % 5 == 3 { f32::NAN } else { i as f32 * 0.5 - 9.0 },
            q: Inner { r: i as i32 % 11 - 5, at: (i * 3 % 17, i as f32 - 20.0) },
            v: [i as i32 % 7 - 3, 9 - i as i32 % 13, i as i32 % 5],
            m: Meters((i % 9) as f32),
            o: (i % 3 == 0).then_some(i % 12),
        })
        .collect();
    let y: Vec<u32> = (0..40).map(|i| i * 11 % 37).collect();
    let t: Vec<(u32, i32)> = (0..40).map(|i| (i * 5 % 29, (i * 7 % 19) as i32 - 9)).collect();
    macro_rules! compared {
        ($($name:ident($($given:ident)*))*) => {$(
            let grid = Grid::new(3, 11);
            let mut expected = vec![0; 33];
            host::run(grid, || plain::$name($(&$given,)* &mut expected));
            everywhere!(|gpu| {
                let mut out = vec![0; 33];
                gpu.launch(grid, $name($(&$given,)* &mut out)).unwrap();
                assert_eq!(out, expected, stringify!($name));
            });
            assert!(expected.iter().any(|&value| value != expected[0]), stringify!($name));
        )*};
    }
    compared! {
        of_structs(x) of_fields_of_fields(x) of_numbered(x y) of_pairs(x y t) of_pieces(x y t) of_others(x y t)
        of_values(x y t) written(t)
    }
}
