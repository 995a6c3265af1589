//! `&x.field` of an array where a slice is expected: a field of another struct, and what a function gives.

use simt::prelude::*;

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Bits<const N: usize> {
    words: [u64; N],
}

#[derive(Clone, Copy, KernelData)]
struct View<'a> {
    rest: &'a [u64],
    at: usize,
}

#[derive(Clone, Copy, KernelData)]
struct Tagged<'a>(&'a [u64], u64);

/// Not a slice: the array.
#[derive(Clone, Copy, KernelData)]
struct Whole {
    words: [u64; 4],
}

#[device]
impl<'a> View<'a> {
    fn new(rest: &'a [u64]) -> Self {
        View { rest, at: 0 }
    }

    fn total(&self) -> u64 {
        (self.at..self.rest.len()).map(|i| self.rest[i]).sum()
    }
}

#[device]
impl<const N: usize> Bits<N> {
    fn counted_from(first: u64) -> Self {
        let mut words = [0; N];
        for (word, value) in words.iter_mut().zip(first..) {
            *word = value;
        }
        Bits { words }
    }

    fn slice(&self) -> &[u64] {
        &self.words
    }

    fn slice_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    fn half(&self, upper: bool) -> &[u64] {
        if upper {
            return &self.words;
        }
        &self.words
    }

    fn view(&self) -> View<'_> {
        View { rest: &self.words, at: 1 }
    }

    fn made(&self) -> View<'_> {
        View::new(&self.words)
    }
}

#[kernel]
fn views(all: &[Bits<3>], out: &mut [u64]) {
    let i = global_id();
    let mut bits = Bits::<4>::counted_from(i as u64);
    let view = View { rest: &bits.words, at: 2 };
    let tagged = Tagged(&bits.words, {
        let mut n = 0;
        while n < i as u64 {
            n += 3;
        }
        n
    });
    let mut sum = view.total() + 3 * tagged.0[1] + tagged.1;
    sum = sum * 31 + bits.view().total();
    sum = sum * 31 + bits.made().total();
    sum = sum * 31 + bits.slice()[3] + bits.half(i % 2 == 0)[1];
    let whole = Whole { words: *&bits.words };
    bits.slice_mut()[i % 4] += 5;
    sum = sum * 31 + bits.words[i % 4] + whole.words[i % 4];
    sum = sum * 31 + View { rest: &all[i % all.len()].words, at: 1 }.total();
    out[i] = sum;
}

#[test]
fn an_array_that_is_a_field_becomes_a_slice() -> Result<(), LaunchError> {
    let all = [Bits::<3>::counted_from(10), Bits { words: [7, 1, 3] }];
    let mut expected = vec![0; 40];
    for (i, out) in expected.iter_mut().enumerate() {
        let bits = Bits::<4>::counted_from(i as u64);
        let [_, b, c, d] = bits.words;
        let from_second = b + c + d;
        let third = (i as u64).div_ceil(3) * 3;
        let mut sum = c + d + 3 * b + third;
        sum = sum * 31 + from_second;
        sum = sum * 31 + from_second + i as u64;
        sum = sum * 31 + d + b;
        sum = sum * 31 + 2 * bits.words[i % 4] + 5;
        *out = sum * 31 + all[i % 2].words[1..].iter().sum::<u64>();
    }
    for_each_policy!(P => {
        let mut out = vec![0; 40];
        let _ = Gpu::<P>::default().launch(Grid::new(5, 8), views(&all, &mut out))?;
        assert_eq!(out, expected);
    });
    Ok(())
}
