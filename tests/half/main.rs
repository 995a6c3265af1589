//! 16-bit floats: what the crate `half` computes on the host, bit for bit; a NaN that is computed is its `NAN`.

#[macro_use]
#[path = "../support/mod.rs"]
mod support;

use simt::core::lower::LowerOptions;
use simt::prelude::*;
use support::host;

mod casts;

const THIRD: f16 = f16::from_f32_const(1.0 / 3.0);
const THIRD_B: bf16 = bf16::from_f32_const(1.0 / 3.0);

/// Kernels that are plain Rust with the crate `half`, too; their results are compared on all pairs of some values.
macro_rules! operators {
    ($($ty:ident: $operators:ident, $comparisons:ident, $third:ident;)*) => {
        kernels! {
            $(
                fn $operators(a: &[$ty], b: &[$ty], out: &mut [$ty]) {
                    let i = global_id();
                    if i >= a.len() {
                        return;
                    }
                    out[i * 9] = a[i] + b[i];
                    out[i * 9 + 1] = a[i] - b[i];
                    out[i * 9 + 2] = a[i] * b[i];
                    out[i * 9 + 3] = a[i] / b[i];
                    out[i * 9 + 4] = a[i] % b[i];
                    out[i * 9 + 5] = -a[i];
                    out[i * 9 + 6] = a[i] * $third + $ty::EPSILON;
                    let mut sum = a[i] + b[i];
                    sum -= $ty::from_f32(a[i].to_f32() * 0.3);
                    sum *= $ty::from_f64(b[i].to_f64());
                    out[i * 9 + 7] = sum;
                    out[i * 9 + 8] = if a[i] < b[i] { b[i] } else { $ty::from_bits(a[i].to_bits() ^ 0x8000) };
                }

                fn $comparisons(a: &[$ty], b: &[$ty], out: &mut [bool]) {
                    let i = global_id();
                    if i < a.len() {
                        out[i * 6] = a[i] == b[i];
                        out[i * 6 + 1] = a[i] != b[i];
                        out[i * 6 + 2] = a[i] < b[i];
                        out[i * 6 + 3] = a[i] <= b[i];
                        out[i * 6 + 4] = a[i] > b[i];
                        out[i * 6 + 5] = a[i] >= b[i];
                    }
                }
            )*
        }

        $(
            #[test]
            fn $operators() {
                let (a, b) = pairs($ty::from_bits);
                let grid = Grid::covering(a.len(), 64);
                let mut expected = vec![$ty::ZERO; 9 * a.len()];
                host::run(grid, || plain::$operators(&a, &b, &mut expected));
                let canonical = |value: $ty| if value.is_nan() { $ty::NAN.to_bits() } else { value.to_bits() };
                everywhere!(|gpu| {
                    let mut out = vec![$ty::ZERO; expected.len()];
                    let launched = gpu.launch(grid, kernel::$operators(&a, &b, &mut out));
                    assert!(launched.is_ok(), "{launched:?}");
                    let differs = out.iter().zip(&expected).position(|(x, y)| canonical(*x) != canonical(*y));
                    let what = differs.map(|at| (a[at / 9], b[at / 9], at % 9, out[at], expected[at]));
                    assert!(what.is_none(), "(a, b, result number, found, expected) = {what:?}");
                    // What is computed is canonical; the last one is only copied.
                    let mut computed = out.iter().enumerate().filter(|(at, _)| at % 9 != 8);
                    assert!(computed.all(|(_, value)| value.to_bits() == canonical(*value)));
                });
            }

            #[test]
            fn $comparisons() {
                let (a, b) = pairs($ty::from_bits);
                let grid = Grid::covering(a.len(), 64);
                let mut expected = vec![false; 6 * a.len()];
                host::run(grid, || plain::$comparisons(&a, &b, &mut expected));
                everywhere!(|gpu| {
                    let mut out = vec![false; expected.len()];
                    let launched = gpu.launch(grid, kernel::$comparisons(&a, &b, &mut out));
                    assert!(launched.is_ok(), "{launched:?}");
                    assert_eq!(out, expected);
                });
            }
        )*
    };
}

