//! What Rust programmers write first: `let else`, `T::default()`, limits of a type parameter, hints.

use simt::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

#[kernel]
fn halve_even(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    let Some(less) = x[i].checked_sub(1) else { return };
    let (odd @ 1, mut rest) = (less % 2, x[i]) else {
        out[i] = 7;
        return;
    };
    while rest % 2 == 0 {
        let 2.. = rest else { panic!("{rest}") };
        rest /= 2;
    }
    out[i] = rest + 10 * odd;
}

#[test]
fn a_let_else_leaves_where_its_pattern_does_not_match() {
    everywhere!(|gpu| {
        let mut out = [0; 6];
        gpu.launch(Grid::new(1, 6), halve_even(&[0, 1, 2, 3, 12, 8], &mut out)).unwrap();
        assert_eq!(out, [0, 7, 11, 7, 13, 11]);
    });
}

#[kernel]
fn skip_zeros(x: &[u32], out: &mut [u32]) {
    let mut sum = 0;
    'all: for i in 0..x.len() {
        let Some(less) = x[i].checked_sub(1) else { continue };
        let 0..10 = less else { break 'all };
        sum += less;
    }
    out[global_id()] = sum;
}

#[test]
fn a_let_else_in_a_loop_goes_to_its_step_or_leaves_it() {
    everywhere!(|gpu| {
        let mut out = [0; 3];
        gpu.launch(Grid::new(1, 3), skip_zeros(&[3, 0, 5, 100, 6], &mut out)).unwrap();
        assert_eq!(out, [6; 3]);
    });
}

#[kernel]
fn constants<T: Num>(out: &mut [T]) {
    let mut all = [T::default(); 5];
    all[1] = T::ONE + T::ZERO;
    all[2] = T::MIN;
    all[3] = T::MAX;
    let last: T = Default::default();
    all[4] = last;
    for i in 0..all.len() {
        out[i] = all[i];
    }
}

#[kernel]
fn widths<T: Int>(out: &mut [u32], _of: T) {
    out[0] = T::BITS + u32::default();
}

#[test]
fn a_type_parameter_has_the_constants_of_its_type() {
    macro_rules! assert_constants {
        ($($ty:ty)*) => {$(
            let mut out = [3 as $ty; 5];
            Gpu::<Ipdom>::default().launch(Grid::new(1, 1), constants(&mut out)).unwrap();
            assert_eq!(out, [0 as $ty, 1 as $ty, <$ty>::MIN, <$ty>::MAX, 0 as $ty]);
        )*};
    }
    assert_constants!(u8 u16 u32 u64 i8 i16 i32 i64 f32 f64);
    macro_rules! assert_widths {
        ($($ty:ty)*) => {$(
            let mut out = [0];
            Gpu::<Ipdom>::default().launch(Grid::new(1, 1), widths(&mut out, 1 as $ty)).unwrap();
            assert_eq!(out, [<$ty>::BITS]);
        )*};
    }
    assert_widths!(u8 u16 u32 u64 i8 i16 i32 i64);
    let mut out = [3usize; 5];
    Gpu::<Ipdom>::default().launch(Grid::new(1, 1), constants(&mut out)).unwrap();
    assert_eq!(out, [0, 1, 0, u32::MAX as usize, 0], "those of the device, which has 32 bits");
}

#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq)]
struct Count {
    hits: u32,
    share: f32,
}

#[kernel]
fn clear(counts: &mut [Count], locks: &[AtomicU32]) {
    let i = global_id();
    while locks[i].load(Relaxed) == 1 {
        std::hint::spin_loop();
    }
    let mut count = Count::default();
    count.hits = 4;
    counts[i] = count;
}

#[test]
fn a_struct_has_the_default_of_the_host_and_a_hint_does_nothing() {
    everywhere!(|gpu| {
        let mut counts = [Count { hits: 1, share: 2.0 }; 2];
        let locks = [const { AtomicU32::new(0) }; 2];
        gpu.launch(Grid::new(1, 2), clear(&mut counts, &locks)).unwrap();
        assert_eq!(counts, [Count { hits: 4, share: 0.0 }; 2]);
    });
}

#[kernel]
fn histogram(x: &[u32], out: &mut [u32]) {
    #[shared]
    let counts: [[AtomicU32; 5]; 2];
    let i = global_id();
    if i < 10 {
        counts[i / 5][i % 5].store(0, Relaxed);
    }
    sync_threads();
    let old = counts[warp_id() % 2][x[i] as usize].fetch_add(if x[i] < 9 { 1 } else { 2 }, Relaxed);
    assert!(old < 16 && counts.len() == 2);
    sync_threads();
    if i < 5 {
        out[i] = counts[0][i].load(Relaxed) + 100 * counts[1][i].swap(9, Relaxed);
    }
}

#[test]
fn atomics_stand_in_arrays_of_arrays() {
    let x: Vec<u32> = (0..16).map(|i| i * i % 5).collect();
    everywhere!(|gpu| {
        let mut out = [0; 5];
        gpu.launch(Grid::new(1, 16), histogram(&x, &mut out)).unwrap();
        let counted = |value| x.iter().filter(|&&x| x == value).count() as u32;
        let sums = out.map(|both| both % 100 + both / 100);
        assert_eq!(sums, [0, 1, 2, 3, 4].map(counted));
    });
    let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 16), histogram(&[7; 16], &mut [0; 5])).unwrap_err();
    assert!(error.to_string().contains("index 7 is out of bounds of `counts[0]`, whose length is 5"), "{error}");
}

#[derive(Clone, Copy, KernelData)]
struct Pcg {
    state: u64,
    draws: u32,
}

