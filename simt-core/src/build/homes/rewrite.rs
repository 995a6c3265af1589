//! The program with homes in place of variables and their copies.

use super::calls::{Homes, taken};
use super::lists::{ListId, Lists, Moved, each_statement, known_index};
use crate::ops::Args;
use crate::program::{
    Array, ArrayId, ArraySpace, Block, Expr, ExprId, ExprNode, FunctionId, LoadAccess, Memory, Program, Stmt, StmtKind,
    StoreAccess, VarId, Variable,
};
use crate::scalar::{Constant, ScalarType};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

struct Rewrite<'a> {
    old: &'a Program,
    lists: &'a Lists,
    homes: &'a Homes,
    /// By root: its home, among the arrays of the old program and those that are new.
    arrays: BTreeMap<ListId, ArrayId>,
    exprs: Vec<ExprNode>,
    /// By variable that stays: its new number.
    variables: BTreeMap<VarId, VarId>,
    new_variables: Vec<Variable>,
    function: Option<FunctionId>,
}

/// Rewrites the program.
pub(super) fn rewrite(program: &mut Program, lists: &Lists, homes: &Homes) {
    let mut all = program.arrays.clone();
    let arrays = declare(program, lists, homes, &mut all);
    let (variables, new_variables) = kept(program, lists, homes);
    let mut rewrite =
        Rewrite { old: program, lists, homes, arrays, exprs: Vec::new(), variables, new_variables, function: None };
    let body = rewrite.block(&program.body);
    let mut functions = program.functions.clone();
    for (function, id) in functions.iter_mut().zip((0..).map(FunctionId)) {
        rewrite.function = Some(id);
        let mut body = rewrite.entered(&function.params, function.body.first().map_or(Span::default(), |s| s.span));
        body.extend(rewrite.block(&program.function(id).body));
        function.body = body;
        let dropped = homes.dropped.get(&id);
        let is_passed = |place: &usize| dropped.is_none_or(|dropped| !dropped.contains(place));
        let params =
            (0..function.params.len()).filter(is_passed).map(|place| rewrite.variables[&function.params[place]]);
        function.params = params.collect();
        function.result = function.result.map(|var| rewrite.variables[&var]);
    }
    let Rewrite { exprs, new_variables, .. } = rewrite;
    (program.body, program.functions, program.exprs, program.variables) = (body, functions, exprs, new_variables);
    program.arrays = all;
    leave_out(program, lists, homes);
}

/// The homes by root; those that are no copy of the root's own are new arrays.
fn declare(program: &Program, lists: &Lists, homes: &Homes, all: &mut Vec<Array>) -> BTreeMap<ListId, ArrayId> {
    let mut arrays = BTreeMap::new();
    for (number, root) in homes.roots.iter().enumerate() {
        if *root != Some(ListId(number)) {
            continue;
        }
        let root = ListId(number);
        let own = lists.copies.iter().find(|copy| copy.is_home && copy.list == root);
        let others = || lists.copies.iter().find(|copy| copy.is_home && homes.roots[copy.list.0] == Some(root));
        let Some(model) = own.or_else(others) else { continue };
        let mut id = model.array;
        if own.is_none() {
            id = ArrayId(all.len() as u32);
            let like = program.array(model.array);
            let first = |list: ListId| program.variable(lists.lists[list.0].variables[0]).name.as_deref();
            let name = renamed(&like.name, first(model.list), first(root));
            all.push(Array { name: name.into(), function: lists.lists[number].function, ..like.clone() });
        }
        arrays.insert(root, id);
    }
    arrays
}

/// The name of an array, from that of its first element, as a model has it.
fn renamed(array: &str, element: Option<&str>, other: Option<&str>) -> String {
    let (Some(element), Some(other)) = (element, other) else { return array.to_owned() };
    let common = array.bytes().zip(element.bytes()).take_while(|(a, b)| a == b).count();
    match (element.get(common..), array.get(common..)) {
        (Some(from), Some(to)) if other.ends_with(from) => format!("{}{to}", &other[..other.len() - from.len()]),
        _ => array.to_owned(),
    }
}

