//! Functions and calls.
//!
//! The first parameter of every function says how deep it may still call; at 0 it returns at once.

use super::{Generator, Scope};
use simt_core::ops::{BinaryOp, CompareOp};
use simt_core::program::{ArrayId, Block, Function, FunctionId, StmtKind, VarId};
use simt_core::{ScalarType, Source};

/// The data of a function that a caller needs.
#[derive(Clone)]
pub(super) struct Signature {
    pub(super) params: Vec<VarId>,
    pub(super) result: Option<VarId>,
    /// How many more statements may call it from within functions.
    calls: usize,
}

/// Deepest nesting of calls.
const CALL_DEPTH: u64 = 3;

impl Generator {
    /// Writes up to three functions that call each other and themselves, and maybe get an array of the kernel's passed.
    pub(super) fn functions(&mut self) -> Option<ArrayId> {
        let count = self.random.below(4);
        let passed = self.random.once_in(2).then(|| self.local_array());
        for number in 0..count {
            let mut params = vec![self.variable(ScalarType::U32, false)];
            for _ in 0..self.random.below(4) {
                let (ty, mutable) = (self.any_type(), self.random.once_in(2));
                params.push(self.variable(ty, mutable));
            }
            let ty = self.any_type();
            let result = (!self.random.once_in(4)).then(|| self.variable(ty, true));
            self.signatures.push(Signature { params: params.clone(), result, calls: 1 });
            self.program.functions.push(Function {
                name: format!("f{number}").into(),
                source: Source::default(),
                params,
                result,
                body: Vec::new(),
            });
        }
        for number in 0..count {
            self.function = Some(FunctionId(number as u32));
            let Signature { params, result, .. } = self.signatures[number].clone();
            self.scope = Scope { variables: params.clone(), arrays: passed.into_iter().collect() };
            self.size = 12;
            let mut body = Vec::new();
            let (left, zero) = (self.get(params[0]), self.constant(ScalarType::U32, 0));
            let cond = self.compare(CompareOp::Eq, left, zero);
            let mut then = Vec::new();
            self.return_(&mut then);
            body.push(self.stmt(StmtKind::If { cond, then, otherwise: Vec::new() }));
            self.statements(&mut body, 5);
            if let Some(var) = result {
                let value = self.expr(self.program.variable(var).ty, 3);
                self.assign(&mut body, var, value);
            }
            self.program.functions[number].body = body;
        }
        self.function = None;
        self.scope = Scope::default();
        passed
    }

    /// `return`, in a function with its result.
    pub(super) fn return_(&mut self, block: &mut Block) {
        let result = self.function.and_then(|id| self.signatures[id.0 as usize].result);
        if let Some(var) = result {
            let value = self.expr(self.program.variable(var).ty, 2);
            self.assign(block, var, value);
        }
        block.push(self.stmt(StmtKind::Return));
    }

    /// A call of some function, with a depth that differs between threads; nothing if there is none to call.
    pub(super) fn call(&mut self, block: &mut Block) {
        let callee = self.random.below(self.signatures.len());
        // Not in loops in loops, and functions call each other at few places: the calls would be too many.
        let is_kernel = self.function.is_none();
        let Some(signature) = self.signatures.get_mut(callee).filter(|_| self.loops.len() < 2) else { return };
        if !is_kernel {
            let Some(calls) = signature.calls.checked_sub(1) else { return };
            signature.calls = calls;
        }
        let Signature { params, result, .. } = signature.clone();
        let depth = match self.function {
            Some(caller) => {
                let own = self.signatures[caller.0 as usize].params[0];
                let (left, one) = (self.get(own), self.constant(ScalarType::U32, 1));
                self.operation(BinaryOp::Sub, left, one)
            }
            None => {
                let (any, bound) = (self.expr(ScalarType::U32, 2), self.constant(ScalarType::U32, CALL_DEPTH + 1));
                self.operation(BinaryOp::Rem, any, bound)
            }
        };
        let mut args = vec![depth];
        for &param in &params[1..] {
            args.push(self.expr(self.program.variable(param).ty, 2));
        }
        let result = result.filter(|_| !self.random.once_in(4)).map(|var| self.program.variable(var).ty);
        let result = result.map(|ty| self.variable(ty, false));
        block.push(self.stmt(StmtKind::Call { function: FunctionId(callee as u32), args, result }));
        self.scope.variables.extend(result);
    }
}
