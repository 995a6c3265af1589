//! Expressions.

use super::super::arrays::value;
use super::{Arrays, Construct, Faults, Generator};
use simt_core::ScalarType;
use simt_core::ops::{Args, BinaryOp, CompareOp, NumericOp, UnaryOp, is_castable};
use simt_core::program::{ArrayId, Builtin, Expr, ExprId, LoadAccess, Memory, ParamId, VarId};

impl Generator {
    fn leaf(&mut self, ty: ScalarType) -> ExprId {
        let variables = self.scope.variables.iter().copied();
        let of_type: Vec<VarId> = variables.filter(|&var| self.program.variable(var).ty == ty).collect();
        match (ty, self.random.below(5)) {
            (ScalarType::Usize, 0..=1) => {
                // Values that depend on the warp width, as would the results; the last is the width itself.
                let builtin = *self.random.pick(&Builtin::ALL[..Builtin::WarpWidth as usize]);
                let builtin = match builtin {
                    Builtin::LaneId | Builtin::WarpId if !self.has(Construct::Warp) => Builtin::GlobalId,
                    other => other,
                };
                self.builtin(builtin)
            }
            (ScalarType::Usize, 2) => {
                if let Some(array) = self.dynamic_array()
                    && self.random.once_in(3)
                {
                    return self.node(Expr::Len(array.into()), ty);
                }
                let slice = ParamId(self.random.below(Arrays::TYPES.len() * 2) as u32);
                self.node(Expr::Len(slice.into()), ty)
            }
            (ScalarType::U32, 0) => self.node(Expr::Param(Arrays::SCALE), ty),
            (ScalarType::F32, 0) => self.node(Expr::Param(Arrays::BIAS), ty),
            (_, choice) if choice > 0 && choice < 4 && !of_type.is_empty() => {
                let var = *self.random.pick(&of_type);
                self.get(var)
            }
            _ => {
                let bits = value(&mut self.random, ty);
                self.constant(ty, bits)
            }
        }
    }

    pub(super) fn loaded(&mut self, slice: impl Into<Memory>, index: ExprId, ty: ScalarType) -> ExprId {
        let access = if self.random.once_in(3) { *self.random.pick(LoadAccess::ALL) } else { LoadAccess::Plain };
        self.node(Expr::Load { slice: slice.into(), index, access }, ty)
    }

    fn load(&mut self, ty: ScalarType, depth: usize) -> ExprId {
        let arrays = self.scope.arrays.iter().copied();
        let readable = |&id: &ArrayId| self.program.array(id).element == ty && !self.program.array(id).atomic;
        let of_type: Vec<ArrayId> = arrays.filter(readable).collect();
        if !of_type.is_empty() && !self.random.once_in(3) {
            let array = *self.random.pick(&of_type);
            let index = self.index_of(array);
            return self.loaded(array, index, ty);
        }
        if self.random.once_in(2)
            && let Some(part) = self.part_of(ty)
        {
            return self.part_element(part, ty, depth);
        }
        let number = Arrays::TYPES.iter().position(|&t| t == ty).unwrap_or(0) as u32;
        if self.random.once_in(3) {
            let index = self.builtin(Builtin::GlobalId);
            return self.loaded(ParamId(number * 2 + 1), index, ty);
        }
        let slice = if self.random.once_in(3) { self.constant_of(ty) } else { None };
        let slice = slice.unwrap_or(ParamId(number * 2));
        let mut index = self.expr(ScalarType::Usize, depth);
        if self.faults == Faults::Never || !self.random.once_in(40) {
            let len = self.node(Expr::Len(slice.into()), ScalarType::Usize);
            index = self.operation(BinaryOp::Rem, index, len);
        }
        self.loaded(slice, index, ty)
    }

    pub(super) fn expr(&mut self, ty: ScalarType, depth: usize) -> ExprId {
        if depth == 0 {
            return self.leaf(ty);
        }
        let depth = depth - 1;
        match self.random.below(12) {
            0..=1 => self.leaf(ty),
            2 => self.load(ty, depth),
            3 => {
                let op = *self.random.pick(UnaryOp::ALL);
                let value = self.expr(ty, depth);
                if op.accepts(ty) { self.node(Expr::Unary { op, value }, ty) } else { value }
            }
            4 => {
                let from = self.any_type();
                if !is_castable(from, ty) {
                    return self.leaf(ty);
                }
                let value = self.expr(from, depth);
                self.node(Expr::Cast { value }, ty)
            }
            5..=6 => self.numeric(ty, depth),
            _ if ty == ScalarType::Bool && !self.random.once_in(3) => {
                let of = self.any_type();
                let (left, right) = (self.expr(of, depth), self.expr(of, depth));
                let op = *self.random.pick(CompareOp::ALL);
                self.compare(op, left, right)
            }
            _ => self.binary(ty, depth),
        }
    }

    /// A numeric method whose result is of the type, of a random one of the types that have it.
    fn numeric(&mut self, ty: ScalarType, depth: usize) -> ExprId {
        if self.has(Construct::Strict)
            && self.random.once_in(2)
            && let Some(strict) = self.strict(ty, depth)
        {
            return strict;
        }
        // Those that are strict, and what came later, stand behind.
        let wrapping = NumericOp::ALL.iter().position(|op| op.is_strict()).unwrap_or(NumericOp::ALL.len());
        let op = *self.random.pick(&NumericOp::ALL[..wrapping]);
        let of = Arrays::TYPES.iter().copied();
        let of: Vec<ScalarType> = of.filter(|&of| op.accepts(of) && op.result().of(of) == ty).collect();
        if of.is_empty() {
            return self.binary(ty, depth);
        }
        let of = *self.random.pick(&of);
        if op.fault(of).is_some() && (self.faults == Faults::Never || !self.random.once_in(10)) {
            return self.binary(ty, depth);
        }
        let args: Vec<ExprId> = op.args().iter().map(|slot| self.expr(slot.of(of), depth)).collect();
        let args: Args<ExprId> = match args[..] {
            [a] => [a].into(),
            [a, b] => [a, b].into(),
            [a, b, c] => [a, b, c].into(),
            _ => unreachable!("a method has one to three operands"),
        };
        self.node(Expr::Numeric { op, args }, ty)
    }

    fn binary(&mut self, ty: ScalarType, depth: usize) -> ExprId {
        let accepted: Vec<BinaryOp> = BinaryOp::ALL.iter().copied().filter(|op| op.accepts(ty)).collect();
        let op = *self.random.pick(&accepted);
        let left = self.expr(ty, depth);
        let right = if op.is_shift() {
            self.expr(ScalarType::U32, depth)
        } else if op.can_fault(ty) && (self.faults == Faults::Never || !self.random.once_in(20)) {
            if self.random.once_in(3) {
                // Powers of two are carried out in another way.
                let exponent = self.random.below(ty.bits() as usize - 1);
                self.constant(ty, 1 << exponent)
            } else {
                let (divisor, one) = (self.expr(ty, depth), self.constant(ty, 1));
                self.operation(BinaryOp::Or, divisor, one)
            }
        } else {
            self.expr(ty, depth)
        };
        self.operation(op, left, right)
    }
}
