//! LBM (SPEC CPU2006 470.lbm): a step of a fluid around obstacles, by the lattice Boltzmann method with 19 velocities, a thread a
//! cell.
//!
//! As there, a cell's 19 numbers of 64 bits lie together (in 20 words), and a thread reads those of its cell and writes to its neighbours'.
//! Lanes part at cells of obstacles, which throw back what comes, and at those that are driven. The memory is the limit.

use simt::prelude::*;

use super::{Machine, Size};

/// Velocities, and words of a cell.
const VELOCITIES: usize = 19;
const WORDS: usize = 20;
/// How fast cells come to their equilibrium.
const OMEGA: f64 = 1.95;
const DRIVEN_X: f64 = 0.005;
const DRIVEN_Y: f64 = 0.002;
/// Kinds of cells.
const FLUID: u8 = 0;
const OBSTACLE: u8 = 1;
const DRIVEN: u8 = 2;

/// What of a velocity goes to the neighbour.
#[device]
fn collided(f: f64, weight: f64, along: f64, square: f64) -> f64 {
    (1.0 - OMEGA) * f + weight * (along * (4.5 * along + 3.0) + square)
}

#[kernel]
pub(crate) fn step(width: usize, area: usize, margin: usize, kind: &[u8], from: &[f64], to: &mut [f64]) {
    let number = global_id();
    if number >= kind.len() {
        return;
    }
    let (kind, cell) = (kind[number], number + margin);
    let mine = cell * WORDS;
    let c = from[mine];
    let n = from[mine + 1];
    let s = from[mine + 2];
    let e = from[mine + 3];
    let w = from[mine + 4];
    let t = from[mine + 5];
    let b = from[mine + 6];
    let ne = from[mine + 7];
    let nw = from[mine + 8];
    let se = from[mine + 9];
    let sw = from[mine + 10];
    let nt = from[mine + 11];
    let nb = from[mine + 12];
    let st = from[mine + 13];
    let sb = from[mine + 14];
    let et = from[mine + 15];
    let eb = from[mine + 16];
    let wt = from[mine + 17];
    let wb = from[mine + 18];
    if kind == OBSTACLE {
        to[mine] = c;
        to[(cell + width) * WORDS + 1] = s;
        to[(cell - width) * WORDS + 2] = n;
        to[(cell + 1) * WORDS + 3] = w;
        to[(cell - 1) * WORDS + 4] = e;
        to[(cell + area) * WORDS + 5] = b;
        to[(cell - area) * WORDS + 6] = t;
        to[(cell + 1 + width) * WORDS + 7] = sw;
        to[(cell + width - 1) * WORDS + 8] = se;
        to[(cell + 1 - width) * WORDS + 9] = nw;
        to[(cell - 1 - width) * WORDS + 10] = ne;
        to[(cell + width + area) * WORDS + 11] = sb;
        to[(cell + width - area) * WORDS + 12] = st;
        to[(cell + area - width) * WORDS + 13] = nb;
        to[(cell - width - area) * WORDS + 14] = nt;
        to[(cell + 1 + area) * WORDS + 15] = wb;
        to[(cell + 1 - area) * WORDS + 16] = wt;
        to[(cell + area - 1) * WORDS + 17] = eb;
        to[(cell - 1 - area) * WORDS + 18] = et;
        return;
    }
    let density = c + n + s + e + w + t + b + ne + nw + se + sw + nt + nb + st + sb + et + eb + wt + wb;
    let (mut x, mut y, mut z) = (
        (e - w + ne - nw + se - sw + et + eb - wt - wb) / density,
        (n - s + ne + nw - se - sw + nt + nb - st - sb) / density,
        (t - b + nt - nb + st - sb + et - eb + wt - wb) / density,
    );
    if kind == DRIVEN {
        x = DRIVEN_X;
        y = DRIVEN_Y;
        z = 0.0;
    }
    let square = 1.0 - 1.5 * (x * x + y * y + z * z);
    let (rest, near, far) = (OMEGA * density / 3.0, OMEGA * density / 18.0, OMEGA * density / 36.0);
    to[mine] = (1.0 - OMEGA) * c + rest * square;
    to[(cell + width) * WORDS + 1] = collided(n, near, y, square);
    to[(cell - width) * WORDS + 2] = collided(s, near, -y, square);
    to[(cell + 1) * WORDS + 3] = collided(e, near, x, square);
    to[(cell - 1) * WORDS + 4] = collided(w, near, -x, square);
    to[(cell + area) * WORDS + 5] = collided(t, near, z, square);
    to[(cell - area) * WORDS + 6] = collided(b, near, -z, square);
    to[(cell + 1 + width) * WORDS + 7] = collided(ne, far, x + y, square);
    to[(cell + width - 1) * WORDS + 8] = collided(nw, far, y - x, square);
    to[(cell + 1 - width) * WORDS + 9] = collided(se, far, x - y, square);
    to[(cell - 1 - width) * WORDS + 10] = collided(sw, far, -x - y, square);
    to[(cell + width + area) * WORDS + 11] = collided(nt, far, y + z, square);
    to[(cell + width - area) * WORDS + 12] = collided(nb, far, y - z, square);
    to[(cell + area - width) * WORDS + 13] = collided(st, far, z - y, square);
    to[(cell - width - area) * WORDS + 14] = collided(sb, far, -y - z, square);
    to[(cell + 1 + area) * WORDS + 15] = collided(et, far, x + z, square);
    to[(cell + 1 - area) * WORDS + 16] = collided(eb, far, x - z, square);
    to[(cell + area - 1) * WORDS + 17] = collided(wt, far, z - x, square);
    to[(cell - 1 - area) * WORDS + 18] = collided(wb, far, -x - z, square);
}

