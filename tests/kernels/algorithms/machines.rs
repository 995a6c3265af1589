//! Machines of one's own: an interpreter, generators of random numbers, hashes, finite fields.

use simt::prelude::*;
use std::ops::{Add, Mul, Sub};

/// An instruction of a machine with a stack.
#[derive(Clone, Copy, Debug, KernelData, PartialEq, Eq)]
#[repr(u8)]
enum Op {
    Push,
    Dup,
    Swap,
    Add,
    Mul,
    Sub,
    JumpIfZero,
    Jump,
    Halt,
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
enum Stop {
    Halted(u32),
    Empty { at: u32 },
    Steps,
}

#[derive(Clone, Copy, KernelData)]
struct Machine {
    at: u32,
    depth: u32,
    stack: [u32; 6],
}

#[device]
impl Machine {
    fn new(first: u32) -> Machine {
        Machine { at: 0, depth: 1, stack: [first, 0, 0, 0, 0, 0] }
    }

    fn push(&mut self, value: u32) -> Option<u32> {
        if self.depth == 6 {
            return None;
        }
        self.stack[self.depth as usize] = value;
        self.depth += 1;
        Some(self.depth)
    }

    fn pop(&mut self) -> Option<u32> {
        self.depth = self.depth.checked_sub(1)?;
        Some(self.stack[self.depth as usize])
    }

    fn two(&mut self) -> Option<(u32, u32)> {
        let second = self.pop()?;
        let first = self.pop()?;
        Some((first, second))
    }

    /// Whether it goes on; `None` where its stack is empty or full.
    fn step(&mut self, op: Op, argument: u32) -> Option<bool> {
        self.at += 1;
        match op {
            Op::Push => {
                self.push(argument)?;
            }
            Op::Dup => {
                let value = self.pop()?;
                self.push(value)?;
                self.push(value)?;
            }
            Op::Swap => {
                let (first, second) = self.two()?;
                self.push(second)?;
                self.push(first)?;
            }
            Op::Add | Op::Mul | Op::Sub => {
                let (a, b) = self.two()?;
                let result = match op {
                    Op::Add => a.wrapping_add(b),
                    Op::Mul => a.wrapping_mul(b),
                    _ => a.wrapping_sub(b),
                };
                self.push(result)?;
            }
            Op::JumpIfZero => {
                if self.pop()? == 0 {
                    self.at = argument;
                }
            }
            Op::Jump => self.at = argument,
            Op::Halt => return Some(false),
        }
        Some(true)
    }
}

/// A permuted congruential generator (O'Neill 2014): PCG-XSH-RR 64/32.
#[derive(Clone, Copy, KernelData)]
struct Pcg {
    state: u64,
    step: u64,
}

#[device]
impl Pcg {
    fn new(seed: u64, stream: u64) -> Self {
        let mut rng = Pcg { state: 0, step: stream << 1 | 1 };
        rng.next();
        rng.state = rng.state.wrapping_add(seed);
        rng.next();
        rng
    }

    fn next(&mut self) -> u32 {
        let old = self.state;
        self.state = old.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(self.step);
        let mixed = ((old >> 18 ^ old) >> 27) as u32;
        mixed.rotate_right((old >> 59) as u32)
    }

    fn unit(&mut self) -> f32 {
        (self.next() >> 8) as f32 / 16_777_216.0
    }

    fn point(&mut self) -> (f32, f32) {
        (self.unit(), self.unit())
    }
}

#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq)]
struct Complex {
    re: f32,
    im: f32,
}

#[device]
impl Add for Complex {
    type Output = Self;

    fn add(self, Complex { re, im }: Self) -> Self {
        Complex { re: self.re + re, im: self.im + im }
    }
}

#[device]
impl Sub for Complex {
    type Output = Self;

    fn sub(self, Complex { re, im }: Self) -> Self {
        Complex { re: self.re - re, im: self.im - im }
    }
}

#[device]
impl Mul for Complex {
    type Output = Self;