/// The variables that stay.
fn kept(program: &Program, lists: &Lists, homes: &Homes) -> (BTreeMap<VarId, VarId>, Vec<Variable>) {
    let (mut numbers, mut variables) = (BTreeMap::new(), Vec::new());
    let is_param = |root: ListId, list: ListId, var: &VarId| {
        let function = lists.lists[list.0].function.map(|id| program.function(id));
        root == list && function.is_some_and(|function| function.params.contains(var))
    };
    for (id, variable) in (0..).map(VarId).zip(&program.variables) {
        let place = lists.places.get(&id).and_then(|&(list, _)| Some((homes.roots[list.0]?, list)));
        if place.is_none_or(|(root, list)| is_param(root, list, &id)) {
            numbers.insert(id, VarId(variables.len() as u32));
            variables.push(variable.clone());
        }
    }
    (numbers, variables)
}

impl Rewrite<'_> {
    /// The home of a variable, and the index there.
    fn home(&self, var: VarId) -> Option<(ArrayId, usize)> {
        let &(list, index) = self.lists.places.get(&var)?;
        Some((*self.arrays.get(&self.homes.roots[list.0]?)?, index))
    }

    /// The home that a copy is.
    fn memory(&self, memory: Memory) -> Memory {
        let Memory::Array(array) = memory else { return memory };
        let copy = self.lists.of_arrays.get(&array).map(|&copy| &self.lists.copies[copy]);
        let root = copy.filter(|copy| copy.is_home).and_then(|copy| self.homes.roots[copy.list.0]);
        root.and_then(|root| self.arrays.get(&root)).map_or(memory, |&home| home.into())
    }

    fn push(&mut self, expr: Expr, ty: ScalarType, span: Span) -> ExprId {
        self.exprs.push(ExprNode { expr, ty, span });
        ExprId(self.exprs.len() as u32 - 1)
    }

    fn index(&mut self, index: usize, span: Span) -> ExprId {
        self.push(Expr::Const(Constant::of(index)), ScalarType::Usize, span)
    }

    fn expr(&mut self, id: ExprId) -> ExprId {
        let ExprNode { expr, ty, span } = *self.old.expr(id);
        let expr = match expr {
            Expr::Var(var) => match self.home(var) {
                Some((home, index)) => {
                    let index = self.index(index, span);
                    Expr::Load { slice: home.into(), index, access: LoadAccess::Plain }
                }
                None => Expr::Var(self.variables[&var]),
            },
            Expr::Load { slice, index, access } => {
                Expr::Load { slice: self.memory(slice), index: self.expr(index), access }
            }
            Expr::Len(memory) => Expr::Len(self.memory(memory)),
            Expr::Unary { op, value } => Expr::Unary { op, value: self.expr(value) },
            Expr::Binary { op, left, right } => {
                let left = self.expr(left);
                Expr::Binary { op, left, right: self.expr(right) }
            }
            Expr::Compare { op, left, right } => {
                let left = self.expr(left);
                Expr::Compare { op, left, right: self.expr(right) }
            }
            Expr::Cast { value } => Expr::Cast { value: self.expr(value) },
            Expr::Numeric { op, args } => Expr::Numeric { op, args: self.args(args) },
            Expr::Const(_) | Expr::Param(_) | Expr::Builtin(_) => expr,
        };
        self.push(expr, ty, span)
    }

    fn args(&mut self, args: Args<ExprId>) -> Args<ExprId> {
        match *args.as_slice() {
            [a] => [self.expr(a)].into(),
            [a, b] => [self.expr(a), self.expr(b)].into(),
            [a, b, c] => [self.expr(a), self.expr(b), self.expr(c)].into(),
            _ => args,
        }
    }

    /// What a function's homes begin with, of parameters.
    fn entered(&mut self, params: &[VarId], span: Span) -> Block {
        let mut block = Block::new();
        for param in params {
            if let (Some((home, index)), Some(&var)) = (self.home(*param), self.variables.get(param)) {
                let ty = self.old.variable(*param).ty;
                let value = self.push(Expr::Var(var), ty, span);
                block.push(self.store(home, index, value, span));
            }
        }
        block
    }

    fn store(&mut self, home: ArrayId, index: usize, value: ExprId, span: Span) -> Stmt {
        let index = self.index(index, span);
        Stmt { kind: StmtKind::Store { slice: home.into(), index, value, access: StoreAccess::Plain }, span }
    }

    /// Whether a statement moves between what are now two names of one element.
    fn is_idle(&self, kind: &StmtKind) -> bool {
        if let Some(Moved::In { copy, .. } | Moved::Out { copy, .. }) = self.lists.moved(self.old, kind) {
            let copy = &self.lists.copies[copy];
            return copy.is_home && self.homes.roots[copy.list.0].is_some();
        }
        let StmtKind::Store { slice: Memory::Array(array), index, .. } = *kind else { return false };
        let slots = self.function.and_then(|function| self.homes.slots.get(&function));
        slots.is_some_and(|slots| known_index(self.old, index).is_some_and(|index| slots.contains(&(array, index))))
    }

    fn block(&mut self, old: &Block) -> Block {
        let mut block = Block::with_capacity(old.len());
        // What the last call does not pass back.
        let mut unpassed = None;
        for stmt in old {
            if self.is_idle(&stmt.kind) {
                continue;
            }
            if let Some((slot, _)) = taken(self.old, &self.homes.passing, &stmt.kind)
                && unpassed.is_some_and(|slots: &BTreeSet<_>| slots.contains(&slot))
            {
                continue;
            }
            if let StmtKind::Call { function, .. } = &stmt.kind {
                unpassed = self.homes.slots.get(function);
            }
            self.statement(stmt, &mut block);
        }
        block
    }

    /// The variable that gets a result; of an element of a home a new one, which is stored behind the statement.
    fn result(&mut self, var: Option<VarId>) -> Option<VarId> {
        let var = var?;
        if self.home(var).is_none() {
            return Some(self.variables[&var]);
        }
        let ty = self.old.variable(var).ty;
        self.new_variables.push(Variable { name: None, ty, mutable: true });
        Some(VarId(self.new_variables.len() as u32 - 1))
    }

    fn statement(&mut self, stmt: &Stmt, block: &mut Block) {
        let span = stmt.span;
        // Apart from the others: a copy of these would copy all that is in them, at each level once more.
        let made = match &stmt.kind {
            StmtKind::Assign { var, value } => {
                let value = self.expr(*value);
                Some(match self.home(*var) {
                    Some((home, index)) => self.store(home, index, value, span),
                    None => Stmt { kind: StmtKind::Assign { var: self.variables[var], value }, span },
                })
            }
            StmtKind::If { cond, then, otherwise } => {
                let cond = self.expr(*cond);
                let (then, otherwise) = (self.block(then), self.block(otherwise));
                Some(Stmt { kind: StmtKind::If { cond, then, otherwise }, span })
            }
            StmtKind::While { cond, body, step } => {
                let cond = self.expr(*cond);
                let (body, step) = (self.block(body), self.block(step));
                Some(Stmt { kind: StmtKind::While { cond, body, step }, span })
            }
            _ => None,
        };
        if let Some(made) = made {
            block.push(made);
            return;
        }
        let mut kind = stmt.kind.clone();
        let assigned = kind.assigned();
        match &mut kind {
            StmtKind::Assign { .. }
            | StmtKind::If { .. }
            | StmtKind::While { .. }
            | StmtKind::Skip
            | StmtKind::Break { .. }
            | StmtKind::Continue { .. }
            | StmtKind::Return
            | StmtKind::Fence { .. } => {}
            StmtKind::Store { slice, index, value, .. } => {
                (*index, *value) = (self.expr(*index), self.expr(*value));
                *slice = self.memory(*slice);
            }
            StmtKind::Evaluate { value } => *value = self.expr(*value),
            StmtKind::Call { function, args, result } => {
                let dropped = self.homes.dropped.get(function);
                let is_passed = |place: usize| dropped.is_none_or(|dropped| !dropped.contains(&place));
                let passed: Vec<_> =
                    (0..args.len()).filter(|&place| is_passed(place)).map(|place| args[place]).collect();
                *args = passed.into_iter().map(|arg| self.expr(arg)).collect();
                *result = self.result(*result);
            }
            StmtKind::Print { args, .. } | StmtKind::Panic { args, .. } => {
                args.iter_mut().for_each(|arg| *arg = self.expr(*arg));
            }
            StmtKind::Atomic { target, index, operands, result, .. } => {
                *target = self.memory(*target);
                *index = self.expr(*index);
                operands.iter_mut().for_each(|operand| *operand = self.expr(*operand));
                *result = self.result(*result);
            }
            StmtKind::Collective { mask, args, result, .. } => {
                mask.iter_mut().chain(args).for_each(|arg| *arg = self.expr(*arg));
                *result = self.result(*result);
            }
            StmtKind::Barrier { index, threads, value, result, .. } => {
                index.iter_mut().chain(threads).chain(value).for_each(|arg| *arg = self.expr(*arg));
                *result = self.result(*result);
            }
        }
        let stored = assigned.and_then(|var| Some((self.home(var)?, self.old.variable(var).ty))).zip(kind.assigned());
        block.push(Stmt { kind, span });
        if let Some((((home, index), ty), var)) = stored {
            let value = self.push(Expr::Var(var), ty, span);
            block.push(self.store(home, index, value, span));
        }
    }
}

