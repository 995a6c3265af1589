//! Names under which parameters, arrays, variables and functions are printed: no two the same.

use crate::program::{FunctionId, Memory, ParamId, Program, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// What each parameter, array, variable and function is called in print.
pub(super) struct Names {
    params: Vec<String>,
    arrays: Vec<String>,
    variables: Vec<String>,
    functions: Vec<String>,
}

impl Names {
    /// Parameters have the names of the signature. An array has its user's name, and a variable too, or `_3` if it has
    /// none; where that is taken (the user shadowed it), it gets primes as in a paper, counted: `x'2`. So do functions,
    /// beside the kernel.
    pub(super) fn of(program: &Program) -> Self {
        let params: Vec<String> = program.params.iter().map(|param| param.name.to_string()).collect();
        let mut values = Unique { taken: params.iter().cloned().collect(), counts: BTreeMap::new() };
        let arrays = program.arrays.iter().map(|array| values.name(&array.name)).collect();
        let variables = program.variables.iter().enumerate().map(|(number, variable)| match &variable.name {
            Some(name) => values.name(name),
            None => values.name(&format!("_{number}")),
        });
        let variables = variables.collect();
        let mut code = Unique { taken: BTreeSet::from([program.name.to_string()]), counts: BTreeMap::new() };
        let functions = program.functions.iter().map(|function| code.name(&function.name)).collect();
        Self { params, arrays, variables, functions }
    }

    pub(super) fn param(&self, id: ParamId) -> String {
        self.params.get(id.0 as usize).cloned().unwrap_or_else(|| format!("?p{}", id.0))
    }

    pub(super) fn memory(&self, memory: Memory) -> String {
        match memory {
            Memory::Param(param) => self.param(param),
            Memory::Array(id) => self.arrays.get(id.0 as usize).cloned().unwrap_or_else(|| format!("?a{}", id.0)),
        }
    }

    pub(super) fn variable(&self, id: VarId) -> String {
        self.variables.get(id.0 as usize).cloned().unwrap_or_else(|| format!("?v{}", id.0))
    }

    pub(super) fn function(&self, id: FunctionId) -> String {
        self.functions.get(id.0 as usize).cloned().unwrap_or_else(|| format!("?f{}", id.0))
    }
}

/// Makes names unique.
struct Unique {
    taken: BTreeSet<String>,
    /// Where to go on counting, for each name that was shadowed.
    counts: BTreeMap<String, usize>,
}

impl Unique {
    fn name(&mut self, wanted: &str) -> String {
        if self.taken.insert(wanted.to_string()) {
            return wanted.to_string();
        }
        let count = self.counts.entry(wanted.to_string()).or_insert(1);
        loop {
            *count += 1;
            let primed = format!("{wanted}'{count}");
            if self.taken.insert(primed.clone()) {
                return primed;
            }
        }
    }
}
