//! Which results of functions have to be kept from calls.
//!
//! A result passes from callee to caller in the register of its variable, which therefore is not kept by a call. That is
//! right as long as no other activation of the function runs between the assignment and the return. Where one may, the
//! variable is kept like any other, and its value moves to a register of its own when the function returns.

use crate::program::{Block, Expr, ExprId, Program, StmtKind, VarId};

/// For each function whether its result, if it has one, must be kept; `recursive` says of each whether it may be active
/// several times.
pub(super) fn kept_results(program: &Program, recursive: &[bool]) -> Vec<bool> {
    let functions = program.functions.iter().zip(recursive);
    functions
        .map(|(function, &recursive)| {
            let outlives = |result| !only_where_it_returns(program, &function.body, result, true);
            recursive && function.result.is_some_and(outlives)
        })
        .collect()
}

/// Whether the variable is never read, and assigned only directly before a return. `ends`: whether the function returns
/// behind the block.
fn only_where_it_returns(program: &Program, block: &Block, result: VarId, ends: bool) -> bool {
    block.iter().enumerate().all(|(place, stmt)| {
        let returns = block.get(place + 1).map_or(ends, |next| next.kind == StmtKind::Return);
        if stmt.kind.assigned() == Some(result) && !returns || stmt.kind.exprs().any(|id| reads(program, id, result)) {
            return false;
        }
        let returns = returns && matches!(stmt.kind, StmtKind::If { .. });
        stmt.kind.blocks().all(|inner| only_where_it_returns(program, inner, result, returns))
    })
}

fn reads(program: &Program, id: ExprId, var: VarId) -> bool {
    let expr = program.expr(id).expr;
    expr == Expr::Var(var) || expr.children().any(|child| reads(program, child, var))
}
