//! What is known while a program is built.

use super::arena::Operand;
use super::closure::Origin;
use super::{callees, closure, function, homes, inlined, instances, iterators, mirror, reference, region};
use crate::program::{ArrayId, Block, FunctionId, Memory, Program, VarId};
use crate::scalar::ScalarType;
use crate::source::Span;
use std::collections::{BTreeMap, VecDeque};

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) program: Program,
    /// By expression: how deep it nests.
    pub(super) depths: Vec<usize>,
    /// By variable: whether it keeps its value while it is in scope, so that a later read sees what an earlier one saw.
    pub(super) stable: Vec<bool>,
    /// By variable: the function whose it is; none of the kernel's.
    pub(super) owners: Vec<Option<FunctionId>>,
    /// The bounds of subslices.
    pub(super) bounds: Vec<region::Bounds>,
    /// The parts of operands that consist of several.
    pub(super) leaves: Vec<Operand>,
    /// The texts in which closures stand, by their origins, and the place of the last call of one.
    pub(super) definers: Vec<closure::Definer>,
    pub(super) calls: Span,
    /// What a closure has told of itself.
    pub(super) told: Origin,
    /// The device functions that were called.
    pub(super) instances: Vec<instances::Instance>,
    /// The one that is being built; none for the kernel.
    pub(super) function: Option<FunctionId>,
    /// The variables that are bases of references, and what is known of them.
    pub(super) bases: BTreeMap<VarId, Option<Memory>>,
    /// What references among the arguments of the function that is being built refer to, for its parameters.
    pub(super) given: VecDeque<function::Given>,
    /// The arguments of a call in whose place a body is being built.
    pub(super) inlined: Option<inlined::Inlined>,
    /// The iterators that functions have given.
    pub(super) inlinings: iterators::Inlinings,
    /// Those that are not built yet.
    pub(super) pending: VecDeque<callees::Pending>,
    /// Whether one more was called than a program may have.
    pub(super) has_too_many_functions: bool,
    /// The arrays that pass results which are tuples, and what is behind references.
    pub(super) passing: Vec<(ScalarType, ArrayId)>,
    /// Of the function that is being built: the scalars of its result beyond the first, and its references `&mut`.
    pub(super) results: Vec<ScalarType>,
    pub(super) behind: reference::Behind,
    /// The calls that were passed `&mut` to elements of memory that other threads see.
    pub(super) lent_elements: Vec<(Span, FunctionId)>,
    /// The arrays of variables to which there are references, and whether one of them is memory as other is.
    pub(super) mirrors: Vec<mirror::Mirror>,
    pub(super) is_reflecting: bool,
    /// The arrays that were filled from variables of functions which follow each other.
    pub(super) spilled: Vec<mirror::Mirror>,
    /// The arrays that were filled from variables.
    pub(super) copies: Vec<homes::Copied>,
    /// The blocks that are open, the kernel's body first.
    pub(super) open: Vec<Open>,
}

/// A block that is being filled.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) kind: Opened,
    pub(super) stmts: Block,
}

/// What opened a block, with what its end needs.
#[derive(Debug)]
pub(super) enum Opened {
    Kernel,
    /// The body of a device function.
    Function,
    Then {
        cond: Operand,
        span: Span,
    },
    Else {
        cond: Operand,
        span: Span,
        then: Block,
    },
    /// The right side of `&&` or `||`.
    Right,
    /// The condition of a `while`, which may need statements of its own.
    Condition,
    Loop {
        cond: Operand,
        span: Span,
        step: Block,
    },
}
