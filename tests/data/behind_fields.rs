//! What is behind fields and names that are references: loops, iterators, lengths; arrays by aliases, and their `map`.

use simt::KernelData;
use simt::prelude::device;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

type Three = [u32; 3];

const WEIGHTS: Three = [1, 10, 100];

#[derive(Clone, Copy, KernelData)]
struct View<'a> {
    all: &'a [u32],
    by: Three,
}

#[device]
impl View<'_> {
    fn sum(&self) -> u32 {
        let mut sum = 0;
        for &c in self.all {
            sum += c;
        }
        for c in self.by {
            sum += 3 * c;
        }
        sum
    }

    fn mapped(self) -> Three {
        self.by.map(|v| v + self.all.len() as u32)
    }
}

/// Pairs of neighbours that ascend.
#[derive(Clone, KernelData)]
struct Steps<'s, 'b> {
    seen: &'s [u32],
    bounds: &'b [u32],
    at: usize,
}

#[device]
impl Iterator for Steps<'_, '_> {
    type Item = (u32, u32);

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(&next) = self.seen.get(self.at + 1) {
            let before = self.seen[self.at];
            self.at += 1;
            if before < next && next > self.bounds[0] {
                return Some((before, next));
            }
        }
        None
    }
}

/// Counts down.
#[derive(Clone, Copy, KernelData)]
struct Down(u32);

#[device]
impl Iterator for Down {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        self.0 = self.0.checked_sub(1)?;
        Some(self.0)
    }
}

items_with_kernels! {
    {
        fn dot(a: &Three, b: &Three) -> u32 {
            a.iter().zip(b).map(|(x, y)| x * y).sum()
        }

        fn clear(a: &mut Three, k: usize) {
            a[k] = 0;
            for v in a.iter_mut() {
                *v += 1;
            }
        }

        fn total(all: &[u32]) -> u32 {
            match all {
                &[] => 0,
                &[one] => one,
                &[a, b] => 2 * a + b,
                &[first, .., last] => 3 * first + last,
            }
        }

        fn shifted(a: Three, by: Option<u32>) -> Three {
            let by = by.map(|by| by + 1);
            a.map(|v| v << (by.unwrap_or(0) % 4))
        }
    }

    fn loops(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let view = View { all: &x[i..], by: [1, 2, x[i]] };
        let same: u32 = x.iter().zip(view.all).map(|(&a, &b)| a ^ b).sum();
        let rows = [[1, 2], [3, x[i]]];
        let mut weighted = 0;
        for (k, row) in (1..3).zip(&rows) {
            for (w, &v) in (2..4).zip(row) {
                weighted += k * w * v;
            }
        }
        let r = &rows[0];
        for &v in r {
            weighted += v;
        }
        out[i] = view.sum() + same + weighted + view.mapped()[2];
    }

    fn iterators(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let bounds = [x[i]];
        let mut steps = Steps { seen: x, bounds: &bounds, at: i };
        let first = steps.next().map_or(0, |(a, b)| a * b);
        let others = steps.clone().count() as u32;
        let mut sum = 0;
        for (a, b) in steps {
            sum += b - a;
        }
        let down = Down(x[i]);
        let product: u32 = Down(1 + x[i] % 4).map(|v| v + 1).product();
        let last = x.iter().rposition(|&v| v == x[i]).unwrap() as u32;
        out[i] = first + 7 * others + sum + down.sum::<u32>() + Down(3).count() as u32 + product + last;
    }

    fn aliases(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut a = [x[i], 1, 2];
        let view = View { all: x, by: a };
        let mut sum = dot(&a, &view.by) + dot(&view.by, &[1, 2, 3]);
        clear(&mut a, i % 3);
        let View { by, .. } = view;
        sum += total(&by) + total(&a[..i % 4]);
        let b = shifted(a, x.get(i + 1).copied());
        let c = WEIGHTS.map(|w| w + x[i]);
        let (low, high) = (0..2, 1..3);
        out[i] = sum + dot(&b, &c) + total(&x[low]) + total(&x[high]);
    }
}
same!(loops iterators aliases);

#[derive(Clone, Copy, KernelData)]
struct Counts<'a> {
    bins: &'a [AtomicU32],
}

#[device]
impl Counts<'_> {
    fn add(&self, key: u32) {
        if !self.bins.is_empty() {
            self.bins[key as usize % self.bins.len()].fetch_add(1, Relaxed);
        }
    }
}

#[test]
fn atomics_that_are_fields_have_a_length() -> Result<(), simt::LaunchError> {
    use simt::prelude::*;

    #[kernel]
    fn count(x: &[u32], bins: &[AtomicU32], all: &mut [u32]) {
        let counts = Counts { bins };
        if let Some(&key) = x.get(global_id()) {
            counts.add(key);
        }
        sync_threads();
        all[global_id()] = counts.bins.iter().map(|bin| bin.load(Relaxed)).sum();
    }

    for_each_policy!(P => {
        let (bins, mut all): ([AtomicU32; 3], _) = (Default::default(), [0; 8]);
        Gpu::<P>::default().launch(Grid::covering(6, 8), count(&[1, 2, 3, 4, 5, 6], &bins, &mut all))?;
        assert_eq!(bins.map(AtomicU32::into_inner), [2; 3]);
        assert_eq!(all, [6; 8]);
    });
    Ok(())
}

#[test]
fn ids_in_two_dimensions_have_axes() -> Result<(), simt::LaunchError> {
    use simt::prelude::*;

    #[kernel]
    fn axes(out: &mut [u32], width: usize) {
        let id = global_id_2d();
        if id.x < width && id.y < 2 {
            let (x, y) = id;
            out[id.y * width + id.x] = (10 * y + x) as u32;
        }
    }

    let mut out = [0; 6];
    Gpu::<Ipdom>::default().launch(Grid::covering((3_u32, 2), (2, 2)), axes(&mut out, 3))?;
    assert_eq!(out, [0, 1, 2, 10, 11, 12]);
    Ok(())
}
