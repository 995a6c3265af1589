//! What the host has of functions with macros, with names that hide others, and with paths that begin at the module.

#![allow(unused_qualifications, reason = "paths that begin at the module are what is tested")]

use simt::prelude::*;

#[device]
fn digit(byte: u8) -> Option<u32> {
    (byte >= b'0' && byte <= b'9').then(|| u32::from(byte - b'0'))
}

const ZERO: u32 = 0;

/// What a macro is given, a name like a function's, and what a module has.
#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq)]
struct Rounds {
    s: [u32; 4],
    byte: u8,
}

#[device]
impl Rounds {
    fn doubled(self) -> u32 {
        macro_rules! twice {
            ($v:expr) => {
                2 * $v
            };
        }
        macro_rules! sum {
            ($a:expr, $b:expr) => {
                $a + $b
            };
        }
        twice!(self.s[0] + 1) + 3 * sum!(self.s[1], 2) + sum!(self.s[0], 1).count_ones()
    }

    fn low_byte(&self) -> u8 {
        macro_rules! byte {
            ($v:expr) => {
                $v as u8
            };
        }
        byte!(self.s[0] * 77)
    }

    fn rotated(&mut self) -> u32 {
        self.s[3] = self.s[1].rotate_left(7) ^ (self.s[2]).rotate_right(3);
        self.s[3]
    }

    fn digit(self) -> u32 {
        let digit = digit(self.byte);
        digit.unwrap_or(self::ZERO + 100)
    }

    fn found(self) -> u32 {
        match self::digit(self.byte) {
            Some(digit) => digit + 1,
            None => self::ZERO,
        }
    }
}

#[kernel]
fn of_rounds(rounds: &mut [Rounds], out: &mut [[u32; 5]]) {
    let i = global_id();
    out[i] = [
        rounds[i].doubled(),
        u32::from(rounds[i].low_byte()),
        rounds[i].rotated(),
        rounds[i].digit(),
        rounds[i].found(),
    ];
}

#[test]
fn what_macros_make_and_names_hide_is_the_same_on_the_host() -> Result<(), LaunchError> {
    let of = |i: u32| Rounds { s: [i * 3 + 1, i ^ 0x0f00_0001, i * 77, 0], byte: b'3' + i as u8 };
    let mut rounds = [of(0), of(1), of(9)];
    let before = rounds;
    let mut out = [[0; 5]; 3];
    Gpu::<Ipdom>::default().launch(Grid::new(1, 3), of_rounds(&mut rounds, &mut out))?;
    for (i, mut own) in before.into_iter().enumerate() {
        let twice = 2 * (own.s[0] + 1) + 3 * (own.s[1] + 2) + (own.s[0] + 1).count_ones();
        assert_eq!((own.doubled(), own.low_byte()), (twice, (own.s[0] * 77) as u8));
        let rotated = own.s[1].rotate_left(7) ^ own.s[2].rotate_right(3);
        assert_eq!(own.rotated(), rotated);
        let digit = [Some(3), Some(4), None][i];
        let expected =
            [twice, u32::from(own.low_byte()), rotated, digit.unwrap_or(100), digit.map_or(0, |digit| digit + 1)];
        assert_eq!(out[i], expected);
    }
    Ok(())
}
