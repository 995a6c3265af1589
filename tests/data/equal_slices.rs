//! `==` of slices, as std's: the text is compiled as plain Rust, too.

#[derive(Clone, Copy, Debug, simt::prelude::KernelData, PartialEq)]
struct Point {
    x: f32,
    y: u32,
}

items_with_kernels! {
    {
        fn found(text: &[u32], pattern: &[u32]) -> usize {
            for at in 0..text.len() {
                if at + pattern.len() <= text.len() && pattern == &text[at..at + pattern.len()] {
                    return at;
                }
            }
            text.len()
        }
        fn same<T: PartialEq + Copy>(a: &[T], b: &[T]) -> bool {
            a == b
        }
    }
    fn compared(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let n = (x.len() - i).min(3);
        let row = [x[i], 2, 3];
        let same = x[i..i + n] == x[..n];
        let literal = &x[i..i + n] != &[14, 21, 28];
        let array = row == x[i..i + n];
        let all = x == &x[i..];
        let empty = x[i..i] == x[0..0];
        let windows = x.windows(2).filter(|w| *w == &x[i..i + n.min(2)]).count();
        let wide = x[..2] == [0, 7] && x[1..] != x[..1];
        out[i] = same as u32 + 2 * literal as u32 + 4 * array as u32 + 8 * all as u32 + 16 * empty as u32
            + 32 * windows as u32 + 1000 * found(x, &x[i..i + n]) as u32 + 7 * wide as u32;
    }
    fn of_structs(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut points = [Point { x: 0.0, y: 3 }; 6];
        points[i % 6].x = -0.0;
        points[(i + 1) % 6].y = x[i];
        points[(i * i) % 6].x = if x[i] % 5 == 0 { f32::NAN } else { 0.0 };
        let n = i % 4;
        let halves = points[..3] == points[3..];
        let itself = points[n..n + 2] == points[n..n + 2];
        out[i] = halves as u32 + 2 * itself as u32 + 4 * (points[1..2] != points[i % 6..i % 6 + 1]) as u32
            + 8 * same(&points[..n], &points[1..n + 1]) as u32 + x[i] * 16;
    }
}

same! { compared of_structs }
