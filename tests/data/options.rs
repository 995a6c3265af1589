//! `Option` and `Result` as values, with `?` and their methods: what they are on the host.

use simt::prelude::*;

#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq)]
struct Hit {
    at: u32,
    far: f32,
}

kernels_with_devices! {
    devices:
        fn half(n: u32) -> Option<u32> {
            if n % 2 == 1 {
                return None;
            }
            Some(n / 2)
        }

        fn eighth(n: u32) -> Option<u32> {
            let quarter = half(half(n)?)?;
            half(quarter)
        }

        fn parsed(n: u32) -> Result<u32, (u32, bool)> {
            match n {
                0 => Err((n, true)),
                1..=9 => Ok(n * 100),
                10..20 => Err((n - 10, n % 3 == 0)),
                _ => Ok(n),
            }
        }

        fn sum(a: u32, b: u32) -> Result<u64, (u32, bool)> {
            let first = parsed(a)?;
            let second = parsed(b).map_err(|(code, _)| (code, false))?;
            Ok(first as u64 + second as u64)
        }

        fn first_above(x: &[u32], limit: u32) -> Option<(usize, u32)> {
            let mut best: Option<(usize, u32)> = None;
            for i in 0..x.len() {
                if x[i] > limit {
                    best = match best {
                        Some((_, v)) if v <= x[i] => best,
                        _ => Some((i, x[i])),
                    };
                }
            }
            best
        }

        fn checked(a: u32, b: u32, c: u32) -> Option<u32> {
            let sum = a.checked_mul(b)?.checked_add(c)?;
            let mut rest = Some(sum);
            while let Some(n) = rest {
                if n < 10 {
                    break;
                }
                rest = n.checked_sub(7).and_then(|n| half(n * 2)).map(|n| n.min(100));
            }
            rest
        }

        fn doubled(n: u32) -> u32 {
            2 * n
        }

    kernels:
        fn halves(x: &[u32], out: &mut [u32]) {
            let i = global_id();
            out[i] = match (half(x[i]), eighth(x[i] * 4)) {
                (Some(n), Some(m)) => n * 1000 + m,
                (None, Some(m)) | (Some(m), None) => m,
                (None, None) => 7,
            };
        }

        fn results(x: &[u32], out: &mut [u32]) {
            let i = global_id();
            let sum = sum(x[i], x[(i + 1) % x.len()]);
            out[i] = match sum {
                Ok(n) if n > 200 => n as u32,
                Ok(n) => 10_000 + n as u32,
                Err((code, true)) => 1 + code,
                Err((code, false)) => 1000 + code,
            };
            if sum.is_err() && sum.err().is_some() {
                out[i] += sum.ok().unwrap_or(5) as u32;
            }
        }

        fn searches(x: &[u32], out: &mut [u32]) {
            let i = global_id();
            let found = first_above(&x, x[i]);
            let Some((at, value)) = found else {
                out[i] = 99;
                return;
            };
            out[i] = at as u32 * 100 + value;
            out[i] += found.map(|(at, v)| v as usize * at).unwrap_or(3) as u32;
        }

        fn methods(x: &[u32], out: &mut [u32]) {
            let i = global_id();
            let n = half(x[i]);
            let mut calls = 0;
            let mut sum = n.map(doubled).map_or(1, |n| n + 3);
            sum += n.unwrap_or_else(|| {
                calls += 1;
                100
            });
            sum += 1000 * n.or_else(|| half(x[i] + 1)).unwrap();
            sum += n.ok_or(x[i]).unwrap_or_else(|error| error * 2);
            sum += n.and_then(|n| half(n)).unwrap_or_default();
            if n.is_some_and(|n| n > 4) || n.is_none_or(|n| n == 2) {
                sum += 10_000;
            }
            sum += parsed(x[i]).is_ok_and(|n| n > 200) as u32;
            out[i] = sum + 50_000 * calls;
        }

        fn compared(x: &[u32], out: &mut [u32]) {
            let i = global_id();
            let (n, m) = (half(x[i]), half(x[(i + 3) % x.len()]));
            out[i] = 0;
            if n == None {
                out[i] += 1;
            }
            if n == m {
                out[i] += 2;
            }
            if m != Some(4) {
                out[i] += 4;
            }
            let nested = if x[i] > 9 { Some((x[i], n)) } else { None };
            let other = if x[i] % 3 == 0 { Some((x[i], m)) } else { None };
            if nested == other {
                out[i] += 8;
            }
            if (nested, 3u32) != (None, x[i] % 5) && x[i].checked_sub(7) == m {
                out[i] += 16;
            }
            while out[i] < 100 && half(out[i]) == Some(out[i] / 2) {
                out[i] += 31;
            }
        }

        fn assigned(x: &[u32], out: &mut [u32]) {
            let i = global_id();
            let mut last: Option<u32> = None;
            let mut pair = (Some(x[i]), Ok::<u32, bool>(3));
            for k in 0..6 {
                if let Some(n) = checked(x[k], x[i] / 4, k as u32) {
                    if last.is_none() || last.unwrap() < n {
                        last = Some(n);
                    }
                }
                if x[k] == 3 {
                    pair = (None, Err(x[i] > 10));
                }
                if let (Some(n), Ok(m)) = pair {
                    pair.1 = if n > k as u32 { Ok(m + 1) } else { Err(n > 5) };
                }
            }
            out[i] = last.expect("there is one") + match pair {
                (Some(n), Ok(m)) => n + m,
                (None, Err(true)) => 10_000,
                (_, Err(flag)) => 20_000 + flag as u32,
                (None, _) => 30_000,
            };
        }
}

