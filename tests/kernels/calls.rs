//! Where kernels can stand, and how they can be launched.

use simt::Program;
use simt::host::Kernel;
use simt::prelude::*;
use std::thread;

/// Kernels that others use.
mod library {
    use simt::prelude::*;

    #[kernel]
    pub(super) fn scale(x: &mut [f32], by: f32) {
        let i = global_id();
        if i < x.len() {
            x[i] *= by;
        }
    }

    pub(super) mod deeper {
        const STEP: u32 = super::super::STEP;

        #[simt::kernel]
        pub(in super::super) fn step(x: &mut [u32]) {
            x[global_id()] += STEP;
        }
    }
}

const STEP: u32 = 11;

#[test]
fn a_kernel_of_another_module() -> Result<(), LaunchError> {
    let mut x = [1.0, 2.0, 3.0];
    Gpu::<Ipdom>::default().launch(Grid::new(1, 4), library::scale(&mut x, 0.5))?;
    assert_eq!(x, [0.5, 1.0, 1.5]);
    use library::deeper::step;
    let mut x = [1, 2];
    Gpu::<MinPc>::default().launch(Grid::new(1, 2), step(&mut x))?;
    assert_eq!(x, [12, 13]);
    assert_eq!(step::program().name, "step");
    Ok(())
}

#[test]
fn a_kernel_inside_a_function() -> Result<(), LaunchError> {
    const BASE: i64 = -40;

    #[kernel]
    fn inner(out: &mut [i64]) {
        let i = global_id();
        out[i] = BASE + i as i64;
    }

    let mut out = [0; 3];
    Gpu::<TokenStack>::default().launch(Grid::new(1, 3), inner(&mut out))?;
    assert_eq!(out, [-40, -39, -38]);
    Ok(())
}

macro_rules! powers {
    ($($name:ident: $ty:ty, $exponent:literal;)*) => {$(
        #[kernel]
        fn $name(x: &mut [$ty]) {
            let i = global_id();
            let mut result = 1 as $ty;
            for _ in 0..$exponent {
                result *= x[i];
            }
            x[i] = result;
        }
    )*};
}
powers! { squares: u32, 2; cubes: i64, 3; fourth_powers: f64, 4; }

#[test]
fn kernels_that_a_macro_writes() -> Result<(), LaunchError> {
    let (mut a, mut b, mut c) = ([1, 2, 3], [-1, -2, 3], [1.0, 2.0, -3.0]);
    let gpu = Gpu::<NoReconvergence>::default();
    gpu.launch(Grid::new(1, 3), squares(&mut a))?;
    gpu.launch(Grid::new(1, 3), cubes(&mut b))?;
    gpu.launch(Grid::new(1, 3), fourth_powers(&mut c))?;
    assert_eq!((a, b, c), ([1, 4, 9], [-1, -8, 27], [1.0, 16.0, 81.0]));
    Ok(())
}

#[kernel]
fn r#match(r#type: &[u32], r#loop: &mut [u32]) {
    let r#in = global_id();
    r#loop[r#in] = r#type[r#in] + 1;
}

#[test]
fn names_that_are_keywords() -> Result<(), LaunchError> {
    let mut out = [0; 2];
    Gpu::<Ipdom>::default().launch(Grid::new(1, 2), r#match(&[5, 6], &mut out))?;
    assert_eq!(out, [6, 7]);
    let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 3), r#match(&[5, 6], &mut [0; 3])).expect_err("too many");
    assert!(error.to_string().contains("`type[2]` read here"), "{error}");
    Ok(())
}

#[kernel]
fn uneven(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    if i >= x.len() {
        return;
    }
    let mut n = x[i];
    let mut count = 0;
    while n > 1 {
        if n % 3 == 0 {
            n /= 3;
        } else {
            n -= 1;
        }
        count += 1;
    }
    out[i] = count;
}

fn launch<P: Policy>() -> (Vec<u32>, Report) {
    let x: Vec<u32> = (0..300).map(|i| i * i % 97).collect();
    let mut out = vec![0; x.len()];
    let report = Gpu::<P>::default().launch(Grid::covering(x.len(), 96), uneven(&x, &mut out));
    (out, report.unwrap_or_else(|error| panic!("{error}")))
}

#[test]
fn the_same_launch_gives_the_same_report_byte_for_byte() {
    for_each_policy!(P => {
        let (first, second) = (launch::<P>(), launch::<P>());
        assert_eq!(first, second);
        assert_eq!(first.1.to_string(), second.1.to_string());
    });
}

#[test]
fn errors_are_the_same_every_time() {
    let launch =
        || Gpu::<Ipdom>::default().launch(Grid::new(1, 9), squares(&mut [1; 8])).expect_err("too many threads");
    assert_eq!(launch().to_string(), launch().to_string());
}

#[test]
fn threads_of_the_host_launch_at_once() {
    fn assert_shared<T: Sync + Send>() {}
    assert_shared::<(Gpu<Ipdom>, Kernel, Program, Report, LaunchError, KernelCall<'_>)>();

    let alone = (launch::<Ipdom>(), launch::<TokenStack>(), launch::<MinPc>());
    let (gpu, x) = (Gpu::<NoReconvergence>::default(), [3; 40]);
    thread::scope(|scope| {
        for number in 0..8 {
            let (alone, gpu, x) = (&alone, &gpu, &x);
            scope.spawn(move || {
                for _ in 0..5 {
                    match number % 3 {
                        0 => assert_eq!(launch::<Ipdom>(), alone.0),
                        1 => assert_eq!(launch::<TokenStack>(), alone.1),
                        _ => assert_eq!(launch::<MinPc>(), alone.2),
                    }
                    let mut out = [0; 40];
                    assert!(gpu.launch(Grid::new(1, 40), uneven(x, &mut out)).is_ok());
                    assert_eq!(out, [1; 40]);
                }
            });
        }
    });
}

#[test]
fn a_call_can_be_kept_and_launched_later_or_never() -> Result<(), LaunchError> {
    let mut x = [2; 3];
    drop(squares(&mut x));
    assert_eq!(x, [2; 3], "a call alone does nothing");
    let call = squares(&mut x);
    assert_eq!(call.kernel().program().name, "squares");
    Gpu::<Ipdom>::default().launch(Grid::new(1, 3), call)?;
    assert_eq!(x, [4; 3]);
    Ok(())
}

#[test]
fn a_kernel_without_effects_or_parameters() -> Result<(), LaunchError> {
    #[kernel]
    fn nothing() {}

    let report = Gpu::<Ipdom>::default().with_warp_width(4).launch(Grid::new(1, 6), nothing())?;
    assert_eq!((report.issues(), report.thread_instructions()), (2, 6));
    Ok(())
}