/// Leaves out the copies that are now the homes, and what nothing passes back.
fn leave_out(program: &mut Program, lists: &Lists, homes: &Homes) {
    let mut lengths = vec![None; program.arrays.len()];
    let mut see = |memory: Memory, index: Option<usize>| {
        if let Memory::Array(array) = memory {
            let length: &mut Option<usize> = &mut lengths[array.0 as usize];
            *length = (*length).max(Some(index.map_or(0, |index| index + 1)));
        }
    };
    for node in &program.exprs {
        match node.expr {
            Expr::Load { slice, index, .. } => see(slice, known_index(program, index)),
            Expr::Len(memory) => see(memory, None),
            _ => {}
        }
    }
    for (_, body) in program.bodies() {
        each_statement(body, &mut |kind| match kind {
            StmtKind::Store { slice, index, .. } => see(*slice, known_index(program, *index)),
            StmtKind::Atomic { target, .. } => see(*target, None),
            _ => {}
        });
    }
    let mut numbers = Vec::new();
    let mut arrays = Vec::new();
    for (number, mut array) in std::mem::take(&mut program.arrays).into_iter().enumerate() {
        let id = ArrayId(number as u32);
        numbers.push(ArrayId(arrays.len() as u32));
        let is_ours = lists.of_arrays.contains_key(&id) || homes.passing.contains(&id);
        if is_ours && lengths[number].is_none() {
            continue;
        }
        if homes.passing.contains(&id) {
            array.length = lengths[number].unwrap_or(0) as u32;
        }
        debug_assert!(array.space == ArraySpace::Local || !is_ours, "copies are local");
        arrays.push(array);
    }
    program.arrays = arrays;
    let renumber = |memory: &mut Memory| {
        if let Memory::Array(array) = memory {
            *array = numbers[array.0 as usize];
        }
    };
    for node in &mut program.exprs {
        if let Expr::Load { slice: memory, .. } | Expr::Len(memory) = &mut node.expr {
            renumber(memory);
        }
    }
    let bodies = std::iter::once(&mut program.body).chain(program.functions.iter_mut().map(|f| &mut f.body));
    let mut pending: Vec<&mut Block> = bodies.collect();
    while let Some(block) = pending.pop() {
        for stmt in block {
            match &mut stmt.kind {
                StmtKind::Store { slice, .. } => renumber(slice),
                StmtKind::Atomic { target, .. } => renumber(target),
                StmtKind::If { then, otherwise, .. } => pending.extend([then, otherwise]),
                StmtKind::While { body, step, .. } => pending.extend([body, step]),
                _ => {}
            }
        }
    }
}
