//! Types without fields: as type arguments that choose functions, and as values.

use simt::prelude::*;

#[device]
trait Operator {
    const NEUTRAL: u32;

    fn combine(a: u32, b: u32) -> u32;

    fn thrice(a: u32) -> u32 {
        Self::combine(Self::combine(a, a), a)
    }
}

#[derive(Clone, Copy, KernelData)]
struct Sum;

#[derive(Clone, Copy, KernelData)]
struct Longest;

#[device]
impl Operator for Sum {
    const NEUTRAL: u32 = 0;

    fn combine(a: u32, b: u32) -> u32 {
        a + b
    }
}

#[device]
impl Operator for Longest {
    const NEUTRAL: u32 = 1;

    fn combine(a: u32, b: u32) -> u32 {
        a.max(b)
    }
}

#[device]
fn scan<O: Operator>(x: &[u32], up_to: usize) -> u32 {
    let mut all = O::NEUTRAL;
    for k in 0..=up_to {
        all = O::combine(all, x[k]);
    }
    all
}

#[kernel]
fn scans<O: Operator>(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    out[i] = scan::<O>(x, i) + 1000 * scan::<Sum>(x, i) + O::thrice(x[i]) + Longest::combine(x[i], 3);
}

fn of_host<O: Operator>(x: &[u32], i: usize) -> u32 {
    let scan = x[..=i].iter().fold(O::NEUTRAL, |all, &n| O::combine(all, n));
    scan + 1000 * x[..=i].iter().sum::<u32>() + O::thrice(x[i]) + x[i].max(3)
}

#[test]
fn a_type_chooses_functions() {
    let x: Vec<u32> = (0..24).map(|i| i * 7 % 11).collect();
    everywhere!(|gpu| {
        let (mut sums, mut longest) = (vec![0; 24], vec![0; 24]);
        gpu.launch(Grid::new(1, 24), scans::<Sum>(&x, &mut sums)).unwrap();
        gpu.launch(Grid::new(1, 24), scans::<Longest>(&x, &mut longest)).unwrap();
        for i in 0..24 {
            assert_eq!((sums[i], longest[i]), (of_host::<Sum>(&x, i), of_host::<Longest>(&x, i)));
        }
    });
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq, PartialOrd)]
struct Marker;

#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq)]
struct Empty {}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Tagged<M> {
    n: u32,
    tag: M,
}

#[device]
impl Marker {
    fn twice(self, n: u32) -> u32 {
        2 * n
    }

    fn new() -> Self {
        Marker
    }
}

#[device]
fn with<M: Named>(marker: M, n: u32) -> (M, u32) {
    (marker, n + marker.number())
}

#[device]
trait Named {
    fn number(self) -> u32;
}

#[device]
impl Named for Marker {
    fn number(self) -> u32 {
        7
    }
}

#[device]
impl Named for Empty {
    fn number(self) -> u32 {
        9
    }
}

#[kernel]
fn values(x: &mut [u32], tagged: &mut [Tagged<Marker>], given: Marker) {
    let i = global_id();
    let marker = Marker;
    let mut other = Marker::new();
    x[i] += other.number() - 7;
    other = given;
    let (same, sum) = with(marker, x[i]);
    let empty = Empty {};
    x[i] = sum + same.twice(3) + with(empty, 100).1 + given.number();
    if marker == other && marker <= same && shuffle(marker, 0) == Marker {
        x[i] += 1000;
    }
    tagged[i] = Tagged { n: x[i], ..tagged[i] };
    let Tagged { n, tag } = tagged[i];
    let some = Some(tag);
    if let Some(tag) = some
        && n > 0
    {
        x[i] += tag.number();
    }
    println!("{marker:?} {empty:?} {:?} {some:?}", tagged[i]);
}

#[test]
fn values_without_scalars_are_values() {
    everywhere!(|gpu| {
        let (mut x, mut tagged) = ([1, 2], [Tagged { n: 0, tag: Marker }; 2]);
        let report = gpu.launch(Grid::new(1, 2), values(&mut x, &mut tagged, Marker)).unwrap();
        let sums = [1, 2].map(|n| n + 7 + 6 + 109 + 7 + 1000);
        assert_eq!(x, sums.map(|sum| sum + 7));
        assert_eq!(tagged, sums.map(|n| Tagged { n, tag: Marker }));
        let lines = sums.map(|n| format!("Marker Empty Tagged {{ n: {n}, tag: Marker }} Some(Marker)"));
        assert_eq!(report.prints(), lines);
    });
}

#[test]
fn memory_of_nothing_is_refused() {
    #[kernel]
    fn array(out: &mut [u32]) {
        let all = [Marker; 3];
        out[0] = all.len() as u32;
        for one in all {
            out[0] += one.number();
        }
    }
    #[kernel]
    fn slice(all: &[Marker], out: &mut [u32]) {
        out[0] = all.len() as u32;
    }
    let gpu = Gpu::<Ipdom>::default();
    let error = gpu.launch(Grid::new(1, 1), array(&mut [0])).unwrap_err().to_string();
    assert!(error.contains("`all` has elements of type `Marker`, which hold nothing"), "{error}");
    let error = gpu.launch(Grid::new(1, 1), slice(&[Marker], &mut [0])).unwrap_err().to_string();
    assert!(error.contains("`all` has elements of type `Marker`, which hold nothing"), "{error}");
}

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Step {
    n: u32,
    done: Result<(), u32>,
}

#[test]
fn memory_of_whether_there_is_nothing() {
    #[kernel]
    fn steps(x: &[u32], found: &mut [Option<()>], steps: &mut [Step]) {
        let i = global_id();
        if found[i].is_none() && x[i] % 2 == 1 {
            found[i] = Some(());
        } else {
            found[i] = None;
        }
        let mut own = [Err(1), Ok(()), Err(x[i])];
        own[1] = found[i].ok_or(x[i]);
        steps[i].done = if let Ok(()) = steps[i].done { own[1] } else { own[0] };
        steps[i].n += match own[2] {
            Ok(()) => 100,
            Err(n) => n,
        };
    }
    let x: [u32; 8] = std::array::from_fn(|i| i as u32);
    everywhere!(|gpu| {
        let mut found = [None, None, Some(()), Some(()), None, None, None, Some(())];
        let mut all = [Step { n: 1, done: Ok(()) }; 8];
        all[5].done = Err(9);
        gpu.launch(Grid::new(1, 8), steps(&x, &mut found, &mut all)).unwrap();
        for (i, step) in all.iter().enumerate() {
            let is_found = matches!(i, 1 | 5);
            assert_eq!(found[i].is_some(), is_found);
            let done = if i == 5 { Err(1) } else { found[i].ok_or(i as u32) };
            assert_eq!(*step, Step { n: 1 + i as u32, done });
        }
    });
}
