//! Instructions on arrays and atomics, and messages, to operations of the lanes.

use super::translate::Translator;
use super::{Extended, Place, PlanError, slot};
use crate::lanes::access::{Access, AtomicAccess, Target, Text};
use simt_core::ScalarType;
use simt_core::code::{Inst, ValuesId};
use simt_core::ops::atomic_meaning;
use simt_core::program::{Memory, MessageId};

impl Translator<'_> {
    /// The operation on memory that an instruction is, if it is one. Loads and stores of slices are not: the lanes' own
    /// table has them.
    pub(super) fn access(&mut self, inst: &Inst) -> Result<Option<Extended>, PlanError> {
        let code = self.code;
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
            Inst::Print { message, values } => Access::Print(self.text(message, values)?),
            Inst::Panic { message, values } => Access::Panic(self.text(message, values)?),
            _ => return Ok(None),
        };
        Ok(Some(Extended::Access(access)))
    }

    fn text(&mut self, message: MessageId, values: ValuesId) -> Result<Text, PlanError> {
        let code = self.code;
        let place = |&(ty, operand)| Ok((ty, self.place(operand, ty)?));
        let values = code.shown(values).iter().map(place).collect::<Result<Vec<(ScalarType, Place)>, _>>()?;
        Ok(Text { message: code.messages[message.0 as usize].clone(), values })
    }
}
