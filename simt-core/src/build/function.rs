//! Device functions: calls, and the functions of the program that they call.
//!
//! A `#[device]` function becomes a function of the program when it is first called: one for each set of types and
//! constants, and for each choice of the memory that its slices are. So a slice parameter is no variable; within the
//! function it is the caller's memory.
//!
//! A function of the program has one result. The scalars of a tuple beyond the first, and what is behind references `&mut`, are
//! passed back in arrays of the kernel, one for each type, which nothing else touches between the callee's last statement and the statement behind the call.

use super::arena::Operand;
use super::base::{Kind, is_all};
use super::closure::Origin;
use super::handle::Listed;
use super::instances::Passed;
use super::layout::{HasLayout, HasStorage, Layout};
use super::lent_fields::PassedFields;
use super::place::ElementPlace;
use super::reference::Behind;
use super::region::Bounds;
use super::standard::Subject;
use super::tuple::Leaves;
use super::{
    Builder, Composite, IntoValue, Let, MemoryElement, Mutable, Never, Region, SliceArgument, SliceMutArgument, Value,
};
use crate::program::{Array, ArrayId, ArraySpace, ExprId, FunctionId, Memory, StmtKind, StoreAccess, VarId};
use crate::scalar::ScalarType;
use crate::source::Span;
use std::any::TypeId;
use std::borrow::Cow;

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

/// What is known of a reference among the arguments while the program is built.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Given {
    pub(super) base: Option<Memory>,
    /// Where it begins, and its length, if it is all of the base: no arguments are needed for these.
    pub(super) whole: Option<[Operand; 2]>,
}

/// Builds a function, whose result has these variables.
pub(super) type Body<Result = Listed> = Box<dyn FnOnce(&Builder, Result)>;

/// A call that is being made. The host has no such value, and so cannot call a device function: rustc then says that it expected
/// this type, whose name says why.
#[derive(Debug)]
pub struct OnlyKernelsCallThis<'k> {
    pub(super) k: &'k Builder,
    pub(super) span: Span,
    /// The number of its place, of a function that is called by its path.
    pub(super) at: u32,
    pub(super) args: Vec<ExprId>,
    pub(super) slices: Vec<Passed>,
    /// The bounds of those that are subslices.
    pub(super) bounds: Vec<ExprId>,
    /// The references among the values.
    pub(super) given: Vec<Given>,
    /// The closures among the arguments.
    pub(super) closures: Vec<Origin>,
    /// What is behind the references `&mut` among the arguments.
    pub(super) behind: Behind,
    /// Where those are of elements go when it returns.
    pub(super) elements: Vec<ElementPlace>,
    /// Of a method of `std`, what it is called of.
    pub(super) subject: Option<Subject>,
}

fn with_result<R: Composite>(body: Body<Let<R>>) -> Body {
    Box::new(move |k, result| body(k, Let::of(result)))
}

