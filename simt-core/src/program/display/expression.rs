//! Expressions in print: Rust's operators and precedence, with no parentheses that it does not need.

use super::names::Names;
use crate::ops::{BinaryOp, NumericOp};
use crate::program::validate::NESTING_LIMIT;
use crate::program::{Expr, ExprId, FunctionId, LoadAccess, Memory, ParamId, Program, VarId};
use crate::scalar::ScalarType;

impl Program {
    /// The text of an expression as the program prints it, for messages; `?e7` if it has none.
    pub fn expr_to_string(&self, id: ExprId) -> String {
        Printer::new(self).expr(id)
    }

    /// The name under which the program prints a variable: the user's, made unique; `_3` without one.
    pub fn variable_name(&self, id: VarId) -> String {
        Names::of(self).variable(id)
    }

    /// The name under which the program prints a slice or array.
    pub fn memory_name(&self, memory: Memory) -> String {
        Names::of(self).memory(memory)
    }

    /// The name under which the program prints a function.
    pub fn function_name(&self, id: FunctionId) -> String {
        Names::of(self).function(id)
    }
}

/// How strongly an operator binds in Rust, weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    /// A condition or index, or any other place that ends on its own.
    Any,
    Compare,
    Or,
    Xor,
    And,
    Shift,
    Sum,
    Product,
    Cast,
    Unary,
    Atom,
}

impl Binding {
    fn of(op: BinaryOp) -> Self {
        match op {
            BinaryOp::Add | BinaryOp::Sub => Self::Sum,
            BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => Self::Product,
            BinaryOp::And => Self::And,
            BinaryOp::Or => Self::Or,
            BinaryOp::Xor => Self::Xor,
            BinaryOp::Shl | BinaryOp::Shr => Self::Shift,
        }
    }
}

/// A text, and how strongly its outermost operator binds.
type Bound = (String, Binding);

/// Puts the text in parentheses if its operator binds less than `least`.
fn at_least(least: Binding, (text, binding): Bound) -> String {
    if binding < least { format!("({text})") } else { text }
}

/// The same, for an operand that must bind more than the operator it belongs to.
fn above(operator: Binding, (text, binding): Bound) -> String {
    if binding <= operator { format!("({text})") } else { text }
}

/// A numeric method as Rust has it.
fn method(op: NumericOp, result: ScalarType, args: Vec<Bound>) -> String {
    let mut args = args.into_iter();
    // Only of a function, the first operand ends on its own.
    let is_function = matches!(op, NumericOp::FromBits | NumericOp::FromBitsF16 | NumericOp::FromBitsBf16);
    let least = if is_function { Binding::Any } else { Binding::Atom };
    let receiver = args.next().map_or_else(String::new, |receiver| at_least(least, receiver));
    let rest: Vec<String> = args.map(|arg| at_least(Binding::Any, arg)).collect();
    let rest = rest.join(", ");
    match op {
        _ if is_function => format!("{result}::from_bits({receiver})"),
        NumericOp::AddOverflows => format!("{receiver}.overflowing_add({rest}).1"),
        NumericOp::SubOverflows => format!("{receiver}.overflowing_sub({rest}).1"),
        NumericOp::MulOverflows => format!("{receiver}.overflowing_mul({rest}).1"),
        NumericOp::PowOverflows => format!("{receiver}.overflowing_pow({rest}).1"),
        NumericOp::NegOverflows => format!("{receiver}.overflowing_neg().1"),
        NumericOp::CarryingMulHigh => format!("{receiver}.carrying_mul({rest}).1"),
        NumericOp::DivOverflows => format!("{receiver}.checked_div({rest}).is_none()"),
        _ => format!("{receiver}.{}({rest})", op.name()),
    }
}

/// Prints the expressions of one program.
pub(super) struct Printer<'a> {
    program: &'a Program,
    names: Names,
}

impl<'a> Printer<'a> {
    pub(super) fn new(program: &'a Program) -> Self {
        Self { program, names: Names::of(program) }
    }

    pub(super) fn program(&self) -> &'a Program {
        self.program
    }

    pub(super) fn param(&self, id: ParamId) -> String {
        self.names.param(id)
    }

    pub(super) fn memory(&self, memory: Memory) -> String {
        self.names.memory(memory)
    }

    pub(super) fn variable(&self, id: VarId) -> String {
        self.names.variable(id)
    }

    pub(super) fn function(&self, id: FunctionId) -> String {
        self.names.function(id)
    }

    /// The texts of several expressions, with commas between.
    pub(super) fn list(&self, ids: impl IntoIterator<Item = ExprId>) -> String {
        ids.into_iter().map(|id| self.expr(id)).collect::<Vec<_>>().join(", ")
    }

    /// The text of an expression.
    pub(super) fn expr(&self, id: ExprId) -> String {
        let limit = u32::try_from(self.program.exprs.len()).unwrap_or(u32::MAX);
        // A tree has no more nodes than the arena. A wrong program that shares nodes may stand for exponentially many.
        let mut budget = self.program.exprs.len();
        self.bound(id, limit, NESTING_LIMIT, &mut budget).0
    }

    /// `limit`: the number of the parent, because operands come before parents in the arena. Cycles end there.
    fn bound(&self, id: ExprId, limit: u32, depth: usize, budget: &mut usize) -> Bound {
        if id.0 >= limit || depth == 0 || *budget == 0 {
            return (format!("?e{}", id.0), Binding::Atom);
        }
        *budget -= 1;
        let node = self.program.expr(id);
        let mut operand = |child| self.bound(child, id.0, depth - 1, budget);
        match node.expr {
            Expr::Const(constant) => {
                let text = constant.to_string();
                let binding = if text.starts_with('-') { Binding::Unary } else { Binding::Atom };
                (text, binding)
            }
            Expr::Var(var) => (self.variable(var), Binding::Atom),
            Expr::Param(param) => (self.param(param), Binding::Atom),
            Expr::Builtin(builtin) => (builtin.to_string(), Binding::Atom),
            Expr::Len(slice) => (format!("{}.len()", self.memory(slice)), Binding::Atom),
            Expr::Load { slice, index, access } => {
                let index = at_least(Binding::Any, operand(index));
                let slice = self.memory(slice);
                let text = match access {
                    LoadAccess::Plain => format!("{slice}[{index}]"),
                    access => format!("{slice}.load_{}({index})", access.name()),
                };
                (text, Binding::Atom)
            }
            Expr::Unary { op, value } => {
                let value = at_least(Binding::Unary, operand(value));
                // `--x` would look like a decrement.
                let doubled = value.starts_with(op.symbol());
                let value = if doubled { format!("({value})") } else { value };
                (format!("{}{value}", op.symbol()), Binding::Unary)
            }
            Expr::Binary { op, left, right } => {
                let binding = Binding::of(op);
                // Operators of one strength group to the left.
                let left = at_least(binding, operand(left));
                let right = above(binding, operand(right));
                (format!("{left} {} {right}", op.symbol()), binding)
            }
            Expr::Compare { op, left, right } => {
                // Comparisons do not chain.
                let left = above(Binding::Compare, operand(left));
                let right = above(Binding::Compare, operand(right));
                (format!("{left} {} {right}", op.symbol()), Binding::Compare)
            }
            Expr::Numeric { op, args } => {
                let args: Vec<Bound> = args.as_slice().iter().map(|&arg| operand(arg)).collect();
                (method(op, node.ty, args), Binding::Atom)
            }
            Expr::Cast { value } => {
                let value = at_least(Binding::Cast, operand(value));
                (format!("{value} as {}", node.ty), Binding::Cast)
            }
        }
    }
}
