//! One kernel by several compilers, optimised and not: each does the same.

use crate::{LENGTH, Other, corpus, launched, numbers};
use simt::core::program::ParamKind;
use simt::core::scalar::ScalarType;
use simt::host::Kernel;
use simt::ptx::Module;
use simt::{Gpu, Grid, policy};
use std::collections::BTreeMap;

/// The kernels of several files by their names.
fn by_name(files: &[(String, Module)]) -> BTreeMap<String, Vec<(&str, &Module)>> {
    let mut all: BTreeMap<String, Vec<(&str, &Module)>> = BTreeMap::new();
    for (file, module) in files {
        for kernel in module.kernels() {
            all.entry(kernel.to_string()).or_default().push((file, module));
        }
    }
    all
}

/// What each version of a kernel does with the same input, by one thread: that is always the same, races or not.
fn check(stem: &str) -> usize {
    let files = corpus(stem);
    assert!(files.len() > 1, "{stem} has one file");
    let gpu = Gpu::<policy::Ipdom>::default();
    let mut compared = 0;
    for (name, versions) in by_name(&files) {
        if versions.len() < 2 {
            continue;
        }
        for seed in 0..4 {
            let mut first = None;
            for (file, module) in &versions {
                let code = match module.code(&name) {
                    Ok(code) => code,
                    // The machine has no clock that threads could read.
                    Err(error) if error.to_string().contains("%clock") => continue,
                    Err(error) => panic!("{error}"),
                };
                let (mut buffers, mut others) = (Vec::new(), Vec::new());
                for param in &code.params {
                    match param.kind {
                        ParamKind::Scalar(ScalarType::U64) => {
                            buffers.push(numbers(seed + buffers.len() as u32, LENGTH));
                        }
                        ParamKind::Scalar(ScalarType::F32) => others.push(Other::Float(0.01)),
                        _ => others.push(Other::Word(5)),
                    }
                }
                // What they wait for: a lock that is free, their own turn, or that all have had theirs.
                if name.contains("lock") || name.contains("prog2") || name.contains("prog3") {
                    buffers[0].fill(0);
                } else if name.contains("prog4") {
                    buffers[0].fill(32);
                }
                let kernel = Kernel::from_code(code);
                let left = launched(&gpu, &kernel, Grid::new(1, 1), &buffers, &others);
                // Some are to spin forever: there all do.
                let left = left.map(|(left, _)| left).map_err(|error| error.to_string().contains("never"));
                let expected = first.get_or_insert_with(|| left.clone());
                assert!(left == *expected, "{name} of {file} with input {seed} does something else");
                compared += 1;
            }
        }
    }
    compared
}

macro_rules! agree {
    ($($name:ident: $stem:literal, $least:literal;)*) => {$(
        #[test]
        fn $name() {
            let compared = check($stem);
            assert!(compared >= $least, "{compared} launches of {}", $stem);
        }
    )*};
}

agree! {
    one_branch: "k01_if", 20;
    short_circuits: "k11_shortcircuit", 30;
    locks: "k16_spinlock", 60;
    safe_locks: "k17_lock_safe", 16;
    programs_of_esop: "k24_esop", 70;
    loops_of_all_kinds: "k30_yield_probe", 200;
    branches_of_all_kinds: "k31_uniform_probe", 180;
}

#[test]
fn each_kernel_runs_or_says_what_it_lacks() {
    let (mut run, mut lack) = (0, 0);
    for (file, module) in corpus("") {
        assert!(module.unsupported().is_empty(), "{file}: {:?}", module.unsupported());
        for name in module.kernels() {
            match module.code(name) {
                Ok(_) => run += 1,
                Err(error) => {
                    assert!(error.to_string().contains("%clock"), "{error}");
                    lack += 1;
                }
            }
        }
    }
    assert!(run >= 100 && lack <= 5, "{run} run, {lack} do not");
}
