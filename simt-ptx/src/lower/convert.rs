//! `cvt`: conversions, with the roundings that they ask for.

use super::emit::Emitter;
use super::modifiers::Modifiers;
use super::operands::{constant, scalar, unsigned};
use super::pairs::half_of;
use super::rounding::{Rounding, machine};
use crate::syntax::{Instruction, Operand as Written, OperandKind};
use simt_core::ScalarType;
use simt_core::code::{Inst, Operand, Reg};
use simt_core::ops::NumericOp;

impl<'m> Emitter<'m, '_> {
    pub(super) fn converted(&mut self, instruction: &'m Instruction) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        let types: Vec<_> = modifiers.types().iter().copied().map(scalar).collect();
        let [Some(to), Some(from)] = types[..] else {
            return self.unsupported(instruction, "it has no such type");
        };
        let rounds = modifiers.one_of(&[
            ("rni", NumericOp::RoundTiesEven),
            ("rzi", NumericOp::Trunc),
            ("rmi", NumericOp::Floor),
            ("rpi", NumericOp::Ceil),
        ]);
        let rounding = Self::rounding(&mut modifiers);
        self.only(instruction, &modifiers)?;
        let [dst, value] = &instruction.operands[..] else { return self.miscounted(instruction) };
        let value = self.low_bits(value, from)?;
        // Those of 16 bits keep their subnormal numbers.
        let of_value = Rounding { flush: rounding.flush && from == ScalarType::F32, ..rounding };
        let mut value = self.flushed(value, from, of_value);
        if let Some(op) = rounds.filter(|_| from.is_float()) {
            let rounded = self.register(None, from, true);
            self.numeric(op, from, rounded, &[value]);
            value = Operand::Reg(rounded);
        }
        if rounding.saturate && !from.is_float() && !to.is_float() {
            value = self.clamped(value, from, to);
        }
        let of_result = Rounding {
            flush: rounding.flush && to == ScalarType::F32,
            saturate: rounding.saturate && to.is_float(),
            ..rounding
        };
        self.write(dst, to, |emitter, dst| {
            emitter.cast(from, to, rounding, dst, value);
            emitter.rounded(dst, to, of_result);
        })
    }

    /// `cvt.rn.f16x2.f32 d, a, b`: the first value is the upper half.
    pub(super) fn converted_pair(&mut self, instruction: &'m Instruction) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        let Some(ty) = modifiers.types().first().copied().and_then(half_of) else {
            return self.unsupported(instruction, "it has no such type");
        };
        let rounding = Self::rounding(&mut modifiers);
        self.only(instruction, &modifiers)?;
        let [dst, high, low] = &instruction.operands[..] else { return self.miscounted(instruction) };
        let values = [self.read(low, ScalarType::F32)?, self.read(high, ScalarType::F32)?];
        let halves = values.map(|value| {
            let half = self.register(None, ty, true);
            self.cast(ScalarType::F32, ty, rounding, half, value);
            self.rounded(half, ty, rounding);
            Operand::Reg(half)
        });
        self.write(dst, ScalarType::U32, |emitter, dst| emitter.joined(dst, ty, halves))
    }

    /// A conversion, rounded in the direction where it is not exact.
    fn cast(&mut self, from: ScalarType, to: ScalarType, rounding: Rounding, dst: Reg, src: Operand) {
        if from == to {
            return self.push(Inst::Move { ty: to, dst, src });
        }
        let wide = match from {
            _ if from.is_float() => ScalarType::F64,
            _ if from.is_signed_int() => ScalarType::I64,
            _ => ScalarType::U64,
        };
        let directed = rounding.direction.filter(|_| !exact(from, to));
        let directed = directed.and_then(|direction| machine(&format!("cvt_{direction}_{to}.{wide}")));
        let Some(op) = directed else {
            let nan = self.becomes_of_nan(from, to, src);
            self.push(Inst::Cast { from, to, dst, src });
            if let Some((is_nan, then)) = nan {
                let (cond, otherwise) = (Operand::Reg(is_nan), Operand::Reg(dst));
                self.push(Inst::Select { ty: to, dst, cond, then, otherwise });
            }
            return;
        };
        let mut src = src;
        if from != wide {
            let widened = self.temporary(wide);
            self.push(Inst::Cast { from, to: wide, dst: widened, src });
            src = Operand::Reg(widened);
        }
        self.machine(op, dst, &[src]);
    }

    /// Whether it is a NaN, and what that becomes where one of the types has 64 bits: the highest bit alone. Else it is 0.
    fn becomes_of_nan(&mut self, from: ScalarType, to: ScalarType, value: Operand) -> Option<(Reg, Operand)> {
        if !from.is_float() || !to.is_int() || from != ScalarType::F64 && to.bits() != 64 {
            return None;
        }
        let is_nan = self.temporary(ScalarType::Bool);
        self.numeric(NumericOp::IsNan, from, is_nan, &[value]);
        Some((is_nan, constant(1 << (to.bits() - 1), to)))
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
