//! Which grids run when: streams, events, places, contexts.

use crate::{count, device, gpu, note, of_seeds, read, status};
use simt::device::{Device, DeviceError, DeviceStep, GridStatus, Stream};
use simt::environment::every_way;
use simt::prelude::*;
use std::collections::BTreeSet;

/// The notes of two streams of two grids of two blocks each.
fn notes(seed: u64, by_event: bool) -> Result<Vec<u32>, DeviceError> {
    let (_device, context) = device(seed);
    let notes = context.zeroed::<u32>(9)?;
    let done = context.event();
    for stream in 0..2 {
        let number = 100 * stream;
        let stream = context.stream()?;
        stream.wait(&done)?;
        for grid in 0..2 {
            stream.launch(Grid::new(2, 1), move |memory| note(memory.slice_mut(notes), number + 10 * grid))?;
        }
        if by_event {
            stream.record(&done)?;
        }
    }
    Ok(context.read(notes)?.split_off(1))
}

#[test]
fn golden_cuda_device_grids_of_streams_take_turns_by_the_seed() {
    let found: BTreeSet<_> = of_seeds(|seed| notes(seed, false)).collect();
    for order in &found {
        for stream in [0, 100] {
            let of_stream: Vec<u32> = order.iter().copied().filter(|note| note / 100 * 100 == stream).collect();
            assert_eq!(of_stream, [0, 1, 10, 11].map(|note| note + stream), "{order:?}");
        }
    }
    // Of 70 orders most, and of these the two in which no stream comes between the other's.
    assert!(found.len() > 20, "{}", found.len());
    for first in [0, 100] {
        let whole = [0, 1, 10, 11].map(|note| note + first).into_iter();
        let whole: Vec<u32> = whole.chain([0, 1, 10, 11].map(|note| note + 100 - first)).collect();
        assert!(found.contains(&whole), "{whole:?}");
    }
    assert_eq!(notes(7, false).expect("it runs"), notes(7, false).expect("it runs"));
}

#[test]
fn golden_cuda_device_an_event_orders_streams() {
    let found: BTreeSet<_> = of_seeds(|seed| notes(seed, true)).collect();
    assert_eq!(found, [vec![0, 1, 10, 11, 100, 101, 110, 111]].into());
}

/// A stream waits for what the event recorded before, not for what it records later.
#[test]
fn golden_cuda_device_a_wait_is_for_the_last_record() {
    let mut orders = BTreeSet::new();
    for order in of_seeds(|seed| {
        let (_device, context) = device(seed);
        let (notes, done) = (context.zeroed::<u32>(5)?, context.event());
        let (first, second) = (context.stream()?, context.stream()?);
        let grid = Grid::new(1, 1);
        first.launch(grid, move |memory| note(memory.slice_mut(notes), 1))?;
        first.record(&done)?;
        second.wait(&done)?;
        first.launch(grid, move |memory| note(memory.slice_mut(notes), 2))?;
        first.record(&done)?;
        second.launch(grid, move |memory| note(memory.slice_mut(notes), 3))?;
        second.wait(&done)?;
        second.launch(grid, move |memory| note(memory.slice_mut(notes), 4))?;
        Ok(context.read(notes)?.split_off(1))
    }) {
        orders.insert(order);
    }
    assert_eq!(orders, [vec![1, 2, 3, 4], vec![1, 3, 2, 4]].into());
}

/// As the rules have it for blocks, every order is found, and no other (sections 5.6 and 5.7).
#[test]
fn golden_cuda_device_every_way_is_every_order_of_blocks() {
    let ways = every_way(|oracle| {
        let device = Device::new(gpu()).with_oracle(oracle);
        let context = device.context()?;
        let notes = context.zeroed::<u32>(5)?;
        for stream in 0..2 {
            context.stream()?.launch(Grid::new(2, 1), move |memory| note(memory.slice_mut(notes), 10 * stream))?;
        }
        Ok::<_, DeviceError>(context.read(notes)?.split_off(1))
    });
    let orders: BTreeSet<_> = ways.into_iter().map(|way| way.expect("it runs")).collect();
    let expected = [[0, 1, 10, 11], [0, 10, 1, 11], [0, 10, 11, 1], [10, 0, 1, 11], [10, 0, 11, 1], [10, 11, 0, 1]];
    assert_eq!(orders, expected.map(|order| order.to_vec()).into());
}

