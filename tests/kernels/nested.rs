//! Arrays of arrays of any depth, and of structs, wherever they are: the text is compiled as plain Rust, too.

use simt::prelude::*;

#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq)]
struct Matrix {
    m: [[f32; 3]; 3],
    tag: u32,
}

#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq)]
struct Point {
    x: u32,
    v: [u8; 2],
}

#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq)]
struct Line {
    at: [Point; 3],
    n: u32,
    pairs: [(u32, [u16; 2]); 2],
}

#[device]
#[expect(clippy::needless_range_loop, reason = "as it is written on paper")]
impl Matrix {
    fn identity() -> Self {
        let mut m = [[0.0; 3]; 3];
        for i in 0..3 {
            m[i][i] = 1.0;
        }
        Self { m, tag: 1 }
    }

    fn times(&self, other: &Self) -> Self {
        let mut m = [[0.0; 3]; 3];
        for i in 0..3 {
            for j in 0..3 {
                for k in 0..3 {
                    m[i][j] += self.m[i][k] * other.m[k][j];
                }
            }
        }
        Self { m, tag: self.tag + other.tag }
    }

    fn transpose(&mut self) {
        let old = *self;
        for i in 0..3 {
            for j in 0..3 {
                self.m[i][j] = old.m[j][i];
            }
        }
        self.m[0][1] *= 2.0;
    }
}

#[device]
impl Point {
    fn weight(&self) -> u32 {
        self.x * 3 + self.v[1] as u32
    }

    fn grow(&mut self, by: u32) {
        self.x += by;
        self.v[0] ^= 1;
    }
}

#[device]
impl std::ops::AddAssign for Point {
    fn add_assign(&mut self, other: Self) {
        self.x += other.x;
        self.v[1] = other.v[0];
    }
}

const CORNERS: [[[u32; 2]; 2]; 2] = [[[1, 2], [3, 4]], [[5, 6], [7, 8]]];
const LINES: [Line; 2] = [
    Line {
        at: [Point { x: 1, v: [2, 3] }, Point { x: 4, v: [5, 6] }, Point { x: 7, v: [8, 9] }],
        n: 0,
        pairs: [(1, [2, 3]); 2],
    },
    Line { at: [Point { x: 9, v: [8, 7] }; 3], n: 1, pairs: [(4, [5, 6]), (7, [8, 9])] },
];

alike! {
    fn matrices(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut a = Matrix::identity();
        a.m[i % 3][1] = x[i] as f32;
        a.m[2][0] += 0.5;
        let mut b = a.times(&Matrix { m: [[1.0, 2.0, 3.0]; 3], tag: x[i] });
        b.transpose();
        let row = b.m[i % 3];
        b.m[1] = [row[2], 1.0, row[0]];
        let mut sum = row[1] + b.m[1][0];
        for row in b.m {
            for v in row {
                sum = sum * 0.5 + v;
            }
        }
        for row in b.m.iter() {
            sum += row.iter().sum::<f32>();
        }
        out[i] = (sum * 8.0) as u32 + b.tag + b.m.len() as u32 + a.m[1].len() as u32 * 3 + (a == b) as u32;
    }

    fn cubes(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut cube = [[[0u32; 4]; 3]; 2];
        for z in 0..2 {
            for y in 0..3 {
                for k in 0..4 {
                    cube[z][y][k] = x[i] + (z * 12 + y * 4 + k) as u32;
                }
            }
        }
        cube[1][2][i % 4] *= 2;
        cube[i % 2][0].swap(1, 3);
        cube[0][i % 3][1..3].fill(9);
        cube[1][0] = cube[0][2];
        let plane = cube[i % 2];
        let mut sum = plane[2][1];
        for plane in &cube {
            for row in plane {
                for v in row {
                    sum = sum * 3 % 1009 + *v;
                }
            }
        }
        for (y, row) in cube[1].iter().enumerate() {
            sum += row[y] * y as u32;
        }
        let r = &mut cube[1][1][i % 4];
        *r += 7;
        out[i] = sum + cube[0][0][0] + CORNERS[i % 2][1][x[i] as usize % 2] + cube[0].len() as u32
            + CORNERS[1][i % 2].iter().sum::<u32>();
    }

    fn structs(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let k = i % 3;
        let mut line = LINES[i % 2];
        line.at[k].x += x[i];
        line.at[k].v[1] = line.at[(k + 1) % 3].v[0] + 1;
        line.at[2].x = line.at[0].x * 2;
        line.at[1].v.swap(0, 1);
        line.pairs[i % 2].1[0] += 3;
        line.pairs[0].0 = 5;
        let pair = line.pairs[1];
        let mut points = line.at;
        points[k].grow(4);
        points[1] += points[k];
        let q = points[k];
        line.at[0] = q;
        let mut lines = [line; 2];
        lines[1].at[k].x += 1;
        lines[i % 2].at[1].v[k % 2] ^= 3;
        lines[1].at[k] += q;
        lines[1].at[2].grow(x[i]);
        lines[0].pairs[1].1[i % 2] = 8;
        let mut sum = pair.0 + pair.1[0] as u32;
        for line in &lines {
            sum += line.at.iter().map(|p| p.x).sum::<u32>() + line.pairs[0].1[1] as u32;
        }
        for p in lines[1].at.iter_mut() {
            p.x += 2;
        }
        let total: u32 = lines[1].at.iter().map(|p| p.weight()).sum();
        let heaviest = points.iter().map(|p| p.weight()).max().unwrap_or(0);
        out[i] = sum + total * 3 + heaviest * 5 + lines[0].at[k].weight() + line.at[k].weight()
            + (lines[0] == lines[1]) as u32 + lines[0].pairs[1].1[0] as u32;
    }
}

