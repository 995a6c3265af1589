//! Analyses: basic blocks of code and where paths meet again; whether a program ends whatever the order of its threads.

mod assignments;
mod counted;
mod divergence;
mod flow_graph;
mod independence;
mod sharing;
mod talk;

pub use divergence::{Divergence, joins};
pub use flow_graph::{FlowGraph, Loop};
pub use independence::{Repetition, ScheduleDependence};
pub(crate) use talk::talking_loops;

use crate::code::{Cfg, Code, Inst, Pc};
use crate::graph::immediate_post_dominators;

/// For each instruction that is a branch, the address of its immediate post-dominator: the first instruction that all
/// threads reach whichever way they went. `None` where paths meet only at the end of the kernel.
pub fn reconvergence_points(code: &Code) -> Vec<Option<Pc>> {
    let cfg = Cfg::new(code);
    let post_dominators = immediate_post_dominators(&cfg.successors);
    (0..code.insts.len())
        .map(|index| {
            let branch = matches!(code.insts[index], Inst::Branch { .. } | Inst::Indirect { .. });
            let block = cfg.block_of[index];
            if branch { post_dominators[block].map(|join| cfg.starts[join]) } else { None }
        })
        .collect()
}
