//! What the lanes of a warp do together: all that have not returned, or those that a mask names.

use super::{Faults, Generator};
use simt_core::ScalarType;
use simt_core::ops::{Args, BinaryOp, CompareOp, NumericOp, UnaryOp};
use simt_core::program::{Block, Builtin, CollectiveOp, Expr, ExprId, StmtKind, VarId};

impl Generator {
    /// A collective. Returns its result.
    pub(super) fn collective(
        &mut self,
        block: &mut Block,
        op: CollectiveOp,
        mask: Option<VarId>,
        args: Vec<ExprId>,
        ty: ScalarType,
    ) -> VarId {
        let (mask, result) = (mask.map(|mask| self.get(mask)), self.variable(ty, true));
        block.push(self.stmt(StmtKind::Collective { op, mask, args, result: Some(result) }));
        result
    }

    pub(super) fn of_warp(&mut self, block: &mut Block) {
        match self.random.below(8) {
            5 => self.apart(block),
            6..=7 => self.exchange_in_warp(block),
            _ => self.of_lanes(block, None),
        }
    }

    /// A vote, a shuffle, a match, a reduction, or only a wait, of the lanes of a mask, or without one of all.
    fn of_lanes(&mut self, block: &mut Block, mask: Option<VarId>) {
        match self.random.below(9) {
            0 => self.sync_warp(block, mask),
            7..=8 => (0..3).for_each(|_| self.reduced(block, mask)),
            1..=3 => {
                let votes = [CollectiveOp::Ballot, CollectiveOp::Any, CollectiveOp::All, CollectiveOp::Uniform];
                let (op, args) = (*self.random.pick(&votes), vec![self.varied(ScalarType::Bool)]);
                let ty = if op == CollectiveOp::Ballot { ScalarType::U64 } else { ScalarType::Bool };
                let result = self.collective(block, op, mask, args, ty);
                self.met(block, result);
            }
            _ => self.shuffle(block, mask),
        }
    }

    /// A match or a reduction, of which there are many kinds.
    fn reduced(&mut self, block: &mut Block, mask: Option<VarId>) {
        let ops = CollectiveOp::ALL.iter().copied().filter(|op| op.is_typed() && !op.is_shuffle());
        let op = *self.random.pick(&ops.collect::<Vec<_>>());
        let ty = *self.random.pick(&[ScalarType::U32, ScalarType::I32, ScalarType::U64]);
        let mut value = self.varied(ty);
        if op.reduction().is_none() {
            // Few values, so that lanes have the same.
            let few = self.constant(ty, 3);
            value = self.operation(BinaryOp::And, value, few);
        }
        let result = self.collective(block, op, mask, vec![value], op.result(ty).unwrap_or(ty));
        self.met(block, result);
    }

    pub(super) fn sync_warp(&mut self, block: &mut Block, mask: Option<VarId>) {
        let mask = mask.map(|mask| self.get(mask));
        block.push(self.stmt(StmtKind::Collective { op: CollectiveOp::SyncWarp, mask, args: vec![], result: None }));
    }

    /// `m = ballot(p); n = ballot(!p); if p { S of m } else { S of n }`, or both at one place: `if !p { m = n } S of m`
    fn apart(&mut self, block: &mut Block) {
        let ty = ScalarType::Bool;
        let holds = self.varied(ty);
        let holds = self.pinned(block, ty, holds);
        let arg = self.get(holds);
        let some = self.collective(block, CollectiveOp::Ballot, None, vec![arg], ScalarType::U64);
        let value = self.get(holds);
        let arg = self.node(Expr::Unary { op: UnaryOp::Not, value }, ty);
        let others = self.collective(block, CollectiveOp::Ballot, None, vec![arg], ScalarType::U64);
        if self.random.once_in(3) {
            let (cond, value, mut otherwise) = (self.get(holds), self.get(others), Vec::new());
            self.assign(&mut otherwise, some, value);
            block.push(self.stmt(StmtKind::If { cond, then: Vec::new(), otherwise }));
            return self.of_lanes(block, Some(some));
        }
        let wrong = self.faults == Faults::Sometimes && self.random.once_in(3);
        let then = self.masked_arm(if wrong { others } else { some });
        let otherwise = if self.random.once_in(3) { Vec::new() } else { self.masked_arm(others) };
        let cond = self.get(holds);
        block.push(self.stmt(StmtKind::If { cond, then, otherwise }));
    }

