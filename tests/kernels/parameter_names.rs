//! Types with `KernelData` whose parameters have any names: what the derive adds has names of its own.

use simt::prelude::*;

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct One<S>(S);

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Two<C, S> {
    c: C,
    s: One<S>,
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Lengths<const C: usize, const S: usize> {
    c: [u32; C],
    s: [u32; S],
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
enum Three<S, C, U> {
    Unit(U),
    Both { s: S, c: C },
    Neither,
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
enum Marked<const U: usize> {
    Even = 2,
    Odd = 5,
}

#[kernel]
fn changed(
    twos: &mut [Two<u32, f32>],
    lengths: &mut [Lengths<2, 1>],
    threes: &mut [Three<u8, i64, bool>],
    marked: &mut [Marked<3>],
) {
    let i = global_id();
    twos[i].c += 1;
    twos[i].s.0 *= 2.0;
    lengths[i].c[1] += lengths[i].s[0];
    threes[i] = match threes[i] {
        Three::Unit(true) => Three::Both { s: 3, c: -4 },
        Three::Both { s, c } if i64::from(s) > c => Three::Unit(false),
        _ => Three::Neither,
    };
    marked[i] = if marked[i] as u32 == 2 { Marked::Odd } else { Marked::Even };
}

#[test]
fn any_names() {
    everywhere!(|gpu| {
        let two = |c, s| Two { c, s: One(s) };
        let mut twos = [two(1, 2.0), two(3, 4.0), two(5, 6.0)];
        let mut lengths = [Lengths { c: [1, 2], s: [3] }; 3];
        let mut threes = [Three::Unit(true), Three::Both { s: 1, c: -1 }, Three::Unit(false)];
        let mut marked = [Marked::Even, Marked::Odd, Marked::Even];
        let call = changed(&mut twos, &mut lengths, &mut threes, &mut marked);
        let launched = gpu.launch(Grid::new(1, 3), call);
        assert!(launched.is_ok(), "{launched:?}");
        assert_eq!(twos, [two(2, 4.0), two(4, 8.0), two(6, 12.0)]);
        assert_eq!(lengths, [Lengths { c: [1, 5], s: [3] }; 3]);
        assert_eq!(threes, [Three::Both { s: 3, c: -4 }, Three::Unit(false), Three::Neither]);
        assert_eq!(marked, [Marked::Odd, Marked::Even, Marked::Odd]);
    });
}
