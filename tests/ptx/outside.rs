//! What does not run, and what is said of it.

use simt::ptx::Module;

/// What is said of a kernel.
fn refused(body: &str) -> String {
    let text = format!(
        ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k()\n{{\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n\
         .reg .b128 %rq<4>;\n{body}\nret;\n}}"
    );
    let module = Module::parse(text).unwrap_or_else(|error| panic!("{error}"));
    module.kernel("k").expect_err("it does not run").to_string()
}

#[test]
fn registers_that_the_machine_does_not_fill() {
    let said = refused("mov.u32 %r1, %clock;\nmov.u32 %r2, %clock;\nmov.u64 %rd1, %globaltimer;\nmov.u32 %r3, %smid;");
    assert_eq!(
        said,
        "error: the file has what is out of scope\n  \
         `%clock` 2 times, first at ptx:9:14: time: without a clock a launch has none, and with one its cycles are in the \
         report and not for kernels to read; remove it\n  \
         `%globaltimer` once, first at ptx:11:15: time: without a clock a launch has none, and with one its cycles are in the \
         report and not for kernels to read; remove it\n  \
         `%smid` once, first at ptx:12:14: multiprocessors: without a clock a launch has none, and with one their figures are \
         in the report; remove it"
    );
}

#[test]
fn values_of_128_bits() {
    let said = refused("mov.b128 %rq1, %rq2;");
    assert!(said.contains("`mov.b128` once, first at ptx:9:1: values of 128 bits: use `.v2.b64`"), "{said}");
}
