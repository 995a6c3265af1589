//! Functions and calls.
//!
//! The first parameter of every function says how deep it may still call; at 0 it returns at once.

use super::lists::List;
use super::{Generator, Scope};
use simt_core::ops::{BinaryOp, CompareOp};
use simt_core::program::{ArrayId, Block, Function, FunctionId, StmtKind, VarId};
use simt_core::{ScalarType, Source};
use std::collections::BTreeMap;

/// The data of a function that a caller needs.
#[derive(Clone)]
pub(super) struct Signature {
    pub(super) params: Vec<VarId>,
    pub(super) result: Option<VarId>,
    /// The places of its other results, in arrays of the kernel's: it writes them last, and its caller reads them first.
    others: Vec<(ArrayId, u32)>,
    /// The fields of its caller's that it has, behind its other parameters.
    lists: Vec<Passed>,
    /// How many more statements may call it from within functions.
    calls: usize,
}

/// A field that is an array, in which a function may have that of its caller's.
#[derive(Clone)]
struct Passed {
    /// The parameters that are its elements, the last ones.
    list: List,
    /// Where it passes them back if it has them as `&mut`; otherwise nowhere.
    places: Vec<(ArrayId, u32)>,
}

/// Deepest nesting of calls.
const CALL_DEPTH: u64 = 3;

impl Generator {
    /// Writes up to three functions that call each other and themselves, and maybe get an array of the kernel's passed.
    pub(super) fn functions(&mut self) -> Option<ArrayId> {
        let count = self.random.below(4);
        let passed = self.random.once_in(2).then(|| self.local_array());
        let mut places = BTreeMap::new();
        for number in 0..count {
            let mut params = vec![self.variable(ScalarType::U32, false)];
            for _ in 0..self.random.below(4) {
                let (ty, mutable) = (self.any_type(), self.random.once_in(2));
                params.push(self.variable(ty, mutable));
            }
            let ty = self.any_type();
            let result = (!self.random.once_in(4)).then(|| self.variable(ty, true));
            let others = if self.random.once_in(2) { self.other_results(&mut places) } else { Vec::new() };
            let mut back = others.clone();
            let count = self.random.below(3);
            let lists: Vec<Passed> = (0..count).map(|_| self.passed_list(&mut places, &mut back)).collect();
            params.extend(lists.iter().flat_map(|passed| &passed.list.variables));
            self.signatures.push(Signature { params: params.clone(), result, others, lists, calls: 1 });
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
            let params = self.signatures[number].params.clone();
            let arrays = passed.into_iter().chain(self.block_arrays.iter().copied()).collect();
            let lists = self.signatures[number].lists.iter().map(|passed| passed.list.clone()).collect();
            self.scope = Scope { variables: params.clone(), arrays, lists, ..Scope::default() };
            self.size = 12;
            let mut body = Vec::new();
            let (left, zero) = (self.get(params[0]), self.constant(ScalarType::U32, 0));
            let cond = self.compare(CompareOp::Eq, left, zero);
            let mut then = Vec::new();
            self.return_(&mut then);
            body.push(self.stmt(StmtKind::If { cond, then, otherwise: Vec::new() }));
            self.statements(&mut body, 5);
            self.results(&mut body);
            self.program.functions[number].body = body;
        }
        self.function = None;
        self.scope = Scope::default();
        self.passing = places.into_values().collect();
        passed
    }

