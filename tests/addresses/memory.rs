//! The memory of a device as the host sees it.

use crate::kernel;
use simt::error::{AddressProblem, DeviceMemoryError};
use simt::host::{Argument, DeviceMemory, call};
use simt::policy::Ipdom;
use simt::{Gpu, Grid};

#[track_caller]
fn problem<T: std::fmt::Debug>(result: Result<T, DeviceMemoryError>) -> AddressProblem {
    match result.expect_err("it cannot be") {
        DeviceMemoryError::Access(bad) => bad.problem,
        other => panic!("{other}"),
    }
}

#[test]
fn what_is_written_is_read() {
    let mut memory = DeviceMemory::new();
    let x = memory.upload(&[1.5f64, -2.0]).expect("room");
    assert_eq!(memory.read::<f64>(x, 2).expect("written"), [1.5, -2.0]);
    memory.write(x + 8, &[7u16, 8]).expect("there");
    assert_eq!(memory.read_bytes(x + 8, 4).expect("written"), [7, 0, 8, 0]);
    memory.fill(x, 0xff, 3).expect("there");
    memory.copy(x + 1, x, 3).expect("there");
    assert_eq!(memory.read_bytes(x, 4).expect("written"), [0xff; 4]);
    let flags = memory.upload(&[true, false]).expect("room");
    assert_eq!((memory.read_bytes(flags, 2), memory.read::<bool>(flags, 2)), (Ok(vec![1, 0]), Ok(vec![true, false])));
    assert_eq!(memory.taken(), 18);
    assert!(memory.read::<u32>(0, 0).expect("nothing").is_empty());
}

#[test]
fn the_same_requests_give_the_same_addresses() {
    let addresses = || {
        let mut memory = DeviceMemory::new();
        let first = [memory.alloc(1), memory.alloc_aligned(10, 1 << 16), memory.alloc(0)];
        let freed = *first[0].as_ref().expect("room");
        memory.free(freed).expect("allocated");
        (first, memory.alloc(1).expect("room"), freed)
    };
    let (first, again, freed) = addresses();
    assert_eq!(addresses(), (first.clone(), again, freed));
    let [a, b, c] = first.map(|address| address.expect("room"));
    assert!(a.is_multiple_of(256) && b.is_multiple_of(1 << 16) && c >= b + 10 + 4096 && again > c);
}

#[test]
fn wrong_accesses_of_the_host_are_errors_that_change_nothing() {
    let mut memory = DeviceMemory::new();
    let x = memory.alloc(8).expect("room");
    assert_eq!(problem(memory.read::<u32>(x, 1)), AddressProblem::Unwritten { first: x });
    memory.write(x, &[1u32]).expect("there");
    assert_eq!(problem(memory.read::<u64>(x, 1)), AddressProblem::Unwritten { first: x + 4 });
    assert_eq!(problem(memory.write(x + 4, &[1u64])), AddressProblem::OutOfBounds);
    assert_eq!(problem(memory.write(x - 1, &[1u8])), AddressProblem::OutOfBounds);
    assert_eq!(problem(memory.fill(x, 0, usize::MAX)), AddressProblem::OutOfBounds);
    assert_eq!(problem(memory.read::<u8>(16, 1)), AddressProblem::Wild);
    assert_eq!(problem(memory.copy(x, x + 4, 2)), AddressProblem::Unwritten { first: x + 4 });
    assert_eq!(memory.read::<u32>(x, 1).expect("written"), [1]);
    let error = memory.write(x + 20, &[1u32]).expect_err("behind the end").to_string();
    assert!(error.contains("the access begins 12 bytes behind its end"), "{error}");
    assert!(error.contains("allocated at tests/addresses/memory.rs:"), "{error}");
    memory.free(x).expect("allocated");
    assert_eq!(problem(memory.read::<u32>(x, 1)), AddressProblem::Freed);
    let twice = memory.free(x).expect_err("it is free");
    assert!(matches!(twice, DeviceMemoryError::NotAllocated { .. }), "{twice}");
    assert!(twice.to_string().contains("freed at tests/addresses/memory.rs:"), "{twice}");
    let other = memory.alloc(8).expect("room");
    assert!(memory.free(other + 4).is_err() && memory.free(0).is_err());
}

