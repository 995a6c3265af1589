//! Faults: actions of threads that have no meaning.

use crate::kernels;
use simt::core::{LaneMask, ScalarType};
use simt::error::{Fault, FaultKind};
use simt::prelude::*;
use simt::{Dim3, KernelCall, Overflow};

/// The fault of a launch under a policy, warps of 4.
#[track_caller]
fn fault_under<P: Policy>(grid: Grid, call: KernelCall<'_>) -> (Box<Fault>, LaunchError) {
    let error = Gpu::<P>::default().with_warp_width(4).launch(grid, call).expect_err("the kernel faults");
    match &error {
        LaunchError::Fault(fault) => (fault.clone(), error),
        other => panic!("not a fault: {other}"),
    }
}

#[track_caller]
fn fault(grid: Grid, call: KernelCall<'_>) -> (Box<Fault>, LaunchError) {
    fault_under::<Ipdom>(grid, call)
}

fn out_of_bounds(slice: &'static str, index: usize, length: usize, write: bool) -> FaultKind {
    FaultKind::OutOfBounds { slice: slice.into(), index, length, write }
}

#[test]
fn a_read_out_of_bounds_names_everything() {
    let (x, mut y) = ([1.0; 10], [0.0; 12]);
    let (fault, error) = fault(Grid::new(2, 6), kernels::read(&x, &mut y));
    assert_eq!(fault.kind, out_of_bounds("x", 10, 10, false));
    assert_eq!((fault.thread.block, fault.thread.thread), (Dim3 { x: 1, y: 0, z: 0 }, Dim3 { x: 4, y: 0, z: 0 }));
    assert_eq!((fault.thread.global_id, fault.thread.warp, fault.thread.lane), (10, 1, 0));
    assert_eq!((fault.active, fault.policy, &*fault.kernel), (LaneMask(0b11), "Ipdom", "read"));
    assert_eq!((error.kernel(), error.line(), error.thread()), ("read", Some(kernels::READ), Some(fault.thread)));
    assert_shown!("read", error);
}

#[test]
fn a_write_out_of_bounds_names_everything() {
    let (x, mut y) = ([1.0; 8], [0.0; 8]);
    let (fault, error) = fault(Grid::new(1, 8), kernels::write(&x, &mut y));
    assert_eq!(fault.kind, out_of_bounds("y", 8, 8, true));
    assert_eq!((fault.thread.global_id, fault.thread.warp, fault.thread.lane), (7, 1, 3));
    assert_eq!((fault.active, error.line()), (LaneMask(0b1111), Some(kernels::WRITE)));
    assert_shown!("write", error);
}

#[test]
fn an_index_below_zero_is_explained() {
    let (x, mut y) = ([1; 5], [0; 5]);
    let (fault, error) = fault(Grid::new(1, 8), kernels::left_neighbour(&x, &mut y));
    assert_eq!(fault.kind, out_of_bounds("x", u32::MAX as usize, 5, false));
    assert_eq!((fault.thread.global_id, error.line()), (0, Some(kernels::LEFT_NEIGHBOUR)));
    assert!(error.to_string().contains("wrapped around below zero, by 1"), "{error}");
    assert_shown!("left_neighbour", error);
}

#[test]
fn an_empty_slice_is_pointed_out() {
    let (index, mut y) = ([7; 4], [0; 4]);
    let (fault, error) = fault(Grid::new(1, 4), kernels::indirect(&[], &index, &mut y));
    assert_eq!((fault.kind, error.line()), (out_of_bounds("table", 7, 0, false), Some(kernels::INDIRECT)));
    assert_shown!("empty_slice", error);
}

#[test]
fn the_largest_index_is_named() {
    let (index, mut y) = ([1, 2, 30, 3], [0; 4]);
    let (fault, error) = fault(Grid::new(1, 4), kernels::indirect(&[0; 30], &index, &mut y));
    assert_eq!((fault.kind, fault.thread.lane), (out_of_bounds("table", 30, 30, false), 2));
    assert!(error.to_string().contains("the largest index is 29"), "{error}");
}

#[test]
fn of_several_lanes_that_fault_the_lowest_is_named() {
    let (index, mut y) = ([0, 9, 8, 1, 9, 9, 9, 9], [0; 8]);
    for_each_policy!(P => {
        let (fault, _) = fault_under::<P>(Grid::new(1, 8), kernels::indirect(&[0; 5], &index, &mut y));
        assert_eq!((fault.thread.global_id, fault.kind), (1, out_of_bounds("table", 9, 5, false)));
    });
    for width in [4, 8, 16, 32, 64] {
        let mut y = [0; 70];
        let index: Vec<usize> = (0..70).map(|i| if i < 67 { 0 } else { i }).collect();
        let gpu = Gpu::<MinPc>::default().with_warp_width(width);
        let error = gpu.launch(Grid::new(1, 70), kernels::indirect(&[0; 5], &index, &mut y)).expect_err("it faults");
        let thread = error.thread().expect("a fault has a thread");
        assert_eq!((thread.global_id, thread.warp, thread.lane), (67, 67 / width, 67 % width));
    }
}

#[test]
fn an_error_is_the_same_under_every_policy() {
    let index = [0, 1, 2, 3, 1, 77, 0, 2];
    let (_, first) = fault(Grid::new(2, 4), kernels::indirect(&[0; 5], &index, &mut [0; 8]));
    for_each_policy!(P => {
        let (fault, error) = fault_under::<P>(Grid::new(2, 4), kernels::indirect(&[0; 5], &index, &mut [0; 8]));
        assert_eq!(fault.policy, P::name());
        // A lane that issues alone is the only active lane.
        let active = if P::lanes_per_issue() == Some(1) { LaneMask::lane(1) } else { LaneMask::first(4) };
        assert_eq!(fault.active, active);
        let error = error.to_string().replace(P::name(), "Ipdom");
        assert_eq!(error.replace(&active.digits(4), &LaneMask::first(4).digits(4)), first.to_string());
    });
}

