//! Logic, shifts, and fields of bits.

use super::arithmetic::Rounding;
use super::emit::Emitter;
use super::modifiers::Modifiers;
use super::operands::{constant, unsigned};
use crate::syntax::Instruction;
use simt_core::code::{Inst, Operand};
use simt_core::ops::{Args, BinaryOp, MachineOp, NumericOp, UnaryOp};
use simt_core::{Constant, ScalarType};

impl<'m> Emitter<'m, '_> {
    /// `and`, `or`, `xor` of bits and predicates.
    pub(super) fn logic(&mut self, instruction: &'m Instruction, op: BinaryOp) -> Option<()> {
        let modifiers = Modifiers::of(instruction);
        let ty = self.type_in(instruction, &modifiers)?;
        self.only(instruction, &modifiers)?;
        self.operation(instruction, ty, Rounding::default(), |emitter, dst, values| emitter.binary(op, ty, dst, values))
    }

    /// `not`
    pub(super) fn inverted(&mut self, instruction: &'m Instruction) -> Option<()> {
        let modifiers = Modifiers::of(instruction);
        let ty = self.type_in(instruction, &modifiers)?;
        self.only(instruction, &modifiers)?;
        self.operation(instruction, ty, Rounding::default(), |emitter, dst, values| {
            emitter.push(Inst::Unary { op: UnaryOp::Not, ty, dst, src: values[0] });
        })
    }

    /// `shl`, `shr`, whose counts have 32 bits and are not taken modulo the width.
    pub(super) fn shift(&mut self, instruction: &'m Instruction, left: bool) -> Option<()> {
        let modifiers = Modifiers::of(instruction);
        let ty = self.type_in(instruction, &modifiers)?;
        self.only(instruction, &modifiers)?;
        let [dst, value, count] = &instruction.operands[..] else { return self.miscounted(instruction) };
        let (value, count) = (self.read(value, ty)?, self.read(count, ScalarType::U32)?);
        let op = match (left, ty) {
            (true, ScalarType::U16) => MachineOp::ShiftLeftU16,
            (true, ScalarType::U32) => MachineOp::ShiftLeftU32,
            (true, ScalarType::U64) => MachineOp::ShiftLeftU64,
            (false, ScalarType::U16) => MachineOp::ShiftRightU16,
            (false, ScalarType::U32) => MachineOp::ShiftRightU32,
            (false, ScalarType::U64) => MachineOp::ShiftRightU64,
            (false, ScalarType::I16) => MachineOp::ShiftRightI16,
            (false, ScalarType::I32) => MachineOp::ShiftRightI32,
            (false, ScalarType::I64) => MachineOp::ShiftRightI64,
            _ => return self.unsupported(instruction, "it has no such type"),
        };
        self.write(dst, ty, |emitter, dst| match count {
            Operand::Const(Constant { bits, .. }) if bits < u64::from(ty.bits()) => {
                let op = if left { BinaryOp::Shl } else { BinaryOp::Shr };
                emitter.binary(op, ty, dst, &[value, count]);
            }
            _ => emitter.push(Inst::Machine { op, dst, args: Args::Two([value, count]) }),
        })
    }

    /// `popc`, `clz`, whose results have 32 bits.
    pub(super) fn counted(&mut self, instruction: &'m Instruction, op: NumericOp) -> Option<()> {
        let modifiers = Modifiers::of(instruction);
        let ty = self.type_in(instruction, &modifiers)?;
        self.only(instruction, &modifiers)?;
        let [dst, value] = &instruction.operands[..] else { return self.miscounted(instruction) };
        let value = self.read(value, ty)?;
        self.write(dst, ScalarType::U32, |emitter, dst| emitter.numeric(op, ty, dst, &[value]))
    }

    /// `bfind`
    pub(super) fn highest_bit(&mut self, instruction: &'m Instruction) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        let ty = self.type_in(instruction, &modifiers)?;
        let distance = modifiers.take("shiftamt");
        self.only(instruction, &modifiers)?;
        let op = match (ty, distance) {
            (ScalarType::U32, false) => MachineOp::FindBitU32,
            (ScalarType::I32, false) => MachineOp::FindBitI32,
            (ScalarType::U64, false) => MachineOp::FindBitU64,
            (ScalarType::I64, false) => MachineOp::FindBitI64,
            (ScalarType::U32, true) => MachineOp::FindShiftU32,
            (ScalarType::I32, true) => MachineOp::FindShiftI32,
            (ScalarType::U64, true) => MachineOp::FindShiftU64,
            (ScalarType::I64, true) => MachineOp::FindShiftI64,
            _ => return self.unsupported(instruction, "it has no such type"),
        };
        let [dst, value] = &instruction.operands[..] else { return self.miscounted(instruction) };
        let value = self.read(value, ty)?;
        self.write(dst, ScalarType::U32, |emitter, dst| {
            emitter.push(Inst::Machine { op, dst, args: Args::One([value]) });
        })
    }

    /// `bfe`
    pub(super) fn field(&mut self, instruction: &'m Instruction) -> Option<()> {
        let modifiers = Modifiers::of(instruction);
        let ty = self.type_in(instruction, &modifiers)?;
        self.only(instruction, &modifiers)?;
        let op = match ty {
            ScalarType::U32 => MachineOp::BitFieldU32,
            ScalarType::I32 => MachineOp::BitFieldI32,
            ScalarType::U64 => MachineOp::BitFieldU64,
            ScalarType::I64 => MachineOp::BitFieldI64,
            _ => return self.unsupported(instruction, "it has no such type"),
        };
        let [dst, value, at, length] = &instruction.operands[..] else { return self.miscounted(instruction) };
        let (value, at) = (self.read(value, ty)?, self.read(at, ScalarType::U32)?);
        let length = self.read(length, ScalarType::U32)?;
        self.write(dst, ty, |emitter, dst| {
            emitter.push(Inst::Machine { op, dst, args: Args::Three([value, at, length]) });
        })
    }

    /// `bfi`, whose place and length become one number.
    pub(super) fn inserted(&mut self, instruction: &'m Instruction) -> Option<()> {
        let modifiers = Modifiers::of(instruction);
        let ty = self.type_in(instruction, &modifiers)?;
        self.only(instruction, &modifiers)?;
        let op = match ty {
            ScalarType::U32 => MachineOp::InsertBitsU32,
            ScalarType::U64 => MachineOp::InsertBitsU64,
            _ => return self.unsupported(instruction, "it has no such type"),
        };
        let [dst, field, value, at, length] = &instruction.operands[..] else { return self.miscounted(instruction) };
        let (field, value) = (self.read(field, ty)?, self.read(value, ty)?);
        let word = ScalarType::U32;
        let (at, length) = (self.read(at, word)?, self.read(length, word)?);
        let place = match (at, length) {
            (Operand::Const(at), Operand::Const(length)) => {
                constant(i128::from(at.bits & 0xff | (length.bits & 0xff) << 8), word)
            }
            _ => {
                let (low, high) = (self.temporary(word), self.temporary(word));
                self.binary(BinaryOp::And, word, low, &[at, constant(0xff, word)]);
                self.binary(BinaryOp::Shl, word, high, &[length, constant(8, word)]);
                self.binary(BinaryOp::Or, word, low, &[Operand::Reg(low), Operand::Reg(high)]);
                Operand::Reg(low)
            }
        };
        self.write(dst, ty, |emitter, dst| {
            emitter.push(Inst::Machine { op, dst, args: Args::Three([field, value, place]) });
        })
    }

    /// `prmt`, `shf` and `dp4a`: three words.
    pub(super) fn of_words(&mut self, instruction: &'m Instruction) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        let op = match instruction.opcode.text.as_str() {
            "prmt" => {
                let modes = [
                    ("f4e", MachineOp::PermuteF4e),
                    ("b4e", MachineOp::PermuteB4e),
                    ("rc8", MachineOp::PermuteRc8),
                    ("ecl", MachineOp::PermuteEcl),
                    ("ecr", MachineOp::PermuteEcr),
                    ("rc16", MachineOp::PermuteRc16),
                ];
                modifiers.one_of(&modes).unwrap_or(MachineOp::Permute)
            }
            "shf" => {
                match (modifiers.take("l"), modifiers.take("r"), modifiers.take("wrap"), modifiers.take("clamp")) {
                    (true, _, true, _) => MachineOp::FunnelLeftWrap,
                    (true, ..) => MachineOp::FunnelLeftClamp,
                    (_, true, true, _) => MachineOp::FunnelRightWrap,
                    _ => MachineOp::FunnelRightClamp,
                }
            }
            _ => match modifiers.types() {
                [crate::syntax::Type::U32, crate::syntax::Type::U32] => MachineOp::DotBytesU32U32,
                [crate::syntax::Type::U32, _] => MachineOp::DotBytesU32I32,
                [_, crate::syntax::Type::U32] => MachineOp::DotBytesI32U32,
                _ => MachineOp::DotBytesI32I32,
            },
        };
        modifiers.ignore(&["clamp", "wrap"]);
        self.only(instruction, &modifiers)?;
        self.operation(instruction, ScalarType::U32, Rounding::default(), |emitter, dst, values| {
            if let [a, b, c] = *values {
                emitter.push(Inst::Machine { op, dst, args: Args::Three([a, b, c]) });
            }
        })
    }

    /// `sad`, `mul24`, `cnot`: rows of the table by the name of their type.
    pub(super) fn of_table(&mut self, instruction: &'m Instruction, name: &str) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        let ty = self.type_in(instruction, &modifiers)?;
        let half = if modifiers.take("hi") {
            "_hi"
        } else if modifiers.take("lo") {
            "_lo"
        } else {
            ""
        };
        self.only(instruction, &modifiers)?;
        let ty = if name == "cnot" { unsigned(ty.bits()) } else { ty };
        let row = format!("{name}{half}.{ty}");
        let Some(&op) = MachineOp::ALL.iter().find(|op| op.name() == row) else {
            return self.unsupported(instruction, "it has no such type");
        };
        self.operation(instruction, ty, Rounding::default(), |emitter, dst, values| {
            let args = match *values {
                [a] => Args::One([a]),
                [a, b] => Args::Two([a, b]),
                [a, b, c, ..] => Args::Three([a, b, c]),
                [] => return,
            };
            emitter.push(Inst::Machine { op, dst, args });
        })
    }
}
