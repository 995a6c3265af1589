//! Which functions a call may call: one by its name, or those whose addresses the module takes.
//!
//! The address of a function is a number in a range of its own, in the order of the module: the same for all of its kernels.

use super::emit::Emitter;
use crate::scope::{Meaning, Scopes};
use crate::syntax::{
    self, Call, Function, FunctionKind, Initializer, Labelled, Module, Name, Operand as Written, OperandKind,
    Prototype, Statement, StatementKind, Variable,
};
use simt_core::ScalarType;
use simt_core::code::{AddressSpace, Operand};
use std::collections::{HashMap, HashSet};
use std::ptr;

/// The address of the first function: behind the windows of all spaces, and far from what is allocated.
pub(super) const FIRST: u64 = 5 * AddressSpace::WINDOW;

/// Bytes between two functions. C++ marks pointers to virtual methods in the lowest bit.
pub(super) const APART: u64 = 16;

/// The number of a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct SignatureId(usize);

/// The sizes of what a function returns, and of what it takes.
type Signature = [Vec<Option<u64>>; 2];

/// Functions that are passed arguments in the same registers: one, or all of a signature that pointers may point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Class<'m> {
    Function(&'m str),
    Signature(SignatureId),
}

/// A call of what a register points to.
#[derive(Clone, Debug)]
pub(super) struct IndirectCall<'m> {
    /// The label of its prototype, or of its list of functions.
    pub(super) label: &'m Name,
    pub(super) signature: SignatureId,
    pub(super) returns: &'m [Variable],
    pub(super) parameters: &'m [Variable],
    /// The functions that it may call.
    pub(super) callees: Vec<&'m Function>,
}

/// The calls of a module.
#[derive(Debug, Default)]
pub(super) struct Callees<'m> {
    /// The functions whose addresses are taken, in the order of the module.
    taken: Vec<(&'m Function, SignatureId)>,
    numbers: HashMap<&'m str, usize>,
    signatures: Vec<Signature>,
    /// By the operand that is called.
    indirect: HashMap<*const Written, IndirectCall<'m>>,
    /// The functions that each function may call.
    graph: HashMap<&'m str, HashSet<&'m str>>,
}

/// Prototypes and lists of functions, by their labels.
type Prototypes<'m> = HashMap<&'m str, (&'m Name, Prototype<'m>)>;

impl<'m> Callees<'m> {
    pub(super) fn of(module: &'m Module, scopes: &Scopes<'m>) -> Self {
        let mut callees = Self::default();
        let named = named_functions(module, scopes);
        for function in module.functions() {
            let name = function.name.text.as_str();
            // Of several declarations the one that the name means.
            let is_meant = matches!(scopes.find(name), Some(Meaning::Function(meant)) if ptr::eq(meant, function));
            if is_meant && named.contains(name) {
                let signature = callees.signature(&function.returns, &function.parameters);
                callees.numbers.insert(name, callees.taken.len());
                callees.taken.push((function, signature));
            }
        }
        for function in module.functions() {
            if let Some(body) = &function.body {
                callees.calls(&function.name.text, &body.statements, &[], scopes);
            }
        }
        callees
    }

