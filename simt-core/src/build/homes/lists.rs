//! The lists of variables that are the elements of one array, and the copies of each.

use super::Copied;
use crate::program::{
    ArrayId, Block, Expr, ExprId, FunctionId, LoadAccess, Memory, Program, StmtKind, StoreAccess, VarId,
};
use std::collections::BTreeMap;

/// Number of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ListId(pub(super) usize);

/// Variables that are the elements of an array, in their order.
#[derive(Debug)]
pub(super) struct List {
    pub(super) variables: Vec<VarId>,
    /// The function that has them.
    pub(super) function: Option<FunctionId>,
    /// Whether it is to have a home because of its own copies.
    pub(super) has_copies: bool,
}

/// A copy of a list.
#[derive(Debug)]
pub(super) struct Copy {
    pub(super) array: ArrayId,
    pub(super) list: ListId,
    /// Whether it is the home.
    pub(super) is_home: bool,
}

/// All of them.
#[derive(Debug, Default)]
pub(super) struct Lists {
    pub(super) lists: Vec<List>,
    pub(super) copies: Vec<Copy>,
    /// By variable: its list and its index there.
    pub(super) places: BTreeMap<VarId, (ListId, usize)>,
    /// By array: the copy that it is.
    pub(super) of_arrays: BTreeMap<ArrayId, usize>,
}

/// A statement that makes an element of a copy and its variable equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moved {
    /// `copy[index] = variable;`
    In { copy: usize, index: usize },
    /// `variable = copy[index];`
    Out { copy: usize, index: usize },
}

impl Lists {
    pub(super) fn new(program: &Program, copies: &[Copied]) -> Self {
        let mut lists = Self::default();
        for Copied { array, variables } in copies {
            let declared = program.array(*array);
            if declared.length as usize != variables.len() || variables.is_empty() {
                continue;
            }
            let list = lists.list(program, variables, declared.function);
            if let Some(&known) = lists.of_arrays.get(array) {
                // Filled more than once: a copy of one list.
                let known = &mut lists.copies[known];
                known.is_home &= list == Some(known.list);
                continue;
            }
            if let Some(list) = list {
                lists.lists[list.0].has_copies = true;
                lists.of_arrays.insert(*array, lists.copies.len());
                lists.copies.push(Copy { array: *array, list, is_home: true });
            }
        }
        lists
    }

    /// The list of variables, a new one if need be; none if one of them is in another list.
    pub(super) fn list(
        &mut self,
        program: &Program,
        variables: &[VarId],
        function: Option<FunctionId>,
    ) -> Option<ListId> {
        let first = self.places.get(variables.first()?).copied();
        if let Some((list, _)) = first {
            return (self.lists[list.0].variables == variables).then_some(list);
        }
        let ty = program.variable(variables[0]).ty;
        let mut sorted = variables.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        let is_result = |var| program.functions.iter().any(|function| function.result == Some(var));
        let is_free =
            |var: &VarId| !self.places.contains_key(var) && program.variable(*var).ty == ty && !is_result(*var);
        if sorted.len() < variables.len() || !variables.iter().all(is_free) {
            return None;
        }
        let list = ListId(self.lists.len());
        self.places.extend(variables.iter().enumerate().map(|(index, &var)| (var, (list, index))));
        self.lists.push(List { variables: variables.to_vec(), function, has_copies: false });
        Some(list)
    }

    /// What a statement moves between a copy and its variables, if it does nothing else.
    pub(super) fn moved(&self, program: &Program, kind: &StmtKind) -> Option<Moved> {
        match *kind {
            StmtKind::Store { slice: Memory::Array(array), index, value, access: StoreAccess::Plain } => {
                let Expr::Var(var) = program.expr(value).expr else { return None };
                let (copy, index) = self.element(program, array, index, var)?;
                Some(Moved::In { copy, index })
            }
            StmtKind::Assign { var, value } => {
                let Expr::Load { slice: Memory::Array(array), index, access: LoadAccess::Plain } =
                    program.expr(value).expr
                else {
                    return None;
                };
                let (copy, index) = self.element(program, array, index, var)?;
                Some(Moved::Out { copy, index })
            }
            _ => None,
        }
    }

    fn element(&self, program: &Program, array: ArrayId, index: ExprId, var: VarId) -> Option<(usize, usize)> {
        let copy = *self.of_arrays.get(&array)?;
        let index = known_index(program, index)?;
        let list = &self.lists[self.copies[copy].list.0];
        (list.variables.get(index) == Some(&var)).then_some((copy, index))
    }

    /// Leaves out the lists that would cost more than they do as variables.
    pub(super) fn weigh(&mut self, program: &Program) {
        let mut costs = vec![(0u64, 0u64); self.lists.len()];
        for (_, body) in program.bodies() {
            self.count(program, body, 1, &mut costs);
        }
        for (list, (copied, named)) in costs.into_iter().enumerate() {
            let has_home = self.copies.iter().any(|copy| copy.list == ListId(list) && copy.is_home);
            self.lists[list].has_copies = has_home && copied >= named;
        }
    }

    /// Adds up, for each list, what moves between its variables and homes, and where else the variables are read.
    fn count(&self, program: &Program, block: &Block, weight: u64, costs: &mut [(u64, u64)]) {
        for stmt in block {
            if let Some(Moved::In { copy, .. } | Moved::Out { copy, .. }) = self.moved(program, &stmt.kind)
                && self.copies[copy].is_home
            {
                costs[self.copies[copy].list.0].0 += weight;
                continue;
            }
            // What is passed, or copied, is as much in an array as in variables.
            let is_moved = matches!(stmt.kind, StmtKind::Assign { value, .. } | StmtKind::Store { value, .. }
                if matches!(program.expr(value).expr, Expr::Var(_)));
            if !is_moved && !matches!(stmt.kind, StmtKind::Call { .. }) {
                for expr in stmt.kind.exprs() {
                    each_node(program, expr, &mut |expr| {
                        if let Expr::Var(var) = expr
                            && let Some((list, _)) = self.places.get(&var)
                        {
                            costs[list.0].1 += weight;
                        }
                    });
                }
            }
            let inner = if matches!(stmt.kind, StmtKind::While { .. }) { weight.saturating_mul(8) } else { weight };
            stmt.kind.blocks().for_each(|block| self.count(program, block, inner, costs));
        }
    }
}

/// Calls `see` for each node of an expression.
pub(super) fn each_node(program: &Program, id: ExprId, see: &mut impl FnMut(Expr)) {
    let expr = program.expr(id).expr;
    see(expr);
    expr.children().for_each(|child| each_node(program, child, see));
}

/// An index that is a constant.
pub(super) fn known_index(program: &Program, index: ExprId) -> Option<usize> {
    match program.expr(index).expr {
        Expr::Const(constant) => usize::try_from(constant.bits).ok(),
        _ => None,
    }
}

/// Calls `see` for each statement of a block, also those inside others.
pub(super) fn each_statement<'p>(block: &'p Block, see: &mut impl FnMut(&'p StmtKind)) {
    for stmt in block {
        see(&stmt.kind);
        stmt.kind.blocks().for_each(|block| each_statement(block, see));
    }
}
