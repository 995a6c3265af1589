//! Device functions: calls, and the functions of the program that they call.
//!
//! A `#[device]` function becomes a function of the program when it is first called: one for each set of types and
//! constants, and for each choice of the memory that its slices are. So a slice parameter is no variable; within the
//! function it is the caller's memory.
//!
//! A function of the program has one result. The scalars of a tuple beyond the first, and what is behind references `&mut`, are
//! passed back in arrays of the kernel, one for each type, which nothing else touches between the callee's last statement and the statement behind the call.

use super::arena::Operand;
use super::closure::Origin;
use super::instances::{FUNCTIONS, Instance, Passed, same};
use super::place::ElementPlace;
use super::reference::Behind;
use super::region::Bounds;
use super::standard::Subject;
use super::tuple::{Leaves, ShowLeaves, types, types_of};
use super::{
    Builder, Composite, Elements, IntoValue, Let, MemoryElement, Mutable, Never, Opened, Region, SliceArgument,
    SliceMutArgument, Value,
};
use crate::program::{Array, ArrayId, ArraySpace, ExprId, Function, FunctionId, Program, StmtKind, StoreAccess, VarId};
use crate::scalar::ScalarType;
use crate::source::{Source, Span};
use std::any::TypeId;
use std::borrow::Cow;
use std::fmt;

/// The text of a device function.
#[derive(Clone, Copy, Debug)]
pub struct Definition {
    /// Its name.
    pub name: &'static str,
    /// The file it stands in.
    pub file: &'static str,
    /// The line on which its text begins.
    pub first_line: u32,
    /// Its lines.
    pub text: &'static str,
    /// Its places, by number: `7:5-7:12 8:1-9:2` are two, each from a line and column to a line and the column behind.
    pub spans: &'static str,
}

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

/// Builds a function, whose result has variables from this one on.
type Body = Box<dyn FnOnce(&Builder, VarId)>;

/// A call that is being made. The host has no such value, and so cannot call a device function.
#[derive(Debug)]
pub struct CalledByKernel<'k> {
    pub(super) k: &'k Builder,
    pub(super) span: Span,
    args: Vec<ExprId>,
    slices: Vec<Passed>,
    /// The bounds of those that are subslices.
    bounds: Vec<ExprId>,
    /// The closures among the arguments.
    pub(super) closures: Vec<Origin>,
    /// What is behind the references `&mut` among the arguments.
    pub(super) behind: Behind,
    /// Where those are of elements go when it returns.
    pub(super) elements: Vec<ElementPlace>,
    /// Of a method of `std`, what it is called of.
    pub(super) subject: Option<Subject>,
}

impl<'k> CalledByKernel<'k> {
    pub(super) fn new(k: &'k Builder, span: Span) -> Self {
        let (args, slices, bounds) = (Vec::new(), Vec::new(), Vec::new());
        Self {
            k,
            span,
            args,
            slices,
            bounds,
            closures: Vec::new(),
            behind: Vec::new(),
            elements: Vec::new(),
            subject: None,
        }
    }

    /// Where it stands.
    pub(super) fn span(&self) -> Span {
        self.span
    }

    /// Passes a value.
    #[inline(never)]
    pub fn value<T: Composite>(&mut self, value: impl IntoValue<T>) {
        let operand = self.k.operand(self.span, value);
        self.leaves::<T>(operand);
    }

    /// Passes the scalars of a value.
    pub(super) fn leaves<T: Composite>(&mut self, operand: Operand) {
        for (leaf, ty) in self.k.leaves::<T>(operand).into_iter().zip(types::<T>()) {
            self.args.push(self.k.node(self.span, ty, leaf));
        }
    }

    /// Passes a slice, of values or of atomics; what it is in the function.
    #[inline(never)]
    pub fn slice<T: MemoryElement>(&mut self, slice: impl SliceArgument<T>) -> T::Slice {
        self.region(slice.region()).into()
    }

    /// Passes a slice that the function may write; what it is in the function.
    #[inline(never)]
    pub fn slice_mut<T: MemoryElement>(&mut self, slice: impl SliceMutArgument<T>) -> T::SliceMut {
        self.region(slice.region()).into()
    }

    /// Passes an array; what it is in the function.
    #[inline(never)]
    pub fn array<T: MemoryElement, const N: usize>(&mut self, array: impl SliceArgument<T>) -> T::Array<N> {
        self.array_of(array, N).into()
    }

