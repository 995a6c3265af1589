//! The rules of expressions: one pass over the arena, in which operands come before their parents.

use super::error::Kind;
use super::{Check, NESTING_LIMIT};
use crate::ops::is_castable;
use crate::program::{Expr, ExprId, ExprNode, FunctionId, Memory, ParamKind, Program};
use crate::scalar::ScalarType;
use crate::source::Span;

/// Checks rules 3 to 7; on success tells which nodes are operands already, otherwise also which node is wrong.
pub(super) fn check(program: &Program) -> Result<Vec<bool>, (Kind, Span, ExprId)> {
    let mut used = vec![false; program.exprs.len()];
    let mut depths = Vec::with_capacity(program.exprs.len());
    for (number, node) in program.exprs.iter().enumerate() {
        let depth = depth(program, number, node, &depths, &mut used).and_then(|depth| {
            check_node(program, number, node)?;
            Ok(depth)
        });
        depths.push(depth.map_err(|(kind, span)| (kind, span, ExprId(number as u32)))?);
    }
    Ok(used)
}

/// Levels of a node, from those of the nodes before it; claims its operands.
fn depth(
    program: &Program,
    number: usize,
    node: &ExprNode,
    depths: &[usize],
    used: &mut [bool],
) -> Result<usize, (Kind, Span)> {
    let mut depth = 0;
    for child in node.expr.children() {
        // Every earlier node has its depth by now.
        let Some(&child_depth) = depths.get(child.0 as usize) else {
            let exists = (child.0 as usize) < program.exprs.len();
            let after = Kind::OperandAfterParent { parent: number, child };
            return Err((if exists { after } else { Kind::MissingExpr(child) }, node.span));
        };
        claim(program, used, child, node.span)?;
        depth = depth.max(child_depth);
    }
    if depth == NESTING_LIMIT { Err((Kind::ExpressionNesting, node.span)) } else { Ok(depth + 1) }
}

/// The function whose statements use the node, as far as that can be said of a wrong program; `None` for the kernel, or if
/// none does.
pub(super) fn user(program: &Program, wanted: ExprId) -> Option<FunctionId> {
    // Parents come after their operands; what does not is not followed.
    let mut users = vec![None; program.exprs.len()];
    for (function, body) in program.bodies() {
        let mut pending = vec![body];
        while let Some(block) = pending.pop() {
            for stmt in block {
                for root in stmt.kind.exprs() {
                    if let Some(user) = users.get_mut(root.0 as usize) {
                        *user = function;
                    }
                }
                pending.extend(stmt.kind.blocks());
            }
        }
    }
    for (number, node) in program.exprs.iter().enumerate().rev() {
        for child in node.expr.children().filter(|child| (child.0 as usize) < number) {
            users[child.0 as usize] = users[number];
        }
    }
    users.get(wanted.0 as usize).copied().flatten()
}

/// Notes that a statement or a parent uses the expression, which must exist and have no other user.
pub(super) fn claim(program: &Program, used: &mut [bool], id: ExprId, span: Span) -> Check {
    let used = used.get_mut(id.0 as usize).ok_or((Kind::MissingExpr(id), span))?;
    if *used {
        return Err((Kind::Shared(program.expr_to_string(id)), program.expr(id).span));
    }
    *used = true;
    Ok(())
}

/// An error, at the expression, unless the expression has the type. It is known to exist.
pub(super) fn expect_type(program: &Program, role: &'static str, id: ExprId, expected: ScalarType) -> Check {
    let node = program.expr(id);
    if node.ty == expected {
        return Ok(());
    }
    Err((Kind::Type { role, expr: program.expr_to_string(id), found: node.ty, expected }, node.span))
}

/// What may be done with the elements of a slice or array.
#[derive(Clone, Copy)]
pub(super) struct Elements {
    /// Their type.
    pub(super) ty: ScalarType,
    /// Whether threads may write them.
    pub(super) writable: bool,
    /// Whether they are atomics.
    pub(super) atomic: bool,
}

