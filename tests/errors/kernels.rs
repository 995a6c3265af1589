//! Kernels that do something wrong, each with the line where it goes wrong.
//!
//! Snapshots show the lines of this file: add kernels at its end.

use simt::prelude::*;

pub(crate) const READ: u32 = line!() + 4;
#[kernel]
pub(crate) fn read(x: &[f32], y: &mut [f32]) {
    let i = global_id();
    y[i] = x[i] * 2.0;
}

pub(crate) const WRITE: u32 = line!() + 4;
#[kernel]
pub(crate) fn write(x: &[f32], y: &mut [f32]) {
    let i = global_id();
    y[i + 1] = x[i] * 2.0;
}

pub(crate) const LEFT_NEIGHBOUR: u32 = line!() + 5;
#[kernel]
pub(crate) fn left_neighbour(x: &[u32], y: &mut [u32]) {
    let i = global_id();
    if i < x.len() {
        y[i] = x[i] - x[i - 1];
    }
}

pub(crate) const INDIRECT: u32 = line!() + 4;
#[kernel]
pub(crate) fn indirect(table: &[u8], index: &[usize], y: &mut [u8]) {
    let i = global_id();
    y[i] = table[index[i]];
}

pub(crate) const DIVIDE: u32 = line!() + 5;
macro_rules! divisions {
    ($($divide:ident, $remainder:ident: $ty:ty;)*) => {$(
        #[kernel]
        pub(crate) fn $divide(a: &[$ty], b: &[$ty], y: &mut [$ty]) {
            let i = global_id(); y[i] = a[i] / b[i];
        }

        #[kernel]
        pub(crate) fn $remainder(a: &[$ty], b: &[$ty], y: &mut [$ty]) {
            let i = global_id(); y[i] = a[i] % b[i];
        }
    )*};
}
divisions! {
    divide_u8, remainder_u8: u8; divide_u16, remainder_u16: u16; divide_u32, remainder_u32: u32;
    divide_u64, remainder_u64: u64; divide_i8, remainder_i8: i8; divide_i16, remainder_i16: i16;
    divide_i32, remainder_i32: i32; divide_i64, remainder_i64: i64; divide_usize, remainder_usize: usize;
    divide_isize, remainder_isize: isize;
}

pub(crate) const AVERAGE: u32 = line!() + 4;
#[kernel]
pub(crate) fn average(sum: &[i32], count: i32, y: &mut [i32]) {
    let i = global_id();
    y[i] = sum[i] / count;
}

pub(crate) const ENDLESS: u32 = line!() + 5;
#[kernel]
pub(crate) fn endless(x: &mut [u32]) {
    let i = global_id();
    let mut n = x[i];
    while n != 1 {
        n += 2;
        x[i] = n;
    }
}

pub(crate) const SPIN: u32 = line!() + 6;
#[kernel]
pub(crate) fn spin(lock: &mut [u32]) {
    if global_id() == 0 {
        lock[0] = 1;
    } else {
        while lock[0] != 1 {}
    }
}

const BIG: usize = 1 << 40;

pub(crate) const BIG_CONSTANT: u32 = line!() + 4;
#[kernel]
pub(crate) fn big_constant(y: &mut [u32]) {
    let i = global_id();
    if i < BIG {
        y[i] = 1;
    }
}

#[kernel]
pub(crate) fn sizes(limit: usize, offset: isize, index: &[usize], y: &mut [isize]) {
    let i = global_id();
    if i < index.len() && index[i] < limit {
        y[i] += offset;
    }
}

pub(crate) const MANY_LINES: u32 = line!() + 6;
#[kernel]
pub(crate) fn many_lines(x: &[u32], y: &mut [u32]) {
    let i = global_id();
    y[i] = x[i]
        + 3
            * x[
                i + 1
            ]
        + 1;
}

pub(crate) const SECOND_LINE: u32 = line!() + 6;
#[kernel]
pub(crate) fn second_line(x: &[u32], y: &mut [u32]) {
    let i = global_id();
    y[i] = x[i]
        + 3
        + x[i + 1] * 2;
}

pub(crate) const NOT_ASCII: u32 = line!() + 4;
#[kernel]
pub(crate) fn not_ascii(größe: &[u32], y: &mut [u32]) {
    let é = global_id(); /* Ångström, 世界 */
    y[é] = /* 世界 */ größe[é + 1] + größe[é];
}

pub(crate) const TABS: u32 = line!() + 4;
#[kernel]
pub(crate) fn tabs(x: &[u32], y: &mut [u32]) {
	let i = global_id();
	y[i] =	x[i] +	x[i + 1];
}

pub(crate) const IN_LINES: u32 = line!() + 5;
#[kernel]
pub(crate) fn plane(x: &[u32], y: &mut [u32]) {
    let row = block_idx().y * block_dim().y + thread_idx().y;
    let column = block_idx().x * block_dim().x + thread_idx().x;
    y[row * 6 + column] = x[row * 6 + column];
}

pub(crate) const GROW: u32 = line!() + 4;
#[kernel]
pub(crate) fn grow(x: &mut [u32], by: u32) {
    let i = global_id();
    x[i] += by;
}

pub(crate) const SPREAD: u32 = line!() + 4;
#[kernel]
pub(crate) fn spread(x: &mut [i8], count: i64) {
    let i = global_id();
    x[i] = (-x[i]) << count;
}
