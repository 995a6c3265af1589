//! What functions are passed and return: a register for each part of a `.param` variable that is accessed by itself.

use super::callees::{Class, SignatureId};
use super::calls::Passed;
use super::emit::Emitter;
use super::operands::{constant, unsigned};
use super::parts::Bytes;
use super::stack;
use crate::syntax::{Instruction, Operand as Written};
use simt_core::ScalarType;
use simt_core::code::{Inst, Operand, Reg, Register, RegisterRole};
use simt_core::ops::BinaryOp;
use simt_core::program::FunctionId;

/// What is passed something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Callee {
    /// A function of the module.
    Function(FunctionId),
    /// One of those that pointers may point to.
    Signature(SignatureId),
    /// One of the module, of what it keeps over its calls.
    Kept(FunctionId),
    /// One of the machine, in the function that calls it.
    Machine(Known, Option<FunctionId>),
}

/// A function of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Known {
    /// Prints.
    Print,
    /// Ends the launch.
    Fail,
}

/// A place of a parameter of a function, or of what it returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct PassedPlace {
    pub(super) function: Callee,
    /// Whether it is returned.
    pub(super) returned: bool,
    pub(super) number: u32,
    pub(super) offset: u32,
}

impl<'m> Emitter<'m, '_> {
    /// The register that passes a value to a function, or back.
    pub(super) fn passing(&mut self, place: PassedPlace, ty: ScalarType) -> Reg {
        if let Some(&reg) = self.passed.get(&place) {
            return reg;
        }
        let kind = if place.returned { "result" } else { "param" };
        let (function, role) = match place.function {
            Callee::Function(function) => (Some(function), RegisterRole::Passing),
            Callee::Signature(_) => (None, RegisterRole::Passing),
            Callee::Kept(function) => (Some(function), RegisterRole::Frame),
            Callee::Machine(_, caller) => (caller, RegisterRole::Frame),
        };
        let name = match place.number {
            stack::NUMBER => "stack".into(),
            number => format!("{kind}{number}_{}", place.offset).into(),
        };
        self.registers.push(Register {
            name: Some(name),
            ty,
            written_once: false,
            untyped: true,
            zeroed: false,
            function,
            role,
        });
        let reg = Reg(self.registers.len() as u32 - 1);
        self.passed.insert(place, reg);
        reg
    }

    /// The parts of an element of a variable.
    fn parts_of(&mut self, instruction: &'m Instruction, passed: Passed, bytes: Bytes) -> Option<Vec<Bytes>> {
        let (function, returned, number) = passed.variable();
        let class = match function {
            Callee::Function(function) | Callee::Kept(function) => {
                self.callees.class(&self.functions.get(function.0 as usize)?.name.text)
            }
            Callee::Signature(signature) => Class::Signature(signature),
            Callee::Machine(Known::Print, _) => Class::Function("vprintf"),
            Callee::Machine(Known::Fail, _) => Class::Function("__assertfail"),
        };
        let parts = self.parts.within((class, returned, number), bytes);
        if parts.is_empty() {
            return self.unsupported(instruction, "a parameter is accessed beyond what is passed");
        }
        Some(parts)
    }

    pub(super) fn load_passed(
        &mut self,
        instruction: &'m Instruction,
        passed: Passed,
        ty: ScalarType,
        elements: &'m [Written],
    ) -> Option<()> {
        let bytes = ty.bits() / 8;
        for (number, dst) in elements.iter().enumerate() {
            let first = passed.offset() + number as u32 * bytes;
            let parts = self.parts_of(instruction, passed, (first, bytes))?;
            let value = match parts[..] {
                [one] => {
                    let from = self.passing(passed.at(one.0), Self::register_type(ty));
                    self.as_type(Operand::Reg(from), self.type_of(from), ty)
                }
                _ => self.gathered(passed, first, ty, &parts),
            };
            self.write(dst, ty, |emitter, dst| emitter.push(Inst::Move { ty, dst, src: value }))?;
        }
        Some(())
    }

    /// A value of several parts.
    fn gathered(&mut self, passed: Passed, first: u32, ty: ScalarType, parts: &[Bytes]) -> Operand {
        let word = unsigned(ty.bits());
        let all = self.register(None, word, true);
        self.push(Inst::Move { ty: word, dst: all, src: constant(0, word) });
        for &(at, bytes) in parts {
            let part = unsigned(8 * bytes);
            let from = self.passing(passed.at(at), part);
            let own = self.as_type(Operand::Reg(from), self.type_of(from), part);
            let wide = self.register(None, word, true);
            self.push(Inst::Cast { from: part, to: word, dst: wide, src: own });
            let by = constant(i128::from(8 * (at - first)), ScalarType::U32);
            self.binary(BinaryOp::Shl, word, wide, &[Operand::Reg(wide), by]);
            self.binary(BinaryOp::Or, word, all, &[Operand::Reg(all), Operand::Reg(wide)]);
        }
        self.as_type(Operand::Reg(all), word, ty)
    }

    pub(super) fn store_passed(
        &mut self,
        instruction: &'m Instruction,
        passed: Passed,
        ty: ScalarType,
        elements: &'m [Written],
    ) -> Option<()> {
        let bytes = ty.bits() / 8;
        for (number, value) in elements.iter().enumerate() {
            let first = passed.offset() + number as u32 * bytes;
            let parts = self.parts_of(instruction, passed, (first, bytes))?;
            let word = Self::register_type(ty);
            let value = self.low_bits(value, word)?;
            if let [one] = parts[..] {
                let dst = self.passing(passed.at(one.0), word);
                self.push(Inst::Move { ty: word, dst, src: value });
                continue;
            }
            let bits = unsigned(ty.bits());
            let all = self.register(None, bits, true);
            self.push(Inst::Move { ty: bits, dst: all, src: super::operands::as_bits(value) });
            for (at, bytes) in parts {
                self.scatter(passed, (at, bytes), (all, bits), 8 * (at - first));
            }
        }
        Some(())
    }

    /// Writes a part of a value, from a bit on.
    fn scatter(&mut self, passed: Passed, (at, bytes): Bytes, (all, word): (Reg, ScalarType), bit: u32) {
        let part = unsigned(8 * bytes);
        let dst = self.passing(passed.at(at), part);
        let shifted = self.register(None, word, true);
        let by = constant(bit.into(), ScalarType::U32);
        self.binary(BinaryOp::Shr, word, shifted, &[Operand::Reg(all), by]);
        self.push(Inst::Cast { from: word, to: part, dst, src: Operand::Reg(shifted) });
    }
}
