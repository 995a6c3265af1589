//! Patterns through which parts of elements are written: of options and of enums, in loops over them.

use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
pub(super) enum Shape {
    Circle(u32),
    Rect { w: u32, h: u32 },
    Nothing,
}

items_with_kernels! {
    {
        fn area(shape: Shape) -> u32 {
            match shape {
                Shape::Circle(r) => r * 3,
                Shape::Rect { w, h } => w * h,
                Shape::Nothing => 100,
            }
        }
    }

    fn options(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut o = [Some(x[i]), None, Some(3), Some(4)];
        for v in o.iter_mut() {
            if let Some(v) = v {
                *v *= 2;
            }
        }
        for v in &mut o[i % 3..] {
            if let Some(v) = v { *v += 1; } else { *v = Some(4); }
        }
        for (k, v) in o.iter_mut().enumerate() {
            match v {
                Some(n) if *n > 7 => *n -= k as u32,
                Some(_) => {}
                None => *v = Some(k as u32),
            }
        }
        for v in o {
            out[i] = out[i] * 3 + v.unwrap_or(11);
        }
    }

    fn variants(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut s = [Shape::Circle(x[i]), Shape::Rect { w: 2, h: x[i] }, Shape::Nothing, Shape::Circle(i as u32)];
        for e in &mut s {
            match e {
                Shape::Circle(r) => *r += 1,
                Shape::Rect { w, h } => {
                    *w += *h;
                    *h = 3;
                }
                Shape::Nothing => *e = Shape::Circle(9),
            }
        }
        for e in s.iter_mut() {
            if let Shape::Rect { w, .. } = e {
                *w += 5;
            } else if let Shape::Circle(r) = e {
                if *r % 2 == 0 { *r += 1; } else { *r *= 2; }
            }
        }
        for e in s {
            out[i] = out[i] * 3 + area(e);
        }
    }
}

same!(options variants);
