//! Loads and stores of slices of each type do what lanes one by one would, in their order; of those that are out of bounds the
//! lowest is named, and nothing is changed.

use simt_core::Constant;
use simt_core::code::Code;
use simt_core::ops::canonical;
use simt_runtime::{Argument, Element, Gpu, Grid, Ipdom, Kernel, call};
use simt_testing::Random;

/// Elements of the slices.
const LENGTH: usize = 150;

/// `if on[i] { y[b[i]] = x[a[i]]; }`
const TEXT: &str = "kernel copy(on: &[bool], a: &[usize], b: &[usize], x: &[TYPE], y: &mut [TYPE])
    .reg usize %a, %b, TYPE %v, bool %p
    ld.bool %p, on[global_id()]
    @!%p bra END
    ld.usize %a, a[global_id()]
    ld.usize %b, b[global_id()]
    ld.TYPE %v, x[%a]
    st.TYPE y[%b], %v
    END: exit";

/// An index for each lane: neighbours, which may run beyond the end or come from below zero, one for all, any, and
/// sometimes one that is beyond the end.
fn indices(random: &mut Random, lanes: usize) -> Vec<usize> {
    let below_zero = |lane: usize, back: usize| (lane as u32).wrapping_sub(back as u32) as usize;
    let first = random.below(LENGTH - lanes + 1);
    match random.below(8) {
        0..=3 => (0..lanes).map(|lane| first + lane).collect(),
        4 => (0..lanes).map(|lane| LENGTH - lanes / 2 + lane).collect(),
        5 => (0..lanes).map(|lane| below_zero(lane, 1 + first % lanes)).collect(),
        6 => vec![first; lanes],
        _ => (0..lanes).map(|_| random.below(LENGTH) + random.below(40) / 39).collect(),
    }
}

/// The outcome of lanes one by one: what is in the slice then, or which lane is out of bounds.
fn one_by_one<T: Element>(on: &[bool], a: &[usize], b: &[usize], x: &[T], y: &[T]) -> Result<Vec<u64>, usize> {
    let lanes = || (0..on.len()).filter(|&lane| on[lane]);
    for index in [a, b] {
        lanes().find(|&lane| index[lane] >= LENGTH).map_or(Ok(()), Err)?;
    }
    let mut y: Vec<u64> = y.iter().map(|value| value.to_bits64()).collect();
    lanes().for_each(|lane| y[b[lane]] = canonical(Constant::of(x[a[lane]])).bits);
    Ok(y)
}

fn check<T: Element>(random: &mut Random) {
    let code = Code::parse(&TEXT.replace("TYPE", &T::TYPE.to_string())).unwrap_or_else(|error| panic!("{error}"));
    let kernel = Kernel::from_code(code);
    let all = u64::MAX >> (64 - T::TYPE.bits());
    for width in [4, 8, 16, 32, 64] {
        for _ in 0..40 {
            let all_are_on = random.once_in(2);
            let on: Vec<bool> = (0..width).map(|_| all_are_on || random.once_in(2)).collect();
            let [a, b] = [(); 2].map(|()| indices(random, width));
            let [x, before] =
                [(); 2].map(|()| (0..LENGTH).map(|_| T::from_bits64(random.bits() & all)).collect::<Vec<T>>());
            let mut y = before.clone();
            let arguments = vec![
                Argument::slice(&on),
                Argument::slice(&a),
                Argument::slice(&b),
                Argument::slice(&x),
                Argument::slice_mut(&mut y),
            ];
            let gpu = Gpu::<Ipdom>::default().with_warp_width(width);
            let launched = gpu.launch(Grid::new(1, width), call(&kernel, arguments));
            let found: Vec<u64> = y.iter().map(|value| value.to_bits64()).collect();
            let of = format!("{} in a warp of {width}, {on:?}, from {a:?} to {b:?}", T::TYPE);
            match (one_by_one(&on, &a, &b, &x, &before), launched) {
                (Ok(expected), Ok(_)) => assert_eq!(found, expected, "{of}"),
                (Err(lane), Err(error)) => {
                    assert_eq!(error.thread().map(|thread| thread.global_id), Some(lane), "{of}: {error}");
                    assert!(found.iter().copied().eq(before.iter().map(|value| value.to_bits64())), "{of}");
                }
                (expected, launched) => panic!("{of}: {launched:?} for {expected:?}"),
            }
        }
    }
}

#[test]
fn slices_are_copied_as_by_lanes_one_by_one() {
    let random = &mut Random::new(11);
    macro_rules! each {
        ($($ty:ty)*) => { $(check::<$ty>(random);)* };
    }
    each!(u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 bool usize isize);
}
