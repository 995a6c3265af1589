//! Local arrays, as plain Rust has them, and arrays of the block.

use crate::support::host;
use simt::error::{Fault, FaultKind};
use simt::prelude::*;

const LANES: usize = 3;

kernels! {
    fn sorted(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut a = [x[i] % 7, x[i] % 5, x[i] % 11, x[i] % 3];
        for j in 1..a.len() {
            let mut k = j;
            while k > 0 && a[k - 1] > a[k] {
                let larger = a[k - 1];
                a[k - 1] = a[k];
                a[k] = larger;
                k -= 1;
            }
        }
        out[i] = a[0] * 1000 + a[1] * 100 + a[2] * 10 + a[3];
    }

    fn types_from_later_lines(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut wide = [0; 4];
        let mut sums = [0.0; LANES + 1];
        let flags = [true, false, x[i] > 30];
        wide[i % 4] += x[i] as u64 * 0x1_0000_0001;
        sums[LANES] -= x[i] as f32 * 0.5;
        out[i] = (wide[i % 4] >> 32) as u32 + flags[2] as u32 + sums[3].abs() as u32 + flags.len() as u32;
    }

    fn filled_by_a_loop(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut counts: [u32; 40] = [x[i]; 40];
        for round in 0..3 {
            let squares = [round; 20];
            counts[x[i] as usize % 40] += squares[i % 20] + 1;
        }
        out[i] = counts[x[i] as usize % 40] + counts[39];
    }

    fn fresh_in_each_iteration(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut total = 0;
        for round in 0..x[i] % 5 {
            let mut a = [0, 10];
            a[0] += round;
            let a = [a[1], a[0] + total];
            total += a[0] * a[1];
        }
        out[i] = total;
    }

    fn rows_and_columns(x: &[[u32; 3]], out: &mut [[u32; 2]]) {
        let i = global_id();
        let mut a = [[0; 3]; 4];
        for row in 0..a.len() {
            for column in 0..3 {
                a[row][column] += x[(i + row) % x.len()][column] * 10 + column as u32;
            }
        }
        out[i][0] = a[i % 4][2 - i % 3];
        out[i][1] += a[3][1];
    }
}

#[test]
fn arrays_have_rows_and_columns() {
    let x: Vec<[u32; 3]> = (0..7).map(|i| [i, i * i, 100 - i]).collect();
    let mut expected = vec![[0, 1]; 12];
    host::run(Grid::new(2, 6), || plain::rows_and_columns(&x, &mut expected));
    everywhere!(|gpu| {
        let mut out = vec![[0, 1]; 12];
        gpu.launch(Grid::new(2, 6), kernel::rows_and_columns(&x, &mut out)).expect("a launch");
        assert_eq!(out, expected);
    });
}

#[kernel]
fn transposed(x: &[f32], out: &mut [f32]) {
    #[shared]
    let mut tile: [[f32; 8]; 8];
    let (column, row) = (thread_idx().x, thread_idx().y);
    tile[row][column] = x[row * 8 + column];
    sync_threads();
    out[row * 8 + column] = tile[column][row];
}

#[test]
fn a_shared_tile_has_rows_and_columns() {
    let x: Vec<f32> = (0..64).map(|i| i as f32).collect();
    let expected: Vec<f32> = (0..64).map(|i| x[i % 8 * 8 + i / 8]).collect();
    everywhere!(|gpu| {
        let mut out = vec![0.0; 64];
        gpu.launch(Grid::new(1, (8, 8)), transposed(&x, &mut out)).expect("a launch");
        assert_eq!(out, expected);
    });
}

#[test]
fn local_arrays_are_rusts() {
    macro_rules! check {
        ($($name:ident)*) => {$({
            let x: Vec<u32> = (0..45).map(|i| i * i * 7 % 61).collect();
            let mut expected = vec![0; x.len()];
            host::run(Grid::new(3, 15), || plain::$name(&x, &mut expected));
            everywhere!(|gpu| {
                let mut out = vec![0; x.len()];
                gpu.launch(Grid::new(3, 15), kernel::$name(&x, &mut out)).expect("a launch");
                assert_eq!(out, expected, stringify!($name));
            });
        })*};
    }
    check!(sorted types_from_later_lines filled_by_a_loop fresh_in_each_iteration);
}

#[kernel]
fn reversed(x: &mut [u32]) {
    #[shared]
    let mut tile: [u32; 64];
    let i = thread_idx().x;
    tile[i] = x[global_id()];
    sync_threads();
    x[global_id()] = tile[block_dim().x - 1 - i];
}

#[test]
fn threads_of_a_block_share_an_array() {
    everywhere!(|gpu| {
        let mut x: Vec<u32> = (0..3 * 48).collect();
        gpu.launch(Grid::new(3, 48), reversed(&mut x)).expect("a launch");
        let expected: Vec<u32> = (0..3).flat_map(|block| (block * 48..(block + 1) * 48).rev()).collect();
        assert_eq!(x, expected);
    });
}

#[kernel]
fn reads_what_nobody_wrote(x: &mut [u32]) {
    #[shared]
    let mut tile: [u32; 8];
    let i = thread_idx().x;
    if i < 3 {
        tile[i] = 1;
    }
    sync_threads();
    x[i] = tile[i];
}

#[kernel]
fn beyond_the_end(x: &mut [u32]) {
    let i = global_id();
    let a = [1, 2, 3];
    x[i] = a[x[i] as usize];
}

#[track_caller]
fn fault(launched: Result<Report, LaunchError>) -> Box<Fault> {
    match launched {
        Err(LaunchError::Fault(fault)) => fault,
        other => panic!("not a fault: {other:?}"),
    }
}

#[test]
fn an_element_that_none_wrote_has_no_value() {
    everywhere!(|gpu| {
        let mut x = [9; 4];
        let fault = fault(gpu.launch(Grid::new(1, 4), reads_what_nobody_wrote(&mut x)));
        let FaultKind::Unwritten { array, index, .. } = &fault.kind else { panic!("{:?}", fault.kind) };
        assert_eq!((&**array, *index, x), ("tile", 3, [9; 4]));
    });
}

#[test]
fn an_index_beyond_an_array_is_a_fault() {
    everywhere!(|gpu| {
        let mut x = [0, 2, 5];
        let fault = fault(gpu.launch(Grid::new(1, 3), beyond_the_end(&mut x)));
        assert_eq!(fault.kind, FaultKind::OutOfBounds { slice: "a".into(), index: 5, length: 3, write: false });
        assert_eq!(fault.thread.global_id, 2);
    });
}
