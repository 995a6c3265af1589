//! Logic, shifts, and fields of bits.

use super::emit::Emitter;
use super::modifiers::Modifiers;
use super::operands::{constant, scalar, unsigned};
use super::rounding::{Rounding, machine};
use crate::syntax::{Instruction, OperandKind};
use crate::table::Boolean;
use simt_core::code::{Inst, Operand};
use simt_core::ops::{Args, BinaryOp, CompareOp, MachineOp, NumericOp, UnaryOp};
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

    /// Operations on words: rows of the table by the opcode, modifiers and types.
    pub(super) fn of_words(&mut self, instruction: &'m Instruction) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        let opcode = instruction.opcode.text.as_str();
        let mut name = opcode.to_string();
        let modes = ["l", "r", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16", "lo", "hi", "wrap", "clamp", "add"];
        for mode in modes.into_iter().filter(|mode| modifiers.take(mode)) {
            name = format!("{name}_{mode}");
        }
        self.only(instruction, &modifiers)?;
        // The type of the result of `vabsdiff4` is that of its low byte, whose bits are the same.
        let types = match (modifiers.types(), opcode) {
            ([_, rest @ ..], "vabsdiff4") => rest,
            (types, _) => types,
        };
        let mut types: Vec<ScalarType> = types.iter().copied().filter_map(scalar).collect();
        let last = types.pop().unwrap_or(ScalarType::U32);
        types.iter().for_each(|ty| name = format!("{name}_{ty}"));
        let Some(op) = machine(&format!("{name}.{last}")) else {
            return self.unsupported(instruction, "it has no such type");
        };
        let [dst, operands @ ..] = &instruction.operands[..] else { return self.miscounted(instruction) };
        let read = operands.iter().zip(op.args()).map(|(operand, &ty)| self.read(operand, ty));
        let values = read.collect::<Option<Vec<Operand>>>()?;
        self.write(dst, op.result(), |emitter, dst| emitter.machine(op, dst, &values))
    }

    /// `lop3`, with the predicate that its result makes with another one.
    pub(super) fn looked_up(&mut self, instruction: &'m Instruction) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        let join = modifiers.word(Boolean::from_text);
        self.only(instruction, &modifiers)?;
        let [dst, a, b, c, table, with @ ..] = &instruction.operands[..] else {
            return self.miscounted(instruction);
        };
        let OperandKind::Integer(table) = table.kind else { return self.miscounted(instruction) };
        let (word, wide) = (ScalarType::U32, ScalarType::U64);
        let (a, b, c) = (self.read(a, word)?, self.read(b, word)?, self.read(c, word)?);
        let rest = self.temporary(wide);
        self.push(Inst::Cast { from: word, to: wide, dst: rest, src: c });
        self.binary(BinaryOp::Or, wide, rest, &[Operand::Reg(rest), constant((table & 0xff) << 32, wide)]);
        let result = self.temporary(word);
        self.machine(MachineOp::Lookup3, result, &[a, b, Operand::Reg(rest)]);
        let (dst, says) = match &dst.kind {
            OperandKind::Pair(dst, says) => (&**dst, Some(&**says)),
            _ => (dst, None),
        };
        if let (Some(join), Some(says), [with]) = (join, says, with) {
            let with = self.read(with, ScalarType::Bool)?;
            let op = if join == Boolean::And { BinaryOp::And } else { BinaryOp::Or };
            let holds = self.temporary(ScalarType::Bool);
            let (left, right) = (Operand::Reg(result), constant(0, word));
            self.push(Inst::Compare { op: CompareOp::Ne, ty: word, dst: holds, left, right });
            self.write(says, ScalarType::Bool, |emitter, dst| {
                emitter.binary(op, ScalarType::Bool, dst, &[Operand::Reg(holds), with]);
            })?;
        }
        self.write(dst, word, |emitter, dst| {
            emitter.push(Inst::Move { ty: word, dst, src: Operand::Reg(result) });
        })
    }

    /// `mad24`
    pub(super) fn product_of_24(&mut self, instruction: &'m Instruction) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        let ty = self.type_in(instruction, &modifiers)?;
        let half = if modifiers.take("hi") { "hi" } else { "lo" };
        let saturates = modifiers.take("sat");
        modifiers.ignore(&["lo"]);
        self.only(instruction, &modifiers)?;
        let Some(op) = machine(&format!("mul24_{half}.{ty}")) else {
            return self.unsupported(instruction, "it has no such type");
        };
        self.operation(instruction, ty, Rounding::default(), |emitter, dst, values| {
            let product = emitter.temporary(ty);
            emitter.machine(op, product, &values[..2]);
            let terms = [Operand::Reg(product), values[2]];
            if saturates {
                emitter.numeric(NumericOp::SaturatingAdd, ty, dst, &terms);
            } else {
                emitter.binary(BinaryOp::Add, ty, dst, &terms);
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
        let Some(op) = machine(&row) else {
            return self.unsupported(instruction, "it has no such type");
        };
        self.operation(instruction, ty, Rounding::default(), |emitter, dst, values| emitter.machine(op, dst, values))
    }
}
