//! Races.

use crate::kernel;
use simt::error::FaultKind;
use simt::host::{Argument, DeviceMemory, Kernel, call};
use simt::policy::Ipdom;
use simt::{Gpu, Grid, LaunchError, RaceCheck};

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
    assert!(text.contains("byte 4 of `tile` is written by one and read by another of the lanes of one warp"), "{text}");
    assert!(text.contains("let them meet at `bar.warp.sync`"), "{text}");
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
    let text = run(1).expect_err("two write one byte").to_string();
    assert!(text.contains("write different values to byte 0 of the allocation at once"), "{text}");
    assert!(text.contains("it was allocated at tests/addresses/races.rs:"), "{text}");
}

/// A launch of so many threads that looks for races in shared memory, or its error.
fn launched(kernel: &Kernel, threads: u32) -> Result<(), String> {
    let gpu = Gpu::<Ipdom>::default().with_race_check(RaceCheck::Shared);
    gpu.launch(Grid::new(1, threads), call(kernel, vec![])).map(|_| ()).map_err(|error| error.to_string())
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
        let volatile = first.contains("volatile") && then.contains("volatile");
        for other in [1, 32, 33] {
            let expected =
                (races && !(volatile && other >= 32)).then_some((first.starts_with("atom"), then.starts_with("atom")));
            // A warp makes its second access before another makes its first.
            let in_order = |(earlier, now, _)| if other < 32 { (earlier, now) } else { (now, earlier) };
            assert_eq!(run(first, "", then, other).map(in_order), expected, "{first}, {then}, {other}");
            assert!(run(first, "bar.sync", then, other).is_none(), "{first}, {then}, {other}");
        }
    }
    let (.., text) = run(ADD, "", LD, 1).expect("it races");
    assert!(text.contains("is changed by an atomic of one and read by another of the lanes of one warp"), "{text}");
    assert!(text.contains("an atomic of lane 1 changed it here") && text.contains("or let both be atomics"), "{text}");
    let (.., text) = run(LD_VOLATILE, "", ST_VOLATILE, 1).expect("it races");
    assert!(text.contains("rely on running in step; a flag is stored by `st.relaxed` and loaded by"), "{text}");
    let (.., text) = run(ST, "", ADD, 32).expect("it races");
    assert!(text.contains("is changed by an atomic of one and written by another of the threads"), "{text}");
}

/// Warp 1 sends a word to warp 0, or to warp 2, by a flag. To PTX a volatile access of the flag is a relaxed one.
#[test]
fn volatile_flags_order_with_fences() {
    let run = |store: &str, sends: &str, load: &str, receives: &str| {
        let kernel = kernel(&format!(
            "kernel k()
            .shared tile: 8 align 4
            .reg u32 %i, %v, %w, bool %p, %q
                cvt.u32.usize %i, thread_idx().x
                eq.u32        %p, %i, 0
                @%p st.shared.u32 [&tile], 0
                bar.sync
                eq.u32        %p, %i, 32
                ne.u32        %q, %i, 0
                @%q bra NOT_FIRST
            SPIN:
                {load}
                eq.u32        %q, %v, 0
                @%q bra SPIN
                {receives}
                ld.shared.u32 %w, [&tile+4]
            NOT_FIRST:
                @%p st.shared.u32 [&tile+4], 7
                @%p {sends}
                @%p {store}
                exit"
        ));
        launched(&kernel, 64)
    };
    let (store, load) = ("st.shared.u32.volatile [&tile], 1", "ld.shared.u32.volatile %v, [&tile]");
    let nothing = "mov.u32 %w, 0";
    assert_eq!(run(store, "fence_block", load, "fence_block"), Ok(()));
    for (sends, receives) in [("fence_block", nothing), (nothing, "fence_block"), (nothing, nothing)] {
        let race = run(store, sends, load, receives).expect_err("one fence is missing");
        assert!(race.contains("byte 4 of `tile` is written by one and read by another of the threads"), "{race}");
        assert!(
            race.contains("or let a lock or flag order them, that the one stores by `st.release` or behind a"),
            "{race}"
        );
    }
    let plain = run("st.shared.u32 [&tile], 1", "fence_block", load, "fence_block").expect_err("the store is plain");
    assert!(plain.contains("[simt::race]"), "{plain}");
    let acquired = "atom.shared.u32.load.acquire %v, [&tile]";
    assert_eq!(run(store, "fence_block", acquired, nothing), Ok(()));
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
        launched(&kernel, threads)
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
    assert!(relaxed.contains("or let a lock or flag order them"), "{relaxed}");
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

/// What a register has above the 32 bits that are stored is not stored.
#[test]
fn values_are_compared_as_they_are_stored() {
    let kernel = kernel(
        "kernel k(x: u64)
        .reg u64 %i
            cvt.u64.usize %i, thread_idx().x
            shl.u64       %i, %i, 32
            st.global.u32.u64 [x], %i
            exit",
    );
    let mut memory = DeviceMemory::new();
    let x = memory.alloc(32).expect("room");
    let call = call(&kernel, vec![Argument::scalar(x)]).with_memory(&mut memory);
    let gpu = Gpu::<Ipdom>::default().with_race_check(RaceCheck::Everywhere);
    gpu.launch(Grid::new(1, 64), call).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(memory.read::<u32>(x, 1).expect("written"), [0]);
}

/// A volatile store has seen nothing, a volatile load has.
#[test]
fn a_volatile_load_is_before_what_its_thread_does() {
    let run = |then: &str| {
        let kernel = kernel(&format!(
            "kernel k()
            .shared cell: 4 align 4
            .reg u32 %i, %v, bool %p, %q
                cvt.u32.usize %i, thread_idx().x
                eq.u32        %p, %i, 0
                @%p st.shared.u32 [&cell], 0
                bar.sync
                eq.u32        %q, %i, 32
                @%p st.shared.u32.volatile [&cell], 1
                @%q {then}
                @%q ld.shared.u32 %v, [&cell]
                exit"
        ));
        launched(&kernel, 64)
    };
    assert_eq!(run("ld.shared.u32.volatile %v, [&cell]"), Ok(()));
    let unseen = run("st.shared.u32.volatile [&cell], 2").expect_err("it has seen nothing");
    assert!(unseen.contains("byte 0 of `cell` is written by one and read by another of the threads"), "{unseen}");
}

/// A flag of 64 bits, of which only the upper half is looked at.
#[test]
fn a_flag_is_of_all_its_words() {
    let kernel = kernel(
        "kernel k()
        .shared tile: 16 align 8
        .reg u32 %i, %v, u64 %w, bool %p, %q
            cvt.u32.usize %i, thread_idx().x
            eq.u32        %p, %i, 0
            mov.u64       %w, 0
            @%p st.shared.u64 [&tile], %w
            bar.sync
            eq.u32        %q, %i, 32
            @%p bra SPIN
            mov.u64       %w, 4294967296
            @%q st.shared.u32 [&tile+8], 7
            @%q fence_block
            @%q st.shared.u64.volatile [&tile], %w
            bra END
        SPIN:
            ld.shared.u32.volatile %v, [&tile+4]
            eq.u32        %q, %v, 0
            @%q bra SPIN
            fence_block
            ld.shared.u32 %v, [&tile+8]
        END:
            exit",
    );
    launched(&kernel, 64).unwrap_or_else(|error| panic!("{error}"));
}