same! { halves results searches methods assigned compared }

#[device]
fn hit(x: &[f32], i: usize) -> Option<Hit> {
    if x[i] > 1.0 { Some(Hit { at: i as u32, far: x[i] }) } else { None }
}

#[kernel]
fn hits(x: &[f32], out: &mut [f32], hits: &mut [Hit]) {
    let i = global_id();
    let mut nearest = hit(&x, i);
    if let Some(Hit { far, .. }) = hit(&x, x.len() - 1 - i)
        && nearest.is_none_or(|hit| hit.far > far)
    {
        nearest = Some(Hit { far, ..Hit::default() });
    }
    hits[i] = nearest.unwrap_or_default();
    out[i] = nearest.map_or(-1.0, |Hit { at, far }| far + at as f32);
}

#[test]
fn structs_may_be_there_or_not() {
    let x = [0.5, 3.0, 2.0, 7.0, 0.0, 4.0];
    everywhere!(|gpu| {
        let (mut out, mut found) = ([0.0; 6], [Hit::default(); 6]);
        gpu.launch(Grid::new(1, 6), hits(&x, &mut out, &mut found)).unwrap();
        assert_eq!(out, [4.0, 4.0, 4.0, 2.0, 3.0, 9.0]);
        assert_eq!(found[1], Hit { at: 1, far: 3.0 });
        assert_eq!(found[3], Hit { at: 0, far: 2.0 });
    });
}

#[kernel]
fn unwrapped(x: &[u32], out: &mut [u32], how: u32) {
    let i = global_id();
    let half = if x[i] % 2 == 0 { Some(x[i] / 2) } else { None };
    let result: Result<u32, i8> = half.ok_or(-3);
    out[i] = match how {
        0 => half.unwrap(),
        1 => half.expect("an even number"),
        2 => result.unwrap(),
        _ => result.expect("a half"),
    };
}

#[test]
fn what_is_not_there_panics_as_on_the_host() {
    let texts = [
        "called `Option::unwrap()` on a `None` value",
        "an even number",
        "called `Result::unwrap()` on an `Err` value: -3",
        "a half: -3",
    ];
    for (how, text) in texts.into_iter().enumerate() {
        let mut out = [9; 2];
        let launched = Gpu::<Ipdom>::default().launch(Grid::new(1, 2), unwrapped(&[4, 3], &mut out, how as u32));
        let error = launched.unwrap_err().to_string();
        assert!(error.starts_with(&format!("error[simt::panic]: {text}\n")), "{error}");
        assert_eq!(out, [9; 2]);
    }
}

/// What nothing asks for is evaluated all the same.
#[test]
fn operands_of_options_have_their_faults() {
    #[kernel]
    fn dropped(a: u32, b: u32, x: &[u32], out: &mut [u32], how: u32) {
        out[0] = match how {
            0 => a.checked_add(1).ok_or(a / b).unwrap_or(3),
            1 => Err::<u32, u32>(x[a as usize]).unwrap_or(3),
            2 => Some(a / b).is_some() as u32,
            3 => Ok::<u32, u32>(a % b).ok().map_or(1, |_| 2),
            _ => (Some(x[a as usize]) == None) as u32,
        };
    }
    for (how, fault) in ["division-by-zero", "out-of-bounds", "division-by-zero", "division-by-zero", "out-of-bounds"]
        .into_iter()
        .enumerate()
    {
        let mut out = [9];
        let launched = Gpu::<Ipdom>::default().launch(Grid::new(1, 1), dropped(5, 0, &[1], &mut out, how as u32));
        let error = launched.unwrap_err().to_string();
        assert!(error.starts_with(&format!("error[simt::{fault}]")), "{how}: {error}");
        let launched = Gpu::<Ipdom>::default().launch(Grid::new(1, 1), dropped(0, 1, &[1], &mut out, how as u32));
        assert!(launched.is_ok(), "{how}");
    }
}
