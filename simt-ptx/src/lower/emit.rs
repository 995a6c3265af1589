//! What has been emitted so far.

use super::callees::Callees;
use super::kept::Kept;
use super::labels::LabelId;
use super::located::Located;
use super::names::{Blocks, of_module};
use super::parts::Parts;
use super::passed::PassedPlace;
use super::stack::Stack;
use crate::problem::{Lines, Problem, Problems};
use crate::scope::Scopes;
use crate::span::Span;
use crate::syntax::{Function, Instruction, Module, Operand as Written, OperandKind, Statement, StatementKind};
use simt_core::ScalarType;
use simt_core::code::{
    Code, CodeFunction, Guard, Inst, Markers, Modifier, Operand, Pc, Reg, Register, RegisterRole, Symbol, SymbolId,
    TableId,
};
use simt_core::program::{FunctionId, Message};
use std::collections::HashMap;

/// The name of the predicate that guards an instruction.
fn own(instruction: &Instruction) -> Option<&String> {
    instruction.guard.as_ref().map(|guard| &guard.register.text)
}

/// The calls of a body, in the order of the text.
fn calls(statements: &[Statement]) -> Vec<&Instruction> {
    let mut calls = Vec::new();
    super::walk(statements, &mut |statement| {
        if let StatementKind::Instruction(instruction) = &statement.kind {
            calls.extend(instruction.as_call().map(|_| instruction));
        }
    });
    calls
}

/// Emits the instructions of one function after the other.
pub(super) struct Emitter<'m, 'p> {
    lines: &'p Lines<'p>,
    problems: &'p mut Problems,
    pub(super) insts: Vec<Inst>,
    spans: Vec<simt_core::source::Span>,
    modifiers: Vec<Modifier>,
    pub(super) registers: Vec<Register>,
    pub(super) symbols: Vec<Symbol>,
    pub(super) symbol_numbers: HashMap<String, SymbolId>,
    pub(super) tables: Vec<Vec<Pc>>,
    pub(super) messages: Vec<Message>,
    pub(super) values: Vec<Vec<(ScalarType, Operand)>>,
    /// The functions that are called, in the order of their numbers.
    pub(super) functions: Vec<&'m Function>,
    pub(super) passed: HashMap<PassedPlace, Reg>,
    /// Which functions calls may call.
    pub(super) callees: Callees<'m>,
    /// In which parts parameters are accessed.
    pub(super) parts: Parts<'m>,
    pub(super) stack: Stack<'m>,
    /// The variables that the function that is emitted keeps over calls.
    pub(super) kept: Kept,
    /// The kernel, whose parameters have addresses.
    pub(super) entry: Option<&'m Function>,
    /// The function that is emitted, and its number; none for the kernel.
    pub(super) function: Option<&'m Function>,
    pub(super) owner: Option<FunctionId>,
    pub(super) scopes: Scopes<'m>,
    pub(super) blocks: Blocks<'m>,
    /// The registers that have been used, by scope and name.
    pub(super) named: HashMap<usize, HashMap<String, Reg>>,
    /// Of each label the address, once it is known.
    pub(super) labels: Vec<Option<Pc>>,
    /// Jumps whose targets are still numbers of labels.
    pub(super) jumps: Vec<(usize, LabelId)>,
    /// Tables whose targets are.
    pub(super) table_labels: Vec<(TableId, Vec<LabelId>)>,
    pub(super) carry: HashMap<Option<FunctionId>, Reg>,
    /// The calls of the function that is emitted, as they stand in the text, and which comes next.
    pub(super) calls: Vec<&'m Instruction>,
    pub(super) next_call: usize,
    at: Span,
    guard: Option<Guard>,
    /// How many parts the instruction has so far.
    emitted: usize,
    /// The branch around a control instruction that is guarded, until what comes behind it is known.
    around: Option<usize>,
    /// Whether such a branch goes to the instruction.
    is_target: bool,
    /// The function's first instruction.
    first: usize,
    /// The number of the file of source whose lines are shown; none for the module's own.
    pub(super) source: Option<u32>,
    /// Where the instructions are from.
    pub(super) located: Located,
}

impl<'m, 'p> Emitter<'m, 'p> {
    pub(super) fn new(module: &'m Module, lines: &'p Lines<'p>, problems: &'p mut Problems) -> Self {
        let scopes = of_module(module);
        let callees = Callees::of(module, &scopes);
        Self {
            parts: Parts::of(module, &scopes, &callees),
            stack: Stack::of(module, &callees),
            callees,
            lines,
            problems,
            insts: Vec::new(),
            spans: Vec::new(),
            modifiers: Vec::new(),
            registers: Vec::new(),
            symbols: Vec::new(),
            symbol_numbers: HashMap::new(),
            tables: Vec::new(),
            messages: Vec::new(),
            values: Vec::new(),
            functions: Vec::new(),
            passed: HashMap::new(),
            kept: Kept::new(),
            entry: None,
            function: None,
            owner: None,
            scopes,
            blocks: Blocks::default(),
            named: HashMap::new(),
            labels: Vec::new(),
            jumps: Vec::new(),
            table_labels: Vec::new(),
            carry: HashMap::new(),
            calls: Vec::new(),
            next_call: 0,
            at: Span::default(),
            guard: None,
            emitted: 0,
            around: None,
            is_target: false,
            first: 0,
            source: None,
            located: Located::default(),
        }
    }

