//! Which conditions are uniform: such a branch has no barrier.

use crate::skeleton::Skeleton;
use simt::prelude::*;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

/// Kernels that branch on a condition, both arms with work; `p` is memory, `i` the thread.
macro_rules! probes {
    ($($name:ident |$p:ident, $i:ident| ($($more:tt)*) $cond:expr;)*) => {$(
        #[allow(dead_code, reason = "only its program is looked at")]
        #[kernel]
        fn $name($p: &mut [u32] $($more)*) {
            let $i = global_id();
            if $cond {
                $p.store_volatile($i, 1);
            } else {
                $p.store_volatile($i, 2);
            }
            $p[$i + 4096] = $p[$i];
        }
    )*};
}

probes! {
    u01_ntid |p, i| () block_dim().x > 64;
    u02_ctaid |p, i| () block_idx().y > 64;
    u03_tid_y |p, i| () thread_idx().y > 1;
    u04_tid_div32 |p, i| () thread_idx().x / 32 > 1;
    u05_warpid |p, i| () warp_id() > 1;
    u06_vol_uniform_addr |p, i| () p.load_volatile(0) > 1;
    u07_plain_uniform_addr |p, i| () p[0] > 1;
    u08_atomic_uniform_addr |p, i| (, a: &[AtomicU32]) a[0].fetch_add(1, Relaxed) > 1;
    u10_ballot |p, i| () ballot(p[i] > 1) > 77;
    u11_shfl_idx0 |p, i| () shuffle(p[i], 0) > 77;
    u12_activemask |p, i| () active_mask() > 77;
    u13_vote_all |p, i| () all(p[i] > 3);
    u15_syncthreads_or |p, i| () sync_threads_or(p[i] > 3);
}

#[kernel]
fn u16_bar_in_arm(p: &mut [u32]) {
    let i = global_id();
    if p[i] > 3 {
        p.store_volatile(i, 1);
        sync_threads();
        p.store_volatile(i, 3);
    } else {
        p.store_volatile(i, 2);
    }
    p[i + 4096] = p[i];
}

#[kernel]
fn u17_uniform_in_div(p: &mut [u32], n: u32) {
    let i = global_id();
    if p[i] > 3 {
        p.store_volatile(i, 1);
        if n > 4 {
            p.store_volatile(i, 2);
        } else {
            p.store_volatile(i, 3);
        }
        p.store_volatile(i, 5);
    }
    p[i + 4096] = p[i];
}

#[kernel]
fn u18_phi_uniform_vals_div_branch(p: &mut [u32], n: u32) {
    let i = global_id();
    let mut q = 0;
    if p[i] > 3 {
        p.store_volatile(i, 1);
        q = n;
    } else {
        p.store_volatile(i, 2);
        q = n * 3;
    }
    if q > 10 {
        p.store_volatile(i, 7);
    } else {
        p.store_volatile(i, 8);
    }
    p[i + 4096] = q;
}

#[kernel]
fn u19_loop_carried_div_exit(p: &mut [u32], n: u32) {
    let i = global_id();
    let mut k = 0;
    while k < p[i] {
        p.store_volatile(i, k);
        k += 1;
    }
    if k > n {
        p.store_volatile(i, 7);
    } else {
        p.store_volatile(i, 8);
    }
    p[i + 4096] = k;
}

#[kernel]
fn u20_laneid0(p: &mut [u32]) {
    let i = global_id();
    if thread_idx().x & 31 == 0 {
        p.store_volatile(i, 1);
    }
    p[i + 4096] = 1;
}

pub(crate) fn skeletons() -> Vec<(&'static str, Skeleton)> {
    kernels!(
        u01_ntid u02_ctaid u03_tid_y u04_tid_div32 u05_warpid u06_vol_uniform_addr u07_plain_uniform_addr
        u08_atomic_uniform_addr u10_ballot u11_shfl_idx0 u12_activemask u13_vote_all u15_syncthreads_or u16_bar_in_arm
        u17_uniform_in_div u18_phi_uniform_vals_div_branch u19_loop_carried_div_exit u20_laneid0
    )
    .into()
}