    fn mul(self, o: Self) -> Self {
        Complex { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re }
    }
}

#[device]
impl Complex {
    fn norm(self) -> f32 {
        self.re * self.re + self.im * self.im
    }
}

const SHA: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

alike! {
    // Each thread runs the program on its own number.
    fn interpret(ops: &[Op], arguments: &[u32], x: &mut [u32], steps: &mut [u32]) {
        let i = global_id();
        let mut machine = Machine::new(x[i]);
        let mut stop = Stop::Steps;
        let mut count = 0;
        while count < 60 {
            count += 1;
            let at = machine.at as usize;
            stop = match machine.step(ops[at], arguments[at]) {
                Some(true) => continue,
                Some(false) => Stop::Halted(machine.pop().unwrap_or(7)),
                None => Stop::Empty { at: at as u32 },
            };
            break;
        }
        steps[i] = count;
        x[i] = match stop {
            Stop::Halted(result) => result,
            Stop::Empty { at } => 1000 + at,
            Stop::Steps => 2000,
        };
    }

    // Monte Carlo's pi, with a generator for each thread.
    fn darts(hits: &mut [u32]) {
        let i = global_id();
        let mut rng = Pcg::new(42, i as u64);
        hits[i] = 0;
        for _ in 0..20 {
            let (x, y) = rng.point();
            if x * x + y * y < 1.0 {
                hits[i] += 1;
            }
        }
    }

    // The set of Mandelbrot and that of Julia.
    fn escapes(steps: &mut [(u32, u32)]) {
        let i = global_id();
        let point = Complex { re: (i % 8) as f32 / 4.0 - 1.5, im: (i / 8) as f32 / 4.0 - 1.0 };
        let (mut z, mut w) = (Complex::default(), point);
        let mut found = (None, None);
        for step in 0..30u32 {
            z = z * z + point;
            w = w * w - Complex { re: 0.8, im: -0.156 };
            if z.norm() > 4.0 && found.0.is_none() {
                found.0 = Some(step);
            }
            found.1 = found.1.or_else(|| if w.norm() > 4.0 { Some(step) } else { None });
            if let (Some(_), Some(_)) = found {
                break;
            }
        }
        steps[i] = (found.0.unwrap_or(99), found.1.map_or(98, |step| step + 1));
    }

    // One block of SHA-256 (FIPS 180-4) for each thread.
    fn sha256(words: &[u32], keys: &[u32], start: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut w = [0u32; 64];
        for t in 0..16 {
            w[t] = words[16 * i + t];
        }
        for t in 16..64 {
            let s0 = w[t - 15].rotate_right(7) ^ w[t - 15].rotate_right(18) ^ (w[t - 15] >> 3);
            let s1 = w[t - 2].rotate_right(17) ^ w[t - 2].rotate_right(19) ^ (w[t - 2] >> 10);
            w[t] = w[t - 16].wrapping_add(s0).wrapping_add(w[t - 7]).wrapping_add(s1);
        }
        let mut h = [0u32; 8];
        h.copy_from_slice(&start);
        for t in 0..64 {
            let s1 = h[4].rotate_right(6) ^ h[4].rotate_right(11) ^ h[4].rotate_right(25);
            let choice = (h[4] & h[5]) ^ (!h[4] & h[6]);
            let first = h[7].wrapping_add(s1).wrapping_add(choice).wrapping_add(keys[t]).wrapping_add(w[t]);
            let s0 = h[0].rotate_right(2) ^ h[0].rotate_right(13) ^ h[0].rotate_right(22);
            let majority = (h[0] & h[1]) ^ (h[0] & h[2]) ^ (h[1] & h[2]);
            let second = s0.wrapping_add(majority);
            for k in (1..8).rev() {
                h[k] = h[k - 1];
            }
            h[4] = h[4].wrapping_add(first);
            h[0] = first.wrapping_add(second);
        }
        for k in 0..8 {
            out[8 * i + k] = start[k].wrapping_add(h[k]);
        }
    }
}

#[test]
fn an_interpreter_runs() {
    // While the number is not zero: multiply an accumulator and count down. (n, acc) -> acc
    let program = [
        (Op::Push, 1),
        (Op::Swap, 0),
        (Op::Dup, 0),
        (Op::JumpIfZero, 11),
        (Op::Dup, 0),
        (Op::Push, 1),
        (Op::Sub, 0),
        (Op::Swap, 0),
        (Op::JumpIfZero, 12),
        (Op::Swap, 0),
        (Op::Jump, 13),
        (Op::Halt, 0),
        (Op::Halt, 0),
        (Op::Push, 3),
        (Op::Mul, 0),
        (Op::Swap, 0),
        (Op::Jump, 2),
    ];
    let (ops, arguments): (Vec<Op>, Vec<u32>) = program.into_iter().unzip();
    let start: Vec<u32> = (0..24).map(|i| i % 7).collect();
    let mut expected = (start.clone(), vec![0; 24]);
    crate::support::host::run(Grid::new(1, 24), || {
        plain::interpret(&ops, &arguments, &mut expected.0, &mut expected.1);
    });
    assert!(expected.0.contains(&2000) && expected.1.iter().any(|steps| *steps < 60));
    everywhere!(|gpu| {
        let mut found = (start.clone(), vec![0; 24]);
        gpu.launch(Grid::new(1, 24), interpret(&ops, &arguments, &mut found.0, &mut found.1)).unwrap();
        assert_eq!(found, expected);
    });
}

#[test]
fn darts_are_thrown() {
    let mut expected = vec![0; 32];
    crate::support::host::run(Grid::new(2, 16), || plain::darts(&mut expected));
    let all: u32 = expected.iter().sum();
    assert!((460..540).contains(&all), "{all}");
    everywhere!(|gpu| {
        let mut hits = vec![0; 32];
        gpu.launch(Grid::new(2, 16), darts(&mut hits)).unwrap();
        assert_eq!(hits, expected);
    });
}

#[test]
fn points_escape() {
    let mut expected = vec![(0, 0); 64];
    crate::support::host::run(Grid::new(2, 32), || plain::escapes(&mut expected));
    everywhere!(|gpu| {
        let mut steps = vec![(0, 0); 64];
        gpu.launch(Grid::new(2, 32), escapes(&mut steps)).unwrap();
        assert_eq!(steps, expected);
    });
}

/// The round constants: the first 32 bits of the fractional parts of the cube roots of the first 64 primes.
fn keys() -> Vec<u32> {
    let is_prime = |n: &u64| (2..*n).all(|d| !n.is_multiple_of(d));
    let root = |n: u64| {
        // The cube root of n * 2^96, of which the low 32 bits are the fraction.
        let (mut low, mut high) = (0_u128, 1_u128 << 36);
        let wanted = u128::from(n) << 96;
        while low + 1 < high {
            let middle = (low + high) / 2;
            if middle * middle * middle <= wanted { low = middle } else { high = middle }
        }
        low as u32
    };
    (2..).filter(is_prime).take(64).map(root).collect()
}

#[test]
fn sha256_is_that_of_the_standard() {
    // "abc", padded (FIPS 180-4, appendix B.1), and the empty message.
    let mut words = vec![0; 32];
    (words[0], words[15], words[16]) = (0x6162_6380, 24, 0x8000_0000);
    let expected =
        [0xba78_16bf, 0x8f01_cfea, 0x4141_40de, 0x5dae_2223, 0xb003_61a3, 0x9617_7a9c, 0xb410_ff61, 0xf200_15ad];
    let mut plain = vec![0; 16];
    let keys = keys();
    crate::support::host::run(Grid::new(1, 2), || plain::sha256(&words, &keys, &SHA, &mut plain));
    assert_eq!(plain[..8], expected);
    assert_eq!(plain[8], 0xe3b0_c442);
    everywhere!(|gpu| {
        let mut out = vec![0; 16];
        gpu.launch(Grid::new(1, 2), sha256(&words, &keys, &SHA, &mut out)).unwrap();
        assert_eq!(out, plain);
    });
}
