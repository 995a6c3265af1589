//! `PartialEq`, `PartialOrd` and `Ord` that users write themselves, and operands that are references.

use simt::prelude::*;
use std::cmp::Ordering;

#[derive(Clone, Copy, Debug, KernelData)]
struct Task {
    cost: u32,
    name: u32,
}

#[device]
impl PartialEq for Task {
    fn eq(&self, other: &Self) -> bool {
        self.cost == other.cost
    }
}

#[device]
impl Eq for Task {}

#[device]
impl PartialOrd for Task {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[device]
impl Ord for Task {
    fn cmp(&self, other: &Self) -> Ordering {
        // The least cost is the greatest.
        other.cost.cmp(&self.cost)
    }
}

/// Only those of one kind have an order.
#[derive(Clone, Copy, Debug, KernelData, PartialEq)]
struct Of {
    kind: u32,
    size: f32,
}

#[device]
impl PartialOrd for Of {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        if self.kind == other.kind { self.size.partial_cmp(&other.size) } else { None }
    }
}

alike! {
    fn compared(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let (a, b) = (Task { cost: x[i] % 4, name: 1 }, Task { cost: 2, name: 2 });
        let tests = [a == b, a != b, a < b, a <= b, a > b, a >= b, &a == &b, a.eq(&b), a.cmp(&b) == Ordering::Less];
        let mut bits = 0;
        for k in 0..9 {
            bits = bits * 2 + tests[k] as u32;
        }
        out[i] = bits * 10 + a.max(b).name + 3 * a.min(b).name;
    }

    fn partly(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let (a, b) = (Of { kind: x[i] % 2, size: x[i] as f32 }, Of { kind: 1, size: 7.0 });
        let tests = [a == b, a != b, a < b, a <= b, a > b, a >= b, a.partial_cmp(&b).is_none()];
        let mut bits = 0;
        for k in 0..7 {
            bits = bits * 2 + tests[k] as u32;
        }
        out[i] = bits;
    }

    fn references(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let a = x[i];
        let b = &x[0];
        out[i] = &a + b + &(a * 2) * &3 + (&a < b) as u32;
    }
}

/// Runs a kernel and the same as plain Rust.
macro_rules! compared {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            let x: Vec<u32> = (0..24).collect();
            let grid = Grid::new(2, 12);
            let mut expected = vec![5; x.len()];
            crate::support::host::run(grid, || plain::$name(&x, &mut expected));
            everywhere!(|gpu| {
                let mut out = vec![5; x.len()];
                gpu.launch(grid, super::$name(&x, &mut out)).unwrap();
                assert_eq!(out, expected);
            });
        }
    )*};
}

mod tests {
    use super::*;

    compared!(compared partly references);
}
