//! Comparisons of a `#[device] impl` where only the host's traits lead to them: in generic functions, and in tuples, arrays,
//! options and derived structs around the type.

use simt::prelude::*;
use std::cmp::Ordering;

/// Equal are letters in both cases.
#[derive(Clone, Copy, Debug, KernelData)]
struct Letter(u8);

#[device]
impl PartialEq for Letter {
    fn eq(&self, Letter(other): &Self) -> bool {
        self.0.eq_ignore_ascii_case(other)
    }
}

/// Numbers by their remainder, the least of which is the greatest; that by zero is a fault.
#[derive(Clone, Copy, Debug, KernelData)]
struct Rest {
    value: u32,
    divisor: u32,
}

#[device]
impl PartialEq for Rest {
    fn eq(&self, other: &Self) -> bool {
        self.value % self.divisor == other.value % other.divisor
    }
}

#[device]
impl Eq for Rest {}

#[device]
impl PartialOrd for Rest {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[device]
impl Ord for Rest {
    fn cmp(&self, other: &Self) -> Ordering {
        (other.value % other.divisor).cmp(&(self.value % self.divisor))
    }
}

/// The order of those that have none is `None`.
#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Only {
    kind: u32,
    size: f32,
}

#[device]
impl PartialOrd for Only {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        if self.kind == other.kind { other.size.partial_cmp(&self.size) } else { None }
    }
}

/// Generic, with bounds.
#[derive(Clone, Copy, Debug, KernelData)]
struct Backwards<T>(T);

#[device]
impl<T: Copy + PartialEq> PartialEq for Backwards<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

#[device]
impl<T: Copy + PartialOrd> PartialOrd for Backwards<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        other.0.partial_cmp(&self.0)
    }
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Around {
    number: u32,
    letters: [Letter; 2],
    last: Option<Letter>,
}

#[derive(Clone, Copy, Debug, Eq, KernelData, Ord, PartialEq, PartialOrd)]
enum Either {
    Number(u32),
    Rest(u32, Rest, u32),
    Neither,
}

items_with_kernels! {
    {
        fn same<T: PartialEq>(a: T, b: T) -> u32 {
            (a == b) as u32 + 2 * (a != b) as u32
        }

        fn orders<T: PartialOrd>(a: T, b: T) -> u32 {
            let order = match a.partial_cmp(&b) {
                None => 0,
                Some(Ordering::Less) => 1,
                Some(Ordering::Equal) => 2,
                Some(Ordering::Greater) => 3,
            };
            order * 16 + (a < b) as u32 * 8 + (a <= b) as u32 * 4 + (a > b) as u32 * 2 + (a >= b) as u32
        }

        fn total<T: Ord>(a: T, b: T) -> u32 {
            match a.cmp(&b) {
                Ordering::Less => 1,
                Ordering::Equal => 2,
                Ordering::Greater => 3,
            }
        }

        fn rest(value: u32) -> Rest {
            Rest { value, divisor: 2 + value % 3 }
        }

        fn either(number: u32) -> Either {
            match number % 3 {
                0 => Either::Number(number / 3),
                1 => Either::Rest(number % 2, rest(number), number),
                _ => Either::Neither,
            }
        }

        fn letter(number: u32) -> Letter {
            Letter(if number % 2 == 0 { b'a' } else { b'A' })
        }

        fn around(number: u32) -> Around {
            let last = if number % 5 > 0 { Some(letter(number / 4)) } else { None };
            Around { number: number / 16, letters: [letter(number), letter(number / 2)], last }
        }

        fn only(number: u32) -> Only {
            Only { kind: number % 2, size: number as f32 }
        }

        fn rest_of(number: u32) -> Result<Rest, u32> {
            if number % 4 > 0 { Ok(rest(number)) } else { Err(number) }
        }
    }

    fn equal(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        for k in 0..4 {
            let (a, b) = (x[i], x[(i * (k + 1) + k) % x.len()]);
            let (p, q) = (rest(a), rest(b));
            let tests = [
                same(p, q),
                same((1, p), (a % 2, q)),
                same([p, rest(b)], [q, rest(a)]),
                same(Some(p), if b % 2 == 0 { Some(q) } else { None }),
                same(either(a), either(b)),
                same(around(a), around(b)),
                same(rest_of(a), rest_of(b)),
                same(Backwards(p), Backwards(q)),
                (p == q) as u32,
                ((p, a % 2) == (q, b % 2)) as u32,
                (Some(p) != Some(q)) as u32,
            ];
            for test in tests {
                out[i] = out[i].rotate_left(3) ^ test;
            }
        }
    }

    fn ordered(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        for k in 0..4 {
            let (a, b) = (x[i], x[(i * (k + 1) + k) % x.len()]);
            let (p, q) = (rest(a), rest(b));
            let tests = [
                orders(p, q),
                orders((a % 2, p, a), (b % 2, q, b)),
                orders([p, rest(b + 1)], [q, rest(a)]),
                orders(Some(p), if b % 2 == 0 { Some(q) } else { None }),
                orders(either(a), either(b)),
                orders(only(a), only(b)),
                orders((1, only(a), a), (1, only(b), b)),
                orders(rest_of(a), rest_of(b)),
                orders(Backwards(a % 4), Backwards(b % 4)),
                orders(Backwards(p), Backwards(q)),
                total(p, q),
                total((a % 2, p, a), (b % 2, q, b)),
                total(either(a), either(b)),
                (p < q) as u32,
                ((a % 2, p) >= (b % 2, q)) as u32,
            ];
            for test in tests {
                out[i] = out[i].rotate_left(5) ^ test;
            }
        }
    }

    fn chosen(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let (a, b) = (x[i], x[(i + 1) % x.len()]);
        let (p, q, r) = (rest(a), rest(b), rest(a ^ b));
        let between = if q <= r { p.clamp(q, r) } else { p.clamp(r, q) };
        let mut all = [p, q, r, rest(a + 1), rest(b + 2)];
        let (greatest, least) = (all.iter().max().unwrap().value, all.iter().copied().min().unwrap().value);
        let by_key = (0..6_u32).max_by_key(|&k| rest(a + k)).unwrap() * 10 + (0..6_u32).min_by_key(|&k| rest(b + k)).unwrap();
        all.sort();
        let sorted = all[0].value * 64 + all[2].value * 8 + all[4].value;
        let found = all.iter().position(|&v| v == p).unwrap() as u32;
        let extremes = p.max(q).value * 64 + p.min(q).value * 8 + q.max(r).value;
        for part in [between.value, greatest, least, by_key, sorted, found, extremes] {
            out[i] = out[i].rotate_left(7) ^ part;
        }
    }

    // What stands behind the first parts that differ is not compared: that were a fault.
    fn no_more_than_needed(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let (fault, fine) = (Rest { value: 1, divisor: 0 }, rest(x[i]));
        let mut count = ((1, fault) == (2, fault)) as u32 + ((x[i] + 1, fault) < (0, fine)) as u32;
        count += (None == Some(fault)) as u32 + (Some(fault) > None) as u32;
        count += ((1, fault) < (2, fault)) as u32 + (Either::Number(1) < Either::Rest(0, fault, 1)) as u32;
        out[i] = count;
    }
}

same!(equal ordered chosen no_more_than_needed);
