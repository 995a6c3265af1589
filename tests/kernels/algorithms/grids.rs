//! Stencils, cells and matrices.

use simt::prelude::*;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq, Eq)]
enum Cell {
    #[default]
    Dead,
    Live,
    Wall,
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq, Eq)]
enum Step {
    Left,
    Up,
    Diagonal,
}

#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq)]
struct Fluid {
    heat: f32,
    flow: (f32, f32),
}

#[device]
impl Cell {
    fn next(self, around: u32) -> Cell {
        match (self, around) {
            (Cell::Wall, _) => self,
            (Cell::Live, 2 | 3) | (Cell::Dead, 3) => Cell::Live,
            _ => Cell::Dead,
        }
    }
}

/// The cell at a place, if there is one.
#[device]
impl Fluid {
    fn at(all: &[Fluid], width: usize, (x, y): (isize, isize)) -> Option<Fluid> {
        let inside = (0..width as isize).contains(&x) && y >= 0 && (y as usize) < all.len() / width;
        if inside { Some(all[y as usize * width + x as usize]) } else { None }
    }
}

alike! {
    // Life, with walls.
    fn life(cells: &[Cell], width: usize, out: &mut [Cell]) {
        let i = global_id();
        let height = cells.len() / width;
        let (x, y) = (i % width, i / width);
        let mut around = 0;
        for dy in [height - 1, 0, 1] {
            for dx in [width - 1, 0, 1] {
                let (u, v) = ((x + dx) % width, (y + dy) % height);
                if (dx, dy) != (0, 0) && cells[v * width + u] == Cell::Live {
                    around += 1;
                }
            }
        }
        out[i] = cells[i].next(around);
    }

    // Heat that spreads and flows (hotspot, and a step of a fluid).
    fn spread(all: &[Fluid], width: usize, out: &mut [Fluid]) {
        let i = global_id();
        let here = all[i];
        let (x, y) = ((i % width) as isize, (i / width) as isize);
        let mut sum = 0.0;
        let mut count = 0;
        for (dx, dy) in [(0, -1), (0, 1)] {
            if let Some(Fluid { heat, .. }) = Fluid::at(all, width, (x + dx, y + dy)) {
                sum += heat;
                count += 1;
            }
        }
        let left = Fluid::at(all, width, (x - 1, y)).unwrap_or(here);
        let right = Fluid::at(all, width, (x + 1, y)).unwrap_or(here);
        out[i].heat = here.heat + 0.1 * (sum - count as f32 * here.heat) + 0.25 * (left.heat * left.flow.0);
        out[i].flow = (0.5 * (left.flow.0 + right.flow.0), here.flow.1 - right.heat);
    }

    // The best alignment of two sequences (Needleman and Wunsch), with its last step: a thread for each pair.
    fn align(first: &[u8], second: &[u8], scores: &mut [i32], steps: &mut [Step]) {
        let i = global_id();
        let mut row = [0i32; 13];
        for k in 0..13 {
            row[k] = -2 * k as i32;
        }
        let mut step = Step::Left;
        for a in 0..12 {
            let mut diagonal = row[0];
            row[0] = -2 * (a as i32 + 1);
            for b in 0..12 {
                let same = if first[12 * i + a] == second[12 * i + b] { 3 } else { -1 };
                let ways = (diagonal + same, row[b] - 2, row[b + 1] - 2);
                diagonal = row[b + 1];
                (row[b + 1], step) = match ways {
                    (d, l, u) if d >= l && d >= u => (d, Step::Diagonal),
                    (_, l, u) if l >= u => (l, Step::Left),
                    (.., u) => (u, Step::Up),
                };
            }
        }
        scores[i] = row[12];
        steps[i] = step;
    }

    // LU without pivots, of a small matrix for each thread.
    fn factor(all: &mut [[f32; 16]], singular: &mut [bool]) {
        let i = global_id();
        singular[i] = false;
        'columns: for k in 0..4 {
            let pivot = all[i][5 * k];
            if pivot.abs() < 0.001 {
                singular[i] = true;
                break 'columns;
            }
            for row in k + 1..4 {
                let factor = all[i][4 * row + k] / pivot;
                all[i][4 * row + k] = factor;
                for column in k + 1..4 {
                    all[i][4 * row + column] -= factor * all[i][4 * k + column];
                }
            }
        }
    }
}