#[device]
fn next(rng: &mut Pcg) -> u32 {
    let old = rng.state;
    rng.state = old.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    rng.draws += 1;
    (((old >> 18) ^ old) >> 27) as u32
}

#[device]
fn even(rng: &mut Pcg, tries: &mut u32, bound: &u32) -> (u32, bool) {
    loop {
        let drawn = next(rng);
        *tries += 1;
        if drawn % 2 == 0 {
            return (drawn, true);
        }
        if *tries >= *bound {
            break;
        }
    }
    (0, false)
}

#[device]
fn exchange<T: Num>(a: &mut T, b: &mut T) {
    let old = *a;
    *a = *b;
    *b = old;
}

#[device]
fn fibonacci(n: u32, calls: &mut u32) -> u32 {
    *calls += 1;
    if n < 2 {
        return n;
    }
    let one = fibonacci(n - 1, calls);
    one + fibonacci(n - 2, &mut *calls)
}

#[device]
fn shrink(pair: &mut (u32, f32), by: &f32) {
    pair.0 /= 2;
    pair.1 -= *by;
}

#[kernel]
fn draw(out: &mut [u32], pairs: &mut [f32]) {
    let i = global_id();
    let mut rng = Pcg { state: i as u64 + 1, draws: 0 };
    let mut tries = 0;
    let (drawn, is_even) = even(&mut rng, &mut tries, &(i as u32 + 1));
    let both = next(&mut rng) ^ next(&mut rng);
    let mut calls = 0;
    let mut fib = fibonacci(i as u32 % 7, &mut calls);
    exchange(&mut fib, &mut calls);
    exchange(&mut rng.draws, &mut tries);
    let mut pair = (fib, 1.5);
    shrink(&mut pair, &0.25);
    shrink(&mut pair, &pairs[i]);
    out[i] = drawn ^ both ^ tries << 8 ^ rng.draws << 12 ^ fib << 16 ^ calls << 24 ^ pair.0 ^ is_even as u32;
    pairs[i] = pair.1;
}

/// The same on the host, with Rust's own references.
fn drawn(i: usize, pairs: f32) -> (u32, f32) {
    fn next(state: &mut u64, draws: &mut u32) -> u32 {
        let old = *state;
        *state = old.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        *draws += 1;
        (((old >> 18) ^ old) >> 27) as u32
    }
    fn fibonacci(n: u32, calls: &mut u32) -> u32 {
        *calls += 1;
        if n < 2 { n } else { fibonacci(n - 1, calls) + fibonacci(n - 2, calls) }
    }
    let (mut state, mut draws, mut tries) = (i as u64 + 1, 0, 0);
    let (first, is_even) = loop {
        let drawn = next(&mut state, &mut draws);
        tries += 1;
        if drawn.is_multiple_of(2) {
            break (drawn, true);
        }
        if tries > i as u32 {
            break (0, false);
        }
    };
    let both = next(&mut state, &mut draws) ^ next(&mut state, &mut draws);
    let mut calls = 0;
    let mut fib = fibonacci(i as u32 % 7, &mut calls);
    std::mem::swap(&mut fib, &mut calls);
    std::mem::swap(&mut draws, &mut tries);
    let pair = (fib / 2 / 2, 1.5 - 0.25 - pairs);
    (first ^ both ^ tries << 8 ^ draws << 12 ^ fib << 16 ^ calls << 24 ^ pair.0 ^ is_even as u32, pair.1)
}

#[test]
fn a_function_writes_through_references_to_variables() {
    everywhere!(|gpu| {
        let mut pairs: Vec<f32> = (0..70).map(|i| i as f32).collect();
        let expected: Vec<(u32, f32)> = pairs.iter().enumerate().map(|(i, &pair)| drawn(i, pair)).collect();
        let mut out = vec![0; 70];
        gpu.launch(Grid::new(1, 70), draw(&mut out, &mut pairs)).unwrap();
        assert!(out.into_iter().zip(pairs).eq(expected));
    });
}

#[kernel]
fn sums<T: Num>(x: &[T], out: &mut [T]) {
    let mut sum = T::default();
    for i in 0..=global_id() {
        sum += x[i];
    }
    out[global_id()] = sum;
}

/// A function of the host calls a kernel with the bounds that both have.
fn summed<T: Num>(gpu: &Gpu<Ipdom>, x: &[T]) -> Vec<T> {
    let mut out = x.to_vec();
    gpu.launch(Grid::new(1, x.len()), sums(x, &mut out)).unwrap();
    out
}

#[test]
fn a_generic_function_of_the_host_calls_a_generic_kernel() {
    let gpu = Gpu::default();
    assert_eq!(summed(&gpu, &[1.5, 2.0, 4.0]), [1.5, 3.5, 7.5]);
    assert_eq!(summed(&gpu, &[1u8, 2, 4]), [1, 3, 7]);
}

#[device]
fn first<'a, T>(x: &'a [T], or: &'a T) -> T
where
    T: Num + 'static,
{
    if x.is_empty() { *or } else { x[0] }
}

#[kernel]
fn averages<'x, 'y: 'x, T: Float + From<u8>>(x: &'x [T], out: &'y mut [T]) {
    let i = global_id();
    let mut count = T::from(0);
    let mut sum = first(x, &T::ONE);
    for k in 0..=i {
        sum += x[k];
        count += T::from(1u8);
    }
    out[i] = sum / count;
}

#[test]
fn lifetimes_say_nothing_and_a_bound_says_what_a_type_is_made_of() {
    everywhere!(|gpu| {
        let mut out = [0.0; 4];
        gpu.launch(Grid::new(1, 4), averages(&[1.0, 3.0, 5.0, 8.0f32], &mut out)).unwrap();
        assert_eq!(out, [2.0, 2.5, 10.0 / 3.0, 4.5]);
    });
}