operators! {
    f16: f16_operators, f16_comparisons, THIRD;
    bf16: bf16_operators, bf16_comparisons, THIRD_B;
}

/// Bits of zeros, subnormal and normal numbers, the largest, infinities and NaNs of both types.
const BITS: [u16; 20] = [
    0, 0x8000, 1, 0x8003, 0x0080, 0x03ff, 0x0400, 0x3c00, 0xbc01, 0x3e35, 0x4248, 0xc900, 0x5640, 0x7bff, 0x7c00,
    0xfc00, 0x7e01, 0x7f7f, 0xff80, 0x7fc1,
];

fn pairs<T: Copy>(of: impl Fn(u16) -> T) -> (Vec<T>, Vec<T>) {
    BITS.iter().flat_map(|&x| BITS.iter().map(move |&y| (x, y))).map(|(x, y)| (of(x), of(y))).unzip()
}

#[kernel]
fn methods<T: Float>(x: &[T], y: &[T], out: &mut [T]) {
    let i = global_id();
    let first = i * 18;
    if i >= x.len() {
        return;
    }
    let (x, y) = (x[i], y[i]);
    out[first] = x.sqrt();
    out[first + 1] = x.abs();
    out[first + 2] = x.min(y);
    out[first + 3] = x.max(y);
    out[first + 4] = x.floor();
    out[first + 5] = x.ceil();
    out[first + 6] = x.round();
    out[first + 7] = x.trunc();
    out[first + 8] = x.exp();
    out[first + 9] = x.ln();
    out[first + 10] = x.sin();
    out[first + 11] = x.atan2(y);
    out[first + 12] = x.powi(3);
    out[first + 13] = x.recip();
    out[first + 14] = x.copysign(y);
    out[first + 15] = x.signum();
    out[first + 16] = x.rem_euclid(y);
    out[first + 17] = if x.is_nan() || y.is_finite() { x.tanh() } else { x.cbrt() };
}

/// A method is that of `f32`, rounded.
#[test]
fn methods_are_rounded_once() {
    macro_rules! check {
        ($($ty:ident)*) => {$(
            let (x, y) = pairs($ty::from_bits);
            let wide = |values: &[$ty]| -> Vec<f32> { values.iter().map(|value| value.to_f32()).collect() };
            let (wide_x, wide_y) = (wide(&x), wide(&y));
            let grid = Grid::covering(x.len(), 96);
            everywhere!(|gpu| {
                let (mut out, mut wide_out) = (vec![$ty::ONE; 18 * x.len()], vec![0.0; 18 * x.len()]);
                gpu.launch(grid, methods(&x, &y, &mut out)).expect("a launch");
                gpu.launch(grid, methods(&wide_x, &wide_y, &mut wide_out)).expect("a launch");
                for (at, (found, expected)) in out.iter().zip(wide_out).enumerate() {
                    let same = if expected.is_nan() {
                        found.to_bits() == $ty::NAN.to_bits()
                    } else {
                        found.to_bits() == $ty::from_f32(expected).to_bits()
                    };
                    assert!(same, "{at}: {found:?} {expected:?} of {:?}, {:?}", x[at / 18], y[at / 18]);
                }
            });
        )*};
    }
    check!(f16 bf16);
}

#[kernel]
fn fused<T: Float>(x: &[T], out: &mut [T]) {
    out[global_id()] = x[0].mul_add(x[1], x[global_id() + 2]);
}