/// A histogram in shared memory, then in global: what threads of a block find together.
#[kernel]
fn histogram(x: &[(u8, f32)], bins: &[AtomicU32]) {
    #[shared]
    let local: [AtomicU32; 8];
    let t = thread_idx().x;
    if t < 8 {
        local[t].store(0, Relaxed);
    }
    sync_threads();
    let (bin, weight) = x[global_id()];
    if weight > 0.5 {
        count(&local[bin as usize % 8]);
    }
    sync_threads();
    if t < 8 {
        bins[t].fetch_add(local[t].load(Relaxed), Relaxed);
    }
}

#[device]
fn count(bin: &AtomicU32) {
    bin.fetch_add(1, Relaxed);
}

#[test]
fn cells_live_and_die() {
    let start: Vec<Cell> =
        (0..60).map(|i| [Cell::Dead, Cell::Live, Cell::Dead, Cell::Live, Cell::Wall][i * i % 17 % 5]).collect();
    let mut expected = start.clone();
    crate::support::host::run(Grid::new(3, 20), || plain::life(&start, 10, &mut expected));
    assert_ne!(expected, start);
    everywhere!(|gpu| {
        let mut out = start.clone();
        gpu.launch(Grid::new(3, 20), life(&start, 10, &mut out)).unwrap();
        assert_eq!(out, expected);
    });
}

#[test]
fn heat_spreads() {
    let fluid = |i: usize| Fluid { heat: (i * 7 % 11) as f32, flow: (i as f32 / 64.0, (i % 5) as f32) };
    let start: Vec<Fluid> = (0..48).map(fluid).collect();
    let mut expected = vec![Fluid::default(); 48];
    crate::support::host::run(Grid::new(3, 16), || plain::spread(&start, 8, &mut expected));
    everywhere!(|gpu| {
        let mut out = vec![Fluid::default(); 48];
        gpu.launch(Grid::new(3, 16), spread(&start, 8, &mut out)).unwrap();
        assert_eq!(out, expected);
    });
}

#[test]
fn sequences_are_aligned() {
    let letters = |seed: usize| (0..96).map(|i| b"ACGT"[(i * i + seed * i / 3) % 4]).collect::<Vec<u8>>();
    let (first, second) = (letters(3), letters(8));
    let mut expected = (vec![0; 8], vec![Step::Up; 8]);
    crate::support::host::run(Grid::new(1, 8), || plain::align(&first, &second, &mut expected.0, &mut expected.1));
    everywhere!(|gpu| {
        let mut found = (vec![0; 8], vec![Step::Up; 8]);
        gpu.launch(Grid::new(1, 8), align(&first, &second, &mut found.0, &mut found.1)).unwrap();
        assert_eq!(found, expected);
    });
}

#[test]
fn matrices_are_factored() {
    let matrix = |i: usize| {
        std::array::from_fn(|k| ((i * 5 + k * 7) % 11) as f32 - 3.0 + if k % 5 == 0 { i as f32 } else { 0.0 })
    };
    let start: Vec<[f32; 16]> = (0..12).map(matrix).collect();
    let mut expected = (start.clone(), vec![false; 12]);
    crate::support::host::run(Grid::new(1, 12), || plain::factor(&mut expected.0, &mut expected.1));
    everywhere!(|gpu| {
        let mut found = (start.clone(), vec![false; 12]);
        gpu.launch(Grid::new(1, 12), factor(&mut found.0, &mut found.1)).unwrap();
        assert_eq!(found, expected);
    });
}

#[test]
fn weights_are_counted() {
    let x: Vec<(u8, f32)> = (0..64).map(|i| ((i * 3 % 16) as u8, (i % 7) as f32 / 5.0)).collect();
    let mut expected = [0; 8];
    x.iter().filter(|(_, weight)| *weight > 0.5).for_each(|(bin, _)| expected[usize::from(bin % 8)] += 1);
    everywhere!(|gpu| {
        let bins: [AtomicU32; 8] = Default::default();
        gpu.launch(Grid::new(2, 32), histogram(&x, &bins)).unwrap();
        assert_eq!(bins.map(AtomicU32::into_inner), expected);
    });
}
