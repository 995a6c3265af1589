//! Methods and functions of a user's types by the names that `std` and kernels have: the type's own are meant.

use simt::prelude::*;
#[derive(Clone, Copy, PartialEq, KernelData)]
pub(super) struct Store {
    a: [u32; 4],
    n: u32,
}
#[derive(Clone, Copy, PartialEq, KernelData)]
pub(super) struct Flags {
    bits: u32,
}
#[derive(Clone, Copy, PartialEq, KernelData)]
pub(super) enum Kind {
    A,
    B,
}
#[derive(Clone, Copy, PartialEq, KernelData)]
pub(super) struct Word {
    v: u32,
    f: f32,
}
#[device]
impl Store {
    fn first(&self) -> Option<u32> {
        if self.n > 0 { Some(self.a[0]) } else { None }
    }
    fn last(&self) -> Option<u32> {
        if self.n > 0 { Some(self.a[1]) } else { None }
    }
    fn get(&self, k: u32) -> Option<u32> {
        if k < self.n { Some(self.a[k as usize % 4]) } else { None }
    }
    fn rm(&mut self, v: u32) {
        self.n = v % 3;
    }
    fn plain(&self, v: u32) -> u32 {
        v + self.n
    }
    fn as_ref(&self) -> Option<u32> {
        Some(self.n)
    }
    fn contains(&self, v: u32) -> bool {
        self.a[0] == v || self.n == v
    }
    fn swap(&mut self, i: usize, j: usize) {
        let t = self.a[i];
        self.a[i] = self.a[j];
        self.a[j] = t + 1;
    }
    fn fill(&mut self, v: u32) {
        self.n = v;
    }
    fn take(&mut self) -> u32 {
        let n = self.n;
        self.n = 0;
        n
    }
    fn replace(&mut self, v: u32) -> u32 {
        let n = self.n;
        self.n = v;
        n
    }
    fn insert(&mut self, v: u32) -> bool {
        self.n += v;
        self.n > 5
    }
    fn min(&self) -> u32 {
        self.n
    }
    fn max(&self, o: u32) -> u32 {
        self.n + o
    }
    fn clamp(&self, lo: u32) -> u32 {
        self.n * lo
    }
    fn abs_diff(&self, o: &Store) -> u32 {
        self.n + o.n
    }
    fn pop(&mut self) -> Option<u32> {
        if self.n > 0 {
            self.n -= 1;
            Some(self.a[self.n as usize % 4])
        } else {
            None
        }
    }
    fn push(&mut self, v: u32) -> bool {
        self.a[self.n as usize % 4] = v;
        self.n += 1;
        self.n < 4
    }
    fn len(&self) -> u32 {
        self.n
    }
    fn fetch_add(&mut self, v: u32) -> u32 {
        self.n += v;
        self.n
    }
    fn is_empty(&self) -> bool {
        self.n == 0
    }
    fn next(&mut self) -> u32 {
        self.n += 1;
        self.n
    }
    fn map(&self, v: u32) -> u32 {
        self.n + v
    }
    fn sum(&self) -> u32 {
        self.a[0] + self.a[1]
    }
    fn load(&self, k: usize) -> u32 {
        self.a[k % 4]
    }
    fn store(&mut self, k: usize, v: u32) {
        self.a[k % 4] = v;
    }
}
#[device]
impl Flags {
    fn from_bits(b: u32) -> Self {
        Flags { bits: b & 7 }
    }
    fn to_bits(self) -> u32 {
        self.bits
    }
}
#[device]
impl Kind {
    fn from_bits(b: u32) -> Option<Self> {
        if b.is_multiple_of(2) { Some(Kind::A) } else { Some(Kind::B) }
    }
}
#[device]
impl Word {
    fn from_le_bytes(b: [u8; 4]) -> Self {
        Word { v: b[0] as u32 + b[3] as u32, f: 1.0 }
    }
    fn from_be_bytes(b: u32) -> Self {
        Word { v: b, f: 1.0 }
    }
    fn from_str_radix(b: u32) -> Self {
        Word { v: b, f: 1.0 }
    }
    fn split_at(&self, m: f32) -> (u32, f32) {
        (self.v, self.f + m)
    }
    fn split_first(&self) -> (u32, f32) {
        (self.v, self.f)
    }
    fn split_last(&self) -> Option<(u32, f32)> {
        Some((self.v, self.f))
    }
    fn split_at_mut(&mut self, m: f32) -> (u32, f32) {
        self.v += 1;
        (self.v, self.f + m)
    }
    fn chunks(&self, n: u32) -> u32 {
        self.v + n
    }
    fn to_le_bytes(self) -> [u8; 2] {
        [self.v as u8, 3]
    }
    fn from(v: u32) -> Self {
        Word { v, f: 2.0 }
    }
    fn default() -> Self {
        Word { v: 3, f: 2.0 }
    }
}
items_with_kernels! {
    {}

    fn options(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut s = Store { a: [x[i], 4, 9, 1], n: 3 };
        let mut r = 0;
        if let Some(v) = s.first() { s.rm(v); r += v; }
        if let Some(v) = s.get(1) { s.rm(v); r += s.plain(v); }
        if let Some(v) = s.last() { r += s.plain(v) + v; }
        while let Some(v) = s.get(2) { s.rm(v); r += s.plain(v); }
        match s.get(0) { Some(v) => { s.rm(v); r += s.plain(v); } None => r += 1 }
        let Some(v) = s.last() else { return };
        s.rm(v);
        let o = s.last();
        if let Some(v) = o { s.rm(v); r += s.plain(v); }
        let v = s.last().unwrap(); s.rm(v);
        let v = s.last().unwrap_or(3); s.rm(v);
        if let Some(v) = s.as_ref() { r += s.plain(v); }
        out[i] = r + s.n;
    }
    fn makes(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let f = Flags::from_bits(x[i]);
        let g = Kind::from_bits(x[i]);
        let w = Word::from_le_bytes([1, 2, x[i] as u8, 5]);
        let h = Word::from_be_bytes(x[i]);
        let h2 = Word::from_str_radix(x[i]);
        let mut h3 = Word::from(x[i]);
        let h4 = Word::default();
        let (p, q) = w.split_at(1.5);
        let (p2, q2) = h.split_first();
        let (p3, q3) = h.split_last().unwrap();
        let (p4, q4) = h3.split_at_mut(1.0);
        let [z, _] = h3.to_le_bytes();
        out[i] = f.bits + f.to_bits() + (g == Some(Kind::A)) as u32 + w.v + h.v + p + q as u32 + p2
            + q2 as u32 + p3 + q3 as u32 + p4 + q4 as u32 + h2.v + h3.v + h4.v + z as u32;
    }
    fn does(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut s = Store { a: [x[i], 4, 9, 1], n: 3 };
        let mut r = s.contains(x[i]) as u32 + s.contains(3) as u32;
        s.swap(0, 1);
        s.fill(4);
        r += s.take();
        r += s.replace(x[i]) + s.replace(5);
        if s.insert(2) { r += 1; }
        r += s.min() + s.max(2) + s.clamp(3) + s.abs_diff(&s);
        if let Some(v) = s.pop() { r += v; }
        while let Some(v) = s.pop() { r += v; }
        if s.push(x[i]) && s.push(3) { r += s.len(); }
        if s.is_empty() { r += 100; }
        r += s.next() + s.next() + s.map(3) + s.sum() + s.load(1);
        s.store(2, x[i]); r += s.fetch_add(3); let v = s.load(2); r += v;
        let mut t = [s; 2];
        t[1].swap(1, 2);
        t[0].fill(7); t[1].store(3, 9); r += t[1].load(3);
        r += t[1].take() + t[1].sum() + t[0].len() + t[1].replace(9) + t[1].next();
        if let Some(v) = t[0].first() { r += t[0].plain(v); }
        out[i] = r + s.n + s.a[0] + s.a[1] + s.a[2] + t[1].a[1] + t[0].n + t[1].n;
    }
}
same!(options makes does);