    /// The code, but for what the kernel's head says.
    pub(super) fn finish(self) -> Code {
        let count = self.insts.len();
        let function = |function: &&Function| CodeFunction {
            name: function.name.text.clone().into(),
            source: simt_core::source::Source::default(),
            entry: Pc(0),
            end: Pc(0),
            recursive: false,
        };
        let plain = self.modifiers.iter().all(|modifier| *modifier == Modifier::default());
        Code {
            name: "".into(),
            source: simt_core::source::Source::default(),
            params: Vec::new(),
            registers: self.registers,
            functions: self.functions.iter().map(function).collect(),
            arrays: Vec::new(),
            symbols: self.symbols,
            messages: self.messages,
            values: self.values,
            tables: self.tables,
            insts: self.insts,
            spans: self.spans,
            reconvergence: vec![None; count],
            modifiers: if plain { Vec::new() } else { self.modifiers },
            markers: Markers::None,
            launch_bounds: None,
        }
    }

    /// Emits a kernel or a function.
    pub(super) fn body(&mut self, function: &'m Function, owner: Option<FunctionId>) {
        (self.function, self.owner) = (Some(function), owner);
        if owner.is_none() {
            self.entry = Some(function);
        }
        (self.labels, self.jumps, self.table_labels) = (Vec::new(), Vec::new(), Vec::new());
        let Some(block) = &function.body else { return };
        (self.calls, self.next_call) = (calls(&block.statements), 0);
        self.first = self.insts.len();
        self.located = Located::of(function, self.source);
        // What a function begins with is a part of no instruction of the one before.
        self.begin(function.name.span);
        super::names::enter_function(&mut self.scopes, function);
        self.begin_activation(function, owner);
        self.parameters_to_memory(function, owner);
        self.keep_parameters(function, owner);
        self.take_registers(function, owner);
        self.statements(&block.statements);
        let goes_around = self.around.is_some();
        self.begin(block.end);
        let falls_through = goes_around || self.insts.last().is_none_or(|last| !last.never_falls_through());
        if falls_through || self.labels.iter().flatten().any(|label| label.index() == self.insts.len()) {
            self.return_kept();
            self.push_control(if owner.is_some() { Inst::Return } else { Inst::Exit });
        }
        self.scopes.leave();
        self.resolve_labels();
    }

    fn statements(&mut self, statements: &'m [Statement]) {
        self.enter_block(statements);
        for statement in statements {
            match &statement.kind {
                StatementKind::Label(name) => {
                    if let Some(label) = self.blocks.own_label(&name.text) {
                        self.labels[label.0] = Some(Pc(self.insts.len() as u32));
                    }
                }
                StatementKind::Instruction(instruction) => self.instruction(instruction),
                StatementKind::Block(block) => self.statements(&block.statements),
                StatementKind::Location(location) => self.located.locate(location),
                StatementKind::Registers(_)
                | StatementKind::Variable(_)
                | StatementKind::Pragma(_)
                | StatementKind::BranchTargets(_)
                | StatementKind::CallTargets(_)
                | StatementKind::CallPrototype { .. } => {}
            }
        }
        self.leave_block();
    }

    fn instruction(&mut self, instruction: &'m Instruction) {
        self.next_call += usize::from(instruction.as_call().is_some());
        self.begin(instruction.opcode.span);
        let guard = instruction.guard.as_ref().and_then(|guard| {
            let reg = self.predicate(&guard.register)?;
            Some(Guard { reg, when: !guard.negated })
        });
        if instruction.guard.is_some() && guard.is_none() {
            return;
        }
        self.guard = guard.map(|guard| self.kept(guard, instruction));
        if self.lowered(instruction).is_none() {
            // What was wrong has been said.
            self.emitted = 0;
        }
    }

    /// A guard that the instruction does not write: its first part would change it for the others.
    fn kept(&mut self, guard: Guard, instruction: &Instruction) -> Guard {
        let is_guard =
            |operand: &Written| matches!(&operand.kind, OperandKind::Name(name) if Some(name) == own(instruction));
        let writes = instruction.operands.first().is_some_and(|first| match &first.kind {
            OperandKind::Pair(first, second) => is_guard(first) || is_guard(second),
            _ => is_guard(first),
        });
        if !writes {
            return guard;
        }
        let reg = self.temporary(ScalarType::Bool);
        self.push(Inst::Move { ty: ScalarType::Bool, dst: reg, src: Operand::Reg(guard.reg) });
        Guard { reg, ..guard }
    }

