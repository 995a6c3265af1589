//! Options, results and enums with fields in structs and in arrays.

use simt::prelude::*;

#[derive(Clone, Copy, Debug, KernelData, PartialEq, PartialOrd)]
enum Shape {
    Nothing,
    Circle(f32),
    Tagged { id: Option<u32>, at: (i8, [u8; 2]) },
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Best {
    hit: Option<(u32, f32)>,
    shape: Shape,
    last: Result<u8, bool>,
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Slot<T> {
    value: Option<T>,
    turns: u32,
}

const START: Best = Best { hit: None, shape: Shape::Circle(0.5), last: Err(true) };

#[device]
impl Best {
    fn offer(&mut self, at: u32, far: f32) {
        let better = match self.hit {
            Some((_, known)) => far < known,
            None => true,
        };
        if better {
            self.hit = Some((at, far));
            self.last = Ok(at as u8);
        }
        if far > 5.0 {
            self.shape = Shape::Tagged { id: self.hit.map(|(at, _)| at), at: (-1, [at as u8, 2]) };
        }
    }
}

alike! {
    fn searched(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut best = START;
        let mut stack: [Option<u32>; 8] = [None; 8];
        let mut top = 0;
        for k in 0..6 {
            let n = x[(i + 5 * k) % x.len()];
            best.offer(n, (n * 7 % 11) as f32);
            if n % 3 != 0 {
                stack[top] = Some(n);
                top += 1;
            }
        }
        let mut sum = 0;
        while let Some(n) = stack[top] {
            sum += 1000 * n;
            stack[top] = None;
        }
        for (k, slot) in stack.iter().enumerate() {
            if let Some(n) = *slot {
                sum += n << (k as u32);
            }
        }
        for slot in stack {
            sum += slot.unwrap_or(2);
        }
        if stack[0] == None || stack[1] > Some(12) {
            sum += 1 << 20;
        }
        let shapes = [best.shape, Shape::Nothing, Shape::Circle(i as f32)];
        sum += match shapes[i % 3] {
            Shape::Nothing => 3,
            Shape::Circle(r) => 4 + r as u32,
            Shape::Tagged { id: Some(id), at: (_, [a, 2]) } => 100 + id + a as u32,
            Shape::Tagged { .. } => 5,
        };
        let mut slots = [Slot { value: Some((1u8, true)), turns: 2 }; 3];
        slots[i % 3].value = None;
        slots[(i + 1) % 3].turns += 7;
        slots[2] = Slot { turns: 1, ..slots[0] };
        for slot in &slots {
            sum += slot.turns * 10000;
            if slot.value.is_some() {
                sum += 7;
            }
        }
        if let Best { hit: Some((at, far)), last: Ok(last), .. } = best {
            sum += at + far as u32 + last as u32;
        }
        out[i] = sum;
    }
}

#[test]
fn what_may_be_absent_is_in_structs_and_arrays() {
    let x: Vec<u32> = (0..40).map(|i| i * 13 % 37).collect();
    let mut expected = vec![0; 40];
    crate::support::host::run(Grid::new(2, 20), || plain::searched(&x, &mut expected));
    everywhere!(|gpu| {
        let mut out = vec![0; 40];
        gpu.launch(Grid::new(2, 20), searched(&x, &mut out)).unwrap();
        assert_eq!(out, expected);
    });
}

#[kernel]
fn shared(x: &[u32], out: &mut [u32]) {
    #[shared]
    let mut best: [Option<u32>; 16];
    #[shared]
    let mut shapes: [Shape; 16];
    let t = thread_idx().x;
    let n = x[global_id()];
    best[t] = if n % 2 == 0 { Some(n) } else { None };
    shapes[t] = if n % 3 == 0 { Shape::Circle(n as f32) } else { Shape::Nothing };
    sync_threads();
    let other = (t + 1) % 16;
    let found = match (best[other], shapes[other]) {
        (Some(n), Shape::Circle(r)) => n + r as u32,
        (Some(n), _) => n,
        (None, Shape::Circle(r)) => 100 + r as u32,
        _ => 200,
    };
    out[global_id()] = found;
}

#[test]
fn threads_share_what_may_be_absent() {
    let x: Vec<u32> = (0..32).map(|i| i * 5 % 23).collect();
    everywhere!(|gpu| {
        let mut out = vec![0; 32];
        gpu.launch(Grid::new(2, 16), shared(&x, &mut out)).unwrap();
        for i in 0..32 {
            let n = x[i / 16 * 16 + (i + 1) % 16];
            let wanted = match (n % 2, n % 3) {
                (0, 0) => 2 * n,
                (0, _) => n,
                (_, 0) => 100 + n,
                _ => 200,
            };
            assert_eq!(out[i], wanted);
        }
    });
}

/// The host's slices have what kernels make of them, whichever variants that are.
#[test]
fn the_host_has_slices_of_what_may_be_absent() {
    #[derive(Clone, Copy, Debug, KernelData, PartialEq)]
    struct Held {
        best: Option<(u32, [i8; 2])>,
        shapes: [Shape; 2],
        done: Result<Option<u8>, f32>,
    }
    #[kernel]
    fn turned(one: Option<u32>, options: &mut [Option<u32>], shapes: &mut [Shape], all: &mut [Held], seen: &mut [u32]) {
        let i = global_id();
        seen[i] = match (options[i], shapes[i]) {
            (Some(n), Shape::Circle(r)) => n + r as u32,
            (Some(n), Shape::Tagged { id: Some(id), at: (x, bytes) }) => n + id + x as u32 + bytes[1] as u32,
            (Some(n), _) => n * 2,
            (None, _) => one.unwrap_or(77),
        };
        options[i] = match options[i] {
            Some(n) if n % 2 == 0 => None,
            Some(n) => Some(n + 1),
            None => one.map(|n| n + i as u32),
        };
        let held = all[i];
        shapes[i] = match shapes[i] {
            Shape::Nothing => Shape::Circle(2.5),
            Shape::Circle(r) => {
                Shape::Tagged { id: if r > 1.0 { Some(i as u32) } else { None }, at: (-1, [r as u8, 7]) }
            }
            Shape::Tagged { id: Some(_), .. } => held.shapes[0],
            Shape::Tagged { id, at } => Shape::Tagged { id, at: (at.0 - 1, [at.1[1], at.1[0]]) },
        };
        all[i].best = options[i].map(|n| (n, [n as i8, -1]));
        all[i].shapes[i % 2] = shapes[i];
        all[i].done = match held.done {
            Ok(Some(n)) => Err(n as f32),
            Ok(None) => Ok(Some(3)),
            Err(e) => {
                if e > 1.0 {
                    Ok(None)
                } else {
                    Err(e + 1.0)
                }
            }
        };
    }
    let kinds = [
        Shape::Nothing,
        Shape::Circle(0.5),
        Shape::Circle(3.0),
        Shape::Tagged { id: Some(4), at: (5, [6, 7]) },
        Shape::Tagged { id: None, at: (-5, [8, 9]) },
    ];
    let number = |i: usize| if i % 3 == 2 { None } else { Some(i as u32 * 5) };
    let done = [Ok(Some(9)), Ok(None), Err(0.5), Err(2.0)];
    let options: Vec<Option<u32>> = (0..30).map(number).collect();
    let shapes: Vec<Shape> = (0..30).map(|i| kinds[i % 5]).collect();
    let all: Vec<Held> =
        (0..30).map(|i| Held { best: None, shapes: [kinds[i % 4], kinds[i % 3]], done: done[i % 4] }).collect();
    everywhere!(|gpu| {
        let (mut o, mut s, mut h, mut seen) = (options.clone(), shapes.clone(), all.clone(), vec![0; 30]);
        let one = Some(6);
        gpu.launch(Grid::new(2, 15), turned(one, &mut o, &mut s, &mut h, &mut seen)).unwrap();
        for i in 0..30 {
            let expected = match (options[i], shapes[i]) {
                (Some(n), Shape::Circle(r)) => n + r as u32,
                (Some(n), Shape::Tagged { id: Some(id), at: (x, bytes) }) => n + id + x as u32 + u32::from(bytes[1]),
                (Some(n), _) => n * 2,
                (None, _) => 6,
            };
            assert_eq!(seen[i], expected, "{i}");
            let option = match options[i] {
                Some(n) if n % 2 == 0 => None,
                Some(n) => Some(n + 1),
                None => Some(6 + i as u32),
            };
            let shape = match shapes[i] {
                Shape::Nothing => Shape::Circle(2.5),
                Shape::Circle(r) => Shape::Tagged { id: (r > 1.0).then_some(i as u32), at: (-1, [r as u8, 7]) },
                Shape::Tagged { id: Some(_), .. } => all[i].shapes[0],
                Shape::Tagged { id, at } => Shape::Tagged { id, at: (at.0 - 1, [at.1[1], at.1[0]]) },
            };
            let mut held = all[i];
            held.best = option.map(|n| (n, [n as i8, -1]));
            held.shapes[i % 2] = shape;
            held.done = match held.done {
                Ok(Some(n)) => Err(f32::from(n)),
                Ok(None) => Ok(Some(3)),
                Err(e) if e > 1.0 => Ok(None),
                Err(e) => Err(e + 1.0),
            };
            assert_eq!((o[i], s[i], h[i]), (option, shape, held), "{i}");
        }
    });
}
