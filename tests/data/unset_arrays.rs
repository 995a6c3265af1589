//! Local arrays that are declared without values: an element is read once it has been written.

use simt::error::FaultKind;
use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct Pair {
    a: u8,
    b: f64,
}

#[kernel]
fn sorted(x: &[u32], out: &mut [u32]) {
    let mut own: [u32; 5];
    let mut flags: [bool; 5];
    let mut pairs: [Pair; 2];
    let i = global_id();
    for k in 0..5 {
        own[k] = x[(i + k) % x.len()];
        flags[k] = own[k] % 2 == 0;
    }
    for end in (1..5).rev() {
        for k in 0..end {
            if own[k] > own[k + 1] {
                own.swap(k, k + 1);
            }
        }
    }
    pairs[i % 2] = Pair { a: 3, b: 0.5 };
    pairs[1 - i % 2].a = 4;
    let mut count = 0;
    for flag in flags {
        count += flag as u32;
    }
    out[i] = own[2] * 1000 + count * 100 + pairs[0].a as u32 * 10 + (pairs[i % 2].b * 2.0) as u32;
}

#[test]
fn what_has_been_written_is_read() {
    let x: Vec<u32> = (0..20).map(|i| i * 7 % 13).collect();
    let expected: Vec<u32> = (0..20)
        .map(|i: usize| {
            let mut own: Vec<u32> = (0..5).map(|k| x[(i + k) % 20]).collect();
            let count = own.iter().filter(|&v| v % 2 == 0).count() as u32;
            own.sort_unstable();
            own[2] * 1000 + count * 100 + [30, 40][i % 2] + 1
        })
        .collect();
    everywhere!(|gpu| {
        let mut out = vec![0; 20];
        gpu.launch(Grid::new(1, 20), sorted(&x, &mut out)).unwrap();
        assert_eq!(out, expected);
    });
    let mut out = vec![0; 20];
    Gpu::<Ipdom>::new(GpuConfig::fermi()).launch(Grid::new(2, 10), sorted(&x, &mut out)).unwrap();
    assert_eq!(out, expected);
}

#[kernel]
fn reads(written: &[usize], read: &[usize], out: &mut [u64]) {
    let mut own: [u64; 4];
    let i = global_id();
    own[written[i]] = 7;
    out[i] = own[read[i]];
}

#[kernel]
fn reads_bools(written: &[usize], read: &[usize], out: &mut [bool]) {
    let mut own: [bool; 4];
    let i = global_id();
    own[written[i]] = true;
    out[i] = own[read[i]];
}

fn unwritten(error: &LaunchError, element: usize, lane: usize) {
    let LaunchError::Fault(fault) = error else { panic!("{error}") };
    assert!(
        matches!(&fault.kind, FaultKind::Unwritten { array, index, by_block: None, in_flight: false, .. }
            if array == "own" && *index == element),
        "{error}"
    );
    assert_eq!(fault.thread.lane, lane);
}

/// Of each thread for itself, though an earlier block and an earlier warp have written the element.
#[test]
fn what_has_not_been_written_is_a_fault() {
    let (written, mut read) = ([1, 2, 3, 0, 1, 2, 3, 0, 1], [1, 2, 3, 0, 1, 2, 3, 0, 1]);
    everywhere!(|gpu| {
        for grid in [Grid::new(1, 9), Grid::new(3, 3)] {
            let mut out = [0; 9];
            gpu.launch(grid, reads(&written, &read, &mut out)).unwrap();
            assert_eq!(out, [7; 9]);
        }
    });
    read[8] = 2;
    for_each_policy!(P => for width in [4, 8] {
        let gpu = Gpu::<P>::default().with_warp_width(width);
        for (grid, lane) in [(Grid::new(1, 9), 0), (Grid::new(3, 3), 2)] {
            unwritten(&gpu.launch(grid, reads(&written, &read, &mut [0; 9])).unwrap_err(), 2, lane);
            unwritten(&gpu.launch(grid, reads_bools(&written, &read, &mut [false; 9])).unwrap_err(), 2, lane);
        }
    });
    let text = Gpu::<Ipdom>::default().launch(Grid::new(1, 9), reads(&written, &read, &mut [0; 9])).unwrap_err();
    let text = text.to_string();
    assert!(text.starts_with("error[simt::unwritten]: `own[2]` is read, but this thread has not written it"), "{text}");
    assert!(text.contains("declared here") && text.contains("declare it with values"), "{text}");
}

#[device]
fn deep(n: u32, first: bool) -> u32 {
    let mut own: [u32; 2];
    own[0] = n;
    if first {
        own[1] = n * 10;
    }
    let below = if n > 0 { deep(n - 1, true) } else { 0 };
    if n == 3 {
        own[1] = 5;
    }
    own[0] + own[1] + below
}

#[device]
fn once(write: bool) -> u32 {
    let mut own: [u32; 2];
    if write {
        own[0] = 1;
    }
    own[0]
}

#[kernel]
fn calls(n: &[u32], write: bool, out: &mut [u32]) {
    let i = global_id();
    out[i] = deep(n[i], false) + once(true) + once(write);
}

#[test]
fn each_activation_has_its_own() {
    everywhere!(|gpu| {
        let mut out = [0; 2];
        gpu.launch(Grid::new(1, 2), calls(&[3, 3], true, &mut out)).unwrap();
        assert_eq!(out, [3 + 5 + 22 + 11 + 2; 2]);
        let error = gpu.launch(Grid::new(1, 2), calls(&[3, 2], true, &mut out)).unwrap_err();
        unwritten(&error, 1, 1);
        unwritten(&gpu.launch(Grid::new(1, 2), calls(&[3, 3], false, &mut out)).unwrap_err(), 0, 0);
    });
}

#[test]
fn program_and_code_are_shown_and_read_back() {
    let program = reads::program();
    assert!(program.to_string().contains("local own: [u64; 4] unset;"), "{program}");
    let code = program.clone().validate().unwrap().code(Markers::Tokens).to_string();
    assert!(code.contains(".local own: [u64 x 4] unset\n"), "{code}");
    assert_eq!(simt::Code::parse(&code).unwrap().arrays.iter().filter(|array| array.unset).count(), 1);
}
