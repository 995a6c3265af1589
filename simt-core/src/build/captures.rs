//! What closures capture, in the functions that they are passed to.
//!
//! A closure's body is built where it is called, and names variables of where it stands. No function may use those of another:
//! so they become parameters, of the functions that use them and of those that call these, and what is assigned goes back when
//! the function returns. This is lambda lifting, done once, when all functions are built.

use super::{Builder, State};
use crate::program::{Block, Expr, ExprId, ExprNode, FunctionId, LoadAccess, Stmt, StmtKind, StoreAccess, VarId};
use crate::scalar::{Constant, ScalarType};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Of one function.
#[derive(Debug, Default)]
struct Needs {
    /// The variables of others that it uses.
    used: BTreeSet<VarId>,
    /// Those of them that it assigns.
    assigned: BTreeSet<VarId>,
    calls: BTreeSet<FunctionId>,
}

impl Builder {
    /// Passes what closures capture to the functions that use it.
    pub(super) fn pass_captures(&self) {
        if !self.state.borrow().instances.iter().any(|instance| !instance.closures.is_empty()) {
            return;
        }
        let needs = self.state.borrow().needs();
        let mut passed = Vec::new();
        {
            let mut state = self.state.borrow_mut();
            for (number, need) in needs.iter().enumerate() {
                let names: BTreeMap<VarId, VarId> =
                    need.used.iter().map(|&var| (var, state.copy_of(var, FunctionId(number as u32)))).collect();
                state.program.functions[number].params.extend(names.values());
                passed.push(names);
            }
        }
        for number in 0..=needs.len() {
            let mut state = self.state.borrow_mut();
            // The kernel is the last.
            let own = passed.get(number);
            let body = match own {
                Some(_) => &mut state.program.functions[number].body,
                None => &mut state.open[0].stmts,
            };
            let mut body = std::mem::take(body);
            drop(state);
            let outputs = needs.get(number).map(|need| self.outputs(number, need, &passed[number]));
            let mut pass = Pass { k: self, needs: &needs, own, outputs: outputs.unwrap_or_default() };
            pass.block(&mut body);
            if own.is_some() {
                pass.give_back(&mut body, Span::default());
            }
            let mut state = self.state.borrow_mut();
            match own {
                Some(_) => state.program.functions[number].body = body,
                None => state.open[0].stmts = body,
            }
        }
    }

    /// Where a function gives back what it assigns: the variable of its own, and the place among the results.
    fn outputs(&self, number: usize, need: &Needs, names: &BTreeMap<VarId, VarId>) -> Vec<Output> {
        let results = self.state.borrow().instances[number].results.clone();
        let types: Vec<ScalarType> =
            need.assigned.iter().map(|&var| self.state.borrow().program.variable(var).ty).collect();
        let places = self.places_of(Span::default(), results.iter().chain(&types).copied());
        let places = places.into_iter().skip(results.len());
        need.assigned.iter().zip(places).map(|(var, place)| Output { var: names[var], place }).collect()
    }
}

/// A variable that goes back, through an element of an array of this type.
#[derive(Clone, Copy, Debug)]
struct Output {
    var: VarId,
    place: (crate::program::ArrayId, usize, ScalarType),
}

impl State {
    fn needs(&self) -> Vec<Needs> {
        let functions = &self.program.functions;
        let mut needs: Vec<Needs> =
            (0..functions.len()).map(|number| self.needs_of(FunctionId(number as u32))).collect();
        // What a function calls needs, it needs, too, but for its own.
        loop {
            let mut changed = false;
            for number in 0..needs.len() {
                for callee in needs[number].calls.clone() {
                    let is_others = |var: &&VarId| self.owners[var.0 as usize] != Some(FunctionId(number as u32));
                    let callee = &needs[callee.0 as usize];
                    let used: Vec<VarId> = callee.used.iter().filter(is_others).copied().collect();
                    let assigned: Vec<VarId> = callee.assigned.iter().filter(is_others).copied().collect();
                    let need = &mut needs[number];
                    let before = (need.used.len(), need.assigned.len());
                    need.used.extend(used);
                    need.assigned.extend(assigned);
                    changed |= before != (need.used.len(), need.assigned.len());
                }
            }
            if !changed {
                return needs;
            }
        }
    }

