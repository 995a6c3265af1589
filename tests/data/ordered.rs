//! `==` and `<` of what may not be there: options, results, enums with fields, as they are derived.

#![allow(clippy::all, reason = "the text is written for the device, and the host has it, too")]

use simt::prelude::*;

#[derive(Clone, Copy, Debug, KernelData, PartialEq, PartialOrd)]
enum Shape {
    Nothing,
    Circle(f32),
    Rect { w: i8, h: f32 },
    Named(Option<u32>, Down),
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq, PartialOrd)]
#[repr(i8)]
enum Down {
    Three = 3,
    Two = 2,
    Minus = -1,
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq, PartialOrd)]
enum Only {
    One,
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq, PartialOrd)]
enum Wrapped {
    In(u32, f32),
}

#[device]
impl Shape {
    fn of(n: u32) -> Shape {
        let x = (n / 4 % 3) as f32 - 1.0;
        match n % 5 {
            0 => Shape::Nothing,
            1 => Shape::Circle(if n == 21 { 0.0 / 0.0 } else { x }),
            2 => Shape::Rect { w: 1 - (n % 3) as i8, h: x },
            3 => Shape::Named(None, Down::of(n)),
            _ => Shape::Named(Some(n / 5 % 3), Down::of(n / 2)),
        }
    }
}

#[device]
impl Down {
    fn of(n: u32) -> Down {
        match n % 3 {
            0 => Down::Three,
            1 => Down::Two,
            _ => Down::Minus,
        }
    }
}

macro_rules! bits {
    ($a:expr, $b:expr) => {{
        let mut bits = 0u32;
        if $a == $b {
            bits += 1;
        }
        if $a != $b {
            bits += 2;
        }
        if $a < $b {
            bits += 4;
        }
        if $a <= $b {
            bits += 8;
        }
        if $a > $b {
            bits += 16;
        }
        if $a >= $b {
            bits += 32;
        }
        bits
    }};
}

/// A kernel that compares what `$make` makes of two numbers, and the same on the host.
macro_rules! compared {
    ($($name:ident: |$n:ident| $make:expr;)*) => {$(
        #[test]
        fn $name() {
            #[kernel]
            fn compare(numbers: &[u32], out: &mut [u32]) {
                let i = global_id();
                let $n = numbers[i / numbers.len()];
                let a = $make;
                let $n = numbers[i % numbers.len()];
                let b = $make;
                let mut bits = 0u32;
                if a == b { bits += 1; }
                if a != b { bits += 2; }
                if a < b { bits += 4; }
                if a <= b { bits += 8; }
                if a > b { bits += 16; }
                if a >= b { bits += 32; }
                out[i] = bits;
            }
            let numbers: Vec<u32> = (0..24).collect();
            let made = |$n: u32| $make;
            #[allow(clippy::neg_cmp_op_on_partial_ord, clippy::nonminimal_bool, reason = "NaN is neither")]
            let expected: Vec<u32> = (0..576)
                .map(|i| {
                    let (a, b) = (made(numbers[i / 24]), made(numbers[i % 24]));
                    bits!(a, b)
                })
                .collect();
            for bit in 0..6 {
                assert!(expected.iter().any(|bits| bits >> bit & 1 == 1), "{bit}");
            }
            everywhere!(|gpu| {
                let mut out = vec![0; 576];
                gpu.launch(Grid::new(9, 64), compare(&numbers, &mut out)).unwrap();
                assert_eq!(out, expected);
            });
        }
    )*};
}

compared! {
    enums_with_fields: |n| Shape::of(n);
    enums_whose_discriminants_descend: |n| Down::of(n);
    options: |n| if n % 3 == 0 { None } else { Some(n as i32 - 7) };
    options_of_floats: |n| if n % 3 == 0 { None } else { Some(if n == 4 { 0.0f32 / 0.0 } else { 7.0 - n as f32 }) };
    results: |n| if n % 3 == 0 { Err((n % 2, Some(n as u8))) } else { Ok(n as i32 % 4 - 1) };
    nested: |n| if n % 3 == 0 { Some((n % 2, Shape::of(n))) } else if n % 3 == 1 { None } else { Some((1, Shape::of(n / 2))) };
    options_of_results: |n| if n % 4 == 0 { None } else if n % 4 == 1 { Some(Ok(n)) } else { Some(Err(n as i8 - 12)) };
    wrapped: |n| Wrapped::In(n % 3, n as f32);
}

/// A variant's scalars can be anything in a value of another variant.
#[test]
fn what_is_not_there_is_not_compared() {
    #[kernel]
    fn emptied(out: &mut [bool], a: u32) {
        let mut shape = Shape::Circle(a as f32);
        if a > 1 {
            shape = Shape::Nothing;
        }
        let mut option = Some(a);
        if a > 1 {
            option = None;
        }
        let mut result: Result<u32, u32> = Ok(a);
        if a > 1 {
            result = Err(3);
        }
        out[0] = shape == Shape::Nothing && option == None && result == Err(3);
        out[1] = shape < Shape::Circle(-9.0) && option < Some(0) && result > Ok(100) && Only::One == Only::One;
    }
    everywhere!(|gpu| {
        let mut out = [false; 2];
        gpu.launch(Grid::new(1, 1), emptied(&mut out, 5)).unwrap();
        assert_eq!(out, [true; 2]);
    });
}

#[derive(Clone, Copy, KernelData, PartialEq)]
enum Other {
    A(u32),
    B(u32),
}

impl PartialOrd for Other {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        let number = |of: &Self| match *of {
            Self::A(n) | Self::B(n) => n,
        };
        number(self).partial_cmp(&number(other))
    }
}

#[derive(Clone, Copy, KernelData)]
enum Same {
    A(u32),
    B,
    C,
}

impl PartialEq for Same {
    fn eq(&self, other: &Self) -> bool {
        match (*self, *other) {
            (Self::A(a), Self::A(b)) => a == b,
            (Self::A(_), _) | (_, Self::A(_)) => false,
            _ => true,
        }
    }
}

#[test]
fn another_order_of_variants_is_refused() {
    #[kernel]
    fn before(out: &mut [bool], a: u32) {
        out[0] = Other::A(a) < Other::B(2);
    }
    #[kernel]
    fn equal(out: &mut [bool], a: u32) {
        out[0] = (if a == 1 {
            Same::A(a)
        } else if a == 2 {
            Same::C
        } else {
            Same::B
        }) == Same::B;
    }
    let gpu = Gpu::<Ipdom>::default();
    let error = gpu.launch(Grid::new(1, 1), before(&mut [false], 1)).unwrap_err().to_string();
    assert!(error.contains("kernels compare a `Other` field by field, as `#[derive(PartialOrd)]` does"), "{error}");
    let error = gpu.launch(Grid::new(1, 1), equal(&mut [false], 1)).unwrap_err().to_string();
    assert!(error.contains("kernels compare a `Same` field by field, as `#[derive(PartialEq)]` does"), "{error}");
}
