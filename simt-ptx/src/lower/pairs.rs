//! Two values of 16 bits in one register: what is done with each of them.

use super::emit::Emitter;
use super::operands::{constant, unsigned};
use super::rounding::Rounding;
use crate::syntax::{Instruction, Operand as Written, Type};
use simt_core::ScalarType;
use simt_core::code::{Inst, Operand, Reg};
use simt_core::ops::BinaryOp;

const WORD: ScalarType = ScalarType::U32;
const HALF: ScalarType = ScalarType::U16;

/// The type of the halves of a packed type.
pub(super) fn half_of(ty: Type) -> Option<ScalarType> {
    Some(match ty {
        Type::F16x2 => ScalarType::F16,
        Type::Bf16x2 => ScalarType::Bf16,
        Type::U16x2 => ScalarType::U16,
        Type::S16x2 => ScalarType::I16,
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
        let mut word = word;
        if upper {
            let shifted = self.temporary(WORD);
            self.binary(BinaryOp::Shr, WORD, shifted, &[word, constant(16, WORD)]);
            word = Operand::Reg(shifted);
        }
        let dst = self.register(None, HALF, true);
        self.push(Inst::Cast { from: WORD, to: HALF, dst, src: word });
        self.as_type(Operand::Reg(dst), HALF, ty)
    }

    /// A word of two halves, the lower one first.
    pub(super) fn joined(&mut self, dst: Reg, halves: [Operand; 2]) {
        let [low, high] = halves.map(|half| {
            let word = self.temporary(WORD);
            self.push(Inst::Cast { from: HALF, to: WORD, dst: word, src: half });
            Operand::Reg(word)
        });
        let raised = self.temporary(WORD);
        self.binary(BinaryOp::Shl, WORD, raised, &[high, constant(16, WORD)]);
        self.binary(BinaryOp::Or, WORD, dst, &[Operand::Reg(raised), low]);
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
        let words = self.read_all(operands, WORD)?;
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
            self.as_type(Operand::Reg(result), ty, unsigned(16))
        });
        self.write(dst, WORD, |emitter, dst| emitter.joined(dst, halves))
    }
}
