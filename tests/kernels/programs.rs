//! A kernel as a program and as code, as its user gets at them.

use simt::prelude::*;

#[kernel]
fn countdown(x: &mut [u32]) {
    let i = global_id();
    while x[i] > 0 {
        x[i] -= 1;
    }
}

const TOO_BIG: usize = 1 << 40;

#[kernel]
fn too_big(x: &mut [u32]) {
    x[TOO_BIG] = 0;
}

#[test]
fn a_program_prints_the_tokens_that_its_statements_push() {
    let text = countdown::program().to_string();
    assert!(text.contains("brk{Θ}"), "{text}");
}

#[test]
fn a_program_has_code_for_each_family_of_markers() {
    let listing = |markers| countdown::program().code(markers).to_string();
    assert!(listing(Markers::Tokens).contains("prebrk"));
    assert!(listing(Markers::PostDominators).contains("meet @"));
    assert!(!listing(Markers::None).contains("meet @") && !listing(Markers::None).contains("prebrk"));
}

#[test]
fn a_program_that_cannot_run_has_the_code_of_an_empty_one() {
    assert_eq!(too_big::program().code(Markers::None).insts.len(), 1);
    let mut x = [1];
    let launched = Gpu::<Ipdom>::default().launch(Grid::new(1, 1), too_big(&mut x));
    assert!(matches!(launched, Err(LaunchError::Program(_))));
}
