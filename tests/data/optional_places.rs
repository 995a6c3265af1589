//! What options have, as places that are written: `o.as_mut()`, `x.iter_mut().flatten().find(..)`, `x.get_mut(i).map(|v| *v += 1)`.

use simt::prelude::*;

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Line {
    tag: u32,
    used: u32,
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Cache {
    lines: [Option<Line>; 4],
    last: Option<u32>,
    plain: [u32; 4],
}

#[device]
impl Cache {
    fn new(n: u32) -> Self {
        let line = |tag, used| Some(Line { tag, used });
        let lines = [None, line(5, 1), line(6, n % 4), line(n % 8, 2)];
        Self { lines, last: n.is_multiple_of(2).then_some(n), plain: [n; 4] }
    }

    fn bump(&mut self, by: u32) -> u32 {
        self.last
            .as_mut()
            .map(|v| {
                *v += by;
                *v
            })
            .unwrap_or(0)
    }

    fn use_least(&mut self, now: u32) -> Option<u32> {
        let line = self.lines.iter_mut().flatten().min_by_key(|line| line.used)?;
        line.used = now;
        Some(line.tag)
    }

    fn evict(&mut self, tag: u32) -> bool {
        let Some(line) = self.lines.iter_mut().flatten().rev().find(|line| line.tag == tag) else { return false };
        line.tag = 99;
        true
    }

    fn add(&mut self, v: u32) -> u32 {
        self.plain
            .get_mut(v as usize)
            .map(|p| {
                *p += 1;
                *p
            })
            .map_or(0, |p| p * 10)
    }

    fn hit(&mut self, tag: u32) -> u32 {
        match self.lines.iter_mut().filter_map(|line| line.as_mut()).find(|line| line.tag == tag) {
            Some(line) => {
                line.used += 7;
                line.used
            }
            None => 0,
        }
    }

    #[allow(clippy::option_map_unit_fn, reason = "it is written, too")]
    fn age(&mut self) {
        if let Some(line) = self.lines[0].as_mut() {
            line.used = 1000;
        }
        let line = self.lines[1].as_mut().unwrap();
        line.used += 3;
        self.lines[1].as_mut().unwrap().tag += 4;
        for line in self.lines.iter_mut().filter_map(|line| line.as_mut()) {
            line.used += 1;
        }
        for line in self.lines.iter_mut().filter_map(Option::as_mut) {
            line.used *= 2;
        }
        if let Some(line) = self.lines.last_mut().and_then(|line| line.as_mut()).filter(|line| line.tag % 2 == 0) {
            line.tag += 1;
        }
        self.plain.first_mut().map(|v| *v += 1);
        self.last.as_mut().map(|v| {
            *v ^= 1;
        });
    }

    fn all(&mut self, n: u32) -> u32 {
        let mut sum = self.bump(3) * 7 + self.bump(4);
        sum = sum * 7 + self.use_least(9).unwrap_or(77);
        sum = sum * 7 + self.evict(n % 7) as u32;
        sum = sum * 7 + self.add(n % 6);
        sum = sum * 7 + self.add(n % 6);
        sum = sum * 7 + self.hit(6);
        self.age();
        sum
    }
}

#[kernel]
fn cached(sums: &mut [u32], caches: &mut [Cache]) {
    let i = global_id();
    let mut own = Cache::new(i as u32);
    sums[i] = own.all(i as u32);
    caches[i] = own;
    sums[i] = sums[i] * 3 + caches[i].all(i as u32);
    if let Some(line) = caches[i].lines.iter_mut().flatten().find(|line| line.tag == 9) {
        line.used += 1;
    }
    if let Some(cache) = caches.get_mut(i)
        && let Some(last) = cache.last.as_mut()
    {
        *last += 100;
    }
}

#[test]
fn what_options_have_is_written() -> Result<(), LaunchError> {
    const N: usize = 48;
    let mut expected = ([0; N], [Cache::new(0); N]);
    for i in 0..N {
        let n = i as u32;
        let cache = &mut expected.1[i];
        *cache = Cache::new(n);
        expected.0[i] = cache.all(n);
        expected.0[i] = expected.0[i] * 3 + cache.all(n);
        if let Some(line) = cache.lines.iter_mut().flatten().find(|line| line.tag == 9) {
            line.used += 1;
        }
        if let Some(last) = cache.last.as_mut() {
            *last += 100;
        }
    }
    for_each_policy!(P => {
        let mut written = ([0; N], [Cache::new(0); N]);
        let _ = Gpu::<P>::default().launch(Grid::new(3, 16), cached(&mut written.0, &mut written.1))?;
        assert_eq!(written, expected);
    });
    Ok(())
}
