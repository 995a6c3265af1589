//! Two values in one register: what is done with each of them.

use super::emit::Emitter;
use super::operands::{constant, unsigned};
use super::rounding::Rounding;
use crate::syntax::{Instruction, Operand as Written, Type};
use simt_core::ScalarType;
use simt_core::code::{Inst, Operand, Reg};
use simt_core::ops::BinaryOp;

/// The type of the halves of a packed type.
pub(super) fn half_of(ty: Type) -> Option<ScalarType> {
    Some(match ty {
        Type::F16x2 => ScalarType::F16,
        Type::Bf16x2 => ScalarType::Bf16,
        Type::U16x2 => ScalarType::U16,
        Type::S16x2 => ScalarType::I16,
        Type::F32x2 => ScalarType::F32,
        _ => return None,
    })
}

/// Whether an instruction has a packed type.
pub(super) fn is_packed(instruction: &Instruction) -> bool {
    instruction.modifiers.iter().any(|name| Type::from_text(&name.text).and_then(half_of).is_some())
}

impl<'m> Emitter<'m, '_> {
    /// The lower or the upper half of a word, as a value of a type.
    pub(super) fn half(&mut self, word: Operand, upper: bool, ty: ScalarType) -> Operand {
        let (both, own) = (word_of(ty), unsigned(ty.bits()));
        let mut word = word;
        if upper {
            let shifted = self.temporary(both);
            let by = constant(ty.bits().into(), ScalarType::U32);
            self.binary(BinaryOp::Shr, both, shifted, &[word, by]);
            word = Operand::Reg(shifted);
        }
        let dst = self.register(None, own, true);
        self.push(Inst::Cast { from: both, to: own, dst, src: word });
        self.as_type(Operand::Reg(dst), own, ty)
    }

    /// A word of two halves of a type, the lower one first.
    pub(super) fn joined(&mut self, dst: Reg, ty: ScalarType, halves: [Operand; 2]) {
        let (both, own) = (word_of(ty), unsigned(ty.bits()));
        let [low, high] = halves.map(|half| {
            let word = self.temporary(both);
            self.push(Inst::Cast { from: own, to: both, dst: word, src: half });
            Operand::Reg(word)
        });
        let raised = self.temporary(both);
        self.binary(BinaryOp::Shl, both, raised, &[high, constant(ty.bits().into(), ScalarType::U32)]);
        self.binary(BinaryOp::Or, both, dst, &[Operand::Reg(raised), low]);
    }

    /// An operation on each pair of halves.
    pub(super) fn on_pairs(
        &mut self,
        dst: &'m Written,
        operands: &'m [Written],
        ty: ScalarType,
        rounding: Rounding,
        emit: impl Fn(&mut Self, Reg, &[Operand]),
    ) -> Option<()> {
        let both = word_of(ty);
        let words = self.read_all(operands, both)?;
        let halves = [false, true].map(|upper| {
            let values: Vec<Operand> = words
                .iter()
                .map(|&word| {
                    let half = self.half(word, upper, ty);
                    self.flushed(half, ty, rounding)
                })
                .collect();
            let result = self.register(None, ty, true);
            emit(self, result, &values);
            self.rounded(result, ty, rounding);
            self.as_type(Operand::Reg(result), ty, unsigned(ty.bits()))
        });
        self.write(dst, both, |emitter, dst| emitter.joined(dst, ty, halves))
    }
}

/// The type of a register that has two values of a type.
fn word_of(ty: ScalarType) -> ScalarType {
    unsigned(2 * ty.bits())
}
