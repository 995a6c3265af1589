//! Which path runs next, and which barriers open.

use super::*;
use crate::gpu::call;
use crate::{Argument, Gpu, Grid, Kernel};
use simt_core::code::{BarrierReg, Code};

fn split(pc: u32, mask: u64) -> WarpSplit {
    WarpSplit { pc: Pc(pc), mask: LaneMask(mask) }
}

fn parted(policy: &mut ConvergenceBarriers, taken: u64, target: u32, next: u32) {
    let taken = LaneMask(taken);
    policy.branch(Branch { taken, target: Pc(target), next: Pc(next), meet: None, leaves: false });
}

const B0: BarrierReg = BarrierReg(0);

/// A lock: `bssy` before the loop at 1, `bsync` at 9 behind it. Lane 3 has left the loop.
fn locked() -> ConvergenceBarriers {
    let mut policy = ConvergenceBarriers::start(split(0, 0b1111).into());
    policy.barrier(BarrierMarker::Set { barrier: B0, target: Pc(10) }, Pc(1));
    parted(&mut policy, 0b1000, 9, 5);
    assert_eq!(policy.current(), Some(split(5, 0b0111)), "the larger group goes on");
    policy
}

#[test]
fn a_barrier_opens_when_all_others_have_yielded() {
    let mut policy = locked();
    policy.barrier(BarrierMarker::Yield, Pc(1));
    assert_eq!((policy.current(), policy.yielded()), (Some(split(9, 0b1000)), LaneMask(0b0111)));
    policy.barrier(BarrierMarker::Sync(B0), Pc(10));
    assert_eq!(policy.current(), Some(split(10, 0b1000)), "the others have yielded");
    let left: Vec<_> = policy.barriers().iter().map(|b| (b.participants, b.waiting)).collect();
    assert_eq!(left, [(LaneMask(0b0111), LaneMask(0))], "they still take part");
    policy.exit();
    assert_eq!((policy.current(), policy.yielded()), (Some(split(1, 0b0111)), LaneMask(0)));
}

#[test]
fn a_group_that_runs_has_not_yielded() {
    let mut policy = locked();
    // Lane 3 comes to its `bsync` while the others run.
    policy.barrier(BarrierMarker::Yield, Pc(1));
    policy.barrier(BarrierMarker::Yield, Pc(9));
    assert_eq!((policy.current(), policy.yielded()), (Some(split(1, 0b0111)), LaneMask(0b1000)));
    parted(&mut policy, 0b0100, 9, 5);
    policy.barrier(BarrierMarker::Yield, Pc(1));
    assert_eq!(policy.current(), Some(split(9, 0b0100)), "it parted last");
    policy.barrier(BarrierMarker::Sync(B0), Pc(10));
    assert_eq!(policy.current(), Some(split(10, 0b0100)), "all others have yielded");
}

/// With a clock: lane 3 waits for two groups, each of which spins while the other's load is under way.
#[test]
fn groups_that_spin_while_others_wait_for_memory_have_yielded() {
    let mut policy = locked();
    parted(&mut policy, 0b0001, 20, 6);
    assert_eq!(policy.current(), Some(split(6, 0b0110)), "the larger group goes on");
    assert!(policy.select(LaneMask(0b1000)));
    policy.barrier(BarrierMarker::Sync(B0), Pc(10));
    assert_eq!(policy.current(), Some(split(6, 0b0110)), "whose turn it is");
    policy.barrier(BarrierMarker::Yield, Pc(6));
    assert_eq!((policy.current(), policy.yielded()), (Some(split(20, 0b0001)), LaneMask(0b0110)));
    // Its load, while which the other runs, and loads.
    assert!(policy.select(LaneMask(0b0110)));
    assert_eq!(policy.current(), Some(split(6, 0b0110)));
    assert!(policy.select(LaneMask(0b0001)));
    policy.barrier(BarrierMarker::Yield, Pc(20));
    assert_eq!(policy.current(), Some(split(10, 0b1000)), "lane 3 waits for none that has not yielded");
}

