//! Memory of contexts: buffers as slices and as atomics, code that accesses by address, and memory that is modelled.

use crate::{count, device, read};
use simt::Code;
use simt::device::Device;
use simt::environment::{EnvironmentConfig, Geometry, MemoryModel};
use simt::host::{Argument, Kernel};
use simt::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};

#[kernel]
fn mixed(flags: &[bool], sizes: &mut [usize], sums: &mut [f64]) {
    let i = global_id();
    if flags[i] {
        sizes[i] += 1;
        sums[i] *= 0.5;
    }
}

#[test]
fn buffers_are_slices_of_all_types() {
    let (_device, context) = device(0);
    let flags = context.upload(&[true, false, true]).expect("room");
    let (sizes, sums) = (context.upload(&[7usize, 8, 9]).expect("room"), context.upload(&[1.0f64; 3]).expect("room"));
    let grid = context.stream().expect("there").launch(Grid::new(3, 1), move |memory| {
        mixed(memory.slice(flags), memory.slice_mut(sizes), memory.slice_mut(sums))
    });
    let report = grid.expect("a grid").report().expect("it runs");
    assert_eq!((read(&context, sizes), read(&context, sums)), (vec![8, 8, 10], vec![0.5, 1.0, 0.5]));
    assert_eq!((report.kernel(), report.diverged_branches()), ("mixed", 0));
    assert_eq!((flags.len(), flags.is_empty(), sums.address() - sizes.address() >= 12), (3, false, true));
}

#[kernel]
fn tally(counts: &[AtomicU32], seen: &mut [u32]) {
    seen[global_id()] = counts[0].fetch_add(1, Ordering::Relaxed);
}

#[test]
fn atomics_of_grids_add_up() {
    for seed in 0..16 {
        let (_device, context) = device(seed);
        let (counts, mut seen) = (context.zeroed::<u32>(1).expect("room"), Vec::new());
        for _ in 0..3 {
            let own = context.zeroed::<u32>(4).expect("room");
            let stream = context.stream().expect("there");
            stream
                .launch(Grid::new(2, 2), move |memory| {
                    tally(memory.atomics::<AtomicU32>(counts), memory.slice_mut(own))
                })
                .expect("a grid");
            seen.push(own);
        }
        assert_eq!(read(&context, counts), vec![12]);
        let mut all: Vec<u32> = seen.into_iter().flat_map(|own| read(&context, own)).collect();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..12), "seed {seed}");
    }
}

/// The same bytes as a slice, by address, and as a symbol of code that is loaded.
#[test]
fn golden_cuda_device_programs_are_loaded_with_their_values() {
    let code = Code::parse(
        "
        kernel add(x: u64)
        .global step: 4 align 4 = \"05000000\"
        .reg u64 %a, u32 %v, u32 %s
            ld.global.u32 %v, [x]
            mov.u64       %a, &step
            ld.global.u32 %s, [%a]
            add.u32       %v, %v, %s
            st.global.u32 [x], %v
            add.u32       %s, %s, 1
            st.global.u32 [%a], %s
            exit",
    );
    let code = code.unwrap_or_else(|error| panic!("{error}"));
    let (device, context) = device(0);
    let other = device.context().expect("nothing runs");
    let add = context.load(Kernel::from_code(code.clone())).expect("room");
    let step = context.memory(|memory| memory.symbol("step")).expect("there").expect("it is loaded");
    assert_eq!(context.memory(|memory| memory.read::<u32>(step, 1)).expect("there"), Ok(vec![5]));
    assert_eq!(other.memory(|memory| memory.symbol("step")).expect("there"), None);
    let x = context.upload(&[10u32]).expect("room");
    let stream = context.stream().expect("there");
    for _ in 0..2 {
        let grid = stream.launch(Grid::new(1, 1), move |memory| memory.call(add, vec![Argument::scalar(x.address())]));
        grid.expect("a grid");
        stream.launch(Grid::new(1, 1), move |memory| count(memory.slice_mut(x))).expect("a grid");
    }
    assert_eq!(read(&context, x), vec![10 + 5 + 1 + 6 + 1]);
    // Contexts share nothing: neither kernels nor symbols nor buffers.
    let stream = other.stream().expect("there");
    let foreign = stream.launch(Grid::new(1, 1), move |memory| memory.call(add, vec![Argument::scalar(x.address())]));
    let error = foreign.expect("a grid").report().expect_err("it is loaded elsewhere").to_string();
    assert!(error.contains("the kernel belongs to another context"), "{error}");
}

/// Global memory of the contexts is disjoint: the same address is another byte.
#[test]
fn golden_cuda_device_contexts_have_memory_of_their_own() {
    let (device, first) = device(0);
    let second = device.context().expect("nothing runs");
    let (x, y) = (first.upload(&[1u32]).expect("room"), second.upload(&[2u32]).expect("room"));
    assert_eq!(x.address(), y.address());
    for (context, buffer) in [(&first, x), (&second, y)] {
        context
            .stream()
            .expect("there")
            .launch(Grid::new(1, 1), move |memory| count(memory.slice_mut(buffer)))
            .expect("a grid");
    }
    assert_eq!((read(&first, x), read(&second, y)), (vec![2], vec![3]));
}

