//! Operations on 16-bit floats, and conversions from and to them.
//!
//! They run apart from the lanes' own operations, whose table so stays small. Operations that only move bits (loads, stores,
//! selects, conversions to their own type) are those of any word.

use super::translate::Translator;
use super::{Extended, PlanError};
use crate::plan::Function;
use simt_core::ScalarType;
use simt_core::code::Inst;
use simt_core::ops::half_cast;

impl Translator<'_> {
    /// The operation of an instruction that computes with 16-bit floats.
    pub(super) fn half(&mut self, inst: &Inst) -> Result<Option<Extended>, PlanError> {
        let (meaning, ty, result, dst, operands) = match *inst {
            Inst::Unary { op, ty, dst, src } => (op.half_meaning(ty), ty, ty, dst, [Some(src), None]),
            Inst::Binary { op, ty, dst, left, right } => (op.half_meaning(ty), ty, ty, dst, [Some(left), Some(right)]),
            Inst::Compare { op, ty, dst, left, right } => {
                (op.half_meaning(ty), ty, ScalarType::Bool, dst, [Some(left), Some(right)])
            }
            Inst::Cast { from, to, dst, src } => (half_cast(from, to), from, to, dst, [Some(src), None]),
            _ => return Ok(None),
        };
        let Some(meaning) = meaning else { return Ok(None) };
        let mut places = [None; 3];
        for (place, operand) in places.iter_mut().zip(operands.into_iter().flatten()) {
            *place = Some(self.place(operand, ty)?);
        }
        let (dst, _) = self.rows.register(dst);
        Ok(Some(Extended::Function(Function::new(meaning, result, dst, places))))
    }
}
