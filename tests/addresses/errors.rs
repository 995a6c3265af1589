//! Each way in which an access by address can be wrong, as the user reads it.

use crate::kernel;
use simt::error::{AddressProblem, BadAccess, FaultKind};
use simt::host::{Argument, DeviceMemory, call};
use simt::policy::Ipdom;
use simt::{Gpu, Grid, LaunchError};

/// Launches one thread, which executes a line, on an allocation `x` of 64 bytes whose first 32 are written, a freed one `f`
/// and nothing else; checks that it fails under every policy, and returns the error.
#[track_caller]
fn error(line: &str) -> (Box<BadAccess>, String) {
    let text = format!(
        "kernel wrong(x: u64, f: u64, p: bytes 8 align 8)
        .shared tile: 16 align 4
        .local own: 16 align 4
        .const table: 4 align 4
        .reg u64 %a, u32 %v
            mov.u32 %v, 1
            cvta.const %a, &table
            {line}
            exit"
    );
    let kernel = kernel(&text);
    let mut found = None;
    everywhere!(|gpu| {
        let mut memory = DeviceMemory::new();
        let x = memory.alloc(64).expect("room");
        memory.fill(x, 0, 32).expect("there");
        let freed = memory.alloc(16).expect("room");
        memory.free(freed).expect("allocated");
        let arguments = vec![Argument::scalar(x), Argument::scalar(freed), Argument::bytes([0; 8])];
        let failed = gpu.launch(Grid::new(1, 1), call(&kernel, arguments).with_memory(&mut memory));
        let error = failed.expect_err("it is wrong");
        assert_eq!((error.kernel(), error.line()), ("wrong", Some(8)), "{error}");
        let text = error.to_string();
        let LaunchError::Fault(fault) = error else { panic!("{text}") };
        let FaultKind::Address(bad) = fault.kind else { panic!("{text}") };
        let (bad, text) = found.get_or_insert((bad.clone(), text)).clone();
        assert_eq!(Some(&bad), found.as_ref().map(|(bad, _)| bad), "{text}");
    });
    found.expect("there are policies")
}

#[track_caller]
fn check(line: &str, problem: AddressProblem, parts: &[&str]) {
    let (bad, text) = error(line);
    assert_eq!(bad.problem, problem, "{text}");
    // An atomic operation reads what it writes.
    let reads = line.starts_with("ld") || matches!(problem, AddressProblem::Unwritten { .. });
    assert_eq!(bad.write, !reads, "{text}");
    for part in parts.iter().chain(&["block", "thread", "help"]) {
        assert!(text.contains(part), "`{part}` is not in\n{text}");
    }
}

#[test]
fn global_accesses() {
    let allocated = "allocated at tests/addresses/errors.rs:";
    let x = 0x7f00_0000_0000_u64;
    check(
        "ld.global.u32 %v, [x+64]",
        AddressProblem::OutOfBounds,
        &[
            "4 bytes at 0x7f0000000040 of global memory are out of bounds: beyond the end of the allocation",
            "the allocation has 64 bytes from 0x7f0000000000 on; the access begins 0 bytes behind its end",
            allocated,
        ],
    );
    check("st.global.u32 [x+72], %v", AddressProblem::OutOfBounds, &["begins 8 bytes behind its end", allocated]);
    check(
        "st.global.u32 [x-4], %v",
        AddressProblem::OutOfBounds,
        &["are out of bounds: before the allocation", allocated],
    );
    check(
        "ld.global.u32 %v, [x+2]",
        AddressProblem::Misaligned,
        &["are misaligned: the address is no multiple of 4", "the access begins 2 bytes from its beginning", allocated],
    );
    check(
        "ld.global.u32 %v, [x+32]",
        AddressProblem::Unwritten { first: x + 32 },
        &["are read, but nothing has been written at 0x7f0000000020", allocated],
    );
    check("ld.global.u8.u32 %v, [x+33]", AddressProblem::Unwritten { first: x + 33 }, &["1 byte at"]);
    check("atom.global.u32.fetch_add.relaxed [x+32], 1", AddressProblem::Unwritten { first: x + 32 }, &[allocated]);
    check("atom.global.u32.fetch_add.relaxed [x+64], 1", AddressProblem::OutOfBounds, &[allocated]);
    check("st.global.u32 [f], %v", AddressProblem::Freed, &["have been freed", "freed at tests/addresses/errors.rs:"]);
    check("ld.global.u32 %v, [4]", AddressProblem::Wild, &["next to null, are no memory"]);
    check(
        "ld.generic.u32 %v, [0]",
        AddressProblem::Wild,
        &["next to null, are no memory", "`with_memory(&mut memory)`"],
    );
    check("ld.global.u32 %v, [4611686018427387904]", AddressProblem::Wild, &["are no memory: nothing lies there"]);
    check("ld.global.u64 %a, [18446744073709551608]", AddressProblem::Wild, &["0xfffffffffffffff8"]);
}

#[test]
fn accesses_of_windows() {
    check(
        "ld.shared.u32 %v, [&tile+4]",
        AddressProblem::Unwritten { first: 4 },
        &["nothing has been written at 0x4", "`tile` has 16 bytes"],
    );
    check("st.shared.u32 [&tile+16], %v", AddressProblem::OutOfBounds, &["beyond the end of `tile`"]);
    check("st.shared.u32 [4000000], %v", AddressProblem::Wild, &["of shared memory are no memory"]);
    check("ld.local.u32 %v, [&own+16]", AddressProblem::OutOfBounds, &["of local memory"]);
    check("st.local.u32 [&own-4], %v", AddressProblem::OutOfBounds, &["before `own`", "byte before it"]);
    check(
        "ld.local.u32 %v, [&own+14]",
        AddressProblem::OutOfBounds,
        &["beyond the end of `own`", "begins 14 bytes from its beginning"],
    );
    check("ld.param.u32 %v, [&p+8]", AddressProblem::OutOfBounds, &["beyond the end of `p`"]);
    check(
        "ld.const.u32 %v, [&table+4]",
        AddressProblem::OutOfBounds,
        &["of const memory", "beyond the end of `table`"],
    );
    check("st.generic.u32 [%a], %v", AddressProblem::ReadOnly, &["threads only read that space"]);
    check("ld.generic.u16.u32 %v, [%a+1]", AddressProblem::Misaligned, &["of const memory"]);
}

#[test]
fn the_lowest_lane_that_executes_is_named() {
    let kernel = kernel(
        "kernel lanes(x: u64)
        .reg u64 %at, usize %i, bool %p
            mov.usize     %i, global_id()
            cvt.u64.usize %at, %i
            mad.u64       %at, %at, 8, x
            ge.usize      %p, %i, 3
        @%p st.global.u32 [%at], 1
            exit",
    );
    let mut memory = DeviceMemory::new();
    let x = memory.alloc(40).expect("room");
    let call = call(&kernel, vec![Argument::scalar(x)]).with_memory(&mut memory);
    let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 8), call).expect_err("five fit");
    assert_eq!((error.thread().map(|thread| thread.lane), error.line()), (Some(5), Some(7)));
    let text = error.to_string();
    assert!(text.contains("4 bytes at 0x7f0000000028 of global memory are out of bounds"), "{text}");
}