/// The velocities in the order of their words: x, y, z.
const DIRECTIONS: [[i32; 3]; VELOCITIES] = [
    [0, 0, 0],
    [0, 1, 0],
    [0, -1, 0],
    [1, 0, 0],
    [-1, 0, 0],
    [0, 0, 1],
    [0, 0, -1],
    [1, 1, 0],
    [-1, 1, 0],
    [1, -1, 0],
    [-1, -1, 0],
    [0, 1, 1],
    [0, 1, -1],
    [0, -1, 1],
    [0, -1, -1],
    [1, 0, 1],
    [1, 0, -1],
    [-1, 0, 1],
    [-1, 0, -1],
];

/// The size of a fluid, with `margin` cells before and behind it that threads write to and none reads.
struct Lattice {
    width: usize,
    area: usize,
    cells: usize,
    margin: usize,
}

impl Lattice {
    fn step(&self, kind: &[u8], from: &[f64]) -> Vec<f64> {
        let mut to = vec![0.0; from.len()];
        for (number, &kind) in kind.iter().enumerate() {
            let cell = number + self.margin;
            let f = &from[cell * WORDS..][..VELOCITIES];
            let neighbour = |[x, y, z]: [i32; 3]| {
                let offset = x as isize + y as isize * self.width as isize + z as isize * self.area as isize;
                cell.wrapping_add_signed(offset) * WORDS
            };
            let density: f64 = f.iter().sum();
            let mut flow = [0, 1, 2]
                .map(|axis: usize| f.iter().zip(&DIRECTIONS).map(|(f, to)| f * to[axis] as f64).sum::<f64>() / density);
            if kind == DRIVEN {
                flow = [DRIVEN_X, DRIVEN_Y, 0.0];
            }
            let square = flow.iter().map(|v| v * v).sum::<f64>();
            for (word, &direction) in DIRECTIONS.iter().enumerate() {
                let back = DIRECTIONS.iter().position(|other| *other == direction.map(|part| -part)).unwrap_or(0);
                let weight = [1.0 / 3.0, 1.0 / 18.0, 1.0 / 36.0]
                    [direction.iter().map(|part| part.pow(2) as usize).sum::<usize>()];
                let along: f64 = (0..3).map(|axis| direction[axis] as f64 * flow[axis]).sum();
                let equilibrium = weight * density * (1.0 + 3.0 * along + 4.5 * along * along - 1.5 * square);
                let moved = (1.0 - OMEGA) * f[word] + OMEGA * equilibrium;
                to[neighbour(direction) + word] = if kind == OBSTACLE { f[back] } else { moved };
            }
        }
        to
    }
}

/// Launches the program, and compares with plain Rust.
pub(crate) fn run(machine: &mut dyn Machine, size: &Size) -> Result<(), LaunchError> {
    let (width, height, depth) = size.choose((8, 4, 4), (32, 16, 16), (64, 64, 64));
    let area = width * height;
    let lattice = Lattice { width, area, cells: area * depth, margin: area + width + 1 };
    let mut random = size.random(470);
    let mut kind = vec![FLUID; lattice.cells];
    // Balls that do not move.
    for _ in 0..lattice.cells / 400 {
        let at = [random.below(width as u32), random.below(height as u32), random.below(depth as u32)].map(i64::from);
        let radius = f64::from(random.between(1.5, 3.5));
        for (number, kind) in kind.iter_mut().enumerate() {
            let here = [number % width, number / width % height, number / area].map(|part| part as i64);
            let square: i64 = (0..3).map(|axis: usize| (here[axis] - at[axis]).pow(2)).sum();
            if (square as f64) < radius * radius {
                *kind = OBSTACLE;
            }
        }
    }
    // A box of walls around it, with a layer below its lid that is driven: the lid-driven cavity of the benchmark.
    for (number, kind) in kind.iter_mut().enumerate() {
        let (x, y, z) = (number % width, number / width % height, number / area);
        if x == 0 || x == width - 1 || y == 0 || y == height - 1 || z == 0 || z == depth - 1 {
            *kind = OBSTACLE;
        } else if z == depth - 2 {
            *kind = DRIVEN;
        }
    }
    let mut cells = vec![0.0; (lattice.cells + 2 * lattice.margin) * WORDS];
    for cell in cells.chunks_mut(WORDS) {
        for (word, direction) in DIRECTIONS.iter().enumerate() {
            let parts = direction.iter().map(|part| part.pow(2) as usize).sum::<usize>();
            cell[word] = [1.0 / 3.0, 1.0 / 18.0, 1.0 / 36.0][parts] * f64::from(random.between(0.99, 1.01));
        }
    }
    let mut expected = cells.clone();
    for _ in 0..size.choose(1, 1, 4) {
        let mut next = vec![0.0; cells.len()];
        let call = step(width, area, lattice.margin, &kind, &cells, &mut next);
        machine.launch(size.grid(lattice.cells), call)?;
        cells = next;
        expected = lattice.step(&kind, &expected);
    }
    for (found, expected) in cells.iter().zip(&expected) {
        // Sums of 19 terms up to 1 in another order.
        assert!((found - expected).abs() <= 1e-12, "{found}, not {expected}");
    }
    Ok(())
}
