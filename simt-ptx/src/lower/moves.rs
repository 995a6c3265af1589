//! `mov`: of values, of addresses, into and out of registers that hold several values; and conversions of addresses.

use super::emit::Emitter;
use super::modifiers::Modifiers;
use super::operands::{constant, unsigned};
use crate::syntax::{Instruction, Operand as Written, OperandKind, Vector};
use simt_core::ScalarType;
use simt_core::code::{AddressSpace, Inst, Operand, Reg};
use simt_core::ops::BinaryOp;

impl<'m> Emitter<'m, '_> {
    pub(super) fn moved(&mut self, instruction: &'m Instruction) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        let ty = self.type_in(instruction, &modifiers).map(Self::register_type)?;
        modifiers.ignore(&["sync"]);
        let each = modifiers.word(Vector::from_text).is_some();
        self.only(instruction, &modifiers)?;
        let [dst, value] = &instruction.operands[..] else { return self.miscounted(instruction) };
        match (&dst.kind, &value.kind) {
            (OperandKind::Vector(all), OperandKind::Vector(values)) if each => self.moved_each(all, values, ty),
            (OperandKind::Vector(parts), _) => self.unpacked(parts, value, ty),
            (_, OperandKind::Vector(parts)) => self.packed(dst, parts, ty),
            _ => {
                let before = self.insts.len();
                let value = self.read(value, ty)?;
                // A special register needs no register of its own in between.
                if let (Operand::Reg(read), [.., Inst::Move { dst: made, .. }]) = (value, &self.insts[before..])
                    && *made == read
                {
                    let (last, src) = (self.insts.len() - 1, self.moved_at(before));
                    if let (Some((ty, src)), true) = (src, last == before) {
                        self.take_back();
                        return self.write(dst, ty, |emitter, dst| emitter.push(Inst::Move { ty, dst, src }));
                    }
                }
                self.write(dst, ty, |emitter, dst| emitter.push(Inst::Move { ty, dst, src: value }))
            }
        }
    }

    /// `mov.v2 {a, b}, {c, d}`: all are read before one is written.
    fn moved_each(&mut self, all: &'m [Written], values: &'m [Written], ty: ScalarType) -> Option<()> {
        let mut read = Vec::with_capacity(values.len());
        for value in values {
            let (src, dst) = (self.read(value, ty)?, self.temporary(ty));
            self.push(Inst::Move { ty, dst, src });
            read.push(Operand::Reg(dst));
        }
        for (dst, src) in all.iter().zip(read) {
            self.write(dst, ty, |emitter, dst| emitter.push(Inst::Move { ty, dst, src }))?;
        }
        Some(())
    }

    fn moved_at(&self, at: usize) -> Option<(ScalarType, Operand)> {
        match self.insts.get(at) {
            Some(&Inst::Move { ty, src, .. }) => Some((ty, src)),
            _ => None,
        }
    }

    /// `mov.b64 {a, b}, d`: the parts of a value, the lowest first.
    fn unpacked(&mut self, parts: &'m [Written], value: &'m Written, ty: ScalarType) -> Option<()> {
        let ty = unsigned(ty.bits());
        let value = self.read(value, ty)?;
        let width = ty.bits() / parts.len().max(1) as u32;
        let part = unsigned(width);
        for (number, dst) in parts.iter().enumerate() {
            if matches!(dst.kind, OperandKind::Sink) {
                continue;
            }
            let mut low = value;
            if number > 0 {
                let shifted = self.temporary(ty);
                let count = constant(i128::from(width) * number as i128, ScalarType::U32);
                self.binary(BinaryOp::Shr, ty, shifted, &[value, count]);
                low = Operand::Reg(shifted);
            }
            self.write(dst, part, |emitter, dst| emitter.push(Inst::Cast { from: ty, to: part, dst, src: low }))?;
        }
        Some(())
    }

    /// `mov.b64 d, {a, b}`
    fn packed(&mut self, dst: &'m Written, parts: &'m [Written], ty: ScalarType) -> Option<()> {
        let ty = unsigned(ty.bits());
        let width = ty.bits() / parts.len().max(1) as u32;
        let all: Reg = self.temporary(ty);
        for (number, part) in parts.iter().enumerate() {
            let value = self.read(part, unsigned(width))?;
            let into = if number == 0 { all } else { self.temporary(ty) };
            self.push(Inst::Cast { from: unsigned(width), to: ty, dst: into, src: value });
            if number > 0 {
                let count = constant(i128::from(width) * number as i128, ScalarType::U32);
                self.binary(BinaryOp::Shl, ty, into, &[Operand::Reg(into), count]);
                self.binary(BinaryOp::Or, ty, all, &[Operand::Reg(all), Operand::Reg(into)]);
            }
        }
        self.write(dst, ty, |emitter, dst| emitter.push(Inst::Move { ty, dst, src: Operand::Reg(all) }))
    }

    /// `cvta`, `cvta.to`: an address of a space as a generic one, and back.
    pub(super) fn converted_address(&mut self, instruction: &'m Instruction) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        let to_generic = !modifiers.take("to");
        let space = Self::space(&mut modifiers);
        modifiers.ignore(&["entry", "func"]);
        self.only(instruction, &modifiers)?;
        let ty = modifiers.ty().unwrap_or(ScalarType::U64);
        if space == AddressSpace::Generic || ty.bits() != 64 {
            return self.unsupported(instruction, "addresses have 64 bits, of a space that it names");
        }
        let [dst, value] = &instruction.operands[..] else { return self.miscounted(instruction) };
        let src = self.read(value, ScalarType::U64)?;
        self.write(dst, ScalarType::U64, |emitter, dst| {
            emitter.push(Inst::ConvertAddress { space, to_generic, dst, src });
        })
    }

    /// `isspacep`
    pub(super) fn in_space(&mut self, instruction: &'m Instruction) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        let space = Self::space(&mut modifiers);
        self.only(instruction, &modifiers)?;
        let [dst, value] = &instruction.operands[..] else { return self.miscounted(instruction) };
        let src = self.read(value, ScalarType::U64)?;
        self.write(dst, ScalarType::Bool, |emitter, dst| emitter.push(Inst::InSpace { space, dst, src }))
    }

    /// The space that an instruction names; none is the generic one.
    pub(super) fn space(modifiers: &mut Modifiers<'m>) -> AddressSpace {
        modifiers
            .one_of(&[
                ("global", AddressSpace::Global),
                ("shared", AddressSpace::Shared),
                ("shared::cta", AddressSpace::Shared),
                ("local", AddressSpace::Local),
                ("const", AddressSpace::Const),
                ("param", AddressSpace::Param),
                ("param::entry", AddressSpace::Param),
                ("param::func", AddressSpace::Param),
            ])
            .unwrap_or(AddressSpace::Generic)
    }
}
