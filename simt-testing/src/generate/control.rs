//! Loops, `match` and exits.

use super::{Generator, Loop};
use simt_core::ops::{BinaryOp, CompareOp};
use simt_core::program::{Block, Expr, ExprId, StmtKind, VarId};
use simt_core::{Constant, ScalarType};

impl Generator {
    /// `while (budget > 0 & e) { S } step { budget = budget - 1; }`, where the budget depends on the thread.
    pub(super) fn repeat(&mut self, block: &mut Block, depth: usize) {
        let ty = ScalarType::U32;
        let budget = self.variable(ty, true);
        let start = self.expr(ty, 2);
        let four = self.constant(ty, 4);
        let start = self.operation(BinaryOp::Rem, start, four);
        self.assign(block, budget, start);
        let left = self.get(budget);
        let zero = self.constant(ty, 0);
        let mut cond = self.compare(CompareOp::Gt, left, zero);
        if self.random.once_in(2) {
            let right = self.expr(ScalarType::Bool, 2);
            cond = self.operation(BinaryOp::And, cond, right);
        }
        self.loops.push(Loop::Counted);
        let body = self.inner(depth);
        self.loops.pop();
        let left = self.get(budget);
        let one = self.constant(ty, 1);
        let value = self.operation(BinaryOp::Sub, left, one);
        let step = vec![self.stmt(StmtKind::Assign { var: budget, value })];
        block.push(self.stmt(StmtKind::While { cond, body, step }));
    }

    /// `'a: { S }`, which is `'a: while (true) { S break; }`.
    pub(super) fn labelled_block(&mut self, block: &mut Block, depth: usize) {
        let cond = self.constant(ScalarType::Bool, 1);
        self.loops.push(Loop::Block);
        let mut body = self.inner(depth);
        self.loops.pop();
        body.push(self.stmt(StmtKind::Break { out: 0 }));
        block.push(self.stmt(StmtKind::While { cond, body, step: Vec::new() }));
    }

    /// `return`, or `break` or `continue` of some loop around, or something that does not leave.
    pub(super) fn exit(&mut self, block: &mut Block, depth: usize) {
        let loops = self.loops.len();
        let kind = match self.random.below(7) {
            0..=1 if depth > 0 => return self.return_(block),
            2..=3 if loops > 0 => StmtKind::Break { out: self.random.below(loops) as u32 },
            4..=5 if loops > 0 => {
                let out = self.random.below(loops);
                // A labelled block would begin again, and might never end.
                match self.loops[loops - 1 - out] {
                    Loop::Counted => StmtKind::Continue { out: out as u32 },
                    Loop::Block => StmtKind::Break { out: out as u32 },
                }
            }
            6 => {
                let ty = self.any_type();
                StmtKind::Evaluate { value: self.expr(ty, 2) }
            }
            _ => StmtKind::Skip,
        };
        block.push(self.stmt(kind));
    }

    /// A `match` on an integer: `if`s and `else if`s over one immutable variable, whose arms name one constant, several or
    /// a range. Most have constants that are close to each other.
    pub(super) fn matched(&mut self, block: &mut Block, depth: usize) {
        let integers = [
            ScalarType::U32,
            ScalarType::I32,
            ScalarType::U8,
            ScalarType::I16,
            ScalarType::Usize,
            ScalarType::Isize,
            ScalarType::U64,
        ];
        let ty = *self.random.pick(&integers);
        let mut arms = 3 + self.random.below(7);
        let mut value = self.expr(ty, 3);
        if !self.random.once_in(4) {
            let some = self.random.below(arms + 2) as u64 + 1;
            let bound = self.constant(ty, some);
            value = self.operation(BinaryOp::Rem, value, bound);
        }
        let var = self.variable(ty, false);
        self.assign(block, var, value);
        let mut constants = self.constants(ty, arms * 2);
        let mut chain = Vec::new();
        let only_single = self.random.once_in(2);
        while arms > 0 {
            arms -= 1;
            let Some(first) = constants.pop() else { break };
            let cond = match (only_single, self.random.below(6)) {
                (false, 0) => {
                    let second = constants.pop().unwrap_or(first);
                    let (left, right) = (self.equals(var, first), self.equals(var, second));
                    self.operation(BinaryOp::Or, left, right)
                }
                (false, 1) => self.within(var, first, constants.last().copied().unwrap_or(first)),
                _ => self.equals(var, first),
            };
            let body = if self.random.once_in(6) { Vec::new() } else { self.inner(depth) };
            chain.push((cond, body));
        }
        let mut rest = if self.random.once_in(3) { Vec::new() } else { self.inner(depth) };
        for (cond, then) in chain.into_iter().rev() {
            rest = vec![self.stmt(StmtKind::If { cond, then, otherwise: rest })];
        }
        block.append(&mut rest);
    }

    /// Numbers close to each other, or far apart, in random order; some may be the same.
    fn constants(&mut self, ty: ScalarType, count: usize) -> Vec<Constant> {
        let mask = u64::MAX >> (64 - ty.bits());
        let spread = if self.random.once_in(5) { 1000 } else { 1 };
        let least = if self.random.once_in(2) { 0 } else { (self.random.below(7) as u64).wrapping_sub(3) };
        let mut constants: Vec<Constant> =
            (0..count as u64).map(|number| Constant { ty, bits: least.wrapping_add(number * spread) & mask }).collect();
        for place in (1..count).rev() {
            constants.swap(place, self.random.below(place + 1));
        }
        // The lower half is tested more often.
        constants.sort_by_key(|constant| constant.bits < least.wrapping_add(count as u64 / 2 * spread) & mask);
        constants
    }

    fn equals(&mut self, var: VarId, constant: Constant) -> ExprId {
        let (left, right) = (self.get(var), self.constant(constant.ty, constant.bits));
        self.compare(CompareOp::Eq, left, right)
    }

    /// `low <= var & var <= high`
    fn within(&mut self, var: VarId, one: Constant, other: Constant) -> ExprId {
        let (low, value) = (self.node(Expr::Const(one), one.ty), self.get(var));
        let above = self.compare(CompareOp::Le, low, value);
        let (value, high) = (self.get(var), self.node(Expr::Const(other), other.ty));
        let below = self.compare(CompareOp::Le, value, high);
        self.operation(BinaryOp::And, above, below)
    }
}
