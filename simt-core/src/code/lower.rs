//! Program to code: statements.
//!
//! Each statement kind has one shape (see the module docs of [`code`](super)). Code that no thread can reach, behind a
//! `return` for instance, is not emitted. Labels are numbers until the end, when each becomes the address it was bound to.

use super::values::Values;
use super::{Code, Inst, JumpKind, Marker, Markers, Pc};
use crate::program::{Expr, ExprId, Program, Stmt, StmtKind, Validated, continues};
use crate::source::Span;

/// An address that is not known yet. Stands in `Inst` as a `Pc` until [`Lowering::finish`].
type Label = Pc;

struct Loop {
    next: Label,
    exit: Label,
}

struct Lowering<'p> {
    program: &'p Program,
    tokens: bool,
    values: Values<'p>,
    /// Address of each label, once bound.
    labels: Vec<Option<Pc>>,
    /// Whether an instruction goes to the label; a marker only names it.
    used: Vec<bool>,
    loops: Vec<Loop>,
    /// Whether control can come to the next instruction.
    reachable: bool,
}

/// The code of a program, without reconvergence points.
pub(super) fn lower(program: &Validated<Program>, markers: Markers) -> Code {
    let mut lowering = Lowering {
        program,
        tokens: markers == Markers::Tokens,
        values: Values::new(program),
        labels: Vec::new(),
        used: Vec::new(),
        loops: Vec::new(),
        reachable: true,
    };
    lowering.block(&program.body);
    if lowering.reachable {
        lowering.emit(Inst::Exit, end_of(program));
    }
    lowering.finish(markers)
}

/// The kernel's closing brace, as far as it is known.
fn end_of(program: &Program) -> Span {
    let lines = program.source.text.lines().count() as u32;
    match program.source.text.lines().last() {
        Some(last) if program.source.first_line > 0 => {
            let line = program.source.first_line + lines - 1;
            let width = last.chars().count() as u32;
            Span::new(line, width.max(1), line, width + 1)
        }
        _ => Span::default(),
    }
}

