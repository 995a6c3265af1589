//! Races between threads of different blocks, by address.

use crate::kernel;
use simt::environment::{EnvironmentConfig, MemoryModel};
use simt::host::{Argument, DeviceMemory, call};
use simt::policy::{Ipdom, Mimd};
use simt::{Gpu, GpuConfig, Grid, LaunchError, RaceCheck, Report};

/// The last block adds up what all have written, and sets the counter back (the CUDA samples' `threadFenceReduction`).
const LAST: &str = "
    kernel last(x: u64, count: u64, total: u64)
    .shared is_last: 4 align 4
    .reg u32 %i, %b, %n, %v, %sum, u64 %a, bool %p
        cvt.u32.usize %i, thread_idx().x
        cvt.u32.usize %b, block_idx().x
        mad.u32       %n, %b, 32, %i
        cvt.u64.u32   %a, %n
        mad.u64       %a, %a, 4, x
        st.global.u32 [%a], %n
        bar.sync
        eq.u32    %p, %i, 0
        @!%p bra WAIT
        BEFORE
        atom.global.u32.fetch_add.relaxed %v, [count], 1
        AFTER
        st.shared.u32 [&is_last], %v
    WAIT:
        bar.sync
        ld.shared.u32 %v, [&is_last]
        ne.u32    %p, %v, 3
        @%p exit
        mov.u32       %sum, 0
        mov.u32       %b, 0
    NEXT:
        mad.u32       %n, %b, 32, %i
        cvt.u64.u32   %a, %n
        mad.u64       %a, %a, 4, x
        ld.global.u32 %v, [%a]
        add.u32       %sum, %sum, %v
        add.u32       %b, %b, 1
        lt.u32    %p, %b, 4
        @%p bra NEXT
        cvt.u64.u32   %a, %i
        mad.u64       %a, %a, 4, total
        st.global.u32 [%a], %sum
        eq.u32    %p, %i, 0
        @!%p exit
        st.global.u32 [count], 0
        exit";

fn run(gpu: &Gpu<impl simt::policy::Policy>, before: &str, after: &str) -> Result<(Report, Vec<u32>), LaunchError> {
    let kernel = kernel(&LAST.replace("BEFORE", before).replace("AFTER", after));
    let mut memory = DeviceMemory::new();
    let [x, count, total] = [512, 4, 128].map(|bytes| memory.alloc(bytes).expect("room"));
    memory.write(count, &[0_u32]).expect("room");
    let arguments = [x, count, total].map(Argument::scalar).into();
    let call = call(&kernel, arguments).with_memory(&mut memory);
    let report = gpu.clone().with_race_check(RaceCheck::Grid).launch(Grid::new(4, 32), call)?;
    assert_eq!(memory.read::<u32>(count, 1).expect("written"), [0]);
    Ok((report, memory.read(total, 32).expect("written")))
}

#[test]
fn a_block_acquires_what_others_have_released() {
    fn check(gpu: &Gpu<impl simt::policy::Policy>) {
        let (device, block) = ("fence_device", "fence_block");
        let (_, total) = run(gpu, device, device).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(total, (0..32).map(|i| 192 + 4 * i).collect::<Vec<u32>>());
        for (before, after) in [("", device), (device, ""), (block, device), (device, block)] {
            let error = run(gpu, before, after).expect_err("a race").to_string();
            let title = "is written by a thread of one block and read by one of another, which nothing orders";
            assert!(error.contains(title) && error.contains("`membar.gl`"), "{error}");
        }
    }
    check(&Gpu::<Ipdom>::default());
    check(&Gpu::<Mimd>::default().with_warp_width(8));
    check(&Gpu::<Ipdom>::new(GpuConfig::turing()));
    let memory = MemoryModel::Environment(EnvironmentConfig::default());
    check(&Gpu::<Ipdom>::new(GpuConfig { memory, ..GpuConfig::functional() }));
}

