//! Ends of threads inside loops, and more barriers than there are registers.

use crate::skeleton::Skeleton;
use simt::core::code::{Inst, Marker};
use simt::prelude::*;

#[kernel]
fn x01_bare_return_in_uniform_loop(p: &mut [i32], u: &[i32], n: usize) {
    let i = global_id();
    for _ in 0..n {
        p.store_volatile(i, 1);
        if u.load_volatile(0) > 3 {
            return;
        }
        p.store_volatile(i, 2);
    }
    p.store_volatile(i, 3);
}

#[kernel]
fn x02_bare_return_of_some_in_uniform_loop(p: &mut [i32], n: usize) {
    let i = global_id();
    for _ in 0..n {
        p.store_volatile(i, 1);
        if p.load_volatile(i + 1) > 3 {
            return;
        }
        p.store_volatile(i, 2);
    }
    p.store_volatile(i, 3);
}

#[kernel]
fn x03_first_exit_only_exits(p: &mut [i32]) {
    let i = global_id();
    loop {
        p.store_volatile(i, 1);
        if p.load_volatile(i + 1) > 3 {
            return;
        }
        p.store_volatile(i, 2);
        if p.load_volatile(i + 2) > 3 {
            p.store_volatile(i, 3);
            return;
        }
        p.store_volatile(i, 4);
    }
}

#[kernel]
fn x04_fifteen_nested(p: &mut [i32]) {
    let i = global_id();
    if p.load_volatile(i + 0) > 3 {
        p.store_volatile(i, 1);
        if p.load_volatile(i + 1) > 3 {
            p.store_volatile(i, 2);
            if p.load_volatile(i + 2) > 3 {
                p.store_volatile(i, 3);
                if p.load_volatile(i + 3) > 3 {
                    p.store_volatile(i, 4);
                    if p.load_volatile(i + 4) > 3 {
                        p.store_volatile(i, 5);
                        if p.load_volatile(i + 5) > 3 {
                            p.store_volatile(i, 6);
                            if p.load_volatile(i + 6) > 3 {
                                p.store_volatile(i, 7);
                                if p.load_volatile(i + 7) > 3 {
                                    p.store_volatile(i, 8);
                                    if p.load_volatile(i + 8) > 3 {
                                        p.store_volatile(i, 9);
                                        if p.load_volatile(i + 9) > 3 {
                                            p.store_volatile(i, 10);
                                            if p.load_volatile(i + 10) > 3 {
                                                p.store_volatile(i, 11);
                                                if p.load_volatile(i + 11) > 3 {
                                                    p.store_volatile(i, 12);
                                                    if p.load_volatile(i + 12) > 3 {
                                                        p.store_volatile(i, 13);
                                                        if p.load_volatile(i + 13) > 3 {
                                                            p.store_volatile(i, 14);
                                                            if p.load_volatile(i + 14) > 3 {
                                                                p.store_volatile(i, 15);
                                                                p.store_volatile(i, 0);
                                                                p.store_volatile(i, 114);
                                                            }
                                                            p.store_volatile(i, 113);
                                                        }
                                                        p.store_volatile(i, 112);
                                                    }
                                                    p.store_volatile(i, 111);
                                                }
                                                p.store_volatile(i, 110);
                                            }
                                            p.store_volatile(i, 109);
                                        }
                                        p.store_volatile(i, 108);
                                    }
                                    p.store_volatile(i, 107);
                                }
                                p.store_volatile(i, 106);
                            }
                            p.store_volatile(i, 105);
                        }
                        p.store_volatile(i, 104);
                    }
                    p.store_volatile(i, 103);
                }
                p.store_volatile(i, 102);
            }
            p.store_volatile(i, 101);
        }
        p.store_volatile(i, 100);
    }
    p.store_volatile(i, 200);
}

pub(crate) fn skeletons() -> Vec<(&'static str, Skeleton)> {
    kernels!(
        x01_bare_return_in_uniform_loop x02_bare_return_of_some_in_uniform_loop x03_first_exit_only_exits x04_fifteen_nested
    )
    .into()
}

/// ptxas keeps the eleven outermost in registers of their own and saves the four innermost, all by way of one register.
#[test]
fn the_innermost_of_fifteen_nested_barriers_are_saved() {
    let code = x04_fifteen_nested::program().code(Markers::PtxasBarriers);
    let markers = code.insts.iter().filter_map(|inst| match inst {
        Inst::Marker(marker) => Some(marker),
        _ => None,
    });
    // Each barrier in the order in which it is set, outer ones first, and whether it is saved.
    let mut set: Vec<(u8, bool)> = Vec::new();
    for marker in markers {
        match *marker {
            Marker::BarrierSet { barrier, .. } => set.push((barrier.0, false)),
            Marker::BarrierSave { barrier, .. } => {
                let last = set.last_mut().unwrap_or_else(|| panic!("{code}"));
                assert_eq!(last.0, barrier.0, "{code}");
                last.1 = true;
            }
            _ => {}
        }
    }
    assert_eq!(set.iter().map(|(_, saved)| *saved).collect::<Vec<_>>(), [[false; 11].as_slice(), &[true; 4]].concat());
    let mut own: Vec<u8> = set[..11].iter().map(|(register, _)| *register).collect();
    own.dedup();
    assert_eq!(own.len(), 11, "{code}");
    assert!(set[11..].iter().all(|(register, _)| *register == set[11].0 && !own.contains(register)), "{code}");
}
