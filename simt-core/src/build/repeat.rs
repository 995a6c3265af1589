//! Loops, and the jumps out of them.

use super::arena::{Leaf, Operand};
use super::{Builder, Composite, IntoValue, Let, Never, Open, Opened};
use crate::ops::Int;
use crate::ops::{BinaryOp, CompareOp};
use crate::program::{Block, Stmt, StmtKind, VarId, Variable};
use crate::scalar::{Constant, ScalarType};
use crate::source::Span;
use std::borrow::Cow;

impl Builder {
    /// Opens the condition of a `while`.
    pub fn begin_while(&self) {
        self.open(Opened::Condition);
    }

    /// The condition; opens the body.
    ///
    /// Statements that the condition needs run at the start of each iteration: `while (true) { S if (c) {} else { break; } ...`.
    pub fn while_(&self, at: u32, cond: impl IntoValue<bool>) {
        let span = self.span(at);
        let cond = self.operand(span, cond);
        let cond = self.shallow(span, ScalarType::Bool, cond);
        let statements = self.close().stmts;
        if statements.is_empty() {
            return self.open(Opened::Loop { cond, span, step: Block::new() });
        }
        self.open(Opened::Loop { cond: Operand::constant(true), span, step: Block::new() });
        for Stmt { span, kind } in statements {
            self.emit(span, kind);
        }
        self.emit_if(span, cond, Block::new(), vec![Stmt { kind: StmtKind::Break { out: 0 }, span }]);
    }

    /// Opens the body of a `loop`.
    pub fn begin_loop(&self, at: u32) {
        self.open(Opened::Loop { cond: Operand::constant(true), span: self.span(at), step: Block::new() });
    }

    /// `for name in from..to`; opens the body.
    #[inline(never)]
    pub fn for_in<T: Int>(
        &self,
        at: u32,
        name: Option<&'static str>,
        from: impl IntoValue<T>,
        to: impl IntoValue<T>,
    ) -> Let<T> {
        let span = self.span(at);
        let (counter, from, to) = self.counter(span, name, from, to);
        self.set(span, counter, T::TYPE, from);
        let to = self.pin(span, T::TYPE, to);
        let cond = self.comparison(span, CompareOp::Lt, T::TYPE, Operand::var(counter), to);
        let step = self.block(|| self.increment::<T>(span, counter));
        self.open(Opened::Loop { cond, span, step });
        Let::new(self, Operand::var(counter))
    }

    /// `for name in from..`; opens the body. Behind the largest number comes the smallest, as in a release build.
    #[inline(never)]
    pub fn for_from<T: Int>(&self, at: u32, name: Option<&'static str>, from: impl IntoValue<T>) -> Let<T> {
        let span = self.span(at);
        let (counter, from, _) = self.counter::<T>(span, name, from, super::Value::new(Operand::Never));
        self.set(span, counter, T::TYPE, from);
        let step = self.block(|| self.increment::<T>(span, counter));
        self.open(Opened::Loop { cond: Operand::constant(true), span, step });
        Let::new(self, Operand::var(counter))
    }

    /// `for name in from..=to`; opens the body. The counter never passes `to`, so the loop ends at the type's maximum, too.
    #[inline(never)]
    pub fn for_in_inclusive<T: Int>(
        &self,
        at: u32,
        name: Option<&'static str>,
        from: impl IntoValue<T>,
        to: impl IntoValue<T>,
    ) -> Let<T> {
        let span = self.span(at);
        let (counter, from, to) = self.counter(span, name, from, to);
        self.set(span, counter, T::TYPE, from);
        let to = self.pin(span, T::TYPE, to);
        let more = self.variable(Variable { name: None, ty: ScalarType::Bool, mutable: true }, false);
        let update_more = |op| {
            let value = self.comparison(span, op, T::TYPE, Operand::var(counter), to);
            self.set(span, more, ScalarType::Bool, value);
        };
        update_more(CompareOp::Le);
        let step = self.block(|| {
            update_more(CompareOp::Ne);
            self.increment::<T>(span, counter);
        });
        self.open(Opened::Loop { cond: Operand::var(more), span, step });
        Let::new(self, Operand::var(counter))
    }

    /// Opens a labelled block: `'a: { S }` is `while (true) { S break; }`.
    pub fn begin_block(&self, at: u32) {
        self.begin_loop(at);
    }

    /// Closes it.
    pub fn end_block(&self) {
        let state = self.state.borrow();
        let open = state.open.last();
        let jumps = open.and_then(|open| open.stmts.last()).is_some_and(|stmt| {
            matches!(stmt.kind, StmtKind::Break { .. } | StmtKind::Continue { .. } | StmtKind::Return)
        });
        let span = open.map_or(Span::default(), |open| match open.kind {
            Opened::Loop { span, .. } => span,
            _ => Span::default(),
        });
        drop(state);
        if !jumps {
            self.emit(span, StmtKind::Break { out: 0 });
        }
        self.end_loop();
    }

    /// Closes the body of a loop, and emits the loop.
    ///
    /// # Panics
    /// If the innermost open block is not a loop's.
    pub fn end_loop(&self) {
        match self.close() {
            Open { kind: Opened::Loop { cond, span, step }, stmts: body } => {
                let cond = self.node(span, ScalarType::Bool, cond);
                self.emit(span, StmtKind::While { cond, body, step });
            }
            other => unreachable!("the macro closes what it opens: {other:?}"),
        }
    }

    /// `break`, of the loop that is so many loops further out than the innermost
    pub fn break_(&self, at: u32, out: u32) -> Never {
        self.emit(self.span(at), StmtKind::Break { out });
        Never
    }

    /// `break value`
    #[inline(never)]
    pub fn break_with<T: Composite>(&self, at: u32, out: u32, slot: Let<T>, value: impl IntoValue<T>) -> Never {
        self.give(at, slot, value);
        self.break_(at, out)
    }

    /// `continue`, of the loop that is so many loops further out than the innermost
    pub fn continue_(&self, at: u32, out: u32) -> Never {
        self.emit(self.span(at), StmtKind::Continue { out });
        Never
    }

    /// `return`
    pub fn return_(&self, at: u32) -> Never {
        let span = self.span(at);
        self.give_behind(span);
        self.emit(span, StmtKind::Return);
        Never
    }

    /// A `for`'s counter and bounds. The body cannot assign the counter, so it counts as stable.
    pub(super) fn counter<T: Int>(
        &self,
        span: Span,
        name: Option<&'static str>,
        from: impl IntoValue<T>,
        to: impl IntoValue<T>,
    ) -> (VarId, Operand, Operand) {
        let (from, to) = (self.operand(span, from), self.operand(span, to));
        let variable = Variable { name: name.map(Cow::Borrowed), ty: T::TYPE, mutable: true };
        (self.variable(variable, true), from, to)
    }

    pub(super) fn increment<T: Int>(&self, span: Span, counter: VarId) {
        let one = Operand::Leaf(Leaf::Const(Constant { ty: T::TYPE, bits: 1 }));
        let next = self.binary(span, BinaryOp::Add, T::TYPE, Operand::var(counter), one);
        self.set(span, counter, T::TYPE, next);
    }

    /// What `emit` emits, as a block of its own.
    pub(super) fn block(&self, emit: impl FnOnce()) -> Block {
        self.open(Opened::Right);
        emit();
        self.close().stmts
    }
}
