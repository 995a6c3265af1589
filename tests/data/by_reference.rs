//! Patterns behind references, and `ref`: the text is compiled as plain Rust, too.

#[derive(Clone, Copy, Debug, simt::prelude::KernelData, PartialEq)]
enum Shape {
    Dot,
    Line(u32),
    Box { w: u32, h: u32 },
}

#[simt::device]
impl Shape {
    fn grow(&mut self, by: u32) {
        match self {
            Self::Dot => *self = Self::Line(by),
            Self::Line(n) => *n += by,
            Self::Box { w, h } if *w > 3 => {
                *w *= 2;
                *h += *w;
            }
            Self::Box { w, .. } => *w += 1,
        }
    }

    fn area(&self) -> u32 {
        match self {
            Self::Dot => 0,
            Self::Line(n) => *n,
            Self::Box { w, h } => w * h,
        }
    }
}

#[derive(Clone, Copy, Debug, simt::prelude::KernelData, PartialEq)]
struct State {
    found: Option<(u32, u32)>,
    shape: Shape,
}

items_with_kernels! {
    {
        fn value(o: &Option<u32>) -> u32 {
            match o {
                Some(v) if *v > 5 => *v * 2,
                Some(v) => v + 1,
                None => 0,
            }
        }

        fn bump(o: &mut Option<u32>) {
            if let Some(v) = o {
                *v += 3;
            }
        }

        const fn constant(a: u32) -> u32 {
            a * 2
        }
    }

    fn patterns(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let v = 5;
        let mut o = if x[i] % 3 == 0 { None } else { Some(x[i]) };
        bump(&mut o);
        if let Some(v) = &mut o && *v > 4 {
            *v -= 1;
        }
        if let Some(ref mut v) = o {
            *v = v.pow(2);
        }
        let mut sum = value(&o) + v;
        match &o {
            Some(v) if *v % 2 == 0 => sum += *v,
            Some(v) => sum += v * 3,
            None => sum += 7,
        }
        match o {
            Some(ref v) => sum += *v,
            None => {}
        }
        let mut s = State { found: Some((x[i], 2)), shape: Shape::Dot };
        if let Some((a, b)) = &mut s.found {
            *a += *b;
            *b = *a + 1;
        }
        let mut times = 0;
        while let Some((a, _)) = &mut s.found {
            *a += 10;
            times += 1;
            if *a > 60 {
                s.found = None;
            }
        }
        s.shape.grow(x[i]);
        s.shape.grow(2);
        let mut b = Shape::Box { w: x[i] % 6, h: 2 };
        b.grow(1);
        if let Shape::Box { w, .. } = &b {
            sum += *w;
        }
        let mut pair = (x[i], 1u32);
        let (first, second) = &mut pair;
        *first += *second;
        *second += 4;
        out[i] = sum + times + s.shape.area() + b.area() + pair.0 * pair.1 + constant(v) + v;
    }
}

same! { patterns }
