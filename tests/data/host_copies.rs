//! What the host has of a `#[device] impl`: every function, so that what calls it compiles; and where only kernels run it, one
//! that panics.

use simt::prelude::*;
use std::iter::Sum;
use std::ops::{Add, Mul};

/// Generic over a type with bounds of std, which the host has, too.
#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Stack<T, const N: usize> {
    data: [T; N],
    depth: usize,
}

#[device]
impl<T: Copy + Default, const N: usize> Stack<T, N> {
    fn new() -> Self {
        Stack { data: [T::default(); N], depth: 0 }
    }

    const fn full(data: [T; N]) -> Self {
        Stack { data, depth: N }
    }

    fn push(&mut self, value: T) -> Result<(), u32> {
        *self.data.get_mut(self.depth).ok_or(7_u32)? = value;
        self.depth += 1;
        Ok(())
    }

    fn pop(&mut self) -> Option<T> {
        self.depth = self.depth.checked_sub(1)?;
        Some(self.data[self.depth])
    }

    fn filled<U: Copy>(self, value: U) -> Stack<U, N> {
        Stack { data: [value; N], depth: self.depth }
    }

    fn of_lane(&self) -> T {
        self.data[lane_id() % N]
    }
}

/// Not generic: it calls functions of one that is.
#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Machine {
    values: Stack<u32, 4>,
    marks: Stack<u8, 2>,
}

#[device]
impl Machine {
    fn new() -> Self {
        Machine { values: Stack::new(), marks: Stack::full([1, 2]) }
    }

    fn run(&mut self, code: &[u32]) -> Result<u32, u32> {
        for &op in code {
            if op == 0 {
                let (b, a) = (self.values.pop().ok_or(1_u32)?, self.values.pop().ok_or(2_u32)?);
                self.values.push(a * 10 + b)?;
            } else {
                self.values.push(op)?;
            }
        }
        self.values.pop().ok_or(3)
    }

    /// What it calls runs in kernels only.
    fn of_lane(&self) -> u32 {
        self.values.of_lane() + u32::from(self.marks.pop_none())
    }
}

#[device]
impl<T: Copy + PartialOrd, const N: usize> Stack<T, N> {
    fn pop_none(&self) -> bool {
        self.depth > N || self.data[0] < self.data[0]
    }

    fn largest<'a>(&'a self, others: &'a [T]) -> &'a [T] {
        if others.len() < 2 || others[0] < self.data[0] { &others[..1] } else { others }
    }
}

#[kernel]
fn machines(code: &[u32], out: &mut [Result<u32, u32>], stacks: &mut [Stack<u32, 4>]) {
    let i = global_id();
    let mut machine = Machine::new();
    out[i] = machine.run(&code[i..]);
    stacks[i] = machine.values.filled(machine.of_lane());
    stacks[i].depth += machine.values.largest(code).len();
}

#[test]
fn a_generic_one_is_the_hosts_too() -> Result<(), LaunchError> {
    let code = [5, 6, 7, 8, 9, 0, 1, 0, 0];
    let (mut out, mut stacks) = ([Ok(0); 9], [Stack::new(); 9]);
    Gpu::<Ipdom>::default().launch(Grid::new(1, 9), machines(&code, &mut out, &mut stacks))?;
    for i in 0..9 {
        let mut machine = Machine::new();
        assert_eq!(out[i], machine.run(&code[i..]), "{i}");
        let mut expected = machine.values.filled(machine.values.data[i % 4]);
        expected.depth += machine.values.largest(&code).len();
        assert_eq!(stacks[i], expected, "{i}");
    }
    assert_eq!((out[0], out[2], out[3], out[7]), (Err(7), Ok(961), Err(2), Err(1)));
    Ok(())
}

#[test]
#[should_panic(expected = "`Stack::of_lane` runs in kernels only: it asks which thread it is")]
fn what_asks_for_the_lane_panics() {
    Machine::new().of_lane();
}

#[device]
fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// All of its functions call a free device function, at least by others.
#[derive(Clone, Copy, Debug, Eq, KernelData, PartialEq)]
struct Ratio {
    n: u32,
    d: u32,
}

#[device]
impl Ratio {
    const ZERO: Ratio = Ratio { n: 0, d: 1 };

    fn new(n: u32, d: u32) -> Self {
        Ratio { n: n / gcd(n, d), d: d / gcd(n, d) }
    }

    /// It passes the function by its name.
    fn gcd_of(self, x: &[u32]) -> u32 {
        x.iter().copied().fold(self.n, gcd)
    }

    /// It calls the function in a macro.
    fn checked(self) -> Self {
        assert!(gcd(self.n, self.d) == 1, "not reduced: {}", self.n);
        self
    }

    fn twice(self) -> u32 {
        2 * self.n
    }

    /// It calls one that calls the function.
    fn inverse(self) -> Self {
        Self::new(self.d, self.n)
    }
}

#[device]
impl Add for Ratio {
    type Output = Self;

    fn add(self, o: Self) -> Self {
        Ratio::new(self.n * o.d + o.n * self.d, self.d * o.d)
    }
}

#[device]
impl Sum for Ratio {
    fn sum<I: Iterator<Item = Self>>(items: I) -> Self {
        items.fold(Ratio::ZERO, |a, b| Ratio::new(a.n * b.d + b.n * a.d, a.d * b.d))
    }
}

#[device]
impl From<u32> for Ratio {
    fn from(n: u32) -> Self {
        Ratio { n: gcd(n, 0), d: 1 }
    }
}