/// Every block reads a word of all, then block 0 writes it: on the memory environment its neighbours' caches have the old one.
#[kernel]
fn pass_on(x: &mut [u32], seen: &mut [u32]) {
    seen[block_idx().x] = x[0];
    if block_idx().x == 0 {
        x[1] = x[0] + 1;
    }
}

#[kernel]
fn take_over(x: &mut [u32]) {
    if block_idx().x == 1 {
        x[0] = x[1];
    }
}

/// A dependent grid sees what the one before it has written, although L1 caches are not coherent: they are flushed between
/// (sections 2.3.2 and 4.6).
#[test]
fn golden_cuda_device_dependent_grids_read_fresh_data_on_the_memory_environment() {
    for seed in 0..40 {
        let lines = Geometry { sets: 1, ways: 4 };
        let environment = EnvironmentConfig { processors: 2, l1: lines, l2: lines, ..EnvironmentConfig::seeded(seed) };
        let gpu = crate::gpu().with_memory(MemoryModel::Environment(environment));
        let device = Device::new(gpu).with_seed(seed);
        let context = device.context().expect("nothing runs");
        let (x, seen) = (context.zeroed::<u32>(2).expect("room"), context.zeroed::<u32>(2).expect("room"));
        let stream = context.stream().expect("there");
        for _ in 0..3 {
            stream
                .launch(Grid::new(2, 1), move |memory| pass_on(memory.slice_mut(x), memory.slice_mut(seen)))
                .expect("a grid");
            stream.launch(Grid::new(2, 1), move |memory| take_over(memory.slice_mut(x))).expect("a grid");
        }
        assert_eq!((read(&context, x), read(&context, seen)), (vec![3, 3], vec![2, 2]), "seed {seed}");
    }
}

/// The same by address, and by atomics, which no cache has: a grid that fails leaves nothing.
#[test]
fn golden_cuda_device_code_by_address_reads_fresh_data_on_the_memory_environment() {
    let pass_on = "kernel pass_on(x: u64, fails: u32)
        .reg u32 %v, bool %p
            ld.global.u32 %v, [x]
            atom.global.u32.fetch_add.relaxed [x+8], 1
            ne.usize      %p, block_idx().x, 0
        @%p exit
            add.u32       %v, %v, 1
            st.global.u32 [x+4], %v
            ne.u32        %p, fails, 0
        @%p st.global.u32 [0], %v
            exit";
    let take_over = "kernel take_over(x: u64)
        .reg u32 %v, bool %p
            eq.usize      %p, block_idx().x, 1
            mov.u32       %v, 0
        @%p ld.global.u32 %v, [x+4]
        @%p st.global.u32 [x], %v
            exit";
    for seed in 0..40 {
        let lines = Geometry { sets: 1, ways: 4 };
        let environment = EnvironmentConfig { processors: 2, l1: lines, l2: lines, ..EnvironmentConfig::seeded(seed) };
        let device = Device::new(crate::gpu().with_memory(MemoryModel::Environment(environment))).with_seed(seed);
        let context = device.context().expect("nothing runs");
        let code = |text| Code::parse(text).unwrap_or_else(|error| panic!("{error}"));
        let [first, second] =
            [pass_on, take_over].map(|text| context.load(Kernel::from_code(code(text))).expect("room"));
        let (x, stream) = (context.zeroed::<u32>(3).expect("room"), context.stream().expect("there"));
        let pass_on = |fails: u32| {
            let arguments = move || vec![Argument::scalar(x.address()), Argument::scalar(fails)];
            stream.launch(Grid::new(2, 1), move |memory| memory.call(first, arguments())).expect("a grid")
        };
        let take_over = || {
            let arguments = move || vec![Argument::scalar(x.address())];
            stream.launch(Grid::new(2, 1), move |memory| memory.call(second, arguments())).expect("a grid")
        };
        for _ in 0..3 {
            pass_on(0);
            take_over();
        }
        assert_eq!(read(&context, x), [3, 3, 6], "seed {seed}");
        assert!(pass_on(1).report().is_err());
        assert_eq!(read(&context, x), [3, 3, 6], "seed {seed}");
    }
}

/// A grid that has a buffer as a slice, and writes another of its values by address: both stay.
#[test]
fn a_slice_and_an_address_of_one_buffer_do_not_overwrite_each_other() {
    let code = Code::parse(
        "
        kernel both_ways(x: &mut [u32], a: u64)
        .reg u32 %v
            mov.u32       %v, 7
            st.u32        x[0], %v
            st.global.u32 [a+4], %v
            exit",
    );
    let kernel = Kernel::from_code(code.unwrap_or_else(|error| panic!("{error}")));
    let (_device, context) = device(0);
    let x = context.upload(&[1u32, 2, 3]).expect("room");
    let kernel = context.load(kernel).expect("room");
    let grid = context.stream().expect("there").launch(Grid::new(1, 1), move |memory| {
        let arguments = vec![Argument::slice_mut(memory.slice_mut(x)), Argument::scalar(x.address())];
        memory.call(kernel, arguments)
    });
    grid.expect("a grid").report().expect("it runs");
    assert_eq!(read(&context, x), [7, 7, 3]);
}
