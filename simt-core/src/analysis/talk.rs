//! Where threads can talk to others: by atomics, by volatile accesses, and by operations of lanes.

use super::FlowGraph;
use crate::code::{Code, Inst};
use crate::program::{FunctionId, LoadAccess, StoreAccess};

/// For each loop whether its threads can talk to others in it.
pub(crate) fn talking_loops(code: &Code, graph: &FlowGraph) -> Vec<bool> {
    let functions = talking_functions(code, graph);
    let talks = |block: usize| insts(code, graph, block).iter().any(|inst| is_strong(inst, &functions));
    graph.loops.iter().map(|l| (0..l.contains.len()).any(|block| l.contains[block] && talks(block))).collect()
}

fn insts<'a>(code: &'a Code, graph: &FlowGraph, block: usize) -> &'a [Inst] {
    &code.insts[graph.cfg.starts[block].index()..graph.cfg.ends[block].index()]
}

/// Whether threads can talk to others by an instruction.
fn is_strong(inst: &Inst, functions: &[bool]) -> bool {
    match *inst {
        Inst::Atomic { .. } | Inst::AtomicAt { .. } | Inst::Collective { .. } => true,
        Inst::Load { access, .. } | Inst::LoadAt { access, .. } => {
            matches!(access, LoadAccess::Volatile | LoadAccess::Cv)
        }
        Inst::Store { access, .. } | Inst::StoreAt { access, .. } => access == StoreAccess::Volatile,
        Inst::Call { function: FunctionId(function), .. } => functions[function as usize],
        _ => false,
    }
}

/// For each function whether it or what it calls has a strong operation.
fn talking_functions(code: &Code, graph: &FlowGraph) -> Vec<bool> {
    let mut functions = vec![false; code.functions.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (number, &entry) in graph.entries.iter().skip(1).enumerate() {
            let own = graph.reachable([entry], |_| false);
            let mut blocks = (0..own.len()).filter(|&block| own[block]);
            let talks = blocks.any(|block| insts(code, graph, block).iter().any(|inst| is_strong(inst, &functions)));
            changed |= talks && !functions[number];
            functions[number] |= talks;
        }
    }
    functions
}
