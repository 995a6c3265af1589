//! Clocks and races.

use crate::kernel;
use simt::error::FaultKind;
use simt::host::{Argument, DeviceMemory, call};
use simt::policy::Ipdom;
use simt::{Gpu, GpuConfig, Grid, LaunchError, RaceCheck, Report};

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

const RACE: &str = "
    kernel k(x: u64)
    .shared tile: 128 align 4
    .reg u32 %i, %s, %n, %v, u64 %a
        cvt.u32.usize %i, thread_idx().x
        mov.u32       %s, &tile
        mad.u32       %n, %i, 4, %s
        st.shared.u32 [%n], %i
        SYNC
        xor.u32       %v, %i, 1
        mad.u32       %n, %v, 4, %s
        ld.shared.u32 %v, [%n]
        cvt.u64.u32   %a, %i
        mad.u64       %a, %a, 4, x
        st.global.u32 [%a], %v
        exit";

#[test]
fn races_are_found_by_address() {
    let run = |sync: &str, check: RaceCheck| {
        let kernel = kernel(&RACE.replace("SYNC", sync));
        let mut memory = DeviceMemory::new();
        let x = memory.alloc(128).expect("room");
        let call = call(&kernel, vec![Argument::scalar(x)]).with_memory(&mut memory);
        Gpu::<Ipdom>::default().with_race_check(check).launch(Grid::new(1, 32), call)
    };
    run("bar.sync", RaceCheck::Everywhere).unwrap_or_else(|error| panic!("{error}"));
    run("sync_warp", RaceCheck::Everywhere).unwrap_or_else(|error| panic!("{error}"));
    run("mov.u32 %v, 0", RaceCheck::Off).unwrap_or_else(|error| panic!("{error}"));
    let error = run("mov.u32 %v, 0", RaceCheck::Shared).expect_err("nothing orders them");
    let text = error.to_string();
    assert!(text.contains("the byte at 0x4 of shared memory"), "{text}");
    let LaunchError::Fault(fault) = error else { panic!("{text}") };
    let FaultKind::Race(race) = fault.kind else { panic!("{text}") };
    assert!(race.by_address && race.same_warp && race.earlier_write && !race.write && race.index == 4, "{text}");
}

