//! Lattice Boltzmann: steps of a fluid on a grid of nine velocities (D2Q9), with the collision of Bhatnagar, Gross and Krook.
//!
//! A thread computes a cell, pulling from its neighbours, with walls that throw back what comes (half-way bounce-back).
//! Cells at walls diverge for each velocity whose source is solid, and solid cells themselves do nothing.

use simt::prelude::*;

use super::input::Random;
use super::machine::Machine;

/// The velocities, each with its opposite, and the weights of their equilibria.
const VELOCITIES: usize = 9;
const X: [i32; VELOCITIES] = [0, 1, 0, -1, 0, 1, -1, -1, 1];
const Y: [i32; VELOCITIES] = [0, 0, 1, 0, -1, 1, 1, -1, -1];
const OPPOSITE: [usize; VELOCITIES] = [0, 3, 4, 1, 2, 7, 8, 5, 6];
const WEIGHT: [f32; VELOCITIES] = [4. / 9., 1. / 9., 1. / 9., 1. / 9., 1. / 9., 1. / 36., 1. / 36., 1. / 36., 1. / 36.];

/// How fast cells come to their equilibrium.
const OMEGA: f32 = 1.2;

/// Cells of the grid, which is a torus.
const WIDTH: usize = 24;
const HEIGHT: usize = 20;
const CELLS: usize = WIDTH * HEIGHT;

#[kernel]
pub(crate) fn step(
    #[constant] dx: &[i32],
    #[constant] dy: &[i32],
    #[constant] opposite: &[usize],
    #[constant] weight: &[f32],
    solid: &[bool],
    from: &[f32],
    to: &mut [f32],
) {
    let (x, y) = (block_idx().x * block_dim().x + thread_idx().x, block_idx().y * block_dim().y + thread_idx().y);
    let cell = y * WIDTH + x;
    if x >= WIDTH || y >= HEIGHT || solid[cell] {
        return;
    }
    let mut f = [0.0; VELOCITIES];
    let (mut density, mut flow_x, mut flow_y) = (0.0, 0.0, 0.0);
    for v in 0..VELOCITIES {
        let source_x = (x as i32 - dx[v]).rem_euclid(WIDTH as i32) as usize;
        let source_y = (y as i32 - dy[v]).rem_euclid(HEIGHT as i32) as usize;
        let source = source_y * WIDTH + source_x;
        f[v] = if solid[source] { from[opposite[v] * CELLS + cell] } else { from[v * CELLS + source] };
        density += f[v];
        flow_x += f[v] * dx[v] as f32;
        flow_y += f[v] * dy[v] as f32;
    }
    flow_x /= density;
    flow_y /= density;
    let energy = 1.5 * (flow_x * flow_x + flow_y * flow_y);
    for v in 0..VELOCITIES {
        let along = 3.0 * (dx[v] as f32 * flow_x + dy[v] as f32 * flow_y);
        let equilibrium = weight[v] * density * (1.0 + along + 0.5 * along * along - energy);
        to[v * CELLS + cell] = f[v] + OMEGA * (equilibrium - f[v]);
    }
}

fn host(solid: &[bool], from: &[f32]) -> Vec<f32> {
    let mut to = vec![0.0; from.len()];
    for cell in (0..CELLS).filter(|&cell| !solid[cell]) {
        let neighbour = |v: usize, sign: i32| {
            let x = (cell % WIDTH) as i32 + sign * X[v];
            let y = (cell / WIDTH) as i32 + sign * Y[v];
            y.rem_euclid(HEIGHT as i32) as usize * WIDTH + x.rem_euclid(WIDTH as i32) as usize
        };
        let f: [f32; VELOCITIES] = std::array::from_fn(|v| match neighbour(v, -1) {
            source if solid[source] => from[OPPOSITE[v] * CELLS + cell],
            source => from[v * CELLS + source],
        });
        let sum = |factor: &dyn Fn(usize) -> f32| (0..VELOCITIES).fold(0.0, |sum, v| sum + f[v] * factor(v));
        let density = sum(&|_| 1.0);
        let (x, y) = (sum(&|v| X[v] as f32) / density, sum(&|v| Y[v] as f32) / density);
        for v in 0..VELOCITIES {
            let along = 3.0 * (X[v] as f32 * x + Y[v] as f32 * y);
            let equilibrium = WEIGHT[v] * density * (1.0 + along + 0.5 * along * along - 1.5 * (x * x + y * y));
            to[v * CELLS + cell] = f[v] + OMEGA * (equilibrium - f[v]);
        }
    }
    to
}

pub(crate) fn run(gpu: &dyn Machine) -> Result<Report, LaunchError> {
    let mut random = Random::new(10);
    let solid: Vec<bool> = (0..CELLS).map(|_| random.below(8) == 0).collect();
    let fluid = |random: &mut Random, i: usize| {
        if solid[i % CELLS] { 0.0 } else { WEIGHT[i / CELLS] * random.between(0.9, 1.1) }
    };
    let mut cells: Vec<f32> = (0..VELOCITIES * CELLS).map(|i| fluid(&mut random, i)).collect();
    let mut expected = cells.clone();
    let grid = Grid::new((WIDTH.div_ceil(16), HEIGHT.div_ceil(4)), (16, 4));
    let mut next_step = || -> Result<Report, LaunchError> {
        let mut next = vec![0.0; cells.len()];
        let report = gpu.launch(grid, step(&X, &Y, &OPPOSITE, &WEIGHT, &solid, &cells, &mut next))?;
        expected = host(&solid, &expected);
        cells = next;
        Ok(report)
    };
    let mut report = next_step()?;
    report.merge(&next_step()?);
    report.merge(&next_step()?);
    // Each sum has the same order, so not a bit differs.
    assert_eq!(cells, expected);
    Ok(report)
}
