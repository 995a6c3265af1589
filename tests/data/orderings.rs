//! `cmp` and the like, `Ordering` as a value, and conversions of numbers that may fail.

kernels_with_devices! {
    devices:
        fn order(a: u32, b: u32) -> std::cmp::Ordering {
            a.cmp(&b)
        }

        fn number(o: std::cmp::Ordering) -> u32 {
            use std::cmp::Ordering;
            match o {
                Ordering::Less => 1,
                Ordering::Equal => 2,
                Ordering::Greater => 3,
            }
        }

        fn special(n: u32) -> f32 {
            match n % 7 {
                0 => f32::NAN,
                1 => -0.0,
                2 => 0.0,
                3 => f32::NEG_INFINITY,
                4 => -1.5,
                5 => f32::INFINITY,
                _ => 2.5,
            }
        }

    kernels:
        fn compared(x: &[u32], out: &mut [u32]) {
            use std::cmp::Ordering::{Equal, Greater, Less};
            let i = global_id();
            let a = number(x[i].cmp(&12)) + number((x[i] as i64 - 12).cmp(&-3)) * 5 + number((x[i] > 3).cmp(&true)) * 7;
            let o = order(x[i], 20);
            let b = o.is_lt() as u32 + o.reverse().is_lt() as u32 * 2 + o.then(x[i].cmp(&3)).is_ge() as u32 * 4
                + o.is_eq() as u32 * 8 + o.is_ne() as u32 * 16 + o.is_le() as u32 * 32 + o.is_gt() as u32 * 64;
            let (f, g) = (special(x[i]), special(x[i] / 7));
            let c = match f.partial_cmp(&g) {
                Some(Less) => 1,
                Some(Equal) => 2,
                Some(_) => 3,
                None => 4,
            };
            let d = number(f.total_cmp(&g)) + number((f as f64).total_cmp(&(g as f64))) * 5;
            let e = number(x[i].cmp(&14).then_with(|| (100 / (x[i] - 13)).cmp(&3)).then(Greater));
            let mut best = Equal;
            if x[i] % 2 == 0 {
                best = o;
            }
            let k = (best == Less) as u32 + (best as i32 + 1) as u32 * 3 + (o != best) as u32;
            let all = [o, best];
            let l = number(all[i % 2]) + x[i].partial_cmp(&9).is_some_and(|o| o == Less) as u32;
            out[i] = a + b * 11 + c * 1000 + d * 10007 + e * 13 + k * 17 + l * 19;
        }

        fn bytes(x: &[u32], out: &mut [u32]) {
            let i = global_id();
            let [a, b, c, d] = (x[i] * 0x01020304).to_be_bytes();
            let e = (x[i] as u8 + 65).eq_ignore_ascii_case(&b'a') as u32;
            let f = u32::from_le_bytes(x[i].to_le_bytes()) + u16::from_ne_bytes((x[i] as u16).to_ne_bytes()) as u32;
            let g = (x[i] as i64 - 20).to_le_bytes();
            out[i] = a as u32 + b as u32 * 3 + c as u32 * 5 + d as u32 * 7 + e * 11 + f * 13 + g[7] as u32 + g[0] as u32;
        }

        fn converted(x: &[u32], out: &mut [u32]) {
            let i = global_id();
            let a = u8::try_from(x[i] * 20).unwrap_or(255) as u32 + u8::try_from(x[i] * 20).is_ok() as u32;
            let b = i8::try_from(x[i] as i32 * 10 - 200).ok().map_or(7, |v| v as u8 as u32);
            let c = u64::try_from(x[i] as i64 - 9).is_err() as u32 + i16::try_from(x[i]).is_ok() as u32 * 2
                + u32::try_from(x[i] as u64 * 300_000_000).map_or(4, |v| v % 8);
            let wide: u64 = x[i].into();
            let narrow: Result<u16, _> = wide.try_into();
            out[i] = a + b * 3 + c * 5 + (wide + 1) as u32 * 7 + narrow.unwrap() as u32 * 11;
        }
}

same!(compared bytes converted);

/// A conversion that fails is told as std tells it.
#[test]
fn a_failed_conversion_is_shown() {
    use simt::prelude::*;

    #[kernel]
    fn narrow(x: &[u32], out: &mut [u8]) {
        let i = global_id();
        println!("{:?} {:?}", u8::try_from(x[i]), x[i].cmp(&7));
        out[i] = u8::try_from(x[i]).unwrap();
    }

    let mut out = [0; 1];
    let report = Gpu::<Ipdom>::default().launch(Grid::new(1, 1), narrow(&[7], &mut out)).unwrap();
    assert_eq!((report.prints(), out), (&["Ok(7) Equal".to_owned()][..], [7]));
    let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 1), narrow(&[300], &mut out)).unwrap_err().to_string();
    let text = format!("called `Result::unwrap()` on an `Err` value: {:?}", u8::try_from(300).unwrap_err());
    assert!(error.contains(&text), "{error}");
}
