//! Functions that give iterators: `fn neighbors(&self, v: usize) -> impl Iterator<Item = u32>`.

use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct Graph<'a> {
    begins: &'a [u32],
    targets: &'a [u32],
}

#[device]
impl<'a> Graph<'a> {
    fn neighbors(&self, v: usize) -> impl Iterator<Item = u32> + 'a {
        let (from, to) = (self.begins[v] as usize, self.begins[v + 1] as usize);
        self.targets[from..to].iter().copied()
    }

    fn edges(&self, v: usize) -> impl Iterator<Item = (usize, u32)> + '_ {
        self.neighbors(v).enumerate()
    }

    fn such(&self, v: usize, f: impl Fn(u32) -> bool) -> impl Iterator<Item = u32> {
        self.neighbors(v).filter(move |&t| f(t))
    }

    fn degree(&self, v: usize) -> usize {
        self.neighbors(v).count()
    }

    fn beyond(&self, v: usize) -> u32 {
        self.neighbors(v).flat_map(|t| self.neighbors(t as usize)).sum()
    }
}

#[derive(Clone, Copy, KernelData)]
struct Bits {
    words: [u64; 4],
}

#[device]
impl Bits {
    fn get(&self, i: usize) -> bool {
        self.words[i / 64] >> (i % 64) & 1 == 1
    }

    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..256).filter(|&i| self.get(i))
    }

    fn from(self, mut first: usize) -> impl Iterator<Item = usize> {
        first += 1;
        let last = first + 70;
        (first..last).filter(move |&i| self.get(i)).map(|i| i * 2)
    }
}

#[device]
trait Walk {
    fn walk(&self) -> impl Iterator<Item = u32>;

    fn twice(&self) -> impl Iterator<Item = u32> {
        self.walk().map(|v| 2 * v)
    }
}

#[device]
impl Walk for Bits {
    fn walk(&self) -> impl Iterator<Item = u32> {
        self.iter().map(|i| i as u32)
    }
}