/// The elements of a slice parameter or an array, which must exist.
pub(super) fn elements(program: &Program, memory: Memory) -> Result<Elements, Kind> {
    let param = match memory {
        Memory::Array(id) => {
            let array = program.arrays.get(id.0 as usize).ok_or(Kind::MissingArray(id))?;
            return Ok(Elements { ty: array.element, writable: true, atomic: array.atomic });
        }
        Memory::Param(id) => program.params.get(id.0 as usize).ok_or(Kind::MissingParam(id))?,
    };
    match param.kind {
        ParamKind::Slice { element: ty, writable } => Ok(Elements { ty, writable, atomic: false }),
        ParamKind::Constant { element: ty } => Ok(Elements { ty, writable: false, atomic: false }),
        ParamKind::Atomic { element: ty } => Ok(Elements { ty, writable: true, atomic: true }),
        ParamKind::Scalar(_) | ParamKind::Bytes { .. } => Err(Kind::NotSlice(param.name.to_string())),
    }
}

/// The elements of memory that is read or written plainly, and so holds no atomics.
pub(super) fn plain_elements(program: &Program, memory: Memory) -> Result<Elements, Kind> {
    let elements = elements(program, memory)?;
    if elements.atomic { Err(Kind::PlainAccess(program.memory_name(memory))) } else { Ok(elements) }
}

/// The rule of one node, whose operands are known to be earlier nodes.
fn check_node(program: &Program, number: usize, node: &ExprNode) -> Check {
    let id = ExprId(number as u32);
    let here = |kind| (kind, node.span);
    let is = |ty| expect_type(program, "expression", id, ty);
    let ty_of = |id| program.expr(id).ty;
    let text = || program.expr_to_string(id);
    let accept = |symbol, accepts: bool| {
        let no_operation = || here(Kind::NoOperation { symbol, expr: text(), ty: node.ty });
        accepts.then_some(()).ok_or_else(no_operation)
    };
    match node.expr {
        Expr::Const(constant) => {
            is(constant.ty)?;
            // A shift by 64 has no meaning, and a 64-bit type has no bits beyond.
            let beyond = constant.bits.checked_shr(constant.ty.bits()).unwrap_or(0);
            if beyond == 0 { Ok(()) } else { Err(here(Kind::ConstantBits { constant })) }
        }
        Expr::Var(var) => {
            let variable = program.variables.get(var.0 as usize).ok_or(here(Kind::MissingVariable(var)))?;
            is(variable.ty)
        }
        Expr::Param(param) => {
            let param = program.params.get(param.0 as usize).ok_or(here(Kind::MissingParam(param)))?;
            match param.kind {
                ParamKind::Scalar(ty) => is(ty),
                ParamKind::Slice { .. }
                | ParamKind::Constant { .. }
                | ParamKind::Atomic { .. }
                | ParamKind::Bytes { .. } => Err(here(Kind::NotScalar(param.name.to_string()))),
            }
        }
        Expr::Builtin(_) => is(ScalarType::Usize),
        Expr::Len(memory) => {
            elements(program, memory).map_err(here)?;
            is(ScalarType::Usize)
        }
        Expr::Load { slice, index, .. } => {
            let elements = plain_elements(program, slice).map_err(here)?;
            expect_type(program, "index", index, ScalarType::Usize)?;
            is(elements.ty)
        }
        Expr::Unary { op, value } => {
            accept(op.symbol(), op.accepts(node.ty))?;
            expect_type(program, "operand", value, node.ty)
        }
        Expr::Binary { op, left, right } => {
            accept(op.symbol(), op.accepts(node.ty))?;
            expect_type(program, "left operand", left, node.ty)?;
            if op.is_shift() {
                expect_type(program, "shift count", right, ScalarType::U32)
            } else {
                expect_type(program, "right operand", right, node.ty)
            }
        }
        Expr::Compare { op: _, left, right } => {
            let (left, right) = (ty_of(left), ty_of(right));
            if left != right {
                return Err(here(Kind::MixedComparison { expr: text(), left, right }));
            }
            is(ScalarType::Bool)
        }
        Expr::Numeric { op, args } => {
            let first = ty_of(args.as_slice()[0]);
            if op.args().len() != args.as_slice().len() {
                return Err(here(Kind::Operands { name: op.name(), expected: op.args().len() }));
            }
            if !op.accepts(first) {
                return Err(here(Kind::NoOperation { symbol: op.name(), expr: text(), ty: first }));
            }
            for (&arg, slot) in args.as_slice().iter().zip(op.args()) {
                expect_type(program, "operand", arg, slot.of(first))?;
            }
            is(op.result().of(first))
        }
        Expr::Cast { value } => {
            let (from, to) = (ty_of(value), node.ty);
            if is_castable(from, to) { Ok(()) } else { Err(here(Kind::NoCast { expr: text(), from, to })) }
        }
    }
}