    /// What the lanes of a mask do, all of which are there.
    fn masked_arm(&mut self, mask: VarId) -> Block {
        self.scoped(|this| {
            let mut block = Vec::new();
            for _ in 0..1 + this.random.below(3) {
                this.of_lanes(&mut block, Some(mask));
                let ty = this.any_type();
                this.declare(&mut block, ty);
            }
            block
        })
    }

    /// A value of another lane. A lane that names one which takes no part names itself instead, or has a distance of 0.
    fn shuffle(&mut self, block: &mut Block, mask: Option<VarId>) {
        let word = ScalarType::U32;
        let ty = self.any_type();
        let shuffles =
            [CollectiveOp::Shuffle, CollectiveOp::ShuffleUp, CollectiveOp::ShuffleDown, CollectiveOp::ShuffleXor];
        let op = *self.random.pick(&shuffles);
        let exponent = 2 + self.random.below(5);
        let (any, bound) = (self.varied(word), self.constant(word, 1 << exponent));
        let distance = self.operation(BinaryOp::Rem, any, bound);
        let operand = self.variable(word, true);
        self.assign(block, operand, distance);
        if self.faults == Faults::Never || !self.random.once_in(6) {
            let part = match mask {
                Some(mask) => mask,
                None => {
                    let arg = self.constant(ScalarType::Bool, 1);
                    self.collective(block, CollectiveOp::Ballot, None, vec![arg], ScalarType::U64)
                }
            };
            let from = self.source(op, operand);
            let (part, one) = (self.get(part), self.constant(ScalarType::U64, 1));
            let bit = self.operation(BinaryOp::Shr, part, from);
            let bit = self.operation(BinaryOp::And, bit, one);
            let zero = self.constant(ScalarType::U64, 0);
            let cond = self.compare(CompareOp::Eq, bit, zero);
            let own = if op == CollectiveOp::Shuffle { self.lane() } else { self.constant(word, 0) };
            let mut then = Vec::new();
            self.assign(&mut then, operand, own);
            block.push(self.stmt(StmtKind::If { cond, then, otherwise: Vec::new() }));
        }
        let args = vec![self.varied(ty), self.get(operand)];
        let result = self.collective(block, op, mask, args, ty);
        self.met(block, result);
    }

    /// The lane whose value the lane gets, where it is not its own.
    fn source(&mut self, op: CollectiveOp, operand: VarId) -> ExprId {
        let word = ScalarType::U32;
        let (distance, width) = (self.get(operand), self.width());
        match op {
            CollectiveOp::ShuffleUp => {
                let args = Args::from([self.lane(), distance]);
                self.node(Expr::Numeric { op: NumericOp::SaturatingSub, args }, word)
            }
            CollectiveOp::ShuffleDown => {
                let lane = self.lane();
                let (sum, one) = (self.operation(BinaryOp::Add, lane, distance), self.constant(word, 1));
                let last = self.operation(BinaryOp::Sub, width, one);
                self.node(Expr::Numeric { op: NumericOp::Min, args: Args::from([sum, last]) }, word)
            }
            _ => {
                let number = self.operation(BinaryOp::Rem, distance, width);
                if op == CollectiveOp::Shuffle {
                    return number;
                }
                let lane = self.lane();
                self.operation(BinaryOp::Xor, lane, number)
            }
        }
    }

    fn lane(&mut self) -> ExprId {
        let value = self.builtin(Builtin::LaneId);
        self.node(Expr::Cast { value }, ScalarType::U32)
    }

    fn width(&mut self) -> ExprId {
        let value = self.builtin(Builtin::WarpWidth);
        self.node(Expr::Cast { value }, ScalarType::U32)
    }

    /// The element of a thread of the same warp, of which the last one of a block may have fewer.
    fn exchange_in_warp(&mut self, block: &mut Block) {
        let usize = ScalarType::Usize;
        let (place, lane) = (self.place_in_block(), self.builtin(Builtin::LaneId));
        let first = self.operation(BinaryOp::Sub, place, lane);
        let first = self.pinned(block, usize, first);
        let (threads, before) = (self.threads_of_block(), self.get(first));
        let (rest, width) = (self.operation(BinaryOp::Sub, threads, before), self.builtin(Builtin::WarpWidth));
        let lanes = self.node(Expr::Numeric { op: NumericOp::Min, args: Args::from([rest, width]) }, usize);
        let any = self.varied(usize);
        let (number, first) = (self.operation(BinaryOp::Rem, any, lanes), self.get(first));
        let other = self.operation(BinaryOp::Add, first, number);
        let tiles = self.meeting.of_warp.clone();
        self.exchange(block, &tiles, other, |this, block| this.sync_warp(block, None));
    }
}
