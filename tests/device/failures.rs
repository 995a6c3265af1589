//! Grids that fail or are aborted, and what is used where it cannot be.

use crate::{count, device, note, read, status, write_then_fail};
use simt::device::{Context, Device, DeviceError, DeviceStep, GridMemory, GridStatus};
use simt::environment::{Oracle, Question};
use simt::prelude::*;

/// The memory is what it was before the grid that fails; the context is lost, and no other (H19).
#[test]
fn golden_cuda_device_h19_a_grid_that_fails_takes_its_context_with_it() {
    for seed in 0..64 {
        let (device, lost) = device(seed);
        let other = device.context().expect("nothing runs");
        let x = lost.upload(&[1u32, 2, 3, 4]).expect("room");
        let (y, z) = (lost.zeroed::<u32>(1).expect("room"), other.zeroed::<u32>(1).expect("room"));
        let stream = lost.stream().expect("there");
        let before = stream.launch(Grid::new(1, 1), move |memory| count(memory.slice_mut(x))).expect("a grid");
        let fails = stream.launch(Grid::new(3, 1), move |memory| write_then_fail(memory.slice_mut(x), 9));
        let fails = fails.expect("a grid");
        let behind = stream.launch(Grid::new(1, 1), move |memory| count(memory.slice_mut(x))).expect("a grid");
        let beside = lost.stream().expect("there").launch(Grid::new(9, 1), move |memory| count(memory.slice_mut(y)));
        let beside = beside.expect("a grid");
        let elsewhere =
            other.stream().expect("there").launch(Grid::new(2, 1), move |memory| count(memory.slice_mut(z)));

        let error = device.synchronize().expect_err("a grid fails");
        let text = error.to_string();
        assert!(text.contains("index 4 is out of bounds of `x`") && text.contains("the context is lost"), "{text}");
        assert!(matches!(fails.report(), Err(DeviceError::Failed(error)) if error.kernel() == "write_then_fail"));
        assert!(before.report().is_ok() && matches!(behind.report(), Err(DeviceError::Aborted)));
        assert_eq!(read(&lost, x), [2, 2, 3, 4]);

        // What the others have written stays.
        let counted = read(&lost, y)[0];
        let steps = device.steps().expect("nothing runs");
        let ran: usize = steps
            .iter()
            .map(|step| match step {
                DeviceStep::Ran(grid, blocks) if *grid == beside.number() => blocks.len(),
                _ => 0,
            })
            .sum();
        assert_eq!(counted as usize, ran);
        let ended = steps.iter().position(|step| *step == DeviceStep::Failed(fails.number())).expect("it failed");
        let of_lost =
            |step: &DeviceStep| matches!(step, DeviceStep::Ran(grid, _) | DeviceStep::Started(grid) if *grid < 4);
        assert!(!steps[ended..].iter().any(of_lost), "{steps:?}");

        assert!(elsewhere.expect("a grid").report().is_ok());
        assert_eq!(read(&other, z), [2]);
        assert!(other.synchronize().is_ok() && matches!(lost.synchronize(), Err(DeviceError::Failed(_))));
        assert!(lost.stream().is_err() && stream.record(&lost.event()).is_err() && stream.wait(&lost.event()).is_err());
        assert!(stream.launch(Grid::new(1, 1), move |memory| count(memory.slice_mut(x))).is_err());
    }
}

/// Answers what is asked, in order.
struct Answers(std::array::IntoIter<usize, 3>);

impl Oracle for Answers {
    fn pick(&mut self, _: Question, _: usize) -> usize {
        self.0.next().unwrap_or(0)
    }
}