/// Threads that write neighbouring bytes do not race, those that write one do.
#[test]
fn races_are_of_bytes() {
    let run = |shift: u32| {
        let kernel = kernel(&format!(
            "kernel k(x: u64)
            .reg u32 %i, %n, u64 %a
                cvt.u32.usize %i, thread_idx().x
                shr.u32       %n, %i, {shift}
                cvt.u64.u32   %a, %n
                add.u64       %a, %a, x
                st.global.u8.u32 [%a], %i
                exit"
        ));
        let mut memory = DeviceMemory::new();
        let x = memory.alloc(32).expect("room");
        let call = call(&kernel, vec![Argument::scalar(x)]).with_memory(&mut memory);
        Gpu::<Ipdom>::default().with_race_check(RaceCheck::Everywhere).launch(Grid::new(1, 32), call).map(|_| ())
    };
    run(0).unwrap_or_else(|error| panic!("{error}"));
    assert!(run(1).expect_err("two write one byte").to_string().contains("write different values to the byte at"));
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

/// Each thread accesses its element, then that of another thread, by atomics or not.
#[test]
fn atomics_race_with_what_is_none() {
    const ADD: &str = "atom.shared.u32.fetch_add.relaxed [AT], 1";
    const GET: &str = "atom.shared.u32.load.relaxed %v, [AT]";
    const SET: &str = "atom.shared.u32.store.relaxed [AT], 1";
    const LD: &str = "ld.shared.u32 %v, [AT]";
    const ST: &str = "st.shared.u32 [AT], 1";
    const LD_VOLATILE: &str = "ld.shared.u32.volatile %v, [AT]";
    const ST_VOLATILE: &str = "st.shared.u32.volatile [AT], %i";
    let run = |first: &str, sync: &str, then: &str, other: u32| {
        let (first, then) = (first.replace("AT", "%m"), then.replace("AT", "%n"));
        let kernel = kernel(&format!(
            "kernel k()
            .shared tile: 256 align 4
            .reg u32 %i, %m, %n, %v
                cvt.u32.usize %i, thread_idx().x
                mov.u32       %m, &tile
                mad.u32       %m, %i, 4, %m
                mov.u32       %n, &tile
                xor.u32       %v, %i, {other}
                mad.u32       %n, %v, 4, %n
                st.shared.u32 [%m], %i
                bar.sync
                {first}
                {sync}
                {then}
                exit"
        ));
        let launched =
            Gpu::<Ipdom>::default().with_race_check(RaceCheck::Shared).launch(Grid::new(1, 64), call(&kernel, vec![]));
        match launched.map_err(|error| (error.to_string(), error)) {
            Ok(_) => None,
            Err((text, LaunchError::Fault(fault))) => {
                let FaultKind::Race(race) = fault.kind else { panic!("{text}") };
                Some((race.earlier_atomic, race.atomic, text))
            }
            Err((text, _)) => panic!("{text}"),
        }
    };
    for (first, then, races) in [
        (ADD, LD, true),
        (ADD, ST, true),
        (SET, LD, true),
        (GET, ST, true),
        (GET, LD, false),
        (LD, GET, false),
        (LD, ADD, true),
        (ST, ADD, true),
        (ST, GET, true),
        (ADD, ADD, false),
        (SET, GET, false),
        (ADD, LD_VOLATILE, false),
        (ST_VOLATILE, ADD, false),
        (LD_VOLATILE, ST_VOLATILE, true),
        (LD, ST_VOLATILE, true),
    ] {
        for other in [1, 32, 33] {
            let expected = races.then_some((first.starts_with("atom"), then.starts_with("atom")));
            // A warp makes its second access before another makes its first.
            let in_order = |(earlier, now, _)| if other < 32 { (earlier, now) } else { (now, earlier) };
            assert_eq!(run(first, "", then, other).map(in_order), expected, "{first}, {then}, {other}");
            assert!(run(first, "bar.sync", then, other).is_none(), "{first}, {then}, {other}");
        }
    }
    let (.., text) = run(ADD, "", LD, 1).expect("it races");
    assert!(text.contains("is changed by an atomic of one and read by another of the lanes of one warp"), "{text}");
    assert!(text.contains("an atomic of lane 1 changed it here") && text.contains("or let both be atomics"), "{text}");
    let (.., text) = run(ST, "", ADD, 32).expect("it races");
    assert!(text.contains("is changed by an atomic of one and written by another of the threads"), "{text}");
}

/// A counter that the last thread resets, by a plain store; or one that is not the last.
#[test]
fn what_an_atomic_has_seen_is_before_what_its_thread_does() {
    let run = |threads: u32, body: &str, at: u32| {
        let kernel = kernel(&format!(
            "kernel k()
            .shared cell: 8 align 4
            .reg u32 %i, %v, bool %p
                cvt.u32.usize %i, thread_idx().x
                eq.u32        %p, %i, 0
                @%p st.shared.u32 [&cell], 0
                @%p st.shared.u32 [&cell+4], 0
                bar.sync
                {}
                exit",
            body.replace("LAST", &at.to_string())
        ));
        let gpu = Gpu::<Ipdom>::default().with_race_check(RaceCheck::Shared);
        gpu.launch(Grid::new(1, threads), call(&kernel, vec![])).map(|_| ()).map_err(|error| error.to_string())
    };
    let reset = "atom.shared.u32.fetch_add.relaxed %v, [&cell], 1
                eq.u32        %p, %v, LAST
                @%p st.shared.u32 [&cell], 0";
    assert_eq!(run(64, reset, 63), Ok(()));
    let first = run(64, reset, 0).expect_err("those of higher lanes come behind it, in the same issue");
    assert!(first.contains("is changed by an atomic of one and written by another of the lanes"), "{first}");
    assert_eq!(run(32, reset, 31), Ok(()));
    let unseen = "atom.shared.u32.fetch_add.relaxed [&cell+4], 1
                atom.shared.u32.fetch_add.relaxed %v, [&cell], 1
                eq.u32        %p, %v, LAST
                @%p st.shared.u32 [&cell+4], 0";
    assert_eq!(run(64, unseen, 63), Ok(()), "its own of that byte came last, too");
    let relaxed = "eq.u32 %p, %i, 63
                @!%p atom.shared.u32.fetch_add.relaxed [&cell+4], 1
                atom.shared.u32.fetch_add.relaxed %v, [&cell], 1
                @%p st.shared.u32 [&cell+4], 0";
    let relaxed = run(64, relaxed, 0).expect_err("relaxed atomics of another byte order nothing");
    assert!(relaxed.contains("is changed by an atomic of one and written by another"), "{relaxed}");
    let ordered = "eq.u32 %p, %i, 63
                @!%p atom.shared.u32.fetch_add.relaxed [&cell+4], 1
                atom.shared.u32.fetch_add.acqrel %v, [&cell], 1
                @%p st.shared.u32 [&cell+4], 0";
    assert_eq!(run(64, ordered, 0), Ok(()));
}

/// A warp that comes to a barrier and goes on has passed none.
#[test]
fn a_barrier_at_which_none_waits_is_not_between_two_accesses() {
    let run = |barrier: &str| {
        let kernel = kernel(&format!(
            "kernel k()
            .shared cell: 4 align 4
            .reg u32 %i, bool %p
                cvt.u32.usize %i, thread_idx().x
                lt.u32        %p, %i, 32
            @!%p bra READ
                st.shared.u32 [&cell], 1
                exit
            READ:
                {barrier}
                ld.shared.u32 %i, [&cell]
                exit"
        ));
        let gpu = Gpu::<Ipdom>::default().with_race_check(RaceCheck::Shared);
        match gpu.launch(Grid::new(1, 64), call(&kernel, vec![])) {
            Err(LaunchError::Fault(fault)) => match fault.kind {
                FaultKind::Race(race) => race.earlier_returned,
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        }
    };
    assert!(run("bar.sync"));
    assert!(!run("bar.arrive"));
}
