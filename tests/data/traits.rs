//! Traits of device functions, which type parameters have by their bounds.

use simt::prelude::*;

/// What has a hash.
#[device]
trait Hash32 {
    const SEED: u32;

    fn hash(self) -> u32;

    fn twice(&self) -> u32 {
        self.hash().wrapping_mul(31) ^ Self::SEED
    }

    fn mixed(self, others: &[u32], at: usize, shift: (u32, u32)) -> u32 {
        let own = self.twice();
        own.wrapping_add(others[at] << shift.0) >> shift.1
    }
}

#[device]
trait Counter {
    fn start(first: u32) -> Self;

    fn step(&mut self, by: u32) -> bool;

    /// No host has it, and nothing says that its parameters are unused there.
    fn skip(&mut self, mut by: u32) -> bool {
        by += lane_id() as u32 / 64;
        self.step(by)
    }
}

#[device]
impl Hash32 for u32 {
    const SEED: u32 = 7;

    fn hash(self) -> u32 {
        let mut x = self;
        x ^= x >> 16;
        x = x.wrapping_mul(0x045d_9f3b);
        x ^ x >> 16
    }
}

#[device]
impl Hash32 for f32 {
    const SEED: u32 = 11;

    fn hash(self) -> u32 {
        self.to_bits().hash()
    }

    fn twice(&self) -> u32 {
        self.hash() + Self::SEED
    }
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Pair<T> {
    first: T,
    second: u32,
}

#[device]
impl Hash32 for Pair<f32> {
    const SEED: u32 = 13;

    fn hash(self) -> u32 {
        self.first.hash() ^ self.second.hash().rotate_left(7)
    }
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Down(u32);

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Lanes {
    count: u32,
}

#[device]
impl Counter for Down {
    fn start(first: u32) -> Self {
        Down(first)
    }

    fn step(&mut self, by: u32) -> bool {
        self.0 = self.0.saturating_sub(by);
        self.0 > 0
    }
}

#[device]
impl Counter for Lanes {
    fn start(first: u32) -> Self {
        Lanes { count: first % 4 }
    }

    /// No host has it.
    fn step(&mut self, by: u32) -> bool {
        self.count += by + (lane_id() / 64) as u32;
        self.count < 9
    }
}

#[device]
fn both<T: Hash32, U: Hash32>(a: T, b: U) -> u32 {
    a.hash() ^ U::hash(b).wrapping_add(T::SEED)
}

#[device]
fn steps<C: Counter>(first: u32) -> u32 {
    let mut counter = C::start(first);
    let mut turns = 1;
    while counter.skip(2) {
        turns += 1;
    }
    turns
}

#[kernel]
fn hashes<T: Hash32 + Num>(x: &[T], others: &[u32], out: &mut [u32]) {
    let i = global_id();
    let pair = Pair { first: i as f32, second: others[i] };
    out[i] = both(x[i], others[i]) ^ both(pair, x[i]);
    out[i] ^= x[i].twice() + x[i].mixed(others, i, (1, 2)) + pair.mixed(others, 0, (0, 3));
}

#[kernel]
fn counts(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    out[i] = steps::<Down>(x[i]) * 100 + steps::<Lanes>(x[i]);
}

fn of_host<T: Hash32 + Copy>(x: T, others: &[u32], i: usize) -> u32 {
    let pair = Pair { first: i as f32, second: others[i] };
    let first = x.hash() ^ others[i].hash().wrapping_add(T::SEED);
    let second = pair.hash() ^ x.hash().wrapping_add(Pair::SEED);
    let third = x.twice().wrapping_add(x.mixed(others, i, (1, 2))).wrapping_add(pair.mixed(others, 0, (0, 3)));
    first ^ second ^ third
}

#[test]
fn bounds_have_the_functions_of_device_traits() {
    let x: Vec<u32> = (0..24).map(|i| i * i * 77).collect();
    let y: Vec<f32> = x.iter().map(|&n| n as f32 / 3.0).collect();
    everywhere!(|gpu| {
        let (mut of_ints, mut of_floats) = (vec![0; 24], vec![0; 24]);
        gpu.launch(Grid::new(1, 24), hashes(&x, &x, &mut of_ints)).unwrap();
        gpu.launch(Grid::new(1, 24), hashes(&y, &x, &mut of_floats)).unwrap();
        for i in 0..24 {
            assert_eq!((of_ints[i], of_floats[i]), (of_host(x[i], &x, i), of_host(y[i], &x, i)));
        }
    });
}

#[test]
fn functions_of_a_trait_change_their_self() {
    let x: Vec<u32> = (0..24).collect();
    everywhere!(|gpu| {
        let mut out = vec![0; 24];
        gpu.launch(Grid::new(1, 24), counts(&x, &mut out)).unwrap();
        for (n, found) in x.iter().zip(&out) {
            let (mut down, mut turns) = (Down::start(*n), 1);
            while down.step(2) {
                turns += 1;
            }
            assert_eq!(*found, turns * 100 + (9 - n % 4).div_ceil(2));
        }
    });
}