/// What another grid has changed since stays.
#[test]
fn golden_cuda_device_h19_what_others_have_changed_since_stays() {
    // Both start, then the grid that fails has a turn, then the other; or the other comes first.
    for (answers, expected) in [([0, 0, 1], [10, 0, 0]), ([0, 1, 0], [1, 0, 0])] {
        let device = Device::new(crate::gpu()).with_oracle(Answers(answers.into_iter()));
        let context = device.context().expect("nothing runs");
        let x = context.zeroed::<u32>(3).expect("room");
        let grids = [
            context.stream().expect("there").launch(Grid::new(2, 1), move |m| write_then_fail(m.slice_mut(x), 9)),
            context.stream().expect("there").launch(Grid::new(1, 1), move |memory| count(memory.slice_mut(x))),
        ];
        assert!(device.synchronize().is_err());
        let ends = grids.map(|grid| status(&grid.expect("a grid")));
        assert_eq!((ends, read(&context, x)), ([GridStatus::Failed, GridStatus::Completed], expected.to_vec()));
    }
}

/// Bytes that had no value before the grid that fails have none again.
#[test]
fn golden_cuda_device_h19_what_had_no_value_has_none_again() {
    // Block 0 writes what was allocated, block 1 far behind it.
    let code = simt::Code::parse(
        "
        kernel far(x: u64)
        .reg u64 %a, usize %i, u32 %v
            mov.usize     %i, global_id()
            cvt.u64.usize %a, %i
            mad.u64       %a, %a, 1000000, x
            mov.u32       %v, 7
            st.global.u32 [%a], %v
            exit",
    );
    let (device, context) = device(0);
    let far = simt::host::Kernel::from_code(code.unwrap_or_else(|error| panic!("{error}")));
    let far = context.load(far).expect("it declares nothing");
    let x = context.memory(|memory| memory.alloc(8)).expect("there").expect("room");
    let grid = context
        .stream()
        .expect("there")
        .launch(Grid::new(2, 1), move |memory| memory.call(far, vec![simt::host::Argument::scalar(x)]));
    while !device.steps().expect("nothing runs").contains(&DeviceStep::Ran(0, 0..1)) {
        assert!(device.step().expect("nothing runs"));
    }
    assert!(grid.expect("a grid").report().is_err());
    let error = context.memory(|memory| memory.read::<u32>(x, 1)).expect("there").expect_err("nothing was written");
    assert!(error.to_string().contains("nothing has been written"), "{error}");
}

/// An abort leaves what has run, and nothing runs behind it (section 5.7.3); the stream goes on.
#[test]
fn golden_cuda_device_an_aborted_grid_runs_no_more() {
    for moves in 0..5_usize {
        let (device, context) = device(3);
        let notes = context.zeroed::<u32>(9).expect("room");
        let stream = context.stream().expect("there");
        let aborted = stream.launch(Grid::new(3, 1), move |memory| note(memory.slice_mut(notes), 10)).expect("a grid");
        let last = stream.launch(Grid::new(1, 1), move |memory| note(memory.slice_mut(notes), 20)).expect("a grid");
        (0..moves).for_each(|_| assert!(device.step().expect("nothing runs")));
        aborted.abort().expect("nothing runs");
        let ran = moves.saturating_sub(1).min(3);
        device.synchronize().expect("an abort is no failure");
        let expected: Vec<u32> = (0..ran as u32).map(|block| 10 + block).chain([20]).collect();
        assert_eq!(read(&context, notes)[..ran + 2], [&[ran as u32 + 1][..], &expected].concat());
        let completed = ran == 3;
        assert_eq!(aborted.report().is_ok(), completed);
        assert_eq!((status(&aborted) == GridStatus::Aborted), !completed);
        assert!(last.report().is_ok());
    }
}

#[test]
fn golden_cuda_device_a_destroyed_context_runs_no_more() {
    let (device, context) = device(0);
    let x = context.upload(&[1u32]).expect("room");
    let stream = context.stream().expect("there");
    let grid = stream.launch(Grid::new(2, 1), move |memory| count(memory.slice_mut(x))).expect("a grid");
    (0..2).for_each(|_| assert!(device.step().expect("nothing runs")));
    let again = context.clone();
    context.destroy().expect("nothing runs");
    assert_eq!(status(&grid), GridStatus::Aborted);
    assert!(
        matches!(again.read(x), Err(DeviceError::Destroyed)) && matches!(again.stream(), Err(DeviceError::Destroyed))
    );
    assert!(device.synchronize().is_ok() && !device.step().expect("nothing runs"));
}

#[kernel]
fn both(x: &mut [u32], y: &mut [u32]) {
    x[0] = y[0];
}

