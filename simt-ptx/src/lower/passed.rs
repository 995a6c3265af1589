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

    /// The variable that a place is in, as its parts are known by.
    fn class_of(&self, passed: Passed) -> Option<(Class<'m>, bool, u32)> {
        let (function, returned, number) = passed.variable();
        let class = match function {
            Callee::Function(function) | Callee::Kept(function) => {
                self.callees.class(&self.functions.get(function.0 as usize)?.name.text)
            }
            Callee::Signature(signature) => Class::Signature(signature),
            Callee::Machine(Known::Print, _) => Class::Function("vprintf"),
            Callee::Machine(Known::Fail, _) => Class::Function("__assertfail"),
        };
        Some((class, returned, number))
    }

    /// Whether a call of the module passes something there, or takes it.
    fn is_accessed(&self, passed: Passed) -> bool {
        self.class_of(passed).is_some_and(|variable| !self.parts.all(variable).is_empty())
    }

    /// The parts of an element of a variable.
    fn parts_of(&mut self, instruction: &'m Instruction, passed: Passed, bytes: Bytes) -> Option<Vec<Bytes>> {
        let parts = self.parts.within(self.class_of(passed)?, bytes);
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
            let first = Passed::new(passed.at(passed.offset() + number as u32 * bytes));
            let value = self.passed_value(instruction, first, ty)?;
            self.write(dst, ty, |emitter, dst| emitter.push(Inst::Move { ty, dst, src: value }))?;
        }
        Some(())
    }

    /// A value that is passed from a place on.
    pub(super) fn passed_value(
        &mut self,
        instruction: &'m Instruction,
        passed: Passed,
        ty: ScalarType,
    ) -> Option<Operand> {
        let parts = self.parts_of(instruction, passed, (passed.offset(), ty.bits() / 8))?;
        Some(self.value_of(passed, ty, &parts))
    }

    /// A value of some parts.
    pub(super) fn value_of(&mut self, passed: Passed, ty: ScalarType, parts: &[Bytes]) -> Operand {
        match parts {
            [one] => {
                let from = self.passing(passed.at(one.0), Self::register_type(ty));
                self.as_type(Operand::Reg(from), self.type_of(from), ty)
            }
            _ => self.gathered(passed, passed.offset(), ty, parts),
        }
    }

    /// The parts of a variable that is a number.
    pub(super) fn whole_parts(&self, passed: Passed, ty: ScalarType) -> Vec<Bytes> {
        self.class_of(passed).map_or_else(Vec::new, |variable| self.parts.within(variable, (0, ty.bits() / 8)))
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
            let first = Passed::new(passed.at(passed.offset() + number as u32 * bytes));
            let parts = self.parts_of(instruction, first, (first.offset(), bytes))?;
            let value = self.low_bits(value, Self::register_type(ty))?;
            self.pass(first, ty, value, &parts);
        }
        Some(())
    }

    /// Passes a value from a place on, in parts.
    pub(super) fn pass(&mut self, passed: Passed, ty: ScalarType, value: Operand, parts: &[Bytes]) {
        if let [one] = parts {
            let word = Self::register_type(ty);
            let dst = self.passing(passed.at(one.0), word);
            self.push(Inst::Move { ty: word, dst, src: value });
            return;
        }
        let bits = unsigned(ty.bits());
        let all = self.register(None, bits, true);
        self.push(Inst::Move { ty: bits, dst: all, src: super::operands::as_bits(value) });
        for &(at, bytes) in parts {
            self.scatter(passed, (at, bytes), (all, bits), 8 * (at - passed.offset()));
        }
    }

    /// What a function of the machine is passed; zero if no call of the module passes anything.
    pub(super) fn taken(&mut self, instruction: &'m Instruction, passed: Passed, ty: ScalarType) -> Option<Operand> {
        if self.is_accessed(passed) { self.passed_value(instruction, passed, ty) } else { Some(constant(0, ty)) }
    }

    /// The register that a function of the machine returns a value in, if a call of the module takes all of it at once.
    pub(super) fn whole(&mut self, passed: Passed, ty: ScalarType) -> Option<Reg> {
        if let [one] = self.whole_parts(passed, ty)[..] { Some(self.passing(passed.at(one.0), ty)) } else { None }
    }

    /// Returns a value of a function of the machine, if a call of the module takes it.
    pub(super) fn give(
        &mut self,
        instruction: &'m Instruction,
        passed: Passed,
        ty: ScalarType,
        value: Operand,
    ) -> Option<()> {
        if !self.is_accessed(passed) {
            return Some(());
        }
        let parts = self.parts_of(instruction, passed, (0, ty.bits() / 8))?;
        self.pass(passed, ty, value, &parts);
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
