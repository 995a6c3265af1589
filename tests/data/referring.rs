//! References that methods of `std` give, and that are values in kernels: `*x.get(i)?`, `let &v = ..`, items that closures see.

use simt::{KernelData, device};

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Point {
    x: f32,
    y: f32,
}

#[device]
impl Point {
    fn distance(&self, other: &Point) -> f32 {
        (self.x - other.x) * (self.x - other.x) + (self.y - other.y) * (self.y - other.y)
    }

    fn nearest(&self, all: &[Point]) -> usize {
        all.iter()
            .enumerate()
            .min_by(|(_, a), (_, b)| self.distance(a).total_cmp(&self.distance(b)))
            .map_or(0, |(i, _)| i)
    }

    #[allow(clippy::needless_borrow, reason = "users write it, too")]
    fn nearest_lent(&self, all: &[Point]) -> usize {
        let near = all.iter().enumerate().min_by(|(_, a), (_, b)| self.distance(&a).total_cmp(&self.distance(&b)));
        near.unwrap().0
    }

    fn nearest_part(&self, all: &[Point]) -> usize {
        all.iter().enumerate().min_by(|a, b| self.distance(a.1).total_cmp(&self.distance(b.1))).unwrap().0
    }

    fn farthest(&self, all: &[Point]) -> Point {
        *all.iter().max_by(|a, b| self.distance(a).total_cmp(&b.distance(self))).unwrap()
    }

    fn leftmost(&self, all: &[Point]) -> f32 {
        if let Some(p) = all.iter().min_by(|a, b| a.x.total_cmp(&b.x)) {
            let q = *p;
            q.y + self.distance(p) + p.distance(&q)
        } else {
            self.x
        }
    }

    fn three_ways(&self, all: &[Point]) -> Option<f32> {
        let first = all.first()?;
        Some(self.distance(first) + all.get(1)?.distance(self) + self.distance(all.last().unwrap()))
    }
}

#[derive(Clone, Copy, Debug, KernelData)]
struct Reader {
    position: usize,
}

#[device]
impl Reader {
    fn peek(&self, data: &[u32]) -> Option<u32> {
        Some(*data.get(self.position)?)
    }

    fn next(&mut self, data: &[u32]) -> Option<u32> {
        let &v = data.get(self.position)?;
        self.position += 1;
        Some(v)
    }

    fn behind(&self, data: &[u32]) -> Option<u32> {
        let v = data.get(self.position + 1)?;
        let w = v;
        Some(*v * 2 + *w)
    }

    fn pair(&self, data: &[u32]) -> Option<u32> {
        let (a, b) = (data.get(self.position)?, data.last()?);
        Some(*a * 3 + *b)
    }

    fn greatest(&self, data: &[u32]) -> u32 {
        let (at, v) = data.iter().enumerate().max_by_key(|(_, v)| **v % 7).unwrap();
        *v * 10 + at as u32
    }
}

items_with_kernels! {
    {}

    fn points(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let at = |k: usize| Point { x: x[(i + k) % x.len()] as f32, y: x[(i + 2 * k) % x.len()] as f32 };
        let all = [at(1), at(2), at(3), at(4), at(5)];
        let own = at(0);
        let near = own.nearest(&all) + own.nearest_lent(&all) * 10 + own.nearest_part(&all) * 100;
        let far = own.farthest(&all);
        let rest = far.x + far.y * 2.0 + own.leftmost(&all) + own.three_ways(&all).unwrap_or(0.5);
        out[i] = near as u32 + rest as u32 + own.three_ways(&all[..0]).is_none() as u32;
    }

    fn reading(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut reader = Reader { position: i };
        let a = reader.peek(x).unwrap_or(1000);
        let b = reader.next(x).unwrap_or(2000);
        let c = reader.next(x).unwrap_or(3000);
        let d = reader.behind(x).unwrap_or(4000) + reader.pair(x).unwrap_or(5000);
        out[i] = a + b * 3 + c * 5 + d * 7 + reader.position as u32 + reader.greatest(&x[i..]);
    }

    fn iterated(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let x = &x[i..];
        let mut s = *x.iter().max_by_key(|v| **v % 5).unwrap();
        s = s * 3 + *x.iter().min_by_key(|&&v| v % 5).unwrap();
        if let Some(m) = x.iter().min_by(|a, b| b.cmp(a)) {
            s += *m;
        }
        if let Some(&m) = x.iter().max_by_key(|&v| v % 5) {
            s += m * 2;
        }
        if let Some((k, m)) = x.iter().enumerate().max_by_key(|&(_, m)| m % 5) {
            s += *m + k as u32;
        }
        if let Some((k, &m)) = x.iter().enumerate().min_by_key(|(k, m)| *k as u32 + **m) {
            s += m * k as u32;
        }
        let first = x.iter().find(|v| **v > 2).unwrap_or(&1);
        s += *first;
        match x.iter().last() {
            Some(v) => s = s * 3 + *v,
            None => s += 7,
        }
        match x.iter().nth(1) {
            Some(&v) if v > 5 => s += v,
            Some(v) => s += *v * 2,
            None => {}
        }
        let best = x.iter().reduce(|a, b| if *a > *b { a } else { b }).unwrap();
        s += **&best;
        let mut least = x.first().unwrap();
        for v in x {
            if *v < *least {
                least = v;
            }
        }
        s += *least;
        let even = x.iter().enumerate().filter(|(k, v)| *k % 2 == 0 && **v > 3).map(|(_, v)| *v).sum::<u32>();
        let far = x.iter().enumerate().filter(|p| p.0 > 1 && *p.1 > 4).count() as u32;
        let o = x.get(2).filter(|v| **v > 4).or(x.first()).map(|&v| v).unwrap_or(3);
        let choice = if s % 2 == 0 { x.first() } else { x.last() };
        let chosen = *choice.unwrap() + *(if s % 3 == 0 { x.first().unwrap() } else { x.last().unwrap() });
        out[i] = s + even + far + o + chosen + *x.iter().skip(1).step_by(2).max().unwrap_or(&0);
    }
}

same! { points reading iterated }