/// Halves of a ratio, down to a sixteenth.
#[derive(Clone, Copy, KernelData)]
struct Halves(Ratio);

#[device]
impl Iterator for Halves {
    type Item = Ratio;

    fn next(&mut self) -> Option<Ratio> {
        self.0 = Ratio::new(self.0.n, self.0.d * 2);
        (self.0.d <= 16).then_some(self.0)
    }
}

/// Which the host has.
#[derive(Clone, Copy, KernelData)]
struct Down<T>(T, T);

#[device]
impl<T: Copy + PartialOrd + Add<Output = T>> Iterator for Down<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        (self.0 < self.1).then(|| {
            self.0 = self.0 + self.0;
            self.0
        })
    }
}

#[kernel]
fn ratios(x: &[Ratio], sums: &mut [(Ratio, Ratio)], counts: &mut [u32]) {
    let i = global_id();
    let halves: Ratio = Halves(x[i]).fold(Ratio::from(1), |a, b| a + b);
    sums[i] = (x[i] + halves, (1..4).map(|k| Ratio::new(1, k)).sum::<Ratio>());
    let mut down = Down(i as u32 + 1, 40);
    counts[i] = x[i].checked().inverse().inverse().twice() + x[i].gcd_of(&[4, 6]);
    for v in down.by_ref() {
        counts[i] += v * 100;
    }
}

#[test]
fn what_calls_device_functions_compiles() -> Result<(), LaunchError> {
    let x = [Ratio { n: 1, d: 2 }, Ratio { n: 3, d: 4 }, Ratio { n: 6, d: 7 }];
    let (mut sums, mut counts) = ([(Ratio::ZERO, Ratio::ZERO); 3], [0; 3]);
    Gpu::<Ipdom>::default().launch(Grid::new(1, 3), ratios(&x, &mut sums, &mut counts))?;
    let total = Ratio { n: 11, d: 6 };
    // 1/2 + 1 + 1/4 + 1/8 + 1/16; 3/4 + 1 + 3/8 + 3/16; 6/7 + 1 + 3/7 + 3/14.
    assert_eq!(sums, [(Ratio { n: 31, d: 16 }, total), (Ratio { n: 37, d: 16 }, total), (Ratio { n: 5, d: 2 }, total)]);
    for (i, divisor) in [1, 1, 2].into_iter().enumerate() {
        assert_eq!(counts[i], x[i].twice() + divisor + 100 * Down(i as u32 + 1, 40).sum::<u32>());
    }
    Ok(())
}

#[test]
#[should_panic(expected = "`Ratio::new` runs in kernels only: it calls `gcd`, which may be a device function")]
fn an_operator_panics_in_what_it_calls() {
    let _ = Ratio::ZERO + Ratio::ZERO;
}

#[test]
#[should_panic(expected = "it calls `new`, which runs there only: it calls `gcd`, which may be a device function")]
fn the_last_reason_is_told() {
    Ratio::ZERO.inverse();
}

#[test]
#[should_panic(expected = "`Ratio::from` runs in kernels only: it calls `gcd`")]
fn a_conversion_panics() {
    let _ = Ratio::from(1);
}

#[test]
#[should_panic(expected = "`Ratio::checked` runs in kernels only: it calls `gcd`")]
fn a_call_in_a_macro_is_one() {
    Ratio::ZERO.checked();
}

/// A trait with a parameter, for types that are generic.
#[device]
trait Measure<T> {
    fn dot(&self, other: &Self) -> T;

    fn lanes(&self, by: T) -> T;
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct V<T> {
    a: T,
    b: T,
}

#[device]
impl<T: Copy + Add<Output = T> + Mul<Output = T>> Measure<T> for V<T> {
    fn dot(&self, other: &Self) -> T {
        self.a * other.a + self.b * other.b
    }

    fn lanes(&self, by: T) -> T {
        if lane_id() < 64 { by } else { self.a }
    }
}

/// `T: Num` has operators in kernels only.
#[device]
impl<T: Num> V<T> {
    const fn of(a: T, b: T) -> Self {
        V { a, b }
    }

    fn scaled(self, by: T) -> Self {
        V::of(self.a * by, self.b * by)
    }
}

#[derive(Clone, Copy, KernelData)]
struct Segment {
    from: V<u32>,
    to: V<u32>,
}

#[device]
impl Segment {
    fn of(x: u32) -> Self {
        Segment { from: V { a: x, b: 2 }, to: V { a: 3, b: x } }
    }

    fn dot(self) -> u32 {
        self.from.dot(&self.to)
    }

    fn scaled(self) -> u32 {
        self.from.scaled(2).dot(&self.to) + self.to.lanes(1)
    }
}

#[kernel]
fn segments(x: &[u32], out: &mut [(u32, u32)]) {
    let i = global_id();
    out[i] = (Segment::of(x[i]).dot(), Segment::of(x[i]).scaled());
}

#[test]
fn traits_of_generic_types() -> Result<(), LaunchError> {
    let (x, mut out) = ([1, 5, 9], [(0, 0); 3]);
    Gpu::<Ipdom>::default().launch(Grid::new(1, 3), segments(&x, &mut out))?;
    for (&x, out) in x.iter().zip(out) {
        assert_eq!(Segment::of(x).dot(), 5 * x);
        assert_eq!(out, (5 * x, 10 * x + 1));
    }
    Ok(())
}

#[test]
#[should_panic(expected = "`V::scaled` runs in kernels only: it is generic over types")]
fn operators_of_numbers_are_kernels() {
    Segment::of(1).scaled();
}
