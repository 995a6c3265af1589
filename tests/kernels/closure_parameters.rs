//! Closures that take slices and `&mut`, by name and passed to functions; `return`, `?` and `move` in them.

items_with_kernels! {
    {
        fn apply(x: &[u32], f: impl Fn(&[u32]) -> u32) -> u32 {
            f(&x[1..4]) * 2 + f(x)
        }
        fn twice<F: FnMut(&mut u32)>(n: u32, mut f: F) -> u32 {
            let mut v = n;
            f(&mut v);
            f(&mut v);
            v
        }
        fn halved(v: u32, f: impl Fn(u32) -> Option<(u32, u32)>) -> u32 {
            match f(v) {
                Some((a, b)) => a * 3 + b,
                None => 77,
            }
        }
    }

    fn slices(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let sum = |s: &[u32]| s.iter().sum::<u32>() + s.len() as u32;
        let mut a = [1u32, 2, 3, 4];
        let fill = |s: &mut [u32], v: u32| {
            for e in s.iter_mut() {
                *e += v;
            }
            s[0] = 9;
        };
        fill(&mut a[1..], x[i]);
        fill(&mut a, 2);
        let firsts = |p: &[u32; 4]| p[0] * 5 + p[3];
        out[i] = sum(&x[..i % 7]) + sum(&a) * 3 + sum(x) % 100 + firsts(&a) * 7 + apply(x, |s| s.iter().map(|v| v % 5).sum())
            + apply(&a, sum) + sum(&[x[i], 1]);
    }

    fn places(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let bump = |v: &mut u32| *v += 1;
        let add = |v: &mut u32, by: u32| -> u32 { let old = *v; *v += by; old };
        let (mut a, mut b) = (x[i], 5);
        bump(&mut a);
        bump(&mut b);
        let old = add(&mut a, b);
        let mut list = [1, 2, 3];
        bump(&mut list[i % 3]);
        let mut at = 0;
        let mut next = || { at += 1; at };
        let last = add(&mut list[next()], next() as u32);
        for v in list.iter_mut() {
            bump(v);
        }
        let r = &mut b;
        bump(r);
        let mut calls = 0;
        let doubled = twice(x[i], |v| { calls += 1; *v = *v * 2 + calls; });
        out[i] = a + b * 3 + old * 5 + list[0] * 7 + list[1] * 11 + list[2] * 13 + last * 17 + doubled * 19 + calls;
    }

    fn early(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let parts = |v: u32| -> Option<(u32, u32)> {
            let low = v.checked_sub(4)?;
            if low > 20 {
                return None;
            }
            Some((low, v))
        };
        let checked = |v: u32| -> Result<u32, u32> {
            let w = v.checked_sub(3).ok_or(1u32)?;
            let u = w.checked_sub(3).ok_or(2u32)?;
            Ok(u)
        };
        let mut scale = 2;
        let by = move |v: u32| v * scale;
        scale += x[i];
        let mut seen = [0u32; 3];
        let mut note = move |k: usize| { seen[k] += 1; seen[k] };
        let noted = note(1) + note(1) * 10 + note(2);
        seen[0] = 4;
        let some = x.iter().filter_map(|v| { let w = v.checked_sub(20)?; Some(w * 2) }).sum::<u32>();
        let option = x.get(i).and_then(|v| { if *v == 3 { return None; } v.checked_sub(2) }).unwrap_or(9);
        out[i] = halved(x[i], parts) + checked(x[i]).unwrap_or_else(|e| e + 90) * 3 + by(7) + scale + noted + seen[0] + some + option;
    }
}

same! { slices places early }
