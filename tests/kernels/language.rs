//! Rust's meaning of a kernel's text is the kernel's: each function here is compiled as both, and compared.

use simt::prelude::*;
use std::f32::consts::PI;

const FACTOR: u32 = 6 * 7;
const OFFSETS_END: usize = 3;
static NAMES: &[&str] = &["not", "for", "kernels"];

mod limits {
    pub(super) const LEAST: i32 = -5;
}

kernels! {
    fn deferred_inference(x: &[u32], out: &mut [u32]) {
        // The type of each of these follows from a later line.
        let mut k = 0;
        let mut sum = 0;
        let mut found = 0;
        let step = 1;
        while k < x.len() {
            sum += x[k];
            if x[k] > 20 {
                found += 1;
            }
            k += step;
        }
        let last = sum - found;
        out[global_id()] = last + x[global_id()];
    }

    fn fallback(x: &[u32], out: &mut [u32]) {
        // Nothing says what these are: `i32` and `f64`.
        let n = 5 - 3;
        let r = 0.1 + 0.2;
        out[global_id()] = n as u32 + (r * 1e17) as u64 as u32 % 1000 + x[0];
    }

    fn constants(x: &[u32], out: &mut [u32]) {
        const TWICE: u32 = FACTOR * 2;
        let i = global_id();
        let mut r = x[i] * FACTOR + TWICE + (PI * 1000.0) as u32 + u32::BITS;
        if i < OFFSETS_END {
            r += (limits::LEAST + 20) as u32;
        }
        out[i] = r + u8::MAX as u32;
    }

    fn shadowing(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let n = x[i];
        let n = n as f32 * 1.5;
        let mut n = n as u64;
        {
            let n = n + 1;
            out[i] = n as u32;
        }
        for n in 0..2 {
            out[i] += n;
        }
        n += 5;
        let x = n as u32;
        out[i] += x;
    }

    fn block_values(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let r = {
            let a = x[i];
            let b = {
                let a = a * 2;
                a + 1
            };
            a + b
        };
        out[i] = { r } + if r % 2 == 0 { 1 } else { 100 };
    }

    fn nested_values(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let n = x[i];
        let class = if n > 20 {
            if n > 25 { 4 } else { 3 }
        } else if n > 10 {
            let half = n / 2;
            half
        } else {
            0
        };
        let absolute = if class > 2 { class - 2 } else { 2 - class };
        out[i] = class * 100 + absolute;
    }

    fn value_or_return(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let n = if x[i] % 3 == 0 { return } else { x[i] };
        let mut sum = 0;
        for k in 0..n {
            let odd = if k % 2 == 0 { continue } else { k };
            sum += if odd > 9 { break } else { odd };
        }
        out[i] = sum;
    }

    fn effects_in_operands(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut n = x[i];
        let r = n + {
            n += 1;
            n * 10
        } + n;
        out[i] = r;
        let index = i;
        out[{ n = 7; index }] += n;
    }

    fn short_circuits(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let len = x.len();
        let a = i + 1 < len && x[i + 1] > x[i] || i >= 3 && x[i - 3] == 0;
        let b = !(i < 2 || x[i - 2] % 2 == 0) && !a;
        let c = x[i] != 0 && 100 / x[i] > 5;
        out[i] = a as u32 + b as u32 * 2 + c as u32 * 4;
    }

    fn short_circuits_in_loops(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut k = i;
        let mut steps = 0;
        while k < x.len() && x[k] != 13 && steps < 9 {
            k += 1;
            steps += if k < x.len() && x[k] > 15 { 2 } else { 1 };
        }
        out[i] = steps * 1000 + k as u32;
    }

    fn loops(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut total = 0;
        for a in 0..x[i] % 5 {
            for b in a..=3 {
                if (a + b) % 4 == 3 {
                    continue;
                }
                let mut n = a * 4 + b;
                loop {
                    n += 3;
                    if n > 20 {
                        break;
                    }
                    if n % 7 == 0 {
                        total += 100;
                        break;
                    }
                    total += 1;
                }
            }
            if total > 400 {
                break;
            }
        }
        while total > 50 {
            total -= 50;
        }
        out[i] = total;
    }

    fn ranges(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut sum = 0;
        // Empty, backwards, at the end of a type, and with a bound that changes.
        for k in 5..5 {
            sum += k;
        }
        for k in 5..=4 {
            sum += k;
        }
        for k in 9..x[i] {
            sum += k;
        }
        for _ in 250..=255u8 {
            sum += 1;
        }
        for k in -3..3i8 {
            sum += (k + 3) as u32;
        }
        let mut end = x[i] % 4;
        for k in 0..end {
            end += 10;
            sum += k + end;
        }
        out[i] = sum;
    }

    fn counters(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut sum = 0;
        for mut k in 0..x[i] % 6 {
            k *= 2;
            sum += k;
        }
        for k in 0..x.len() {
            if k == i {
                sum += x[k];
            }
        }
        out[i] = sum;
    }

    fn compound(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut n = x[i] + 1000;
        n += 7;
        n -= 3;
        n *= 3;
        n /= 2;
        n %= 1000;
        n &= 0xff7;
        n |= 0x10;
        n ^= 0x5a;
        n <<= 3;
        n >>= 1;
        out[i] = n;
        out[i] += 1;
        out[i] *= 2;
        out[i] ^= x[i];
        out[i] >>= 1u8;
    }
}