mod everywhere {
    use super::plain;
    mod kernel {
        pub(super) use super::super::{cubes, matrices, structs};
    }

    same! { matrices cubes structs }
}

/// As those of the host are, in memory and as values.
#[test]
fn the_host_passes_them() {
    #[kernel]
    fn changed(by: Line, m: Matrix, lines: &mut [Line], all: &mut [[[u32; 2]; 3]], out: &mut [Matrix]) {
        #[shared]
        let mut tile: [[[u32; 2]; 2]; 4];
        let i = global_id();
        let k = i % 3;
        tile[i][0][1] = lines[i].at[k].x;
        sync_threads();
        lines[i].at[k].x += by.at[1].x + m.tag;
        lines[i].at[k].v[i % 2] = by.at[k].v[1];
        lines[i].pairs[1].1[i % 2] += by.pairs[0].1[1];
        lines[i].at[2].grow(3);
        all[i][k][i % 2] += tile[3 - i][0][1];
        all[i][0] = [by.n, 2];
        out[i].m[k] = m.m[2];
        out[i].m[1][1] = by.at[k].weight() as f32;
    }
    let mut lines: Vec<Line> = (0..4).map(|i| LINES[i % 2]).collect();
    let mut all: Vec<[[u32; 2]; 3]> = (0..4).map(|i| [[i, 1], [2, i], [3, 4]]).collect();
    let mut out = vec![Matrix::default(); 4];
    let matrix = Matrix { m: [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]], tag: 3 };
    let by = LINES[0];
    let (mut host_lines, mut host_all, mut host_out) = (lines.clone(), all.clone(), out.clone());
    let tile: Vec<u32> = (0..4).map(|i| lines[i].at[i % 3].x).collect();
    for i in 0..4 {
        let k = i % 3;
        host_lines[i].at[k].x += by.at[1].x + matrix.tag;
        host_lines[i].at[k].v[i % 2] = by.at[k].v[1];
        host_lines[i].pairs[1].1[i % 2] += by.pairs[0].1[1];
        host_lines[i].at[2].grow(3);
        host_all[i][k][i % 2] += tile[3 - i];
        host_all[i][0] = [by.n, 2];
        host_out[i].m[k] = matrix.m[2];
        host_out[i].m[1][1] = by.at[k].weight() as f32;
    }
    let gpu = Gpu::<Ipdom>::default();
    let launched = gpu.launch(Grid::new(1, 4), changed(by, matrix, &mut lines, &mut all, &mut out));
    assert!(launched.is_ok(), "{launched:?}");
    assert_eq!((lines, all, out), (host_lines, host_all, host_out));
}

/// The message has the user's own indices, as far as they are known.
#[test]
fn what_lies_outside_is_an_error() {
    #[kernel]
    fn read(lines: &[Line], which: usize, at: usize, inner: usize, out: &mut [u32]) {
        let mut a = [[[1, 2]; 3]; 4];
        a[0][1][0] = lines[which].at[at].v[inner] as u32;
        out[0] = a[which][at][inner];
    }
    let run = |which, at, inner| {
        let mut out = [0];
        let done = Gpu::<Ipdom>::default().launch(Grid::new(1, 1), read(&LINES, which, at, inner, &mut out));
        done.map(|_| out[0]).map_err(|error| error.to_string())
    };
    assert_eq!(run(0, 1, 0), Ok(5));
    for (which, at, inner) in [(2, 0, 0), (0, 3, 0), (0, 0, 2), (1, u32::MAX as usize, 0), (1, 2, 5)] {
        let error = run(which, at, inner).unwrap_err();
        assert!(error.contains("out of bounds"), "{which} {at} {inner}: {error}");
    }
}
