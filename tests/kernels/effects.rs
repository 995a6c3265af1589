//! Statements with effects are neither moved, merged, doubled nor left out on the way to code.

use simt::core::code::{Code, Inst};
use simt::core::lower::LowerOptions;
use simt::prelude::*;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

#[kernel]
fn effects(x: &mut [u32], n: &[AtomicU32]) {
    let i = global_id();
    let first = x.load_volatile(i);
    let again = x.load_volatile(i);
    let before = ballot(first == again);
    let same = ballot(first == again);
    sync_threads();
    sync_threads();
    n[0].fetch_add(1, Relaxed);
    n[0].fetch_add(1, Relaxed);
    fence_block();
    fence_block();
    for _ in 0..2 {
        sync_threads();
        x[i] += (before == same) as u32;
        sync_threads();
    }
    let _ = shuffle(first, 0);
    sync_warp();
}

/// The instructions with effects, in the order of their addresses.
fn listed(code: &Code) -> Vec<String> {
    let name = |inst: &Inst| match inst {
        Inst::Collective { op, .. } => Some(op.name().to_string()),
        Inst::Barrier { op, .. } => Some(format!("barrier {}", op.name())),
        Inst::Fence(scope) => Some(scope.name().to_string()),
        Inst::Atomic { op, .. } => Some(op.name().to_string()),
        Inst::Load { access, .. } if *access != simt::core::program::LoadAccess::Plain => {
            Some(access.name().to_string())
        }
        Inst::Store { .. } => Some("store".to_string()),
        _ => None,
    };
    code.insts.iter().filter_map(name).collect()
}

#[test]
fn effects_stay_where_they_are_written() {
    let expected = [
        "volatile",
        "volatile",
        "ballot",
        "ballot",
        "barrier sync",
        "barrier sync",
        "fetch_add",
        "fetch_add",
        "fence_block",
        "fence_block",
        "barrier sync",
        "store",
        "barrier sync",
        "shuffle",
        "sync_warp",
    ];
    for &markers in Markers::ALL {
        for if_conversion in [false, true] {
            let code = effects::program().code(LowerOptions { markers, if_conversion });
            assert_eq!(listed(&code), expected, "{code}");
        }
    }
}

#[test]
fn and_happen_once_a_thread() -> Result<(), LaunchError> {
    for_each_policy!(P => {
        let (mut x, n) = ([5; 64], [AtomicU32::new(0)]);
        Gpu::<P>::default().launch(Grid::new(2, 32), effects(&mut x, &n))?;
        assert_eq!((x, n[0].load(Relaxed)), ([7; 64], 128), "{}", P::name());
    });
    Ok(())
}
