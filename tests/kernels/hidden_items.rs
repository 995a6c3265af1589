//! A name that is one of an element, and elsewhere in the same body that of a value: the one is not taken for the other.

#[derive(Clone, Copy, Debug, simt::prelude::KernelData, PartialEq)]
struct Pair {
    x: u32,
    y: u32,
}

items_with_kernels! {
    {
        fn pairs(seed: u32) -> [Pair; 4] {
            let mut all = [Pair { x: seed, y: 1 }; 4];
            for (k, p) in all.iter_mut().enumerate() {
                p.x += k as u32;
                p.y += p.x * 2;
            }
            all
        }

        fn raised(p: &mut Pair) {
            p.y += p.x;
        }
    }

    fn beside_closures(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut all = pairs(x[i]);
        let of = |p: Pair| p.x * 2 + p.y;
        let p = &mut all[1];
        p.x += 5;
        raised(p);
        p.y = of(*p) + p.x;
        let sum: u32 = all.iter().map(|p| p.x * 10 + p.y).sum();
        let twice = all.iter().filter(|p| p.x % 2 == 0).map(|&p| of(p)).fold(0, |p, q| p + q);
        out[i] = sum + twice;
    }

    fn beside_patterns(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut all = pairs(x[i]);
        let p = &mut all[2];
        p.x *= 3;
        let found = match x[i] % 4 {
            0 => None,
            p => Some(Pair { x: p, y: p + 1 }),
        };
        p.y += 7;
        let mut sum = 0;
        if let Some(p) = found {
            sum += p.x * 100 + p.y;
        }
        p.x += 1;
        while let Some(p) = found {
            sum += p.y;
            if sum > 5 {
                break;
            }
            sum += 6;
        }
        raised(p);
        let q = p.x;
        let Some(p) = found else {
            out[i] = sum + q + all[2].y;
            return;
        };
        out[i] = sum + q + p.y * 3;
    }

    fn hidden_in_turn(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut all = pairs(x[i]);
        let p = &all[3];
        let p = Pair { x: p.x + 1, ..*p };
        let mut sum = p.x + p.y;
        {
            let p = &mut all[0];
            p.x = sum;
            let p = p.x * 2;
            sum += p;
        }
        sum += p.x;
        for p in all.iter_mut() {
            p.y += 2;
            let p = p.y;
            sum += p;
        }
        for p in [3, 4] {
            sum += p * p;
        }
        let (p, k) = (&mut all[1], p.y);
        p.x += k;
        for (p, k) in all.iter().zip(1..) {
            sum += p.x * k;
        }
        for p in all.iter().map(|p| p.x + p.y).filter(|p| p % 2 == 0) {
            sum += p;
        }
        out[i] = sum;
    }

    fn of_numbers(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut all = [x[i], 2, 3];
        for v in all.iter_mut() {
            *v += 1;
            let v = *v * 2;
            if v > 7 {
                continue;
            }
            out[i] += v;
        }
        let v = &mut all[0];
        *v *= 3;
        let square = |v: u32| v * v;
        let last = square(*v % 10);
        let mut it = all.iter();
        while let Some(v) = it.next() {
            let w = *v;
            out[i] += if matches!(Some(w), Some(v) if v > 3) { w } else { 1 };
        }
        if let Some(v) = all.get_mut(1) {
            *v += last;
            let v = Some(*v);
            if let Some(v) = v {
                out[i] += v;
            }
        }
        out[i] += all[1];
    }

    // The name of a parameter, too.
    fn of_parameters(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut total = 0;
        for x in x.iter().take(3) {
            total += x;
            let x = x * 2;
            total += x;
        }
        let x = &x[i];
        out[i] = total + *x;
        for out in out[i..=i].iter_mut() {
            *out += 1;
        }
        out[i] += 1;
    }
}

same! { beside_closures beside_patterns hidden_in_turn of_numbers of_parameters }
