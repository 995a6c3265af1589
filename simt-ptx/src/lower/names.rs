//! Names of a function: blocks in it have their own.

use super::emit::Emitter;
use crate::syntax::{Name, Registers, Statement, StatementKind, Variable};
use simt_core::ScalarType;
use simt_core::code::Reg;
use std::collections::HashMap;

/// The number of a label in its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LabelId(pub(super) usize);

/// What a name of a block is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Named<'m> {
    /// A register, or a row of them.
    Registers(&'m Registers),
    /// A variable.
    Variable(&'m Variable),
    /// A place.
    Label(LabelId),
}

#[derive(Debug, Default)]
struct Scope<'m> {
    names: HashMap<&'m str, Named<'m>>,
    /// Rows of registers: their names without numbers, and how many there are.
    rows: Vec<(&'m str, u32, &'m Registers)>,
    /// Registers that have been used.
    registers: HashMap<String, Reg>,
    /// The statements, in which calls are looked for.
    statements: &'m [Statement],
    /// The labels of branches that stand in front of tables.
    tables: HashMap<&'m str, &'m [Name]>,
}

/// The blocks around a statement, the innermost last.
#[derive(Debug, Default)]
pub(super) struct Scopes<'m>(Vec<Scope<'m>>);

impl<'m> Scopes<'m> {
    /// Enters a block, whose names hold in all of it.
    pub(super) fn open(&mut self, statements: &'m [Statement], labels: &mut Vec<Option<simt_core::code::Pc>>) {
        let mut scope = Scope { statements, ..Scope::default() };
        let mut last_label = None;
        for statement in statements {
            match &statement.kind {
                StatementKind::Label(name) => {
                    labels.push(None);
                    scope.names.insert(&name.text, Named::Label(LabelId(labels.len() - 1)));
                    last_label = Some(name.text.as_str());
                    continue;
                }
                StatementKind::Registers(registers) => {
                    for name in &registers.names {
                        match name.count {
                            Some(count) => scope.rows.push((&name.name.text, count, registers)),
                            None => drop(scope.names.insert(&name.name.text, Named::Registers(registers))),
                        }
                    }
                }
                StatementKind::Variable(variable) => {
                    scope.names.insert(&variable.name.text, Named::Variable(variable));
                }
                StatementKind::BranchTargets(targets) => {
                    if let Some(label) = last_label {
                        scope.tables.insert(label, targets);
                    }
                }
                _ => {}
            }
            last_label = None;
        }
        self.0.push(scope);
    }

    pub(super) fn close(&mut self) {
        self.0.pop();
    }

    /// What a name is, and the number of the block that has it.
    pub(super) fn find(&self, name: &str) -> Option<(usize, Named<'m>)> {
        self.0.iter().enumerate().rev().find_map(|(number, scope)| {
            let of_row = || {
                scope.rows.iter().find_map(|&(row, count, registers)| {
                    let digits = name.strip_prefix(row)?;
                    let plain = digits == "0" || !digits.starts_with('0');
                    let number: u32 = digits.parse().ok().filter(|_| plain)?;
                    (number < count).then_some(Named::Registers(registers))
                })
            };
            scope.names.get(name).copied().or_else(of_row).map(|named| (number, named))
        })
    }

    pub(super) fn label(&self, name: &str) -> Option<LabelId> {
        match self.find(name)? {
            (_, Named::Label(label)) => Some(label),
            _ => None,
        }
    }

    /// The labels of a `.branchtargets`.
    pub(super) fn targets(&self, name: &str) -> Option<&'m [Name]> {
        self.0.iter().rev().find_map(|scope| scope.tables.get(name).copied())
    }

    /// The statements of the block that declares a variable.
    pub(super) fn statements_of(&self, block: usize) -> &'m [Statement] {
        self.0[block].statements
    }

    fn known(&self, block: usize, name: &str) -> Option<Reg> {
        self.0[block].registers.get(name).copied()
    }

    fn add(&mut self, block: usize, name: &str, reg: Reg) {
        self.0[block].registers.insert(name.to_string(), reg);
    }
}

impl Emitter<'_, '_> {
    /// The register of a name, if it is one of a type that kernels compute with.
    pub(super) fn named_register(&mut self, name: &str) -> Option<Reg> {
        let (block, Named::Registers(registers)) = self.scopes.find(name)? else { return None };
        if let Some(reg) = self.scopes.known(block, name) {
            return Some(reg);
        }
        let ty = super::operands::scalar(registers.ty).filter(|_| registers.vector.is_none())?;
        let ty = match ty {
            // The bits above a narrow value are those of its type: a register has zeros there.
            ScalarType::I8 => ScalarType::U8,
            ScalarType::I16 => ScalarType::U16,
            ty => ty,
        };
        let reg = self.register(Some(name), ty, ty != ScalarType::Bool);
        self.scopes.add(block, name, reg);
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