#[test]
fn a_fault_in_two_dimensions_names_block_and_thread() {
    let (x, mut y) = ([1; 24], [0; 23]);
    let (fault, error) = fault(Grid::new((3, 2), (2, 2)), kernels::plane(&x, &mut y));
    assert_eq!(fault.kind, out_of_bounds("y", 23, 23, true));
    assert_eq!(fault.thread.block, Dim3 { x: 2, y: 1, z: 0 });
    assert_eq!(fault.thread.thread, Dim3 { x: 1, y: 1, z: 0 });
    assert_eq!((fault.thread.global_id, fault.thread.warp, fault.thread.lane), (23, 0, 3));
    assert_eq!(error.line(), Some(kernels::IN_LINES));
    assert_shown!("two_dimensions", error);
}

macro_rules! divisions {
    ($($ty:ty: $divide:ident, $remainder:ident, $dividend:expr;)*) => {$({
        let (a, b) = ([1, 2, $dividend, 4, 5], [1, 2, 0, 0, 1]);
        let dividend = $dividend.to_string();
        for_each_policy!(P => {
            let mut y: [$ty; 5] = [9; 5];
            let (fault, error) = fault_under::<P>(Grid::new(1, 5), kernels::$divide(&a, &b, &mut y));
            assert_eq!(fault.kind, FaultKind::DivisionByZero { dividend: dividend.clone() });
            assert_eq!((fault.thread.lane, error.line()), (2, Some(kernels::DIVIDE)));
            let (fault, error) = fault_under::<P>(Grid::new(1, 5), kernels::$remainder(&a, &b, &mut y));
            assert_eq!(fault.kind, FaultKind::RemainderByZero { dividend: dividend.clone() });
            assert_eq!((fault.thread.lane, error.line()), (2, Some(kernels::DIVIDE + 5)));
            assert_eq!(y, [9; 5]);
        });
    })*};
}

#[test]
fn division_by_zero_names_the_dividend_in_every_integer_type() {
    divisions! {
        u8: divide_u8, remainder_u8, 200u8;
        u16: divide_u16, remainder_u16, 65_000u16;
        u32: divide_u32, remainder_u32, 4_000_000_000u32;
        u64: divide_u64, remainder_u64, u64::MAX;
        i8: divide_i8, remainder_i8, -100i8;
        i16: divide_i16, remainder_i16, -30_000i16;
        i32: divide_i32, remainder_i32, i32::MIN;
        i64: divide_i64, remainder_i64, i64::MIN;
        usize: divide_usize, remainder_usize, 4_000_000_000usize;
        isize: divide_isize, remainder_isize, -2_000_000_000isize;
    }
}

#[test]
fn division_by_zero_is_shown() {
    let (_, error) = fault(Grid::new(1, 4), kernels::average(&[7, 8, 9, 10], 0, &mut [0; 4]));
    assert_eq!(error.line(), Some(kernels::AVERAGE));
    assert_shown!("division", error);
    let (_, error) = fault(Grid::new(1, 4), kernels::remainder_i8(&[-5; 4], &[1, 0, 0, 1], &mut [0; 4]));
    assert_shown!("remainder", error);
}

#[test]
fn overflow_names_the_operation_and_its_values() {
    for_each_policy!(P => {
        let gpu = Gpu::<P>::default().with_warp_width(4).with_overflow(Overflow::Fault);
        let mut x = [1, 2, u32::MAX - 2, u32::MAX, 5];
        let error = gpu.launch(Grid::new(1, 5), kernels::grow(&mut x, 3)).unwrap_err();
        let LaunchError::Fault(fault) = &error else { panic!("{error}") };
        let operation = "4294967293 + 3".to_string();
        assert_eq!(fault.kind, FaultKind::Overflow { attempt: "add", operation, ty: ScalarType::U32 });
        assert_eq!((fault.thread.lane, error.line()), (2, Some(kernels::GROW)));
        assert_eq!(x, [1, 2, u32::MAX - 2, u32::MAX, 5]);
    });
}

#[test]
fn overflow_is_shown() {
    let gpu = Gpu::<Ipdom>::default().with_warp_width(4).with_overflow(Overflow::Fault);
    let error = gpu.launch(Grid::new(1, 4), kernels::grow(&mut [1, u32::MAX, 3, 4], 1)).unwrap_err();
    assert_shown!("overflow_add", error);
    let error = gpu.launch(Grid::new(1, 4), kernels::spread(&mut [1, 2, -128, 4], 3)).unwrap_err();
    assert_shown!("overflow_neg", error);
    let error = gpu.launch(Grid::new(1, 4), kernels::spread(&mut [1, 2, 3, 4], 1 << 40)).unwrap_err();
    assert_eq!(error.line(), Some(kernels::SPREAD));
    assert_shown!("overflow_shl", error);
}

#[test]
fn a_test_that_returns_the_error_prints_it_whole() {
    fn test() -> Result<(), LaunchError> {
        Gpu::<Ipdom>::default().launch(Grid::new(1, 11), kernels::read(&[1.0; 10], &mut [0.0; 12]))?;
        Ok(())
    }
    let error = test().expect_err("it faults");
    assert_eq!(format!("Error: {error:?}"), format!("Error: launch failed\n{error}"));
    let source: &dyn std::error::Error = &error;
    assert!(source.source().is_none() && source.to_string().starts_with("error"), "{source}");
}
