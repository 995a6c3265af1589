//! Instructions of the flat form.

use crate::ops::{BinaryOp, CompareOp, UnaryOp};
use crate::program::{Builtin, ParamId};
use crate::scalar::{Constant, ScalarType};
use std::fmt;

/// Address of an instruction: its place in [`Code`](super::Code).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pc(pub u32);

impl Pc {
    /// The address as an index.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The next address.
    #[inline(always)]
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl fmt::Display for Pc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}", self.0)
    }
}

/// Number of a virtual register; every thread has its own copy of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reg(pub u32);

/// What an instruction reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operand {
    /// A register.
    Reg(Reg),
    /// A constant.
    Const(Constant),
    /// A scalar parameter.
    Param(ParamId),
    /// The length of a slice parameter.
    Len(ParamId),
    /// A special register.
    Builtin(Builtin),
}

/// Which statement a jump comes from. Only token policies make a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JumpKind {
    /// Back to the head of a loop: `jmp`.
    Plain,
    /// From the end of an `if`'s arm past the other arm: `join`. Not counted as an instruction: the while-language has none
    /// there, and stack machines end a path by a flag on its last instruction (`.S`), not by a jump.
    Join,
    /// `break`: `brk`.
    Break,
    /// `continue`: `cont`.
    Continue,
}

/// An instruction that only tells the reconvergence mechanism something: it computes nothing, and is counted apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Marker {
    /// `ssy L`: pushes a sync token for the active threads, to continue at L.
    PushSync(Pc),
    /// `prebrk L`: pushes a brk token, to continue at L.
    PushBreak(Pc),
    /// `precont L`: pushes a cont token, to continue at L.
    PushContinue(Pc),
    /// `sync`: the path ends here; pops the topmost token.
    Pop,
}

/// An instruction. Types are those of the operands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Inst {
    /// `mov`
    Move {
        /// Type of the value.
        ty: ScalarType,
        /// Destination.
        dst: Reg,
        /// Source.
        src: Operand,
    },
    /// A unary operation.
    Unary {
        /// The operation.
        op: UnaryOp,
        /// Type of operand and result.
        ty: ScalarType,
        /// Destination.
        dst: Reg,
        /// Operand.
        src: Operand,
    },
    /// A binary operation.
    Binary {
        /// The operation.
        op: BinaryOp,
        /// Type of the left operand and the result.
        ty: ScalarType,
        /// Destination.
        dst: Reg,
        /// Left operand.
        left: Operand,
        /// Right operand; for a shift, a `u32` count.
        right: Operand,
    },
    /// `a * b + c` of integers, as every GPU has it in one instruction (PTX `mad.lo`). Floats are never fused: it would
    /// change their rounding.
    MulAdd {
        /// Type of operands and result.
        ty: ScalarType,
        /// Destination.
        dst: Reg,
        /// First factor.
        left: Operand,
        /// Second factor.
        right: Operand,
        /// What is added to the product.
        addend: Operand,
    },
    /// A comparison; its destination is a `bool`.
    Compare {
        /// The comparison.
        op: CompareOp,
        /// Type of the operands.
        ty: ScalarType,
        /// Destination.
        dst: Reg,
        /// Left operand.
        left: Operand,
        /// Right operand.
        right: Operand,
    },
    /// A conversion as by `as`.
    Cast {
        /// Type of the source.
        from: ScalarType,
        /// Type of the destination.
        to: ScalarType,
        /// Destination.
        dst: Reg,
        /// Source.
        src: Operand,
    },
    /// Reads an element of a slice.
    Load {
        /// Type of the element.
        ty: ScalarType,
        /// Destination.
        dst: Reg,
        /// The slice.
        slice: ParamId,
        /// Which element.
        index: Operand,
    },
    /// Writes an element of a slice.
    Store {
        /// Type of the element.
        ty: ScalarType,
        /// The slice.
        slice: ParamId,
        /// Which element.
        index: Operand,
        /// The value.
        value: Operand,
    },
    /// Threads whose condition equals `when` go to the target, the others to the next instruction.
    Branch {
        /// The condition, a `bool`.
        cond: Operand,
        /// Value of the condition that takes the branch.
        when: bool,
        /// Where the taken path goes.
        target: Pc,
        /// Whether the taken path leaves a loop by its condition: those threads wait for the brk token.
        leaves: bool,
    },
    /// All active threads go to the target.
    Jump {
        /// Where.
        target: Pc,
        /// Which statement says so.
        kind: JumpKind,
    },
    /// Ends the thread (`return`, or the end of the kernel).
    Exit,
    /// A marker.
    Marker(Marker),
}

impl Inst {
    /// Whether the instruction decides where to go next; the others fall through.
    pub const fn is_control(&self) -> bool {
        matches!(self, Self::Branch { .. } | Self::Jump { .. } | Self::Exit | Self::Marker(_))
    }

    /// Whether the instruction counts as one of the program's: markers and joins do not.
    pub const fn is_counted(&self) -> bool {
        !matches!(self, Self::Marker(_) | Self::Jump { kind: JumpKind::Join, .. })
    }

    /// Whether the instruction is a marker.
    pub const fn is_marker(&self) -> bool {
        matches!(self, Self::Marker(_))
    }

    /// The register it writes.
    pub const fn destination(&self) -> Option<Reg> {
        match *self {
            Self::Move { dst, .. }
            | Self::Unary { dst, .. }
            | Self::Binary { dst, .. }
            | Self::MulAdd { dst, .. }
            | Self::Compare { dst, .. }
            | Self::Cast { dst, .. }
            | Self::Load { dst, .. } => Some(dst),
            Self::Store { .. } | Self::Branch { .. } | Self::Jump { .. } | Self::Exit | Self::Marker(_) => None,
        }
    }

    /// What it reads.
    pub fn operands(&self) -> impl Iterator<Item = Operand> + use<> {
        let [first, second, third] = match *self {
            Self::Move { src, .. } | Self::Unary { src, .. } | Self::Cast { src, .. } => [Some(src), None, None],
            Self::Binary { left, right, .. } | Self::Compare { left, right, .. } => [Some(left), Some(right), None],
            Self::MulAdd { left, right, addend, .. } => [Some(left), Some(right), Some(addend)],
            Self::Load { index, .. } => [Some(index), None, None],
            Self::Store { index, value, .. } => [Some(index), Some(value), None],
            Self::Branch { cond, .. } => [Some(cond), None, None],
            Self::Jump { .. } | Self::Exit | Self::Marker(_) => [None, None, None],
        };
        first.into_iter().chain(second).chain(third)
    }

    /// The address named in the instruction.
    pub fn target_mut(&mut self) -> Option<&mut Pc> {
        match self {
            Self::Branch { target, .. }
            | Self::Jump { target, .. }
            | Self::Marker(Marker::PushSync(target) | Marker::PushBreak(target) | Marker::PushContinue(target)) => {
                Some(target)
            }
            Self::Move { .. }
            | Self::Unary { .. }
            | Self::Binary { .. }
            | Self::MulAdd { .. }
            | Self::Compare { .. }
            | Self::Cast { .. }
            | Self::Load { .. }
            | Self::Store { .. }
            | Self::Exit
            | Self::Marker(Marker::Pop) => None,
        }
    }

    /// The address named in the instruction.
    pub fn target(mut self) -> Option<Pc> {
        self.target_mut().copied()
    }
}
