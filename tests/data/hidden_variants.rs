//! Names that a `use` of variants does not bring in: structs hide them, and imports by name.

use Shape::*;
use simt::prelude::*;
use std::cmp::Reverse;
#[derive(Clone, Copy, Debug, PartialEq, KernelData)]
struct Circle {
    r: f32,
}
#[derive(Clone, Copy, Debug, PartialEq, KernelData)]
enum Shape {
    Circle(Circle),
    Dot,
    Square(f32),
}
#[derive(Clone, Copy, Debug, PartialEq, KernelData)]
struct Num(u32);
#[allow(dead_code, reason = "its names are what the test is about")]
#[derive(Clone, Copy, Debug, PartialEq, KernelData)]
enum Token {
    Num(u32),
    Plus,
}
#[derive(Clone, Copy, Debug, PartialEq, KernelData)]
struct Tagged {
    state: Token,
    n: u32,
}
#[allow(dead_code, reason = "its names are what the test is about")]
fn host(t: Token) -> u32 {
    use Token::*;
    match t {
        Num(n) => n,
        Plus => 0,
    }
}
mod later {
    #[allow(unused_imports, reason = "another module's import says nothing here")]
    use super::Token::*;
}

#[kernel]
fn others(x: &[u32], out: &mut [f32], tagged: &[Tagged]) {
    use Token::Plus;
    use std::sync::atomic::Ordering::*;
    #[shared]
    let n: std::sync::atomic::AtomicU32;
    let i = global_id();
    n.store(0, Relaxed);
    let c = Circle { r: x[i] as f32 };
    let m = Num(3);
    let best = x.iter().enumerate().max_by_key(|&(i, &v)| (v, Reverse(i))).map_or(9, |(i, _)| i);
    let s = if i % 2 == 0 { Square(2.0) } else { Circle(c) };
    let area = match s {
        Square(a) => a * a,
        Circle(c) => c.r,
        Dot => 0.0,
    };
    out[i] = area + m.0 as f32 + best as f32 + matches!(tagged[i], Tagged { state: Plus, n: 3.. }) as u32 as f32;
}
#[test]
fn what_is_no_variant() {
    everywhere!(|gpu| {
        let mut out = [0.0; 3];
        let tagged = [
            Tagged { state: Token::Plus, n: 4 },
            Tagged { state: Token::Num(3), n: 5 },
            Tagged { state: Token::Plus, n: 1 },
        ];
        gpu.launch(Grid::new(1, 3), others(&[5, 7, 7], &mut out, &tagged)).unwrap();
        assert_eq!(out, [4.0 + 3.0 + 1.0 + 1.0, 7.0 + 3.0 + 1.0, 4.0 + 3.0 + 1.0]);
    });
}