impl<'k> OnlyKernelsCallThis<'k> {
    pub(super) fn new(k: &'k Builder, span: Span) -> Self {
        let (args, slices, bounds) = (Vec::new(), Vec::new(), Vec::new());
        Self {
            k,
            span,
            at: 0,
            args,
            slices,
            bounds,
            given: Vec::new(),
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
        self.leaves(T::LAYOUT, operand);
    }

    /// Passes the scalars of a value.
    pub(super) fn leaves(&mut self, layout: &Layout, operand: Operand) {
        let (leaves, types, kinds) = (self.k.leaves(layout, operand), layout.types(), layout.kinds());
        let mut number = 0;
        while let Some(&leaf) = leaves.get(number) {
            if kinds[number] == Kind::Scalar {
                self.args.push(self.k.node(self.span, types[number], leaf));
                number += 1;
                continue;
            }
            let whole = match leaves[number..] {
                [_, start, length, ..] if kinds[number] == Kind::Slice && is_all(start, length) => {
                    Some([start, length])
                }
                _ => None,
            };
            let base = self.k.base_of(leaf);
            if let Some(memory) = base {
                self.lend(memory);
            }
            self.given.push(Given { base, whole });
            number += if whole.is_some() { 3 } else { 1 };
        }
    }

    /// Passes a slice, of values or of atomics; what it is in the function.
    #[inline(never)]
    pub fn slice<T: MemoryElement>(&mut self, slice: impl SliceArgument<T>) -> T::Slice {
        {
            let region = slice.argument(self.k, self.span);
            self.region(region).into()
        }
    }

    /// Passes a slice that the function may write; what it is in the function.
    #[inline(never)]
    pub fn slice_mut<T: MemoryElement>(&mut self, slice: impl SliceMutArgument<T>) -> T::SliceMut {
        {
            let region = slice.argument(self.k, self.span);
            self.memory(region, None, true).into()
        }
    }

    /// Passes an array; what it is in the function.
    #[inline(never)]
    pub fn array<T: MemoryElement, const N: usize>(&mut self, array: impl SliceArgument<T>) -> T::Array<N> {
        {
            let region = array.argument(self.k, self.span);
            self.array_of::<T>(region, N, false).into()
        }
    }

    /// Passes an array that the function may write; what it is in the function.
    #[inline(never)]
    pub fn array_mut<T: MemoryElement, const N: usize>(&mut self, array: impl SliceMutArgument<T>) -> T::ArrayMut<N> {
        {
            let region = array.argument(self.k, self.span);
            self.array_of::<T>(region, N, true).into()
        }
    }

    fn array_of<T: MemoryElement>(&mut self, region: Region, expected: usize, mutable: bool) -> Region {
        let length =
            self.k.length(self.span, region, T::Data::STORAGE.leading()).as_constant().map(|length| length.bits);
        if length != Some(expected as u64) {
            let found = length.map_or("a slice".to_owned(), |length| format!("one of {length}"));
            let advice = "pass an array of that length, or let the function take a slice, `&[T]`";
            self.k.problem(self.span, format!("expected an array of {expected} elements, found {found}: {advice}"));
        }
        self.memory(region, Some(expected), mutable)
    }

    pub(super) fn region(&mut self, region: Region) -> Region {
        self.memory(region, None, false)
    }

    /// Of an array of a variable's, the function has the mirror.
    fn lend(&mut self, memory: Memory) {
        let (k, span) = (self.k, self.span);
        if let Some(mirror) = k.reflect(span, memory) {
            k.reflected(span, Some(mirror), false);
            self.elements.push(ElementPlace::mirrored(memory));
        }
    }

    /// Passes memory. Of a subslice, the bounds are passed, too, in front of all other arguments.
    fn memory(&mut self, region: Region, length: Option<usize>, mutable: bool) -> Region {
        let subslice = self.k.bounds(region).map(|bounds| {
            for bound in [bounds.start, bounds.length] {
                self.bounds.push(self.k.node(self.span, ScalarType::Usize, bound));
            }
            self.k.with_bounds(region.memory, Bounds { start: Operand::Never, length: Operand::Never })
        });
        self.lend(region.memory);
        let passed = Passed { memory: region.memory, subslice, length, region, mutable };
        if self.slices.iter().any(|known| known.overlaps(&passed)) {
            let name = self.k.memory_name(region.memory);
            let advice = "pass parts that `split_at_mut` makes of it, or a copy";
            let message =
                format!("`{name}` is passed by reference already, and a `&mut` is the only one there is: {advice}");
            self.k.problem(self.span, message);
        }
        self.slices.push(passed);
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
        // Whose type is not the closure's own from here on, so that there is less that is compiled for each function.
        let body: Body<Let<R>> = Box::new(body);
        Value::new(self.emit_of(TypeId::of::<F>(), definition, R::LAYOUT, with_result(body)))
    }

    fn emit_of(self, ty: TypeId, definition: &Definition, result: &'static Layout, body: Body) -> Operand {
        let Self { k, span, args, slices, bounds, given, closures, behind, elements, .. } = self;
        let mut args: Vec<ExprId> = bounds.into_iter().chain(args).collect();
        let Some(function) = k.function_of(span, (ty, closures), (slices, given), definition, (result, body)) else {
            return Operand::Never;
        };
        let (first, types) = (k.new_variables(result, None, false, true), result.types());
        let passed = PassedFields { args: &mut args, behind: &behind, elements: &elements };
        k.take_bases(span, function, (first, types.len() as u32), passed);
        let scalars = k.scalars(first, &types);
        let others: Behind = scalars.iter().skip(1).copied().chain(behind).collect();
        k.emit_call(span, (function, args), scalars.first().map(|&(var, _)| var), &others);
        elements.into_iter().for_each(|element| element.give_back(k, span, function));
        k.variables(first, types.len() as u32)
    }
}

impl Builder {
    /// The next parameter of the function that is being built, a value.
    #[inline(never)]
    pub fn parameter<T: Composite>(&self, _at: u32, name: &'static str) -> Let<T> {
        Let::new(self, self.given_value(T::LAYOUT, name))
    }

