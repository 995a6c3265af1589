//! Launches that are refused before any thread runs.

use crate::kernels;
use simt::error::{ArgumentProblem, ConfigError, GridError};
use simt::host::Argument;
use simt::prelude::*;
use simt::{KernelCall, for_each_policy};

/// A call whose slices would tell if a thread ran.
fn launch(gpu: &Gpu<Ipdom>, grid: Grid) -> LaunchError {
    let mut y = [1.0; 4];
    let error = gpu.launch(grid, kernels::read(&[7.0; 4], &mut y)).expect_err("it is refused");
    assert_eq!(y, [1.0; 4]);
    assert_eq!((error.kernel(), error.line(), error.thread()), ("read", None, None));
    error
}

#[test]
fn a_grid_out_of_range_is_refused() {
    let refused = |grid| match launch(&Gpu::default(), grid) {
        LaunchError::Grid { error, .. } => error,
        other => panic!("{other}"),
    };
    assert!(matches!(refused(Grid::new(1, 0)), GridError::EmptyBlock { .. }));
    assert!(matches!(refused(Grid::new(1, (4, 0, 4))), GridError::EmptyBlock { .. }));
    assert!(matches!(refused(Grid::covering(4, 0)), GridError::EmptyBlock { .. }));
    assert!(matches!(refused(Grid::new(1, 1025)), GridError::BlockTooLarge { .. }));
    assert!(matches!(refused(Grid::new(1, (32, 33))), GridError::BlockTooLarge { .. }));
    assert!(matches!(refused(Grid::new((1, 1, 65_536), 1)), GridError::TooManyBlocks { .. }));
    assert!(matches!(refused(Grid::new(1_u32 << 31, 1)), GridError::TooManyBlocks { .. }));
    assert!(matches!(refused(Grid::new((1 << 20, 1 << 13), 1)), GridError::TooManyThreads { .. }));
    assert!(matches!(refused(Grid::new((isize::MAX, 1, 1), 1)), GridError::TooManyBlocks { .. }));
    assert!(matches!(refused(Grid::covering(-4, 64)), GridError::Negative { .. }));
    assert!(matches!(refused(Grid::new(1, 64).with_shared_memory(-4)), GridError::Negative { .. }));

    let error = launch(&Gpu::default(), Grid::new(1, 1025));
    assert!(std::error::Error::source(&error).is_some_and(|source| source.is::<GridError>()));
    assert_shown!("block_too_large", error);
    assert_shown!("negative", launch(&Gpu::default(), Grid::new((2, -3), 64)));
    assert_shown!("empty_block", launch(&Gpu::default(), Grid::covering(4, 0)));
    assert_shown!("too_many_threads", launch(&Gpu::default(), Grid::new((1 << 20, 1 << 13), 1)));
}

#[test]
fn a_config_out_of_range_is_refused() {
    let gpu = Gpu::<Ipdom>::default().with_warp_width(5);
    let error = launch(&gpu, Grid::new(1, 4));
    assert!(matches!(error, LaunchError::Config { error: ConfigError::WarpWidth { value: 5 }, .. }));
    assert!(std::error::Error::source(&error).is_some_and(|source| source.is::<ConfigError>()));
    assert_shown!("warp_width", error);
    let error = launch(&Gpu::default().with_step_limit(0), Grid::new(1, 4));
    assert!(matches!(error, LaunchError::Config { error: ConfigError::StepLimit, .. }));
    assert_shown!("step_limit_of_zero", error);
    for width in [0, 1, 2, 3, 33, 63, 65, 128, usize::MAX] {
        let error = launch(&Gpu::default().with_warp_width(width), Grid::new(1, 4));
        assert!(matches!(error, LaunchError::Config { error: ConfigError::WarpWidth { value }, .. } if value == width));
    }
}

fn refused(call: KernelCall<'_>) -> (LaunchError, String, ArgumentProblem) {
    let error = Gpu::<MinPc>::default().launch(Grid::new(1, 4), call).expect_err("it is refused");
    let LaunchError::Argument(argument) = &error else { panic!("{error}") };
    let (param, problem) = (argument.param.to_string(), argument.problem.clone());
    (error, param, problem)
}

