//! Elements that a body writes through the names of a pattern and reaches otherwise.

use simt::prelude::*;

#[kernel]
fn reached(x: &mut [Option<u32>]) {
    let i = global_id();
    let r = x.get_mut(i).unwrap();
    if let Some(v) = r {
        *v += 1;
        if *v == 5 {
            x[i] = None;
        }
    }
}
#[kernel]
fn rows(x: &mut [Option<u32>]) {
    let row = &mut x[4..8];
    if let Some(v) = &mut row[0] {
        *v += 1;
        x[4] = None;
    }
}
#[kernel]
fn reborrowed(x: &mut [Option<u32>]) {
    let i = global_id();
    let r = &mut x[i];
    let s = &mut *r;
    if let Some(v) = s {
        *v += 1;
        if *v > 3 {
            x[i] = None;
        }
    }
}
#[device]
fn tail_mut(x: &mut [u32], i: usize) -> &mut [u32] {
    &mut x[i..]
}
#[device]
fn bump(v: &mut u32) {
    *v += 1;
}
#[kernel]
fn tails(x: &mut [u32]) {
    for v in tail_mut(x, 2) {
        bump(v);
    }
    for v in tail_mut(x, 3) {
        *v *= 10;
    }
}

#[test]
fn elements_are_reached_otherwise() {
    everywhere!(|gpu| {
        let mut x = [Some(4), None, Some(9)];
        gpu.launch(Grid::new(1, 3), reached(&mut x)).unwrap();
        assert_eq!(x, [None, None, Some(10)]);
        let mut x = [Some(4); 8];
        gpu.launch(Grid::new(1, 1), rows(&mut x)).unwrap();
        assert_eq!(x[4], None);
        let mut x = [Some(3), Some(1)];
        gpu.launch(Grid::new(1, 2), reborrowed(&mut x)).unwrap();
        assert_eq!(x, [None, Some(2)]);
    });
}
#[test]
fn items_of_slices_that_functions_give_are_passed() {
    everywhere!(|gpu| {
        let mut x = [1, 2, 3, 4];
        gpu.launch(Grid::new(1, 1), tails(&mut x)).unwrap();
        assert_eq!(x, [1, 2, 4, 50]);
    });
}
