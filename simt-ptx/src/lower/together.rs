//! What lanes find out together of a number of each: `match`, `redux`, `elect`.

use super::emit::Emitter;
use super::modifiers::Modifiers;
use super::operands::{as_bits, constant};
use super::warp::{collective, collective_of};
use crate::syntax::{Instruction, Operand as Written, OperandKind};
use crate::table;
use simt_core::code::{Inst, Operand, Reg};
use simt_core::ops::{BinaryOp, CompareOp, NumericOp, UnaryOp};
use simt_core::program::{Builtin, CollectiveOp};
use simt_core::{Constant, ScalarType};

const WORD: ScalarType = ScalarType::U32;
const MASK: ScalarType = ScalarType::U64;

impl<'m> Emitter<'m, '_> {
    /// A result and, if it is there, the predicate beside it.
    fn beside(dst: &'m Written) -> (&'m Written, Option<&'m Written>) {
        match &dst.kind {
            OperandKind::Pair(first, second) => (first, Some(second)),
            _ => (dst, None),
        }
    }

    /// `match.sync`
    pub(super) fn matched(&mut self, instruction: &'m Instruction) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        let ty = self.type_in(instruction, &modifiers)?;
        let op = if modifiers.take("all") { CollectiveOp::MatchAll } else { CollectiveOp::MatchAny };
        modifiers.ignore(&["sync", "any"]);
        self.only(instruction, &modifiers)?;
        let [dst, value, mask] = &instruction.operands[..] else { return self.miscounted(instruction) };
        let (value, mask) = (self.read(value, ty)?, self.mask(mask)?);
        let (dst, says) = Self::beside(dst);
        let all = self.temporary(MASK);
        self.push_control(collective(op, ty, Some(all), mask, Some((value, None))));
        if let Some(says) = says {
            // Without lanes they differ.
            let (left, right) = (Operand::Reg(all), constant(0, MASK));
            self.write(says, ScalarType::Bool, |emitter, dst| {
                emitter.push(Inst::Compare { op: CompareOp::Ne, ty: MASK, dst, left, right });
            })?;
        }
        self.write(dst, WORD, |emitter, dst| {
            emitter.push(Inst::Cast { from: MASK, to: WORD, dst, src: Operand::Reg(all) });
        })
    }

    /// `redux.sync`
    pub(super) fn reduced(&mut self, instruction: &'m Instruction) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        let ty = self.type_in(instruction, &modifiers)?;
        let op = modifiers.word(table::AtomicOp::from_text).and_then(|op| match op {
            table::AtomicOp::Add => Some(CollectiveOp::ReduceAdd),
            table::AtomicOp::Min => Some(CollectiveOp::ReduceMin),
            table::AtomicOp::Max => Some(CollectiveOp::ReduceMax),
            table::AtomicOp::And => Some(CollectiveOp::ReduceAnd),
            table::AtomicOp::Or => Some(CollectiveOp::ReduceOr),
            table::AtomicOp::Xor => Some(CollectiveOp::ReduceXor),
            _ => None,
        });
        let (absolute, keeps_nan) = (modifiers.take("abs"), modifiers.take("NaN"));
        modifiers.ignore(&["sync"]);
        self.only(instruction, &modifiers)?;
        let [dst, value, mask] = &instruction.operands[..] else { return self.miscounted(instruction) };
        let Some(op) = op else { return self.unsupported(instruction, "it has no such operation") };
        let (value, mask) = (self.read(value, ty)?, self.mask(mask)?);
        if !ty.is_float() {
            return self.write(dst, ty, |emitter, dst| {
                emitter.push_control(collective(op, ty, Some(dst), mask, Some((value, None))));
            });
        }
        // A NaN is behind all numbers on the side that is not asked for, or on the one that is.
        let last = if (op == CollectiveOp::ReduceMin) == keeps_nan { 0 } else { -1 };
        let place = self.ordered(value, absolute, last);
        let found = self.temporary(WORD);
        self.push_control(collective(op, WORD, Some(found), mask, Some((Operand::Reg(place), None))));
        self.write(dst, ty, |emitter, dst| emitter.of_order(dst, found))
    }

    /// The place of a float among all, as a word: the bits, of negative numbers all and of others the sign inverted.
    fn ordered(&mut self, value: Operand, absolute: bool, of_nan: i128) -> Reg {
        let is_nan = self.temporary(ScalarType::Bool);
        self.numeric(NumericOp::IsNan, ScalarType::F32, is_nan, &[value]);
        let bits = self.register(None, WORD, true);
        let magnitude = constant(if absolute { 0x7fff_ffff } else { -1 }, WORD);
        self.binary(BinaryOp::And, WORD, bits, &[as_bits(value), magnitude]);
        let inverted = self.register(None, WORD, true);
        self.binary(BinaryOp::Shr, ScalarType::I32, inverted, &[Operand::Reg(bits), constant(31, WORD)]);
        self.binary(BinaryOp::Or, WORD, inverted, &[Operand::Reg(inverted), constant(1 << 31, WORD)]);
        let place = self.temporary(WORD);
        self.binary(BinaryOp::Xor, WORD, place, &[Operand::Reg(bits), Operand::Reg(inverted)]);
        let (cond, then, otherwise) = (Operand::Reg(is_nan), constant(of_nan, WORD), Operand::Reg(place));
        self.push(Inst::Select { ty: WORD, dst: place, cond, then, otherwise });
        place
    }

    /// The float of a place; of the first and the last one a NaN.
    fn of_order(&mut self, dst: Reg, place: Reg) {
        let inverted = self.register(None, WORD, true);
        self.push(Inst::Unary { op: UnaryOp::Not, ty: WORD, dst: inverted, src: Operand::Reg(place) });
        self.binary(BinaryOp::Shr, ScalarType::I32, inverted, &[Operand::Reg(inverted), constant(31, WORD)]);
        self.binary(BinaryOp::Or, WORD, inverted, &[Operand::Reg(inverted), constant(1 << 31, WORD)]);
        self.binary(BinaryOp::Xor, WORD, dst, &[Operand::Reg(place), Operand::Reg(inverted)]);
    }

    /// `elect.sync`: of the lanes of the mask the first one.
    pub(super) fn elected(&mut self, instruction: &'m Instruction) -> Option<()> {
        let [dst, mask] = &instruction.operands[..] else { return self.miscounted(instruction) };
        let mask = self.mask(mask)?;
        let (dst, says) = Self::beside(dst);
        let (all, first) = (self.temporary(MASK), self.temporary(WORD));
        let everyone = Operand::Const(Constant::of(true));
        self.push_control(collective_of(CollectiveOp::Ballot, mask, Some(everyone))(all));
        self.numeric(NumericOp::TrailingZeros, MASK, first, &[Operand::Reg(all)]);
        if let Some(says) = says {
            let lane = self.register(None, WORD, true);
            self.push(Inst::Move { ty: ScalarType::Usize, dst: lane, src: Operand::Builtin(Builtin::LaneId) });
            let (left, right) = (Operand::Reg(lane), Operand::Reg(first));
            self.write(says, ScalarType::Bool, |emitter, dst| {
                emitter.push(Inst::Compare { op: CompareOp::Eq, ty: WORD, dst, left, right });
            })?;
        }
        self.write(dst, WORD, |emitter, dst| {
            emitter.push(Inst::Move { ty: WORD, dst, src: Operand::Reg(first) });
        })
    }
}