/// The addend decides, however small it is: 261 is half way between two `bf16`s.
#[test]
fn mul_add_rounds_once() {
    let x = [3.0, 87.0, 0.0, 1e-30, -1e-30, 1.0].map(bf16::from_f32);
    everywhere!(|gpu| {
        let mut out = [bf16::ZERO; 4];
        gpu.launch(Grid::new(1, 4), fused(&x, &mut out)).expect("a launch");
        assert_eq!(out.map(bf16::to_f32), [260.0, 262.0, 260.0, 262.0]);
    });
}

mod composed {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq, KernelData)]
    struct Sample {
        weight: f16,
        colour: [bf16; 3],
    }

    kernels! {
        #[device]
        fn brighter(sample: Sample, by: bf16) -> Sample {
            Sample { colour: [sample.colour[0] * by, sample.colour[1], sample.colour[2] + by], ..sample }
        }

        fn everything(by: bf16, samples: &mut [Sample], out: &mut [f16]) {
            let i = global_id();
            let mut local = [f16::ONE; 4];
            local[i % 4] += samples[i].weight;
            let mut sample = brighter(samples[i], by);
            sample.weight = -sample.weight;
            samples[i] = sample;
            let mut sum = f16::from_f32(0.0);
            for k in 0..4 {
                sum += local[k];
            }
            out[i] = sum;
        }
    }

    #[test]
    fn structs_arrays_parameters_and_functions() {
        let sample = |i: usize| Sample {
            weight: f16::from_f32(i as f32 / 7.0),
            colour: [0.1, 0.2, i as f32].map(bf16::from_f32),
        };
        let before: Vec<Sample> = (0..20).map(sample).collect();
        let (by, grid) = (bf16::from_f32(1.7), Grid::new(2, 10));
        let (mut expected, mut expected_out) = (before.clone(), vec![f16::ZERO; 20]);
        host::run(grid, || plain::everything(by, &mut expected, &mut expected_out));
        everywhere!(|gpu| {
            let (mut samples, mut out) = (before.clone(), vec![f16::ZERO; 20]);
            gpu.launch(grid, kernel::everything(by, &mut samples, &mut out)).expect("a launch");
            assert_eq!((&samples, &out), (&expected, &expected_out));
        });
    }
}

#[device]
fn scale<T: Num>(x: T, by: T) -> (T, T) {
    (x * by, x + by)
}

#[kernel]
fn together(#[constant] table: &[f16], x: &[bf16], out: &mut [bf16]) {
    #[shared]
    let mut tile: [bf16; 8];
    let i = thread_idx().x;
    tile[i] = x[i];
    sync_threads();
    let (product, sum) = scale(tile[7 - i], x[i]);
    let (wide, _) = scale(table[i % 2] as f32, 2.0);
    assert!(sum >= x[i], "{sum} < {}", x[i]);
    println!("{i}: {product} {:.1} {:?} {:e}", sum, table[i % 2], x[i]);
    out[i] = shuffle_xor(product, 1) + wide as bf16;
}

#[test]
fn threads_share_and_speak() {
    let (table, x) = ([THIRD, f16::ONE], [1.0f32, 2.0, 3.0, 4.0, 5.5, 6.0, 7.0, 8.25].map(bf16::from_f32));
    let product = |i: usize| x[7 - i] * x[i];
    let wide = |i: usize| bf16::from_f32(table[i % 2].to_f32() * 2.0);
    let expected: Vec<bf16> = (0..8).map(|i| product(i ^ 1) + wide(i)).collect();
    let line =
        |i: usize| format!("{i}: {} {:.1} {:?} {:e}", product(i), (x[7 - i] + x[i]).to_f32(), table[i % 2], x[i]);
    let lines: Vec<String> = (0..8).map(line).collect();
    everywhere!(|gpu| {
        let mut out = [bf16::ZERO; 8];
        let report = gpu.launch(Grid::new(1, 8), together(&table, &x, &mut out)).expect("a launch");
        assert_eq!(out[..], expected);
        assert_eq!(report.prints(), lines);
    });
    let launched = Gpu::<Ipdom>::default().launch(Grid::new(1, 8), together(&table, &[-THIRD_B; 8], &mut [THIRD_B; 8]));
    let error = launched.expect_err("the assertion fails").to_string();
    assert!(error.starts_with("error[simt::panic]: -0.66796875 < -0.33398438"), "{error}");
}