/// A launch of two blocks of so many threads, each of which does something else to the words from `x` on.
fn of_two(first: &str, second: &str, arrays: &str, threads: usize) -> Result<(), LaunchError> {
    let kernel = kernel(&format!(
        "kernel k(x: u64)
        {arrays}
        .reg u32 %v, bool %p
            eq.usize %p, block_idx().x, 0
            @%p bra FIRST
            {second}
            exit
        FIRST:
            {first}
            exit"
    ));
    let mut memory = DeviceMemory::new();
    let x = memory.alloc(8).expect("room");
    memory.write(x, &[7_u32, 7]).expect("room");
    let call = call(&kernel, vec![Argument::scalar(x)]).with_memory(&mut memory);
    let gpu = Gpu::<Ipdom>::default().with_race_check(RaceCheck::Grid);
    gpu.launch(Grid::new(2, threads), call).map(drop)
}

/// Each lane that has seen a flag may load it by a plain one, whichever lane was the last: by a volatile load or an atomic, in
/// whatever way the flag was set, all of it or a byte.
#[test]
fn what_lanes_have_polled_they_may_load() {
    let run = |set: &str, poll: &str| of_two(set, &format!("{poll}\n ld.global.u32 %v, [x]"), "", 32);
    let (store, byte, add) = (
        "st.global.u32.volatile [x], 1",
        "st.global.u8.u32.volatile [x+2], 1",
        "atom.global.u32.fetch_add.relaxed %v, [x], 1",
    );
    let (load, high) = ("ld.global.u32.volatile %v, [x]", "ld.global.u8.u32.volatile %v, [x+3]");
    for set in [store, byte, add] {
        for poll in [load, "atom.global.u32.load.relaxed %v, [x]"] {
            run(set, poll).unwrap_or_else(|error| panic!("{set} {poll}: {error}"));
        }
        // Another byte of it, which the flag's own is not among.
        let other = run(set, high).map_err(|error| error.to_string());
        assert_eq!(other.is_err(), set == byte, "{set}: {other:?}");
        run(set, "").expect_err("it has not been polled");
        run("st.global.u32 [x], 1", load).expect_err("it is plain");
    }
}

/// What two threads of different blocks do to a byte, or to a word that it lies in.
#[test]
fn blocks_race_by_bytes_and_strength() {
    let run = |first: &str, second: &str, arrays: &str| match of_two(first, second, arrays, 1) {
        Ok(()) => false,
        Err(error) => {
            let error = error.to_string();
            assert!(error.contains("which nothing orders"), "{error}");
            true
        }
    };
    let (word, byte, next) = ("st.global.u32 [x], 1", "st.global.u8.u32 [x+3], 2", "st.global.u8.u32 [x+4], 2");
    let (load, add, volatile) =
        ("ld.global.u32 %v, [x]", "atom.global.u32.fetch_add.relaxed %v, [x], 1", "st.global.u32.volatile [x], 1");
    let (own, own_load) =
        ("atom.global.u32.fetch_add.relaxed.block %v, [x], 1", "atom.global.u32.load.relaxed.block %v, [x]");
    for (first, second, races) in [
        (word, byte, true),
        (byte, word, true),
        (word, next, false),
        (next, word, false),
        (byte, next, false),
        (load, load, false),
        (load, byte, true),
        (load, word, true),
        (add, add, false),
        (add, load, true),
        (load, add, true),
        (word, add, true),
        (add, volatile, false),
        (volatile, volatile, false),
        (volatile, load, true),
        // An atomic of each block is none for both.
        (own, own, true),
        (own, add, true),
        (add, own, true),
        (volatile, own, true),
        (own, load, true),
        (own_load, own_load, false),
        (add, own_load, true),
        (own_load, byte, true),
        (own, next, false),
        // The same bytes.
        (word, word, false),
    ] {
        assert_eq!(run(first, second, ""), races, "{first}; {second}");
    }
    // Shared memory is each block's own.
    let own = ".shared s: 4 align 4";
    assert!(!run("st.shared.u32 [&s], 1", "st.shared.u32 [&s], 2", own));
}