/// With a clock: what runs while another waits for memory keeps none from its turn.
#[test]
fn groups_that_run_while_others_wait_for_memory_come_in_order() {
    let mut policy = ConvergenceBarriers::start(split(0, 0b111).into());
    parted(&mut policy, 0b100, 5, 1);
    parted(&mut policy, 0b010, 7, 2);
    let [third, second, first] = [split(5, 0b100), split(2, 0b001), split(7, 0b010)];
    assert_eq!(policy.current(), Some(first), "of equals, the taken path");
    assert!(policy.select(LaneMask(0b101)));
    assert_eq!(policy.current(), Some(second));
    assert!(policy.select(LaneMask(0b100)));
    assert_eq!(policy.current(), Some(third));
    assert!(!policy.select(LaneMask::EMPTY));
    assert!(policy.select(LaneMask(0b111)));
    assert_eq!(policy.current(), Some(first), "whose turn it still is");
    assert!(policy.select(LaneMask(0b100)));
    policy.barrier(BarrierMarker::Yield, Pc(5));
    assert_eq!(policy.current(), Some(first));
    policy.exit();
    assert_eq!(policy.current(), Some(second), "the third has yielded");
}

#[test]
fn a_warpsync_does_not_open_for_what_has_yielded() {
    let mut policy = ConvergenceBarriers::start(split(0, 0b11).into());
    parted(&mut policy, 0b10, 5, 1);
    assert_eq!(policy.current(), Some(split(5, 0b10)), "of equals, the taken path");
    policy.barrier(BarrierMarker::Yield, Pc(6));
    policy.barrier(BarrierMarker::WarpSync(LaneMask(0b11)), Pc(2));
    assert_eq!(policy.current(), Some(split(6, 0b10)));
    policy.barrier(BarrierMarker::WarpSync(LaneMask(u64::MAX)), Pc(2));
    assert_eq!(policy.current(), Some(split(2, 0b11)));
}

#[test]
fn others_have_their_turn_after_many_jumps() {
    let mut policy = locked();
    for _ in 0..2 * SLICE {
        policy.jump(JumpKind::Plain, Pc(5));
        if policy.current() == Some(split(9, 0b1000)) {
            return;
        }
    }
    panic!("lane 3 never ran");
}

/// Lane 0 writes out of bounds as soon as it has its turn, which the others would never end.
#[test]
fn others_have_their_turn_after_a_loop_without_a_branch() {
    let loops = [
        "HEAD: bra HEAD",
        "HEAD: add.u32 %t, %t, 1\nbra HEAD",
        "HEAD: bssy B0, L\nbsync B0\nL: bra HEAD",
        "HEAD: add.u32 %t, %t, 1\nbsync B0\nbra HEAD",
        "HEAD: bra L\nL: bsync B0\nadd.u32 %t, %t, 1\nbra HEAD",
    ];
    for spin in loops {
        let code = format!(
            "kernel spin(r: &mut [u32])
            .markers ptxas-barriers
            .reg u32 %t, bool %b
            cvt.u32.usize %t, global_id()
            eq.u32 %b, %t, 0
            @%b bra OTHER
            {spin}
            OTHER: st.u32 r[9], 1
            exit"
        );
        let kernel = Kernel::from_code(Code::parse(&code).unwrap_or_else(|error| panic!("{error}\n{code}")));
        let gpu = Gpu::<ConvergenceBarriers>::default().with_warp_width(4);
        let ran = gpu.launch(Grid::new(1, 4), call(&kernel, vec![Argument::slice_mut(&mut [0; 4])]));
        let error = ran.expect_err("lane 0 writes out of bounds");
        assert!(error.to_string().contains("out of bounds"), "{spin}\n{error}");
    }
}

#[test]
fn alone_it_runs_on_and_stays_as_it_is() {
    let mut policy = ConvergenceBarriers::start(split(0, 0b11).into());
    let before = policy.clone();
    for _ in 0..3 * SLICE {
        policy.jump(JumpKind::Plain, Pc(0));
        policy.barrier(BarrierMarker::Yield, Pc(0));
    }
    assert_eq!(policy, before, "a livelock is seen");
}

#[test]
fn what_takes_no_part_goes_on() {
    let mut policy = ConvergenceBarriers::start(split(0, 0b11).into());
    policy.barrier(BarrierMarker::Sync(B0), Pc(1));
    assert_eq!(policy.current(), Some(split(1, 0b11)));
}
