//! `&NAME` of a constant that is a struct, an associated one or a module's.

use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct Costs {
    open: i32,
    extend: i32,
}

const OUTER: Costs = Costs { open: 7, extend: 2 };

#[device]
impl Costs {
    const UNIT: Self = Costs { open: 3, extend: 1 };
    const STEPS: [i32; 3] = [4, 5, 6];

    fn of(&self, n: i32) -> i32 {
        self.open + n * self.extend
    }
}

#[device]
fn gap(costs: &Costs, n: i32) -> i32 {
    costs.open + costs.extend * n
}

#[device]
fn pick(steps: &[i32], n: i32) -> i32 {
    steps[n as usize % steps.len()]
}

#[kernel]
fn gaps(out: &mut [i32]) {
    let i = global_id();
    let n = i as i32;
    let (unit, outer) = (&Costs::UNIT, &OUTER);
    let named = &Costs::UNIT;
    out[i] = gap(&Costs::UNIT, n) + 10 * gap(&OUTER, n) + 100 * named.of(n) + 1000 * outer.extend + gap(named, n)
        - 5 * gap(unit, n)
        + pick(&Costs::STEPS, n);
}

#[test]
fn constants_are_lent() -> Result<(), LaunchError> {
    let unit = |n: i32| 3 + n;
    let expected: Vec<i32> =
        (0..40).map(|n| 97 * unit(n) + 10 * (7 + 2 * n) + 2000 + [4, 5, 6][n as usize % 3]).collect();
    for_each_policy!(P => {
        let mut out = vec![0; 40];
        let _ = Gpu::<P>::default().launch(Grid::new(5, 8), gaps(&mut out))?;
        assert_eq!(out, expected);
    });
    Ok(())
}
