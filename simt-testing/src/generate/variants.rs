//! Enums and options: a tag, and variables for the fields of each variant.

use super::Generator;
use simt_core::ScalarType;
use simt_core::ops::{BinaryOp, CompareOp};
use simt_core::program::{Block, ExprId, StmtKind, VarId};

impl Generator {
    /// A `match` on an enum that is there, or one more enum.
    pub(super) fn variants(&mut self, block: &mut Block, depth: usize) {
        if self.scope.tags.is_empty() || self.random.once_in(4) {
            return self.enumeration(block);
        }
        let (tag, count) = *self.random.pick(&self.scope.tags);
        let mut rest = if self.random.once_in(2) { self.arm(depth, tag, count) } else { Vec::new() };
        for variant in (0..count).rev() {
            if self.random.once_in(4) {
                continue;
            }
            let then = self.arm(depth, tag, count);
            let cond = self.is_variant(tag, variant);
            rest = vec![self.stmt(StmtKind::If { cond, then, otherwise: rest })];
        }
        block.append(&mut rest);
    }

    /// `let mut e = if c { E::A(..) } else { .. };`: the tag, and the fields of that variant; those of others are zero.
    fn enumeration(&mut self, block: &mut Block) {
        let count = 2 + self.random.below(3) as u64;
        let ty = if count == 2 && self.random.once_in(2) { ScalarType::Bool } else { ScalarType::U8 };
        let mut value = self.expr(ty, 2);
        if ty == ScalarType::U8 {
            let count = self.constant(ty, count);
            value = self.operation(BinaryOp::Rem, value, count);
        }
        let tag = self.variable(ty, true);
        self.assign(block, tag, value);
        let mut fields: Vec<VarId> = Vec::new();
        for variant in 0..count {
            let field = self.any_type();
            let (var, zero) = (self.variable(field, true), self.constant(field, 0));
            self.assign(block, var, zero);
            let value = self.expr(field, 2);
            let mut then = Vec::new();
            self.assign(&mut then, var, value);
            let cond = self.is_variant(tag, variant);
            block.push(self.stmt(StmtKind::If { cond, then, otherwise: Vec::new() }));
            fields.push(var);
        }
        self.scope.variables.extend(fields);
        self.scope.tags.push((tag, count));
    }

    fn is_variant(&mut self, tag: VarId, variant: u64) -> ExprId {
        let ty = self.program.variable(tag).ty;
        let (left, right) = (self.get(tag), self.constant(ty, variant));
        self.compare(CompareOp::Eq, left, right)
    }

    /// What an arm does; it becomes another variant now and then.
    fn arm(&mut self, depth: usize, tag: VarId, count: u64) -> Block {
        let mut arm = self.inner(depth);
        if self.random.once_in(2) {
            let ty = self.program.variable(tag).ty;
            let bits = self.random.below(count as usize) as u64;
            let value = self.constant(ty, bits);
            // Behind what leaves, nothing runs.
            arm.insert(0, self.stmt(StmtKind::Assign { var: tag, value }));
        }
        arm
    }
}
