//! `launch_bounds`: the most threads that a kernel's blocks may have.

use simt::Code;
use simt::prelude::*;

const MOST: usize = 2 * 8;

/// A tile for each thread of a block.
#[kernel(launch_bounds(MOST))]
pub(crate) fn shifted(x: &mut [u32]) {
    #[shared]
    let mut tile: [u32; MOST];
    let t = thread_idx().x;
    tile[t] = x[global_id()];
    sync_threads();
    x[global_id()] = tile[(t + 1) % block_dim().x];
}

#[kernel(launch_bounds(N), crate = simt)]
fn generic<const N: usize>(x: &mut [u32]) {
    x[global_id()] = N as u32;
}

#[test]
fn larger_blocks_are_refused() {
    everywhere!(|gpu| {
        let mut x: Vec<u32> = (0..32).collect();
        gpu.launch(Grid::new(2, 16), shifted(&mut x)).unwrap();
        assert_eq!((x[0], x[15], x[16]), (1, 0, 17));
        assert!(gpu.launch(Grid::new(2, (4, 5)), shifted(&mut x)).is_err());
    });
    let text = Gpu::<Ipdom>::default().launch(Grid::new(1, 17), shifted(&mut [0; 17])).unwrap_err().to_string();
    let expected = "error[simt::program]: the grid has blocks of 17 threads, and the kernel's `launch_bounds` allow 16";
    assert!(text.starts_with(expected), "{text}");
    assert!(text.contains("pub(crate) fn shifted(x: &mut [u32]) {"), "{text}");
}

#[test]
fn the_bounds_may_be_a_parameter() {
    let gpu = Gpu::<Ipdom>::default();
    let mut x = [0; 9];
    gpu.launch(Grid::new(1, 9), generic::<9>(&mut x)).unwrap();
    assert_eq!(x, [9; 9]);
    assert!(gpu.launch(Grid::new(1, 9), generic::<8>(&mut x)).is_err());
}

#[test]
fn program_and_code_are_shown_and_read_back() {
    let program = generic::program::<9>();
    assert!(program.to_string().starts_with("#[launch_bounds(9)]\nkernel generic("), "{program}");
    let text = program.clone().validate().unwrap().code(Markers::Tokens).to_string();
    assert!(text.contains("\n.launch_bounds 9\n"), "{text}");
    let kernel = simt::host::Kernel::from_code(Code::parse(&text).unwrap());
    let mut x = [0; 10];
    let mut launch = |threads| {
        let arguments = vec![simt::host::Argument::slice_mut(&mut x)];
        Gpu::<TokenStack>::default().launch(Grid::new(1, threads), simt::host::call(&kernel, arguments)).is_ok()
    };
    assert!(launch(9) && !launch(10));
}
