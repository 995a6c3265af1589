//! Moves, borrows and first assignments that Rust accepts, of which kernels are checked by rustc, too: the text is compiled
//! as plain Rust as well.

#[derive(Clone, Debug, simt::prelude::KernelData, PartialEq)]
struct Pair {
    a: u32,
    b: u32,
}

items_with_kernels! {
    {
        fn sum(p: Pair) -> u32 {
            p.a + p.b
        }

        fn either(p: Pair, q: Pair, n: u32) -> Pair {
            if n % 2 == 0 {
                return p;
            }
            let chosen = match n % 3 {
                0 => p,
                1 if n > 10 => q,
                _ => Pair { a: p.a, ..q },
            };
            chosen
        }
    }

    fn moved(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut p = Pair { a: x[i], b: 2 };
        let mut total = 0;
        while total < 50 {
            let q = p;
            total += sum(q) + 1;
            p = Pair { a: total, b: 1 };
            if total > 40 {
                break;
            }
        }
        let again = p.clone();
        let shown = |v: u32| v + again.b;
        total += shown(again.a);
        let kept = either(p, again, x[i]);
        let q = loop {
            if total % 2 == 0 {
                break kept;
            }
            total += 1;
        };
        let Pair { a, b } = q;
        let p = a + b;
        out[i] = total + p + p;
    }

    fn borrowed(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut rows = [x[i]; 4];
        let mut single = x[i];
        {
            let first = &mut rows[0];
            *first += 1;
            let other = &mut rows[1];
            *other += 2;
            let again = &mut *other;
            *again += 3;
            *other += 4;
        }
        let n = &mut single;
        *n += 5;
        single += 6;
        let seen = &single;
        let also = &single;
        let of_both = *seen + *also;
        single = of_both;
        let rest = &mut rows[1..];
        rest[0] += single;
        rest[1] += rest[0];
        for k in 0..3 {
            let each = &mut rows[k];
            *each += k as u32;
        }
        let read = &rows;
        out[i] = read[0] + read[1] + read[2] + single;
    }

    fn first(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let (low, high);
        'found: {
            if x[i] > 20 {
                low = 1;
                break 'found;
            }
            low = x[i];
        }
        match x[i] % 4 {
            0 => high = low,
            1 | 2 => {
                let doubled;
                doubled = 2 * low;
                high = doubled;
            }
            _ => {
                out[i] = low;
                return;
            }
        }
        let last = loop {
            let each;
            if out[i] > high {
                each = out[i];
            } else {
                out[i] += 7;
                continue;
            }
            break each;
        };
        let flag;
        let seen = high > 3 && {
            flag = low;
            flag > 2
        };
        out[i] = last + high + seen as u32;
    }
}

same! { moved borrowed first }