impl Lowering<'_> {
    fn block(&mut self, block: &[Stmt]) {
        for stmt in block {
            if !self.reachable {
                return;
            }
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Skip => {}
            StmtKind::Assign { var, value } => self.values.assign(*var, *value),
            StmtKind::Store { slice, index, value } => {
                let index = self.values.operand(*index);
                let ty = self.program.expr(*value).ty;
                let value = self.values.operand(*value);
                self.emit(Inst::Store { ty, slice: *slice, index, value }, stmt.span);
            }
            StmtKind::Evaluate { value } => {
                self.values.operand(*value);
            }
            StmtKind::If { cond, then, otherwise } => self.if_(*cond, then, otherwise, stmt.span),
            StmtKind::While { cond, body, step } => self.while_(*cond, body, step, stmt.span),
            StmtKind::Break => {
                let target = self.innermost().exit;
                self.jump(target, JumpKind::Break, stmt.span);
            }
            StmtKind::Continue => {
                let target = self.innermost().next;
                self.jump(target, JumpKind::Continue, stmt.span);
            }
            StmtKind::Return => {
                self.emit(Inst::Exit, stmt.span);
                self.reachable = false;
            }
        }
    }

    fn if_(&mut self, cond: ExprId, then: &[Stmt], otherwise: &[Stmt], span: Span) {
        if let Some(cond) = self.constant(cond) {
            return self.block(if cond { then } else { otherwise });
        }
        let cond_span = self.program.expr(cond).span;
        let cond = self.values.operand(cond);
        let (join, behind) = (self.label(), self.label());
        if self.tokens {
            self.emit(Inst::Marker(Marker::PushSync(behind)), cond_span);
        }
        let before = self.values.available();
        // An empty arm needs no address of its own: its threads go straight to the join.
        let (when, first, second) = if then.is_empty() { (true, otherwise, then) } else { (false, then, otherwise) };
        let other = if second.is_empty() { join } else { self.label() };
        self.emit(Inst::Branch { cond, when, target: other, leaves: false }, cond_span);
        self.block(first);
        if !second.is_empty() {
            if self.reachable {
                self.jump(join, JumpKind::Join, span);
            }
            self.values.restore(&before);
            self.bind(other);
            self.block(second);
        }
        self.values.restore(&before);
        if self.tokens {
            self.bind_marked(join);
            self.emit(Inst::Marker(Marker::Pop), span);
            self.bind_marked(behind);
        } else {
            self.bind_if_used(join);
        }
    }

    fn while_(&mut self, cond: ExprId, body: &[Stmt], step: &[Stmt], span: Span) {
        let constant = self.constant(cond);
        if constant == Some(false) {
            return;
        }
        let labels = Loop { next: self.label(), exit: self.label() };
        let (next, exit) = (labels.next, labels.exit);
        let head = self.label();
        if self.tokens {
            self.emit(Inst::Marker(Marker::PushBreak(exit)), span);
        }
        self.forget_assigned(body);
        self.forget_assigned(step);
        let before = self.values.available();
        self.bind(head);
        if constant.is_none() {
            let cond_span = self.program.expr(cond).span;
            let cond = self.values.operand(cond);
            self.emit(Inst::Branch { cond, when: false, target: exit, leaves: true }, cond_span);
        }
        let has_continue = continues(body);
        if self.tokens && has_continue {
            self.emit(Inst::Marker(Marker::PushContinue(next)), span);
        }
        let in_body = self.values.available();
        self.loops.push(labels);
        self.block(body);
        self.loops.pop();
        if has_continue {
            // What the body computed behind a `continue` is not there for the threads that took it.
            self.values.restore(&in_body);
            self.forget_assigned(body);
            if self.tokens {
                self.emit(Inst::Marker(Marker::Pop), span);
                self.bind_marked(next);
            } else {
                self.bind_if_used(next);
            }
        }
        self.block(step);
        if self.reachable {
            self.jump(head, JumpKind::Plain, span);
        }
        self.values.restore(&before);
        if self.tokens { self.bind_marked(exit) } else { self.bind_if_used(exit) }
    }

    fn constant(&self, cond: ExprId) -> Option<bool> {
        if let Expr::Const(constant) = self.program.expr(cond).expr { Some(constant.bits != 0) } else { None }
    }

    /// Values computed before a loop from variables that the loop assigns are stale inside it.
    fn forget_assigned(&mut self, block: &[Stmt]) {
        for stmt in block {
            match &stmt.kind {
                StmtKind::Assign { var, .. } => self.values.forget(*var),
                StmtKind::If { then: first, otherwise: second, .. }
                | StmtKind::While { body: first, step: second, .. } => {
                    self.forget_assigned(first);
                    self.forget_assigned(second);
                }
                StmtKind::Skip
                | StmtKind::Store { .. }
                | StmtKind::Evaluate { .. }
                | StmtKind::Break
                | StmtKind::Continue
                | StmtKind::Return => {}
            }
        }
    }

    fn innermost(&self) -> &Loop {
        self.loops.last().unwrap_or_else(|| unreachable!("validated: break and continue are inside loops"))
    }

    fn emit(&mut self, inst: Inst, span: Span) {
        if let Some(label) = inst.target() {
            self.used[label.index()] |= !inst.is_marker();
        }
        self.values.emit(inst, span);
    }

    fn jump(&mut self, target: Label, kind: JumpKind, span: Span) {
        self.emit(Inst::Jump { target, kind }, span);
        self.reachable = false;
    }

    fn label(&mut self) -> Label {
        self.labels.push(None);
        self.used.push(false);
        Pc(self.labels.len() as u32 - 1)
    }

    fn bind(&mut self, label: Label) {
        self.labels[label.index()] = Some(Pc(self.values.len() as u32));
        self.reachable = true;
    }

    /// Binds a label; only if something goes there, what follows is reachable through it.
    fn bind_if_used(&mut self, label: Label) {
        if self.used[label.index()] {
            self.bind(label);
        }
    }

    /// Binds a label that a marker names. What follows is as reachable as without the marker: a token sends threads to its
    /// address only if they did not end, break or continue on their way.
    fn bind_marked(&mut self, label: Label) {
        let reachable = self.reachable || self.used[label.index()];
        self.bind(label);
        self.reachable = reachable;
    }

    fn finish(mut self, markers: Markers) -> Code {
        // A loop that is never left may be the last thing emitted, with its exit bound behind it.
        if self.values.insts().last().is_none_or(|inst| !matches!(inst, Inst::Exit | Inst::Jump { .. }))
            || self.labels.iter().flatten().any(|pc| pc.index() == self.values.len())
        {
            self.emit(Inst::Exit, end_of(self.program));
        }
        let (mut insts, spans, registers) = self.values.finish();
        for inst in &mut insts {
            if let Some(target) = inst.target_mut() {
                *target =
                    self.labels[target.index()].unwrap_or_else(|| unreachable!("every label that is used is bound"));
            }
        }
        Code {
            name: self.program.name.clone(),
            source: self.program.source.clone(),
            params: self.program.params.clone(),
            registers,
            reconvergence: vec![None; insts.len()],
            insts,
            spans,
            markers,
        }
    }
}
