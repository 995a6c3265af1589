//! The rules of expressions: one pass over the arena, in which operands come before their parents.

use super::error::Kind;
use super::{Check, NESTING_LIMIT};
use crate::ops::is_castable;
use crate::program::{Expr, ExprId, ExprNode, ParamId, ParamKind, Program};
use crate::scalar::ScalarType;
use crate::source::Span;

/// Checks rules 3 to 7; on success tells which nodes are operands already.
pub(super) fn check(program: &Program) -> Result<Vec<bool>, (Kind, Span)> {
    let mut used = vec![false; program.exprs.len()];
    let mut depths = Vec::with_capacity(program.exprs.len());
    for (number, node) in program.exprs.iter().enumerate() {
        let mut depth = 0;
        for child in node.expr.children() {
            // Every earlier node has its depth by now.
            let Some(&child_depth) = depths.get(child.0 as usize) else {
                let exists = (child.0 as usize) < program.exprs.len();
                let after = Kind::OperandAfterParent { parent: number, child };
                return Err((if exists { after } else { Kind::MissingExpr(child) }, node.span));
            };
            claim(program, &mut used, child, node.span)?;
            depth = depth.max(child_depth);
        }
        if depth == NESTING_LIMIT {
            return Err((Kind::ExpressionNesting, node.span));
        }
        depths.push(depth + 1);
        check_node(program, number, node)?;
    }
    Ok(used)
}

/// Notes that a statement or a parent uses the expression, which must exist and be nobody else's.
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

/// Element type of the slice parameter, and whether it may be written.
pub(super) fn slice(program: &Program, id: ParamId) -> Result<(ScalarType, bool), Kind> {
    let param = program.params.get(id.0 as usize).ok_or(Kind::MissingParam(id))?;
    match param.kind {
        ParamKind::Slice { element, writable } => Ok((element, writable)),
        ParamKind::Scalar(_) => Err(Kind::NotSlice(param.name.to_string())),
    }
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
                ParamKind::Slice { .. } => Err(here(Kind::NotScalar(param.name.to_string()))),
            }
        }
        Expr::Builtin(_) => is(ScalarType::Usize),
        Expr::Len(param) => {
            slice(program, param).map_err(here)?;
            is(ScalarType::Usize)
        }
        Expr::Load { slice: param, index } => {
            let (element, _) = slice(program, param).map_err(here)?;
            expect_type(program, "index", index, ScalarType::Usize)?;
            is(element)
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
        Expr::Cast { value } => {
            let (from, to) = (ty_of(value), node.ty);
            if is_castable(from, to) { Ok(()) } else { Err(here(Kind::NoCast { expr: text(), from, to })) }
        }
    }
}
