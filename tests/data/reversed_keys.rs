//! `std::cmp::Reverse`: as a key, compared, in memory and as a part of others. The text is compiled as plain Rust, too.

use crate::support::host;
use simt::KernelData;
use simt::prelude::*;
use std::cmp::Reverse;

#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq, Eq, PartialOrd, Ord)]
struct Job {
    due: Reverse<u32>,
    size: i32,
}

/// The one with the lesser remainder is before the other.
#[derive(Clone, Copy, Debug, Default, KernelData)]
struct Rest(u32);

#[device]
impl PartialEq for Rest {
    fn eq(&self, other: &Rest) -> bool {
        self.0 % 5 == other.0 % 5
    }
}

impl Eq for Rest {}

#[device]
impl PartialOrd for Rest {
    fn partial_cmp(&self, other: &Rest) -> Option<std::cmp::Ordering> {
        Some((self.0 % 5).cmp(&(other.0 % 5)))
    }
}

#[device]
impl Ord for Rest {
    fn cmp(&self, other: &Rest) -> std::cmp::Ordering {
        (self.0 % 5).cmp(&(other.0 % 5))
    }
}

alike! {
    fn keys(x: &[u32], jobs: &[Job], out: &mut [u32]) {
        let i = global_id();
        let y = &x[i..i + 7];
        let mut sum = y.iter().enumerate().max_by_key(|&(i, &v)| (v % 4, Reverse(i))).map_or(0, |p| p.0 as u32);
        sum += y.iter().min_by_key(|v| Reverse(**v % 7)).map_or(0, |v| *v * 3);
        sum += y.iter().map(|v| Reverse(v % 11)).max().map_or(0, |r| r.0 * 5);
        sum += y.iter().map(|v| Reverse((v % 3, *v))).min().unwrap().0.1 * 7;
        let mut own = [Job { due: Reverse(0), size: 0 }; 5];
        for k in 0..5 {
            own[k] = jobs[i + k];
        }
        own.sort_by_key(|p| Reverse(p.size));
        sum = sum * 3 % 1009 + own[0].due.0 + own[4].due.0 * 2;
        own.sort_by_key(|p| (Reverse(p.due.0 % 3), p.size));
        sum = sum * 3 % 1009 + own[0].due.0 + own[2].due.0 * 2;
        own.sort();
        sum = sum * 3 % 1009 + own[0].due.0 + own[3].due.0 * 2;
        own.sort_unstable_by(|p, q| Reverse(p.due).cmp(&Reverse(q.due)));
        sum = sum * 3 % 1009 + own[0].due.0 + own[1].due.0 * 2;
        let best = jobs.iter().skip(i).max_by_key(|p| p.due).unwrap();
        out[i] = sum * 3 % 1009 + best.size.unsigned_abs() + best.due.0;
    }

    fn compared(x: &[u32], jobs: &[Job], out: &mut [u32]) {
        let i = global_id();
        let (a, b) = (x[i], x[i + 1]);
        let (r, s) = (Reverse(a), Reverse(b));
        let mut sum = (r < s) as u32 + 2 * (Reverse(a) <= Reverse(b)) as u32 + 4 * (r == s) as u32 + 8 * (r > Reverse(9)) as u32;
        sum += 16 * (r.cmp(&s) as i32 + 1) as u32;
        sum += match r.partial_cmp(&s) {
            Some(order) if order.is_lt() => 100,
            Some(_) => 200,
            None => 300,
        };
        sum += r.max(s).0 + r.min(s).0 * 3;
        let Reverse(inner) = s;
        let twice = Reverse(Reverse(a));
        sum += inner * 3 + twice.0.0 + 400 * (twice < Reverse(Reverse(b))) as u32;
        let (f, g) = (Reverse(a as f32 - 4.0), Reverse((b as f32 - 20.0).sqrt()));
        sum += 800 * (f < g) as u32 + 1600 * (f >= g) as u32 + 3200 * f.partial_cmp(&g).is_none() as u32;
        sum += 6400 * (Reverse(Some(a % 3).filter(|v| *v > 0)) < Reverse(Some(b % 3).filter(|v| *v > 0))) as u32;
        sum += 12800 * (Reverse((a % 2, b)) < Reverse((b % 2, a))) as u32;
        let mut kept = Reverse(a);
        kept.0 += 1;
        kept = if kept > s { kept } else { s };
        sum += kept.0.pow(2);
        sum += if let Some(Reverse(v)) = Some(r) { v } else { 0 };
        out[i] = sum + 25600 * (jobs[i] < jobs[i + 1]) as u32 + 51200 * (jobs[i].due == jobs[i + 1].due) as u32;
    }

    fn of_own_orders(x: &[u32], jobs: &[Job], out: &mut [u32]) {
        let i = global_id();
        let (a, b) = (Rest(x[i]), Rest(x[i + 1]));
        let mut sum = (Reverse(a) < Reverse(b)) as u32 + 2 * (Reverse(a) == Reverse(b)) as u32;
        sum += 4 * ((a, Reverse(b)) < (b, Reverse(a))) as u32 + 8 * (Reverse((a, 3)) <= Reverse((b, jobs[i].size))) as u32;
        sum += 16 * (Reverse(a).cmp(&Reverse(b)) as i32 + 1) as u32;
        out[i] = sum + 100 * x[i..i + 5].iter().max_by_key(|v| (Reverse(Rest(**v)), **v)).unwrap();
    }
}