    /// Passes an array that the function may write; what it is in the function.
    #[inline(never)]
    pub fn array_mut<T: MemoryElement, const N: usize>(&mut self, array: impl SliceMutArgument<T>) -> T::ArrayMut<N> {
        self.array_of(array, N).into()
    }

    fn array_of<S: Elements>(&mut self, array: S, expected: usize) -> Region {
        let region = array.region();
        let length = self.k.length(self.span, region, S::per_element()).as_constant().map(|length| length.bits);
        if length != Some(expected as u64) {
            let found = length.map_or("a slice".to_owned(), |length| format!("one of {length}"));
            let advice = "pass an array of that length, or let the function take a slice, `&[T]`";
            self.k.problem(self.span, format!("expected an array of {expected} elements, found {found}: {advice}"));
        }
        self.memory(region, Some(expected))
    }

    pub(super) fn region(&mut self, region: Region) -> Region {
        self.memory(region, None)
    }

    /// Passes memory. Of a subslice, the bounds are passed, too, in front of all other arguments.
    fn memory(&mut self, region: Region, length: Option<usize>) -> Region {
        let subslice = self.k.bounds(region).map(|bounds| {
            for bound in [bounds.start, bounds.length] {
                self.bounds.push(self.k.node(self.span, ScalarType::Usize, bound));
            }
            self.k.with_bounds(region.memory, Bounds { start: Operand::Never, length: Operand::Never })
        });
        self.slices.push(Passed { memory: region.memory, subslice, length });
        subslice.unwrap_or(region)
    }

    /// Emits the call. `body` builds the function, if this is the first call; `F` is a type of its own for each function
    /// and each set of generics.
    #[inline(never)]
    pub fn emit<R: Composite, F: 'static>(
        self,
        _: F,
        definition: &Definition,
        body: impl FnOnce(&Builder, Let<R>) + 'static,
    ) -> Value<R> {
        let body = move |k: &Builder, first| body(k, Let::new(k, k.variables(first, R::COUNT)));
        Value::new(self.emit_of(TypeId::of::<F>(), definition, R::leaves, Box::new(body)))
    }

    fn emit_of(self, ty: TypeId, definition: &Definition, result: ShowLeaves, body: Body) -> Operand {
        let Self { k, span, args, slices, bounds, closures, behind, elements, .. } = self;
        let args = bounds.into_iter().chain(args).collect();
        let Some(function) = k.function_of(span, (ty, closures), slices, definition, (result, body)) else {
            return Operand::Never;
        };
        let (first, types) = (k.new_variables_of(result, None, false, true), types_of(result));
        let mut others: Behind = (first.0..).map(VarId).zip(types.iter().copied()).skip(1).collect();
        others.extend(behind);
        k.emit_call(span, (function, args), (!types.is_empty()).then_some(first), &others);
        elements.into_iter().for_each(|element| element.give_back(k, span, function));
        k.variables(first, types.len() as u32)
    }
}

impl Builder {
    /// The next parameter of the function that is being built, a value.
    #[inline(never)]
    pub fn parameter<T: Composite>(&self, _at: u32, name: &'static str) -> Let<T> {
        let first = self.new_variables::<T>(Some(name), false, true);
        self.add_parameter(first, T::COUNT);
        Let::new(self, self.variables(first, T::COUNT))
    }

    /// As [`Builder::parameter`], with `mut`.
    #[inline(never)]
    pub fn parameter_mut<T: Composite>(&self, _at: u32, name: &'static str) -> Mutable<T> {
        let first = self.new_variables::<T>(Some(name), true, false);
        self.add_parameter(first, T::COUNT);
        Mutable::new(first, T::COUNT)
    }

    /// A parameter: a bound of a subslice.
    fn bound_parameter(&self) -> Operand {
        let first = self.new_variables::<usize>(None, false, true);
        self.add_parameter(first, 1);
        Operand::var(first)
    }

    fn add_parameter(&self, first: VarId, count: u32) {
        let mut state = self.state.borrow_mut();
        let Some(FunctionId(function)) = state.function else { unreachable!("a device function is being built") };
        let params = &mut state.program.functions[function as usize].params;
        params.extend((first.0..first.0 + count).map(VarId));
    }

    /// `return value`
    #[inline(never)]
    pub fn return_value<R: Composite>(&self, at: u32, result: Let<R>, value: impl IntoValue<R>) -> Never {
        self.give_result(at, result, value);
        self.return_(at)
    }

