//! Slices that become references to arrays of a length: `f(x.try_into().unwrap())` of `fn f(a: &[u8; 4])`.

use simt::prelude::*;

items_with_kernels! {
    {
        fn sum(a: &[u32; 3]) -> u32 {
            a[0] + a[1] * 10 + a[2] * 100
        }
        fn by_value(a: [u32; 3]) -> u32 {
            sum(&a) + 1
        }
        fn dot<const N: usize>(a: &[u32; N], b: &[u32; N]) -> u32 {
            let mut s = 0;
            for k in 0..N {
                s += a[k] * b[k];
            }
            s
        }
        fn narrow(v: u8, a: &[u32; 2]) -> u32 {
            v as u32 * a[1]
        }
        fn first(x: &[u32]) -> Option<u32> {
            let a: &[u32; 3] = x.get(..3)?.try_into().ok()?;
            Some(sum(a) + sum(x[..3].try_into().ok()?))
        }
        fn second(x: &[u32]) -> Result<u32, u32> {
            Ok(sum(x.try_into().map_err(|_| 3_u32)?))
        }
    }

    fn passed(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let at = i % 5;
        let mut s = sum(x[at..at + 3].try_into().unwrap());
        s ^= by_value(x[at..at + 3].try_into().expect("three"));
        s ^= sum((&x[at..at + 3]).try_into().unwrap()) + sum(&x[at..at + 3].try_into().unwrap());
        for c in x.chunks_exact(3) {
            s = s.wrapping_mul(31) ^ sum(c.try_into().unwrap());
        }
        s ^= dot(x[..2].try_into().unwrap(), &[3, i as u32]);
        s ^= dot::<4>(x[..4].try_into().unwrap(), x[at..at + 4].try_into().unwrap());
        s ^= narrow((x[i] % 200).try_into().unwrap(), x[i / 2..i / 2 + 2].try_into().unwrap());
        s ^= first(&x[at..]).unwrap_or(9) + first(&x[..2]).unwrap_or(7);
        s ^= second(&x[at..at + 3]).unwrap() + second(x).unwrap_or_else(|e| e);
        out[i] = s;
    }

    fn named(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let at = i % 5;
        let a: &[u32; 4] = x[at..at + 4].try_into().unwrap();
        let b = <&[u32; 3]>::try_from(&x[at..at + 3]).unwrap();
        let mut s = a[0] + a.iter().sum::<u32>() + a.len() as u32 + sum(b) + b[at % 3];
        let [c, _, d] = *<&[u32; 3]>::try_from(&x[1..4]).unwrap();
        s += c * 3 + d + by_value(*b) + sum(<&[u32; 3]>::try_from(&x[at..at + 3]).unwrap());
        if let Ok(e) = <&[u32; 2]>::try_from(&x[at..at + 2 + i % 2]) {
            s += e[0] + e[1] * 7;
        }
        if let Ok([e, f]) = <&[u32; 2]>::try_from(&x[at..at + 2 + i % 3]) {
            s += *e * 5 + f;
        }
        let r: Result<&[u32; 3], _> = x[..at].try_into();
        s += r.is_ok() as u32 * 1000;
        if let Ok(a) = r {
            s += sum(&a) * 3;
        }
        let copy = *a;
        s += copy[3] + a.contains(&5) as u32;
        for (k, v) in a.iter().enumerate() {
            s ^= v << k;
        }
        out[i] = s;
    }
}

same! { passed named }

#[device]
fn three(a: &[u32; 3]) -> u32 {
    a[0] + a[1] * 10 + a[2] * 100
}

#[kernel]
fn too_short(x: &[u32], n: usize, out: &mut [u32]) {
    let i = global_id();
    println!("before");
    out[i] = three(x[..n].try_into().unwrap());
}

#[test]
fn another_length_is_a_fault() {
    let text =
        format!("called `Result::unwrap()` on an `Err` value: {:?}", <&[u32; 3]>::try_from(&[1_u32][..]).unwrap_err());
    everywhere!(|gpu| {
        for n in [2, 4] {
            let mut out = [5];
            let error = gpu.launch(Grid::new(1, 1), too_short(&[1, 2, 3, 4], n, &mut out)).unwrap_err().to_string();
            assert!(error.starts_with("error[simt::panic]") && error.contains(&text), "{error}");
            assert_eq!(out, [5]);
        }
        let mut out = [5];
        gpu.launch(Grid::new(1, 1), too_short(&[1, 2, 3, 4], 3, &mut out)).expect("a launch");
        assert_eq!(out, [321]);
    });
}
