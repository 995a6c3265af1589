//! The numbers of a thread, in grids of one to three dimensions.

use crate::support::host;
use simt::environment::{EnvironmentConfig, MemoryModel};
use simt::error::GridError;
use simt::prelude::*;

kernels! {
    fn places(out: &mut [usize]) {
        let o = global_id() * 13;
        out[o] = thread_idx().x;
        out[o + 1] = thread_idx().y;
        out[o + 2] = thread_idx().z;
        out[o + 3] = block_idx().x;
        out[o + 4] = block_idx().y;
        out[o + 5] = block_idx().z;
        out[o + 6] = block_dim().x;
        out[o + 7] = block_dim().y;
        out[o + 8] = block_dim().z;
        out[o + 9] = grid_dim().x;
        out[o + 10] = grid_dim().y;
        out[o + 11] = grid_dim().z;
        out[o + 12] = global_id();
    }
}

mod along {
    use simt::prelude::*;

    kernels! {
        #[device]
        fn of_row((x, y): (usize, usize), width: usize) -> usize { y * width + x }

        fn axes(out: &mut [usize]) {
            let (x, y) = global_id_2d();
            let (u, v, w) = global_id_3d();
            let pair = global_id_2d();
            let o = global_id() * 6;
            out[o] = x * 1000 + y;
            out[o + 1] = u * 10_000 + v * 100 + w;
            out[o + 2] = of_row(global_id_2d(), 7) + of_row(pair, 11);
            out[o + 3] = global_id_3d().2 + global_id_2d().0;
            out[o + 4] = 1000 + pair.0 - pair.1;
            out[o + 5] = if global_id_2d() == (1, 2) { 1 } else { 2 };
        }
    }

    #[test]
    fn each_thread_knows_its_place_along_the_axes() {
        for grid in super::grids() {
            let mut expected = vec![0; super::threads(grid).0 * 6];
            crate::support::host::run(grid, || plain::axes(&mut expected));
            everywhere!(|gpu| {
                let mut out = vec![usize::MAX >> 32; expected.len()];
                let launched = gpu.launch(grid, kernel::axes(&mut out));
                assert!(launched.is_ok(), "{launched:?}");
                assert!(out == expected, "{grid}");
            });
        }
    }

    #[kernel]
    fn fields(out: &mut [usize]) {
        out[global_id()] =
            global_id_2d().x + 10 * global_id_2d().y + 100 * (global_id_3d()).z + 1000 * global_id_3d().x;
    }

    #[test]
    fn an_axis_can_be_asked_for_by_its_name() {
        let mut out = [0; 8];
        Gpu::<Ipdom>::default().launch(Grid::new((2, 1, 1), (1, 2, 2)), fields(&mut out)).unwrap();
        assert_eq!(out, [0, 10, 100, 110, 1001, 1011, 1101, 1111]);
    }

    /// What overflows is told of the user's arithmetic only, and this cannot.
    #[test]
    fn the_arithmetic_is_not_the_users() {
        let mut out = [0; 8];
        let gpu = Gpu::<Ipdom>::default().with_overflow(simt::Overflow::Fault);
        gpu.launch(Grid::new(2, 4), fields(&mut out)).unwrap();
        assert_eq!(out[7], 7007);
        assert!(!fields::program_with(simt::Overflow::Fault).to_string().contains("block_idx().x.strict_mul"));
    }
}

#[kernel]
fn lanes(warp: &mut [usize], lane: &mut [usize]) {
    warp[global_id()] = warp_id();
    lane[global_id()] = lane_id();
}

fn grids() -> [Grid; 9] {
    [
        Grid::new(1, 1),
        Grid::new(3, 5),
        Grid::new(2, 64),
        Grid::new(2, 70),
        Grid::new((2, 3), (4, 5)),
        Grid::new((3, 1), (1, 7)),
        Grid::new((1, 2, 3), (3, 2, 2)),
        Grid::new((2, 2, 2), (5, 1, 3)),
        Grid::new(1, (8, 8, 16)),
    ]
}

fn threads(grid: Grid) -> (usize, usize) {
    let per_block = grid.threads().volume().expect("small");
    (grid.blocks().volume().expect("small") * per_block, per_block)
}

#[test]
fn each_thread_knows_its_place() {
    for grid in grids() {
        let mut expected = vec![0; threads(grid).0 * 13];
        host::run(grid, || plain::places(&mut expected));
        everywhere!(|gpu| {
            let mut out = vec![usize::MAX >> 32; expected.len()];
            let launched = gpu.launch(grid, kernel::places(&mut out));
            assert!(launched.is_ok(), "{launched:?}");
            assert!(out == expected, "{grid}");
        });
    }
}

