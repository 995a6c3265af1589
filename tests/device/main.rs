//! Devices: contexts, streams, events, grids that run beside each other, and what becomes of them when one fails.

mod drive;
mod failures;
mod memory;
mod model;
mod order;
mod turns;

use simt::device::{Buffer, Context, Device, DeviceError, GridStatus, LaunchedGrid};
use simt::host::Element;
use simt::prelude::*;

/// A machine of small warps.
fn gpu() -> Gpu<Ipdom> {
    Gpu::<Ipdom>::default().with_warp_width(4)
}

/// A device of such a machine, with a context.
fn device<'a>(seed: u64) -> (Device<'a>, Context<'a>) {
    let device = Device::new(gpu()).with_seed(seed);
    let context = device.context().expect("nothing runs");
    (device, context)
}

/// What a function returns for each of many seeds.
fn of_seeds<T>(run: impl Fn(u64) -> Result<T, DeviceError>) -> impl Iterator<Item = T> {
    (0..64).map(move |seed| run(seed).unwrap_or_else(|error| panic!("seed {seed}: {error}")))
}

/// The values of a buffer.
#[track_caller]
fn read<T: Element>(context: &Context<'_>, buffer: Buffer<T>) -> Vec<T> {
    context.read(buffer).expect("written")
}

/// How far a grid has come.
#[track_caller]
fn status(grid: &LaunchedGrid<'_>) -> GridStatus {
    grid.status().expect("nothing runs")
}

/// Each block adds 1, in two steps: what another adds between them is lost. Between blocks nothing is.
#[kernel]
fn count(x: &mut [u32]) {
    x[0] += 1;
}

/// Each block writes its number and `by` behind what is there.
#[kernel]
fn note(notes: &mut [u32], by: u32) {
    let at = notes[0] as usize;
    notes[at + 1] = by + block_idx().x as u32;
    notes[0] += 1;
}

/// Every thread of a block writes the value, then block 1 does what has no meaning.
#[kernel]
fn write_then_fail(x: &mut [u32], value: u32) {
    x[global_id()] = value;
    if block_idx().x == 1 {
        x[x.len()] = 1;
    }
}
