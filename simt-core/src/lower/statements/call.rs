//! Calls, and the bodies of functions.
//!
//! The kernel comes first, then the functions in the order of their numbers. A call evaluates its arguments, moves them to
//! where the callee expects them, and goes there; the machine remembers the address behind it.
//!
//! The callee expects an argument in the register of its parameter. A function that may be active already must not have
//! its caller's parameters overwritten, which may be its own: there arguments pass through registers of their own, and the
//! machine keeps the caller's frame meanwhile.

use super::result::kept_results;
use super::{Label, Lowering};
use crate::code::{CodeFunction, Inst, Marker, Pc, Reg};
use crate::program::{Block, ExprId, FunctionId, Program, StmtKind, VarId};
use crate::source::Span;
use std::borrow::Cow;

/// What is known of each function before its code is there.
#[derive(Default)]
pub(super) struct Functions {
    entries: Vec<Label>,
    ends: Vec<Label>,
    recursive: Vec<bool>,
    /// Whether the result must be kept from calls.
    pub(super) kept: Vec<bool>,
    /// The register in which the result passes to the caller.
    results: Vec<Option<Reg>>,
    /// For each parameter the register that a call writes.
    passing: Vec<Vec<Reg>>,
}

impl Functions {
    pub(super) fn of(program: &Program) -> Self {
        let callees = callees(program);
        let recursive: Vec<_> = (0..callees.len()).map(|number| is_recursive(&callees, number)).collect();
        Self { kept: kept_results(program, &recursive), recursive, ..Self::default() }
    }

    pub(super) fn finish(&self, program: &Program, address: impl Fn(Label) -> Pc) -> Vec<CodeFunction> {
        let functions = program.functions.iter().enumerate();
        functions
            .map(|(number, function)| CodeFunction {
                name: unique(program, number),
                source: function.source.clone(),
                entry: address(self.entries[number]),
                end: address(self.ends[number]),
                recursive: self.recursive[number],
            })
            .collect()
    }
}

/// The function's name; of several instances of one generic function, each but the first is numbered.
fn unique(program: &Program, number: usize) -> Cow<'static, str> {
    let name = &program.functions[number].name;
    let earlier = program.functions[..number].iter().filter(|other| other.name == *name).count();
    if earlier == 0 { name.clone() } else { format!("{name}.{}", earlier + 1).into() }
}

/// For each function those that it calls itself.
fn callees(program: &Program) -> Vec<Vec<usize>> {
    let of = |body: &Block| {
        let (mut pending, mut found) = (vec![body], Vec::new());
        while let Some(block) = pending.pop() {
            for stmt in block {
                if let StmtKind::Call { function, .. } = stmt.kind {
                    found.push(function.0 as usize);
                }
                pending.extend(stmt.kind.blocks());
            }
        }
        found
    };
    program.functions.iter().map(|function| of(&function.body)).collect()
}

/// Whether a call of the function can lead to another call of it.
fn is_recursive(callees: &[Vec<usize>], function: usize) -> bool {
    let (mut seen, mut pending) = (vec![false; callees.len()], callees[function].clone());
    while let Some(next) = pending.pop() {
        if next == function {
            return true;
        }
        if !std::mem::replace(&mut seen[next], true) {
            pending.extend(&callees[next]);
        }
    }
    false
}

impl Lowering<'_> {
    pub(super) fn declare_functions(&mut self) {
        let program = self.program;
        for (number, function) in program.functions.iter().enumerate() {
            let id = FunctionId(number as u32);
            let (recursive, kept) = (self.functions.recursive[number], self.functions.kept[number]);
            let passing = |&var: &VarId| {
                let ty = program.variable(var).ty;
                if recursive { self.values.passing(ty, id) } else { self.values.register(var) }
            };
            let passing = function.params.iter().map(passing).collect();
            let (entry, end) = (self.label(), self.label());
            self.functions.entries.push(entry);
            self.functions.ends.push(end);
            let result = function.result.map(|var| {
                let ty = program.variable(var).ty;
                if kept { self.values.passing(ty, id) } else { self.values.register(var) }
            });
            self.functions.results.push(result);
            self.functions.passing.push(passing);
        }
    }

    pub(super) fn function_bodies(&mut self) {
        for (number, function) in self.program.functions.iter().enumerate() {
            self.function = Some(FunctionId(number as u32));
            self.values.begin_function(self.function);
            self.bind(self.functions.entries[number]);
            if self.functions.recursive[number] {
                for (&var, src) in function.params.iter().zip(self.functions.passing[number].clone()) {
                    let dst = self.values.register(var);
                    let ty = self.program.variable(var).ty;
                    let span = Span::default();
                    self.emit(Inst::Move { ty, dst, src: src.into() }, span);
                }
            }
            self.body(&function.body, &function.source);
            let end = self.functions.ends[number];
            self.bind(end);
            self.reachable = false;
        }
    }

    /// Moves the result to where the caller expects it, if it is not there.
    pub(super) fn pass_result(&mut self, function: FunctionId, span: Span) {
        let number = function.0 as usize;
        if let (Some(var), Some(dst), true) =
            (self.program.function(function).result, self.functions.results[number], self.functions.kept[number])
        {
            let (ty, src) = (self.program.variable(var).ty, self.values.register(var));
            self.emit(Inst::Move { ty, dst, src: src.into() }, span);
        }
    }

    pub(super) fn call(&mut self, function: FunctionId, args: &[ExprId], result: Option<VarId>, span: Span) {
        let number = function.0 as usize;
        let args: Vec<_> = args.iter().map(|&arg| (self.program.expr(arg).ty, self.values.operand(arg))).collect();
        for (index, (ty, src)) in args.into_iter().enumerate() {
            let dst = self.functions.passing[number][index];
            self.emit(Inst::Move { ty, dst, src }, span);
        }
        let behind = self.label();
        if self.tokens {
            self.emit(Inst::Marker(Marker::PushCall(behind)), span);
        }
        self.emit(Inst::Call { function, target: self.functions.entries[number] }, span);
        self.bind(behind);
        if self.functions.recursive[number] {
            self.values.forget_all();
        }
        if let (Some(var), Some(src)) = (result, self.functions.results[number]) {
            let dst = self.values.register(var);
            self.emit(Inst::Move { ty: self.program.variable(var).ty, dst, src: src.into() }, span);
        }
    }
}