#[test]
fn warps_are_made_of_consecutive_threads() {
    for grid in grids() {
        let (all, per_block) = threads(grid);
        for_each_policy!(P => for width in [4, 8, 16, 32, 64] {
            let (mut warp, mut lane) = (vec![99; all], vec![99; all]);
            let launched = Gpu::<P>::default().with_warp_width(width).launch(grid, lanes(&mut warp, &mut lane));
            assert!(launched.is_ok(), "{launched:?}");
            for id in 0..all {
                let in_block = id % per_block;
                assert_eq!((warp[id], lane[id]), (in_block / width, in_block % width), "thread {id} of {grid}");
            }
        });
    }
}

#[kernel]
fn double(x: &[u32], y: &mut [u32]) {
    let i = global_id();
    if i < x.len() {
        y[i] = x[i] * 2;
    }
}

#[test]
fn a_grid_without_blocks_runs_nothing() {
    everywhere!(|gpu| {
        let mut y = [7; 3];
        let report = gpu.launch(Grid::covering(0, 128), double(&[1, 2, 3], &mut y)).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!((y, report.issues(), report.thread_instructions(), report.marker_issues()), ([7; 3], 0, 0, 0));
        assert_eq!((report.simd_efficiency(), report.branch_efficiency()), (1.0, 1.0));
        assert!(report.lane_histogram().iter().all(|&count| count == 0));
        assert!(report.to_string().starts_with("kernel double under"));
        for blocks in [(0, 1, 1), (4, 0, 1), (4, 2, 0), (0, 0, 0)] {
            let report = gpu.launch(Grid::new(blocks, 8), double(&[], &mut [])).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(report.issues(), 0);
        }
    });
}

/// Neither a clock nor another memory makes numbers of a grid without blocks.
#[test]
fn ratios_of_a_grid_without_blocks_are_numbers() {
    let environment =
        GpuConfig { memory: MemoryModel::Environment(EnvironmentConfig::seeded(1)), ..GpuConfig::functional() };
    for config in [GpuConfig::fung2009(), GpuConfig::fermi(), GpuConfig::turing(), environment] {
        let mut y = [7; 3];
        let launch_latency = config.clock.as_ref().map_or(0, |clock| clock.launch_latency);
        let gpu = Gpu::<Ipdom>::new(config);
        let report = gpu.launch(Grid::covering(0, 128), double(&[1, 2, 3], &mut y)).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!((y, report.issues(), report.simd_efficiency()), ([7; 3], 0, 1.0));
        let text = report.to_string();
        assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
        if let Some(clock) = report.clock() {
            let ratios = [clock.ipc(), clock.utilisation(), clock.transactions_per_request()];
            assert_eq!((clock.cycles(), ratios), (launch_latency, [0.0; 3]));
        }
    }
}

#[test]
fn blocks_without_threads_are_refused_even_if_there_are_none() {
    for grid in [Grid::covering(0, 0), Grid::covering(5, 0), Grid::new(0, 0), Grid::new((2, 0), (1, 0))] {
        let error = Gpu::<Ipdom>::default().launch(grid, double(&[], &mut [])).expect_err("no thread");
        assert!(matches!(error, LaunchError::Grid { error: GridError::EmptyBlock { .. }, .. }), "{error}");
    }
}

#[test]
fn threads_beyond_the_data_turn_back() {
    everywhere!(|gpu| for items in [1, 31, 32, 33, 127, 128, 129] {
        let x: Vec<u32> = (0..items).collect();
        let mut y = vec![0; x.len()];
        let grid = Grid::covering(x.len(), 128);
        assert_eq!(grid.blocks().x, x.len().div_ceil(128));
        let launched = gpu.launch(grid, double(&x, &mut y));
        assert!(launched.is_ok(), "{launched:?}");
        assert!(y.iter().zip(&x).all(|(y, x)| *y == x * 2));
    });
}

#[kernel]
fn last_writer(y: &mut [usize]) {
    y[0] = global_id();
    y[1 + block_idx().x] = lane_id();
}

/// Of the lanes that write one element at once, the highest wins; blocks and warps run in the order of their numbers.
#[test]
fn the_order_of_conflicting_writes_is_fixed() {
    everywhere!(|gpu| {
        let mut y = [0; 4];
        let launched = gpu.launch(Grid::new(3, 70), last_writer(&mut y));
        assert!(launched.is_ok(), "{launched:?}");
        let last = 69 % gpu.config().warp_width;
        assert_eq!(y, [209, last, last, last]);
    });
}
