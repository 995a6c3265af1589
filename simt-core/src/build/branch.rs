//! Branches: `if`, and `&&` and `||` where their right side needs one.

use super::arena::Operand;
use super::{Builder, IntoValue, Left, Open, Opened, Value};
use crate::ops::BinaryOp;
use crate::program::{Block, StmtKind, Variable};
use crate::scalar::ScalarType;
use crate::source::Span;

impl Builder {
    /// Opens the block that runs if the condition holds.
    pub fn begin_if(&self, at: u32, cond: impl IntoValue<bool>) {
        let span = self.span(at);
        let cond = self.operand(span, cond);
        self.open(Opened::Then { cond, span });
    }

    /// Closes it and opens the block that runs otherwise.
    ///
    /// # Panics
    /// If the innermost open block is not an `if`'s.
    pub fn begin_else(&self) {
        match self.close() {
            Open { kind: Opened::Then { cond, span }, stmts } => self.open(Opened::Else { cond, span, then: stmts }),
            other => unreachable!("`else` follows `if`: {other:?}"),
        }
    }

    /// Closes the block that runs otherwise, and emits the `if`.
    ///
    /// # Panics
    /// If the innermost open block is not an `else`'s.
    pub fn end_if(&self) {
        match self.close() {
            Open { kind: Opened::Else { cond, span, then }, stmts } => self.emit_if(span, cond, then, stmts),
            other => unreachable!("an `if` ends behind its `else`: {other:?}"),
        }
    }

    pub(super) fn emit_if(&self, span: Span, cond: Operand, then: Block, otherwise: Block) {
        let cond = self.node(span, ScalarType::Bool, cond);
        self.emit(span, StmtKind::If { cond, then, otherwise });
    }

    /// The left side of `&&` or `||`; opens the block of what the right side emits.
    pub fn left(&self, at: u32, value: impl IntoValue<bool>) -> Left {
        let span = self.span(at);
        let operand = self.operand(span, value);
        let operand = self.shallow(span, ScalarType::Bool, operand);
        self.open(Opened::Right);
        Left { operand }
    }

    /// `a && b`: emits an `if` where evaluating `b` needs statements or may fault.
    pub fn and(&self, at: u32, Left { operand }: Left, right: impl IntoValue<bool>) -> Value<bool> {
        self.short_circuit(at, BinaryOp::And, operand, right)
    }

    /// `a || b`: emits an `if` where evaluating `b` needs statements or may fault.
    pub fn or(&self, at: u32, Left { operand }: Left, right: impl IntoValue<bool>) -> Value<bool> {
        self.short_circuit(at, BinaryOp::Or, operand, right)
    }

    fn short_circuit(&self, at: u32, op: BinaryOp, left: Operand, right: impl IntoValue<bool>) -> Value<bool> {
        let span = self.span(at);
        let right = self.operand(span, right);
        let statements = self.close().stmts;
        let may_fault = match right {
            Operand::Node(id) => self.state.borrow().program.can_fault(id),
            Operand::Leaf(_) | Operand::Several { .. } | Operand::Never => false,
        };
        if statements.is_empty() && !may_fault {
            return Value::new(self.binary(span, op, ScalarType::Bool, left, right));
        }
        let result = self.variable(Variable { name: None, ty: ScalarType::Bool, mutable: true }, true);
        self.set(span, result, ScalarType::Bool, left);
        self.open(Opened::Right);
        self.set(span, result, ScalarType::Bool, right);
        let mut evaluated = statements;
        evaluated.append(&mut self.close().stmts);
        let (then, otherwise) = if op == BinaryOp::And { (evaluated, Block::new()) } else { (Block::new(), evaluated) };
        self.emit_if(span, Operand::var(result), then, otherwise);
        Value::new(Operand::var(result))
    }
}
