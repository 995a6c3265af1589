use simt::prelude::*;

#[device]
fn half(n: u32) -> Option<u32> {
    if n % 2 == 0 { Some(n / 2) } else { None }
}

#[device]
fn of_result(n: u32) -> Result<u32, u32> {
    let half = half(n)?;
    Ok(half)
}

#[device]
fn of_number(n: u32) -> u32 {
    half(n)? + 1
}

#[device]
fn other_error(n: u32) -> Result<u32, bool> {
    let sum = of_result(n)?;
    Ok(sum)
}

#[device]
fn of_nothing(x: &mut [u32]) {
    x[0] = half(3)?;
}

#[device]
fn of_value(n: u32) -> Option<u32> {
    Some(n?)
}

fn main() {}
