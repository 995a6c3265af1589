//! Pointers that are those of no function that a call may call.

use super::{CALL, OPERATORS, check, fails};

#[test]
fn what_no_list_names_is_not_called() {
    fails(
        OPERATORS,
        "some: .calltargets product, sum;
        mov.u64 %rd3, sum;
        mov.u64 %rd4, product;
        setp.eq.u32 %p1, %r1, 3;
        @%p1 mov.u64 %rd3, difference;
        call (%r3), %rd3, (%r1, 10), some;",
        &[
            "those are `sum` (0x500000000), `product` (0x500000010); others are `difference` (0x500000020)",
            "thread (3, 0, 0)",
        ],
    );
}

/// The address of a function is that of all kernels of a module, and may go through memory and arguments.
#[test]
fn wrong_pointers_end_the_launch() {
    let from = |pointer: &str| format!("mov.u64 %rd4, sum;\nmov.u64 %rd5, product;\n{pointer}\n{CALL}");
    let message = "is the address of no function that `prototype_0` (PTX line 52) describes: those are `sum` (0x500000000), `product` (0x500000010)";
    let place = "ptx:53:9";
    fails(OPERATORS, &from("mov.u64 %rd3, 0;"), &["call of 0x0, which", message, "thread (0, 0, 0)", place]);
    // The memory of the kernel's argument, an address between two functions, and one behind the last.
    fails(OPERATORS, &from("mov.u64 %rd3, %rd1;"), &["call of 0x7f0000000000, which", message, place]);
    fails(OPERATORS, &from("add.u64 %rd3, %rd4, 8;"), &["call of 0x500000008, which", message, place]);
    fails(OPERATORS, &from("add.u64 %rd3, %rd5, 16;"), &["call of 0x500000020, which", message, place]);
    fails(OPERATORS, &from("sub.u64 %rd3, %rd4, 16;"), &["call of 0x4fffffff0, which", message, place]);
    let some = "mov.u64 %rd3, %rd5;\nsetp.eq.u32 %p1, %r1, 9;\n@%p1 mov.u64 %rd3, 1;";
    fails(OPERATORS, &from(some), &["call of 0x1, which", "thread (9, 0, 0)"]);
}

#[test]
fn a_prototype_that_no_function_has_ends_the_launch() {
    let body = "mov.u64 %rd3, sum;
        proto: .callprototype (.param .b32 _) _ (.param .b64 _);
        setp.ge.u32 %p1, %r1, LIMIT;
        mov.u32 %r3, 5;
        @%p1 call (%r3), %rd3, (%rd1), proto;";
    check(OPERATORS, &body.replace("LIMIT", "32"), |_| 5);
    let said = "call of 0x500000000, which is the address of no function that `proto` (PTX line 43) describes: the module takes the \
                address of none; others are `sum` (0x500000000)";
    fails(OPERATORS, &body.replace("LIMIT", "4"), &[said, "thread (4, 0, 0)"]);
}

#[test]
fn a_function_is_no_memory() {
    fails(
        OPERATORS,
        "mov.u64 %rd3, sum;\nld.u32 %r3, [%rd3];",
        &["4 bytes at 0x500000000 of global memory are no memory: nothing lies there"],
    );
}
