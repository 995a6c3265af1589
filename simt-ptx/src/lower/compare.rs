//! Comparisons, and choices by them.

use super::arithmetic::Rounding;
use super::emit::Emitter;
use super::modifiers::Modifiers;
use super::operands::{constant, scalar};
use crate::syntax::{Instruction, Operand as Written, OperandKind};
use crate::table::{Boolean, Comparison};
use simt_core::ScalarType;
use simt_core::code::{Inst, Operand, Reg};
use simt_core::ops::{Args, BinaryOp, CompareOp, MachineOp, NumericOp, UnaryOp};

/// What a comparison of the table is on this machine.
#[derive(Clone, Copy)]
enum Meaning {
    /// One of Rust's.
    Plain(CompareOp),
    /// The opposite of one of Rust's, which a NaN makes true.
    Opposite(CompareOp),
    /// Less or greater.
    Differ,
    /// Neither less nor greater.
    Unordered,
    /// Neither is a NaN.
    Numbers,
    /// One is a NaN.
    Nan,
}

fn meaning(comparison: Comparison) -> Meaning {
    match comparison {
        Comparison::Eq => Meaning::Plain(CompareOp::Eq),
        Comparison::Ne => Meaning::Differ,
        Comparison::Lt | Comparison::Lo => Meaning::Plain(CompareOp::Lt),
        Comparison::Le | Comparison::Ls => Meaning::Plain(CompareOp::Le),
        Comparison::Gt | Comparison::Hi => Meaning::Plain(CompareOp::Gt),
        Comparison::Ge | Comparison::Hs => Meaning::Plain(CompareOp::Ge),
        Comparison::Equ => Meaning::Unordered,
        Comparison::Neu => Meaning::Plain(CompareOp::Ne),
        Comparison::Ltu => Meaning::Opposite(CompareOp::Ge),
        Comparison::Leu => Meaning::Opposite(CompareOp::Gt),
        Comparison::Gtu => Meaning::Opposite(CompareOp::Le),
        Comparison::Geu => Meaning::Opposite(CompareOp::Lt),
        Comparison::Num => Meaning::Numbers,
        Comparison::Nan => Meaning::Nan,
    }
}

