//! Variables that get their value behind their declaration: the text is compiled as plain Rust, too.

#[derive(Clone, Copy, Debug, simt::prelude::KernelData, PartialEq)]
struct Pair {
    a: u32,
    b: f32,
}

items_with_kernels! {
    {
        fn step(v: u32) -> u32 {
            let next;
            match v % 3 {
                0 => next = v / 3,
                1 => {
                    next = v + 1;
                }
                _ => return v,
            }
            next + 1
        }
    }

    fn later(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let (low, high);
        let mut changed;
        let typed: u64;
        let pair: Pair;
        if x[i] % 2 == 0 {
            low = x[i];
            changed = 1;
            typed = 7;
        } else {
            low = step(x[i]);
            changed = low;
            typed = 1 << 40;
        }
        changed += 3;
        high = low * changed;
        let found = loop {
            let last;
            if changed > 40 {
                last = true;
            } else {
                changed += 7;
                last = false;
            }
            if last {
                break changed;
            }
        };
        let option;
        option = if low > 4 { Some(low) } else { None };
        pair = Pair { a: low, b: 0.5 };
        let closure = |v: u32| v + high;
        out[i] = closure(found) + (typed >> 38) as u32 + option.unwrap_or(9) + pair.a + (pair.b * 4.0) as u32;
    }
}

same! { later }
