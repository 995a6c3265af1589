//! Kernels with functions.

use crate::one_warp;

kernels! {
    #[device]
    fn early(n: u32) -> u32 {
        if n == 0 {
            return 100;
        }
        let mut sum = n;
        for k in 0..n {
            if k == 2 {
                return sum;
            }
            sum += 10;
        }
        sum + 1
    }

    #[device]
    fn factorial(n: u32) -> u32 {
        if n < 2 {
            return 1;
        }
        n * factorial(n - 1)
    }

    #[device]
    fn twice(n: u32) -> u32 {
        n * 2
    }

    fn divergent_return(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let r = early(x[i]);
        out[i] = r + 1;
    }

    fn divergent_call(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut r = x[i];
        if r > 1 {
            r = twice(r);
        } else {
            r = twice(r + 10);
        }
        out[i] = r;
    }

    fn recursion(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        out[i] = factorial(x[i]) + 1;
    }
}

#[test]
fn lanes_that_returned_early_wait_behind_the_call() {
    traced!(divergent_return, [0, 1, 3, 2]);
}

#[test]
fn both_arms_call_one_function() {
    traced!(divergent_call, [0, 1, 3, 2]);
}

#[test]
fn each_activation_meets_behind_its_own_call() {
    traced!(recursion, [1, 4, 3, 0]);
}