/// Where no `use` has the name.
mod by_path {
    use crate::support::host;
    use simt::prelude::*;

    alike! {
        fn first(x: &[u32], out: &mut [u32]) {
            let i = global_id();
            let y = &x[i..i + 7];
            out[i] = y.iter().enumerate().max_by_key(|&(i, &v)| (v % 4, std::cmp::Reverse(i))).map_or(0, |p| p.0 as u32);
        }
    }

    #[test]
    fn a_path_is_as_good() {
        let x: Vec<u32> = (0..41).map(|i| i * 11 % 37).collect();
        let (mut out, mut expected) = (vec![0; 33], vec![0; 33]);
        let grid = Grid::new(3, 11);
        host::run(grid, || plain::first(&x, &mut expected));
        Gpu::<Ipdom>::default().launch(grid, first(&x, &mut out)).unwrap();
        assert_eq!(out, expected);
    }
}

#[kernel]
fn latest(keys: &[Reverse<u32>], limit: Reverse<u32>, out: &mut [Reverse<u32>]) {
    let i = global_id();
    let key = keys[i].min(limit);
    println!("{key:?}");
    out[i] = Reverse(key.0 + 1);
}

const FIRST: Reverse<u32> = Reverse(20);

#[test]
fn reverse_turns_orders() {
    let x: Vec<u32> = (0..41).map(|i| i * 11 % 37).collect();
    let jobs: Vec<Job> = (0..41).map(|i| Job { due: Reverse(i * 7 % 13), size: (i * 5 % 17) as i32 - 8 }).collect();
    macro_rules! compared {
        ($($name:ident)*) => {$(
            let grid = Grid::new(3, 11);
            let mut expected = vec![0; 33];
            host::run(grid, || plain::$name(&x, &jobs, &mut expected));
            everywhere!(|gpu| {
                let mut out = vec![0; 33];
                gpu.launch(grid, $name(&x, &jobs, &mut out)).unwrap();
                assert_eq!(out, expected, stringify!($name));
            });
            assert!(expected.iter().any(|&value| value != expected[0]), stringify!($name));
        )*};
    }
    compared! { keys compared of_own_orders }
}

#[test]
fn reverse_is_passed() {
    let mut out = [Reverse(0); 4];
    let report = Gpu::<Ipdom>::default()
        .launch(Grid::new(1, 4), latest(&[3, 30, 20, 25].map(Reverse), FIRST, &mut out))
        .unwrap();
    assert_eq!(out, [21, 31, 21, 26].map(Reverse));
    assert_eq!(report.prints(), ["Reverse(20)", "Reverse(30)", "Reverse(20)", "Reverse(25)"]);
}