/// Functions for kernels, and the same for the host.
macro_rules! both {
    ($($item:item)*) => {
        mod device {
            use super::{Bits, Graph, Walk};
            use simt::prelude::*;

            $(#[device] $item)*
        }

        mod host {
            use super::{Bits, Graph, Walk};
            use simt::prelude::Num;

            $($item)*
        }
    };
}

both! {
    fn walked<W: Walk>(w: &W) -> u32 {
        w.walk().sum::<u32>() + w.twice().last().unwrap_or(3)
    }

    fn total(items: impl Iterator<Item = u32>) -> u32 {
        items.fold(1, |sum, v| sum * 3 + v)
    }

    fn halves(mut n: u32) -> impl Iterator<Item = u32> {
        std::iter::from_fn(move || {
            if n == 0 {
                return None;
            }
            n /= 2;
            Some(n)
        })
    }

    fn digits<const N: usize>(v: u32) -> impl Iterator<Item = u8> {
        (0..N).map(move |i| (v >> (4 * i) & 15) as u8)
    }

    fn pairs<T: Num>(x: &[T]) -> impl Iterator<Item = (T, T)> {
        x.iter().zip(x[1..].iter()).map(|(&a, &b)| (a, b))
    }

    fn row(x: &[u32], i: usize) -> impl Iterator<Item = &u32> {
        x[i..i + 3].iter().filter(|&&v| v % 3 != 0)
    }

    pub(super) fn visited(begins: &[u32], targets: &[u32], out: &mut [u32], i: usize) {
        let g = Graph { begins, targets };
        let bits = Bits { words: [5 + i as u64, 6, 7, 1 << 63] };
        let mut n: u32 = 0;
        for v in g.neighbors(i) {
            n = n * 3 + v;
        }
        for (at, v) in g.edges(i) {
            n = n * 3 + v * at as u32;
        }
        for v in g.neighbors(i) {
            for w in g.neighbors(v as usize) {
                if w == i as u32 {
                    continue;
                }
                n += w;
                if n.is_multiple_of(5) {
                    break;
                }
            }
        }
        n = n % 1000 + total(g.neighbors(i)) % 1000;
        n = n * 3 + g.such(i, |t| t % 2 == 0).count() as u32;
        n = n * 3 + g.degree(i) as u32 + g.beyond(i);
        n = n % 1000 + halves(n).map(|v| v % 7).sum::<u32>();
        n = n * 3 + halves(i as u32).last().unwrap_or(9);
        n = n * 3 + halves(100).nth(i % 5).unwrap_or(9);
        n = n * 3 + digits::<5>(n).max().unwrap() as u32;
        n = n % 1000 + pairs(&begins[i..i + 3]).map(|(a, b)| b - a).fold(1, |p, q| p * 5 + q);
        if let Some(v) = g.neighbors(i).find(|&v| v > 4) {
            n += v;
        }
        n ^= g.neighbors(i).min().unwrap_or(77);
        n += g.neighbors(i).chain(halves(9)).zip(digits::<4>(0x4321)).map(|(a, b)| a * b as u32).sum::<u32>();
        if g.neighbors(i).all(|v| v < 7) && g.neighbors(i).any(|v| v == 3) {
            n += 1000;
        }
        for v in bits.iter() {
            n += v as u32;
        }
        let mut left = bits.iter();
        while let (Some(v), Some(w)) = (left.next(), left.next()) {
            n ^= v as u32 + 3 * w as u32;
        }
        n += bits.from(i).count() as u32 + bits.from(3).filter(|v| v % 4 == 0).take(3).map(|v| v as u32).sum::<u32>();
        n += walked(&bits) + bits.twice().map(|v| v % 5).sum::<u32>();
        for (at, v) in row(begins, i).enumerate() {
            n += at as u32 * v;
        }
        let named = g.neighbors(i);
        for v in named {
            n = n % 1000 * 3 + v;
        }
        let mut asked = halves(40 + i as u32);
        n += asked.next().unwrap_or(100);
        if let Some(v) = asked.next() {
            n ^= v;
        }
        let mut squares = pairs(begins);
        while let (Some((a, b)), true) = (squares.next(), n < 5000) {
            n += a * b;
        }
        let three = halves(50);
        if three.take(3).any(|v| v == i as u32) {
            n += 1;
        }
        let others = bits.iter();
        n += others.map(|v| v as u32 % 3).sum::<u32>();
        n += row(begins, i).sum::<u32>() + row(begins, i).max().copied().unwrap_or(7);
        out[i] = n;
    }
}

#[kernel]
fn kernel(begins: &[u32], targets: &[u32], out: &mut [u32]) {
    device::visited(begins, targets, out, global_id());
}

#[test]
fn functions_give_iterators() -> Result<(), LaunchError> {
    let (mut begins, mut targets) = (vec![0_u32], vec![]);
    for v in 0..20 {
        targets.extend((0..v * 7 % 5).map(|j| (v * 3 + j * 5) % 20));
        begins.push(targets.len() as u32);
    }
    begins.push(targets.len() as u32);
    let mut expected = [0; 18];
    for i in 0..expected.len() {
        host::visited(&begins, &targets, &mut expected, i);
    }
    for_each_policy!(P => {
        let mut out = [0; 18];
        let _ = Gpu::<P>::default().launch(Grid::new(2, 9), kernel(&begins, &targets, &mut out))?;
        assert_eq!(out, expected);
    });
    Ok(())
}

/// Which Rust has not: of the host's functions, rustc says so.
#[device]
fn endless(n: u32) -> impl Iterator<Item = u32> {
    (0..n).flat_map(|m| endless(m))
}

#[device]
fn around(n: u32) -> impl Iterator<Item = u32> {
    through(n).map(|v| v + 1)
}

#[device]
fn through(n: u32) -> impl Iterator<Item = u32> {
    around(n).filter(|v| v % 2 == 0)
}

#[kernel]
fn descends(out: &mut [u32]) {
    out[0] = endless(3).sum();
}

#[kernel]
fn turns(out: &mut [u32]) {
    for v in through(3) {
        out[0] += v;
    }
}

#[test]
fn no_iterator_is_made_of_itself() {
    let (gpu, grid, mut out) = (Gpu::<Ipdom>::default(), Grid::new(1, 1), [7]);
    let mut other = out;
    for launched in [gpu.launch(grid, descends(&mut out)), gpu.launch(grid, turns(&mut other))] {
        let error = launched.unwrap_err().to_string();
        assert!(error.contains("cannot be made of its own iterator"), "{error}");
    }
    assert_eq!((out, other), ([7], [7]));
}
