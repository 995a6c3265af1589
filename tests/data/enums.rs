//! Enums: what they are on the host.

use simt::prelude::*;

#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq, Eq, PartialOrd)]
enum Cell {
    #[default]
    Empty,
    Wall = 7,
    Fluid,
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
#[repr(i8)]
enum Sign {
    Minus = -1,
    Zero,
    Plus,
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Place {
    cell: Cell,
    heat: f32,
    signs: (Sign, Sign),
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
enum Shape {
    Circle(f32),
    Rect { w: f32, h: f32 },
    Many(u32, (f32, Cell)),
    Nothing,
}

#[device]
impl Cell {
    const SOLID: Cell = Cell::Wall;

    fn next(self) -> Self {
        match self {
            Self::Empty => Self::Fluid,
            Cell::Wall => Self::SOLID,
            Cell::Fluid => Cell::Empty,
        }
    }

    fn flood(&mut self) {
        if *self == Cell::Empty {
            *self = Self::Fluid;
        }
    }
}

#[device]
impl Shape {
    fn area(self) -> f32 {
        match self {
            Shape::Circle(r) => 3.0 * r * r,
            Self::Rect { w, h: 0.0 } => -w,
            Shape::Rect { w, h } => w * h,
            Shape::Many(n, (each, Cell::Wall)) | Shape::Many(n, (each, Cell::Empty)) => n as f32 * each,
            Shape::Many(0..3, _) => 1.0,
            Shape::Many(_, (x, cell)) => x + cell as u32 as f32,
            Shape::Nothing => 0.0,
        }
    }

    fn of(n: u32, x: f32, cell: Cell) -> Shape {
        match n % 5 {
            0 => Shape::Circle(x),
            1 => Self::Rect { h: x - 2.0, w: x + 1.0 },
            2 => Shape::Many(n, (x, cell)),
            3 => Shape::Nothing,
            _ => Shape::Many(n + 1, (2.0 * x, cell.next())),
        }
    }

    fn grow(&mut self, by: f32) {
        if let Shape::Rect { w, .. } = *self {
            *self = Shape::Rect { w: w + by, h: by };
        }
    }
}

alike! {
    fn cells(cells: &mut [Cell], places: &mut [Place], wanted: Cell, out: &mut [u32]) {
        let i = global_id();
        let mut cell = cells[i];
        let left = cells[(i + 7) % cells.len()];
        out[i] = match (cell, left) {
            (Cell::Empty, Cell::Empty) => 1,
            (Cell::Wall, _) | (_, Cell::Wall) => 2,
            (a, b) if a == b => 3,
            (_, other) => other as u32 + 10,
        };
        if cell == wanted || cell < left {
            out[i] += 100 * (cell as u8 as u32) + 1000;
        }
        let found = match cell {
            Cell::Empty => 4u32,
            Cell::Wall => 5,
            Cell::Fluid => 6,
        };
        cell = cell.next();
        places[i].cell = cell;
        places[i].cell.flood();
        places[i].heat += if matches!(places[i].cell, Cell::Fluid | Cell::Empty) { 1.0 } else { 0.5 };
        places[i].signs.0 = match places[i].signs.1 {
            Sign::Minus => Sign::Plus,
            Sign::Zero => Sign::Minus,
            Sign::Plus => Sign::Zero,
        };
        let sign = places[i].signs.0;
        out[i] += found * 10_000 + (sign as i32 + 1) as u32 * 100_000 + sign as u8 as u32;
        out[i] ^= (places[i].signs.1 as i64 as u32) << 24;
        if places[i].signs == (Sign::Plus, Sign::Minus) {
            out[i] = 0;
        }
        let mut count = [Cell::default(); 4];
        count[i % 4] = Cell::Fluid;
        for c in count.iter().copied() {
            if c == Cell::Fluid {
                out[i] += 1;
            }
        }
    }

    fn shapes(cells: &[Cell], x: &[f32], out: &mut [f32]) {
        let i = global_id();
        let mut shape = Shape::of(i as u32, x[i], cells[i]);
        let before = shape.area();
        shape.grow(2.0);
        let mut all = [Shape::Nothing; 3];
        all[i % 3] = shape;
        all[(i + 1) % 3] = if x[i] > 3.0 { Shape::Circle(x[i] - 3.0) } else { Shape::Nothing };
        let mut sum = before;
        for k in 0..3 {
            sum += all[k].area();
            if let Shape::Many(n, (y, Cell::Fluid)) = all[k] {
                sum += n as f32 - y;
            }
            let Shape::Circle(r) = all[k] else { continue };
            sum *= r + 1.0;
        }
        out[i] = sum + if matches!(shape, Shape::Nothing) { 0.25 } else { 0.0 };
    }
}

fn cell(i: usize) -> Cell {
    [Cell::Empty, Cell::Wall, Cell::Fluid][i * i / 3 % 3]
}

#[test]
fn enums_without_fields_are_what_they_are_on_the_host() {
    let start: Vec<Cell> = (0..48).map(cell).collect();
    let sign = |i: usize| [Sign::Minus, Sign::Zero, Sign::Plus][i % 3];
    let place = |i: usize| Place { cell: cell(i / 2), heat: i as f32, signs: (sign(i), sign(i / 3)) };
    let places: Vec<Place> = (0..48).map(place).collect();
    let mut expected = (start.clone(), places.clone(), vec![0; 48]);
    crate::support::host::run(Grid::new(3, 16), || {
        plain::cells(&mut expected.0, &mut expected.1, Cell::Wall, &mut expected.2);
    });
    everywhere!(|gpu| {
        let mut found = (start.clone(), places.clone(), vec![0; 48]);
        gpu.launch(Grid::new(3, 16), cells(&mut found.0, &mut found.1, Cell::Wall, &mut found.2)).unwrap();
        assert_eq!(found, expected);
    });
}

#[test]
fn enums_with_fields_are_what_they_are_on_the_host() {
    let start: Vec<Cell> = (0..48).map(cell).collect();
    let x: Vec<f32> = (0..48).map(|i| (i * 7 % 11) as f32 / 2.0).collect();
    let mut expected = vec![0.0; 48];
    crate::support::host::run(Grid::new(3, 16), || plain::shapes(&start, &x, &mut expected));
    everywhere!(|gpu| {
        let mut out = vec![0.0; 48];
        gpu.launch(Grid::new(3, 16), shapes(&start, &x, &mut out)).unwrap();
        assert_eq!(out, expected);
    });
}

/// As one on integers does.
#[test]
fn a_match_on_an_enum_is_an_indirect_branch() {
    #[derive(Clone, Copy, KernelData)]
    enum Op {
        Add,
        Sub,
        Mul,
        Not,
        Neg,
    }

    #[kernel]
    fn run(ops: &[Op], x: &mut [u32]) {
        let i = global_id();
        x[i] = match ops[i] {
            Op::Add => x[i] + 1,
            Op::Sub => x[i] - 1,
            Op::Mul => x[i] * 2,
            Op::Not => !x[i],
            Op::Neg => 0 - x[i],
        };
    }

    let mut x = [5; 5];
    let ops = [Op::Add, Op::Sub, Op::Mul, Op::Not, Op::Neg];
    Gpu::<Ipdom>::default().launch(Grid::new(1, 5), run(&ops, &mut x)).unwrap();
    assert_eq!(x, [6, 4, 10, !5, 0u32.wrapping_sub(5)]);
    let code = run::program().code(simt::core::lower::LowerOptions::from(Markers::None)).to_string();
    assert!(code.contains("brx "), "{code}");
}
