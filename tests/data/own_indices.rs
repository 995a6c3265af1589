//! `Index` and `IndexMut` of users' types: the text is compiled as plain Rust, too.

use simt::prelude::KernelData;
use std::ops::{Index, IndexMut};

/// Its elements are those of an array.
#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Matrix {
    data: [u32; 12],
    columns: usize,
    written: u32,
}

#[simt::device]
impl Index<(usize, usize)> for Matrix {
    type Output = u32;

    fn index(&self, (row, column): (usize, usize)) -> &Self::Output {
        &self.data[row * self.columns + column]
    }
}

#[simt::device]
impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut Self::Output {
        self.written += 1;
        assert!(column < self.columns, "no column {column}");
        &mut self.data[row * self.columns + column]
    }
}

/// Rows that are arrays.
#[simt::device]
impl Index<usize> for Square {
    type Output = [u32; 3];

    fn index(&self, row: usize) -> &[u32; 3] {
        &self.rows[row]
    }
}

#[simt::device]
impl IndexMut<usize> for Square {
    fn index_mut(&mut self, row: usize) -> &mut [u32; 3] {
        &mut self.rows[row]
    }
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Square {
    rows: [[u32; 3]; 3],
}

/// Its elements are fields.
#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq)]
struct Vec3<T> {
    x: T,
    y: T,
    z: T,
}

#[simt::device]
impl Index<usize> for Vec3<u32> {
    type Output = u32;

    fn index(&self, axis: usize) -> &u32 {
        match axis {
            0 => &self.x,
            1 => &self.y,
            2 => &self.z,
            _ => panic!("no axis {axis}"),
        }
    }
}

#[simt::device]
impl IndexMut<usize> for Vec3<u32> {
    fn index_mut(&mut self, axis: usize) -> &mut u32 {
        if axis == 0 {
            return &mut self.x;
        }
        match axis {
            1 => &mut self.y,
            2 => &mut self.z,
            _ => unreachable!("no axis {axis}"),
        }
    }
}

/// A box, of which fields have elements.
#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Bounds {
    low: Vec3<u32>,
    high: Vec3<u32>,
    hits: [u32; 3],
}

#[simt::device]
impl Bounds {
    fn grow(&mut self, axis: usize, by: u32) -> u32 {
        self.low[axis] = self.low[axis].saturating_sub(by);
        self.high[axis] += by;
        self.hits[axis] += 1;
        self.high[axis] - self.low[axis] + self.high[0].max(self.low[1])
    }
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Position {
    x: usize,
    y: usize,
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Cell {
    alive: bool,
    age: u32,
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Board<const W: usize> {
    cells: [Cell; 8],
}

#[simt::device]
impl<const W: usize> Index<Position> for Board<W> {
    type Output = Cell;

    fn index(&self, at: Position) -> &Cell {
        &self.cells[at.y * W + at.x]
    }
}

#[simt::device]
impl<const W: usize> IndexMut<Position> for Board<W> {
    fn index_mut(&mut self, Position { x, y }: Position) -> &mut Cell {
        &mut self.cells[y * W + x]
    }
}

/// Of references.
#[derive(Clone, Copy, KernelData)]
struct View<'a> {
    data: &'a [u32],
    columns: usize,
}

#[simt::device]
impl<'a> Index<(usize, usize)> for View<'a> {
    type Output = u32;

    fn index(&self, at: (usize, usize)) -> &u32 {
        &self.data[at.0 * self.columns + at.1]
    }
}

#[simt::device]
impl Index<usize> for View<'_> {
    type Output = [u32];

    fn index(&self, row: usize) -> &[u32] {
        &self.data[row * self.columns..(row + 1) * self.columns]
    }
}

#[derive(KernelData)]
struct ViewMut<'a> {
    data: &'a mut [u32],
    offset: usize,
}

#[simt::device]
impl Index<(usize, usize)> for ViewMut<'_> {
    type Output = u32;

    fn index(&self, (row, column): (usize, usize)) -> &u32 {
        &self.data[self.offset + 2 * row + column]
    }
}

#[simt::device]
impl IndexMut<(usize, usize)> for ViewMut<'_> {
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut u32 {
        &mut self.data[self.offset + 2 * row + column]
    }
}

/// Two matrices: an index of an index.
#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Layers {
    matrices: [Matrix; 2],
}

#[simt::device]
impl Index<(usize, usize, usize)> for Layers {
    type Output = u32;

    fn index(&self, (layer, row, column): (usize, usize, usize)) -> &u32 {
        &self.matrices[layer][(row, column)]
    }
}