    fn given_value(&self, layout: &Layout, name: &'static str) -> Operand {
        if let Some((argument, span)) = self.inlined_argument(layout) {
            return self.named(layout, span, name, argument);
        }
        let first = self.new_variables(layout, Some(name), false, true);
        let mut leaves = self.leaves(layout, self.variables(first, layout.count));
        for (var, known) in self.add_parameter(first, layout.count) {
            leaves[(var.0 - first.0) as usize] = known;
        }
        self.whole(&leaves)
    }

    /// As [`Builder::parameter`], with `mut`.
    #[inline(never)]
    pub fn parameter_mut<T: Composite>(&self, at: u32, name: &'static str) -> Mutable<T> {
        Mutable::new(self.given_variable(T::LAYOUT, at, name), T::COUNT)
    }

    fn given_variable(&self, layout: &Layout, at: u32, name: &'static str) -> VarId {
        if let Some((argument, span)) = self.inlined_argument(layout) {
            return self.declare(layout, span, name, true, argument);
        }
        let first = self.new_variables(layout, Some(name), true, false);
        for (var, known) in self.add_parameter(first, layout.count) {
            self.set(self.span(at), var, ScalarType::Usize, known);
        }
        first
    }

    /// A parameter: a bound of a subslice.
    pub(super) fn bound_parameter(&self) -> Operand {
        let first = self.new_variables(usize::LAYOUT, None, false, true);
        self.add_parameter(first, 1);
        Operand::var(first)
    }

    /// Parameters of the function that is being built; those that are known, and so none, with their values.
    fn add_parameter(&self, first: VarId, count: u32) -> Vec<(VarId, Operand)> {
        let mut guard = self.state.borrow_mut();
        let state = &mut *guard;
        let Some(FunctionId(function)) = state.function else { unreachable!("a device function is being built") };
        let params = &mut state.program.functions[function as usize].params;
        let mut known = Vec::new();
        let mut vars = (first.0..first.0 + count).map(VarId);
        while let Some(var) = vars.next() {
            let Some(base) = state.bases.get_mut(&var) else {
                params.push(var);
                continue;
            };
            let Some(given) = state.given.pop_front() else { continue };
            *base = given.base;
            for value in given.whole.into_iter().flatten() {
                let Some(var) = vars.next() else { break };
                // No statement needs to assign it.
                state.program.variables[var.0 as usize].mutable = true;
                known.push((var, value));
            }
        }
        known
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
        self.fill_result(R::LAYOUT, span, result.operand(self), value);
    }

    fn fill_result(&self, layout: &Layout, span: Span, result: Operand, value: Operand) {
        if value == Operand::Never {
            return;
        }
        self.fill_slot(layout, span, result, value);
        let scalars = self.leaves(layout, result).into_iter().zip(layout.types()).zip(layout.kinds());
        let scalars = scalars.filter(|(_, kind)| *kind == Kind::Scalar);
        let (leaves, types): (Leaves, Vec<ScalarType>) = scalars.map(|(scalar, _)| scalar).skip(1).unzip();
        for (leaf, (slice, index, ty)) in leaves.into_iter().zip(self.places_of(span, types.into_iter())) {
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
}
