//! The parts of `.param` variables: bytes that are accessed by themselves.
//!
//! Where one instruction writes eight bytes and another reads four of them, there are two parts, of four bytes each.

use super::callees::{Callees, Class};
use crate::scope::{Meaning, Scopes};
use crate::syntax::{Call, Module, OperandKind, Space, Statement, StatementKind, Type, Vector};
use std::collections::{BTreeSet, HashMap};

/// Bytes of a variable: the first, and how many.
pub(super) type Bytes = (u32, u32);

/// A variable of functions: which, whether it is returned, and its number.
type Variable<'m> = (Class<'m>, bool, u32);

/// The parts of the variables of all functions.
#[derive(Debug, Default)]
pub(super) struct Parts<'m>(HashMap<Variable<'m>, Vec<Bytes>>);

impl<'m> Parts<'m> {
    /// Those of a module, by all accesses in it.
    pub(super) fn of(module: &'m Module, scopes: &Scopes<'m>, callees: &Callees<'m>) -> Self {
        let mut accesses: HashMap<Variable<'m>, Vec<Bytes>> = HashMap::new();
        for function in module.functions() {
            let statements = function.body.as_ref().map_or(&[][..], |body| &body.statements);
            let by_name = accesses_of(statements);
            for (returned, variables) in [(false, &function.parameters), (true, &function.returns)] {
                for (number, variable) in (0..).zip(variables) {
                    let known = by_name.get(variable.name.text.as_str()).map_or(&[][..], Vec::as_slice);
                    let of = (callees.class(&function.name.text), returned, number);
                    if variable.space == Space::Reg {
                        accesses.entry(of).or_default().push((0, variable.ty.bytes()));
                    }
                    accesses.entry(of).or_default().extend_from_slice(known);
                }
            }
            calls(statements, &[], &mut |call, around: &[&HashMap<&str, Vec<Bytes>>]| {
                let OperandKind::Name(callee) = &call.callee.kind else { return };
                let (class, parameters, returns) = match (scopes.find(callee), callees.indirect(&call)) {
                    (Some(Meaning::Function(callee)), _) => {
                        (callees.class(&callee.name.text), &callee.parameters[..], &callee.returns[..])
                    }
                    (_, Some(call)) => (Class::Signature(call.signature), call.parameters, call.returns),
                    _ => return,
                };
                for (returned, passed, declared) in [(false, call.arguments, parameters), (true, call.returns, returns)]
                {
                    for ((number, operand), variable) in (0..).zip(passed).zip(declared) {
                        // The block that has the variable has its accesses, too; what is no variable is passed as a whole.
                        let known = match &operand.kind {
                            OperandKind::Name(name) => around.iter().rev().find_map(|block| block.get(name.as_str())),
                            _ => None,
                        };
                        let whole = [(0, variable.ty.bytes())];
                        let known = known.map_or(&whole[..], Vec::as_slice);
                        accesses.entry((class, returned, number)).or_default().extend_from_slice(known);
                    }
                }
            });
        }
        Self(accesses.into_iter().map(|(variable, all)| (variable, parts(&all))).collect())
    }

    /// All parts of a variable.
    pub(super) fn all(&self, variable: Variable<'_>) -> Vec<Bytes> {
        self.0.get(&variable).cloned().unwrap_or_default()
    }

    /// The parts of some bytes; none if these are not as many.
    pub(super) fn within(&self, variable: Variable<'_>, (first, count): Bytes) -> Vec<Bytes> {
        let mut parts = self.all(variable);
        parts.retain(|&(at, bytes)| at >= first && at + bytes <= first + count);
        if parts.iter().map(|&(_, bytes)| bytes).sum::<u32>() == count { parts } else { Vec::new() }
    }
}

/// The accesses of parameters in a block and those in it, by the name of the variable.
fn accesses_of(statements: &[Statement]) -> HashMap<&str, Vec<Bytes>> {
    let mut by_name: HashMap<&str, Vec<Bytes>> = HashMap::new();
    super::walk(statements, &mut |statement| {
        let StatementKind::Instruction(instruction) = &statement.kind else { return };
        let words = || instruction.modifiers.iter().map(|name| name.text.as_str());
        let accesses = matches!(instruction.opcode.text.as_str(), "ld" | "st");
        if !accesses || !words().any(|word| word.starts_with("param")) {
            return;
        }
        let bytes = words().find_map(Type::from_text).map_or(0, Type::bytes);
        let count = words().find_map(Vector::from_text).map_or(1, Vector::elements);
        for operand in &instruction.operands {
            if let OperandKind::Address { base: Some(base), offset } = &operand.kind
                && let Ok(offset) = u32::try_from(*offset)
            {
                let elements = (0..count).filter_map(|number| Some((offset.checked_add(number * bytes)?, bytes)));
                by_name.entry(&base.text).or_default().extend(elements);
            }
        }
    });
    by_name
}

/// The calls of a block and of those in it, each with the accesses of the blocks around it, the innermost last.
fn calls<'m>(
    statements: &'m [Statement],
    around: &[&HashMap<&'m str, Vec<Bytes>>],
    visit: &mut impl FnMut(Call<'m>, &[&HashMap<&'m str, Vec<Bytes>>]),
) {
    let own = accesses_of(statements);
    let around: Vec<&HashMap<&'m str, Vec<Bytes>>> = around.iter().copied().chain([&own]).collect();
    for statement in statements {
        match &statement.kind {
            StatementKind::Instruction(instruction) => {
                if let Some(call) = instruction.as_call() {
                    visit(call, &around);
                }
            }
            StatementKind::Block(block) => calls(&block.statements, &around, visit),
            _ => {}
        }
    }
}

/// The bytes that accesses have, cut wherever one begins or ends, into powers of two.
fn parts(accesses: &[Bytes]) -> Vec<Bytes> {
    let ends = |&(first, count): &Bytes| [first, first.saturating_add(count)];
    let cuts: BTreeSet<u32> = accesses.iter().flat_map(ends).collect();
    let cuts: Vec<u32> = cuts.into_iter().collect();
    let mut parts = Vec::new();
    for ends in cuts.windows(2) {
        let is_accessed = |&(first, count): &Bytes| first <= ends[0] && ends[1] <= first.saturating_add(count);
        if !accesses.iter().any(is_accessed) {
            continue;
        }
        let mut first = ends[0];
        while first < ends[1] {
            let fits = |bytes: &u32| first.is_multiple_of(*bytes) && first + bytes <= ends[1];
            let bytes = [8, 4, 2, 1].into_iter().find(fits).unwrap_or(1);
            parts.push((first, bytes));
            first += bytes;
        }
    }
    parts
}