impl<'m> Emitter<'m, '_> {
    /// A comparison of two values, into a predicate.
    fn compared(&mut self, meaning: Meaning, ty: ScalarType, dst: Reg, [left, right]: [Operand; 2]) {
        let wide = ty == ScalarType::F64;
        let compare = |op| Inst::Compare { op, ty, dst, left, right };
        let machine = |narrow, other| {
            let op = if wide { other } else { narrow };
            Inst::Machine { op, dst, args: Args::Two([left, right]) }
        };
        let is_float = ty.is_float();
        let (inst, opposite) = match meaning {
            Meaning::Plain(op) => (compare(op), false),
            Meaning::Opposite(op) => (compare(op), true),
            Meaning::Differ if is_float => (machine(MachineOp::DifferF32, MachineOp::DifferF64), false),
            Meaning::Unordered if is_float => (machine(MachineOp::DifferF32, MachineOp::DifferF64), true),
            Meaning::Differ => (compare(CompareOp::Ne), false),
            Meaning::Unordered => (compare(CompareOp::Eq), false),
            Meaning::Numbers => (machine(MachineOp::OrderedF32, MachineOp::OrderedF64), false),
            Meaning::Nan => (machine(MachineOp::OrderedF32, MachineOp::OrderedF64), true),
        };
        self.push(inst);
        if opposite {
            self.push(Inst::Unary { op: UnaryOp::Not, ty: ScalarType::Bool, dst, src: Operand::Reg(dst) });
        }
    }

    /// The comparison of an instruction of `ty`, with the predicate that it is joined with, in a register of its own.
    fn condition(
        &mut self,
        instruction: &'m Instruction,
        modifiers: &mut Modifiers<'m>,
        ty: ScalarType,
        operands: &'m [Written],
    ) -> Option<(Reg, Option<(BinaryOp, Operand)>)> {
        let comparison = modifiers.word(Comparison::from_text).map(meaning);
        let join = modifiers.word(Boolean::from_text).map(|join| match join {
            Boolean::And => BinaryOp::And,
            Boolean::Or => BinaryOp::Or,
            Boolean::Xor => BinaryOp::Xor,
        });
        let rounding = Rounding { flush: modifiers.take("ftz"), saturate: false };
        self.only(instruction, modifiers)?;
        let (Some(comparison), [a, b, joined @ ..]) = (comparison, operands) else {
            return self.miscounted(instruction);
        };
        let (a, b) = (self.read(a, ty)?, self.read(b, ty)?);
        let (a, b) = (self.flushed(a, ty, rounding), self.flushed(b, ty, rounding));
        let joined = match (join, joined) {
            (Some(op), [with]) => Some((op, self.read(with, ScalarType::Bool)?)),
            (None, []) => None,
            _ => return self.miscounted(instruction),
        };
        let dst = self.temporary(ScalarType::Bool);
        self.compared(comparison, ty, dst, [a, b]);
        Some((dst, joined))
    }

    /// `setp`
    pub(super) fn set_predicate(&mut self, instruction: &'m Instruction) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        let ty = self.type_in(instruction, &modifiers)?;
        let [dst, operands @ ..] = &instruction.operands[..] else { return self.miscounted(instruction) };
        let (holds, joined) = self.condition(instruction, &mut modifiers, ty, operands)?;
        let bool = ScalarType::Bool;
        if let (OperandKind::Name(_), None) = (&dst.kind, joined) {
            // The comparison itself writes the predicate.
            return self.write(dst, bool, |emitter, dst| emitter.redirect(holds, dst));
        }
        let (first, second) = match &dst.kind {
            OperandKind::Pair(first, second) => (&**first, Some(&**second)),
            _ => (dst, None),
        };
        let opposite = second.map(|second| {
            let not = self.temporary(bool);
            self.push(Inst::Unary { op: UnaryOp::Not, ty: bool, dst: not, src: Operand::Reg(holds) });
            (second, not)
        });
        let all = [Some((first, holds)), opposite];
        // Both before either is written, which may be the one that they are joined with.
        if let Some((op, with)) = joined {
            all.iter().flatten().for_each(|&(_, value)| self.binary(op, bool, value, &[Operand::Reg(value), with]));
        }
        for (dst, value) in all.into_iter().flatten() {
            self.write(dst, bool, |emitter, dst| {
                emitter.push(Inst::Move { ty: bool, dst, src: Operand::Reg(value) });
            })?;
        }
        Some(())
    }

    /// `set`: all ones, or 1.0, where it holds.
    pub(super) fn set(&mut self, instruction: &'m Instruction) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        let (Some(&to), Some(&of)) = (modifiers.types().first(), modifiers.types().get(1)) else {
            return self.unsupported(instruction, "it has no such type");
        };
        let (Some(to), Some(of)) = (scalar(to), scalar(of)) else {
            return self.unsupported(instruction, "its type is not supported yet");
        };
        let [dst, operands @ ..] = &instruction.operands[..] else { return self.miscounted(instruction) };
        let (holds, joined) = self.condition(instruction, &mut modifiers, of, operands)?;
        if let Some((op, with)) = joined {
            self.binary(op, ScalarType::Bool, holds, &[Operand::Reg(holds), with]);
        }
        let yes = if to == ScalarType::F32 { i128::from(1f32.to_bits()) } else { -1 };
        self.write(dst, to, |emitter, dst| {
            let (then, otherwise) = (constant(yes, to), constant(0, to));
            emitter.push(Inst::Select { ty: to, dst, cond: Operand::Reg(holds), then, otherwise });
        })
    }

    /// `selp`
    pub(super) fn selected(&mut self, instruction: &'m Instruction) -> Option<()> {
        let modifiers = Modifiers::of(instruction);
        let ty = self.type_in(instruction, &modifiers)?;
        self.only(instruction, &modifiers)?;
        let [dst, then, otherwise, cond] = &instruction.operands[..] else { return self.miscounted(instruction) };
        let (then, otherwise) = (self.read(then, ty)?, self.read(otherwise, ty)?);
        let cond = self.read(cond, ScalarType::Bool)?;
        self.write(dst, ty, |emitter, dst| emitter.push(Inst::Select { ty, dst, cond, then, otherwise }))
    }

    /// `slct`: the first where the third operand is not negative.
    pub(super) fn selected_by_sign(&mut self, instruction: &'m Instruction) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        let ty = self.type_in(instruction, &modifiers)?;
        let rounding = Rounding { flush: modifiers.take("ftz"), saturate: false };
        self.only(instruction, &modifiers)?;
        let of = modifiers.types().get(1).copied().and_then(scalar).unwrap_or(ScalarType::I32);
        let [dst, then, otherwise, sign] = &instruction.operands[..] else { return self.miscounted(instruction) };
        let (then, otherwise) = (self.read(then, ty)?, self.read(otherwise, ty)?);
        let sign = self.read(sign, of)?;
        let sign = self.flushed(sign, of, rounding);
        let holds = self.temporary(ScalarType::Bool);
        self.push(Inst::Compare { op: CompareOp::Ge, ty: of, dst: holds, left: sign, right: constant(0, of) });
        self.write(dst, ty, |emitter, dst| {
            emitter.push(Inst::Select { ty, dst, cond: Operand::Reg(holds), then, otherwise });
        })
    }

    /// `testp`
    pub(super) fn tested(&mut self, instruction: &'m Instruction) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        let ty = self.type_in(instruction, &modifiers)?;
        let wide = ty == ScalarType::F64;
        let numeric = modifiers.one_of(&[
            ("finite", (NumericOp::IsFinite, false)),
            ("infinite", (NumericOp::IsInfinite, false)),
            ("number", (NumericOp::IsNan, true)),
            ("notanumber", (NumericOp::IsNan, false)),
        ]);
        let machine = modifiers.one_of(&[
            ("normal", if wide { MachineOp::IsNormalF64 } else { MachineOp::IsNormalF32 }),
            ("subnormal", if wide { MachineOp::IsSubnormalF64 } else { MachineOp::IsSubnormalF32 }),
        ]);
        self.only(instruction, &modifiers)?;
        let [dst, value] = &instruction.operands[..] else { return self.miscounted(instruction) };
        let value = self.read(value, ty)?;
        self.write(dst, ScalarType::Bool, |emitter, dst| match (numeric, machine) {
            (Some((op, opposite)), _) => {
                emitter.numeric(op, ty, dst, &[value]);
                if opposite {
                    emitter.push(Inst::Unary { op: UnaryOp::Not, ty: ScalarType::Bool, dst, src: Operand::Reg(dst) });
                }
            }
            (None, Some(op)) => emitter.push(Inst::Machine { op, dst, args: Args::One([value]) }),
            (None, None) => {}
        })
    }
}
