//! Nodes of the program's expressions: when they come to be, which are folded, and which are held in temporaries.

use super::{Builder, IntoValue, State, Value};
use crate::ops::{
    Args, BinaryOp, CompareOp, NumericOp, Overflow, UnaryOp, evaluate_binary, evaluate_cast, evaluate_compare,
    evaluate_numeric, evaluate_unary,
};
use crate::program::{Builtin, Expr, ExprId, ExprNode, Memory, NESTING_LIMIT, ParamId, StmtKind, VarId, Variable};
use crate::scalar::{Constant, Scalar, ScalarType};
use crate::source::Span;

/// How deep an expression nests before a temporary holds its value.
const DEEP: usize = NESTING_LIMIT / 2;

/// A node without children.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Leaf {
    Const(Constant),
    Var(VarId),
    Param(ParamId),
    Builtin(Builtin),
    Len(Memory),
    /// The base of a reference, which no statement has.
    Base(Memory),
}

impl From<Leaf> for Expr {
    fn from(leaf: Leaf) -> Self {
        match leaf {
            Leaf::Const(constant) => Self::Const(constant),
            Leaf::Var(var) => Self::Var(var),
            Leaf::Param(param) => Self::Param(param),
            Leaf::Builtin(builtin) => Self::Builtin(builtin),
            Leaf::Len(memory) => Self::Len(memory),
            Leaf::Base(_) => Self::Const(Constant { ty: super::base::BASE_TYPE, bits: 0 }),
        }
    }
}

/// What an operation takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Operand {
    /// A node that is not in the arena yet.
    Leaf(Leaf),
    /// A node in the arena that nothing uses yet.
    Node(ExprId),
    /// None or several operands together: see [`Builder::leaves`].
    Several {
        /// The first of them in the builder's list.
        first: u32,
        /// How many they are.
        count: u32,
    },
    /// The value of an expression that ended the thread or left the loop.
    Never,
}

impl Operand {
    pub(super) fn constant<T: Scalar>(value: T) -> Self {
        Self::Leaf(Leaf::Const(Constant::of(value)))
    }

    pub(super) fn var(var: VarId) -> Self {
        Self::Leaf(Leaf::Var(var))
    }

    pub(super) fn as_constant(self) -> Option<Constant> {
        match self {
            Self::Leaf(Leaf::Const(constant)) => Some(constant),
            Self::Leaf(_) | Self::Node(_) | Self::Several { .. } | Self::Never => None,
        }
    }
}

impl Builder {
    /// A constant of the host, which the device may not be able to hold.
    pub(super) fn constant<T: Scalar>(&self, span: Span, value: T) -> Value<T> {
        if !value.fits() {
            let (ty, wide) = if T::TYPE == ScalarType::Usize { ("usize", "u64") } else { ("isize", "i64") };
            self.problem(
                span,
                format!("{value:?} does not fit in a `{ty}` of the device, which has 32 bits: use `{wide}`"),
            );
        }
        Value::new(Operand::constant(value))
    }

    /// Something that rustc could not notice, which makes the program invalid.
    pub(super) fn problem(&self, span: Span, message: String) {
        self.state.borrow_mut().program.problems.push((span, message));
    }

    pub(super) fn operand<T>(&self, span: Span, value: impl IntoValue<T>) -> Operand {
        value.into_value(self, span).operand
    }

    /// Puts an operand of the given type into the arena.
    pub(super) fn node(&self, span: Span, ty: ScalarType, operand: Operand) -> ExprId {
        let expr = match self.shallow(span, ty, operand) {
            Operand::Node(id) => return id,
            Operand::Leaf(leaf) => leaf.into(),
            // Nothing executes behind a jump; any value will do.
            Operand::Never => Expr::Const(Constant { ty, bits: 0 }),
            Operand::Several { .. } => unreachable!("a node is of one scalar"),
        };
        self.state.borrow_mut().push(ExprNode { expr, ty, span })
    }

    /// The operand, or where it nests deep a temporary that holds its value from here on: long chains are no deep
    /// expressions, which would overflow the stack of what walks them.
    pub(super) fn shallow(&self, span: Span, ty: ScalarType, operand: Operand) -> Operand {
        match operand {
            Operand::Node(value) if self.state.borrow().depths[value.0 as usize] >= DEEP => {
                let var = self.variable(Variable { name: None, ty, mutable: false }, true);
                self.emit(span, StmtKind::Assign { var, value });
                Operand::var(var)
            }
            operand => operand,
        }
    }

    fn new_node(&self, span: Span, ty: ScalarType, expr: Expr) -> Operand {
        Operand::Node(self.state.borrow_mut().push(ExprNode { expr, ty, span }))
    }

    pub(super) fn load_node(&self, span: Span, ty: ScalarType, expr: Expr) -> Operand {
        self.new_node(span, ty, expr)
    }

    pub(super) fn unary(&self, span: Span, op: UnaryOp, ty: ScalarType, value: Operand) -> Operand {
        if let Some(constant) = value.as_constant() {
            return Operand::Leaf(Leaf::Const(evaluate_unary(op, constant)));
        }
        let value = self.node(span, ty, value);
        self.new_node(span, ty, Expr::Unary { op, value })
    }

