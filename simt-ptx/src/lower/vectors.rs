//! Registers that are vectors, as their parts: `q` of `.reg .v2 .f32 q` is `{q.x, q.y}`, and `q.x` is a register.
//!
//! A name has no dot, so that a part's is none of another register.

use super::names;
use crate::scope::{Meaning, Scopes};
use crate::syntax::{
    Block, Component, Function, Instruction, ItemKind, Module, Name, Operand, OperandKind, Registers, Space, Statement,
    StatementKind, Variable, Vector,
};
use std::borrow::Cow;

/// A module whose operands name no vector: as it is, if it declares none and copies none.
pub(super) fn spelled_out(module: &Module) -> Cow<'_, Module> {
    let bodies = || module.functions().filter_map(|function| function.body.as_ref());
    let passed = |function: &Function| has_vector(&function.returns) || has_vector(&function.parameters);
    if !module.functions().any(passed) && !bodies().any(|body| names_vector(&body.statements)) {
        return Cow::Borrowed(module);
    }
    let mut scopes = names::of_module(module);
    let mut all = module.clone();
    for (item, of) in all.items.iter_mut().zip(&module.items) {
        if let (ItemKind::Function(function), ItemKind::Function(of)) = (&mut item.kind, &of.kind) {
            names::enter_function(&mut scopes, of);
            function.returns = passed_parts(&of.returns);
            function.parameters = passed_parts(&of.parameters);
            function.body = of.body.as_ref().map(|body| block(&mut scopes, body));
            scopes.leave();
        }
    }
    Cow::Owned(all)
}

fn has_vector(variables: &[Variable]) -> bool {
    variables.iter().any(|variable| variable.space == Space::Reg && variable.vector.is_some())
}

fn names_vector(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| match &statement.kind {
        StatementKind::Block(block) => names_vector(&block.statements),
        StatementKind::Registers(Registers { vector, .. }) => vector.is_some(),
        StatementKind::CallPrototype { returns, parameters, .. } => has_vector(returns) || has_vector(parameters),
        // `mov.v4.u32 {..}, %tid`
        StatementKind::Instruction(instruction) => vector_of_move(instruction).is_some(),
        _ => false,
    })
}

/// How many values a `mov` copies one by one.
fn vector_of_move(instruction: &Instruction) -> Option<Vector> {
    let words = || instruction.modifiers.iter().map(|modifier| modifier.text.as_str());
    words().find_map(Vector::from_text).filter(|_| instruction.opcode.text == "mov")
}

fn components(vector: Vector) -> impl Iterator<Item = Component> {
    const ALL: [Component; 4] = [Component::X, Component::Y, Component::Z, Component::W];
    ALL.into_iter().take(vector.elements() as usize)
}

fn part(name: &str, component: Component) -> String {
    format!("{name}.{}", component.text())
}

/// What a function has from its caller, or returns.
fn passed_parts(variables: &[Variable]) -> Vec<Variable> {
    let parts = |variable: &Variable| match variable.vector.filter(|_| variable.space == Space::Reg) {
        None => vec![variable.clone()],
        Some(vector) => {
            let named = |component| Name { text: part(&variable.name.text, component), ..variable.name.clone() };
            let part = |component| Variable { vector: None, name: named(component), ..variable.clone() };
            components(vector).map(part).collect()
        }
    };
    variables.iter().flat_map(parts).collect()
}

/// A block is as deep as the parser lets it be.
fn block<'m>(scopes: &mut Scopes<'m>, of: &'m Block) -> Block {
    names::enter_block(scopes, &of.statements);
    let statements = of.statements.iter().map(|statement| {
        let kind = match &statement.kind {
            StatementKind::Block(inner) => StatementKind::Block(block(scopes, inner)),
            StatementKind::Instruction(instruction) => {
                let whole = vector_of_move(instruction);
                let operands = instruction.operands.iter().map(|operand| operand_parts(scopes, operand, whole));
                StatementKind::Instruction(Instruction { operands: operands.collect(), ..instruction.clone() })
            }
            StatementKind::CallPrototype { returns, parameters, no_return } => StatementKind::CallPrototype {
                returns: passed_parts(returns),
                parameters: passed_parts(parameters),
                no_return: *no_return,
            },
            other => other.clone(),
        };
        Statement { kind, span: statement.span }
    });
    let block = Block { statements: statements.collect(), end: of.end };
    scopes.leave();
    block
}

/// An operand by its parts; of `%tid` and its kind those that a `mov` copies.
fn operand_parts(scopes: &Scopes<'_>, operand: &Operand, whole: Option<Vector>) -> Operand {
    let inner = |all: &[Operand]| all.iter().map(|one| operand_parts(scopes, one, None)).collect::<Vec<_>>();
    let of = |kind| Operand { kind, span: operand.span };
    let kind = match &operand.kind {
        OperandKind::Name(name) => match scopes.find(name) {
            Some(Meaning::Register { vector: Some(vector), .. }) => {
                let parts = components(vector).map(|component| of(OperandKind::Name(part(name, component))));
                OperandKind::Vector(parts.collect())
            }
            Some(Meaning::Special(special)) if special.parts && whole.is_some() => {
                let parts = whole.into_iter().flat_map(components);
                OperandKind::Vector(
                    parts.map(|component| of(OperandKind::Component(name.clone(), component))).collect(),
                )
            }
            _ => return operand.clone(),
        },
        OperandKind::Component(name, component) => match scopes.find(name) {
            Some(Meaning::Register { vector: Some(_), .. }) => OperandKind::Name(part(name, *component)),
            _ => return operand.clone(),
        },
        OperandKind::Vector(all) => OperandKind::Vector(inner(all)),
        // What a call passes is a list of registers.
        OperandKind::List(all) => {
            let flat = inner(all).into_iter().flat_map(|one| match one.kind {
                OperandKind::Vector(parts) => parts,
                _ => vec![one],
            });
            OperandKind::List(flat.collect())
        }
        _ => return operand.clone(),
    };
    of(kind)
}