/// The most grids that run at a time.
fn most(steps: &[DeviceStep]) -> usize {
    let (mut now, mut most) = (0_usize, 0);
    for step in steps {
        match step {
            DeviceStep::Started(_) => now += 1,
            DeviceStep::Completed(_) | DeviceStep::Aborted(_) | DeviceStep::Failed(_) => now -= 1,
            _ => {}
        }
        most = most.max(now);
    }
    most
}

#[test]
fn golden_cuda_device_as_many_grids_run_as_the_machine_has_places() {
    for places in [1, 3, 16] {
        let config = GpuConfig { concurrent_grids: places, ..GpuConfig::functional() };
        let device = Device::new(Gpu::<Ipdom>::new(config));
        let context = device.context().expect("nothing runs");
        let x = context.zeroed::<u32>(1).expect("room");
        for _ in 0..20 {
            let stream = context.stream().expect("it is there");
            stream.launch(Grid::new(2, 1), move |memory| count(memory.slice_mut(x))).expect("a grid");
        }
        device.synchronize().expect("it runs");
        assert_eq!(most(&device.steps().expect("nothing runs")), places);
        assert_eq!(read(&context, x), [40]);
    }
    assert_eq!([GpuConfig::functional(), GpuConfig::fermi()].map(|config| config.concurrent_grids), [128, 16]);
}

/// H13: the grids that run at a time are of one context.
#[test]
fn golden_cuda_device_h13_contexts_take_turns() {
    let mut switches = BTreeSet::new();
    for seed in 0..64 {
        let (device, first) = device(seed);
        let second = device.context().expect("nothing runs");
        for context in [&first, &second, &first, &second] {
            let x = context.zeroed::<u32>(1).expect("room");
            let stream = context.stream().expect("it is there");
            stream.launch(Grid::new(2, 1), move |memory| count(memory.slice_mut(x))).expect("a grid");
            stream.launch(Grid::new(2, 1), move |memory| count(memory.slice_mut(x))).expect("a grid");
        }
        device.synchronize().expect("it runs");
        let mut running = BTreeSet::new();
        let mut order = Vec::new();
        for step in device.steps().expect("nothing runs") {
            match step {
                DeviceStep::Started(grid) => {
                    running.insert(grid);
                    order.push(grid / 2 % 2);
                }
                DeviceStep::Completed(grid) => assert!(running.remove(&grid)),
                _ => {}
            }
            let contexts: BTreeSet<usize> = running.iter().map(|grid| grid / 2 % 2).collect();
            assert!(contexts.len() < 2, "seed {seed}");
        }
        order.dedup();
        switches.insert(order.len());
    }
    // Neither has to wait until the other has nothing left.
    assert!(switches.len() > 1, "{switches:?}");
}

/// Nothing runs before something waits for it, and then only until it is there.
#[test]
fn waiting_runs_what_is_waited_for() {
    let (device, context) = device(0);
    let (x, done) = (context.zeroed::<u32>(1).expect("room"), context.event());
    let (first, second) = (context.stream().expect("there"), context.stream().expect("there"));
    let grid = |stream: &Stream<'static>| {
        stream.launch(Grid::new(1, 1), move |memory| count(memory.slice_mut(x))).expect("a grid")
    };
    let one = grid(&first);
    first.record(&done).expect("of this context");
    let (two, three) = (grid(&first), grid(&second));
    let all = || [&one, &two, &three].map(status);
    assert_eq!(all(), [GridStatus::Queued; 3]);
    assert!(!done.has_happened().expect("nothing runs") && context.event().has_happened().expect("nothing runs"));
    done.synchronize().expect("it runs");
    assert!(done.has_happened().expect("nothing runs"));
    assert_eq!(all()[..2], [GridStatus::Completed, GridStatus::Queued]);
    assert!(three.report().is_ok() && all()[2] == GridStatus::Completed);
    first.synchronize().expect("it runs");
    assert_eq!(all(), [GridStatus::Completed; 3]);
    assert!(!device.step().expect("nothing runs"));
    assert_eq!(read(&context, x), [3]);
}