    /// `right` has the type `ty`, too; of a shift it is a `u32`.
    pub(super) fn binary(&self, span: Span, op: BinaryOp, ty: ScalarType, left: Operand, right: Operand) -> Operand {
        // A division that faults stays an expression: whether it is ever evaluated is not known here.
        if let (Some(left), Some(right)) = (left.as_constant(), right.as_constant())
            && let Ok(constant) = evaluate_binary(op, left, right)
        {
            return Operand::Leaf(Leaf::Const(constant));
        }
        let left = self.node(span, ty, left);
        let right = self.node(span, if op.is_shift() { ScalarType::U32 } else { ty }, right);
        self.new_node(span, ty, Expr::Binary { op, left, right })
    }

    /// As [`Builder::binary`], of an operator that the user has written: where the kernel's arithmetic faults, one that does.
    pub(super) fn operator(&self, span: Span, op: BinaryOp, ty: ScalarType, left: Operand, right: Operand) -> Operand {
        match op.strict(ty) {
            Some(strict) if self.overflow == Overflow::Fault && strict.can_fault(ty, &[None, right.as_constant()]) => {
                self.numeric(span, strict, ty, [left, right].into())
            }
            _ => self.binary(span, op, ty, left, right),
        }
    }

    /// As [`Builder::numeric`], of a method that the user has written.
    pub(super) fn numeric_method(&self, span: Span, op: NumericOp, ty: ScalarType, args: Args<Operand>) -> Operand {
        let strict = op.strict(ty).filter(|_| self.overflow == Overflow::Fault);
        self.numeric(span, strict.unwrap_or(op), ty, args)
    }

    pub(super) fn comparison(
        &self,
        span: Span,
        op: CompareOp,
        ty: ScalarType,
        left: Operand,
        right: Operand,
    ) -> Operand {
        if let (Some(left), Some(right)) = (left.as_constant(), right.as_constant()) {
            return Operand::constant(evaluate_compare(op, left, right));
        }
        let left = self.node(span, ty, left);
        let right = self.node(span, ty, right);
        self.new_node(span, ScalarType::Bool, Expr::Compare { op, left, right })
    }

    /// The first operand has the type `ty`, the others what the method's table says.
    pub(super) fn numeric(&self, span: Span, op: NumericOp, ty: ScalarType, args: Args<Operand>) -> Operand {
        // One that faults stays an expression, as a division does.
        if let Ok(constants) = args.try_map(|arg| arg.as_constant().ok_or(()))
            && let Ok(constant) = evaluate_numeric(op, constants)
        {
            return Operand::Leaf(Leaf::Const(constant));
        }
        let mut slots = op.args().iter();
        let args = args.map(|arg| self.node(span, slots.next().map_or(ty, |slot| slot.of(ty)), arg));
        self.new_node(span, op.result().of(ty), Expr::Numeric { op, args })
    }

    pub(super) fn conversion(&self, span: Span, from: ScalarType, to: ScalarType, value: Operand) -> Operand {
        if from == to {
            return value;
        }
        if let Some(constant) = value.as_constant() {
            return Operand::Leaf(Leaf::Const(evaluate_cast(constant, to)));
        }
        let value = self.node(span, from, value);
        self.new_node(span, to, Expr::Cast { value })
    }

    pub(super) fn variable(&self, variable: Variable, stable: bool) -> VarId {
        let mut state = self.state.borrow_mut();
        let id = VarId(state.program.variables.len() as u32);
        state.program.variables.push(variable);
        state.stable.push(stable);
        let owner = state.function;
        state.owners.push(owner);
        id
    }

    /// Assigns to a variable, unless the value is never there.
    pub(super) fn set(&self, span: Span, var: VarId, ty: ScalarType, value: Operand) {
        if self.is_base_variable(var) {
            self.set_base(span, var, value);
        } else if value != Operand::Never {
            let value = self.node(span, ty, value);
            self.emit(span, StmtKind::Assign { var, value });
        }
    }

    /// The operand as a leaf that has the same value wherever it is read from now on, as often as one likes.
    /// Emits an assignment to a temporary if that is needed.
    pub(super) fn pin(&self, span: Span, ty: ScalarType, operand: Operand) -> Operand {
        let keeps = match operand {
            Operand::Leaf(Leaf::Var(var)) if self.is_base_variable(var) => {
                return self.base_of(operand).map_or(operand, |memory| Operand::Leaf(Leaf::Base(memory)));
            }
            Operand::Leaf(Leaf::Var(var)) => self.state.borrow().stable[var.0 as usize],
            Operand::Leaf(_) | Operand::Never => true,
            Operand::Node(_) => false,
            Operand::Several { .. } => unreachable!("each scalar is pinned by itself"),
        };
        if keeps {
            return operand;
        }
        let temporary = self.variable(Variable { name: None, ty, mutable: false }, true);
        self.set(span, temporary, ty, operand);
        Operand::var(temporary)
    }
}

impl State {
    pub(super) fn push(&mut self, node: ExprNode) -> ExprId {
        let id = ExprId(self.program.exprs.len() as u32);
        let below = node.expr.children().map(|child| self.depths[child.0 as usize]).max();
        self.depths.push(below.unwrap_or(0) + 1);
        self.program.exprs.push(node);
        id
    }
}
