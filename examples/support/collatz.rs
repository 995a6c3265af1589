//! Collatz: how many steps a number takes to reach 1, of any integer type. Examples and tests share this kernel.

use simt::prelude::*;

#[kernel]
pub(crate) fn collatz<T: Int>(start: &[T], steps: &mut [u32]) {
    let i = global_id();
    if i >= start.len() {
        return;
    }
    let mut n = start[i];
    let mut count = 0;
    while n != 1 as T {
        if n % 2 as T == 0 as T {
            n /= 2 as T;
        } else {
            n = 3 as T * n + 1 as T;
        }
        count += 1;
    }
    steps[i] = count;
}
