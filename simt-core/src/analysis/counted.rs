//! Loops that count: they end whatever their bound is.

use crate::ops::{BinaryOp, CompareOp, NumericOp};
use crate::program::{Expr, ExprId, Program, Stmt, StmtKind, VarId};
use crate::scalar::ScalarType;

/// Whether the loop compares a counter with a bound, and moves the counter towards it once an iteration.
///
/// * The counter is an integer, assigned in the step or by the body's first statement, and nowhere else in the loop.
/// * The bound reads no memory and no variable that the loop assigns.
/// * Counter and bound are compared by `<` or `>`, and the counter moves towards the bound by a constant of 1 or saturating,
///   so that it cannot jump over all values for which the comparison fails; or by `!=`, and it moves by 1.
///
/// `for i in a..=b` has a flag for condition, which the step sets to `i != b` before it adds 1.
pub(super) fn is_counted(program: &Program, cond: ExprId, body: &[Stmt], step: &[Stmt]) -> bool {
    let assigned = assigned(body, step);
    match program.expr(cond).expr {
        Expr::Compare { op, left, right } => compares(program, op, left, right, body, step, &assigned),
        Expr::Var(flag) => {
            // The flag and the counter are assigned once each, and the flag before the counter.
            let [first, ..] = step else { return false };
            let StmtKind::Assign { var, value } = first.kind else { return false };
            if var != flag || assigned.iter().filter(|&&other| other == flag).count() != 1 {
                return false;
            }
            match program.expr(value).expr {
                Expr::Compare { op: CompareOp::Ne, left, right } => {
                    compares(program, CompareOp::Ne, left, right, &[], &step[1..], &assigned)
                }
                _ => false,
            }
        }
        _ => false,
    }
}

fn compares(
    program: &Program,
    op: CompareOp,
    left: ExprId,
    right: ExprId,
    body: &[Stmt],
    step: &[Stmt],
    assigned: &[VarId],
) -> bool {
    let sides = [(left, right, false), (right, left, true)];
    sides.into_iter().any(|(counter, bound, swapped)| {
        let node = program.expr(counter);
        let Expr::Var(counter) = node.expr else { return false };
        let up = match (op, swapped) {
            (CompareOp::Lt, false) | (CompareOp::Gt, true) => Some(true),
            (CompareOp::Gt, false) | (CompareOp::Lt, true) => Some(false),
            (CompareOp::Ne, _) => None,
            _ => return false,
        };
        let moves = body.first().into_iter().chain(step).any(|stmt| moves(program, stmt, counter, up));
        is_integer(node.ty)
            && moves
            && assigned.iter().filter(|&&var| var == counter).count() == 1
            && is_invariant(program, bound, assigned)
    })
}

/// Whether the statement moves the counter up (true), down (false), or either way, so that it meets every bound.
fn moves(program: &Program, stmt: &Stmt, counter: VarId, wanted: Option<bool>) -> bool {
    let StmtKind::Assign { var, value } = stmt.kind else { return false };
    let is_counter = |id: ExprId| program.expr(id).expr == Expr::Var(counter);
    if var != counter {
        return false;
    }
    match program.expr(value).expr {
        Expr::Binary { op, left, right } => {
            let by_one = matches!(program.expr(right).expr, Expr::Const(constant) if constant.bits == 1);
            is_counter(left) && by_one && moves_up(op).is_some_and(|up| wanted.is_none_or(|wanted| wanted == up))
        }
        Expr::Numeric { op, args } => {
            let (&[first, second], true) = (args.as_slice(), wanted.is_some()) else { return false };
            let up = match op {
                NumericOp::SaturatingAdd => true,
                NumericOp::SaturatingSub => false,
                // A sum that the counter's type does not have ends the launch.
                NumericOp::StrictAdd | NumericOp::StrictSub => {
                    let by_one = matches!(program.expr(second).expr, Expr::Const(constant) if constant.bits == 1);
                    return is_counter(first) && by_one && wanted == Some(op == NumericOp::StrictAdd);
                }
                _ => return false,
            };
            let unsigned = !program.expr(first).ty.is_signed_int();
            is_counter(first) && unsigned && is_nonzero(program, second) && wanted == Some(up)
        }
        _ => false,
    }
}

fn is_integer(ty: ScalarType) -> bool {
    !ty.is_float() && ty != ScalarType::Bool
}

fn is_invariant(program: &Program, id: ExprId, assigned: &[VarId]) -> bool {
    let expr = program.expr(id).expr;
    match expr {
        Expr::Load { .. } => false,
        Expr::Var(var) => !assigned.contains(&var),
        _ => expr.children().all(|child| is_invariant(program, child, assigned)),
    }
}

/// What the loop assigns, as often as it does.
fn assigned(body: &[Stmt], step: &[Stmt]) -> Vec<VarId> {
    let mut assigned = Vec::new();
    let mut pending: Vec<&Stmt> = body.iter().chain(step).collect();
    while let Some(stmt) = pending.pop() {
        assigned.extend(stmt.kind.assigned());
        pending.extend(stmt.kind.blocks().flatten());
    }
    assigned
}

/// Whether the expression is a number other than 0.
fn is_nonzero(program: &Program, id: ExprId) -> bool {
    matches!(program.expr(id).expr, Expr::Const(constant) if constant.bits != 0)
}

/// Whether the operation moves a counter up, or down.
fn moves_up(op: BinaryOp) -> Option<bool> {
    match op {
        BinaryOp::Add => Some(true),
        BinaryOp::Sub => Some(false),
        _ => None,
    }
}
