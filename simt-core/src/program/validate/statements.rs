//! The rules of statements, but for the one that needs data flow.

use super::Check;
use super::error::Kind;
use super::expressions::{claim, expect_type, slice};
use crate::program::{ExprId, Program, Stmt, StmtKind, VarId};
use crate::scalar::ScalarType;
use crate::source::Span;

/// Checks rules 8 to 11. `used` says which expressions are operands of others.
pub(super) fn check(program: &Program, used: Vec<bool>) -> Check {
    let assigned = vec![false; program.variables.len()];
    let mut checker = Checker { program, used, assigned };
    checker.check_block(&program.body, false)?;
    let mut pairs = program.variables.iter().zip(&checker.assigned).zip(0..);
    match pairs.find(|((variable, assigned), _)| !variable.mutable && !**assigned) {
        Some((_, number)) => Err((Kind::NeverAssigned(program.variable_name(VarId(number))), Span::default())),
        None => Ok(()),
    }
}

struct Checker<'a> {
    program: &'a Program,
    /// The expressions that have a parent or a statement.
    used: Vec<bool>,
    /// The variables that a statement assigns.
    assigned: Vec<bool>,
}

impl Checker<'_> {
    /// `in_body`: whether `break` and `continue` have a loop to leave here.
    fn check_block(&mut self, block: &[Stmt], in_body: bool) -> Check {
        for stmt in block {
            for id in stmt.kind.exprs() {
                claim(self.program, &mut self.used, id, stmt.span)?;
            }
            match &stmt.kind {
                StmtKind::If { then, otherwise, .. } => {
                    self.check_one(stmt, in_body)?;
                    self.check_block(then, in_body)?;
                    self.check_block(otherwise, in_body)?;
                }
                StmtKind::While { body, step, .. } => {
                    self.check_one(stmt, in_body)?;
                    self.check_block(body, true)?;
                    // Not even a break of an outer loop: which loop it meant would be hard to see.
                    self.check_block(step, false)?;
                }
                StmtKind::Skip
                | StmtKind::Assign { .. }
                | StmtKind::Store { .. }
                | StmtKind::Evaluate { .. }
                | StmtKind::Break
                | StmtKind::Continue
                | StmtKind::Return => self.check_one(stmt, in_body)?,
            }
        }
        Ok(())
    }

    /// The rule of the statement itself, whose expressions are known to exist.
    fn check_one(&mut self, stmt: &Stmt, in_body: bool) -> Check {
        let here = |kind| (kind, stmt.span);
        match stmt.kind {
            StmtKind::Assign { var, value } => {
                let program = self.program;
                let variable = program.variables.get(var.0 as usize).ok_or(here(Kind::MissingVariable(var)))?;
                self.expect("assigned value", value, variable.ty)?;
                let assigned = &mut self.assigned[var.0 as usize];
                if *assigned && !variable.mutable {
                    return Err(here(Kind::AssignedTwice(program.variable_name(var))));
                }
                *assigned = true;
                Ok(())
            }
            StmtKind::Store { slice: param, index, value } => {
                let (element, writable) = slice(self.program, param).map_err(here)?;
                if !writable {
                    return Err(here(Kind::ReadOnly(self.program.param(param).name.to_string())));
                }
                self.expect("index", index, ScalarType::Usize)?;
                self.expect("stored value", value, element)
            }
            StmtKind::If { cond, .. } | StmtKind::While { cond, .. } => {
                self.expect("condition", cond, ScalarType::Bool)
            }
            StmtKind::Break if !in_body => Err(here(Kind::OutsideLoop("break"))),
            StmtKind::Continue if !in_body => Err(here(Kind::OutsideLoop("continue"))),
            StmtKind::Skip | StmtKind::Evaluate { .. } | StmtKind::Break | StmtKind::Continue | StmtKind::Return => {
                Ok(())
            }
        }
    }

    fn expect(&self, role: &'static str, id: ExprId, ty: ScalarType) -> Check {
        expect_type(self.program, role, id, ty)
    }
}
