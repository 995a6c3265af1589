//! Long chains of device functions, each called by the one before.

use simt::core::build::{ArrayMut, Builder, Definition, OnlyKernelsCallThis, SliceMut};
use simt::host::{Argument, Kernel};
use simt::prelude::*;

/// Declares functions that call each other, the first the second and so on.
macro_rules! chain {
    ($first:ident) => {
        #[device]
        fn $first(n: u32) -> u32 {
            n
        }
    };
    ($first:ident $second:ident $($other:ident)*) => {
        #[device]
        fn $first(n: u32) -> u32 {
            $second(n + 1) * 3
        }
        chain!($second $($other)*);
    };
}
chain!(
    f00 f01 f02 f03 f04 f05 f06 f07 f08 f09 f10 f11 f12 f13 f14 f15 f16 f17 f18 f19 f20 f21 f22 f23 f24 f25 f26 f27 f28 f29
    f30 f31 f32 f33 f34 f35 f36 f37 f38 f39 f40 f41 f42 f43 f44 f45 f46 f47 f48 f49 f50 f51 f52 f53 f54 f55 f56 f57 f58 f59
    f60 f61 f62 f63 f64 f65 f66 f67 f68 f69 f70 f71 f72 f73 f74 f75 f76 f77 f78 f79
);

#[kernel]
fn of_eighty(out: &mut [u32]) {
    out[global_id()] = f00(global_id() as u32);
}

#[test]
fn eighty_functions_call_each_other() {
    let factor = 3_u32.wrapping_pow(79);
    for_each_policy!(P => {
        let mut out = [0; 6];
        Gpu::<P>::default().launch(Grid::new(1, 6), of_eighty(&mut out)).expect("a launch");
        assert_eq!(out, [0, 1, 2, 3, 4, 5].map(|i: u32| (i + 79).wrapping_mul(factor)));
    });
}

/// Builds a function that adds 1 and calls the next one, which gets an array of its own: so it is another function.
fn link(k: &Builder, left: u32, out: SliceMut<u32>, own: ArrayMut<u32, 1>) {
    const LINK: Definition = Definition { name: "link", file: "chains.rs", first_line: 1, text: "", spans: "" };
    let mut call = k.function(0, std::convert::identity::<OnlyKernelsCallThis<'_>>).begin();
    let out = call.slice_mut::<u32>(out);
    call.slice::<u32>(own);
    let called = call.emit::<(), _>(link, &LINK, move |k, _| {
        k.add_at(0, out, 1, 0);
        if left > 1 {
            let own = k.array::<[u32; 1]>(0, "own");
            link(k, left - 1, out, own);
        }
    });
    k.evaluate::<()>(0, called);
}

fn of_links(links: u32) -> Kernel {
    let k = Builder::new("chained", "chains.rs", 1, "", "");
    let out = k.slice_mut::<u32>(0, "out");
    let own = k.array::<[u32; 1]>(0, "own");
    link(&k, links, out, own);
    Kernel::from_program(k.finish())
}

#[test]
fn a_kernel_has_a_thousand_functions() {
    let kernel = of_links(1000);
    let mut out = [0];
    let call = simt::host::call(&kernel, vec![Argument::slice_mut(&mut out)]);
    let gpu = Gpu::<Ipdom>::default();
    gpu.launch(Grid::new(1, 1), call).expect("a launch");
    assert_eq!(out, [1000]);
}

#[test]
fn a_thousand_and_one_functions_are_an_error_that_names_the_chain() {
    let kernel = of_links(1001);
    let problems: Vec<&str> = kernel.program().problems.iter().map(|(_, problem)| &**problem).collect();
    assert_eq!(
        problems,
        [
            "a kernel has at most 1000 device functions; chained -> link -> link_2 -> .. 995 others .. -> link_998 -> link_999 \
          -> link_1000 -> link is one more: calls that lead back to it pass an array of their own, and a function is made \
          for each array: pass values"
        ]
    );
    assert!(kernel.validated().is_err());
}

#[device]
fn endless(n: u32, x: &mut [u32]) -> u32 {
    let mut own = [n; 4];
    x[0] = n;
    if n == 0 { own[0] } else { endless(n - 1, &mut own) }
}

#[kernel]
fn of_endless(out: &mut [u32]) {
    out[0] = endless(3, out);
}

#[test]
fn a_function_that_passes_its_own_array_to_itself_is_told_so() {
    let mut out = [0];
    let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 1), of_endless(&mut out)).unwrap_err().to_string();
    assert!(error.contains("of_endless -> endless -> endless_2 -> .. 995 others .. -> endless_998"), "{error}");
    assert!(error.contains("calls that lead back to it pass an array of their own"), "{error}");
    assert!(error.contains("tests/kernels/chains.rs:"), "{error}");
}
