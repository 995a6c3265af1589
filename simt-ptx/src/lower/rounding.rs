//! What modifiers do with operands and results of floats: `.ftz`, `.sat`, `.relu`, and the direction in which is rounded.

use super::emit::Emitter;
use super::modifiers::Modifiers;
use super::operands::{as_bits, constant};
use simt_core::ScalarType;
use simt_core::code::{Inst, Operand, Reg};
use simt_core::ops::{Args, MachineOp, NumericOp};

/// What is done with operands and result of an operation.
#[derive(Clone, Copy, Default)]
pub(super) struct Rounding {
    /// Subnormal numbers count as zeros.
    pub(super) flush: bool,
    /// The result lies between 0 and 1.
    pub(super) saturate: bool,
    /// The result is not below 0.
    pub(super) rectify: bool,
    /// Of an infinite result, the largest number.
    pub(super) finite: bool,
    /// `rz`, `rm` or `rp`; none is to the nearest.
    pub(super) direction: Option<&'static str>,
}

/// The operation of the machine that has a name.
pub(super) fn machine(name: &str) -> Option<MachineOp> {
    MachineOp::ALL.iter().copied().find(|op| op.name() == name)
}

impl Rounding {
    /// The operation that rounds in the direction; none if it is to the nearest.
    pub(super) fn directed(self, name: &str, ty: ScalarType) -> Option<MachineOp> {
        machine(&format!("{name}_{}.{ty}", self.direction?))
    }
}

impl<'m> Emitter<'m, '_> {
    /// The modifiers of a result; `.rn` and `.approx` are what operations do without.
    pub(super) fn rounding(modifiers: &mut Modifiers<'m>) -> Rounding {
        modifiers.ignore(&["rn", "approx", "full"]);
        Rounding {
            flush: modifiers.take("ftz"),
            saturate: modifiers.take("sat"),
            rectify: modifiers.take("relu"),
            finite: modifiers.take("satfinite"),
            direction: modifiers.one_of(&[("rz", "rz"), ("rm", "rm"), ("rp", "rp")]),
        }
    }

    /// A value as an operation takes it that flushes subnormal numbers.
    pub(super) fn flushed(&mut self, value: Operand, ty: ScalarType, rounding: Rounding) -> Operand {
        let (op, value) = match ty {
            ScalarType::F32 if rounding.flush => (MachineOp::FlushF32, value),
            ScalarType::F16 if rounding.flush => (MachineOp::FlushF16, as_bits(value)),
            _ => return value,
        };
        let dst = self.register(None, ty, true);
        self.push(Inst::Machine { op, dst, args: Args::One([value]) });
        Operand::Reg(dst)
    }

    /// What a rounding does to a result.
    pub(super) fn rounded(&mut self, dst: Reg, ty: ScalarType, rounding: Rounding) {
        let asked = [
            ("ftz", rounding.flush),
            ("sat", rounding.saturate),
            ("relu", rounding.rectify),
            ("satfinite", rounding.finite),
        ];
        for (name, _) in asked.into_iter().filter(|(_, asked)| *asked) {
            if let Some(op) = machine(&format!("{name}.{ty}")) {
                self.push(Inst::Machine { op, dst, args: Args::One([Operand::Reg(dst)]) });
            } else if name == "relu" && ty.is_int() {
                self.numeric(NumericOp::Max, ty, dst, &[Operand::Reg(dst), constant(0, ty)]);
            }
        }
    }
}
