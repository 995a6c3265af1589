//! Expressions: side-effect-free trees.

use super::{LoadAccess, Memory, ParamId, Program, VarId};
use crate::ops::{Args, BinaryOp, CompareOp, NumericOp, UnaryOp};
use crate::scalar::{Constant, ScalarType};
use crate::source::Span;
use std::fmt;

/// Number of a node in a program's expression arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub u32);

/// A node of an expression, with its type and place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExprNode {
    /// The operation.
    pub expr: Expr,
    /// Type of its value.
    pub ty: ScalarType,
    /// Where the user wrote it.
    pub span: Span,
}

/// An expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// A constant of the node's type.
    Const(Constant),
    /// The current value of a variable.
    Var(VarId),
    /// The value of a scalar parameter.
    Param(ParamId),
    /// A number that says which thread this is.
    Builtin(Builtin),
    /// Length of a slice parameter, or of an array whose length the launch gives, a `usize`.
    Len(Memory),
    /// An element of a slice or an array. **Fault** if the index, a `usize`, is not below the length, or the element is
    /// one of a shared array that no thread of the block has written.
    Load {
        /// The slice or array.
        slice: Memory,
        /// Which element.
        index: ExprId,
        /// How the caches are to treat it.
        access: LoadAccess,
    },
    /// An operation on one value.
    Unary {
        /// The operation.
        op: UnaryOp,
        /// Its operand.
        value: ExprId,
    },
    /// An operation on two values of the node's type; a shift's count is a `u32`.
    /// **Fault** on integer division or remainder by zero.
    Binary {
        /// The operation.
        op: BinaryOp,
        /// Left operand.
        left: ExprId,
        /// Right operand.
        right: ExprId,
    },
    /// A comparison of two values of one type, a `bool`.
    Compare {
        /// The comparison.
        op: CompareOp,
        /// Left operand.
        left: ExprId,
        /// Right operand.
        right: ExprId,
    },
    /// The value converted to the node's type, as by Rust's `as`.
    Cast {
        /// The value.
        value: ExprId,
    },
    /// A numeric method, whose table says of which types operands and result are. Some **fault**.
    Numeric {
        /// The method.
        op: NumericOp,
        /// Its operands.
        args: Args<ExprId>,
    },
}

impl Expr {
    /// The operands, left to right.
    pub fn children(&self) -> impl Iterator<Item = ExprId> + use<> {
        let children = match *self {
            Self::Const(_) | Self::Var(_) | Self::Param(_) | Self::Builtin(_) | Self::Len(_) => [None; 3],
            Self::Load { index: value, .. } | Self::Unary { value, .. } | Self::Cast { value } => {
                [Some(value), None, None]
            }
            Self::Binary { left, right, .. } | Self::Compare { left, right, .. } => [Some(left), Some(right), None],
            Self::Numeric { args, .. } => args.to_options(),
        };
        children.into_iter().flatten()
    }
}

impl Program {
    /// Whether evaluating the expression can fault: it loads, or divides integers by something that may be zero, or uses
    /// another operation that has no result for some operands.
    pub fn can_fault(&self, id: ExprId) -> bool {
        let node = self.expr(id);
        let here = match node.expr {
            Expr::Load { .. } => true,
            Expr::Binary { op, right, .. } => op.can_fault(node.ty) && !self.is_nonzero_constant(right),
            Expr::Numeric { op, args } => {
                let constants = args.as_slice().iter().map(|&arg| match self.expr(arg).expr {
                    Expr::Const(constant) => Some(constant),
                    _ => None,
                });
                op.can_fault(self.expr(args.as_slice()[0]).ty, &constants.collect::<Vec<_>>())
            }
            Expr::Const(_)
            | Expr::Var(_)
            | Expr::Param(_)
            | Expr::Builtin(_)
            | Expr::Len(_)
            | Expr::Unary { .. }
            | Expr::Compare { .. }
            | Expr::Cast { .. } => false,
        };
        here || node.expr.children().any(|child| self.can_fault(child))
    }

    fn is_nonzero_constant(&self, id: ExprId) -> bool {
        matches!(self.expr(id).expr, Expr::Const(constant) if constant.bits != 0)
    }
}

macro_rules! define_builtin {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
        /// A number that a thread can ask for; all are `usize`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Builtin { $($(#[$doc])* $name,)* }

        impl Builtin {
            /// Every builtin.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// How a kernel writes it.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

define_builtin! {
    /// Number of the thread in the grid: block number × threads per block + thread number, x fastest.
    GlobalId = "global_id()";
    /// Position of the thread in its warp.
    LaneId = "lane_id()";
    /// Number of the warp in its block.
    WarpId = "warp_id()";
    /// Thread index in its block, x.
    ThreadIdxX = "thread_idx().x";
    /// Thread index in its block, y.
    ThreadIdxY = "thread_idx().y";
    /// Thread index in its block, z.
    ThreadIdxZ = "thread_idx().z";
    /// Block index in the grid, x.
    BlockIdxX = "block_idx().x";
    /// Block index in the grid, y.
    BlockIdxY = "block_idx().y";
    /// Block index in the grid, z.
    BlockIdxZ = "block_idx().z";
    /// Threads per block, x.
    BlockDimX = "block_dim().x";
    /// Threads per block, y.
    BlockDimY = "block_dim().y";
    /// Threads per block, z.
    BlockDimZ = "block_dim().z";
    /// Blocks in the grid, x.
    GridDimX = "grid_dim().x";
    /// Blocks in the grid, y.
    GridDimY = "grid_dim().y";
    /// Blocks in the grid, z.
    GridDimZ = "grid_dim().z";
    /// Lanes of a warp of the machine.
    WarpWidth = "warp_width()";
}

impl fmt::Display for Builtin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
