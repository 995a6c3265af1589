//! Methods of structs, and of traits, that have names of `std`'s methods.

use simt::prelude::*;

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Span {
    low: u32,
    high: u32,
    best: Option<u32>,
}

#[device]
impl Span {
    fn new(low: u32, high: u32) -> Self {
        Self { low, high, best: None }
    }

    fn len(&self) -> u32 {
        self.high.max(self.low) - self.low
    }

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn contains(&self, v: u32) -> bool {
        v >= self.low && v < self.high
    }

    fn min(self, other: Self) -> Self {
        if self.low < other.low { self } else { other }
    }

    fn max(self) -> u32 {
        self.high.max(self.low)
    }

    fn abs(self) -> f32 {
        self.low as f32 - 7.5
    }

    fn overflowing_add(self, n: u32) -> u32 {
        self.low + n + 1
    }

    fn to_bits(self) -> u32 {
        self.high
    }

    fn swap(&mut self) {
        std::mem::swap(&mut self.low, &mut self.high);
    }

    fn fill(&mut self, v: u32) -> u32 {
        self.low = v;
        self.high = v + 3;
        v * 2
    }

    fn get(&self, i: u32) -> u32 {
        self.low + i
    }

    fn first(&self) -> u32 {
        self.low
    }

    fn take(&mut self) -> u32 {
        self.low += 1;
        self.low - 1
    }

    fn insert(&mut self, v: u32) {
        self.best = Some(v);
    }

    fn or(self, other: u32) -> u32 {
        self.low | other
    }

    fn cmp(&self, other: &Self) -> u32 {
        self.low + other.low
    }

    fn count(&self) -> u32 {
        3
    }

    fn sum(self, other: u32) -> u32 {
        self.low + other
    }

    fn map(self, by: u32) -> Self {
        Self { low: self.low * by, ..self }
    }

    fn rotate_left(self, n: u32) -> Self {
        Self { low: self.high + n, high: self.low, ..self }
    }

    fn wrapping_add(self, n: u32) -> Self {
        Self { low: self.low.wrapping_add(n), ..self }
    }
}

#[device]
trait Size {
    fn abs(self) -> u32;
    fn sqrt(&self) -> f32;
}

#[device]
impl Size for Span {
    fn abs(self) -> u32 {
        self.low
    }

    fn sqrt(&self) -> f32 {
        (self.high as f32).sqrt()
    }
}

#[device]
fn size<T: Size>(of: T) -> f32 {
    of.abs() as f32 + of.sqrt()
}

mod generic {
    use simt::prelude::*;

    /// The largest, whose type is known only when the closure has been built.
    #[device]
    pub(super) fn largest<T: Num>(x: &[T], start: T) -> T {
        x.iter().fold(start, |a, v| a.max(*v))
    }
}
use generic::largest;

alike! {
    fn methods(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut s = Span::new(x[i], x[i] + 4);
        let t = Span::new(5, 9);
        let a = s.len() + s.min(t).len() * 2 + s.max() + s.contains(3) as u32 + s.is_empty() as u32;
        let filled = s.low + s.fill(6) + s.low;
        s.swap();
        let b = s.get(3) + s.first() + s.take() + s.take() + s.or(8) + s.cmp(&t) + s.count() + s.sum(4) + s.map(3).low;
        s.insert(4);
        let c = s.abs().abs().max(1.0).min(3.0) + s.wrapping_add(3).rotate_left(2).abs();
        let best = s.best.take().unwrap_or(0) + s.best.is_none() as u32;
        let e = s.overflowing_add(2) + s.to_bits() + x[i].overflowing_add(3).0 + (x[i] as f32).to_bits() % 7;
        let sum = e + x[i].wrapping_add(s.low).rotate_left(2).min(1000) + s.low.max(9).abs_diff(3);
        out[i] = a + filled * 3 + b * 5 + c as u32 * 7 + best * 11 + sum * 13;
    }

    fn of_elements(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut spans = [Span::new(1, 2); 4];
        spans[i % 4].fill(x[i]);
        spans[(i + 1) % 4].swap();
        let mut sum = spans[i % 4].len() + spans[i % 4].wrapping_add(2).low + spans[i % 4].low.max(9);
        for span in &spans {
            sum = sum * 3 + span.len() + span.is_empty() as u32 + span.get(2).min(4);
        }
        for span in &mut spans {
            span.fill(3);
        }
        let pair = (spans[1], 7u32);
        out[i] = sum + pair.0.len() + pair.1.min(3) + spans.len() as u32;
    }
}

/// Runs a kernel and the same as plain Rust.
macro_rules! compared {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            let x: Vec<u32> = (0..24).collect();
            let grid = Grid::new(2, 12);
            let mut expected = vec![5; x.len()];
            crate::support::host::run(grid, || plain::$name(&x, &mut expected));
            everywhere!(|gpu| {
                let mut out = vec![5; x.len()];
                gpu.launch(grid, super::$name(&x, &mut out)).unwrap();
                assert_eq!(out, expected);
            });
        }
    )*};
}

mod tests {
    use super::*;

    compared!(methods of_elements);
}

#[kernel]
fn by_traits(x: &[u32], out: &mut [f32]) {
    let i = global_id();
    out[i] = size(Span::new(x[i], 16)) + largest(x, 3) as f32;
}

/// A trait's methods may have these names, too, and a type that is not known yet is a number's.
#[test]
fn traits_have_methods_of_these_names() {
    let mut out = [0.0; 3];
    Gpu::<Ipdom>::default().launch(Grid::new(1, 3), by_traits(&[1, 9, 5], &mut out)).unwrap();
    assert_eq!(out, [14.0, 22.0, 18.0]);
}

/// A field has the name of a method of slices.
#[derive(Clone, Copy, Debug, Default, PartialEq, KernelData)]
struct Piece {
    len: u32,
    is_empty: bool,
}

#[kernel]
fn fields_of_a_shadowing_name(piece: &[Piece], out: &mut [u32]) {
    let i = global_id();
    out[i] = piece.len() as u32 * 100;
    let piece = piece[i];
    out[i] += piece.len + piece.is_empty as u32;
}

#[test]
fn a_name_that_shadows_a_slice_has_its_own_fields() -> Result<(), LaunchError> {
    let mut out = [0; 1];
    let pieces = [Piece { len: 3, is_empty: true }];
    Gpu::<Ipdom>::default().launch(Grid::new(1, 1), fields_of_a_shadowing_name(&pieces, &mut out))?;
    assert_eq!(out, [104]);
    Ok(())
}