    fn needs_of(&self, id: FunctionId) -> Needs {
        let is_others = |var: VarId| self.owners[var.0 as usize] != Some(id);
        let mut needs = Needs::default();
        let mut blocks = vec![&self.program.functions[id.0 as usize].body];
        while let Some(block) = blocks.pop() {
            for statement in block {
                if let Some(var) = statement.kind.assigned().filter(|&var| is_others(var)) {
                    needs.used.insert(var);
                    needs.assigned.insert(var);
                }
                if let StmtKind::Call { function, .. } = statement.kind {
                    needs.calls.insert(function);
                }
                let mut exprs: Vec<ExprId> = statement.kind.exprs().collect();
                while let Some(expr) = exprs.pop() {
                    let expr = &self.program.expr(expr).expr;
                    if let Expr::Var(var) = *expr
                        && is_others(var)
                    {
                        needs.used.insert(var);
                    }
                    exprs.extend(expr.children());
                }
                blocks.extend(statement.kind.blocks());
            }
        }
        needs
    }

    /// A variable of a function's that stands for another's.
    fn copy_of(&mut self, var: VarId, function: FunctionId) -> VarId {
        let copy = self.program.variable(var).clone();
        self.program.variables.push(copy);
        self.stable.push(true);
        self.owners.push(Some(function));
        VarId(self.program.variables.len() as u32 - 1)
    }
}

/// A walk through the statements of a function, or of the kernel.
struct Pass<'a> {
    k: &'a Builder,
    needs: &'a [Needs],
    /// The function's own variables for those of others; none of the kernel.
    own: Option<&'a BTreeMap<VarId, VarId>>,
    outputs: Vec<Output>,
}

impl Pass<'_> {
    fn own(&self, var: VarId) -> VarId {
        self.own.and_then(|names| names.get(&var)).copied().unwrap_or(var)
    }

    fn block(&mut self, block: &mut Block) {
        let statements = std::mem::take(block);
        for mut statement in statements {
            for expr in statement.kind.exprs() {
                self.renamed(expr);
            }
            if let Some(assigned) = assigned_mut(&mut statement.kind) {
                *assigned = self.own(*assigned);
            }
            let span = statement.span;
            let mut behind = Block::new();
            match &mut statement.kind {
                StmtKind::Call { function, args, .. } => behind = self.call(*function, args, span),
                StmtKind::Return => self.give_back(block, span),
                StmtKind::If { then, otherwise, .. } => {
                    self.block(then);
                    self.block(otherwise);
                }
                StmtKind::While { body, step, .. } => {
                    self.block(body);
                    self.block(step);
                }
                _ => {}
            }
            block.push(statement);
            block.extend(behind);
        }
    }

    fn renamed(&self, expr: ExprId) {
        let mut left = vec![expr];
        let mut state = self.k.state.borrow_mut();
        while let Some(id) = left.pop() {
            let expr = &mut state.program.exprs[id.0 as usize].expr;
            if let Expr::Var(var) = expr {
                *var = self.own(*var);
            }
            left.extend(expr.children());
        }
    }

    /// Passes what the function needs; the statements behind the call.
    fn call(&self, function: FunctionId, args: &mut Vec<ExprId>, span: Span) -> Block {
        let callee = &self.needs[function.0 as usize];
        for &var in &callee.used {
            let ty = self.k.state.borrow().program.variable(var).ty;
            args.push(self.node(ExprNode { expr: Expr::Var(self.own(var)), ty, span }));
        }
        // The names do not matter: only where they go.
        let same = callee.assigned.iter().map(|&var| (var, var)).collect();
        let places = self.k.outputs(function.0 as usize, callee, &same);
        let load = |Output { var, place: (array, index, ty) }| {
            let index = self.number(index, span);
            let load = Expr::Load { slice: array.into(), index, access: LoadAccess::Plain };
            let value = self.node(ExprNode { expr: load, ty, span });
            Stmt { kind: StmtKind::Assign { var: self.own(var), value }, span }
        };
        places.into_iter().map(load).collect()
    }

    /// Stores what the function assigns, for its caller.
    fn give_back(&self, block: &mut Block, span: Span) {
        for &Output { var, place: (array, index, ty) } in &self.outputs {
            let index = self.number(index, span);
            let value = self.node(ExprNode { expr: Expr::Var(var), ty, span });
            let access = StoreAccess::Plain;
            block.push(Stmt { kind: StmtKind::Store { slice: array.into(), index, value, access }, span });
        }
    }

    fn number(&self, number: usize, span: Span) -> ExprId {
        let ty = ScalarType::Usize;
        self.node(ExprNode { expr: Expr::Const(Constant { ty, bits: number as u64 }), ty, span })
    }

    fn node(&self, node: ExprNode) -> ExprId {
        self.k.state.borrow_mut().push(node)
    }
}

/// The variable that the statement itself assigns.
fn assigned_mut(kind: &mut StmtKind) -> Option<&mut VarId> {
    match kind {
        StmtKind::Assign { var, .. } => Some(var),
        StmtKind::Call { result, .. }
        | StmtKind::Atomic { result, .. }
        | StmtKind::Collective { result, .. }
        | StmtKind::Barrier { result, .. } => result.as_mut(),
        _ => None,
    }
}
