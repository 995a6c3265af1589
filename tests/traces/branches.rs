//! Kernels without loops.

use crate::one_warp;
use simt::Grid;

kernels! {
    fn if_(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut r = x[i];
        if r > 1 {
            r += 10;
        }
        out[i] = r;
    }

    fn if_else(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut r = x[i];
        if r > 1 {
            r += 10;
        } else {
            r += 20;
        }
        out[i] = r;
    }

    fn match_(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut r = x[i];
        match r {
            3 => r = 30,
            4 | 6 => {
                r += 40;
                r *= 2;
            }
            5 => {}
            7 => {
                out[i] = 70;
                return;
            }
            _ => r += 1,
        }
        out[i] = r;
    }

    fn match_in_loop(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let (mut state, mut steps) = (x[i], 0);
        loop {
            match state {
                0 => state = 2,
                1 => state = 3,
                2 => {
                    state = 1;
                    continue;
                }
                3 => break,
                _ => state /= 2,
            }
            steps += 1;
        }
        out[i] = steps;
    }

    fn if_nothing_else(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut r = x[i];
        if r > 1 {
        } else {
            r += 20;
        }
        out[i] = r;
    }

    fn nested_if(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut r = x[i];
        if r > 0 {
            if r > 1 {
                r += 10;
            } else {
                r += 20;
            }
            r *= 2;
        }
        out[i] = r;
    }

    fn else_if(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut r = x[i];
        if r == 0 {
            r = 5;
        } else if r == 1 {
            r = 6;
        } else if r == 2 {
            r = 7;
        }
        out[i] = r;
    }

    fn early_return(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        if x[i] == 0 {
            return;
        }
        out[i] = x[i];
    }

    fn early_return_in_nested_if(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut r = x[i];
        if r > 0 {
            if r == 2 {
                out[i] = 100;
                return;
            }
            r += 10;
        } else {
            r += 20;
        }
        out[i] = r;
    }

    fn return_in_both_arms(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        if x[i] > 1 {
            out[i] = 1;
            return;
        } else {
            out[i] = 2;
            return;
        }
    }

    fn behind_returns(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut r = x[i];
        let more = r + 1;
        if r > 1 {
            if r > 2 {
                return;
            } else {
                return;
            }
            r = 7;
        }
        out[i] = more + (r + 1);
    }

    fn uniform_branch(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut r = x[i];
        if x.len() > 2 {
            r += 10;
        } else {
            r += 20;
        }
        if x.len() > 9 {
            r += 30;
        }
        out[i] = r;
    }

    fn short_circuit_load(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut r = 0;
        if i + 1 < x.len() && x[i + 1] > x[i] {
            r = 1;
        }
        out[i] = r;
    }

    fn if_value(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let r = if x[i] > 1 { x[i] * 3 } else { 7 };
        out[i] = r;
    }
}

#[test]
fn arms_of_a_match_run_one_after_the_other() {
    traced!(match_, [3, 6, 9, 4, 5, 3, 7, 0], Grid::new(1, 8), 8, "match_");
}

#[test]
fn arms_of_a_match_meet_in_every_iteration() {
    traced!(match_in_loop, [0, 3, 9, 2]);
}

#[test]
fn lanes_without_the_arm_meet_the_others_behind_it() {
    traced!(if_, [0, 2, 1, 3]);
}

#[test]
fn both_arms_run_and_meet() {
    traced!(if_else, [0, 2, 1, 3]);
}

#[test]
fn an_empty_arm_costs_nothing() {
    traced!(if_nothing_else, [0, 2, 1, 3]);
}

#[test]
fn inner_paths_meet_before_outer_ones() {
    traced!(nested_if, [0, 2, 1, 3]);
}

#[test]
fn a_chain_of_arms_meets_at_its_end() {
    traced!(else_if, [0, 1, 2, 3]);
}

#[test]
fn lanes_that_returned_are_not_waited_for() {
    traced!(early_return, [0, 2, 0, 3]);
}

#[test]
fn a_return_in_an_arm_leaves_the_others_together() {
    traced!(early_return_in_nested_if, [0, 2, 1, 3]);
}

#[test]
fn arms_that_both_return_never_meet() {
    traced!(return_in_both_arms, [0, 2, 1, 3]);
}

#[test]
fn code_that_no_thread_reaches_changes_nothing() {
    traced!(behind_returns, [0, 2, 1, 3]);
}

#[test]
fn a_uniform_branch_parts_none() {
    traced!(uniform_branch, [4, 5, 6, 7]);
}

#[test]
fn the_right_side_of_and_runs_for_lanes_that_need_it() {
    traced!(short_circuit_load, [1, 5, 3, 4]);
}

#[test]
fn the_arms_of_a_value_meet_where_it_is_used() {
    traced!(if_value, [0, 2, 1, 3]);
}

#[test]
fn lanes_beyond_the_block_never_issue() {
    traced!(if_else, [0, 2, 1, 3, 2], Grid::new(1, 5), 4, "partial_warp");
}