/// What a device says of a launch in which something is wanted that cannot be had.
#[track_caller]
fn refused<'a>(context: &Context<'a>, make: impl for<'m> FnMut(&mut GridMemory<'m>) -> KernelCall<'m> + 'a) -> String {
    let grid = context.stream().expect("there").launch(Grid::new(1, 1), make).expect("a grid");
    grid.report().expect_err("it cannot be").to_string()
}

#[test]
fn what_a_context_has_not_is_refused() {
    // Each in a context of its own, as it is lost.
    let of_own = || device(0).1;
    let (device, context) = device(0);
    for other in [device.context().expect("nothing runs"), of_own()] {
        let theirs = other.upload(&[1u32]).expect("room");
        assert!(context.read(theirs).is_err() && context.write(theirs, &[1]).is_err() && context.free(theirs).is_err());
        let stream = context.stream().expect("there");
        assert!(stream.record(&other.event()).is_err() && stream.wait(&other.event()).is_err());
        let foreign = refused(&of_own(), move |memory| count(memory.slice_mut(theirs)));
        assert!(foreign.contains("the buffer belongs to another context"), "{foreign}");
    }
    let x = context.upload(&[1u32]).expect("room");
    context.free(x).expect("allocated");
    let stream = context.stream().expect("there");
    let no_grid = stream.launch(Grid::new(1, 0), move |memory| count(memory.slice_mut(x)));
    assert!(matches!(no_grid, Err(DeviceError::Grid(_))) && context.synchronize().is_ok());
    let freed = refused(&context, move |memory| count(memory.slice_mut(x)));
    assert!(freed.contains("freed"), "{freed}");

    let context = of_own();
    let x = context.upload(&[1u32]).expect("room");
    let twice = refused(&context, move |memory| both(memory.slice_mut(x), memory.slice_mut(x)));
    assert!(twice.contains("takes a buffer twice"), "{twice}");
    let context = of_own();
    let code = simt::Code::parse("kernel one(x: u64)\nexit").unwrap_or_else(|error| panic!("{error}"));
    let one = context.load(simt::host::Kernel::from_code(code)).expect("it declares nothing");
    let without = refused(&context, move |memory| memory.call(one, vec![]));
    assert!(without.contains("kernel `one`") && without.contains("the context is lost"), "{without}");
}

/// What is called while a grid runs cannot use the device, and a panic of it leaves the device in order.
#[test]
fn code_of_the_caller_cannot_harm_the_device() {
    let (device, context) = device(0);
    let x = context.upload(&[1u32]).expect("room");
    let within = context.clone();
    let stream = context.stream().expect("there");
    let busy = std::rc::Rc::new(std::cell::Cell::new(false));
    let seen = busy.clone();
    stream
        .launch(Grid::new(1, 1), move |memory| {
            seen.set(matches!(within.read(x), Err(DeviceError::Busy)));
            count(memory.slice_mut(x))
        })
        .expect("a grid");
    device.synchronize().expect("it runs");
    assert!(busy.get());
    let panics = stream.launch(Grid::new(1, 1), |_| panic!("of the caller")).expect("a grid");
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| device.synchronize()));
    assert!(caught.is_err());
    assert!(matches!(panics.report(), Err(DeviceError::Panicked)));
    assert_eq!(read(&context, x), [2]);
    let other = device.context().expect("nothing runs");
    assert!(other.upload(&[1u32]).and_then(|y| other.read(y)).is_ok());
}

#[test]
fn what_is_wrong_with_a_buffer_names_the_line_that_made_and_freed_it() {
    let (_device, context) = device(0);
    let whole = [context.upload(&[1u32]).expect("room"), context.zeroed(1).expect("room")];
    for x in whole {
        let error = context.write(x, &[1, 2]).expect_err("it is longer").to_string();
        assert!(error.contains("allocated at tests/device/failures.rs:"), "{error}");
        context.free(x).expect("allocated");
        let error = context.read(x).expect_err("it is freed").to_string();
        assert!(error.contains("freed at tests/device/failures.rs:"), "{error}");
    }
}