#[test]
fn memory_is_as_large_as_was_said() {
    let mut memory = DeviceMemory::with_capacity(100);
    let x = memory.alloc(60).expect("room");
    let error = memory.alloc(41).expect_err("no room");
    assert_eq!(error, DeviceMemoryError::Full { asked: 41, capacity: 100, left: 40 });
    memory.free(x).expect("allocated");
    memory.alloc(100).expect("room again");
    assert!(matches!(memory.alloc_aligned(0, 3), Err(DeviceMemoryError::Alignment { align: 3 })));
    let huge = DeviceMemory::with_capacity(u64::MAX).alloc(u64::MAX / 2);
    assert!(matches!(huge, Err(DeviceMemoryError::Full { .. })), "{huge:?}");
}

#[test]
fn a_failed_launch_leaves_memory_as_it_was() {
    let kernel = kernel(
        "kernel fails(x: u64, y: u64, limit: u32)
        .global fresh: 4 align 4 = \"01000000\"
        .reg u64 %at, u32 %i, %v, bool %last
            cvt.u64.usize %at, global_id()
            mad.u64       %at, %at, 4, x
            cvt.u32.usize %i, global_id()
            st.global.u32 [%at], %i
            st.global.u32 [y], %i
            atom.global.u32.fetch_add.relaxed [&fresh], 1
            ge.u32        %last, %i, limit
        @%last st.global.u32 [0], %i
            exit",
    );
    everywhere!(|gpu| {
        let mut memory = DeviceMemory::new();
        let x = memory.alloc(12_000).expect("room");
        memory.write(x + 4, &[5u32, 6]).expect("there");
        let y = memory.alloc(4).expect("room");
        let before = memory.clone();
        let launch = |memory: &mut DeviceMemory, limit: u32| {
            let arguments = vec![Argument::scalar(x), Argument::scalar(y), Argument::scalar(limit)];
            gpu.launch(Grid::new(30, 100), call(&kernel, arguments).with_memory(memory)).map(|_| ())
        };
        let same = |memory: &DeviceMemory| {
            assert_eq!(memory.read_bytes(x + 4, 8), before.read_bytes(x + 4, 8));
            assert_eq!(problem(memory.read_bytes(x, 4)), AddressProblem::Unwritten { first: x });
            assert_eq!(problem(memory.read_bytes(x + 11_996, 4)), AddressProblem::Unwritten { first: x + 11_996 });
            assert!(memory.read_bytes(y, 4).is_err());
            assert_eq!((memory.symbol("fresh"), memory.taken()), (None, before.taken()));
        };
        launch(&mut memory, 2_999).expect_err("the last thread fails");
        same(&memory);
        launch(&mut memory, 3_000).expect("none fails");
        let expected: Vec<u32> = (0..3000).collect();
        assert_eq!(memory.read::<u32>(x, 3000).expect("written"), expected);
        let fresh = memory.symbol("fresh").expect("declared");
        assert_eq!(memory.read::<u32>(fresh, 1).expect("written"), [3001]);
        // What the last launch did stays when the next one fails.
        memory.write(x, &[9u32]).expect("there");
        launch(&mut memory, 0).expect_err("all fail");
        assert_eq!(memory.read::<u32>(x, 2).expect("written"), [9, 1]);
        assert_eq!(memory.read::<u32>(fresh, 1).expect("written"), [3001]);
    });
}

#[test]
fn codes_that_declare_one_symbol_in_two_ways_cannot_share_a_memory() {
    let with = |size: u32| kernel(&format!("kernel k()\n.global s: {size} align 4\nexit"));
    let mut memory = DeviceMemory::new();
    let gpu = Gpu::<Ipdom>::default();
    gpu.launch(Grid::new(1, 1), call(&with(4), Vec::new()).with_memory(&mut memory)).expect("the first");
    let other = gpu.launch(Grid::new(1, 1), call(&with(8), Vec::new()).with_memory(&mut memory));
    let error = other.expect_err("another size").to_string();
    assert!(error.contains("`s` is declared with 8 bytes, and was declared with 4"), "{error}");
}

#[test]
fn what_the_machine_has_not_is_refused() {
    let large = kernel("kernel k()\n.shared s: 1000000000 align 4\nexit");
    let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 1), call(&large, Vec::new())).expect_err("too large");
    assert!(error.to_string().contains("more than the") && error.line() == Some(2), "{error}");
    let two = kernel("kernel k(p: bytes 8 align 8)\nexit");
    let launch = |argument| Gpu::<Ipdom>::default().launch(Grid::new(1, 1), call(&two, vec![argument]));
    launch(Argument::bytes([0; 8])).expect("as many as it wants");
    let error = launch(Argument::bytes([0; 4])).expect_err("too few").to_string();
    assert!(error.contains("bytes 8 align 8") && error.contains("4 bytes by value"), "{error}");
    assert!(launch(Argument::scalar(1u64)).is_err());
}