mod paths {
    use simt::prelude::*;
    #[derive(Clone, Copy, PartialEq, KernelData)]
    pub(in super::super) struct Pair {
        x: f32,
        y: f32,
    }
    #[device]
    impl Pair {
        fn min(a: Pair, b: Pair) -> Pair {
            Pair { x: a.x.min(b.x), y: f32::min(a.y, b.y) }
        }
        fn sin(self) -> Pair {
            Pair { x: Real::sin(self.x), y: self.y.sin() }
        }
        fn powi(z: Pair, n: u32) -> Pair {
            if n == 0 { z } else { Self::powi(Pair { x: z.x * 2.0, y: z.y }, n - 1) }
        }
        fn wrapping_add(a: u32) -> u32 {
            a + 1
        }
    }
    pub(in super::super) type Real = f32;
    pub(in super::super) type Number = u32;
    items_with_kernels! {
        {}

        fn functions(x: &[u32], out: &mut [u32]) {
            let i = global_id();
            let a = Pair { x: x[i] as f32, y: 3.5 };
            let b = Pair { x: 7.0, y: i as f32 };
            let c = Pair::min(a, b);
            let d = Pair::powi(a, 2);
            let e = Pair::sin(b).x + b.sin().y;
            let f = Real::from_bits(x[i] << 20) + Real::min(a.x, 2.0) + Real::sqrt(4.0);
            let g = Number::wrapping_add(x[i], 5) + Number::from_le_bytes([1, 2, x[i] as u8, 0]);
            let g = g + Pair::wrapping_add(3) + Number::pow(x[i] % 5, 2);
            out[i] = c.x as u32 + c.y as u32 + d.x as u32 + (e * 100.0 + 300.0) as u32 + (f * 8.0) as u32 + g
                + Number::count_ones(x[i]);
        }
    }
    same!(functions);
}
