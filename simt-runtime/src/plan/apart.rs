//! Whether blocks can run apart from each other, as if each were alone, and what they have done be joined afterwards.

use super::Plan;
use crate::memory::{Join, Seen};
use simt_core::ScalarType;
use simt_core::code::{Inst, Operand};
use simt_core::ops::AtomicOp;
use simt_core::program::{Builtin, FenceScope, LoadAccess, Memory, ParamId};

/// What blocks do that run apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Apart {
    /// How it is joined, by the number of the parameter.
    pub(crate) joins: Vec<Join>,
    /// Whether nothing depends on what a block finds that another has written, even by a race: blocks that run one after the
    /// other on the same memory leave what parts do.
    pub(crate) is_unseen: bool,
}

impl Plan {
    /// How blocks run apart; `None` if a block may see what another does, in a program without races.
    pub(crate) fn apart(&self) -> Option<Apart> {
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
                Inst::Store { slice: Memory::Param(param), .. } => (param, Join::Last(Seen::Nothing)),
                _ => continue,
            };
            match joins.get_mut(param.0 as usize)? {
                known @ Join::Unchanged => *known = join,
                known => (*known == join).then_some(())?,
            }
        }
        // Whether stores change a slice is looked at, too, to see whether warps wait for each other in vain, and how long turns are
        // follows from that (`engine::cycles`).
        let is_cooperative = self.is_cooperative();
        for (param, join) in joins.iter_mut().enumerate() {
            let slice = Memory::Param(ParamId(param as u32));
            let accesses = || self.code.insts.iter().filter(|inst| inst.memory() == Some(slice));
            match join {
                Join::Each(..) if accesses().any(reads) => return None,
                Join::Last(seen) => {
                    *seen = match accesses().any(reads) {
                        true if accesses().all(is_own) => Seen::Own,
                        false if !is_cooperative => Seen::Nothing,
                        _ => Seen::All,
                    }
                }
                Join::Unchanged | Join::Each(..) => {}
            }
        }
        let is_unseen = !joins.iter().any(|join| matches!(join, Join::Last(Seen::All) | Join::Each(..)));
        Some(Apart { joins, is_unseen })
    }
}

/// Whether it has the value of an element.
fn reads(inst: &Inst) -> bool {
    matches!(inst, Inst::Load { .. } | Inst::Atomic { op: AtomicOp::Load, .. })
}

/// Whether it accesses the element that has the thread's number in the grid: no other thread accesses it so.
fn is_own(inst: &Inst) -> bool {
    match *inst {
        Inst::Load { index, .. } | Inst::Store { index, .. } | Inst::Atomic { index, .. } => {
            index == Operand::Builtin(Builtin::GlobalId)
        }
        _ => false,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Runs;
    use simt_core::code::Code;

    /// How blocks of a kernel with these parameters run apart, whose body is `body`.
    fn apart(params: &str, body: &str) -> Option<Apart> {
        let text = format!("kernel k({params})\n.reg u32 %a, usize %i\n{body}\nexit");
        let code = Code::parse(&text).unwrap_or_else(|error| panic!("{error}")).into_inner();
        Plan::new(code, Runs::ToTargets, false).expect("few registers").apart()
    }

    fn joined(join: Join, is_unseen: bool) -> Option<Apart> {
        Some(Apart { joins: vec![join], is_unseen })
    }

    #[test]
    fn what_threads_read_of_what_they_write() {
        let of = |body: &str| apart("x: &mut [u32]", body);
        assert_eq!(of("ld.u32 %a, x[3]"), joined(Join::Unchanged, true));
        assert_eq!(of("st.u32 x[3], 1\nst.u32 x[4], 1"), joined(Join::Last(Seen::Nothing), true));
        let own = "ld.u32 %a, x[global_id()]\nadd.u32 %a, %a, 1\nst.u32 x[global_id()], %a";
        assert_eq!(of(own), joined(Join::Last(Seen::Own), true));
        for other in ["ld.u32 %a, x[lane_id()]", "st.u32 x[3], 7", "mov.usize %i, global_id()\nld.u32 %a, x[%i]"] {
            assert_eq!(of(&format!("{own}\n{other}")), joined(Join::Last(Seen::All), false), "{other}");
        }
        // Warps that may wait for each other have turns, whose lengths depend on what stores change.
        assert_eq!(of("st.u32 x[3], 1\nbar.sync"), joined(Join::Last(Seen::All), false));
        assert_eq!(of(&format!("{own}\nbar.sync")), joined(Join::Last(Seen::Own), true));
        assert_eq!(of("ld.u32.volatile %a, x[global_id()]"), None);
    }

    #[test]
    fn what_is_added_up_is_not_read() {
        let of = |body: &str| apart("x: &[AtomicU32]", body);
        let add = "atom.u32.fetch_add.relaxed x[global_id()], 1";
        let each = Join::Each(AtomicOp::Add, ScalarType::U32);
        assert_eq!(of(add), joined(each, false));
        assert_eq!(of(&format!("{add}\natom.u32.load.relaxed %a, x[global_id()]")), None);
        assert_eq!(of(&format!("{add}\natom.u32.fetch_max.relaxed x[0], 1")), None);
    }
}
