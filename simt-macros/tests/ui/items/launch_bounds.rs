use simt::prelude::*;

#[kernel(launch_bounds(256, 2))]
fn two(x: &mut [u32]) {
    x[0] = 1;
}

#[kernel(launch_bounds(256u32))]
fn other_type(x: &mut [u32]) {
    x[0] = 1;
}

#[device(launch_bounds(256))]
fn of_device(x: u32) -> u32 {
    x
}

fn main() {}
