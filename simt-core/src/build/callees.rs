//! The functions that are called, built: one after the other when the kernel is, but for those whose result is a reference.

use super::arena::Operand;
use super::closure::Origin;
use super::function::{Body, Given};
use super::instances::{FUNCTIONS, Instance, Passed, same};
use super::layout::Layout;
use super::lent_fields::PassedFields;
use super::region::Bounds;
use super::{Builder, Definition, Opened};
use crate::program::{Array, ArraySpace, Function, FunctionId, Memory, Program, VarId};
use crate::source::{Source, Span};
use std::any::TypeId;
use std::borrow::Cow;
use std::fmt;

/// A function that was called and is not built yet.
///
/// Functions are built one after the other, when the kernel is: built within each other, a long chain of calls would need a
/// stack of the host's as long.
pub(super) struct Pending {
    id: FunctionId,
    build: Box<dyn FnOnce(&Builder)>,
}

impl fmt::Debug for Pending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pending").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Builder {
    /// The function of the program, which is to be built if it is new. `None` if there are too many.
    pub(super) fn function_of(
        &self,
        span: Span,
        (ty, closures): (TypeId, Vec<Origin>),
        (slices, given): (Vec<Passed>, Vec<Given>),
        definition: &Definition,
        (result, body): (&'static Layout, Body),
    ) -> Option<FunctionId> {
        let mut state = self.state.borrow_mut();
        let is_it = |known: &Instance| {
            known.ty == ty && known.closures == closures && known.given == given && same(&known.slices, &slices)
        };
        if let Some(known) = state.instances.iter().position(is_it) {
            return Some(FunctionId(known as u32));
        }
        if state.instances.len() == FUNCTIONS {
            state.too_many_functions(span, ty, &slices, definition.name);
            return None;
        }
        let id = FunctionId(state.instances.len() as u32);
        let caller = state.function;
        let subslice_of = |passed: &Passed| passed.subslice.map(|region| (region, passed.length));
        let subslices: Vec<_> = slices.iter().filter_map(subslice_of).collect();
        let instance =
            Instance { ty, slices, given: given.clone(), closures, results: Vec::new(), result: VarId(0), caller };
        state.instances.push(instance);
        let function = definition.function(&state.program);
        state.program.functions.push(function);
        let spans = definition.spans;
        let build = Box::new(move |k: &Self| {
            k.spans.replace(super::places(spans));
            let first = k.new_variables(result, None, true, true);
            let scalars = k.scalars(first, &result.types());
            {
                let mut state = k.state.borrow_mut();
                state.given = given.into();
                state.instances[id.0 as usize].result = first;
                state.program.functions[id.0 as usize].result = scalars.first().map(|&(var, _)| var);
                state.results = scalars.into_iter().skip(1).map(|(_, ty)| ty).collect();
            }
            for (subslice, known) in subslices {
                let [start, length] = [(); 2].map(|()| k.bound_parameter());
                k.set_bounds(subslice, Bounds { start, length: known.map_or(length, Operand::constant) });
            }
            body(k, k.listed(k.variables(first, result.count)));
            k.give_behind(Span::default());
            let mut state = k.state.borrow_mut();
            let behind = std::mem::take(&mut state.behind);
            let results = state.results.iter().copied().chain(behind.into_iter().map(|(_, ty)| ty)).collect();
            state.instances[id.0 as usize].results = results;
        });
        let pending = Pending { id, build };
        if result.has_bases() {
            // What its result refers to is known when it is built.
            drop(state);
            self.build_within(pending);
        } else {
            state.pending.push_back(pending);
        }
        Some(id)
    }

    /// Builds a function while another one is being built.
    fn build_within(&self, function: Pending) {
        let spans = self.spans.borrow().clone();
        let (results, behind, given, inlined, caller, calls) = {
            let mut state = self.state.borrow_mut();
            let results = (std::mem::take(&mut state.results), std::mem::take(&mut state.behind));
            let given = (std::mem::take(&mut state.given), state.inlined.take());
            (results.0, results.1, given.0, given.1, state.function, state.calls)
        };
        self.build_function(function);
        self.spans.replace(spans);
        let mut state = self.state.borrow_mut();
        (state.results, state.behind, state.given, state.inlined) = (results, behind, given, inlined);
        (state.function, state.calls) = (caller, calls);
    }

    /// The variables of a call's result refer to what the function's do.
    pub(super) fn take_bases(
        &self,
        span: Span,
        function: FunctionId,
        (first, count): (VarId, u32),
        mut passed: PassedFields<'_>,
    ) {
        let mut known = Vec::new();
        for number in 0..count {
            let (base, is_own) = self.result_base(function, number);
            let mut lent = |memory: Memory| match known.iter().find(|(own, _)| *own == memory) {
                Some(&(_, lent)) => Some(lent),
                None => self.lent_field(span, function, memory, &mut passed),
            };
            let found = match base {
                Some(memory) if is_own => lent(memory),
                base => base,
            };
            known.extend(base.filter(|_| is_own).zip(found));
            let mut state = self.state.borrow_mut();
            if let Some(known) = state.bases.get_mut(&VarId(first.0 + number)) {
                *known = found.or(base);
            }
            if let (Some(memory), None) = (base, found) {
                let callee = &state.program.functions[function.0 as usize].name;
                let name = state.program.memory_name(memory);
                let message = format!(
                    "`{callee}` returns a reference to `{name}`, an array of its own, or a copy: return its elements, or pass a variable"
                );
                state.program.problems.push((span, message));
            }
        }
    }

    /// What a part of a function's result refers to, and whether that is an array of the function's.
    fn result_base(&self, FunctionId(function): FunctionId, number: u32) -> (Option<Memory>, bool) {
        let state = self.state.borrow();
        let result = state.instances[function as usize].result;
        let base = state.bases.get(&VarId(result.0 + number)).copied().flatten();
        let is_own = match base {
            Some(Memory::Array(array)) => {
                let Array { space, function: owner, .. } = state.program.array(array);
                *space == ArraySpace::Local && *owner == Some(FunctionId(function))
            }
            _ => false,
        };
        (base, is_own)
    }

    /// Builds the functions that were called, and those that they call.
    pub(super) fn build_functions(&self) {
        loop {
            let pending = self.state.borrow_mut().pending.pop_front();
            let Some(pending) = pending else { return };
            self.build_function(pending);
        }
    }

    fn build_function(&self, Pending { id, build }: Pending) {
        self.state.borrow_mut().function = Some(id);
        self.open(Opened::Function);
        build(self);
        let stmts = self.close().stmts;
        self.state.borrow_mut().program.functions[id.0 as usize].body = stmts;
    }
}

impl Definition {
    /// A function without statements, whose name no other function of the program has.
    pub(super) fn function(&self, program: &Program) -> Function {
        let Self { name, file, first_line, text, .. } = *self;
        let is_taken = |name: &str| program.functions.iter().any(|function| function.name == name);
        let mut names = std::iter::once(Cow::Borrowed(name)).chain((2..).map(|n| Cow::Owned(format!("{name}_{n}"))));
        Function {
            name: names.find(|name| !is_taken(name)).unwrap_or_default(),
            source: Source { file: Cow::Borrowed(file), first_line, text: Cow::Borrowed(text) },
            params: Vec::new(),
            result: None,
            body: Vec::new(),
        }
    }
}
