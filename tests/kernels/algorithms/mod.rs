//! Algorithms of the benchmark suites that GPUs are measured with (Rodinia, Parboil, SHOC, the CUDA samples), from their
//! published descriptions, written as one writes Rust: with structs, enums, options and methods. The host runs the same text.

/// Runs the kernel and the plain function of a name: what they write is compared, and the variables have it from then on.
macro_rules! agree {
    ($grid:expr, $name:ident($($input:expr),*; $($out:ident),+)) => {{
        let start = ($($out.clone(),)+);
        crate::support::host::run($grid, || plain::$name($($input,)* $(&mut $out),+));
        let expected = ($($out.clone(),)+);
        everywhere!(|gpu| {
            let ($(mut $out,)+) = start.clone();
            gpu.launch($grid, kernel::$name($($input,)* $(&mut $out),+)).unwrap();
            assert_eq!(($($out,)+), expected);
        });
    }};
}

/// Calls a function with a machine of each policy and warp width, and with one that looks for races: for kernels that plain
/// Rust cannot run, as their threads wait for each other.
fn race_free(test: &dyn Fn(&dyn crate::support::machine::Machine)) {
    use simt::prelude::*;
    everywhere!(|gpu| test(gpu));
    test(&Gpu::<Mimd>::default().with_race_check(RaceCheck::Everywhere));
}

mod chances;
mod codes;
mod forests;
mod geometry;
mod graphs;
mod grids;
mod images;
mod machines;
mod orders;
mod sequences;
mod solvers;
mod spaces;
mod surfaces;
mod transforms;
mod trees;
