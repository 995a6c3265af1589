//! Items that are values, `x.iter().copied()`, and those that are references: their fields are named alike.

use simt::prelude::*;

#[derive(Clone, Copy, PartialEq, KernelData)]
pub(super) struct Body {
    mass: u32,
    at: [u32; 3],
    pair: (u32, u32),
    link: Option<u32>,
}

#[derive(Clone, Copy, KernelData)]
pub(super) struct Couple {
    one: Body,
    both: [Body; 2],
}

#[derive(Clone, Copy, KernelData)]
pub(super) struct Least {
    value: f32,
    count: u32,
}

#[device]
impl Body {
    fn heavy(&self) -> u32 {
        self.mass + self.at[1]
    }
}

#[device]
impl std::iter::Sum for Body {
    fn sum<I: Iterator<Item = Body>>(bodies: I) -> Body {
        let none = Body { mass: 0, at: [0; 3], pair: (0, 0), link: None };
        bodies.fold(none, |a, b| Body { mass: a.mass + b.mass, at: b.at, pair: (a.pair.0, b.pair.1), link: b.link })
    }
}

items_with_kernels! {
    {
        fn body(mass: u32) -> Body {
            Body { mass, at: [mass, 2, mass + 1], pair: (mass, 7), link: Some(mass) }
        }

        fn more(v: &u32) -> u32 {
            *v + 1
        }

        fn ends(v: &[u32]) -> u32 {
            v[0] + v[2]
        }
    }

    fn loops(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let a = [body(x[i]), body(3), body(i as u32)];
        let mut sum = 0;
        for p in a.iter().copied() { sum += p.mass + p.at[1] + p.pair.1; }
        for p in a.iter().cloned() { sum += p.mass * 3 + p.at[i % 3]; }
        for p in [body(5), a[1]] { sum += p.mass * 5 + p.pair.0; }
        for p in a.into_iter() { sum += p.mass * 7; }
        for p in a { sum += p.mass * 11; let q = p; sum += q.at[0]; }
        for (k, p) in a.iter().copied().enumerate() { sum += p.mass * k as u32 + p.at[k]; }
        for p in a.iter().enumerate() { sum += p.1.mass * p.0 as u32 + p.1.at[p.0]; }
        for (p, q) in a.iter().zip(a) { sum += p.mass * q.mass; }
        let mut it = a.iter().copied();
        while let Some(p) = it.next() { sum += p.mass * 13 + p.at[2]; }
        let mut it = a.into_iter();
        let p = it.next().unwrap();
        out[i] = sum + p.mass + p.at[i % 3];
    }

    fn closures(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let a = [body(x[i]), body(3), body(i as u32)];
        let any = a.iter().copied().any(|p| p.mass > 20) as u32;
        let all = a.iter().copied().all(|p| p.at[1] == 2) as u32;
        let masses = a.iter().copied().map(|p| p.mass).sum::<u32>();
        let typed = a.iter().copied().map(|p: Body| p.pair.0).sum::<u32>();
        let folded = a.iter().copied().fold(3, |sum, p| sum * 3 + p.mass + p.at[0]);
        let whole = a.iter().copied().fold(a[1], |a, b| Body { mass: a.mass + b.mass, ..b });
        let total: Body = a.iter().copied().sum();
        let least = x.iter().map(|&v| Least { value: v as f32, count: 1 });
        let least = least.reduce(|a, b| Least { value: a.value.min(b.value), count: a.count + b.count }).unwrap();
        let last = a.iter().copied().reduce(|a, b| if a.mass > b.mass { a } else { b }).unwrap();
        let place = a.iter().copied().position(|p| p.mass == 3).unwrap();
        let kept = a.iter().copied().skip_while(|p| p.mass < 4).filter(|p| p.mass > 3).map(|p| p.mass + p.at[1]).max();
        let flat = a.iter().copied().flat_map(|p| p.at.into_iter()).sum::<u32>();
        let zipped = a.iter().zip(a).map(|p| p.0.mass * p.1.mass).sum::<u32>();
        out[i] = any + all + masses + typed * 3 + folded * 5 + whole.mass + total.mass + total.pair.1 * 7
            + least.value as u32 * 11 + least.count + last.mass * 13 + place as u32 + kept.unwrap_or(4) + flat + zipped;
    }

    fn tuples(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let t = [(x[i], 2u32), (4, i as u32)];
        let mut sum = 0;
        for p in t.iter().copied() { sum += p.0 * p.1; }
        for p in t { sum += p.0 * p.1 * 3; }
        for p in [(1u32, (x[i], 3u32))] { sum += p.0 * p.1.0 + p.1.1; }
        for (k, p) in t.iter().copied().enumerate() { sum += p.0 * k as u32; }
        let any = t.iter().copied().any(|p| p.0 > p.1) as u32;
        let joined = t.iter().copied().fold((0, 1), |a, b| (a.0 + b.0, a.1 + b.1));
        out[i] = sum + any + t.iter().copied().map(|p| p.0 * p.1).sum::<u32>() + joined.0 + joined.1;
    }

    fn parts(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut a = [body(x[i]), body(3), body(i as u32)];
        let couples = [Couple { one: a[0], both: [a[1], a[2]] }, Couple { one: a[2], both: [a[2], a[0]] }];
        let mut sum = 0;
        for p in a {
            sum += p.at.iter().sum::<u32>() + p.at.len() as u32 + p.mass.pow(2) % 5 + p.link.unwrap_or(3);
            let (mass, at) = (&p.mass, p.at);
            let (r, row) = (more(mass), &p.at);
            sum += r + row[1] + at[2] + row.len() as u32 + ends(&p.at) + ends(&p.at[..]) + p.heavy();
            for q in &p.at { sum += *q; }
            for q in p.at { sum += q; }
            let [first, .., last] = p.at;
            if let Some(v) = p.link { sum += v + first + last; }
        }
        for p in a.iter() { let mass = &p.mass; let row = &p.at; sum += *mass + row[1] + more(&p.mass) + p.heavy(); }
        for n in couples.iter().copied() {
            sum += n.one.mass + n.both[1].mass + n.both[i % 2].at[1] + n.one.at[2] + n.one.heavy() + n.both[0].heavy();
            for p in n.both { sum += p.mass; }
            for p in &n.both { sum += p.mass * 3; }
        }
        for (p, q) in a.iter_mut().zip(couples.iter().copied()) {
            p.mass += q.one.mass;
            p.at = q.both[1].at;
            p.at.reverse();
        }
        for mut p in a { p.mass += 1; p.at[i % 3] += 2; sum += p.mass + p.at[1]; }
        out[i] = sum;
    }
}

same!(loops closures tuples parts);
