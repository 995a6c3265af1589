//! The meaning of expressions for one thread, and nothing else: ⟦e⟧ηµ of ESOP'12, section 3.3.
//!
//! This is what tests compare the engines with. It follows the tree and calls the operations' own meanings, value by
//! value, and it is never made faster.

use super::{Builtin, Expr, ExprId, Memory, ParamId, Program, Validated, VarId};
use crate::ops::{ArithmeticFault, evaluate_binary, evaluate_cast, evaluate_compare, evaluate_numeric, evaluate_unary};
use crate::scalar::{Constant, ScalarType};

/// What the value of an expression depends on: the thread's variables, its place in the grid, and memory.
///
/// **Invariant:** values have the types that the program declares.
pub trait Environment {
    /// The current value of a variable.
    fn variable(&self, var: VarId) -> Constant;
    /// The value passed for a scalar parameter.
    fn parameter(&self, param: ParamId) -> Constant;
    /// What a builtin tells this thread; device `usize`s are 32 bits wide.
    fn builtin(&self, builtin: Builtin) -> u32;
    /// Number of elements of a slice or array.
    fn length(&self, slice: Memory) -> u32;
    /// An element of a slice or array.
    ///
    /// # Errors
    /// Why it has no value.
    fn load(&self, slice: Memory, index: u32) -> Result<Constant, LoadFault>;
}

/// An element without a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadFault {
    /// The index is not below the length.
    OutOfBounds,
    /// The element of an array that no thread has written.
    Unwritten,
}

/// An expression without a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvaluateFault {
    /// A load of an element that the slice does not have.
    #[error("index {index} is out of bounds of a slice of length {length}")]
    OutOfBounds {
        /// The load.
        expr: ExprId,
        /// The slice.
        slice: Memory,
        /// The index.
        index: u32,
        /// Number of elements that the slice has.
        length: u32,
    },
    /// A load of an element that no thread has written.
    #[error("element {index} is read, but no thread has written it")]
    Unwritten {
        /// The load.
        expr: ExprId,
        /// The array.
        slice: Memory,
        /// The index.
        index: u32,
    },
    /// An operation that has no result for its operands.
    #[error("{fault}")]
    Arithmetic {
        /// The operation.
        expr: ExprId,
        /// What is wrong with it.
        fault: ArithmeticFault,
    },
}

impl EvaluateFault {
    /// The node that has no value.
    pub fn expr(&self) -> ExprId {
        match *self {
            Self::OutOfBounds { expr, .. } | Self::Unwritten { expr, .. } | Self::Arithmetic { expr, .. } => expr,
        }
    }
}

/// The value of an expression in an environment. Operands are evaluated left to right, so the leftmost fault is found.
///
/// ```
/// use simt_core::ops::BinaryOp;
/// use simt_core::program::{Builtin, Environment, Expr, ExprId, ExprNode, LoadFault, Memory};
/// use simt_core::program::{ParamId, Program, VarId, evaluate};
/// use simt_core::{Constant, ScalarType, Span};
///
/// struct Thread(u32);
/// impl Environment for Thread {
///     fn variable(&self, _: VarId) -> Constant { unreachable!() }
///     fn parameter(&self, _: ParamId) -> Constant { unreachable!() }
///     fn builtin(&self, _: Builtin) -> u32 { self.0 }
///     fn length(&self, _: Memory) -> u32 { 0 }
///     fn load(&self, _: Memory, _: u32) -> Result<Constant, LoadFault> { Err(LoadFault::OutOfBounds) }
/// }
///
/// let node = |expr| ExprNode { expr, ty: ScalarType::Usize, span: Span::default() };
/// let program = Program {
///     exprs: vec![
///         node(Expr::Builtin(Builtin::GlobalId)),
///         node(Expr::Const(Constant::of(2usize))),
///         node(Expr::Binary { op: BinaryOp::Mul, left: ExprId(0), right: ExprId(1) }),
///     ],
///     ..Program::default()
/// };
/// let program = program.validate()?;
/// assert_eq!(evaluate(&program, ExprId(2), &Thread(21)), Ok(Constant::of(42usize)));
/// # Ok::<(), simt_core::program::ValidateError>(())
/// ```
///
/// # Errors
/// A load out of bounds or of what no thread has written, or an integer division or remainder by zero.
///
/// # Panics
/// If the number is not of this program's arena, or the environment's values are not of the declared types.
pub fn evaluate(program: &Validated<Program>, id: ExprId, env: &impl Environment) -> Result<Constant, EvaluateFault> {
    let node = program.expr(id);
    let value_of = |operand| evaluate(program, operand, env);
    Ok(match node.expr {
        Expr::Const(constant) => constant,
        Expr::Var(var) => env.variable(var),
        Expr::Param(param) => env.parameter(param),
        Expr::Builtin(builtin) => device_usize(env.builtin(builtin)),
        Expr::Len(slice) => device_usize(env.length(slice)),
        Expr::Load { slice, index, .. } => {
            let index = value_of(index)?.bits as u32;
            env.load(slice, index).map_err(|fault| match fault {
                LoadFault::OutOfBounds => {
                    EvaluateFault::OutOfBounds { expr: id, slice, index, length: env.length(slice) }
                }
                LoadFault::Unwritten => EvaluateFault::Unwritten { expr: id, slice, index },
            })?
        }
        Expr::Unary { op, value } => evaluate_unary(op, value_of(value)?),
        Expr::Binary { op, left, right } => {
            let (left, right) = (value_of(left)?, value_of(right)?);
            let fault = |fault| EvaluateFault::Arithmetic { expr: id, fault };
            evaluate_binary(op, left, right).map_err(fault)?
        }
        Expr::Compare { op, left, right } => Constant::of(evaluate_compare(op, value_of(left)?, value_of(right)?)),
        Expr::Cast { value } => evaluate_cast(value_of(value)?, node.ty),
        Expr::Numeric { op, args } => {
            let fault = |fault| EvaluateFault::Arithmetic { expr: id, fault };
            evaluate_numeric(op, args.try_map(value_of)?).map_err(fault)?
        }
    })
}

fn device_usize(value: u32) -> Constant {
    Constant { ty: ScalarType::Usize, bits: u64::from(value) }
}
