//! Arrays of a thread that are declared without values.

use super::{Faults, Generator, Scope};
use simt_core::ops::{BinaryOp, CompareOp};
use simt_core::program::{ArrayId, Block, Expr, ExprId, Function, FunctionId, StmtKind, VarId};
use simt_core::{ScalarType, Source};

impl Generator {
    fn unset_array(&mut self) -> (ArrayId, ScalarType, u32) {
        let id = self.local_array();
        let array = &mut self.program.arrays[id.0 as usize];
        array.unset = true;
        (id, array.element, array.length)
    }

    /// `let mut a: [u32; 4]; a[i] = v; let w = a[i];`, or what calls a function that does so.
    pub(super) fn written_first(&mut self, block: &mut Block) {
        if let Some(function) = self.activations
            && self.function.is_none()
            && self.random.once_in(2)
        {
            return self.call_activations(block, function);
        }
        let (array, ty, length) = self.unset_array();
        let written: Vec<VarId> = (0..1 + self.random.below(3))
            .map(|_| {
                let index = self.index_below(length);
                let at = self.pinned(block, ScalarType::Usize, index);
                let (index, value) = (self.get(at), self.expr(ty, 2));
                let store = self.stored(array, index, value);
                block.push(store);
                at
            })
            .collect();
        let at = *self.random.pick(&written);
        let may_fault = self.faults == Faults::Sometimes;
        let index = if may_fault && self.random.once_in(6) { self.index_below(length) } else { self.get(at) };
        let (value, var) = (self.loaded(array, index, ty), self.variable(ty, true));
        self.assign(block, var, value);
        self.scope.variables.push(var);
        if may_fault && self.random.once_in(6) {
            self.scope.arrays.push(array);
        }
    }

    /// `fn f(n) { let mut a: [T; L]; a[n % L] = v; if n > 0 { f(n - 1); } a[n % L] }`: each activation has its own elements,
    /// before and behind the call. Where it may fault, one of some programs reads what another activation has written.
    pub(super) fn activations_function(&mut self) {
        let id = FunctionId(self.program.functions.len() as u32);
        self.function = Some(id);
        let (array, ty, length) = self.unset_array();
        let (depth, result) = (self.variable(ScalarType::U32, false), self.variable(ty, true));
        let (name, source, params) = ("activations".into(), Source::default(), vec![depth]);
        self.program.functions.push(Function { name, source, params, result: Some(result), body: Vec::new() });
        self.scope = Scope { variables: vec![depth], ..Scope::default() };
        let mut body = Vec::new();
        let (index, value) = (self.index_by(depth, 0, length), self.expr(ty, 2));
        body.push(self.stored(array, index, value));
        let (left, zero) = (self.get(depth), self.constant(ScalarType::U32, 0));
        let cond = self.compare(CompareOp::Gt, left, zero);
        let (left, one) = (self.get(depth), self.constant(ScalarType::U32, 1));
        let args = vec![self.operation(BinaryOp::Sub, left, one)];
        let then = vec![self.stmt(StmtKind::Call { function: id, args, result: None })];
        body.push(self.stmt(StmtKind::If { cond, then, otherwise: Vec::new() }));
        let index = self.index_by(depth, 0, length);
        let value = self.loaded(array, index, ty);
        self.assign(&mut body, result, value);
        if self.faults == Faults::Sometimes && self.random.once_in(3) {
            // What the activation that called this one has written.
            let (left, zero) = (self.get(depth), self.constant(ScalarType::U32, 0));
            let cond = self.compare(CompareOp::Eq, left, zero);
            let index = self.index_by(depth, 1, length);
            let (value, mut then) = (self.loaded(array, index, ty), Vec::new());
            self.assign(&mut then, result, value);
            body.push(self.stmt(StmtKind::If { cond, then, otherwise: Vec::new() }));
        }
        self.program.functions[id.0 as usize].body = body;
        (self.function, self.scope) = (None, Scope::default());
        self.activations = Some(id);
    }

    fn call_activations(&mut self, block: &mut Block, function: FunctionId) {
        let Some(result) = self.program.function(function).result else { return };
        let (depth, bound) = (self.varied(ScalarType::U32), self.constant(ScalarType::U32, 3));
        let (rest, one) = (self.operation(BinaryOp::Rem, depth, bound), self.constant(ScalarType::U32, 1));
        let args = vec![self.operation(BinaryOp::Add, rest, one)];
        let var = self.variable(self.program.variable(result).ty, true);
        block.push(self.stmt(StmtKind::Call { function, args, result: Some(var) }));
        self.met(block, var);
    }

    /// `(n + more) % length`
    fn index_by(&mut self, n: VarId, more: u64, length: u32) -> ExprId {
        let (value, usize) = (self.get(n), ScalarType::Usize);
        let (n, more) = (self.node(Expr::Cast { value }, usize), self.constant(usize, more));
        let (sum, length) = (self.operation(BinaryOp::Add, n, more), self.constant(usize, length.into()));
        self.operation(BinaryOp::Rem, sum, length)
    }
}
