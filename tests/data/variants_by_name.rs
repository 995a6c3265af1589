//! Variants by their names alone, behind `use State::*;`.

use simt::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, KernelData)]
enum State {
    Value { first: bool },
    Colon,
    Text(u8, u8),
}
mod other {
    use simt::prelude::*;
    #[derive(Clone, Copy, Debug, PartialEq, KernelData)]
    pub(super) enum Shape {
        Circle(f32),
        Rect { w: f32, h: f32 },
        Nothing,
    }
    #[derive(Clone, Copy, Debug, PartialEq, KernelData)]
    pub(super) enum Way {
        On(u32),
        Off,
    }
}
use other::Shape::{self, Circle, Rect as Box2};
use other::Way;
#[derive(Clone, Copy, KernelData)]
struct Meters(f32);

#[device]
impl State {
    fn next(self, byte: u8) -> Self {
        use State::*;
        match (self, byte) {
            (Value { first: true }, b'a') => Text(byte, 1),
            (Value { .. }, _) => Colon,
            (Colon, b) => Text(b, 2),
            (Text(a, n), b) if a == b => Value { first: n == 1 },
            (Text(..), _) => self,
        }
    }
    fn is_value(&self) -> bool {
        use State::{Text as Letters, Value};
        matches!(self, Value { first: true } | Letters(_, 3))
    }
}
#[device]
fn area(s: Shape, m: Meters) -> f32 {
    let Meters(by) = m;
    match s {
        Circle(r) => 3.0 * r * r * by,
        Box2 { w, h } => w * h,
        Shape::Nothing => 0.0,
    }
}
#[device]
fn way(n: u32) -> Way {
    use Way::*;
    if n > 2 { On(n) } else { Off }
}
#[kernel]
fn states(x: &[u8], out: &mut [State], areas: &mut [f32], ways: &mut [u32]) {
    let i = global_id();
    let mut s = State::Value { first: true };
    for &b in &x[..=i] {
        s = s.next(b);
    }
    out[i] = s;
    areas[i] = area(if s.is_value() { Circle(1.0) } else { Box2 { w: 2.0, h: i as f32 } }, Meters(2.0));
    ways[i] = match way(i as u32) {
        Way::On(n) => n,
        Way::Off => 100,
    };
}
#[test]
fn names_of_variants() {
    everywhere!(|gpu| {
        let x = b"aabbcb";
        let (mut out, mut areas, mut ways) = ([State::Colon; 6], [0.0; 6], [0; 6]);
        gpu.launch(Grid::new(1, 6), states(x, &mut out, &mut areas, &mut ways)).unwrap();
        let mut s = State::Value { first: true };
        for i in 0..6 {
            s = s.next(x[i]);
            assert_eq!(out[i], s);
            assert_eq!(areas[i], if s.is_value() { 6.0 } else { 2.0 * i as f32 });
        }
        assert_eq!(ways, [100, 100, 100, 3, 4, 5]);
    });
}
