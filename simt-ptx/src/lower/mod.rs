//! A kernel of a module becomes `Code`: one instruction of PTX is one that is issued, of as many parts as it takes.
//!
//! Registers hold bits, as PTX's do, and are zero until they are written. A guarded control instruction becomes a branch around
//! it, which takes an address of its own. What a function is passed, and what it returns, is in registers that pass values, one
//! for each place of a `.param` variable that is written or read.

mod addressed;
mod arithmetic;
mod bits;
mod callees;
mod calls;
mod compare;
mod control;
mod convert;
mod emit;
mod in_registers;
mod indirect;
mod kept;
mod labels;
mod located;
mod memory;
mod minimum;
mod modifiers;
mod moves;
mod names;
mod operands;
mod pairs;
mod parts;
mod passed;
mod rounding;
mod stack;
mod symbols;
mod together;
mod vectors;
mod warp;

use crate::problem::{Lines, Problem, Problems};
use crate::syntax::{Function, FunctionKind, Module, Space, Statement, StatementKind};
use emit::Emitter;
use simt_core::code::{Code, CodeError, CodeFunction, Inst, Pc};
use simt_core::program::Validated;
use simt_core::program::{FunctionId, LaunchBounds, Param, ParamKind};
use simt_core::source::Source;
use std::collections::HashSet;
use std::hash::Hash;

/// A text of which a report shows lines.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    /// The text.
    pub text: &'a str,
    /// The name of its file.
    pub file: &'a str,
    /// The number by which a `.loc` calls the file, if it is what the module was compiled from, and not its own text.
    pub number: Option<u32>,
    /// Other files that it was compiled from, of which the text is known, by their numbers.
    pub others: &'a [(u32, String)],
}

impl Shown<'_> {
    /// A text as reports show it.
    fn source(file: &str, text: &str) -> Source {
        Source { file: file.to_string().into(), first_line: 1, text: text.to_string().into() }
    }

    /// The text that has the lines of a function; one whose text is not known has the name that the module calls it by.
    fn source_of(&self, file: Option<u32>, module: &Module) -> Source {
        let Some(file) = file.filter(|_| file != self.number) else { return Self::source(self.file, self.text) };
        let name = module.files().find(|one| one.number == file).map_or("", |one| &one.name);
        let text = self.others.iter().find(|(number, _)| *number == file).map_or("", |(_, text)| text);
        Self::source(name, text)
    }
}

/// The code of a kernel of a module, which was parsed from `text`.
///
/// Instructions have the places of `shown`: those of the module's own text, or what `.loc` says. A function that is called and
/// stands in another file has its lines there; what else is from another file has no place.
///
/// # Errors
/// All that is wrong with the kernel and the functions that it calls, and what of it is out of scope.
pub fn lower(module: &Module, kernel: &str, text: &str, shown: Shown<'_>) -> Result<Validated<Code>, Problems> {
    let lines = Lines::new(text);
    let mut problems = Problems::default();
    let module = &*vectors::spelled_out(module);
    let found =
        module.functions().find(|function| function.name.text == kernel && function.kind == FunctionKind::Entry);
    let Some(entry) = found.filter(|function| function.body.is_some()) else {
        let names: Vec<_> = kernels(module).collect();
        let help =
            if names.is_empty() { "it has no kernels".to_string() } else { format!("it has {}", names.join(", ")) };
        problems.push(|| {
            Problem::new(&lines, module.header.version_span, format!("the module has no kernel `{kernel}`")).help(help)
        });
        return Err(problems);
    };
    let mut emitter = Emitter::new(module, &lines, &mut problems);
    emitter.source = shown.number;
    let params = emitter.kernel_parameters(entry);
    emitter.body(entry, None);
    let mut ends = vec![emitter.insts.len() as u32];
    let mut sources = Vec::new();
    let mut next = 0;
    while let Some(&function) = emitter.functions.get(next) {
        emitter.body(function, Some(FunctionId(next as u32)));
        ends.push(emitter.insts.len() as u32);
        sources.push(shown.source_of(emitter.located.file, module));
        next += 1;
    }
    let code = emitter.finish();
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut code = Code {
        name: kernel.to_string().into(),
        source: Shown::source(shown.file, shown.text),
        params,
        launch_bounds: launch_bounds(entry),
        ..code
    };
    for ((function, source), end) in code.functions.iter_mut().zip(sources).zip(ends.windows(2)) {
        *function = CodeFunction { source, entry: Pc(end[0]), end: Pc(end[1]), ..function.clone() };
    }
    let entries: Vec<Pc> = code.functions.iter().map(|function| function.entry).collect();
    for inst in &mut code.insts {
        if let Inst::Call { function, target } = inst {
            *target = entries[function.0 as usize];
        }
    }
    mark_recursion(&mut code);
    zero_unwritten(&mut code).and_then(|()| code.validate()).map_err(|error| {
        let mut problems = Problems::default();
        let message = format!("the code of the kernel breaks a rule: {error}");
        problems.push(|| Problem::new(&lines, entry.span, message).help("please report it, with the file"));
        problems
    })
}

