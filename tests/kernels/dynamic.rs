//! Shared arrays whose length the launch gives.

use simt::environment::{EnvironmentConfig, MemoryModel};
use simt::error::FaultKind;
use simt::prelude::*;
use simt::{Code, RaceCheck};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

#[kernel]
fn reverse(x: &mut [u32]) {
    #[shared]
    let mut tile: [u32];
    let t = thread_idx().x;
    tile[t] = x[global_id()];
    sync_threads();
    x[global_id()] = tile[tile.len() - 1 - t];
}

fn reversed(block: usize) -> Vec<u32> {
    let x: Vec<u32> = (0..2 * block as u32).collect();
    x.chunks(block).flat_map(|chunk| chunk.iter().rev().copied()).collect()
}

#[test]
fn a_block_has_as_many_elements_as_the_grid_has_room_for() {
    for block in [1, 5, 64, 100] {
        everywhere!(|gpu| {
            let mut x: Vec<u32> = (0..2 * block as u32).collect();
            let grid = Grid::new(2, block).with_shared_memory(4 * block + 3);
            let launched = gpu.launch(grid, reverse(&mut x));
            assert!(launched.is_ok(), "{launched:?}");
            assert_eq!(x, reversed(block));
        });
    }
}

#[test]
fn it_works_on_machines_of_every_kind() {
    let grid = Grid::new(2, 48).with_shared_memory(4 * 48);
    for_each_policy!(P => {
        let gpus = [
            Gpu::<P>::new(GpuConfig::fermi()),
            Gpu::<P>::default().with_memory(MemoryModel::Environment(EnvironmentConfig::seeded(3))),
            Gpu::<P>::default().with_race_check(RaceCheck::Everywhere),
        ];
        for gpu in gpus {
            let mut x: Vec<u32> = (0..96).collect();
            let launched = gpu.launch(grid, reverse(&mut x));
            assert!(launched.is_ok(), "{launched:?}");
            assert_eq!(x, reversed(48));
        }
    });
}

#[device]
fn total(x: &[u32]) -> u32 {
    x.iter().sum()
}

#[device]
fn halve(x: &mut [u32]) {
    for v in x.iter_mut() {
        *v /= 2;
    }
}

#[derive(Clone, Copy, KernelData)]
struct Body {
    mass: u8,
    at: [u32; 2],
}

#[kernel]
fn as_slices(out: &mut [u32]) {
    #[shared]
    let mut all: [u32];
    if global_id() == 0 {
        for i in 0..all.len() {
            all[i] = 2 * i as u32;
        }
        halve(&mut all);
        out[0] = total(&all);
        out[1] = total(&all[1..3]);
        let (left, right) = all.split_at_mut(2);
        left[0] = right.len() as u32;
        out[2] = all[0] + all.is_empty() as u32;
        all.fill(7);
        all.swap(0, 1);
        out[3] = all.iter().map(|v| v + 1).max().unwrap_or(0);
    }
}

#[kernel]
fn of_structs(out: &mut [u32]) {
    #[shared]
    let mut bodies: [Body];
    let i = thread_idx().x;
    bodies[i] = Body { mass: i as u8, at: [10, 20] };
    bodies[i].at[1] += i as u32;
    sync_threads();
    let other = bodies[bodies.len() - 1 - i];
    out[i] = other.mass as u32 * 1000 + other.at[0] + other.at[1];
}

#[kernel]
fn counts(x: &[u8], out: &mut [u32]) {
    #[shared]
    let bins: [AtomicU32];
    let i = thread_idx().x;
    if i < bins.len() {
        bins[i].store(0, Relaxed);
    }
    sync_threads();
    bins[x[i] as usize % bins.len()].fetch_add(1, Relaxed);
    sync_threads();
    if i < bins.len() {
        out[i] = bins[i].load(Relaxed);
    }
}

#[test]
fn it_is_a_slice_to_the_kernel() {
    everywhere!(|gpu| {
        let mut out = [0; 4];
        gpu.launch(Grid::new(1, 1).with_shared_memory(20), as_slices(&mut out)).unwrap();
        assert_eq!(out, [10, 3, 3, 8]);
        let mut out = [0; 3];
        gpu.launch(Grid::new(1, 3).with_shared_memory(27), of_structs(&mut out)).unwrap();
        assert_eq!(out, [2032, 1031, 30]);
        let mut out = [0; 3];
        gpu.launch(Grid::new(1, 5).with_shared_memory(12), counts(&[1, 2, 4, 5, 8], &mut out)).unwrap();
        assert_eq!(out, [0, 2, 3]);
    });
}

