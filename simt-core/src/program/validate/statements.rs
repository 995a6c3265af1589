//! The rules of statements that depend on where they stand and on what else there is.

use super::Check;
use super::error::{Broken, Kind};
use super::expressions::claim;
use super::operations;
use crate::program::{Block, Expr, ExprId, Function, FunctionId, Program, Stmt, StmtKind, VarId, else_if};
use crate::source::Span;

/// Checks rules 10 to 19. `used` says which expressions are operands of others.
pub(super) fn check(program: &Program, used: Vec<bool>) -> Result<(), Broken> {
    let count = program.variables.len();
    let mut checker = Checker { program, used, assigned: vec![false; count], owners: vec![None; count], body: None };
    for (function, id) in program.functions.iter().zip(0..) {
        checker.body = Some(FunctionId(id));
        checker.check_head(function).map_err(|error| checker.broken(error))?;
    }
    for (body, block) in program.bodies() {
        checker.body = body;
        checker.check_block(block, 0).map_err(|error| checker.broken(error))?;
    }
    let mut pairs = program.variables.iter().zip(&checker.assigned).zip(0..);
    match pairs.find(|((variable, assigned), _)| !variable.mutable && !**assigned) {
        Some((_, number)) => {
            let kind = Kind::NeverAssigned(program.variable_name(VarId(number)));
            Err(Broken { kind, span: Span::default(), function: checker.owners[number as usize].flatten() })
        }
        None => Ok(()),
    }
}

struct Checker<'a> {
    program: &'a Program,
    /// The expressions that have a parent or a statement.
    used: Vec<bool>,
    /// The variables that a statement or a call assigns.
    assigned: Vec<bool>,
    /// The function that each variable belongs to, once a statement has used it.
    owners: Vec<Option<Option<FunctionId>>>,
    /// The function whose statements are checked; `None` for the kernel.
    body: Option<FunctionId>,
}

impl Checker<'_> {
    fn broken(&self, (kind, span): (Kind, Span)) -> Broken {
        Broken { kind, span, function: self.body }
    }

    /// The variables of a function's head, which exist.
    fn check_head(&mut self, function: &Function) -> Check {
        for &param in &function.params {
            self.own(param, Span::default())?;
            self.assigned[param.0 as usize] = true;
        }
        function.result.iter().try_for_each(|&result| self.own(result, Span::default()))
    }

    /// `loops`: how many loops `break` and `continue` may leave here.
    fn check_block(&mut self, block: &[Stmt], loops: u32) -> Check {
        for stmt in block {
            self.check_one(stmt, loops)?;
            match &stmt.kind {
                StmtKind::If { then, otherwise, .. } => self.check_arms(then, otherwise, loops)?,
                StmtKind::While { body, step, .. } => {
                    self.check_block(body, loops + 1)?;
                    // Not even a break of an outer loop: which loop it meant would be hard to see.
                    self.check_block(step, 0)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The arms of an `if` and of its `else if`s.
    fn check_arms<'b>(&mut self, mut then: &'b Block, mut otherwise: &'b Block, loops: u32) -> Check {
        loop {
            self.check_block(then, loops)?;
            let Some(next) = else_if(otherwise) else { return self.check_block(otherwise, loops) };
            self.check_one(next, loops)?;
            if let StmtKind::If { then: next_then, otherwise: next_otherwise, .. } = &next.kind {
                (then, otherwise) = (next_then, next_otherwise);
            }
        }
    }

    /// The statement itself, without those inside it.
    fn check_one(&mut self, stmt: &Stmt, loops: u32) -> Check {
        for id in stmt.kind.exprs() {
            claim(self.program, &mut self.used, id, stmt.span)?;
            self.reads(id)?;
        }
        match stmt.kind {
            StmtKind::Break { out } => may_leave("break", out, loops).map_err(|kind| (kind, stmt.span))?,
            StmtKind::Continue { out } => may_leave("continue", out, loops).map_err(|kind| (kind, stmt.span))?,
            _ => {}
        }
        operations::check(self.program, stmt)?;
        stmt.kind.assigned().map_or(Ok(()), |var| self.assigns(var, stmt.span))
    }

    /// Notes that this body assigns the variable, which exists.
    fn assigns(&mut self, var: VarId, span: Span) -> Check {
        self.own(var, span)?;
        let assigned = &mut self.assigned[var.0 as usize];
        if *assigned && !self.program.variable(var).mutable {
            return Err((Kind::AssignedTwice(self.program.variable_name(var)), span));
        }
        *assigned = true;
        Ok(())
    }

    /// Notes that this body uses the variable, which exists.
    fn own(&mut self, var: VarId, span: Span) -> Check {
        let owner = self.owners[var.0 as usize].get_or_insert(self.body);
        if *owner == self.body {
            return Ok(());
        }
        Err((Kind::ForeignVariable(self.program.variable_name(var)), span))
    }

    /// Variables that an expression, which keeps the rules of its own, reads.
    fn reads(&mut self, id: ExprId) -> Check {
        let node = self.program.expr(id);
        if let Expr::Var(var) = node.expr {
            self.own(var, node.span)?;
        }
        node.expr.children().try_for_each(|child| self.reads(child))
    }
}

/// An error unless an exit finds its loop among those around it.
fn may_leave(exit: &'static str, out: u32, loops: u32) -> Result<(), Kind> {
    match loops {
        0 => Err(Kind::OutsideLoop(exit)),
        _ if out < loops => Ok(()),
        _ => Err(Kind::NoSuchLoop { exit, out, loops }),
    }
}