    /// Places for one to three results beside the first one, as a tuple, an `Option` or a `&mut` has them: of each type an
    /// array, which functions share.
    fn other_results(&mut self, places: &mut BTreeMap<ScalarType, ArrayId>) -> Vec<(ArrayId, u32)> {
        let mut others = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            let ty = self.any_type();
            let array = *places.entry(ty).or_insert_with(|| self.results_array(ty));
            let used = others.iter().filter(|(other, _)| *other == array).count();
            others.push((array, used as u32));
        }
        others
    }

    /// A field that a function has from its caller, and where it passes it back, behind its other results.
    fn passed_list(&mut self, places: &mut BTreeMap<ScalarType, ArrayId>, others: &mut Vec<(ArrayId, u32)>) -> Passed {
        let list = self.list_variables();
        let mut back = Vec::new();
        if !self.random.once_in(3) {
            let array = *places.entry(list.ty).or_insert_with(|| self.results_array(list.ty));
            let used = others.iter().filter(|(other, _)| *other == array).count() as u32;
            back.extend((used..).take(list.variables.len()).map(|place| (array, place)));
        }
        others.extend(&back);
        Passed { list, places: back }
    }

    /// The results of the function that is written.
    fn results(&mut self, block: &mut Block) {
        let Some(function) = self.function else { return };
        let Signature { result, others, lists, .. } = self.signatures[function.0 as usize].clone();
        if let Some(var) = result {
            let value = self.expr(self.program.variable(var).ty, 2);
            self.assign(block, var, value);
        }
        for (array, place) in others {
            let ty = self.program.array(array).element;
            let (index, value) = (self.constant(ScalarType::Usize, place.into()), self.expr(ty, 2));
            let store = self.stored(array, index, value);
            block.push(store);
        }
        let back = lists.into_iter().flat_map(|Passed { list, places }| places.into_iter().zip(list.variables));
        for ((array, place), var) in back {
            let (index, value) = (self.constant(ScalarType::Usize, place.into()), self.get(var));
            let store = self.stored(array, index, value);
            block.push(store);
        }
    }

    /// `return`, in a function with its results.
    pub(super) fn return_(&mut self, block: &mut Block) {
        self.results(block);
        block.push(self.stmt(StmtKind::Return));
    }

    /// Reads the other results of a call: into variables of its own, or into those that the call has changed by `&mut`.
    fn take_others(&mut self, block: &mut Block, others: Vec<(ArrayId, u32)>) {
        for (array, place) in others {
            let ty = self.program.array(array).element;
            let index = self.constant(ScalarType::Usize, place.into());
            let value = self.loaded(array, index, ty);
            let changed = self.mutable_variable().filter(|&var| self.program.variable(var).ty == ty);
            let var = changed.unwrap_or_else(|| self.variable(ty, false));
            self.assign(block, var, value);
            self.scope.variables.extend(changed.is_none().then_some(var));
        }
    }

    /// Reads the elements that a call passes back, mostly into the field that it was passed.
    fn take_list(&mut self, block: &mut Block, places: Vec<(ArrayId, u32)>, passed: List) {
        let others = self.lists_like(&passed);
        let into = if self.random.once_in(6) { self.random.pick(&others).clone() } else { passed };
        for ((array, place), var) in places.into_iter().zip(into.variables) {
            let index = self.constant(ScalarType::Usize, place.into());
            let value = self.loaded(array, index, into.ty);
            self.assign(block, var, value);
        }
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
        let Signature { params, result, others, lists, .. } = signature.clone();
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
        let elements = lists.iter().map(|passed| passed.list.variables.len()).sum::<usize>();
        for &param in &params[1..params.len() - elements] {
            args.push(self.expr(self.program.variable(param).ty, 2));
        }
        let passed: Vec<List> = lists.iter().map(|passed| self.list_like(block, &passed.list)).collect();
        for &var in passed.iter().flat_map(|list| &list.variables) {
            args.push(self.get(var));
        }
        let result = result.filter(|_| !self.random.once_in(4)).map(|var| self.program.variable(var).ty);
        let result = result.map(|ty| self.variable(ty, false));
        block.push(self.stmt(StmtKind::Call { function: FunctionId(callee as u32), args, result }));
        self.scope.variables.extend(result);
        for (Passed { places, .. }, passed) in lists.into_iter().zip(passed) {
            self.take_list(block, places, passed);
        }
        self.take_others(block, others);
        if !is_kernel && self.random.once_in(2) {
            // `?` of what it has returned.
            let cond = self.expr(ScalarType::Bool, 1);
            let mut otherwise = Vec::new();
            self.return_(&mut otherwise);
            block.push(self.stmt(StmtKind::If { cond, then: Vec::new(), otherwise }));
        }
    }
}
