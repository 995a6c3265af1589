//! Definite assignment: no path reads a variable that it has not assigned.
//!
//! A forward analysis over the structure of the program. Its value at a point is the set of variables that every path
//! to the point has assigned; paths that join intersect their sets, and a point that no path reaches has no set at all.
//! Loops need no iteration to a fixed point: sets only grow along a path, so whatever comes back to a loop's head has
//! assigned at least what the first arrival had, and the head's set is the first arrival's.

use super::Check;
use super::error::Kind;
use crate::program::{Expr, ExprId, Program, Stmt, StmtKind, VarId};
use crate::scalar::Constant;
use crate::source::Span;

/// Checks rule 12, for a program that keeps the other rules.
pub(super) fn check(program: &Program) -> Check {
    let mut flow = Flow { program, loops: Vec::new() };
    let nothing = Assigned(vec![0; program.variables.len().div_ceil(64)]);
    flow.block(&program.body, Some(nothing)).map(drop)
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
                StmtKind::Skip | StmtKind::Store { .. } | StmtKind::Evaluate { .. } => reach,
                StmtKind::Assign { var, .. } => {
                    if let Some(assigned) = &mut reach {
                        assigned.insert(*var);
                    }
                    reach
                }
                StmtKind::If { then, otherwise, .. } => {
                    let after_then = self.block(then, reach.clone())?;
                    join(after_then, self.block(otherwise, reach)?)
                }
                StmtKind::While { cond, body, step } => {
                    self.loops.push(Exits::default());
                    let after_body = self.block(body, reach.clone())?;
                    let exits = self.loops.pop().unwrap_or_default();
                    self.block(step, join(after_body, exits.continues))?;
                    let is_endless = self.program.expr(*cond).expr == Expr::Const(Constant::of(true));
                    join(if is_endless { None } else { reach }, exits.breaks)
                }
                StmtKind::Break => {
                    let exits = self.innermost();
                    exits.breaks = join(exits.breaks.take(), reach);
                    None
                }
                StmtKind::Continue => {
                    let exits = self.innermost();
                    exits.continues = join(exits.continues.take(), reach);
                    None
                }
                StmtKind::Return => None,
            };
        }
        Ok(reach)
    }

    fn innermost(&mut self) -> &mut Exits {
        self.loops.last_mut().unwrap_or_else(|| unreachable!("checked: break and continue stand in a loop's body"))
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