#[kernel]
fn sums<T: Num>(x: &[T], out: &mut [T], narrow: &mut [f16]) {
    let i = global_id();
    let mut sum = 1 as T;
    for k in 0..4u32 {
        sum += x[i] * k as T;
    }
    out[i] = sum;
    narrow[i] = sum as f16;
}

#[test]
fn generic_kernels_have_them_among_their_types() {
    macro_rules! check {
        ($($ty:ty: |$x:ident| $of:expr;)*) => {$(
            everywhere!(|gpu| {
                let of = |$x: u8| -> $ty { $of };
                let (mut out, mut narrow) = ([of(0); 3], [f16::ZERO; 3]);
                gpu.launch(Grid::new(1, 3), sums(&[1, 2, 3].map(of), &mut out, &mut narrow)).expect("a launch");
                assert_eq!((out, narrow), ([7, 13, 19].map(of), [7u8, 13, 19].map(f16::from)));
            });
        )*};
    }
    check! {
        f16: |x| x.into();
        bf16: |x| x.into();
        f32: |x| x.into();
        i8: |x| x as i8;
    }
}

#[kernel]
fn clamped(x: &mut [f16], limit: f16) {
    let i = global_id();
    let mut y = x[i];
    if y > limit {
        y = limit;
    } else {
        y = y + THIRD;
    }
    x[i] = y;
}

#[test]
fn short_arms_become_selects() {
    let before: Vec<f16> = (0..32).map(|i| f16::from_f32(i as f32 / 8.0)).collect();
    let limit = f16::from_f32(2.0);
    let expected: Vec<f16> = before.iter().map(|&x| if x > limit { limit } else { x + THIRD }).collect();
    simt::for_each_policy!(P => for (width, if_conversion) in [4, 8, 16, 32, 64].map(|width| [(width, false), (width, true)]).concat() {
        let gpu = Gpu::<P>::default().with_warp_width(width).with_if_conversion(if_conversion);
        let mut x = before.clone();
        gpu.launch(Grid::new(1, 32), clamped(&mut x, limit)).expect("a launch");
        assert_eq!(x, expected);
    });
    let code = clamped::program().code(LowerOptions { markers: Markers::None, if_conversion: true });
    let listing = code.to_string();
    assert!(listing.contains("sel.f16") && listing.contains("0.33325195"), "{listing}");
    assert_eq!(simt::Code::parse(&listing).map(|parsed| parsed.insts.clone()), Ok(code.insts));
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq, PartialOrd)]
struct Halves {
    a: f16,
    b: Option<bf16>,
}

#[kernel]
fn halves(x: &[f16], out: &mut [bool]) {
    let i = thread_idx().x;
    let own = Halves { a: x[i], b: if i % 2 == 0 { Some(x[i] as bf16) } else { None } };
    println!("{own:?}");
    out[i] = own < shuffle(own, 3);
}

#[test]
fn structs_of_halves_are_shown_and_compared() {
    let x = [1.5f32, 0.25, 2.0, 2.0].map(f16::from_f32);
    let own = |i: usize| Halves { a: x[i], b: i.is_multiple_of(2).then(|| bf16::from_f32(x[i].to_f32())) };
    everywhere!(|gpu| {
        let mut out = [false; 4];
        let report = gpu.launch(Grid::new(1, 4), halves(&x, &mut out)).unwrap();
        assert_eq!(report.prints(), [0, 1, 2, 3].map(|i| format!("{:?}", own(i))));
        assert_eq!(out, [0, 1, 2, 3].map(|i| own(i) < own(3)));
    });
}
