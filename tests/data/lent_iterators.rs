//! Iterators of users' own behind `&mut` parameters: what consumes the reference leaves the caller what is left.

use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct Bits {
    left: u32,
}

#[device]
impl Iterator for Bits {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        if self.left == 0 {
            return None;
        }
        let bit = self.left.trailing_zeros();
        self.left &= self.left - 1;
        Some(bit)
    }
}

macro_rules! consumers {
    ($($name:ident: |$bits:ident| $value:expr;)*) => {
        $(
            #[device]
            fn $name($bits: &mut Bits) -> u32 {
                $value
            }
        )*

        #[kernel]
        fn consumed(out: &mut [[u32; 2]], left: u32) {
            let mut at = 0;
            $(
                let mut bits = Bits { left };
                out[at] = [$name(&mut bits), bits.left];
                at += 1;
            )*
            assert!(at == out.len());
        }

        fn on_the_host(left: u32) -> Vec<[u32; 2]> {
            vec![$({
                let mut own = Bits { left };
                let $bits = &mut own;
                [$value, own.left]
            }),*]
        }
    };
}
consumers! {
    counted: |bits| bits.count() as u32;
    greatest: |bits| bits.max().unwrap_or(77);
    least: |bits| bits.min().unwrap_or(77);
    last: |bits| bits.last().unwrap_or(77);
    summed: |bits| bits.sum::<u32>();
    multiplied: |bits| bits.product::<u32>();
    first: |bits| bits.take(1).sum::<u32>();
    doubled: |bits| bits.map(|bit| bit * 2).sum();
    folded: |bits| bits.fold(1, |sum, bit| sum * 2 + bit);
    found: |bits| bits.find(|&bit| bit > 1).unwrap_or(77);
    third: |bits| bits.nth(2).unwrap_or(77);
}

#[test]
fn what_is_left_is_the_callers() -> Result<(), LaunchError> {
    for left in [0, 1, 0b10_1101, u32::MAX >> 20] {
        let expected = on_the_host(left);
        for_each_policy!(P => {
            let mut out = vec![[9; 2]; expected.len()];
            Gpu::<P>::default().launch(Grid::new(1, 1), consumed(&mut out, left))?;
            assert_eq!(out, expected);
        });
    }
    Ok(())
}

/// A reference to memory and what changes.
#[derive(Clone, Copy, KernelData)]
struct Words<'a> {
    text: &'a [u32],
    at: usize,
}

#[device]
impl Iterator for Words<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let word = self.text.get(self.at).copied();
        self.at += 1;
        word
    }
}

#[device]
fn left(words: &mut Words<'_>) -> usize {
    words.count()
}

#[kernel]
fn read(text: &[u32], out: &mut [usize]) {
    let mut words = Words { text, at: 1 };
    out[0] = left(&mut words);
    out[1] = words.at;
}

#[test]
fn a_reference_to_memory_is_lent_with_the_rest() -> Result<(), LaunchError> {
    let mut out = [0; 2];
    Gpu::<Ipdom>::default().launch(Grid::new(1, 1), read(&[5, 6, 7], &mut out))?;
    assert_eq!(out, [2, 4]);
    Ok(())
}
