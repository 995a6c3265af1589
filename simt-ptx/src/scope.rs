//! What names mean: scopes in scopes, and rows of registers.

use crate::syntax::{Function, ItemKind, Module, Name, Registers, Space, Type, Variable, Vector};
use crate::table::{Special, special};
use std::collections::HashMap;

/// What a name means.
#[derive(Clone, Copy, Debug)]
pub enum Meaning<'a> {
    /// A register.
    Register {
        /// Its type.
        ty: Type,
        /// Of how many that it is a vector.
        vector: Option<Vector>,
        /// The scope that declares it: registers of the same name in other scopes are others.
        scope: usize,
    },
    /// A register that the machine fills.
    Special(Special),
    /// A variable or a parameter, and whether it is a parameter of the function itself.
    Variable {
        /// Which.
        variable: &'a Variable,
        /// Whether the function has it from its caller, or returns it.
        of_function: bool,
        /// The scope that declares it; 0 is the module.
        scope: usize,
    },
    /// A function.
    Function(&'a Function),
}

/// A row of registers: `%r<12>`.
#[derive(Clone, Copy, Debug)]
struct Row {
    count: u32,
    ty: Type,
    vector: Option<Vector>,
}

#[derive(Debug, Default)]
struct Scope<'a> {
    /// Its number, by which registers of different scopes are told apart.
    number: usize,
    names: HashMap<&'a str, Meaning<'a>>,
    rows: HashMap<&'a str, Row>,
}

/// The scopes at a place in a module, the module's first.
#[derive(Debug, Default)]
pub struct Scopes<'a> {
    scopes: Vec<Scope<'a>>,
    /// How many scopes there have been.
    count: usize,
}

impl<'a> Scopes<'a> {
    /// The scope of a module, with its functions, variables and registers. Of several declarations of a function the one with a
    /// body counts, of a variable the one that is not `.extern`; of two such the first.
    #[must_use]
    pub fn new(module: &'a Module) -> Scopes<'a> {
        let mut scopes = Scopes::default();
        scopes.enter();
        for function in module.functions() {
            let names = &mut scopes.scopes[0].names;
            match names.get(function.name.text.as_str()) {
                Some(Meaning::Function(known)) if known.body.is_none() && function.body.is_some() => {}
                Some(_) => continue,
                None => {}
            }
            names.insert(&function.name.text, Meaning::Function(function));
        }
        for item in &module.items {
            if let ItemKind::Alias { name, of } = &item.kind
                && let Some(Meaning::Function(function)) = scopes.find(&of.text)
                && let Some(Meaning::Function(_)) = scopes.find(&name.text)
            {
                scopes.scopes[0].names.insert(&name.text, Meaning::Function(function));
            }
        }
        scopes
    }

    /// Opens a scope in the innermost, and returns its number.
    pub fn enter(&mut self) -> usize {
        let number = self.count;
        self.count += 1;
        self.scopes.push(Scope { number, ..Scope::default() });
        number
    }

    /// Closes the innermost scope.
    pub fn leave(&mut self) {
        self.scopes.pop();
    }

    /// Declares registers in the innermost scope; returns the names that it had already.
    pub fn registers(&mut self, registers: &'a Registers) -> Vec<&'a Name> {
        let Some(scope) = self.scopes.last_mut() else { return Vec::new() };
        let (ty, vector) = (registers.ty, registers.vector);
        let mut again = Vec::new();
        for name in &registers.names {
            let text = name.name.text.as_str();
            let known = match name.count {
                Some(count) => scope.rows.insert(text, Row { count, ty, vector }).is_some(),
                None => scope.names.insert(text, Meaning::Register { ty, vector, scope: scope.number }).is_some(),
            };
            again.extend(known.then_some(&name.name));
        }
        again
    }

    /// Declares a variable in the innermost scope; returns what it replaces.
    pub fn variable(&mut self, variable: &'a Variable, of_function: bool) -> Option<Meaning<'a>> {
        let scope = self.scopes.last_mut()?;
        let number = scope.number;
        let meaning = match variable.space {
            Space::Reg => Meaning::Register { ty: variable.ty, vector: variable.vector, scope: number },
            _ => Meaning::Variable { variable, of_function, scope: number },
        };
        scope.names.insert(&variable.name.text, meaning)
    }

    /// What a name means here; `q.x` is a part of a register that is a vector.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<Meaning<'a>> {
        let Some((whole, _)) = name.split_once('.') else { return self.find_whole(name) };
        match self.find_whole(whole) {
            Some(Meaning::Register { ty, vector: Some(_), scope }) => {
                Some(Meaning::Register { ty, vector: None, scope })
            }
            _ => self.find_whole(name),
        }
    }

    fn find_whole(&self, name: &str) -> Option<Meaning<'a>> {
        // `%r12` of the row `%r`; `%r012` is of none.
        // A `u32` has at most ten.
        let digits = name.bytes().rev().take(10).take_while(u8::is_ascii_digit).count();
        let number = |at: usize| {
            let digits = &name[at..];
            let plain = digits.len() == 1 || !digits.starts_with('0');
            digits.parse::<u32>().ok().filter(|_| plain)
        };
        for scope in self.scopes.iter().rev() {
            if let Some(meaning) = scope.names.get(name) {
                return Some(*meaning);
            }
            if scope.rows.is_empty() {
                continue;
            }
            // A row's name may itself end with a digit: `%x1<3>` has `%x12`.
            for at in name.len() - digits..name.len() {
                let row = scope.rows.get(&name[..at]);
                if let Some(row) = row.filter(|row| number(at).is_some_and(|number| number < row.count)) {
                    return Some(Meaning::Register { ty: row.ty, vector: row.vector, scope: scope.number });
                }
            }
        }
        special(name).map(Meaning::Special)
    }

    /// The row of registers that a name is beyond the end of, and how many it has: `%r12` of `%r<12>`.
    pub(crate) fn beyond(&self, name: &str) -> Option<(&'a str, u32)> {
        let row = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let found = self.scopes.iter().rev().find_map(|scope| scope.rows.get_key_value(row));
        found.filter(|_| row.len() < name.len()).map(|(row, found)| (*row, found.count))
    }
}
