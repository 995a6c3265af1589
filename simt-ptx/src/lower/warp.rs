//! Barriers, votes and shuffles.

use super::emit::Emitter;
use super::modifiers::Modifiers;
use super::operands::constant;
use crate::syntax::{Instruction, Operand as Written, OperandKind};
use simt_core::code::{Inst, Operand, Reg};
use simt_core::ops::{BinaryOp, CompareOp};
use simt_core::program::{BarrierOp, Builtin, CollectiveOp};
use simt_core::{Constant, ScalarType};

const WORD: ScalarType = ScalarType::U32;

impl<'m> Emitter<'m, '_> {
    /// `bar`, `barrier`, of the block or, by `bar.warp.sync`, of the warp.
    pub(super) fn barrier(&mut self, instruction: &'m Instruction) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        modifiers.ignore(&["cta", "aligned"]);
        let warp = modifiers.take("warp");
        let op =
            modifiers.one_of(&[("sync", BarrierOp::Sync), ("arrive", BarrierOp::Arrive), ("red", BarrierOp::Count)]);
        let op = match (op, modifiers.take("and"), modifiers.take("or"), modifiers.take("popc")) {
            (Some(BarrierOp::Count), true, ..) => Some(BarrierOp::And),
            (Some(BarrierOp::Count), _, true, _) => Some(BarrierOp::Or),
            (op, ..) => op,
        };
        self.only(instruction, &modifiers)?;
        let Some(op) = op else { return self.unsupported(instruction, "it is not supported yet") };
        let operands = &instruction.operands[..];
        if warp {
            let [mask] = operands else { return self.miscounted(instruction) };
            let mask = self.mask(mask)?;
            self.push_control(collective(CollectiveOp::SyncWarp, ScalarType::Bool, None, mask, None));
            return Some(());
        }
        let reduces = !matches!(op, BarrierOp::Sync | BarrierOp::Arrive);
        let (dst, value, rest) = match operands {
            [dst, rest @ .., value] if reduces => (Some(dst), Some(value), rest),
            rest if !reduces => (None, None, rest),
            _ => return self.miscounted(instruction),
        };
        let value = match value {
            Some(value) => Some(self.read(value, ScalarType::Bool)?),
            None => None,
        };
        let (index, threads) = match rest {
            [] => (None, None),
            [index] => (Some(self.read(index, WORD)?), None),
            [index, threads] => (Some(self.read(index, WORD)?), Some(self.read(threads, WORD)?)),
            _ => return self.miscounted(instruction),
        };
        let index = index.filter(|index| !matches!(index, Operand::Const(Constant { bits: 0, .. })));
        match dst {
            None => self.push_control(Inst::Barrier { op, dst: None, index, threads, value: None }),
            Some(dst) => {
                let ty = if op == BarrierOp::Count { WORD } else { ScalarType::Bool };
                return self.write(dst, ty, |emitter, dst| {
                    emitter.push_control(Inst::Barrier { op, dst: Some(dst), index, threads, value });
                });
            }
        }
        Some(())
    }

    /// The lanes that a mask names; of all 32, those that have not exited.
    pub(super) fn mask(&mut self, written: &'m Written) -> Option<Option<Operand>> {
        if let OperandKind::Integer(all) = &written.kind
            && *all as u32 == u32::MAX
        {
            return Some(None);
        }
        let mask = self.read(written, WORD)?;
        if let Operand::Const(constant) = mask {
            return Some(Some(Operand::Const(Constant::of(constant.bits))));
        }
        let wide = self.temporary(ScalarType::U64);
        self.push(Inst::Cast { from: WORD, to: ScalarType::U64, dst: wide, src: mask });
        Some(Some(Operand::Reg(wide)))
    }

    /// `vote.sync`
    pub(super) fn vote(&mut self, instruction: &'m Instruction) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        let synchronises = modifiers.take("sync");
        let op = modifiers.one_of(&[
            ("ballot", CollectiveOp::Ballot),
            ("any", CollectiveOp::Any),
            ("all", CollectiveOp::All),
            ("uni", CollectiveOp::Uniform),
        ]);
        self.only(instruction, &modifiers)?;
        let (Some(op), true) = (op, synchronises) else {
            return self.unsupported(
                instruction,
                "votes without `.sync` are not supported: those of sm_70 and above name their lanes",
            );
        };
        let [dst, value, mask] = &instruction.operands[..] else { return self.miscounted(instruction) };
        let value = self.read(value, ScalarType::Bool)?;
        let mask = self.mask(mask)?;
        if op == CollectiveOp::Ballot {
            return self.ballot(dst, collective_of(op, mask, Some(value)));
        }
        self.write(dst, ScalarType::Bool, |emitter, dst| {
            emitter.push_control(collective(op, ScalarType::Bool, Some(dst), mask, Some((value, None))));
        })
    }

    /// `activemask`
    pub(super) fn active_mask(&mut self, instruction: &'m Instruction) -> Option<()> {
        let [dst] = &instruction.operands[..] else { return self.miscounted(instruction) };
        self.ballot(dst, collective_of(CollectiveOp::ActiveMask, None, None))
    }

    /// A result of 64 bits, of which a register of PTX gets the lower ones.
    fn ballot(&mut self, dst: &'m Written, inst: impl FnOnce(Reg) -> Inst) -> Option<()> {
        let all = self.temporary(ScalarType::U64);
        self.push_control(inst(all));
        self.write(dst, WORD, |emitter, dst| {
            emitter.push(Inst::Cast { from: ScalarType::U64, to: WORD, dst, src: Operand::Reg(all) });
        })
    }

    /// `shfl.sync`: the lane that each reads is computed as the PTX ISA says.
    pub(super) fn shuffle(&mut self, instruction: &'m Instruction) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        let synchronises = modifiers.take("sync");
        let modes = [("up", Mode::Up), ("down", Mode::Down), ("bfly", Mode::Butterfly), ("idx", Mode::Index)];
        let mode = modifiers.one_of(&modes);
        self.only(instruction, &modifiers)?;
        let (Some(mode), true) = (mode, synchronises) else {
            return self.unsupported(
                instruction,
                "shuffles without `.sync` are not supported: those of sm_70 and above name their lanes",
            );
        };
        let [dst, value, b, c, mask] = &instruction.operands[..] else { return self.miscounted(instruction) };
        let value = self.read(value, WORD)?;
        let (b, c) = (self.read(b, WORD)?, self.read(c, WORD)?);
        let mask = self.mask(mask)?;
        let (lane, inside) = self.source_lane(mode, b, c);
        let (dst, says) = match &dst.kind {
            OperandKind::Pair(dst, says) => (&**dst, Some(&**says)),
            _ => (dst, None),
        };
        self.write(dst, WORD, |emitter, dst| {
            emitter.push_control(collective(CollectiveOp::Shuffle, WORD, Some(dst), mask, Some((value, Some(lane)))));
        })?;
        match says {
            Some(says) => self.write(says, ScalarType::Bool, |emitter, dst| {
                emitter.push(Inst::Move { ty: ScalarType::Bool, dst, src: Operand::Reg(inside) });
            }),
            None => Some(()),
        }
    }

    /// The lane that a shuffle reads, and whether it is one of the segment: else it is the lane's own.
    fn source_lane(&mut self, mode: Mode, b: Operand, c: Operand) -> (Operand, Reg) {
        let mut word = |op: BinaryOp, left: Operand, right: Operand| {
            if let (Operand::Const(left), Operand::Const(right)) = (left, right) {
                let bits = match op {
                    BinaryOp::And => left.bits & right.bits,
                    BinaryOp::Or => left.bits | right.bits,
                    BinaryOp::Xor => left.bits ^ right.bits,
                    BinaryOp::Shr => left.bits >> (right.bits & 31),
                    _ => unreachable!("constants are only masked and shifted"),
                };
                return constant(i128::from(bits), WORD);
            }
            let dst = self.temporary(WORD);
            self.binary(op, WORD, dst, &[left, right]);
            Operand::Reg(dst)
        };
        let number = |value: i128| constant(value, WORD);
        let b = word(BinaryOp::And, b, number(31));
        let clamp = word(BinaryOp::And, c, number(31));
        let shifted = word(BinaryOp::Shr, c, number(8));
        let segment = word(BinaryOp::And, shifted, number(31));
        let outside = word(BinaryOp::Xor, segment, number(31));
        let lane = self.register(None, WORD, true);
        self.push(Inst::Move { ty: ScalarType::Usize, dst: lane, src: Operand::Builtin(Builtin::LaneId) });
        let lane = Operand::Reg(lane);
        let mut word = |op: BinaryOp, left: Operand, right: Operand| {
            let dst = self.temporary(WORD);
            self.binary(op, WORD, dst, &[left, right]);
            Operand::Reg(dst)
        };
        let least = word(BinaryOp::And, lane, segment);
        let rest = word(BinaryOp::And, clamp, outside);
        let most = word(BinaryOp::Or, least, rest);
        let source = match mode {
            Mode::Up => word(BinaryOp::Sub, lane, b),
            Mode::Down => word(BinaryOp::Add, lane, b),
            Mode::Butterfly => word(BinaryOp::Xor, lane, b),
            Mode::Index => {
                let within = word(BinaryOp::And, b, outside);
                word(BinaryOp::Or, least, within)
            }
        };
        let inside = self.temporary(ScalarType::Bool);
        // Below the first lane, the number is negative.
        let (op, ty) =
            if let Mode::Up = mode { (CompareOp::Ge, ScalarType::I32) } else { (CompareOp::Le, ScalarType::I32) };
        let [left, right] = [source, most].map(|value| self.signed(value, ty));
        self.push(Inst::Compare { op, ty, dst: inside, left, right });
        let read = self.temporary(WORD);
        self.push(Inst::Select { ty: WORD, dst: read, cond: Operand::Reg(inside), then: source, otherwise: lane });
        (Operand::Reg(read), inside)
    }

    /// A word as a number with a sign.
    fn signed(&mut self, value: Operand, ty: ScalarType) -> Operand {
        let dst = self.temporary(ty);
        self.push(Inst::Cast { from: WORD, to: ty, dst, src: value });
        Operand::Reg(dst)
    }
}

#[derive(Clone, Copy)]
enum Mode {
    Up,
    Down,
    Butterfly,
    Index,
}

pub(super) fn collective(
    op: CollectiveOp,
    ty: ScalarType,
    dst: Option<Reg>,
    mask: Option<Operand>,
    values: Option<(Operand, Option<Operand>)>,
) -> Inst {
    let (value, lane) = values.map_or((None, None), |(value, lane)| (Some(value), lane));
    Inst::Collective { op, ty, dst, mask, value, lane }
}

pub(super) fn collective_of(
    op: CollectiveOp,
    mask: Option<Operand>,
    value: Option<Operand>,
) -> impl FnOnce(Reg) -> Inst {
    move |dst| Inst::Collective { op, ty: ScalarType::U64, dst: Some(dst), mask, value, lane: None }
}
