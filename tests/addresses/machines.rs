//! Clocks and livelocks.

use crate::kernel;
use simt::host::{Argument, DeviceMemory, call};
use simt::policy::Ipdom;
use simt::{Gpu, GpuConfig, Grid, LaunchError, Report};

/// By index and by address: what the clock counts is the same.
#[test]
fn coalescing_is_that_of_slices() {
    let run = |stride: usize| -> (Report, Report) {
        let gpu = Gpu::<Ipdom>::new(GpuConfig::fermi());
        let slices = kernel(&format!(
            "kernel k(x: &mut [u32])
            .reg usize %i, u32 %v
                mul.usize %i, global_id(), {stride}
                ld.u32    %v, x[%i]
                add.u32   %v, %v, 1
                st.u32    x[%i], %v
                exit"
        ));
        let mut x = vec![1u32; 256 * stride];
        let by_index = gpu.launch(Grid::new(4, 64), call(&slices, vec![Argument::slice_mut(&mut x)])).expect("it runs");
        let addresses = kernel(&format!(
            "kernel k(x: u64)
            .reg usize %i, u64 %a, u32 %v
                mul.usize     %i, global_id(), {stride}
                cvt.u64.usize %a, %i
                mad.u64       %a, %a, 4, x
                ld.global.u32 %v, [%a]
                add.u32       %v, %v, 1
                st.global.u32 [%a], %v
                exit"
        ));
        let mut memory = DeviceMemory::new();
        let p = memory.upload(&vec![1u32; 256 * stride]).expect("room");
        let call = call(&addresses, vec![Argument::scalar(p)]).with_memory(&mut memory);
        let by_address = gpu.launch(Grid::new(4, 64), call).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(memory.read::<u32>(p, 256 * stride).expect("written"), x);
        (by_index, by_address)
    };
    for (stride, transactions) in [(1, 1.0), (2, 2.0), (32, 32.0)] {
        let (slices, addresses) = run(stride);
        let figures = |report: &Report| {
            let clock = report.clock().expect("it has one");
            (clock.requests(), clock.transactions_per_request())
        };
        assert_eq!(figures(&slices), figures(&addresses));
        let (_, loads) = figures(&addresses);
        assert!(loads >= transactions, "{stride}: {loads}");
    }
}

/// Lanes in one bank take a pass each, through shared and through generic addresses; guarded-off lanes take none.
#[test]
fn banks_are_those_of_arrays() {
    let cycles = |stride: u32, space: &str, guard: &str| {
        // Warps enough that what one asks of the banks is what the others wait for.
        let kernel = kernel(&format!(
            "kernel k()
            .shared tile: 8192 align 4
            .reg u32 %i, %v, %n, u64 %a, bool %p, %more
                cvt.u32.usize %i, lane_id()
                lt.u32        %p, %i, 1
                mul.u32       %v, %i, {stride}
                cvt.u64.u32   %a, %v
                mad.u64       %a, %a, 4, &tile
                {convert}
                mov.u32       %n, 0
            LOOP:
            {guard} st.{space}.u32 [%a], %i
                add.u32       %n, %n, 1
                lt.u32        %more, %n, 100
            @%more bra LOOP
                exit",
            convert = if space == "generic" { "cvta.shared %a, %a" } else { "mov.u64 %a, %a" },
        ));
        let report = Gpu::<Ipdom>::new(GpuConfig::fermi()).launch(Grid::new(1, 256), call(&kernel, Vec::new()));
        report.unwrap_or_else(|error| panic!("{error}")).cycles().expect("it has a clock")
    };
    for space in ["shared", "generic"] {
        let (one, many) = (cycles(1, space, ""), cycles(32, space, ""));
        assert!(many > one + 100 * 8 * 20, "{space}: {one} {many}");
        let guarded = cycles(32, space, "@%p");
        assert!(guarded <= one, "{space}: {one} {guarded}");
    }
}

/// An access that no lane executes is issued, and nothing waits for it.
#[test]
fn lanes_that_are_guarded_off_ask_nothing_of_memory() {
    let run = |space: &str, below: u32| {
        let kernel = kernel(&format!(
            "kernel k(x: u64)
            .shared tile: 4096 align 4
            .reg u32 %i, %v, u64 %a, bool %p
                cvt.u32.usize %i, lane_id()
                lt.u32        %p, %i, {below}
                cvt.u64.u32   %a, %i
                mad.u64       %a, %a, 128, {base}
            @%p st.{space}.u32 [%a], %i
                mov.u32       %v, 0
            @%p ld.{space}.u32 %v, [%a]
                add.u32       %v, %v, 1
                exit",
            base = if space == "shared" { "&tile" } else { "x" },
        ));
        let configs = [GpuConfig::fermi(), GpuConfig::turing()];
        configs.map(|config| {
            let mut memory = DeviceMemory::new();
            let x = memory.alloc(4096).expect("room");
            let call = call(&kernel, vec![Argument::scalar(x)]).with_memory(&mut memory);
            let report = Gpu::<Ipdom>::new(config).launch(Grid::new(1, 32), call);
            let report = report.unwrap_or_else(|error| panic!("{error}"));
            let clock = report.clock().expect("it has one");
            (clock.requests(), clock.transactions_per_request())
        })
    };
    for space in ["global", "generic"] {
        assert_eq!(run(space, 0), [(0, 0.0); 2], "{space}");
        assert_eq!(run(space, 7), [(2, 7.0); 2], "{space}");
    }
    assert_eq!(run("shared", 0), [(0, 0.0); 2]);
}

/// A lock by address that is never given: proved as one in a slice is.
#[test]
fn a_livelock_by_address_is_found() {
    let kernel = kernel(
        "kernel k(x: u64)
        .reg u32 %old, bool %taken
        SPIN:
            atom.global.u32.compare_exchange.acquire %old, [x], 0, 1
            ne.u32 %taken, %old, 0
        @%taken bra SPIN
            exit",
    );
    let mut memory = DeviceMemory::new();
    let x = memory.upload(&[1u32]).expect("room");
    let call = call(&kernel, vec![Argument::scalar(x)]).with_memory(&mut memory);
    let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 32), call).expect_err("the lock is taken");
    let LaunchError::Livelock(livelock) = &error else { panic!("{error}") };
    assert!(livelock.proof.is_proved(), "{error}");
    assert_eq!(memory.read::<u32>(x, 1).expect("written"), [1]);
}
