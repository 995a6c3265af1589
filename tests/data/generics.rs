//! Generic kernels and device functions: one program for each set of types and constants.

use simt::prelude::*;

#[device]
fn power<T: Num>(base: T, exponent: u32) -> T {
    let mut product = 1 as T;
    for _ in 0..exponent {
        product *= base;
    }
    product
}

#[device]
fn halves<T: Int, const BY: usize>(n: T) -> (T, usize) {
    (n / BY as T, BY)
}

#[device]
fn convert<T: Num, U: Num>(x: T) -> U {
    x as U
}

/// A polynomial of degree `N - 1`, by powers.
#[kernel]
fn polynomial<T, const N: usize>(coefficients: &[T], x: &[T], y: &mut [T])
where
    T: Num,
{
    let i = global_id();
    let mut sum: T = 0 as T;
    for k in 0..N {
        sum += coefficients[k] * power(x[i], k as u32);
    }
    y[i] = sum;
}

#[kernel]
fn conversions<T: Int, const BY: usize>(x: &[T], out: &mut [f64]) {
    let i = global_id();
    let (half, by) = halves::<T, BY>(x[i]);
    let single: f32 = convert(half);
    let limit = if x[i] > 100 as T { 1.0 } else { x[i] as f64 };
    out[i] = single as f64 + by as f64 * 1000.0 + limit + convert::<_, f64>(x[i] & 1 as T);
}

#[test]
fn a_generic_kernel_computes_with_each_type() {
    macro_rules! check {
        ($($ty:ty)*) => {$(
            everywhere!(|gpu| {
                let (coefficients, x) = ([1 as $ty, 2 as $ty, 3 as $ty], [0 as $ty, 1 as $ty, 2 as $ty, 5 as $ty]);
                let mut y = [0 as $ty; 4];
                let launched = gpu.launch(Grid::new(1, 4), polynomial::<$ty, 3>(&coefficients, &x, &mut y));
                assert!(launched.is_ok(), "{launched:?}");
                assert_eq!(y, [1 as $ty, 6 as $ty, 17 as $ty, 86 as $ty]);
            });
        )*};
    }
    check!(u8 i16 u32 i64 f32 f64 usize isize);
}

#[test]
fn generic_code_casts() {
    everywhere!(|gpu| {
        let mut out = [0.0; 3];
        let launched = gpu.launch(Grid::new(1, 3), conversions::<u8, 4>(&[9, 100, 255], &mut out));
        assert!(launched.is_ok(), "{launched:?}");
        assert_eq!(out, [4012.0, 4125.0, 4065.0]);
        let mut out = [0.0; 2];
        let launched = gpu.launch(Grid::new(1, 2), conversions::<i64, 2>(&[-9, 7], &mut out));
        assert!(launched.is_ok(), "{launched:?}");
        assert_eq!(out, [1988.0, 2011.0]);
    });
}

#[test]
fn each_instance_has_one_program() {
    let program = polynomial::program::<f32, 3>;
    assert!(std::ptr::eq(program(), program()));
    assert!(!std::ptr::eq(program(), polynomial::program::<f32, 4>()));
    assert!(program().to_string().contains("kernel polynomial(coefficients: &[f32]"), "{}", program());
    assert!(polynomial::program::<u8, 7>().to_string().contains("k < 7"));
    let mut y = [0.0];
    let call = polynomial::<f32, 3>(&[1.0], &[1.0], &mut y);
    assert!(std::ptr::eq(call.kernel().program(), program()));
}

/// What is inferred from the arguments need not be said.
#[kernel]
fn scale<T: Float>(by: T, x: &mut [T]) {
    let i = global_id();
    x[i] = x[i] * by + 0.5 as T;
}

#[test]
fn types_are_inferred_from_the_arguments() {
    let (mut singles, mut doubles) = ([1.5f32, 2.5], [1.0f64]);
    let gpu = Gpu::<Ipdom>::default();
    assert!(gpu.launch(Grid::new(1, 2), scale(2.0, &mut singles)).is_ok());
    assert!(gpu.launch(Grid::new(1, 1), scale(3.0, &mut doubles)).is_ok());
    assert_eq!((singles, doubles), ([3.5, 5.5], [3.5]));
}

/// Generic code of the host launches generic kernels.
fn scaled<T: Float + simt::host::Element>(x: &mut [T], by: T) -> bool {
    Gpu::<MinPc>::default().launch(Grid::new(1, x.len()), scale(by, x)).is_ok()
}

#[test]
fn generic_code_of_the_host_launches() {
    let mut x = [1.0f32; 3];
    assert!(scaled(&mut x, 4.0));
    assert_eq!(x, [4.5; 3]);
}

#[kernel]
fn sizes<const WIDTH: usize, const FLAG: bool, const OFFSET: i32>(out: &mut [i32]) {
    let mut a = [OFFSET; WIDTH];
    for i in (0..WIDTH).step_by(2) {
        a[i] *= 10;
    }
    let mut sum = 0;
    for i in 0..a.len() {
        sum += a[i];
    }
    out[global_id()] = if FLAG { sum } else { -sum };
}

#[test]
fn constants_are_parameters() {
    let mut out = [0; 2];
    let gpu = Gpu::<Ipdom>::default();
    assert!(gpu.launch(Grid::new(1, 2), sizes::<5, true, 2>(&mut out)).is_ok());
    assert_eq!(out, [64; 2]);
    assert!(gpu.launch(Grid::new(1, 2), sizes::<3, false, -1>(&mut out)).is_ok());
    assert_eq!(out, [21; 2]);
}

/// What Rust has no type for: lengths computed of parameters.
#[device]
trait Shape {
    const SIZE: usize;
}
#[derive(Clone, Copy, KernelData)]
struct Halo;
#[device]
impl Shape for Halo {
    const SIZE: usize = 6;
}

#[kernel]
fn with_computed_lengths<S: Shape, const N: usize>(x: &[u32], out: &mut [u32]) {
    #[shared]
    let mut tile: [u32; 2 * N + 1];
    #[shared]
    let mut rows: [[u32; N]; N - 2];
    #[shared]
    let mut halo: [u32; S::SIZE];
    let t = thread_idx().x;
    tile[t] = x[t];
    tile[2 * N] = 7;
    rows[t % 2][t / 2 % N] = t as u32;
    if t < halo.len() {
        halo[t] = 3;
    }
    sync_threads();
    out[t] = tile[(t + 1) % block_dim().x] + tile.len() as u32 * 100 + tile[2 * N] * 10_000;
    out[t] += rows[1][2] + rows.len() as u32 + halo.iter().sum::<u32>();
}

#[test]
fn shared_arrays_have_computed_lengths() -> Result<(), LaunchError> {
    for_each_policy!(P => {
        let (x, mut out) = ([1, 2, 3, 4, 5, 6, 7, 8], [0; 8]);
        Gpu::<P>::default().launch(Grid::new(1, 8), with_computed_lengths::<Halo, 4>(&x, &mut out))?;
        for t in 0..8 {
            assert_eq!(out[t], x[(t + 1) % 8] + 900 + 70_000 + 5 + 2 + 18);
        }
    });
    Ok(())
}
