//! `cvt`: conversions, with the roundings that they ask for.

use super::arithmetic::Rounding;
use super::emit::Emitter;
use super::modifiers::Modifiers;
use super::operands::{constant, scalar, unsigned};
use crate::syntax::{Instruction, Operand as Written, OperandKind};
use simt_core::ScalarType;
use simt_core::code::{Inst, Operand};
use simt_core::ops::NumericOp;

impl<'m> Emitter<'m, '_> {
    pub(super) fn converted(&mut self, instruction: &'m Instruction) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        let types: Vec<_> = modifiers.types().iter().copied().map(scalar).collect();
        let [Some(to), Some(from)] = types[..] else {
            return self.unsupported(instruction, "its types are not supported yet");
        };
        let rounds = modifiers.one_of(&[
            ("rni", NumericOp::RoundTiesEven),
            ("rzi", NumericOp::Trunc),
            ("rmi", NumericOp::Floor),
            ("rpi", NumericOp::Ceil),
        ]);
        // To the nearest, which is exact where it may be another one.
        let exact = exact(from, to);
        if exact {
            modifiers.ignore(&["rz", "rm", "rp"]);
        }
        let rounding = Self::rounding(&mut modifiers);
        self.only(instruction, &modifiers)?;
        let [dst, value] = &instruction.operands[..] else { return self.miscounted(instruction) };
        let value = self.low_bits(value, from)?;
        let mut value = self.flushed(value, from, rounding);
        if let Some(op) = rounds.filter(|_| from.is_float()) {
            let rounded = self.temporary(from);
            self.numeric(op, from, rounded, &[value]);
            value = Operand::Reg(rounded);
        }
        if rounding.saturate && !from.is_float() && !to.is_float() {
            value = self.clamped(value, from, to);
        }
        let of_result =
            Rounding { flush: rounding.flush && to == ScalarType::F32, saturate: rounding.saturate && to.is_float() };
        self.write(dst, to, |emitter, dst| {
            if from == to {
                emitter.push(Inst::Move { ty: to, dst, src: value });
            } else {
                emitter.push(Inst::Cast { from, to, dst, src: value });
            }
            emitter.rounded(dst, to, of_result);
        })
    }

    /// An operand of a type, of a register that may have more bits.
    pub(super) fn low_bits(&mut self, written: &'m Written, ty: ScalarType) -> Option<Operand> {
        let OperandKind::Name(name) = &written.kind else { return self.read(written, ty) };
        let Some(reg) = self.named_register(name) else { return self.read(written, ty) };
        let own = self.type_of(reg);
        if own.bits() <= ty.bits() || own.is_float() || ty.is_float() || own == ScalarType::Bool {
            return self.read(written, ty);
        }
        let dst = self.temporary(ty);
        self.push(Inst::Cast { from: own, to: ty, dst, src: Operand::Reg(reg) });
        Some(Operand::Reg(dst))
    }

    /// An integer within the bounds of another type.
    fn clamped(&mut self, value: Operand, from: ScalarType, to: ScalarType) -> Operand {
        let least = |ty: ScalarType| if ty.is_signed_int() { -(1i128 << (ty.bits() - 1)) } else { 0 };
        let most = |ty: ScalarType| {
            let bits = if ty.is_signed_int() { ty.bits() - 1 } else { ty.bits() };
            (1i128 << bits) - 1
        };
        let mut value = value;
        if least(to) > least(from) {
            let dst = self.temporary(from);
            self.numeric(NumericOp::Max, from, dst, &[value, constant(least(to), from)]);
            value = Operand::Reg(dst);
        }
        if most(to) < most(from) {
            let dst = self.temporary(from);
            self.numeric(NumericOp::Min, from, dst, &[value, constant(most(to), from)]);
            value = Operand::Reg(dst);
        }
        value
    }

    /// The type in which a register holds a value.
    pub(super) fn register_type(ty: ScalarType) -> ScalarType {
        if ty.is_float() { ty } else { unsigned(ty.bits()) }
    }
}

/// Whether each value of a type is one of another, or is cut off the same way by all roundings.
fn exact(from: ScalarType, to: ScalarType) -> bool {
    let mantissa = |ty: ScalarType| match ty {
        ScalarType::F64 => 53,
        ScalarType::F32 => 24,
        ScalarType::F16 => 11,
        ScalarType::Bf16 => 8,
        ty => ty.bits(),
    };
    match (from.is_float(), to.is_float()) {
        (_, false) => true,
        (false, true) => mantissa(from) <= mantissa(to) && to != ScalarType::F16,
        (true, true) => {
            from == to || (mantissa(from), from.bits()) <= (mantissa(to), to.bits()) && to.bits() > from.bits()
        }
    }
}
