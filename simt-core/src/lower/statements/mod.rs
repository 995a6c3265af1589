//! Lowers statements.
//!
//! Each statement kind has one shape (see the docs of [`lower`](super)). Code that no thread can reach, behind a
//! `return` for instance, is not emitted. Labels are numbers until the end, when each becomes the address it was bound to.
//!
//! * `branch`: `if`, chains of `if` that test one integer, and arms that become selects;
//! * `call`: calls, and the bodies of functions;
//! * `result`: which results have to be kept from calls.

mod branch;
mod call;
mod result;

use super::LowerOptions;
use super::values::Values;
use crate::code::{Code, Inst, JumpKind, Marker, Markers, Operand, Pc, TableId, ValuesId};
use crate::ops::BinaryOp;
use crate::program::{Expr, ExprId, FunctionId, Program, Stmt, StmtKind, Validated, continues};
use crate::scalar::ScalarType;
use crate::source::{Source, Span};
use call::Functions;

/// An address that is not known yet. Stands in `Inst` as a `Pc` until [`Lowering::finish`].
type Label = Pc;

struct Loop {
    next: Label,
    exit: Label,
}

struct Lowering<'p> {
    program: &'p Program,
    options: LowerOptions,
    tokens: bool,
    values: Values<'p>,
    functions: Functions,
    /// The function whose body is being lowered; `None` for the kernel.
    function: Option<FunctionId>,
    /// Address of each label, once bound.
    labels: Vec<Option<Pc>>,
    /// Whether an instruction goes to the label; a marker only names it.
    used: Vec<bool>,
    tables: Vec<Vec<Label>>,
    shown: Vec<Vec<(ScalarType, Operand)>>,
    loops: Vec<Loop>,
    /// Whether control can come to the next instruction.
    reachable: bool,
}

/// The code of a program, without reconvergence points.
pub(super) fn lower(program: &Validated<Program>, options: LowerOptions) -> Code {
    let functions = Functions::of(program);
    let mut lowering = Lowering {
        program,
        options,
        tokens: options.markers == Markers::Tokens,
        values: Values::new(program, &functions.kept),
        functions,
        function: None,
        labels: Vec::new(),
        used: Vec::new(),
        tables: Vec::new(),
        shown: Vec::new(),
        loops: Vec::new(),
        reachable: true,
    };
    lowering.declare_functions();
    lowering.body(&program.body, &program.source);
    lowering.function_bodies();
    lowering.finish()
}

/// The closing brace of a body, as far as it is known.
fn end_of(source: &Source) -> Span {
    let lines = source.text.lines().count() as u32;
    match source.text.lines().last() {
        Some(last) if source.first_line > 0 => {
            let line = source.first_line + lines - 1;
            let width = last.chars().count() as u32;
            Span::new(line, width.max(1), line, width + 1)
        }
        _ => Span::default(),
    }
}