    /// Begins an instruction: to it goes the branch around the last one, if that was guarded.
    fn begin(&mut self, at: Span) {
        let here = Pc(self.insts.len() as u32);
        let around = self.around.take();
        self.is_target = around.is_some();
        if let Some(Inst::Branch { target, .. }) = around.map(|around| &mut self.insts[around]) {
            *target = here;
        }
        (self.at, self.guard, self.emitted) = (at, None, 0);
    }

    /// What follows is no part of the instruction: it is one that is issued by itself.
    pub(super) fn issue_next(&mut self) {
        self.emitted = 0;
    }

    /// The guard of the instruction, which what follows has no longer.
    pub(super) fn take_guard(&mut self) -> Option<Guard> {
        self.guard.take()
    }

    /// Emits a part of the instruction, guarded as it is.
    pub(super) fn push(&mut self, inst: Inst) {
        self.modifiers.push(Modifier { guard: self.guard, continues: self.emitted > 0 });
        self.emitted += 1;
        self.insts.push(inst);
        self.spans.push(if self.source.is_some() { self.located.at() } else { self.span(self.at) });
    }

    /// Takes back the last part.
    pub(super) fn take_back(&mut self) {
        if self.emitted > 0 {
            self.emitted -= 1;
            let _ = (self.insts.pop(), self.spans.pop(), self.modifiers.pop());
        }
    }

    /// Emits a control instruction, which is none of an instruction's parts. A guard becomes a branch around it.
    ///
    /// What has been emitted for its operands counts as a part of the instruction before, if it can be one.
    pub(super) fn push_control(&mut self, inst: Inst) {
        if let Some(first) = self.insts.len().checked_sub(self.emitted).filter(|_| self.emitted > 0) {
            let is_target = self.is_target || self.labels.iter().flatten().any(|label| label.index() == first);
            let follows = first.checked_sub(1).is_some_and(|before| !self.insts[before].is_control());
            self.modifiers[first].continues = follows && !is_target && first > self.first;
        }
        if let Some(Guard { reg, when }) = self.take_guard() {
            self.emitted = 0;
            self.around = Some(self.insts.len());
            self.push(Inst::Branch { cond: Operand::Reg(reg), when: !when, target: Pc(0), leaves: false });
        }
        self.emitted = 0;
        self.push(inst);
    }

    /// A register for a value of a type within an instruction.
    pub(super) fn temporary(&mut self, ty: ScalarType) -> Reg {
        self.register(None, ty, false)
    }

    /// A new register.
    pub(super) fn register(&mut self, name: Option<&str>, ty: ScalarType, untyped: bool) -> Reg {
        self.registers.push(Register {
            name: name.map(|name| name.trim_start_matches('%').to_string().into()),
            ty,
            written_once: false,
            untyped,
            zeroed: false,
            function: self.owner,
            role: RegisterRole::Frame,
        });
        Reg(self.registers.len() as u32 - 1)
    }

    /// Lets the last instructions write a register in place of a temporary one.
    pub(super) fn redirect(&mut self, from: Reg, to: Reg) {
        for inst in self.insts.iter_mut().rev().take(2) {
            match inst {
                Inst::Compare { dst, .. } | Inst::Machine { dst, .. } if *dst == from => *dst = to,
                Inst::Unary { dst, src, .. } if *dst == from => (*dst, *src) = (to, Operand::Reg(to)),
                _ => {}
            }
        }
    }

    /// The type of a register.
    pub(super) fn type_of(&self, reg: Reg) -> ScalarType {
        self.registers[reg.0 as usize].ty
    }

    /// Where something is declared, if the module's own text is shown.
    pub(super) fn declared(&self, span: Span) -> simt_core::source::Span {
        if self.source.is_some() { simt_core::source::Span::default() } else { self.span(span) }
    }

    fn span(&self, span: Span) -> simt_core::source::Span {
        simt_core::source::Span::new(span.line, span.column, span.line, span.column + span.length.max(1))
    }

    pub(super) fn problem(&mut self, at: Span, message: impl Into<String>, help: &str) {
        let lines = self.lines;
        self.problems.push(|| Problem::new(lines, at, message).help(help));
    }

    /// Says that what a name means is out of scope.
    pub(super) fn unsupported_name<T>(&mut self, name: &str, reason: &'static str, at: Span) -> Option<T> {
        self.problems.push_unsupported(name.to_string(), reason, at);
        None
    }

    /// Says that an instruction is out of scope; nothing is emitted for it.
    pub(super) fn unsupported<T>(&mut self, instruction: &Instruction, reason: &'static str) -> Option<T> {
        self.problems.push_unsupported(instruction.full_name(), reason, instruction.name_span());
        None
    }
}
