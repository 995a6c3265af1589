//! Shuffles of values that have several scalars.

use simt::prelude::*;

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Hit {
    at: u32,
    far: (f32, i8),
    key: [u16; 2],
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
enum Found {
    Nothing,
    One(u32),
    Two { a: u8, b: Option<i32> },
}

#[device]
impl Found {
    fn of(n: u32) -> Found {
        match n % 4 {
            0 => Found::Nothing,
            1 => Found::One(n),
            2 => Found::Two { a: n as u8, b: None },
            _ => Found::Two { a: n as u8, b: Some(n as i32 - 9) },
        }
    }
}

#[device]
impl std::ops::Add for Hit {
    type Output = Hit;

    fn add(self, other: Hit) -> Hit {
        Hit { at: self.at + other.at, ..other }
    }
}

#[kernel]
fn exchange(hits: &mut [Hit], pairs: &mut [(u32, f32)], found: &mut [u32], x: &[u32]) {
    let i = global_id();
    let hit = Hit { at: x[i], far: (x[i] as f32, 1), key: [x[i] as u16, 7] };
    let last = shuffle(hit, 3);
    let other = shuffle_xor(hit, 1) + last;
    hits[i] = if lane_id() == 2 { last } else { other };
    let (a, b) = shuffle_up((x[i], 0.5 * x[i] as f32), 1);
    pairs[i] = shuffle_xor_mask(0xf, (a + 1, b), 1);
    let option = if x[i] % 2 == 0 { Some(x[i]) } else { None };
    let mut sum = match shuffle_xor(option, 2) {
        Some(n) => n,
        None => 1000,
    };
    sum += match shuffle(Found::of(x[i]), (i as u32 + 1) % 4) {
        Found::Nothing => 0,
        Found::One(n) => 10000 + n,
        Found::Two { a, b: Some(b) } => 20000 + a as u32 + b as u32,
        Found::Two { a, b: None } => 30000 + a as u32,
    };
    found[i] = sum;
}

#[test]
fn each_scalar_comes_from_the_lane() {
    let x: Vec<u32> = (0..16).map(|i| i * 5 % 16 + 9).collect();
    let hit = |i: usize| Hit { at: x[i], far: (x[i] as f32, 1), key: [x[i] as u16, 7] };
    everywhere!(|gpu| {
        // The first four lanes of each warp are its threads.
        let (mut hits, mut pairs, mut found) = (vec![hit(0); 4], vec![(0, 0.0); 4], vec![0; 4]);
        gpu.launch(Grid::new(1, 4), exchange(&mut hits, &mut pairs, &mut found, &x)).unwrap();
        for i in 0..4 {
            let sum = Hit { at: hit(i ^ 1).at + hit(3).at, ..hit(3) };
            assert_eq!(hits[i], if i == 2 { hit(3) } else { sum });
            let up = |i: usize| x[i.saturating_sub(1)];
            let from = i ^ 1;
            assert_eq!(pairs[i], (up(from) + 1, 0.5 * up(from) as f32));
            let (other, next) = (x[i ^ 2], x[(i + 1) % 4]);
            let option = if other % 2 == 0 { other } else { 1000 };
            let shape = match next % 4 {
                0 => 0,
                1 => 10000 + next,
                2 => 30000 + next,
                _ => 20000 + next + next - 9,
            };
            assert_eq!(found[i], option + shape);
        }
    });
}

/// All operands are evaluated once, before the first lane gets anything.
#[test]
fn a_shuffle_is_one_for_each_scalar() {
    #[kernel]
    fn pairs(x: &mut [(u32, f32)], lane: u32) {
        let i = global_id();
        x[i] = shuffle(x[i], lane + 1);
    }
    let program = pairs::program().to_string();
    assert_eq!(program.matches("shuffle(").count(), 2, "{program}");
    assert_eq!(program.matches("lane + 1").count(), 1, "{program}");
}
