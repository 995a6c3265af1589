//! A launch that fails leaves the caller's slices exactly as they were, whatever ran before the fault.

use crate::machine::Machine;
use simt::prelude::*;

/// A kernel that overwrites its slice, and faults in the last thread.
macro_rules! overwriting {
    ($($name:ident: $ty:ty, $values:expr, $new:expr;)*) => {
        mod kernel {
            use simt::kernel;
            $(
                #[kernel]
                pub(super) fn $name(read: &[$ty], new: $ty, written: &mut [$ty]) {
                    let i = global_id();
                    let old = written[i];
                    written[i] = new;
                    let other = read[i];
                    written[i] = if old == other { new } else { other };
                }
            )*
        }

        $(
            #[test]
            fn $name() {
                let values: &[$ty] = &$values;
                let before: Vec<$ty> = (0..100).map(|i| values[i % values.len()]).collect();
                let new: $ty = $new;
                // Called through a pointer, so that it is compiled once for each type, and not for each policy, too.
                let check = |gpu: &dyn Machine, grid: Grid| {
                        // One element less to read than there are threads: the last thread faults, behind its write.
                        let mut written = before.clone();
                        let error = gpu.launch(grid, kernel::$name(&before[..99], new, &mut written)).expect_err("it faults");
                        assert_eq!(error.thread().map(|thread| thread.global_id), Some(99));
                        assert!(same(&written, &before), "{written:?}");
                        // With it, the launch succeeds, and overwrites.
                        gpu.launch(grid, kernel::$name(&before, new, &mut written)).unwrap_or_else(|e| panic!("{e}"));
                        assert!(!same(&written, &before), "{written:?}");
                };
                for_each_policy!(P => {
                    for (grid, width) in [(Grid::new(1, 100), 64), (Grid::new(1, 100), 4), (Grid::new(10, 10), 8)] {
                        check(&Gpu::<P>::default().with_warp_width(width), grid);
                    }
                });
            }
        )*
    };
}

/// Bit for bit: NaNs and zeros, too.
fn same<T: Scalar>(left: &[T], right: &[T]) -> bool {
    left.iter().map(|value| value.to_bits64()).eq(right.iter().map(|value| value.to_bits64()))
}

overwriting! {
    u8_slices: u8, [0, 1, 255], 7;
    u16_slices: u16, [0, 1, 65_535], 7;
    u32_slices: u32, [0, 1, u32::MAX], 7;
    u64_slices: u64, [0, 1, u64::MAX], 7;
    i8_slices: i8, [0, -1, i8::MIN], 7;
    i16_slices: i16, [0, -1, i16::MIN], 7;
    i32_slices: i32, [0, -1, i32::MIN], 7;
    i64_slices: i64, [0, -1, i64::MIN], 7;
    f32_slices: f32, [0.0, -0.0, f32::NAN, f32::INFINITY, 1e-42], 7.0;
    f64_slices: f64, [0.0, -0.0, f64::NAN, f64::INFINITY, 1e-310], 7.0;
    bool_slices: bool, [true, false, false], true;
    usize_slices: usize, [0, 1, u32::MAX as usize], 7;
    isize_slices: isize, [0, -1, i32::MIN as isize], 7;
}

/// The caller's NaNs are the caller's, payload and all.
#[test]
fn nans_keep_their_payload() {
    let quiet = f32::from_bits(0x7fc1_2345);
    let before = [quiet, 1.0, quiet, 2.0];
    let mut written = before;
    let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 4), kernel::f32_slices(&before[..3], 0.5, &mut written));
    assert!(error.is_err());
    assert_eq!(written.map(f32::to_bits), before.map(f32::to_bits));
}

#[kernel]
fn several(a: &mut [u8], b: &mut [bool], c: &mut [f64], last: usize) {
    let i = global_id();
    a[i] = 9;
    b[i] = true;
    c[i] = 9.0;
    if i == last {
        a[i + 100] = 1;
    }
}

#[test]
fn every_slice_of_a_launch_is_undone_whichever_thread_faults() {
    for_each_policy!(P => for last in [0, 1, 63, 64, 98, 99] {
        let (mut a, mut b, mut c) = ([1; 100], [false; 100], [0.5; 100]);
        let gpu = Gpu::<P>::default();
        let launched = gpu.launch(Grid::new(4, 25), several(&mut a, &mut b, &mut c, last));
        assert_eq!(launched.expect_err("it faults").thread().map(|thread| thread.global_id), Some(last));
        assert!(a == [1; 100] && b == [false; 100] && c == [0.5; 100]);
    });
}