items_with_kernels! {
    {
        fn trace(m: &Vec3<u32>) -> u32 {
            m.x + m.y + m.z
        }
        fn diagonal(m: &Matrix) -> u32 {
            m[(0, 0)] + m[(1, 1)] + m[(2, 2)]
        }
        fn set(m: &mut Matrix, at: usize, to: u32) {
            m[(at % 3, at % 4)] = to;
            m[(at % 3, 3 - at % 4)] ^= to + 1;
        }
        fn down(m: Square, n: usize) -> u32 {
            if n == 0 { m[0][0] } else { m[n % 3][(n + 1) % 3] * 3 + down(m, n - 1) }
        }
    }
    fn matrices(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut m = Matrix { data: [1; 12], columns: 4, written: 0 };
        m[(1, 2)] = x[i];
        let mut k = 0;
        m[(2, i % 4)] += {
            k += 1;
            x[i] + m[(1, 2)]
        };
        m[(i % 3, { k += 2; 1 })] <<= k % 4;
        set(&mut m, i, 5);
        let mut all = [m; 2];
        all[i % 2][(0, 1)] = 17;
        all[1][(1, i % 4)] -= 1;
        let is_large = i < 40 && m[(2, i % 4)] > 20;
        let mut sum = 0;
        while m[(0, 0)] < 50 {
            m[(0, 0)] += 10;
            sum += 1;
        }
        out[i] = diagonal(&m) + all[0][(0, 1)] + 3 * all[1][(0, 1)] + all[1][(1, i % 4)] + m.written * 100
            + is_large as u32 + k + sum * 7 + m[(2, i % 4)].count_ones();
    }
    fn vectors(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut v = Vec3 { x: 1, y: x[i], z: 3 };
        v[i % 3] = 10;
        v[0] += v[1] * 2;
        v[2] = v[2].pow(2) + v[i % 3].min(4);
        let mut b = Bounds { low: v, high: v, hits: [0; 3] };
        let mut sum = trace(&v);
        for axis in 0..i % 4 {
            sum = sum * 3 + b.grow(axis % 3, x[i] % 5);
        }
        b.high[(i + 1) % 3] *= 2;
        let total: u32 = (0..3).map(|axis| b.high[axis] - v[axis] / 2).sum();
        let copy = v;
        out[i] = sum + total + b.hits[0] * 3 + b.hits[i % 3] + copy[1] + b.low[2];
    }
    fn squares(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut m = Square { rows: [[1, 2, 3], [4, 5, x[i]], [7, 8, 9]] };
        m[i % 3][1] = 7;
        m[i % 2][i % 3] += 100 + x[i];
        m[2] = [i as u32; 3];
        let row = m[1];
        out[i] = m[0][0] + m[1][i % 3] * 2 + row[2] + down(m, i % 5) + m[2][0];
    }
    fn grids(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut grid = Board::<4> { cells: [Cell { alive: false, age: 2 }; 8] };
        let at = Position { x: i % 4, y: i % 2 };
        grid[at] = Cell { alive: true, age: x[i] };
        grid[Position { x: 3, y: 1 }].age += 5;
        grid[Position { x: i % 4, ..at }].alive = x[i] % 2 == 0;
        let cell = grid[at];
        let mut ages = 0;
        for y in 0..2 {
            for x in 0..4 {
                ages = ages * 2 + grid[Position { x, y }].age;
            }
        }
        out[i] = ages + cell.alive as u32 + grid[Position { x: 1, y: 1 }].alive as u32 * 2;
    }
    fn views(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let w = View { data: x, columns: 5 };
        let part = View { data: &x[i % 7..], columns: 3 };
        out[i] = w[(i % 9, 2)] + part[(i % 12, 1)] * 3 + w[i % 4][3];
    }
    fn written_views(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut own = [0u32; 6];
        let mut v = ViewMut { data: &mut own, offset: 1 };
        v[(0, 1)] = x[i];
        v[(1, i % 2)] += 3;
        v[(1, i % 2)] *= v[(0, 1)] + 2;
        let mut layers = Layers { matrices: [Matrix { data: [x[i]; 12], columns: 3, written: 0 }; 2] };
        let mut second = layers.matrices[1];
        second[(1, 1)] = 4;
        layers.matrices[1] = second;
        out[i] = own[2] + 3 * own[3] + 5 * own[4] + layers[(1, 1, 1)] + layers[(i % 2, 1, 1)];
    }
}

same! { matrices vectors squares grids views written_views }

#[test]
fn an_index_that_is_none_panics() {
    #[simt::kernel]
    fn beyond(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut v = Vec3 { x: 1, y: 2, z: 3 };
        out[i] = v[x[i] as usize];
        v[x[i] as usize] = 3;
    }
    use simt::prelude::*;
    let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 2), beyond(&[1, 3], &mut [0; 2])).unwrap_err();
    assert!(error.to_string().starts_with("error[simt::panic]: no axis 3"), "{error}");
}
