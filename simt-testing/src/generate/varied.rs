//! Values that differ between threads, and results in which each counts otherwise: so it shows which threads were together.

use super::Generator;
use super::effects::SUMS;
use simt_core::ScalarType;
use simt_core::ops::{AtomicOp, BinaryOp, CompareOp, is_castable};
use simt_core::program::{AtomicOrder, Block, Builtin, Expr, ExprId, StmtKind, VarId};

impl Generator {
    /// A value, most often one that depends on the thread's number.
    pub(super) fn varied(&mut self, ty: ScalarType) -> ExprId {
        let usize = ScalarType::Usize;
        if self.random.once_in(4) || ty != ScalarType::Bool && !is_castable(usize, ty) {
            return self.expr(ty, 2);
        }
        let (id, factor) = (self.builtin(Builtin::GlobalId), self.random.below(50) as u64 * 2 + 1);
        let (factor, any) = (self.constant(usize, factor), self.expr(usize, 1));
        let product = self.operation(BinaryOp::Mul, id, factor);
        let value = self.operation(BinaryOp::Add, product, any);
        if ty == usize {
            return value;
        }
        if ty != ScalarType::Bool {
            return self.node(Expr::Cast { value }, ty);
        }
        let most = 2 + self.random.below(6) as u64;
        let (modulus, bound) = (self.constant(usize, most), self.constant(usize, most / 2));
        let rest = self.operation(BinaryOp::Rem, value, modulus);
        self.compare(CompareOp::Lt, rest, bound)
    }

    /// A result of threads together, which shows: as it is, until others come, and in a sum in which each thread has another
    /// weight.
    pub(super) fn met(&mut self, block: &mut Block, var: VarId) {
        self.scope.variables.push(var);
        let ty = self.program.variable(var).ty;
        if let Some(slice) = self.results_of(ty)
            && self.random.once_in(2)
        {
            let (index, value) = (self.builtin(Builtin::GlobalId), self.get(var));
            let store = self.stored(slice, index, value);
            block.push(store);
        }
        let (target, sum) = SUMS;
        if !is_castable(ty, sum) && ty != sum {
            return;
        }
        let mut value = self.get(var);
        if ty != sum {
            value = self.node(Expr::Cast { value }, sum);
        }
        let id = self.builtin(Builtin::GlobalId);
        let (id, factor) = (self.node(Expr::Cast { value: id }, sum), self.random.below(1000) as u64 * 2 + 1);
        let factor = self.constant(sum, factor);
        let weight = self.operation(BinaryOp::Add, id, factor);
        let (weighted, index) = (self.operation(BinaryOp::Mul, value, weight), self.constant(ScalarType::Usize, 0));
        let (op, operands, order) = (AtomicOp::Add, vec![weighted], AtomicOrder::Relaxed);
        block.push(self.stmt(StmtKind::Atomic { op, target: target.into(), index, operands, result: None, order }));
    }
}