    /// The functions whose addresses are taken, in the order of their addresses.
    pub(super) fn taken(&self) -> impl Iterator<Item = &'m Function> {
        self.taken.iter().map(|(function, _)| *function)
    }

    /// The class of the function of a name.
    pub(super) fn class(&self, name: &'m str) -> Class<'m> {
        match self.numbers.get(name) {
            Some(&number) => Class::Signature(self.taken[number].1),
            None => Class::Function(name),
        }
    }

    pub(super) fn indirect(&self, call: &Call<'_>) -> Option<&IndirectCall<'m>> {
        self.indirect.get(&ptr::from_ref(call.callee))
    }

    /// The functions that calls lead to from one; it is among them if it calls itself, through others, too.
    pub(super) fn reached(&self, from: &'m str) -> HashSet<&'m str> {
        super::reached(from, |function| self.graph.get(function).into_iter().flatten().copied())
    }

    /// Whether functions that one calls, and those that they call, are passed arguments in the same registers.
    pub(super) fn shares_with_callees(&self, function: &'m Function) -> bool {
        let own = function.name.text.as_str();
        self.reached(own).into_iter().any(|callee| self.class(callee) == self.class(own))
    }

    fn signature(&mut self, returns: &[Variable], parameters: &[Variable]) -> SignatureId {
        let signature = [returns, parameters].map(|all| all.iter().map(Variable::bytes).collect());
        let known = self.signatures.iter().position(|known| *known == signature);
        SignatureId(known.unwrap_or_else(|| {
            self.signatures.push(signature);
            self.signatures.len() - 1
        }))
    }

    /// The calls of a block and of those in it, with the prototypes of the blocks around it, the innermost last.
    fn calls(&mut self, caller: &'m str, statements: &'m [Statement], around: &[&Prototypes<'m>], scopes: &Scopes<'m>) {
        let own = prototypes(statements);
        let around: Vec<&Prototypes<'m>> = around.iter().copied().chain([&own]).collect();
        for statement in statements {
            match &statement.kind {
                StatementKind::Instruction(instruction) => {
                    if let Some(call) = instruction.as_call() {
                        self.call(caller, call, &around, scopes);
                    }
                }
                StatementKind::Block(block) => self.calls(caller, &block.statements, &around, scopes),
                _ => {}
            }
        }
    }

    fn call(&mut self, caller: &'m str, call: Call<'m>, around: &[&Prototypes<'m>], scopes: &Scopes<'m>) {
        let OperandKind::Name(name) = &call.callee.kind else { return };
        if let Some(Meaning::Function(callee)) = scopes.find(name) {
            self.graph.entry(caller).or_default().insert(&callee.name.text);
            return;
        }
        let Some(OperandKind::Name(label)) = call.targets.map(|targets| &targets.kind) else { return };
        let Some(&(label, prototype)) = around.iter().rev().find_map(|known| known.get(label.as_str())) else { return };
        let (returns, parameters, listed) = match prototype {
            Prototype::Described { returns, parameters } => (returns, parameters, None),
            Prototype::Listed(names) => {
                let listed: Vec<&'m Function> =
                    names.iter().filter_map(|name| function_of(&name.text, scopes)).collect();
                let Some(first) = listed.first() else { return };
                (&first.returns[..], &first.parameters[..], Some(listed))
            }
        };
        let signature = self.signature(returns, parameters);
        let is_listed = |function: &Function| {
            listed.as_ref().is_none_or(|listed| listed.iter().any(|&listed| ptr::eq(listed, function)))
        };
        let fitting = self.taken.iter().filter(|(function, own)| *own == signature && function.body.is_some());
        let callees: Vec<&Function> = fitting.map(|(function, _)| *function).filter(|one| is_listed(one)).collect();
        self.graph.entry(caller).or_default().extend(callees.iter().map(|callee| callee.name.text.as_str()));
        self.indirect
            .insert(ptr::from_ref(call.callee), IndirectCall { label, signature, returns, parameters, callees });
    }
}

/// The prototypes and lists of functions of a block.
fn prototypes(statements: &[Statement]) -> Prototypes<'_> {
    let prototypes = syntax::labels(statements).filter_map(|(name, labelled)| match labelled {
        Labelled::Prototype(prototype) => Some((name.text.as_str(), (name, prototype))),
        Labelled::Place | Labelled::BranchTargets(_) => None,
    });
    prototypes.collect()
}

fn function_of<'m>(name: &str, scopes: &Scopes<'m>) -> Option<&'m Function> {
    match scopes.find(name) {
        Some(Meaning::Function(function)) if function.kind == FunctionKind::Func => Some(function),
        _ => None,
    }
}

/// The functions that are named other than to call them. A name that a block gives to something else makes one too many.
fn named_functions<'m>(module: &'m Module, scopes: &Scopes<'m>) -> HashSet<&'m str> {
    let mut named = HashSet::new();
    let mut name = |name: &str| named.extend(function_of(name, scopes).map(|function| function.name.text.as_str()));
    module.variables().for_each(|variable| initial_names(variable.initializer.as_ref(), &mut name));
    for function in module.functions() {
        let statements = function.body.as_ref().map_or(&[][..], |body| &body.statements);
        super::walk(statements, &mut |statement| match &statement.kind {
            StatementKind::Variable(variable) => initial_names(variable.initializer.as_ref(), &mut name),
            StatementKind::Instruction(instruction) if instruction.as_call().is_none() => {
                for operand in &instruction.operands {
                    if let OperandKind::Name(own) | OperandKind::Sum(own, _) = &operand.kind {
                        name(own);
                    }
                }
            }
            _ => {}
        });
    }
    named
}

fn initial_names(initializer: Option<&Initializer>, visit: &mut impl FnMut(&str)) {
    let mut pending: Vec<&Initializer> = initializer.into_iter().collect();
    while let Some(next) = pending.pop() {
        match next {
            Initializer::List(all) => pending.extend(all),
            Initializer::Symbol { name, .. } => visit(&name.text),
            Initializer::Integer(..) | Initializer::Float(..) => {}
        }
    }
}

impl Emitter<'_, '_> {
    /// The address of a function, which is none of memory.
    pub(super) fn function_address(&self, function: &Function) -> Option<Operand> {
        let number = *self.callees.numbers.get(function.name.text.as_str())?;
        let address = FIRST + APART * number as u64;
        Some(super::operands::constant(address.into(), ScalarType::U64))
    }
}
