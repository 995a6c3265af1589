//! Names of a function: which register one is, and the blocks with their labels.

use super::emit::Emitter;
use super::labels::LabelId;
use crate::scope::{Meaning, Scopes};
use crate::syntax::{self, Function, Labelled, Linkage, Module, Name, Statement, StatementKind};
use simt_core::ScalarType;
use simt_core::code::Reg;
use std::collections::HashMap;

#[derive(Debug)]
struct Block<'m> {
    labels: HashMap<&'m str, LabelId>,
    /// Lists of labels, by the label that stands in front of each.
    targets: HashMap<&'m str, &'m [Name]>,
}

/// The blocks around a statement, the innermost last.
#[derive(Debug, Default)]
pub(super) struct Blocks<'m>(Vec<Block<'m>>);

impl<'m> Blocks<'m> {
    pub(super) fn label(&self, name: &str) -> Option<LabelId> {
        self.0.iter().rev().find_map(|block| block.labels.get(name).copied())
    }

    /// A label of the innermost block; none of a list or a prototype, which is no place.
    pub(super) fn own_label(&self, name: &str) -> Option<LabelId> {
        self.0.last().and_then(|block| block.labels.get(name).copied())
    }

    /// The labels of a `.branchtargets`.
    pub(super) fn targets(&self, name: &str) -> Option<&'m [Name]> {
        self.0.iter().rev().find_map(|block| block.targets.get(name).copied())
    }
}

/// The names of a module. Of several declarations of a variable the one that is not `.extern` counts.
pub(super) fn of_module(module: &Module) -> Scopes<'_> {
    let mut scopes = Scopes::new(module);
    let (declared, defined): (Vec<_>, Vec<_>) = module.variables().partition(|one| one.linkage == Linkage::Extern);
    for variable in declared.into_iter().chain(defined) {
        scopes.variable(variable, false);
    }
    scopes
}

/// Enters a function, whose parameters have names.
pub(super) fn enter_function<'m>(scopes: &mut Scopes<'m>, function: &'m Function) {
    scopes.enter();
    for variable in function.returns.iter().chain(&function.parameters) {
        scopes.variable(variable, true);
    }
}

/// Enters a block, whose names hold in all of it.
pub(super) fn enter_block<'m>(scopes: &mut Scopes<'m>, statements: &'m [Statement]) {
    scopes.enter();
    for statement in statements {
        match &statement.kind {
            StatementKind::Registers(registers) => drop(scopes.registers(registers)),
            StatementKind::Variable(variable) => drop(scopes.variable(variable, false)),
            _ => {}
        }
    }
}

impl<'m> Emitter<'m, '_> {
    /// Enters a block, whose names hold in all of it.
    pub(super) fn enter_block(&mut self, statements: &'m [Statement]) {
        enter_block(&mut self.scopes, statements);
        let mut block = Block { labels: HashMap::new(), targets: HashMap::new() };
        for (name, labelled) in syntax::labels(statements) {
            match labelled {
                Labelled::Place => drop(block.labels.insert(&name.text, self.new_label())),
                Labelled::BranchTargets(targets) => drop(block.targets.insert(&name.text, targets)),
                Labelled::Prototype(_) => {}
            }
        }
        self.blocks.0.push(block);
    }

    pub(super) fn leave_block(&mut self) {
        self.scopes.leave();
        self.blocks.0.pop();
    }

    /// The register of a name, if it is one of a type that kernels compute with.
    pub(super) fn named_register(&mut self, name: &str) -> Option<Reg> {
        let Some(Meaning::Register { ty, vector: None, scope }) = self.scopes.find(name) else { return None };
        if let Some(&reg) = self.named.get(&scope).and_then(|names| names.get(name)) {
            return Some(reg);
        }
        let ty = match super::operands::scalar(ty)? {
            // The bits above a narrow value are those of its type: a register has zeros there.
            ScalarType::I8 => ScalarType::U8,
            ScalarType::I16 => ScalarType::U16,
            ty => ty,
        };
        let reg = self.register(Some(name), ty, ty != ScalarType::Bool);
        self.named.entry(scope).or_default().insert(name.to_string(), reg);
        Some(reg)
    }

    /// The register of a predicate.
    pub(super) fn predicate(&mut self, name: &Name) -> Option<Reg> {
        match self.named_register(&name.text) {
            Some(reg) if self.type_of(reg) == ScalarType::Bool => Some(reg),
            _ => {
                self.problem(name.span, format!("`{name}` is no predicate"), "declare it by `.reg .pred`");
                None
            }
        }
    }
}