    /// The value at the end of a device function.
    #[inline(never)]
    pub fn give_result<R: Composite>(&self, at: u32, result: Let<R>, value: impl IntoValue<R>) {
        let span = self.span(at);
        let value = self.operand(span, value);
        if value == Operand::Never {
            return;
        }
        self.give(at, result, Value::new(value));
        let leaves: Leaves = self.leaves::<R>(result.operand(self)).into_iter().skip(1).collect();
        for (leaf, (slice, index, ty)) in leaves.into_iter().zip(self.places_of(span, types::<R>().into_iter().skip(1)))
        {
            let (index, value) =
                (self.node(span, ScalarType::Usize, Operand::constant(index)), self.node(span, ty, leaf));
            self.emit(span, StmtKind::Store { slice: slice.into(), index, value, access: StoreAccess::Plain });
        }
    }

    /// Where scalars beyond the first are passed back: array, index and type.
    pub(super) fn places_of(
        &self,
        span: Span,
        types: impl Iterator<Item = ScalarType>,
    ) -> Vec<(ArrayId, usize, ScalarType)> {
        let mut places: Vec<(ArrayId, usize, ScalarType)> = Vec::new();
        for ty in types {
            let index = places.iter().filter(|place| place.2 == ty).count();
            places.push((self.passing_array(span, ty, index), index, ty));
        }
        places
    }

    fn passing_array(&self, span: Span, element: ScalarType, index: usize) -> ArrayId {
        let mut state = self.state.borrow_mut();
        let known = state.passing.iter().find(|(ty, _)| *ty == element).map(|&(_, id)| id);
        let arrays = &mut state.program.arrays;
        let id = known.unwrap_or(ArrayId(arrays.len() as u32));
        if known.is_none() {
            let name = Cow::Owned(format!("results_{element}"));
            arrays.push(Array { span, ..Array::new(name, element, 0, ArraySpace::Local) });
            state.passing.push((element, id));
        }
        let length = &mut state.program.arrays[id.0 as usize].length;
        *length = (*length).max(index as u32 + 1);
        id
    }

    /// The function of the program, which is to be built if it is new. `None` if there are too many.
    fn function_of(
        &self,
        span: Span,
        (ty, closures): (TypeId, Vec<Origin>),
        slices: Vec<Passed>,
        definition: &Definition,
        (result, body): (ShowLeaves, Body),
    ) -> Option<FunctionId> {
        let mut state = self.state.borrow_mut();
        let is_it = |known: &Instance| known.ty == ty && known.closures == closures && same(&known.slices, &slices);
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
        state.instances.push(Instance { ty, slices, closures, results: Vec::new(), caller });
        let function = definition.function(&state.program);
        state.program.functions.push(function);
        let spans = definition.spans;
        let build = Box::new(move |k: &Self| {
            k.spans.replace(super::places(spans));
            let (first, types) = (k.new_variables_of(result, None, true, true), types_of(result));
            k.state.borrow_mut().program.functions[id.0 as usize].result = (!types.is_empty()).then_some(first);
            k.state.borrow_mut().results = types.into_iter().skip(1).collect();
            for (subslice, known) in subslices {
                let [start, length] = [(); 2].map(|()| k.bound_parameter());
                k.set_bounds(subslice, Bounds { start, length: known.map_or(length, Operand::constant) });
            }
            body(k, first);
            k.give_behind(Span::default());
            let mut state = k.state.borrow_mut();
            let behind = std::mem::take(&mut state.behind);
            let results = state.results.iter().copied().chain(behind.into_iter().map(|(_, ty)| ty)).collect();
            state.instances[id.0 as usize].results = results;
        });
        state.pending.push_back(Pending { id, build });
        Some(id)
    }

    /// Builds the functions that were called, and those that they call.
    pub(super) fn build_functions(&self) {
        loop {
            let mut state = self.state.borrow_mut();
            let Some(Pending { id, build }) = state.pending.pop_front() else { return };
            state.function = Some(id);
            drop(state);
            self.open(Opened::Function);
            build(self);
            let stmts = self.close().stmts;
            self.state.borrow_mut().program.functions[id.0 as usize].body = stmts;
        }
    }
}

impl Definition {
    /// A function without statements, whose name no other function of the program has.
    fn function(&self, program: &Program) -> Function {
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
