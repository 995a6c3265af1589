//! Numeric methods that fault where they overflow, and those that came later than what seeds stand for.

use super::{Faults, Generator};
use simt_core::ScalarType;
use simt_core::ops::{Args, BinaryOp, NumericOp};
use simt_core::program::{Expr, ExprId};

impl Generator {
    /// One of these methods on values of the type; none if the type has none.
    pub(super) fn strict(&mut self, ty: ScalarType, depth: usize) -> Option<ExprId> {
        let later = NumericOp::ALL.iter().copied().skip_while(|op| !op.is_strict());
        let ops: Vec<NumericOp> = later.filter(|op| op.accepts(ty) && op.result().of(ty) == ty).collect();
        if ops.is_empty() {
            return None;
        }
        let op = *self.random.pick(&ops);
        let mut args: Vec<ExprId> = op.args().iter().map(|slot| self.expr(slot.of(ty), depth)).collect();
        if self.faults == Faults::Never || !self.random.once_in(8) {
            self.within_bounds(op, ty, &mut args);
        }
        let args: Args<ExprId> = match args[..] {
            [a] => [a].into(),
            [a, b] => [a, b].into(),
            [a, b, c] => [a, b, c].into(),
            _ => unreachable!("a method has one to three operands"),
        };
        Some(self.node(Expr::Numeric { op, args }, ty))
    }

    /// Makes operands of such as do not overflow.
    fn within_bounds(&mut self, op: NumericOp, ty: ScalarType, args: &mut [ExprId]) {
        use NumericOp as Op;
        let bits = u64::from(ty.bits());
        // A quarter of what an unsigned type has, half of what a signed one has that is not negative.
        let quarter = u64::MAX >> (64 - bits + 2);
        match (op, args) {
            (Op::CarryingMulHigh, _) => {}
            // Of two halves each, none is beyond the type, and a half with the highest bit is no less than one without.
            (Op::StrictSub | Op::StrictSubSigned, [a, b]) if !ty.is_signed_int() => {
                *a = self.halved(*a);
                *a = self.with(BinaryOp::Or, *a, quarter + 1);
                *b = self.halved(*b);
                *b = self.halved(*b);
            }
            (Op::StrictAddSigned, [a, b]) => {
                *a = self.halved(*a);
                *a = self.with(BinaryOp::Or, *a, quarter + 1);
                *b = self.halved(*b);
            }
            (Op::StrictAdd | Op::StrictSub, [a, b]) => (*a, *b) = (self.halved(*a), self.halved(*b)),
            (Op::StrictAddUnsigned | Op::StrictSubUnsigned, [a, b]) => {
                *a = self.halved(*a);
                *b = self.with(BinaryOp::And, *b, quarter);
            }
            (Op::StrictMul, [a, b]) => {
                let root = (1 << (bits / 2 - 1)) - 1;
                (*a, *b) = (self.with(BinaryOp::And, *a, root), self.with(BinaryOp::And, *b, root));
            }
            (
                Op::StrictDiv | Op::StrictRem | Op::StrictDivEuclid | Op::StrictRemEuclid | Op::StrictNextMultipleOf,
                [a, b],
            ) => {
                if op == Op::StrictNextMultipleOf {
                    *a = self.with(BinaryOp::And, *a, quarter);
                }
                *b = self.with(BinaryOp::And, *b, quarter);
                *b = self.with(BinaryOp::Or, *b, 1);
            }
            (Op::StrictNeg, [a]) if !ty.is_signed_int() => *a = self.with(BinaryOp::And, *a, 0),
            (Op::StrictNeg | Op::StrictAbs, [a]) => *a = self.halved(*a),
            (Op::StrictNextPowerOfTwo, [a]) => *a = self.with(BinaryOp::And, *a, quarter),
            (Op::StrictPow, [a, b]) => {
                // 3 to the power of half the bits is below 2 to the power of 0.8 times the bits.
                *a = self.with(BinaryOp::And, *a, 3);
                *b = self.with(BinaryOp::Rem, *b, bits / 2 - 1);
            }
            (Op::StrictShl | Op::StrictShr, [_, count]) => *count = self.with(BinaryOp::And, *count, bits - 1),
            (op, _) => unreachable!("{} has operands of which it overflows", op.name()),
        }
    }

    fn halved(&mut self, value: ExprId) -> ExprId {
        let one = self.constant(ScalarType::U32, 1);
        self.operation(BinaryOp::Shr, value, one)
    }

    /// An operation with a constant of the value's type.
    fn with(&mut self, op: BinaryOp, value: ExprId, bits: u64) -> ExprId {
        let constant = self.constant(self.program.expr(value).ty, bits);
        self.operation(op, value, constant)
    }
}
