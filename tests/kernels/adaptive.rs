//! Constants of floats times structs, `&` patterns of parameters, methods that fail with any type.

use simt::prelude::*;
use std::ops::{Add, Mul};

#[derive(Clone, Copy, Debug, PartialEq, KernelData)]
struct State<const N: usize>([f64; N]);

#[device]
impl<const N: usize> Add for State<N> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        State(std::array::from_fn(|k| self.0[k] + other.0[k]))
    }
}

#[device]
impl<const N: usize> Mul<State<N>> for f64 {
    type Output = State<N>;

    fn mul(self, state: State<N>) -> State<N> {
        State(state.0.map(|v| self * v))
    }
}

#[device]
trait System<const N: usize> {
    fn slope(&self, t: f64, y: &State<N>) -> State<N>;
}

#[derive(Clone, Copy, KernelData)]
struct Growth {
    rate: f64,
}

#[device]
impl System<2> for Growth {
    fn slope(&self, t: f64, &State([x, y]): &State<2>) -> State<2> {
        State([x * self.rate + t, y])
    }
}

#[device]
fn step<S: System<2>>(system: &S, y: &mut State<2>, h: f64) -> f64 {
    let k1 = system.slope(0.5, y);
    let k2 = system.slope(h, &(*y + h * (2.0 / 9.0 * k1)));
    *y = *y + h * (1.0 / 3.0 * k1 + -(2.0 / 3.0) * k2) + -0.125 * k1;
    y.0[0]
}

#[device]
fn digits(&(a, b): &(u32, u32), &[c, d]: &[u32; 2], &e: &u32) -> u32 {
    [a, b, c, d, e].into_iter().fold(0, |number, digit| number * 10 + digit)
}

#[kernel]
fn steps(systems: &[Growth], states: &mut [State<2>], out: &mut [f64], numbers: &mut [u32]) {
    let i = global_id();
    numbers[i] = digits(&(1, 2), &[3, i as u32], &5);
    let Some(system) = systems.get(i) else { return };
    if let Some(y) = states.get_mut(i) {
        out[i] = step(system, y, 0.25);
    }
    if let Some(last) = states.last_mut() {
        out[i] += step(&systems[0], last, 0.5);
    }
}

#[test]
fn constants_patterns_and_references() -> Result<(), LaunchError> {
    fn step(rate: f64, [x, y]: [f64; 2], h: f64) -> [f64; 2] {
        let slope = |t: f64, [x, y]: [f64; 2]| [x * rate + t, y];
        let [k1, l1] = slope(0.5, [x, y]);
        let w = 2.0 / 9.0;
        let [k2, l2] = slope(h, [x + h * (w * k1), y + h * (w * l1)]);
        let next = |x: f64, k1: f64, k2: f64| x + h * (1.0 / 3.0 * k1 + -(2.0 / 3.0) * k2) + -0.125 * k1;
        [next(x, k1, k2), next(y, l1, l2)]
    }
    for_each_policy!(P => {
        let (mut states, mut out, mut numbers) = ([State([1.0, 2.0])], [0.0; 2], [0; 2]);
        let systems = [Growth { rate: 3.0 }];
        Gpu::<P>::default().launch(Grid::new(1, 2), steps(&systems, &mut states, &mut out, &mut numbers))?;
        let first = step(3.0, [1.0, 2.0], 0.25);
        let second = step(3.0, first, 0.5);
        assert_eq!((states, out), ([State(second)], [first[0] + second[0], 0.0]));
        assert_eq!(numbers, [12_305, 12_315]);
    });
    Ok(())
}

#[derive(Clone, Copy, Debug, PartialEq, KernelData)]
enum Failure {
    Early,
    At(u32),
}

#[derive(Clone, Copy, KernelData)]
struct Parser {
    at: u32,
}

#[device]
impl Parser {
    fn fail<T>(&mut self) -> Result<T, Failure> {
        Err(if self.at > 3 { Failure::At(self.at) } else { Failure::Early })
    }

    fn parse(mut self) -> Result<i32, Failure> {
        self.at += 1;
        if self.at == 2 { Ok(5) } else { self.fail() }
    }
}

#[kernel]
fn parses(out: &mut [Result<i32, Failure>]) {
    let i = global_id();
    out[i] = Parser { at: i as u32 }.parse();
}

/// A type parameter of which a function has no value keeps it from no host.
#[test]
fn failures_of_any_type() -> Result<(), LaunchError> {
    let mut out = [Ok(0); 5];
    Gpu::<Ipdom>::default().launch(Grid::new(1, 5), parses(&mut out))?;
    assert!((0..).zip(out).all(|(at, result)| result == Parser { at }.parse()));
    Ok(())
}
