//! Translation of instructions on arrays and atomics, and of messages, to operations of the lanes.

use super::by_address::is_seen;
use super::translate::Translator;
use super::{Access, AtomicAccess, ModelledAccess, ModelledKind, Target, Text, WatchedAccess, WatchedKind};
use super::{Extended, Place, PlanError, slot};
use crate::memory::environment::Target as ModelledTarget;
use simt_core::ScalarType;
use simt_core::code::{Code, Inst, Pc, ValuesId};
use simt_core::ops::{AtomicOp, atomic_meaning};
use simt_core::program::{ArraySpace, FenceScope, Memory, MessageId, ParamKind};

/// Whether an instruction is reported to a model of memory and to the search for races: it is a fence, or accesses memory
/// that other threads see and that is written.
pub(super) fn is_modelled(code: &Code, inst: &Inst) -> bool {
    match *inst {
        Inst::Fence(_) => true,
        Inst::Load { slice, .. } | Inst::Store { slice, .. } | Inst::Atomic { slice, .. } => match slice {
            Memory::Param(param) => matches!(
                code.params[param.0 as usize].kind,
                ParamKind::Slice { writable: true, .. } | ParamKind::Atomic { .. }
            ),
            Memory::Array(array) => code.arrays[array.0 as usize].space == ArraySpace::Shared,
        },
        Inst::LoadAt { at, .. } | Inst::StoreAt { at, .. } | Inst::AtomicAt { at, .. } => is_seen(at.space),
        _ => false,
    }
}

impl Translator<'_> {
    /// The operation on memory that an instruction is, if it is one. Loads and stores of slices are not: the lanes' own
    /// table has them.
    pub(super) fn access(&mut self, inst: &Inst) -> Result<Option<Extended>, PlanError> {
        let code = self.code;
        if self.modelled && is_modelled(code, inst) {
            return self.modelled_access(inst);
        }
        if let Some(access) = self.by_address(inst)? {
            return Ok(Some(Extended::Access(Access::Address(Box::new(access)))));
        }
        let access = match *inst {
            Inst::Load { dst, slice: slice @ Memory::Array(_), index, .. } => {
                let (index, (dst, _)) = (self.row(index, ScalarType::Usize)?, self.rows.register(dst));
                Access::Load { slot: slot(code, slice), index, dst }
            }
            Inst::Store { ty, slice: slice @ Memory::Array(_), index, value, .. } => {
                let (index, value) = (self.row(index, ScalarType::Usize)?, self.place(value, ty)?);
                Access::Store { slot: slot(code, slice), index, value }
            }
            Inst::Atomic { op, ty, dst, slice, index, first, second, .. } => {
                let target = match (slice, ty.bits()) {
                    (Memory::Array(_), _) => Target::Array,
                    (Memory::Param(_), 64) => Target::Wides,
                    (Memory::Param(_), 1) => Target::Bytes,
                    (Memory::Param(_), _) => Target::Words,
                };
                let mut operand = |operand: Option<_>| operand.map(|operand| self.place(operand, ty)).transpose();
                Access::Atomic(AtomicAccess {
                    op,
                    meaning: atomic_meaning(op, ty),
                    target,
                    slot: slot(code, slice),
                    operands: [operand(first)?, operand(second)?],
                    index: self.place(index, ScalarType::Usize)?,
                    dst: dst.map(|dst| self.rows.register(dst).0),
                })
            }
            Inst::Print { dst, message, values } => {
                Access::Print(self.text(message, values)?, dst.map(|dst| self.rows.register(dst).0))
            }
            Inst::Panic { message, values } => Access::Panic(self.text(message, values)?),
            _ => return Ok(None),
        };
        Ok(Some(Extended::Access(access)))
    }

    /// The report of an instruction to a launch that looks for races, if it may race or orders others.
    pub(super) fn watched(&mut self, inst: &Inst, pc: Pc) -> Result<Option<Extended>, PlanError> {
        if !self.watched || !is_modelled(self.code, inst) {
            return Ok(None);
        }
        let (kind, slice, index, ty) = match *inst {
            Inst::Load { ty, slice, index, .. } => (WatchedKind::Load, slice, index, ty),
            Inst::Store { ty, slice, index, value, .. } => {
                (WatchedKind::Store { value: self.place(value, ty)? }, slice, index, ty)
            }
            Inst::Atomic { op, ty, slice, index, order, .. } => {
                let (reads, writes) = (op != AtomicOp::Store, op != AtomicOp::Load);
                (WatchedKind::Atomic { order, scope: FenceScope::Device, reads, writes }, slice, index, ty)
            }
            Inst::Fence(scope) => return Ok(Some(Extended::Access(Access::WatchedFence(scope)))),
            _ => return self.watched_address(inst, pc),
        };
        let index = self.place(index, ScalarType::Usize)?;
        let (slot, shared) = (slot(self.code, slice), matches!(slice, Memory::Array(_)));
        Ok(Some(Extended::Access(Access::Watched(WatchedAccess { pc, slot, shared, ty, index, kind }))))
    }

    /// An access of memory that is modelled.
    fn modelled_access(&mut self, inst: &Inst) -> Result<Option<Extended>, PlanError> {
        let (kind, slice, index, ty) = match *inst {
            Inst::Fence(_) => return Ok(Some(Extended::Access(Access::Fence))),
            Inst::Load { ty, dst, slice, index, access } => {
                (ModelledKind::Load { dst: self.rows.register(dst).0, access }, slice, index, ty)
            }
            Inst::Store { ty, slice, index, value, access } => {
                (ModelledKind::Store { value: self.place(value, ty)?, access }, slice, index, ty)
            }
            Inst::Atomic { op, ty, dst, slice, index, first, second, order } => {
                let mut operand = |operand: Option<_>| operand.map(|operand| self.place(operand, ty)).transpose();
                let operands = [operand(first)?, operand(second)?];
                let dst = dst.map(|dst| self.rows.register(dst).0);
                (ModelledKind::Atomic { op, order, operands, dst }, slice, index, ty)
            }
            _ => return self.modelled_address(inst),
        };
        let target = match slice {
            Memory::Param(param) => ModelledTarget::Slice(param.0 as usize),
            Memory::Array(array) => ModelledTarget::Array(array.0 as usize),
        };
        let index = self.place(index, ScalarType::Usize)?;
        let access = ModelledAccess { kind, slot: slot(self.code, slice), target, ty, index };
        Ok(Some(Extended::Access(Access::Modelled(access))))
    }

    fn text(&mut self, message: MessageId, values: ValuesId) -> Result<Text, PlanError> {
        let code = self.code;
        let place = |&(ty, operand)| Ok((ty, self.place(operand, ty)?));
        let values = code.shown(values).iter().map(place).collect::<Result<Vec<(ScalarType, Place)>, _>>()?;
        Ok(Text { message: code.messages[message.0 as usize].clone(), values })
    }
}
