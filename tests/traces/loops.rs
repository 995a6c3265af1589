//! Kernels with loops.

use crate::one_warp;
use simt::Grid;

kernels! {
    fn while_(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut n = x[i];
        let mut sum = 0;
        while n > 0 {
            sum += n;
            n -= 1;
        }
        out[i] = sum;
    }

    fn while_and(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut n = x[i];
        let mut sum = 0;
        while n > 0 && sum < 5 {
            sum += n;
            n -= 1;
        }
        out[i] = sum;
    }

    fn while_and_load(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut k = i;
        while k < x.len() && x[k] != 0 {
            k += 1;
        }
        out[i] = k as u32;
    }

    fn for_(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut sum = 0;
        for k in 0..x[i] {
            sum += k;
        }
        out[i] = sum;
    }

    fn for_inclusive(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut sum = 0;
        for k in 1..=x[i] {
            sum += k;
        }
        out[i] = sum;
    }

    fn nested_for(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut sum = 0;
        for a in 0..x[i] {
            for _b in 0..a {
                sum += 1;
            }
        }
        out[i] = sum;
    }

    fn break_(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut n = 0;
        while n < 3 {
            if n == x[i] {
                break;
            }
            n += 1;
        }
        out[i] = n;
    }

    fn continue_(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut n = 0;
        let mut sum = 0;
        while n < 2 {
            n += 1;
            if n == x[i] {
                continue;
            }
            sum += n;
        }
        out[i] = sum;
    }

    fn continue_in_for(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut sum = 0;
        for k in 0..2 {
            if k == x[i] {
                continue;
            }
            sum += 10;
        }
        out[i] = sum;
    }

    fn break_and_continue(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut sum = 0;
        for k in 0..3 {
            if k == x[i] {
                continue;
            }
            if k > x[i] {
                break;
            }
            sum += 10;
        }
        out[i] = sum;
    }

    fn break_in_nested_loop(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut sum = 0;
        for a in 0..2 {
            for b in 0..2 {
                if a + b == x[i] {
                    break;
                }
                sum += 1;
            }
            sum += 10;
        }
        out[i] = sum;
    }

    fn labelled_break(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut n = 0;
        'outer: for a in 0..3 {
            for b in 0..3 {
                if a * 3 + b == x[i] {
                    break 'outer;
                }
                n += 1;
            }
            n += 10;
        }
        out[i] = n;
    }

    fn labelled_continue(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut n = 0;
        'outer: for a in 0..3 {
            for b in 0..3 {
                if b == x[i] {
                    continue 'outer;
                }
                n += 1;
            }
            n += 10 * a;
        }
        out[i] = n;
    }

    fn labelled_block(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut n = x[i];
        'done: {
            if n == 0 {
                break 'done;
            }
            n += 10;
            if n == 11 {
                break 'done;
            }
            n += 100;
        }
        out[i] = n;
    }

    fn loop_break(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut n = x[i];
        loop {
            if n == 0 {
                break;
            }
            n -= 1;
        }
        out[i] = n;
    }

    fn return_in_loop(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut n = x[i];
        while n > 0 {
            n -= 1;
            if n == 2 {
                out[i] = 100;
                return;
            }
        }
        out[i] = n;
    }

    fn collatz(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        if i >= x.len() {
            return;
        }
        let mut n = x[i];
        let mut count = 0;
        while n != 1 {
            if n % 2 == 0 {
                n /= 2;
            } else {
                n = 3 * n + 1;
            }
            count += 1;
        }
        out[i] = count;
    }
}

#[test]
fn lanes_that_left_wait_behind_the_loop() {
    traced!(while_, [0, 3, 1, 2]);
}

#[test]
fn a_condition_of_two_parts_is_one_branch() {
    traced!(while_and, [0, 3, 1, 2]);
}

#[test]
fn a_condition_that_loads_is_short_circuited() {
    traced!(while_and_load, [3, 0, 4, 5]);
}

#[test]
fn a_counted_loop() {
    traced!(for_, [0, 3, 1, 2]);
}

#[test]
fn an_inclusive_loop() {
    traced!(for_inclusive, [0, 3, 1, 2]);
}

#[test]
fn inner_loops_meet_in_each_iteration() {
    traced!(nested_for, [0, 3, 1, 2]);
}

#[test]
fn lanes_that_broke_wait_behind_the_loop() {
    traced!(break_, [0, 1, 2, 7]);
}

#[test]
fn lanes_that_continued_meet_the_others_at_the_next_iteration() {
    traced!(continue_, [0, 1, 2, 1]);
}

#[test]
fn lanes_that_continued_meet_the_others_at_the_step() {
    traced!(continue_in_for, [0, 1, 9, 0]);
}

#[test]
fn break_and_continue_in_one_loop() {
    traced!(break_and_continue, [0, 1, 2, 9]);
}

#[test]
fn a_break_leaves_the_inner_loop_only() {
    traced!(break_in_nested_loop, [0, 1, 2, 9]);
}

#[test]
fn lanes_that_broke_from_within_wait_behind_the_outer_loop() {
    traced!(labelled_break, [9, 1, 4, 5]);
}

#[test]
fn lanes_that_continued_from_within_meet_the_others_at_the_outer_step() {
    traced!(labelled_continue, [0, 9, 1, 0]);
}

#[test]
fn lanes_that_left_a_block_wait_behind_it() {
    traced!(labelled_block, [0, 1, 2, 0]);
}

#[test]
fn a_loop_without_condition_meets_at_its_break() {
    traced!(loop_break, [0, 2, 1, 2]);
}

#[test]
fn a_return_in_a_loop_leaves_the_others_together() {
    traced!(return_in_loop, [1, 4, 2, 3]);
}

#[test]
fn arms_meet_in_every_iteration() {
    traced!(collatz, [1, 6, 2, 3], Grid::new(1, 5), 4, "collatz");
}

#[test]
fn arms_meet_in_every_iteration_of_wider_warps() {
    traced!(collatz, [1, 6, 2, 3, 5, 4, 8, 7], Grid::new(1, 8), 8, "collatz_of_width_8");
}
