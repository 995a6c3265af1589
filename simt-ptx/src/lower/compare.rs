//! Comparisons, and choices by them.

use super::emit::Emitter;
use super::modifiers::Modifiers;
use super::operands::{constant, scalar};
use super::pairs::{half_of, is_packed};
use super::rounding::Rounding;
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

/// The predicate that a comparison is joined with, and how.
type Joined = Option<(BinaryOp, Operand)>;

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

    /// The comparison of an instruction of `ty`, with the predicate that it is joined with; of a packed type one for each half.
    fn condition(
        &mut self,
        instruction: &'m Instruction,
        modifiers: &mut Modifiers<'m>,
        (ty, packed): (ScalarType, bool),
        operands: &'m [Written],
    ) -> Option<(Vec<Reg>, Joined)> {
        let comparison = modifiers.word(Comparison::from_text).map(meaning);
        let join = modifiers.word(Boolean::from_text).map(|join| match join {
            Boolean::And => BinaryOp::And,
            Boolean::Or => BinaryOp::Or,
            Boolean::Xor => BinaryOp::Xor,
        });
        let rounding = Rounding { flush: modifiers.take("ftz"), ..Rounding::default() };
        self.only(instruction, modifiers)?;
        let (Some(comparison), [a, b, joined @ ..]) = (comparison, operands) else {
            return self.miscounted(instruction);
        };
        let word = if packed { ScalarType::U32 } else { ty };
        let values = [self.read(a, word)?, self.read(b, word)?];
        let joined = match (join, joined) {
            (Some(op), [with]) => Some((op, self.read(with, ScalarType::Bool)?)),
            (None, []) => None,
            _ => return self.miscounted(instruction),
        };
        let halves: &[bool] = if packed { &[false, true] } else { &[false] };
        let results = halves.iter().map(|&upper| {
            let values = values.map(|value| {
                let value = if packed { self.half(value, upper, ty) } else { value };
                let value = self.flushed(value, ty, rounding);
                self.widened_half(value, ty)
            });
            let dst = self.temporary(ScalarType::Bool);
            self.compared(comparison, if ty.is_half() { ScalarType::F32 } else { ty }, dst, values);
            dst
        });
        Some((results.collect(), joined))
    }

    /// A float of 16 bits as one of 32; others as they are.
    pub(super) fn widened_half(&mut self, src: Operand, ty: ScalarType) -> Operand {
        if !ty.is_half() {
            return src;
        }
        let dst = self.temporary(ScalarType::F32);
        self.push(Inst::Cast { from: ty, to: ScalarType::F32, dst, src });
        Operand::Reg(dst)
    }

    /// `setp`
    pub(super) fn set_predicate(&mut self, instruction: &'m Instruction) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        let ty = self.type_in(instruction, &modifiers)?;
        let [dst, operands @ ..] = &instruction.operands[..] else { return self.miscounted(instruction) };
        let (holds, joined) = self.condition(instruction, &mut modifiers, (ty, is_packed(instruction)), operands)?;
        let (bool, holds, upper) = (ScalarType::Bool, holds[0], holds.get(1).copied());
        if let (OperandKind::Name(_), None) = (&dst.kind, joined) {
            // The comparison itself writes the predicate.
            return match upper {
                None => self.write(dst, bool, |emitter, dst| emitter.redirect(holds, dst)),
                Some(_) => self.write(dst, bool, |emitter, dst| {
                    emitter.push(Inst::Move { ty: bool, dst, src: Operand::Reg(holds) });
                }),
            };
        }
        let (first, second) = match &dst.kind {
            OperandKind::Pair(first, second) => (&**first, Some(&**second)),
            _ => (dst, None),
        };
        let other = second.map(|second| {
            let other = upper.unwrap_or_else(|| {
                let not = self.temporary(bool);
                self.push(Inst::Unary { op: UnaryOp::Not, ty: bool, dst: not, src: Operand::Reg(holds) });
                not
            });
            (second, other)
        });
        let all = [Some((first, holds)), other];
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
        // Of a pair an integer gets a half of ones each, too.
        let half = half_of(of);
        let made = if half.is_some() { half_of(to).or(Some(ScalarType::U16)) } else { scalar(to) };
        let (Some(made), Some(of), Some(to)) = (made, half.or(scalar(of)), scalar(to)) else {
            return self.unsupported(instruction, "it has no such type");
        };
        let [dst, operands @ ..] = &instruction.operands[..] else { return self.miscounted(instruction) };
        let (holds, joined) = self.condition(instruction, &mut modifiers, (of, half.is_some()), operands)?;
        if let Some((op, with)) = joined {
            holds.iter().for_each(|&one| self.binary(op, ScalarType::Bool, one, &[Operand::Reg(one), with]));
        }
        let yes = match made {
            ScalarType::F32 => i128::from(1f32.to_bits()),
            ScalarType::F16 => 0x3c00,
            ScalarType::Bf16 => 0x3f80,
            _ => -1,
        };
        let select = |emitter: &mut Self, ty: ScalarType, cond: Reg, dst: Reg| {
            let (then, otherwise) = (constant(yes, ty), constant(0, ty));
            emitter.push(Inst::Select { ty, dst, cond: Operand::Reg(cond), then, otherwise });
        };
        self.write(dst, to, |emitter, dst| match holds[..] {
            [low, high] => {
                let halves = [low, high].map(|cond| {
                    let half = emitter.temporary(ScalarType::U16);
                    select(emitter, ScalarType::U16, cond, half);
                    Operand::Reg(half)
                });
                emitter.joined(dst, ScalarType::U16, halves);
            }
            _ => select(emitter, made, holds[0], dst),
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
        let rounding = Rounding { flush: modifiers.take("ftz"), ..Rounding::default() };
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