#[test]
fn an_argument_beyond_32_bits_is_refused() {
    let too_big = |value: &str, index| ArgumentProblem::TooBig { value: value.into(), index };
    let big = 1usize << 32;
    let (error, param, problem) = refused(kernels::sizes(big, 0, &[], &mut []));
    assert_eq!((param.as_str(), problem), ("limit", too_big("4294967296", None)));
    assert_eq!((error.kernel(), error.line(), error.thread()), ("sizes", None, None));
    assert_shown!("scalar_too_big", error);

    let (_, param, problem) = refused(kernels::sizes(0, -2_147_483_649, &[], &mut []));
    assert_eq!((param.as_str(), problem), ("offset", too_big("-2147483649", None)));

    let (error, param, problem) = refused(kernels::sizes(0, 0, &[1, 2, big, big + 1], &mut []));
    assert_eq!((param.as_str(), problem), ("index", too_big("4294967296", Some(2))));
    assert_shown!("element_too_big", error);

    let mut y = [0, 1 << 31];
    let (_, param, problem) = refused(kernels::sizes(0, 0, &[], &mut y));
    assert_eq!((param.as_str(), problem), ("y", too_big("2147483648", Some(1))));
    assert_eq!(y, [0, 1 << 31]);
}

#[test]
fn the_largest_arguments_of_32_bits_are_passed() {
    let (largest, smallest) = (u32::MAX as usize, i32::MIN as isize);
    for_each_policy!(P => {
        let mut y = [0, -1, 5, smallest];
        let index = [largest - 1, largest, 0, 0];
        let launched = Gpu::<P>::default().launch(Grid::new(1, 4), kernels::sizes(largest, smallest, &index, &mut y));
        assert!(launched.is_ok(), "{launched:?}");
        // The second is not below the limit; the last wraps.
        assert_eq!(y, [smallest, -1, smallest + 5, 0]);
    });
}

#[test]
fn arguments_of_another_kernel_are_refused() {
    let mismatch =
        |expected: &str, found: &str| ArgumentProblem::Mismatch { expected: expected.into(), found: found.into() };
    let (x, mut y, mut z) = ([1.0f32; 4], [0.0f32; 4], [0u64; 4]);
    let reading = kernels::read(&x, &mut y);
    let kernel = reading.kernel();
    let (error, param, problem) = refused(simt::host::call(kernel, Vec::new()));
    assert_eq!((param.as_str(), problem), ("(all)", ArgumentProblem::Count { expected: 2, found: 0 }));
    assert_shown!("no_arguments", error);
    let arguments = vec![Argument::slice(&x), Argument::slice_mut(&mut z)];
    let (_, param, problem) = refused(simt::host::call(kernel, arguments));
    assert_eq!((param.as_str(), problem), ("y", mismatch("y: &mut [f32]", "a slice `&mut [_]` of 64 bits each")));
    let arguments = vec![Argument::slice(&x), Argument::slice(&x)];
    let (_, param, problem) = refused(simt::host::call(kernel, arguments));
    let found = mismatch("y: &mut [f32]", "a slice `&[_]` of 32 bits each");
    assert_eq!((param.as_str(), problem), ("y", found), "a slice to read is none to write");
    let arguments = vec![Argument::scalar(1.0f32), Argument::slice(&x)];
    let (_, param, problem) = refused(simt::host::call(kernel, arguments));
    assert_eq!((param.as_str(), problem), ("x", mismatch("x: &[f32]", "a `f32`")));
}

#[test]
fn a_constant_beyond_32_bits_is_refused() {
    let mut y = [0; 4];
    let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 4), kernels::big_constant(&mut y)).expect_err("too big");
    assert!(matches!(error, LaunchError::Program(_)));
    assert_eq!((error.kernel(), error.line(), error.thread()), ("big_constant", Some(kernels::BIG_CONSTANT), None));
    assert_eq!(y, [0; 4]);
    assert_shown!("big_constant", error);
}