impl Lowering<'_> {
    /// The body of the kernel or of a function, up to its end, which nothing passes.
    fn body(&mut self, body: &[Stmt], source: &Source) {
        let start = self.values.len();
        self.reachable = true;
        self.block(body);
        // A loop that is never left may be the last thing emitted, with its exit bound behind it.
        let len = self.values.len();
        if self.reachable
            || len == start
            || self.values.insts().last().is_none_or(|inst| !inst.never_falls_through())
            || self.labels.iter().flatten().any(|pc| pc.index() == len)
        {
            self.end(end_of(source));
        }
        self.reachable = false;
    }

    /// Ends the body that is being lowered.
    fn end(&mut self, span: Span) {
        let Some(function) = self.function else {
            self.emit(Inst::Exit, span);
            return;
        };
        self.pass_result(function, span);
        self.emit(Inst::Return, span);
    }

    fn block(&mut self, block: &[Stmt]) {
        for stmt in block {
            if !self.reachable {
                return;
            }
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Skip => {}
            StmtKind::Assign { var, value } => self.values.assign(*var, *value),
            StmtKind::Store { slice, index, value, access } => {
                let index = self.values.operand(*index);
                let ty = self.program.expr(*value).ty;
                let value = self.values.operand(*value);
                self.emit(Inst::Store { ty, slice: *slice, index, value, access: *access }, span);
            }
            StmtKind::Evaluate { value } => {
                self.values.operand(*value);
            }
            StmtKind::If { cond, then, otherwise } => self.if_(*cond, then, otherwise, span),
            StmtKind::While { cond, body, step } => self.while_(*cond, body, step, span),
            StmtKind::Break { out } => {
                let target = self.loop_around(*out).exit;
                self.jump(target, JumpKind::Break, span);
            }
            StmtKind::Continue { out } => {
                let target = self.loop_around(*out).next;
                self.jump(target, JumpKind::Continue, span);
            }
            StmtKind::Return => {
                self.end(span);
                self.reachable = false;
            }
            StmtKind::Call { function, args, result } => self.call(*function, args, *result, span),
            StmtKind::Atomic { op, target, index, operands, result, order } => {
                let ty = self.program.element(*target).unwrap_or(ScalarType::U32);
                let index = self.values.operand(*index);
                let mut operands = operands.iter().map(|&operand| self.values.operand(operand));
                let (first, second) = (operands.next(), operands.next());
                let dst = result.map(|var| self.values.register(var));
                let inst = Inst::Atomic { op: *op, ty, dst, slice: *target, index, first, second, order: *order };
                self.emit(inst, span);
            }
            StmtKind::Collective { op, mask, args, result } => {
                let mask = mask.map(|mask| self.values.operand(mask));
                let ty = match result {
                    Some(var) if !op.is_typed() => self.program.variable(*var).ty,
                    _ => args.first().map_or(ScalarType::Bool, |&value| self.program.expr(value).ty),
                };
                let mut args = args.iter().map(|&value| self.values.operand(value));
                let (value, lane) = (args.next(), args.next());
                let dst = result.map(|var| self.values.register(var));
                self.emit(Inst::Collective { op: *op, ty, dst, mask, value, lane }, span);
            }
            StmtKind::Barrier { op, index, threads, value, result } => {
                let index = index.map(|index| self.values.operand(index));
                let threads = threads.map(|threads| self.values.operand(threads));
                let value = value.map(|value| self.values.operand(value));
                let dst = result.map(|var| self.values.register(var));
                self.emit(Inst::Barrier { op: *op, dst, index, threads, value }, span);
            }
            StmtKind::Fence { scope } => self.emit(Inst::Fence(*scope), span),
            StmtKind::Print { message, args } => {
                let values = self.show(args);
                self.emit(Inst::Print { dst: None, message: *message, values }, span);
            }
            StmtKind::Panic { message, args } => {
                let values = self.show(args);
                self.emit(Inst::Panic { message: *message, values }, span);
            }
        }
    }

    /// The values that a message shows.
    fn show(&mut self, args: &[ExprId]) -> ValuesId {
        let values = args.iter().map(|&id| (self.program.expr(id).ty, self.values.operand(id))).collect();
        self.shown.push(values);
        ValuesId(self.shown.len() as u32 - 1)
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
            self.values.restore(in_body);
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
        self.values.restore(before);
        if !self.tokens {
            return self.bind_if_used(exit);
        }
        self.bind_marked(exit);
        if !self.reachable {
            // No thread comes here, but the token's address must be no other token's.
            self.emit(Inst::Marker(Marker::Pop), span);
        }
    }

    fn constant(&self, cond: ExprId) -> Option<bool> {
        if let Expr::Const(constant) = self.program.expr(cond).expr { Some(constant.bits != 0) } else { None }
    }

    /// Values computed before a loop from variables that the loop assigns are stale inside it.
    fn forget_assigned(&mut self, block: &[Stmt]) {
        for stmt in block {
            if let Some(var) = stmt.kind.assigned() {
                self.values.forget(var);
            }
            for block in stmt.kind.blocks() {
                self.forget_assigned(block);
            }
        }
    }

    /// The loop so many further out than the innermost one.
    fn loop_around(&self, out: u32) -> &Loop {
        let found = self.loops.iter().rev().nth(out as usize);
        found.unwrap_or_else(|| unreachable!("validated: break and continue are inside loops"))
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

    fn finish(self) -> Code {
        let address = |label: Label| {
            self.labels[label.index()].unwrap_or_else(|| unreachable!("every label that is used is bound"))
        };
        let tables = self.tables.iter().map(|table| table.iter().map(|&label| address(label)).collect()).collect();
        let functions = self.functions.finish(self.program, address);
        let (mut insts, spans, registers) = self.values.finish();
        for inst in &mut insts {
            if let Some(target) = inst.target_mut() {
                *target = address(*target);
            }
        }
        let program = self.program;
        Code {
            name: program.name.clone(),
            source: program.source.clone(),
            params: program.params.clone(),
            registers,
            functions,
            arrays: program.arrays.clone(),
            messages: program.messages.clone(),
            values: self.shown,
            tables,
            reconvergence: vec![None; insts.len()],
            modifiers: Vec::new(),
            symbols: Vec::new(),
            insts,
            spans,
            markers: self.options.markers,
            launch_bounds: program.launch_bounds,
        }
    }
}
