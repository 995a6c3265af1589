//! `{:?}` of values that have several scalars, as their derived `Debug` shows them.

use simt::error::FaultKind;
use simt::prelude::*;

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct P {
    x: f32,
    r#type: u8,
    at: (i8, [u16; 2]),
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Meters(f64);

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
#[repr(i8)]
enum Cell {
    Empty = 3,
    Wall = -1,
    Water = 0,
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
enum Shape {
    Nothing,
    Circle(f32, Option<u32>),
    Rect { w: i32, cell: Cell },
    Only(Single),
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
enum Single {
    One { n: u32 },
}

#[device]
impl Shape {
    fn of(n: u32) -> Shape {
        match n % 5 {
            0 => Shape::Nothing,
            1 => Shape::Circle(n as f32, None),
            2 => Shape::Circle(0.25, Some(n)),
            3 => Shape::Rect { w: -(n as i32), cell: Cell::of(n) },
            _ => Shape::Only(Single::One { n }),
        }
    }
}

#[device]
impl Cell {
    fn of(n: u32) -> Cell {
        match n % 3 {
            0 => Cell::Empty,
            1 => Cell::Wall,
            _ => Cell::Water,
        }
    }
}

const LINES: usize = 13;

#[kernel]
fn lines(x: &[u32]) {
    let i = global_id();
    let n = x[i];
    let p = P { x: n as f32 / 2.0, r#type: 3, at: (-1, [n as u16, 7]) };
    println!("{p:?}");
    println!("{i}: {:?}, {:.1?}, {0:?}", p.at, Meters(n as f64));
    println!("{:5.2?}|{:03?}", (p.x, n), (n, 1u8));
    println!("{:?} {:?} {:?}", (n,), [n, 1], p.at.1);
    let option = if n % 2 == 0 { Some(n) } else { None };
    println!("{option:?} is {n}, {option:?}!");
    println!("{:?} {:x}", n.checked_sub(3), n);
    let result: Result<(u32, bool), Cell> = if n % 2 == 0 { Ok((n, true)) } else { Err(Cell::of(n)) };
    println!("{result:?} {:?}", Cell::of(n));
    println!("{:?}", Shape::of(n));
    let two = dbg!(Shape::of(n), option).0;
    dbg!(p.at);
    println!("{:?}{:?}", two, Some(if n > 3 { Ok(two) } else { Err(option) }));
    println!("{:?} {:?}", None::<u32>, Some(Cell::Wall));
}

fn expected(i: usize, n: u32) -> [String; LINES] {
    let p = P { x: n as f32 / 2.0, r#type: 3, at: (-1, [n as u16, 7]) };
    let option = if n.is_multiple_of(2) { Some(n) } else { None };
    let result: Result<(u32, bool), Cell> = if n.is_multiple_of(2) { Ok((n, true)) } else { Err(Cell::of(n)) };
    let two = Shape::of(n);
    let either = if n > 3 { Ok(two) } else { Err(option) };
    let at = |line: u32, column: u32| format!("[{}:{line}:{column}] ", file!());
    [
        format!("{p:?}"),
        format!("{i}: {:?}, {:.1?}, {0:?}", p.at, Meters(f64::from(n))),
        format!("{:5.2?}|{:03?}", (p.x, n), (n, 1u8)),
        format!("{:?} {:?} {:?}", (n,), [n, 1], p.at.1),
        format!("{option:?} is {n}, {option:?}!"),
        format!("{:?} {:x}", n.checked_sub(3), n),
        format!("{result:?} {:?}", Cell::of(n)),
        format!("{two:?}"),
        format!("{}Shape::of(n) = {two:?}", at(DBG, 15)),
        format!("{}option = {option:?}", at(DBG, 15)),
        format!("{}p.at = {:?}", at(DBG + 1, 5), p.at),
        format!("{:?}{:?}", two, Some(either)),
        format!("{:?} {:?}", None::<u32>, Some(Cell::Wall)),
    ]
}

/// The line of the first `dbg!`.
const DBG: u32 = 78;

#[test]
fn values_are_shown_as_derived() {
    let x = [0, 1, 2, 3, 4, 8, 13];
    let wanted: Vec<String> = x.iter().enumerate().flat_map(|(i, &n)| expected(i, n)).collect();
    everywhere!(|gpu| {
        let report = gpu.launch(Grid::new(1, 7), lines(&x)).unwrap();
        assert_eq!(report.prints(), wanted);
    });
}

#[kernel]
fn asserts(case: u32, n: u32, out: &mut [u32]) {
    let shape = Shape::of(n);
    if case == 0 {
        assert_eq!(shape, Shape::Nothing, "of {n}");
    }
    if case == 1 {
        assert_ne!((n, Some(1u8)), (2, Some(1)));
    }
    let result: Result<u32, Shape> = if case == 2 { Err(shape) } else { Ok(n) };
    let unit: Result<u32, (u8, Cell)> = if case == 3 { Err((1, Cell::Wall)) } else { Ok(n) };
    out[0] = result.unwrap() + unit.expect("no number");
    if case == 4 {
        panic!("{:?} at {n}", shape);
    }
    out[1] = match shape {
        Shape::Circle(_, Some(n)) => n,
        other => unreachable!("{other:?}"),
    };
}

#[test]
fn assertions_show_both_values() {
    let messages = [
        "assertion `left == right` failed: of 2\n  left: Circle(0.25, Some(2))\n right: Nothing",
        "assertion `left != right` failed\n  left: (2, Some(1))\n right: (2, Some(1))",
        "called `Result::unwrap()` on an `Err` value: Circle(0.25, Some(2))",
        "no number: (1, Wall)",
        "Circle(0.25, Some(2)) at 2",
    ];
    for (case, message) in (0..).zip(messages) {
        everywhere!(|gpu| {
            let launched = gpu.launch(Grid::new(1, 1), asserts(case, 2, &mut [0, 0]));
            let Err(LaunchError::Fault(fault)) = launched else { panic!("case {case}: {launched:?}") };
            assert_eq!(fault.kind, FaultKind::Panic { message: message.into() });
        });
    }
    everywhere!(|gpu| {
        let mut out = [0; 2];
        gpu.launch(Grid::new(1, 1), asserts(9, 2, &mut out)).unwrap();
        assert_eq!(out, [4, 2]);
        let error = gpu.launch(Grid::new(1, 1), asserts(9, 3, &mut out)).unwrap_err().to_string();
        let text = "internal error: entered unreachable code: Rect { w: -3, cell: Empty }";
        assert!(error.starts_with(&format!("error[simt::panic]: {text}\n")), "{error}");
    });
}

/// What is shown first has its fault first.
#[test]
fn what_is_shown_is_evaluated_in_order() {
    #[kernel]
    fn both(x: &[u32], a: u32) {
        println!("{} {:?}", x[3], Some(1 / a));
    }
    let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 1), both(&[1], 0)).unwrap_err().to_string();
    assert!(error.starts_with("error[simt::out-of-bounds]"), "{error}");
    let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 1), both(&[1; 4], 0)).unwrap_err().to_string();
    assert!(error.starts_with("error[simt::division-by-zero]"), "{error}");
}

#[derive(Clone, Copy, KernelData)]
struct Secret {
    key: u32,
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret { key: .. }")
    }
}

#[test]
fn what_is_not_derived_is_refused() {
    #[kernel]
    fn secret(key: u32) {
        println!("{:?}", Secret { key });
    }
    #[kernel]
    fn pretty(key: u32) {
        println!("{:#?}", (key, 1));
    }
    #[kernel]
    fn many(x: &[u32]) {
        let o = |i: usize| if x[i] > 1 { Some(x[i]) } else { None };
        println!("{:?}{:?}{:?}{:?}{:?}{:?}{:?}{:?}{:?}", o(0), o(1), o(2), o(3), o(4), o(5), o(6), o(7), o(8));
    }
    let gpu = Gpu::<Ipdom>::default();
    let error = gpu.launch(Grid::new(1, 1), secret(1)).unwrap_err().to_string();
    assert!(error.contains("kernels show a `Secret` as `#[derive(Debug)]` does"), "{error}");
    let error = gpu.launch(Grid::new(1, 1), pretty(1)).unwrap_err().to_string();
    assert!(error.contains("`{:#?}` would be several lines: write `{:?}`"), "{error}");
    let error = gpu.launch(Grid::new(1, 1), many(&[1; 9])).unwrap_err().to_string();
    assert!(error.contains("this text has more than 256 forms"), "{error}");
}
