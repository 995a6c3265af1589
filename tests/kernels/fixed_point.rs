//! Fixed-point numbers: a PID controller, and square roots by Newton.
use simt::prelude::*;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

#[derive(Clone, Copy, Debug, Default, Eq, KernelData, Ord, PartialEq, PartialOrd)]
struct Fixed<const F: u32>(i32);

type Q16 = Fixed<16>;

#[device]
impl<const F: u32> Fixed<F> {
    const ONE: Self = Fixed(1 << F);
    const ZERO: Self = Fixed(0);

    const fn ratio(n: i32, d: i32) -> Self {
        Fixed((((n as i64) << F) / d as i64) as i32)
    }

    fn sqrt(self) -> Option<Self> {
        if self <= Self::ZERO {
            return (self == Self::ZERO).then_some(self);
        }
        let two = Self::ONE + Self::ONE;
        let mut guess = self.max(Self::ONE);
        loop {
            let next = (guess + self / guess) / two;
            if next >= guess {
                break Some(guess);
            }
            guess = next;
        }
    }

    fn saturating_mul(self, o: Self) -> Self {
        let wide = (i64::from(self.0) * i64::from(o.0)) >> F;
        Fixed(i32::try_from(wide).unwrap_or(if wide < 0 { i32::MIN } else { i32::MAX }))
    }
}

#[device]
impl<const F: u32> From<i16> for Fixed<F> {
    fn from(n: i16) -> Self {
        Fixed(i32::from(n) << F)
    }
}

#[device]
impl<const F: u32> Add for Fixed<F> {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Fixed(self.0.wrapping_add(o.0))
    }
}

#[device]
impl<const F: u32> Neg for Fixed<F> {
    type Output = Self;
    fn neg(self) -> Self {
        Fixed(-self.0)
    }
}

#[device]
impl<const F: u32> Sub for Fixed<F> {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        self + -o
    }
}

#[device]
impl<const F: u32> Mul for Fixed<F> {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        self.saturating_mul(o)
    }
}

#[device]
impl<const F: u32> Div for Fixed<F> {
    type Output = Self;
    fn div(self, Fixed(o): Self) -> Self {
        Fixed((((self.0 as i64) << F) / o as i64) as i32)
    }
}

#[device]
impl<const F: u32> AddAssign for Fixed<F> {
    fn add_assign(&mut self, o: Self) {
        self.0 += o.0;
    }
}

#[derive(Clone, Copy, Debug, KernelData)]
struct Pid {
    gains: [Q16; 3],
    integral: Q16,
    last: Option<Q16>,
}

#[device]
impl Pid {
    const DT: Q16 = Q16::ratio(1, 16);

    fn update(&mut self, error: Q16) -> Q16 {
        let limit = Q16::from(4);
        self.integral += error * Self::DT;
        self.integral = self.integral.clamp(-limit, limit);
        let slope = self.last.map_or(Q16::ZERO, |last| (error - last) / Self::DT);
        self.last = Some(error);
        self.gains.iter().zip([error, self.integral, slope]).fold(Q16::ZERO, |sum, (&gain, term)| sum + gain * term)
    }
}

#[kernel]
fn control(targets: &[i16], gains: &[[Q16; 3]], positions: &mut [Q16], roots: &mut [Option<Q16>]) {
    let i = global_id();
    if i >= targets.len() {
        return;
    }
    let target: Q16 = targets[i].into();
    let mut pid = Pid { gains: gains[i % gains.len()], integral: Q16::ZERO, last: None };
    let (mut position, mut velocity) = (Q16::ZERO, Q16::ZERO);
    for _ in 0..64 {
        velocity += pid.update(target - position) * Pid::DT;
        position += velocity * Pid::DT;
    }
    positions[i] = position;
    roots[i] = target.sqrt();
}

#[test]
fn controls() -> Result<(), LaunchError> {
    let targets: Vec<i16> = (-10..30).map(|i| i * 3).collect();
    let gains = [[Q16::ratio(3, 2), Q16::ratio(1, 10), Q16::ratio(9, 10)], [Q16::ONE, Q16::ZERO, Q16::ratio(1, 3)]];
    let mut positions = vec![Q16::ZERO; targets.len()];
    let mut roots = vec![None; targets.len()];
    Gpu::<Ipdom>::default()
        .launch(Grid::covering(targets.len(), 32), control(&targets, &gains, &mut positions, &mut roots))?;
    for (i, &t) in targets.iter().enumerate() {
        let mul = |a: i32, b: i32| ((a as i64 * b as i64) >> 16).clamp(i32::MIN as i64, i32::MAX as i64) as i32;
        let g = gains[i % 2].map(|g| g.0);
        let dt = 4096;
        let (mut x, mut v, mut sum, mut last) = (0i32, 0i32, 0i32, None);
        for _ in 0..64 {
            let e = ((t as i32) << 16) - x;
            sum = (sum + mul(e, dt)).clamp(-4 << 16, 4 << 16);
            let slope = last.map_or(0, |l: i32| ((((e - l) as i64) << 16) / dt as i64) as i32);
            last = Some(e);
            v += mul(mul(g[0], e) + mul(g[1], sum) + mul(g[2], slope), dt);
            x += mul(v, dt);
        }
        assert_eq!(positions[i], Fixed(x), "{i}");
        let root = roots[i].map(|r| r.0 as f64 / 65536.0);
        match t {
            ..0 => assert_eq!(root, None),
            _ => assert!((root.unwrap() - (t as f64).sqrt()).abs() < 2e-4, "{t}: {root:?}"),
        }
    }
    Ok(())
}
