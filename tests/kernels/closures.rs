//! Closures that are called by their names: the text is compiled as plain Rust, too.

kernels! {
    #[device]
    fn thrice(x: u32) -> u32 {
        let triple = |v| 3 * v;
        triple(x) + triple(1)
    }

    fn values(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let offset = x[i] % 5;
        let square = |v: u32| v * v + offset;
        let offset = 100;
        let at = |k: usize| x[k % x.len()];
        let larger = |a, b| if a > b { a } else { square(b) };
        let pair = |(a, b): (u32, u32), mut times: u32| {
            let mut sum = a;
            while times > 0 {
                times -= 1;
                sum += b + square(times);
            }
            (sum, sum > 40)
        };
        let constant = || 7;
        let float = |v: f32| -> f32 { (v * 0.5).floor() };
        let _never = |v: u32| v + 1;
        let (sum, big) = pair((x[i], 2), 1 + at(i) % 3);
        let mut k = 1;
        let ordered = larger({ k += 3; k }, { k *= 2; k });
        let square = square(3);
        out[i] = square + offset + larger(at(i + 1), at(i + 2)) + sum + big as u32 + constant() + thrice(ordered)
            + float(x[i] as f32) as u32;
    }

    fn effects(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let (mut sum, mut calls) = (0, 0);
        let mut local = [0; 4];
        let mut add = |v: u32, at: usize| {
            calls += 1;
            local[at % 4] += v;
            if v % 2 == 0 {
                sum += v;
            }
        };
        for k in 0..6 {
            if (x[i] + k) % 3 == 0 { continue; }
            add(x[i] + k, k as usize);
        }
        add(1, 2);
        let mut bump = || sum += 10;
        bump();
        bump();
        let mut next = || {
            calls += 2;
            calls
        };
        let last = next() + next();
        let clear = |n: u32| match n {
            0 | 1 => n + 1,
            n => {
                let mut steps = 0;
                for k in 0..n {
                    if k > 5 { break; }
                    steps += k;
                }
                steps
            }
        };
        out[i] = sum + 10 * calls + 100 * last + local[0] + 3 * local[1] + 5 * local[2] + 7 * local[3] + clear(x[i]);
    }
}

same! { values effects }
