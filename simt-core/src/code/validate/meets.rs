//! Where paths meet.
//!
//! Threads that wait at a reconvergence address rely on the others to come there. So it must post-dominate the branch; it
//! need not be the nearest that does.

use super::{Check, Mistake};
use crate::code::{Cfg, Code, Pc};
use crate::graph::immediate_post_dominators;

/// Each place to meet is one that all ways from the branch to the end come by.
pub(super) fn check(code: &Code) -> Check {
    if code.reconvergence.iter().all(Option::is_none) {
        return Ok(());
    }
    let cfg = Cfg::new(code);
    let post_dominators = immediate_post_dominators(&cfg.successors);
    for (index, meet) in code.reconvergence.iter().enumerate() {
        let Some(meet) = meet else { continue };
        let wanted = cfg.block_of[meet.index()];
        let comes_by = |&from: &usize| {
            let mut chain = std::iter::successors(Some(from), |&block| post_dominators[block]);
            chain.any(|block| block == wanted)
        };
        if !cfg.successors[cfg.block_of[index]].iter().all(comes_by) {
            let pc = Pc(index as u32);
            let what = format!("not all ways from here to the end come by {meet}");
            let slots = code.slots(code.inst(pc)).len() + 1;
            return Err(Mistake::target(pc, slots, what, "an address that all threads come by, or no `meet`"));
        }
    }
    Ok(())
}
