//! Operations that run as functions of one lane: on 16-bit floats, and those of the table of machine operations.
//!
//! They run apart from the lanes' own operations, whose table so stays small. Operations on 16-bit floats that only move bits
//! (loads, stores, selects, conversions to their own type) are those of any word.

use super::translate::Translator;
use super::{Extended, PlanError};
use crate::plan::Function;
use simt_core::ScalarType;
use simt_core::code::Inst;
use simt_core::ops::half_cast;

impl Translator<'_> {
    /// The operation of an instruction that is such a function.
    pub(super) fn function(&mut self, inst: &Inst) -> Result<Option<Extended>, PlanError> {
        let (meaning, result, dst, operands) = match *inst {
            Inst::Unary { op, ty, dst, src } => (op.half_meaning(ty), ty, dst, [Some((src, ty)), None, None]),
            Inst::Binary { op, ty, dst, left, right } => {
                (op.half_meaning(ty), ty, dst, [Some((left, ty)), Some((right, ty)), None])
            }
            Inst::Compare { op, ty, dst, left, right } => {
                (op.half_meaning(ty), ScalarType::Bool, dst, [Some((left, ty)), Some((right, ty)), None])
            }
            Inst::Cast { from, to, dst, src } => (half_cast(from, to), to, dst, [Some((src, from)), None, None]),
            Inst::Machine { op, dst, args } => {
                let mut operands = [None; 3];
                for (operand, pair) in operands.iter_mut().zip(args.as_slice().iter().zip(op.args())) {
                    *operand = Some((*pair.0, *pair.1));
                }
                (Some(op.meaning()), op.result(), dst, operands)
            }
            _ => return Ok(None),
        };
        let Some(meaning) = meaning else { return Ok(None) };
        let mut places = [None; 3];
        for (place, (operand, ty)) in places.iter_mut().zip(operands.into_iter().flatten()) {
            *place = Some(self.place(operand, ty)?);
        }
        let (dst, _) = self.rows.register(dst);
        Ok(Some(Extended::Function(Function::new(meaning, result, dst, places))))
    }
}
