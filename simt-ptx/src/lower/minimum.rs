//! `min` and `max`, of two and of three.

use super::emit::Emitter;
use super::modifiers::Modifiers;
use super::operands::{as_bits, constant, unsigned};
use crate::syntax::Instruction;
use simt_core::ScalarType;
use simt_core::code::{Inst, Operand, Reg};
use simt_core::ops::{BinaryOp, MachineOp, NumericOp};

/// Which of the values is taken.
#[derive(Clone, Copy)]
struct Choice {
    op: NumericOp,
    /// Whether a NaN is taken before numbers.
    keeps_nan: bool,
}

impl<'m> Emitter<'m, '_> {
    /// `min` or `max`.
    pub(super) fn least(&mut self, instruction: &'m Instruction, op: NumericOp) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        let ty = self.type_in(instruction, &modifiers)?;
        let rounding = Self::rounding(&mut modifiers);
        let choice = Choice { op, keeps_nan: modifiers.take("NaN") };
        let (absolute, joins_signs) = (modifiers.take("abs"), modifiers.take("xorsign"));
        self.only(instruction, &modifiers)?;
        self.operation(instruction, ty, rounding, |emitter, dst, values| {
            let mut values = values.to_vec();
            let signs = joins_signs.then(|| emitter.joined_signs(ty, values[0], values[1]));
            if absolute {
                for value in &mut values {
                    let magnitude = emitter.register(None, ty, true);
                    emitter.numeric(NumericOp::Abs, ty, magnitude, &[*value]);
                    *value = Operand::Reg(magnitude);
                }
            }
            match values[..] {
                [a, b, c] => {
                    // The result may be the register of the third.
                    let first = emitter.register(None, ty, true);
                    emitter.chosen(choice, ty, first, a, b);
                    emitter.chosen(choice, ty, dst, Operand::Reg(first), c);
                }
                _ => emitter.chosen(choice, ty, dst, values[0], values[1]),
            }
            if let Some(signs) = signs {
                emitter.binary(BinaryOp::Or, unsigned(ty.bits()), dst, &[Operand::Reg(dst), Operand::Reg(signs)]);
            }
        })
    }

    /// The sign that is negative where exactly one of two floats is.
    fn joined_signs(&mut self, ty: ScalarType, a: Operand, b: Operand) -> Reg {
        let bits = unsigned(ty.bits());
        let signs = self.temporary(bits);
        self.binary(BinaryOp::Xor, bits, signs, &[as_bits(a), as_bits(b)]);
        self.binary(BinaryOp::And, bits, signs, &[Operand::Reg(signs), constant(1 << (ty.bits() - 1), bits)]);
        signs
    }

    fn chosen(&mut self, choice: Choice, ty: ScalarType, dst: Reg, a: Operand, b: Operand) {
        let least = choice.op == NumericOp::Min;
        match ty {
            _ if !choice.keeps_nan => self.numeric(choice.op, ty, dst, &[a, b]),
            ScalarType::F16 | ScalarType::Bf16 => {
                let wide = ScalarType::F32;
                let [a, b] = [a, b].map(|src| {
                    let dst = self.temporary(wide);
                    self.push(Inst::Cast { from: ty, to: wide, dst, src });
                    Operand::Reg(dst)
                });
                let result = self.temporary(wide);
                self.chosen(choice, wide, result, a, b);
                self.push(Inst::Cast { from: wide, to: ty, dst, src: Operand::Reg(result) });
            }
            _ => {
                let op = match (least, ty) {
                    (true, ScalarType::F64) => MachineOp::MinNanF64,
                    (false, ScalarType::F64) => MachineOp::MaxNanF64,
                    (true, _) => MachineOp::MinNanF32,
                    (false, _) => MachineOp::MaxNanF32,
                };
                self.machine(op, dst, &[a, b]);
            }
        }
    }
}
