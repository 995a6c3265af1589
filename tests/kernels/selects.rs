//! If-conversion: short arms become selects where the launch asks for it, with the same results.

use simt::core::code::Inst;
use simt::core::lower::LowerOptions;
use simt::prelude::*;

#[kernel]
fn clamp_and_swap(x: &[i32], low: &mut [i32], high: &mut [i32]) {
    let i = global_id();
    let mut a = x[i];
    let mut b = x[x.len() - 1 - i];
    if a > b {
        let t = a;
        a = b;
        b = t;
    }
    let mut sign = 0;
    if a < 0 {
        sign = -1;
        a = -a;
    }
    if b > 100 {
        b = 100;
    }
    low[i] = a * sign;
    high[i] = b;
}

#[kernel]
fn guarded(x: &[u32], y: &mut [u32]) {
    let i = global_id();
    let mut sum = 0;
    if i % 2 == 0 {
        sum = x[i];
    }
    if i % 3 == 0 {
        sum = sum / (sum + 1);
    }
    y[i] = sum;
}

fn selects(program: &simt::Program, if_conversion: bool) -> usize {
    let code = program.code(LowerOptions { markers: Markers::PostDominators, if_conversion });
    code.insts.iter().filter(|inst| matches!(inst, Inst::Select { .. })).count()
}

#[test]
fn short_arms_become_selects_and_results_stay() -> Result<(), LaunchError> {
    let x: Vec<i32> = (0..200).map(|i| (i * 7919) % 311 - 150).collect();
    let (mut low, mut high) = (vec![0; 200], vec![0; 200]);
    let plain = Gpu::<Ipdom>::default();
    let expected = plain.launch(Grid::new(4, 50), clamp_and_swap(&x, &mut low, &mut high))?;
    for_each_policy!(P => {
        let (mut l, mut h) = (vec![0; 200], vec![0; 200]);
        let gpu = Gpu::<P>::default().with_if_conversion(true);
        let report = gpu.launch(Grid::new(4, 50), clamp_and_swap(&x, &mut l, &mut h))?;
        assert_eq!((&l, &h), (&low, &high), "{}", P::name());
        assert_eq!(report.branch_efficiency(), 1.0, "{}", P::name());
    });
    assert!(expected.branch_efficiency() < 1.0, "lanes part without");
    assert_eq!(selects(clamp_and_swap::program(), false), 0);
    assert!(selects(clamp_and_swap::program(), true) >= 4);
    let listing = clamp_and_swap::program().code(LowerOptions { markers: Markers::None, if_conversion: true });
    assert!(listing.to_string().contains("sel.i32"), "{listing}");
    Ok(())
}

/// A load may be out of bounds and a division by zero where the arm is not taken.
#[test]
fn arms_that_load_or_may_fault_stay_arms() -> Result<(), LaunchError> {
    assert_eq!(selects(guarded::program(), true), 0);
    let (x, mut y) = ([4, 5, 6], [0; 3]);
    Gpu::<Ipdom>::default().with_if_conversion(true).launch(Grid::new(1, 3), guarded(&x, &mut y))?;
    assert_eq!(y, [0, 0, 6]);
    Ok(())
}
