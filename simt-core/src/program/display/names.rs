//! Names under which parameters and variables are printed: no two the same.

use crate::program::{ParamId, Program, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// What each parameter and variable is called in print.
pub(super) struct Names {
    params: Vec<String>,
    variables: Vec<String>,
}

impl Names {
    /// Parameters have the names of the signature. A variable has its user's name, or `_3` if it has none; where that
    /// is taken (the user shadowed it), it gets primes as in a paper, counted: `x'2`.
    pub(super) fn of(program: &Program) -> Self {
        let params: Vec<String> = program.params.iter().map(|param| param.name.to_string()).collect();
        let mut taken: BTreeSet<String> = params.iter().cloned().collect();
        // Where to go on counting, for each name that was shadowed.
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let wanted = program.variables.iter().enumerate().map(|(number, variable)| {
            variable.name.as_ref().map_or_else(|| format!("_{number}"), |name| name.to_string())
        });
        let unique = wanted.map(|name| {
            if taken.insert(name.clone()) {
                return name;
            }
            let count = counts.entry(name.clone()).or_insert(1);
            loop {
                *count += 1;
                let primed = format!("{name}'{count}");
                if taken.insert(primed.clone()) {
                    return primed;
                }
            }
        });
        let variables = unique.collect();
        Self { params, variables }
    }

    pub(super) fn param(&self, id: ParamId) -> String {
        self.params.get(id.0 as usize).cloned().unwrap_or_else(|| format!("?p{}", id.0))
    }

    pub(super) fn variable(&self, id: VarId) -> String {
        self.variables.get(id.0 as usize).cloned().unwrap_or_else(|| format!("?v{}", id.0))
    }
}
