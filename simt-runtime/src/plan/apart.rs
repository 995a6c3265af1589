//! Whether blocks can run apart from each other, as if each were alone, and what they have done be joined afterwards.

use super::Plan;
use crate::memory::Join;
use simt_core::ScalarType;
use simt_core::code::Inst;
use simt_core::ops::AtomicOp;
use simt_core::program::{FenceScope, LoadAccess, Memory};

impl Plan {
    /// How what blocks do to each parameter is joined; `None` if a block may see what another does, in a program without
    /// races.
    pub(crate) fn joins(&self) -> Option<Vec<Join>> {
        // What lies at an address is one for all blocks.
        if self.meets_as_grid() || self.code.uses_addresses() {
            return None;
        }
        let mut joins = vec![Join::Unchanged; self.code.params.len()];
        for inst in &self.code.insts {
            let (param, join) = match *inst {
                Inst::Fence(FenceScope::Device) | Inst::Load { access: LoadAccess::Volatile | LoadAccess::Cv, .. } => {
                    return None;
                }
                Inst::Atomic { slice: Memory::Param(param), op, ty, dst: None, .. } if op != AtomicOp::Load => {
                    (param, of_atomic(op, ty)?)
                }
                Inst::Atomic { slice: Memory::Param(_), op, .. } if op != AtomicOp::Load => return None,
                Inst::Store { slice: Memory::Param(param), .. } => (param, Join::Last),
                _ => continue,
            };
            match joins.get_mut(param.0 as usize)? {
                known @ Join::Unchanged => *known = join,
                known => (*known == join).then_some(())?,
            }
        }
        let reads = |inst: &Inst| match *inst {
            Inst::Load { slice: Memory::Param(param), .. }
            | Inst::Atomic { slice: Memory::Param(param), op: AtomicOp::Load, .. } => {
                matches!(joins.get(param.0 as usize), Some(Join::Each(..)))
            }
            _ => false,
        };
        (!self.code.insts.iter().any(reads)).then_some(joins)
    }
}

/// How atomics without a result are joined with others of their kind; `None` if it matters which of them is first.
fn of_atomic(op: AtomicOp, ty: ScalarType) -> Option<Join> {
    use ScalarType::{Bool, I32, I64, U32, U64};
    // Sums of floats are rounded, and of zeros of either sign the first one stays.
    if !matches!(ty.machine(), U32 | I32 | U64 | I64 | Bool) {
        return None;
    }
    match op {
        AtomicOp::Add | AtomicOp::Sub => Some(Join::Each(AtomicOp::Add, ty)),
        AtomicOp::Min | AtomicOp::Max | AtomicOp::And | AtomicOp::Or | AtomicOp::Xor => Some(Join::Each(op, ty)),
        // Two counts up to different limits are not the same in either order.
        AtomicOp::Load
        | AtomicOp::Store
        | AtomicOp::Swap
        | AtomicOp::CompareExchange
        | AtomicOp::Inc
        | AtomicOp::Dec => None,
    }
}
