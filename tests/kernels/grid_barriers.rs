//! `sync_grid()`: the threads of all blocks wait for each other.

use simt::environment::{EnvironmentConfig, MemoryModel};
use simt::error::GridError;
use simt::prelude::*;
use simt::{Code, RaceCheck};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Heat in a rod: all threads read what all have written in the step before.
#[kernel]
fn heat(steps: u32, a: &mut [f32], b: &mut [f32]) {
    let i = global_id();
    for step in 0..steps {
        if step % 2 == 0 {
            b[i] = a[i] + (a[(i + 1) % a.len()] - a[i]) * 0.25;
        } else {
            a[i] = b[i] + (b[(i + 1) % b.len()] - b[i]) * 0.25;
        }
        sync_grid();
    }
}

fn rod(steps: u32) -> Vec<f32> {
    let mut rod: Vec<f32> = (0..48).map(|i| (i * 13 % 17) as f32).collect();
    for _ in 0..steps {
        rod = (0..48).map(|i| rod[i] + (rod[(i + 1) % 48] - rod[i]) * 0.25).collect();
    }
    rod
}

fn heats(launch: &dyn Fn(Grid, KernelCall<'_>) -> Result<Report, LaunchError>) {
    let (mut a, mut b) = (rod(0), vec![0.0; 48]);
    let launched = launch(Grid::new(4, 12), heat(6, &mut a, &mut b));
    assert!(launched.is_ok(), "{}", launched.unwrap_err());
    assert_eq!((a, b), (rod(6), rod(5)));
}

#[test]
fn all_see_what_all_have_written_before() {
    everywhere!(|gpu| heats(&|grid, call| gpu.launch(grid, call)));
}

#[test]
fn it_works_on_machines_of_every_kind() {
    for_each_policy!(P => {
        let environment = EnvironmentConfig { processors: 2, resident_blocks: 2, ..EnvironmentConfig::seeded(5) };
        let gpus = [
            Gpu::<P>::new(GpuConfig::fermi()),
            Gpu::<P>::default().with_race_check(RaceCheck::Everywhere),
            Gpu::<P>::default().with_overflow(simt::Overflow::Fault).with_if_conversion(true),
        ];
        for gpu in gpus {
            heats(&|grid, call| gpu.launch(grid, call));
        }
        let gpu = Gpu::<P>::default().with_memory(MemoryModel::Environment(environment));
        let (mut one, mut sums) = ([0; 4], [0; 4]);
        gpu.launch(Grid::new(4, 8), counted(&[AtomicU32::new(0)], &mut one, &mut sums)).unwrap();
        assert_eq!((one, sums), ([32; 4], [28; 4]));
    });
}

/// What a block has to itself stays through the barrier.
#[kernel]
fn counted(all: &[AtomicU32], seen: &mut [u32], sums: &mut [u32]) {
    #[shared]
    let mut own: [u32; 8];
    let t = thread_idx().x;
    let local = [t as u32; 3];
    own[t] = local[t % 3];
    all[0].fetch_add(1, Relaxed);
    sync_grid();
    if t == 0 {
        seen[block_idx().x] = all[0].load(Relaxed);
        let mut sum = 0;
        for k in 0..8 {
            sum += own[k];
        }
        sums[block_idx().x] = sum;
    }
}

#[test]
fn what_a_block_has_to_itself_stays() {
    everywhere!(|gpu| {
        let (mut one, mut sums) = ([0; 6], [0; 6]);
        gpu.launch(Grid::new((3, 2), 8), counted_in_rows(&[AtomicU32::new(0)], &mut one, &mut sums)).unwrap();
        assert_eq!((one, sums), ([48; 6], [28; 6]));
    });
}

#[kernel]
fn counted_in_rows(all: &[AtomicU32], seen: &mut [u32], sums: &mut [u32]) {
    #[shared]
    let mut own: [u32; 8];
    let (t, block) = (thread_idx().x, block_idx().y * 3 + block_idx().x);
    own[t] = t as u32;
    all[0].fetch_add(1, Relaxed);
    sync_threads();
    let before = own[7 - t];
    sync_grid();
    let sum = simt::block::sum(before);
    if t == 0 {
        seen[block] = all[0].load(Relaxed);
        sums[block] = sum;
    }
}

/// Threads, warps and blocks that have returned are not waited for.
#[kernel]
fn some_return(rounds: &mut [u32]) {
    let i = global_id();
    for round in 0..6 {
        if block_idx().x % 3 == 1 && round > 2 || i % 7 == 5 {
            return;
        }
        rounds[i] += 1;
        sync_grid();
    }
}

#[test]
fn threads_that_have_returned_are_not_waited_for() {
    let rounds = |i: usize| {
        if i % 7 == 5 {
            0
        } else if i / 20 % 3 == 1 {
            3
        } else {
            6
        }
    };
    everywhere!(|gpu| {
        let mut found = vec![0; 100];
        gpu.launch(Grid::new(5, 20), some_return(&mut found)).unwrap();
        assert_eq!(found, (0..100).map(rounds).collect::<Vec<u32>>());
    });
}

/// Blocks wait for each other by atomics as well, as all of them run.
#[kernel]
fn handed_on(turn: &[AtomicU32], out: &mut [usize]) {
    let block = block_idx().x;
    if thread_idx().x == 0 {
        while turn[0].load(Relaxed) as usize != grid_dim().x - 1 - block {
            std::hint::spin_loop();
        }
        out[block] = turn[0].load(Relaxed) as usize;
        turn[0].fetch_add(1, Relaxed);
    }
    sync_grid();
    if global_id() == 0 {
        println!("{}", turn[0].load(Relaxed));
    }
}

#[test]
fn blocks_that_all_run_can_wait_for_each_other() {
    for config in [GpuConfig::functional(), GpuConfig::fermi()] {
        let mut out = [0; 5];
        let report = Gpu::<Ipdom>::new(config).launch(Grid::new(5, 40), handed_on(&[AtomicU32::new(0)], &mut out));
        assert_eq!(report.unwrap().prints(), ["5"]);
        assert_eq!(out, [4, 3, 2, 1, 0]);
    }
}

#[kernel]
fn apart(x: &mut [u32]) {
    if block_idx().x == 1 && warp_id() == 1 {
        sync_threads();
    } else {
        sync_grid();
    }
    x[global_id()] = 1;
}

#[test]
fn threads_that_wait_for_others_than_the_grid_are_a_deadlock() {
    let environment = EnvironmentConfig { processors: 2, resident_blocks: 2, ..EnvironmentConfig::seeded(5) };
    let gpus = [
        Gpu::<Ipdom>::default().with_warp_width(4),
        Gpu::<Ipdom>::new(GpuConfig { warp_width: 32, ..GpuConfig::fermi() }),
        Gpu::<Ipdom>::default().with_warp_width(4).with_memory(MemoryModel::Environment(environment)),
    ];
    for gpu in gpus {
        let width = gpu.config().warp_width;
        let error = gpu.launch(Grid::new(3, 2 * width), apart(&mut vec![0; 6 * width])).unwrap_err().to_string();
        assert!(error.starts_with("error[simt::deadlock]"), "{error}");
        assert!(error.contains("block (1, 0, 0)"), "{error}");
        assert!(error.contains("of the block's"), "{error}");
        assert!(error.contains("every thread of the grid that has not returned must come to `sync_grid()`"), "{error}");
    }
    for_each_policy!(P => {
        let gpu = Gpu::<P>::default().with_warp_width(4).with_ends_under_limit(0);
        let error = gpu.launch(Grid::new(3, 8), apart(&mut [0; 24])).unwrap_err();
        assert!(matches!(error, LaunchError::Deadlock(_)), "{error}");
    });
}

#[kernel]
fn meet() {
    sync_grid();
}

#[test]
fn all_blocks_must_have_room() {
    let room = |gpu: Gpu<Ipdom>, grid: Grid| match gpu.launch(grid, meet()) {
        Err(error @ LaunchError::Grid { error: GridError::NotAllAtOnce { room, .. }, .. }) => {
            let text = error.to_string();
            assert!(text.contains("must all run at the same time, but the machine has room for"), "{text}");
            room
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(room(Gpu::default(), Grid::new(1 << 17, 1024)), 1024);
    let fermi = GpuConfig::fermi();
    let cores = fermi.clock.as_ref().map_or(0, |clock| clock.cores);
    let held = Gpu::<Ipdom>::new(fermi.clone()).launch(Grid::new(1, 512), meet()).unwrap();
    let held = held.clock().map_or(0, simt::clock::ClockReport::blocks_per_core);
    assert_eq!(room(Gpu::new(fermi.clone()), Grid::new(cores * held + 1, 512)), cores * held);
    Gpu::<Ipdom>::new(fermi).launch(Grid::new(cores * held, 512), meet()).unwrap();
    let environment = EnvironmentConfig { processors: 3, resident_blocks: 2, ..EnvironmentConfig::seeded(1) };
    let gpu = Gpu::<Ipdom>::default().with_memory(MemoryModel::Environment(environment));
    assert_eq!(room(gpu.clone(), Grid::new(7, 4)), 6);
    gpu.launch(Grid::new(6, 4), meet()).unwrap();
}

#[test]
fn program_and_code_are_shown_and_read_back() {
    assert!(meet::program().to_string().contains("sync_grid();"));
    let code = meet::program().clone().validate().unwrap().code(Markers::PostDominators).to_string();
    assert!(code.contains("bar.grid"), "{code}");
    let kernel = simt::host::Kernel::from_code(Code::parse(&code).unwrap());
    Gpu::<Ipdom>::default().launch(Grid::new(3, 8), simt::host::call(&kernel, vec![])).unwrap();
}

#[kernel]
fn spins(flag: &[AtomicU32]) {
    if block_idx().x == 0 {
        while flag[0].load(Relaxed) == 0 {}
    }
    sync_grid();
}

#[test]
fn a_block_that_waits_in_vain_is_given_up() {
    let gpu = Gpu::<Ipdom>::default().with_progress_limit(10_000);
    let error = gpu.launch(Grid::new(2, 8), spins(&[AtomicU32::new(0)])).unwrap_err().to_string();
    assert!(error.starts_with("error[simt::no-progress]"), "{error}");
}
