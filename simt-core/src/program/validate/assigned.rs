//! Definite assignment: no path reads a variable that it has not assigned.
//!
//! A forward analysis over the structure of the program. Its value at a point is the set of variables that every path
//! to the point has assigned; paths that join intersect their sets, and a point that no path reaches has no set at all.
//! Loops need no iteration to a fixed point: sets only grow along a path, so whatever comes back to a loop's head has
//! assigned at least what the first arrival had, and the head's set is the first arrival's.

use super::Check;
use super::error::{Broken, Kind};
use crate::program::{Block, Expr, ExprId, Program, Stmt, StmtKind, VarId, else_if};
use crate::scalar::Constant;
use crate::source::Span;

/// Checks rules 20 and 21, for a program that keeps the other rules.
pub(super) fn check(program: &Program) -> Result<(), Broken> {
    program.bodies().try_for_each(|(function, body)| {
        let head = function.map(|id| program.function(id));
        let result = head.and_then(|function| function.result);
        let mut flow = Flow { program, result, loops: Vec::new() };
        let mut start = Assigned(vec![0; program.variables.len().div_ceil(64)]);
        head.iter().flat_map(|function| &function.params).for_each(|&param| start.insert(param));
        let end = flow.block(body, Some(start));
        let checked = end.and_then(|end| flow.returns(end.as_ref(), Span::default()));
        checked.map_err(|(kind, span)| Broken { kind, span, function })
    })
}

/// A set of variables.
#[derive(Clone)]
struct Assigned(Vec<u64>);

impl Assigned {
    fn insert(&mut self, var: VarId) {
        self.0[var.0 as usize / 64] |= 1 << (var.0 % 64);
    }

    fn contains(&self, var: VarId) -> bool {
        self.0[var.0 as usize / 64] >> (var.0 % 64) & 1 == 1
    }
}

/// What is assigned at a point; `None` if no path reaches it.
type Reach = Option<Assigned>;

/// Two paths become one.
fn join(left: Reach, right: Reach) -> Reach {
    match (left, right) {
        (Some(mut left), Some(right)) => {
            left.0.iter_mut().zip(right.0).for_each(|(left, right)| *left &= right);
            Some(left)
        }
        (one, None) | (None, one) => one,
    }
}

/// What the exits of a loop bring along.
#[derive(Default)]
struct Exits {
    breaks: Reach,
    continues: Reach,
}

struct Flow<'a> {
    program: &'a Program,
    /// The variable that a return needs.
    result: Option<VarId>,
    /// The loops around the current point, innermost last.
    loops: Vec<Exits>,
}

impl Flow<'_> {
    /// The set behind the block, from the one before it.
    fn block(&mut self, block: &[Stmt], mut reach: Reach) -> Result<Reach, (Kind, Span)> {
        for stmt in block {
            for id in stmt.kind.exprs() {
                self.reads(id, reach.as_ref())?;
            }
            reach = match &stmt.kind {
                StmtKind::If { then, otherwise, .. } => self.arms(then, otherwise, reach)?,
                StmtKind::While { cond, body, step } => {
                    self.loops.push(Exits::default());
                    let after_body = self.block(body, reach.clone())?;
                    let exits = self.loops.pop().unwrap_or_default();
                    self.block(step, join(after_body, exits.continues))?;
                    let is_endless = self.program.expr(*cond).expr == Expr::Const(Constant::of(true));
                    join(if is_endless { None } else { reach }, exits.breaks)
                }
                StmtKind::Break { out } => {
                    let exits = self.around(*out);
                    exits.breaks = join(exits.breaks.take(), reach);
                    None
                }
                StmtKind::Continue { out } => {
                    let exits = self.around(*out);
                    exits.continues = join(exits.continues.take(), reach);
                    None
                }
                StmtKind::Return => {
                    self.returns(reach.as_ref(), stmt.span)?;
                    None
                }
                StmtKind::Panic { .. } => None,
                StmtKind::Skip
                | StmtKind::Assign { .. }
                | StmtKind::Store { .. }
                | StmtKind::Evaluate { .. }
                | StmtKind::Call { .. }
                | StmtKind::Atomic { .. }
                | StmtKind::Collective { .. }
                | StmtKind::Barrier { .. }
                | StmtKind::Fence { .. }
                | StmtKind::Print { .. } => {
                    if let (Some(assigned), Some(var)) = (&mut reach, stmt.kind.assigned()) {
                        assigned.insert(var);
                    }
                    reach
                }
            };
        }
        Ok(reach)
    }

    /// The set behind an `if` and its `else if`s.
    fn arms<'b>(
        &mut self,
        mut then: &'b Block,
        mut otherwise: &'b Block,
        mut reach: Reach,
    ) -> Result<Reach, (Kind, Span)> {
        let mut behind = None;
        loop {
            behind = join(behind, self.block(then, reach.clone())?);
            let Some(next) = else_if(otherwise) else {
                reach = self.block(otherwise, reach)?;
                return Ok(join(behind, reach));
            };
            for id in next.kind.exprs() {
                self.reads(id, reach.as_ref())?;
            }
            if let StmtKind::If { then: next_then, otherwise: next_otherwise, .. } = &next.kind {
                (then, otherwise) = (next_then, next_otherwise);
            }
        }
    }

    /// What the exits of a loop around bring along; 0 is the innermost.
    fn around(&mut self, out: u32) -> &mut Exits {
        let around = self.loops.iter_mut().rev().nth(out as usize);
        around.unwrap_or_else(|| unreachable!("checked: break and continue name a loop around them"))
    }

    /// An error if the function may return here without its result.
    fn returns(&self, reach: Option<&Assigned>, span: Span) -> Check {
        match (self.result, reach) {
            (Some(result), Some(assigned)) if !assigned.contains(result) => {
                Err((Kind::UnassignedResult(self.program.variable_name(result)), span))
            }
            _ => Ok(()),
        }
    }

    /// An error if the expression reads a variable that is not assigned.
    fn reads(&self, id: ExprId, reach: Option<&Assigned>) -> Check {
        let node = self.program.expr(id);
        if let (Expr::Var(var), Some(assigned)) = (node.expr, reach)
            && !assigned.contains(var)
        {
            return Err((Kind::Unassigned(self.program.variable_name(var)), node.span));
        }
        node.expr.children().try_for_each(|child| self.reads(child, reach))
    }
}
