//! Conversions: `?` that converts its error, `.into()` as an argument, bounds by `Into` and `From`, `TryFrom`; and `()` as a
//! value, and as that of an arm.

#![allow(
    clippy::multiple_bound_locations,
    clippy::semicolon_if_nothing_returned,
    clippy::single_match,
    clippy::unused_unit,
    reason = "the text is what users write first"
)]

use simt::{Gpu, Grid, KernelData};

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
enum Small {
    Odd,
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
enum Large {
    Missing(u32),
    Small(Small),
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Meters(f32);

#[simt::device]
impl From<Small> for Large {
    fn from(small: Small) -> Self {
        Self::Small(small)
    }
}

#[simt::device]
impl From<f32> for Meters {
    fn from(length: f32) -> Self {
        Self(length)
    }
}

#[simt::device]
impl From<Meters> for f32 {
    fn from(length: Meters) -> Self {
        length.0
    }
}

#[simt::device]
impl TryFrom<u32> for Small {
    type Error = u32;

    fn try_from(number: u32) -> Result<Self, Self::Error> {
        match number {
            1 => Ok(Self::Odd),
            other => Err(other),
        }
    }
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Stack {
    at: [u32; 4],
    len: usize,
}

#[simt::device]
impl Stack {
    fn push(&mut self, v: u32) -> Option<()> {
        if self.len == 4 {
            return None;
        }
        self.at[self.len] = v;
        self.len += 1;
        Some(())
    }

    fn add(&mut self, v: Option<u32>) -> Option<()> {
        match v {
            Some(v) => self.push(v)?,
            _ => (),
        }
        if let Some(3) = v {
            self.push(8)?
        } else {
            ()
        }
        Some(())
    }
}

items_with_kernels! {
    {
        fn halved(n: u32) -> Result<u32, Small> {
            if n % 2 == 0 { Ok(n / 2) } else { Err(Small::Odd) }
        }

        fn found(n: u32) -> Option<u32> {
            if n > 20 { None } else { Some(n) }
        }

        fn both(n: u32) -> Result<u32, Large> {
            let sum = halved(n)? + found(n).ok_or(Large::Missing(n))?;
            if halved(sum + n / 2)? == 3 {
                return Ok(halved(halved(4)?)?);
            }
            Ok(sum)
        }

        fn next(n: &mut u32) -> Result<Option<u32>, Small> {
            *n += 1;
            if *n == 9 { Err(Small::Odd) } else if *n > 5 { Ok(None) } else { Ok(Some(*n)) }
        }

        fn gathered(from: u32) -> Result<u32, Large> {
            let (mut n, mut sum) = (from, 0);
            while let Some(v) = next(&mut n)? {
                sum += v;
            }
            Ok(sum)
        }

        fn wide(n: u64) -> u32 {
            (n / 3) as u32
        }

        fn length<T: Into<f32>>(of: T) -> f32 {
            of.into() + 1.0
        }

        fn made<T>(of: u8) -> T
        where
            T: From<u8>,
        {
            T::from(of)
        }
    }

    fn questions(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        out[i] = match both(x[i]) {
            Ok(n) => n,
            Err(Large::Missing(n)) => 100 + n,
            Err(Large::Small(Small::Odd)) => 200,
        };
        out[i] += match gathered(x[i] % 9) {
            Ok(n) => n * 1000,
            Err(_) => 5000,
        };
    }

    fn conversions(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let n: u64 = x[i].into();
        let m: Meters = (x[i] as f32).into();
        let f: f32 = m.into();
        let k: i32 = i32::try_from(x[i]).unwrap();
        let b: u8 = x[i].try_into().unwrap();
        let s: Result<Small, u32> = (x[i] % 3).try_into();
        out[i] = wide(x[i].into()) + n as u32 + u64::from(x[i]) as u32 + f as u32 + usize::try_from(k).unwrap() as u32;
        out[i] += b as u32 + s.is_ok() as u32 * 100 + Small::try_from(x[i]).unwrap_or(Small::Odd) as u32;
        out[i] += length(m) as u32 + length(2.5f32) as u32 + length(b) as u32 + made::<u32>(3) + made::<f64>(4) as u32;
    }

    fn units(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut stack = Stack { at: [0; 4], len: 0 };
        for n in 0..6 {
            match n {
                1 => continue,
                2 => out[i] = 1,
                3 => (),
                _ => match stack.add(found(x[i] + n)) {
                    Some(()) => out[i] += 10,
                    None => {}
                },
            }
        }
        let unit = ();
        let done: Option<()> = if x[i] > 4 { Some(unit) } else { None };
        out[i] += stack.len as u32 + stack.at[0] + done.is_some() as u32 * 100;
    }
}
same!(questions conversions units);

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Config {
    a: u32,
    b: u32,
}

#[simt::device]
impl Default for Config {
    fn default() -> Self {
        Self { a: 3, b: 4 }
    }
}

#[simt::kernel]
fn defaults(out: &mut [u32]) {
    let c = Config { a: 1, ..Default::default() };
    let d: Config = Default::default();
    let n: u32 = Default::default();
    out[0] = c.a * 1000 + c.b * 100 + d.a * 10 + d.b + n;
}

#[test]
fn a_default_is_that_of_the_host() {
    let mut out = [0];
    Gpu::<simt::policy::Ipdom>::default().launch(Grid::new(1, 1), defaults(&mut out)).unwrap();
    assert_eq!(out, [1434]);
}
