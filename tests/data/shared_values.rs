//! `#[shared]` variables of one value: a number, a struct, a tuple, an option, an atomic.

use simt::RaceCheck;
use simt::prelude::*;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct P {
    a: u32,
    b: (f32, [u32; 2]),
}

#[device]
impl P {
    fn sum(&self) -> u32 {
        self.a + self.b.1[0] + self.b.1[1]
    }

    fn count(&mut self) {
        self.a += 1;
    }
}

#[device]
fn add(n: &mut u32, by: &u32) {
    *n += *by;
}

#[device]
fn bump(count: &AtomicU32) -> u32 {
    count.fetch_add(2, Relaxed)
}

#[kernel]
fn one_of_each(x: &mut [u32]) {
    #[shared]
    let mut base: u32;
    #[shared]
    let mut p: P;
    #[shared]
    let mut pair: (u32, f32);
    #[shared]
    let mut best: Option<u32>;
    #[shared]
    let count: AtomicU32;
    let i = global_id();
    if thread_idx().x == 0 {
        base = 5;
        base += 1;
        add(&mut base, &2);
        base = base.max(3) * 1;
        let other = base;
        add(&mut base, &other);
        p = P { a: base, b: (1.5, [1, 2]) };
        p.count();
        p.a += 1;
        p.b.1[1] = 7;
        pair = (base, 2.5);
        pair.1 += 1.0;
        (pair.0, _) = (pair.0 + 1, 3);
        best = None;
        if base > 3 {
            best = Some(base);
        }
        count.store(0, Relaxed);
    }
    sync_threads();
    assert!(base != 0, "{base} is {}", base);
    if let Some(base) = best {
        x[i] = base;
    }
    match base {
        16 if pair.0 == 17 => x[i] += 1,
        base => x[i] = base,
    }
    bump(&count);
    let (was, q) = (base, p);
    {
        // Other variables of the name.
        let base = 3;
        x[i] += base;
    }
    for base in 0..2 {
        x[i] += base;
    }
    let next = |base: u32| base + 1;
    let added = |v: u32| v + base;
    x[i] += p.sum() + q.a + pair.0 + pair.1 as u32 + was + next(1) + added(1);
    let P { a, .. } = p;
    sync_threads();
    x[i] += count.load(Relaxed) + a + base;
    println!("{base} {:?}", p);
}

#[test]
fn a_shared_variable_has_any_type() {
    let value = 17 + 3 + 1 + (18 + 8) + 18 + 17 + 3 + 16 + 2 + 17 + 16 + 18 + 16;
    everywhere!(|gpu| {
        let mut x = [0; 16];
        let report = gpu.launch(Grid::new(2, 8), one_of_each(&mut x)).unwrap();
        assert_eq!(x, [value; 16]);
        assert_eq!(report.prints()[9], "16 P { a: 18, b: (1.5, [1, 7]) }");
    });
}

#[kernel]
fn total<T: Num>(x: &mut [T]) {
    #[shared]
    let mut sum: T;
    if thread_idx().x == 1 {
        sum = x[0] + x[1];
    }
    sync_threads();
    x[global_id()] = sum;
}

type Tile = [u32; 4];

#[kernel]
fn reversed(x: &mut [u32]) {
    #[shared]
    let mut tile: Tile;
    let t = thread_idx().x;
    tile[t] = x[t];
    sync_threads();
    x[t] = tile[3 - t];
}

/// A name of a type may be an array's, and is one where it is used so.
#[test]
fn its_type_may_be_a_parameter_or_have_another_name() {
    let mut x = [1.5, 2.0];
    Gpu::<Ipdom>::default().launch(Grid::new(1, 2), total(&mut x)).unwrap();
    assert_eq!(x, [3.5; 2]);
    let mut x = [1, 2, 3, 4];
    Gpu::<Ipdom>::default().launch(Grid::new(1, 4), reversed(&mut x)).unwrap();
    assert_eq!(x, [4, 3, 2, 1]);
}

#[kernel]
fn unwritten(x: &mut [u32]) {
    #[shared]
    let mut base: u32;
    if x[0] == 9 {
        base = 1;
    }
    x[0] = base;
}

#[kernel]
fn raced(x: &mut [u32]) {
    #[shared]
    let mut base: u32;
    base = thread_idx().x as u32;
    sync_threads();
    x[global_id()] = base;
}

#[test]
fn it_is_checked_as_memory_is() {
    let gpu = Gpu::<Ipdom>::default().with_race_check(RaceCheck::Everywhere);
    let error = gpu.launch(Grid::new(1, 1), unwritten(&mut [0])).unwrap_err().to_string();
    assert!(error.starts_with("error[simt::unwritten]: `base[0]` is read"), "{error}");
    let error = gpu.launch(Grid::new(1, 2), raced(&mut [0; 2])).unwrap_err().to_string();
    assert!(error.starts_with("error[simt::race]: lanes of one warp write different values to `base[0]`"), "{error}");
}
