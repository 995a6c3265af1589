//! Methods of `Option`, `Result` and `bool` that change or join them, and patterns for references to them.

use simt::prelude::*;

#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq)]
struct Node {
    key: u32,
    next: Option<u32>,
}

#[device]
impl Node {
    fn pop(&mut self) -> u32 {
        self.key += 1;
        self.next.take().unwrap_or(self.key)
    }

    fn grow(&mut self) {
        if let Some(next) = &mut self.next {
            *next += self.key;
        }
    }
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
enum Shape {
    Circle(u32),
    Rect { w: u32, h: u32 },
    Nothing,
}

#[device]
impl Shape {
    fn double(&mut self) {
        match self {
            Shape::Circle(r) => *r *= 2,
            Shape::Rect { w, h } => {
                *w *= 2;
                *h += *w;
            }
            Shape::Nothing => {}
        }
    }

    fn size(&self) -> u32 {
        match self {
            Shape::Circle(r) => *r * 3,
            Self::Rect { w, h } => *w * *h,
            Self::Nothing => 1,
        }
    }
}

kernels_with_devices! {
    devices:
        fn small(a: u32) -> Result<(), u32> {
            if a > 20 {
                return Err(a - 20);
            }
            Ok(())
        }

        fn both_small(a: u32, b: u32) -> Result<u32, u32> {
            small(a)?;
            match small(b) {
                Ok(()) => Ok(a + b),
                Err(e) => Err(e * 1000),
            }
        }

        fn bump(o: &mut Option<u32>, by: u32) {
            match o {
                Some(v) => *v += by,
                None => *o = Some(by),
            }
            if let Some(v) = o {
                *v *= 2;
            }
            let _ = o.get_or_insert_with(|| 9);
        }

        fn sum_of(o: &Option<(u32, u32)>) -> u32 {
            match o {
                Some((a, b)) if *a > *b => *a - *b,
                Some(pair) => pair.0 + pair.1,
                None => 0,
            }
        }

    kernels:
        fn joined(x: &[u32], out: &mut [u32]) {
            let i = global_id();
            let o = if x[i] % 2 == 0 { Some(x[i]) } else { None };
            let p = x[i].checked_sub(10);
            let a = o.or(p).unwrap_or(100) + o.xor(p).unwrap_or(200) * 3;
            let b = o.zip(p).map_or(300, |(a, b)| a * 7 + b) + o.and(p).unwrap_or(400) * 5;
            let c = Some(o).flatten().unwrap_or(7) + o.as_ref().copied().map_or(1, |v| v + 2);
            let r: Result<u32, u32> = o.ok_or(x[i] + 1);
            let s: Result<u32, u32> = p.ok_or_else(|| x[i] * 3);
            let d = r.or(s).unwrap_or_else(|e| e + 1000) + r.and(s).unwrap_or_else(|e| e + 2000);
            let e = both_small(x[i], x[(i + 1) % x.len()]).unwrap_or_else(|e| e);
            out[i] = a + b * 11 + c * 13 + d * 17 + e * 19;
        }

        fn taken(x: &[u32], out: &mut [u32]) {
            use super::Node;
            let i = global_id();
            let mut o = x[i].checked_sub(10);
            let old = o.take().unwrap_or(3);
            let gone = o.is_none();
            let before = o.replace(x[i] + 5);
            let mut q = x[i].checked_sub(20);
            let g = *q.get_or_insert(9);
            let h = *q.get_or_insert_with(|| x[i]) + *q.insert(1);
            let mut node = Node { key: x[i], next: Some(4) };
            node.grow();
            let k = node.next.replace(6).unwrap_or(0) + node.pop() * 3 + node.pop() * 5;
            let mut stack = [None; 4];
            stack[i % 4] = Some(x[i]);
            stack[(i + 1) % 4].replace(x[i] + 1);
            let l = stack[i % 4].take().unwrap_or(0) + stack[i % 4].is_none() as u32;
            let m = stack[(i + 1) % 4].xor(stack[i % 4]).unwrap_or(0);
            let mut pair = (Some(2), 3u32);
            let n = pair.0.take().unwrap_or(0) + pair.0.is_some() as u32 + pair.1;
            out[i] = old + gone as u32 * 7 + before.unwrap_or(2) * 11 + o.unwrap_or(0) * 13 + g * 17 + h * 19
                + k * 23 + l * 29 + m * 31 + n * 37;
        }

        fn closures(x: &[u32], out: &mut [u32]) {
            let i = global_id();
            let a = (x[i] > 9).then(|| 100 / (x[i] - 9)).unwrap_or(3);
            let o = x[i].checked_sub(12);
            let b = o.filter(|v| *v > 5).map_or_else(|| x[i] + 9, |v| v + 1);
            let c = o.filter(|&v| v % 2 == 0).or_else(|| Some(x[i] * 5)).unwrap_or(2);
            let d = o.as_ref().filter(|v| **v > 3).is_some_and(|&v| v < 9) as u32;
            out[i] = a + b * 3 + c * 5 + d * 7;
        }

        fn places(x: &[u32], out: &mut [u32]) {
            use super::Shape;
            let i = global_id();
            let mut o = x[i].checked_sub(10);
            bump(&mut o, 3);
            if let Some(v) = &mut o {
                *v += 1;
            }
            if let Some(v) = o.as_mut() && *v > 9 {
                *v += 4;
            }
            let mut p = (o, 3u32);
            match &mut p.0 {
                Some(v) if *v > 30 => *v = 1,
                Some(v) => *v += 100,
                None => {}
            }
            let mut r: Result<u32, (u32, bool)> = if x[i] > 7 { Ok(x[i]) } else { Err((3, true)) };
            match &mut r {
                Ok(v) => *v *= 2,
                Err((code, flag)) => {
                    *code += x[i];
                    *flag = false;
                }
            }
            let of_result = match &r {
                Ok(v) => *v * 7,
                Err((code, flag)) => *code * 9 + *flag as u32,
            };
            let mut shape = match x[i] % 3 {
                0 => Shape::Circle(x[i]),
                1 => Shape::Rect { w: x[i], h: 2 },
                _ => Shape::Nothing,
            };
            shape.double();
            while let Some(v) = &mut o {
                if *v > 40 {
                    break;
                }
                *v += 9;
            }
            let pair = o.zip(p.0);
            out[i] = o.unwrap_or(0) + p.0.unwrap_or(50) * 3 + of_result * 5 + shape.size() * 7 + sum_of(&pair) * 11
                + matches!(&o, Some(v) if *v % 2 == 0) as u32;
        }
}

same!(joined taken closures places);