/// The names of the kernels of a module.
pub fn kernels(module: &Module) -> impl Iterator<Item = &str> {
    let entries = module.functions().filter(|function| function.kind == FunctionKind::Entry && function.body.is_some());
    entries.map(|function| function.name.text.as_str())
}

/// Registers that may be read before they are written are zero.
///
/// PERF: only those: a warp that begins would clear the others for nothing, and they could share no row.
fn zero_unwritten(code: &mut Code) -> Result<(), CodeError> {
    for register in code.unwritten()? {
        code.registers[register.0 as usize].zeroed = true;
    }
    Ok(())
}

/// Which functions may be called while they are active.
fn mark_recursion(code: &mut Code) {
    let callees = |function: &CodeFunction| -> Vec<usize> {
        let body = &code.insts[function.entry.index()..function.end.index()];
        let callee =
            |inst: &Inst| if let Inst::Call { function, .. } = inst { Some(function.0 as usize) } else { None };
        body.iter().filter_map(callee).collect()
    };
    let callees: Vec<_> = code.functions.iter().map(callees).collect();
    for (number, function) in code.functions.iter_mut().enumerate() {
        function.recursive = reached(number, |function| callees[function].iter().copied()).contains(&number);
    }
}

/// The functions that calls lead to from one; it is among them if it calls itself, through others, too.
fn reached<F: Copy + Eq + Hash, C: Iterator<Item = F>>(from: F, callees: impl Fn(F) -> C) -> HashSet<F> {
    let (mut seen, mut pending) = (HashSet::new(), Vec::from_iter(callees(from)));
    while let Some(next) = pending.pop() {
        if seen.insert(next) {
            pending.extend(callees(next));
        }
    }
    seen
}

/// `.maxntid` and `.reqntid`: the most threads of a block.
fn launch_bounds(entry: &Function) -> Option<LaunchBounds> {
    let threads = entry.directive("maxntid").or_else(|| entry.directive("reqntid"))?;
    let threads = threads.iter().fold(1u32, |all, &along| all.saturating_mul(along));
    Some(LaunchBounds {
        threads,
        span: simt_core::source::Span::new(entry.span.line, entry.span.column, entry.span.line, entry.span.column + 1),
    })
    .filter(|bounds| bounds.threads > 0)
}

/// The statements of a body and of the blocks in it.
fn walk<'m>(statements: &'m [Statement], visit: &mut impl FnMut(&'m Statement)) {
    for statement in statements {
        visit(statement);
        if let StatementKind::Block(block) = &statement.kind {
            walk(&block.statements, visit);
        }
    }
}

impl Emitter<'_, '_> {
    fn kernel_parameters(&mut self, entry: &Function) -> Vec<Param> {
        let mut params = Vec::new();
        for variable in &entry.parameters {
            let bytes = variable.bytes().unwrap_or(0);
            let scalar =
                operands::scalar(variable.ty).filter(|_| variable.dimensions.is_empty() && variable.vector.is_none());
            let kind = match scalar {
                Some(ty) => ParamKind::Scalar(ty),
                None => ParamKind::Bytes { size: bytes as u32, align: variable.alignment() },
            };
            if variable.space != Space::Param || bytes > u64::from(u16::MAX) {
                self.problem(variable.span, "a kernel has no such parameter", "write a `.param` of at most 64 KB");
            }
            params.push(Param {
                name: variable.name.text.clone().into(),
                kind,
                row: 1,
                table: None,
                span: self.declared(variable.name.span),
            });
        }
        params
    }
}