same! {
    deferred_inference fallback constants shadowing block_values nested_values value_or_return effects_in_operands
    short_circuits short_circuits_in_loops loops ranges counters compound
}

/// Two loops through unsigned numbers that end where the type does.
#[kernel]
fn to_the_end_of_the_type(out: &mut [u32]) {
    let mut count = 0;
    for _ in 0..=u8::MAX {
        count += 1;
    }
    for _ in i16::MAX - 2..=i16::MAX {
        count += 1000;
    }
    out[global_id()] = count;
}

#[test]
fn inclusive_ranges_end_at_the_end_of_a_type() {
    everywhere!(|gpu| {
        let mut out = [0; 5];
        let launched = gpu.launch(Grid::new(1, 5), to_the_end_of_the_type(&mut out));
        assert!(launched.is_ok(), "{launched:?}");
        assert_eq!((out, NAMES.len()), ([3256; 5], 3));
    });
}

macro_rules! scalars {
    ($($name:ident: $ty:ty, $values:expr;)*) => {
        mod scalar {
            use simt::kernel;
            $(
                #[kernel]
                pub(super) fn $name(value: $ty, other: $ty, out: &mut [$ty], equal: &mut [bool]) {
                    let i = global_id();
                    out[i] = if i % 2 == 0 { value } else { other };
                    equal[i] = value == other;
                }
            )*
        }
        $(
            #[test]
            fn $name() {
                for value in $values {
                    everywhere!(|gpu| {
                        let (mut out, mut equal) = ([<$ty>::default(); 6], [true; 6]);
                        let launched = gpu.launch(Grid::new(2, 3), scalar::$name(value, $values[0], &mut out, &mut equal));
                        assert!(launched.is_ok(), "{launched:?}");
                        for (i, result) in out.iter().enumerate() {
                            assert_eq!(*result, if i % 2 == 0 { value } else { $values[0] });
                        }
                        assert_eq!(equal, [value == $values[0]; 6]);
                    });
                }
            }
        )*
    };
}
scalars! {
    u8_scalar: u8, [1, 0, u8::MAX];
    u16_scalar: u16, [1, 0, u16::MAX];
    u32_scalar: u32, [1, 0, u32::MAX];
    u64_scalar: u64, [1, 0, u64::MAX];
    i8_scalar: i8, [1, -1, i8::MIN];
    i16_scalar: i16, [1, -1, i16::MIN];
    i32_scalar: i32, [1, -1, i32::MIN];
    i64_scalar: i64, [1, -1, i64::MIN];
    f32_scalar: f32, [1.5, -0.0, f32::INFINITY];
    f64_scalar: f64, [1.5, -0.0, f64::NEG_INFINITY];
    bool_scalar: bool, [true, false];
    usize_scalar: usize, [1, 0, u32::MAX as usize];
    isize_scalar: isize, [1, -1, i32::MIN as isize];
}