#[test]
fn too_little_is_out_of_bounds() {
    let gpu = Gpu::<Ipdom>::default();
    let mut x = [0; 4];
    let error = gpu.launch(Grid::new(1, 4).with_shared_memory(12), reverse(&mut x)).unwrap_err();
    let LaunchError::Fault(fault) = &error else { panic!("{error}") };
    assert_eq!(fault.kind, FaultKind::OutOfBounds { slice: "tile".into(), index: 3, length: 3, write: true });
    let text = error.to_string();
    assert!(text.contains("the grid gives each block 12 bytes for `tile`, which has room for 3 elements"), "{text}");
    let text = gpu.launch(Grid::new(1, 4), reverse(&mut x)).unwrap_err().to_string();
    assert!(text.contains("gives each block 0 bytes for `tile`"), "{text}");
    let text = gpu.launch(Grid::new(1, 4).with_shared_memory(20), reverse(&mut x)).unwrap_err().to_string();
    assert!(text.starts_with("error[simt::unwritten]: `tile[4]` is read, but no thread"), "{text}");
}

#[kernel]
fn both(out: &mut [u32]) {
    #[shared]
    let mut own: [u32; 10];
    #[shared]
    let mut given: [u32];
    own[0] = 1;
    given[0] = 2;
    out[0] = own[0] + given[0];
}

#[kernel]
fn nothing() {}

#[test]
fn what_the_grid_gives_counts_as_taken() {
    let mut out = [0];
    let gpu = Gpu::<Ipdom>::new(GpuConfig { shared_memory: 100, ..GpuConfig::functional() });
    gpu.launch(Grid::new(1, 1).with_shared_memory(60), both(&mut out)).unwrap();
    assert_eq!(out, [3]);
    let text = gpu.launch(Grid::new(1, 1).with_shared_memory(61), both(&mut out)).unwrap_err().to_string();
    let expected = "the `#[shared]` arrays take 101 bytes, 61 of them the grid's, more than the 100 of";
    assert!(text.contains(expected), "{text}");
    let text = gpu.launch(Grid::new(1, 1).with_shared_memory(101), nothing()).unwrap_err().to_string();
    assert!(text.contains("take 101 bytes, 101 of them the grid's"), "{text}");
    assert!(gpu.launch(Grid::new(1, 1).with_shared_memory(usize::MAX), both(&mut out)).is_err());
}

/// Of blocks with more shared memory a core holds fewer.
#[test]
fn a_core_holds_as_many_blocks_as_have_room() {
    let gpu = Gpu::<Ipdom>::new(GpuConfig::fermi());
    let room = gpu.config().clock.as_ref().expect("it has a clock").shared_memory;
    let launch = |bytes| gpu.launch(Grid::new(64, 32).with_shared_memory(bytes), nothing());
    let blocks = |bytes| launch(bytes).unwrap().clock().expect("it has a clock").blocks_per_core();
    assert!(blocks(128) > 3);
    assert_eq!((blocks(room / 3), blocks(room / 2), blocks(room)), (3, 2, 1));
    let text = launch(room + 1).unwrap_err().to_string();
    assert!(text.contains("take 49153 bytes"), "{text}");
}

#[test]
fn program_and_code_are_shown_and_read_back() {
    let program = of_structs::program().to_string();
    assert!(program.contains("shared bodies.mass: [u8];"), "{program}");
    assert!(program.contains("shared bodies.at: [[u32; 2]];"), "{program}");
    let program = reverse::program();
    assert!(program.to_string().contains("tile[tile.len() - 1 - t]"), "{program}");
    for program in [reverse::program(), of_structs::program(), counts::program()] {
        let code = program.clone().validate().unwrap().code(Markers::Tokens);
        let text = code.to_string();
        let read = Code::parse(&text).unwrap();
        // The text of the code is the source of what is read from it, so that its lines have a column more.
        assert!(
            text.lines()
                .zip(read.to_string().lines())
                .all(|(line, again)| again.starts_with(&line[..50.min(line.len())]))
        );
        let lengths = |code: &Code| {
            let sized = code.clone().with_shared_memory(90);
            sized.arrays.iter().map(|array| array.length).collect::<Vec<_>>()
        };
        assert_eq!(lengths(&read), lengths(&code));
        assert_ne!(lengths(&code)[0], 0);
    }
    let code = reverse::program().clone().validate().unwrap().code(Markers::Tokens).to_string();
    assert!(code.contains(".shared tile: [u32]\n"), "{code}");
    assert!(code.contains("tile.len()"), "{code}");
    let kernel = simt::host::Kernel::from_code(Code::parse(&code).unwrap());
    let mut x: Vec<u32> = (0..14).collect();
    let call = simt::host::call(&kernel, vec![simt::host::Argument::slice_mut(&mut x)]);
    Gpu::<TokenStack>::default().launch(Grid::new(2, 7).with_shared_memory(28), call).unwrap();
    assert_eq!(x, reversed(7));
}

#[kernel]
fn two(out: &mut [u32]) {
    #[shared]
    let mut one: [u32];
    #[shared]
    let mut other: [f32];
    one[0] = 1;
    other[0] = 2.0;
    out[0] = one[0];
}

#[test]
fn a_kernel_has_one_such_array() {
    let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 1), two(&mut [0])).unwrap_err().to_string();
    assert!(error.contains("a launch gives the length of one array, and both `one` and `other` have none"), "{error}");
}
