//! Assignments take tuples, arrays and structs apart as Rust's do.

#![allow(unused_assignments, clippy::redundant_closure_call, reason = "that is what is tested")]

use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct Point {
    a: i32,
    b: i32,
}

#[derive(Clone, Copy, KernelData)]
struct Pair(i32, u32);

#[derive(Clone, Copy, KernelData)]
struct Whole {
    point: Point,
    at: [i32; 2],
}

/// The same function as a kernel and of the host.
macro_rules! twice {
    ($x:ident, $i:ident: $body:block) => {
        #[kernel]
        fn in_kernel($x: &mut [i32]) {
            let $i = global_id();
            $body
        }

        fn on_the_host($x: &mut [i32]) {
            for $i in 0..$x.len() {
                $body
            }
        }
    };
}
twice! {
    x, i: {
        let point = Point { a: 21, b: 22 + i as i32 };
        let pair = [i as i32, 7];
        let mut m = [0; 3];
        // A variable may have its first value so.
        let (mut a, mut b, mut c, mut d);
        let late: u64;
        [a, b] = pair;
        [c, d] = [b, a];
        [a, b] = [b, a];
        [late, _] = [5, 6];
        Point { a: c, .. } = point;
        Pair(d, _) = Pair(c + 5, 3);
        (m[0], .., m[1]) = (1, 2, a);
        (a, [b, m[2]], Point { b: c, a: _ }) = (a + 1, [b, c], point);
        let mut whole = Whole { point, at: pair };
        Whole { point: Point { a: whole.at[0], b }, at: [.., whole.point.a] } =
            Whole { point: Point { a: 40, b: 50 }, at: [60, 70] };
        // The value is evaluated before the index.
        let mut k = i % 2;
        [_, m[k]] = { k = 2 - k; [0, 100] };
        let reference = &mut whole.point.b;
        [*reference, _] = [c, 9];
        let mut swapped = |(p, q): (i32, i32)| { [a, b] = [p, q]; p - q };
        d += swapped((m[0], d)) + a + b;
        [x[i], ..] = [a + 3 * b + 7 * c + 11 * d, 0, 0];
        x[i] += m[0] + 2 * m[1] + 5 * m[2] + whole.at[0] + whole.point.a * 3 + whole.at[1] + whole.point.b + late as i32;
    }
}

#[test]
fn patterns_are_assigned_to_as_on_the_host() -> Result<(), LaunchError> {
    let (mut x, mut expected) = ([0; 8], [0; 8]);
    on_the_host(&mut expected);
    Gpu::<Ipdom>::default().launch(Grid::new(1, 8), in_kernel(&mut x))?;
    assert_eq!(x, expected);
    Ok(())
}
