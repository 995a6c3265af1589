//! Iterators of no memory: `std::iter::repeat` and the like, options, and structs that are iterators.

use super::super::layout::HasLayout;
use super::{Iterated, Mapped, OwnedItem, Taken};
use crate::build::arena::Operand;
use crate::build::function::OnlyKernelsCallThis;
use crate::build::receiver::Receiver;
use crate::build::rows::NamedMemory;
use crate::build::{
    Builder, ByMut, Composite, DeviceMethod, IntoItems, IntoValue, IteratedRef, KernelData, Let, Mutable, Value,
};
use crate::program::VarId;
use crate::scalar::ScalarType;
use crate::source::Span;

/// `std::iter::repeat(value)`
#[derive(Debug)]
pub struct Repeated<T>(Let<T>);

impl<T> Clone for Repeated<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Repeated<T> {}

impl<T: Composite> Iterated for Repeated<T> {
    type Item = Let<T>;

    fn step(self, _: &Builder, _: Span, _: u32) -> Let<T> {
        self.0
    }

    fn duplicate(self, _: &Builder, _: Span) -> Self {
        self
    }

    fn restore(self, _: &Builder, _: Span, _: Self) {}
}

/// `std::iter::from_fn(|| ..)`
#[derive(Clone, Copy, Debug)]
pub struct FromFn<F>(F);

impl<T: Composite, F: Fn((), &Builder) -> Let<Option<T>> + Copy> Iterated for FromFn<F> {
    type Item = Let<T>;

    fn step(self, k: &Builder, span: Span, leave: u32) -> Let<T> {
        let option = (self.0)((), k);
        let is_none = k.not_of(span, k.is_present(option).operand);
        k.leave_if(span, is_none, leave);
        k.present_value(option)
    }

    fn duplicate(self, _: &Builder, _: Span) -> Self {
        self
    }

    fn restore(self, _: &Builder, _: Span, _: Self) {}
}

/// `std::iter::successors(first, |x| ..)`
#[derive(Debug)]
pub struct Successors<T, F> {
    next: Mutable<Option<T>>,
    function: F,
}

impl<T, F: Copy> Clone for Successors<T, F> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T, F: Copy> Copy for Successors<T, F> {}

impl<T: Composite, F: Fn(Let<T>, &Builder) -> Let<Option<T>> + Copy> Iterated for Successors<T, F> {
    type Item = Let<T>;

    fn step(self, k: &Builder, span: Span, leave: u32) -> Let<T> {
        let next = taken_out(k, span, self.next);
        let is_none = k.not_of(span, k.is_present(next).operand);
        k.leave_if(span, is_none, leave);
        let item = k.present_value(next);
        let next = (self.function)(item, k).operand(k);
        k.set_all(<Option<T>>::LAYOUT, span, self.next.var, next);
        item
    }

    fn duplicate(self, k: &Builder, span: Span) -> Self {
        Self { next: copied(k, span, self.next), ..self }
    }

    fn restore(self, k: &Builder, span: Span, from: Self) {
        k.set_all(<Option<T>>::LAYOUT, span, self.next.var, k.variables(from.next.var, Option::<T>::COUNT));
    }
}

/// What a variable holds now.
fn taken_out<T: Composite>(k: &Builder, span: Span, variable: Mutable<T>) -> Let<T> {
    Let::new(k, k.pinned_value(T::LAYOUT, span, k.variables(variable.var, T::COUNT)))
}

/// Another variable with the same value.
fn copied<T: Composite>(k: &Builder, span: Span, variable: Mutable<T>) -> Mutable<T> {
    let first = k.new_variables(T::LAYOUT, None, true, false);
    k.set_all(T::LAYOUT, span, first, k.variables(variable.var, T::COUNT));
    Mutable::new(first, T::COUNT)
}

/// A struct that is an iterator, by `#[device] impl Iterator`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no iterator in a kernel",
    label = "not an iterator",
    note = "a struct is one by `#[device] impl Iterator for {Self}`"
)]
pub trait OwnIterator: Composite {
    /// The type of its items.
    type Item: Composite;
    /// Makes the call of its `next`, to which the iterator has been passed.
    fn advance(call: OnlyKernelsCallThis<'_>) -> Value<Option<Self::Item>>;
}

/// A struct that is an iterator, in a variable.
#[derive(Debug)]
pub struct Own<T>(Mutable<T>);

impl<T> Clone for Own<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Own<T> {}

impl<T: Composite> Own<T> {
    /// The struct as it is now.
    pub(in crate::build) fn state(self, k: &Builder) -> Operand {
        k.variables(self.0.var, T::COUNT)
    }
}

impl<T: OwnIterator> Iterated for Own<T> {
    type Item = Let<T::Item>;

    fn step(self, k: &Builder, span: Span, leave: u32) -> Self::Item {
        let mut call = OnlyKernelsCallThis::new(k, span);
        Receiver::<ByMut>::pass(self.0, &mut call, 0, false);
        let next = T::advance(call).operand;
        let leaves = k.pin_leaves(<Option<T::Item>>::LAYOUT, span, &k.leaves(<Option<T::Item>>::LAYOUT, next));
        let next = Let::<Option<T::Item>>::new(k, k.whole(&leaves));
        let is_none = k.not_of(span, k.is_present(next).operand);
        k.leave_if(span, is_none, leave);
        k.present_value(next)
    }

    fn duplicate(self, k: &Builder, span: Span) -> Self {
        Self(copied(k, span, self.0))
    }

    fn restore(self, k: &Builder, span: Span, from: Self) {
        k.set_all(T::LAYOUT, span, self.0.var, k.variables(from.0.var, T::COUNT));
    }
}

impl<T: OwnIterator> NamedMemory for Let<T> {
    type Memory = Own<T>;

    fn named(self, k: &Builder, span: Span) -> Own<T> {
        let first = k.new_variables(T::LAYOUT, None, true, false);
        k.set_all(T::LAYOUT, span, first, self.operand(k));
        Own(Mutable::new(first, T::COUNT))
    }
}

/// The variable itself: of `for x in it.by_ref()` it has the rest.
impl<T: OwnIterator> NamedMemory for Mutable<T> {
    type Memory = Own<T>;

    fn named(self, _: &Builder, _: Span) -> Own<T> {
        Own(self)
    }
}

/// A copy, as structs of kernels are `Copy`: `for x in it` leaves `it` as it is.
impl<T: OwnIterator> IntoItems for Own<T> {
    type Gone = Self;

    fn into_items(self, k: &Builder, at: u32, _: bool) -> Self {
        self.duplicate(k, k.span(at))
    }

    fn lent_items(self, _: &Builder, _: u32, _: bool) -> Self {
        self
    }
}

/// An option, as an iterator of one item or none.
#[derive(Debug)]
pub struct Perhaps<T> {
    option: Let<Option<T>>,
    /// Whether the item is still there.
    is_there: VarId,
}

impl<T> Clone for Perhaps<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Perhaps<T> {}

impl<T: Composite> Iterated for Perhaps<T> {
    type Item = Let<T>;

    fn step(self, k: &Builder, span: Span, leave: u32) -> Let<T> {
        let is_none = k.not_of(span, Operand::var(self.is_there));
        k.leave_if(span, is_none, leave);
        k.set(span, self.is_there, ScalarType::Bool, Operand::constant(false));
        k.present_value(self.option)
    }

    fn duplicate(self, k: &Builder, span: Span) -> Self {
        Self { is_there: k.state_of(span, ScalarType::Bool, Operand::var(self.is_there)), ..self }
    }

    fn restore(self, k: &Builder, span: Span, from: Self) {
        k.set(span, self.is_there, ScalarType::Bool, Operand::var(from.is_there));
    }
}

impl<T: Composite> NamedMemory for Let<Option<T>> {
    type Memory = Perhaps<T>;

    fn named(self, k: &Builder, span: Span) -> Perhaps<T> {
        let is_some = k.is_present(self).operand;
        Perhaps { option: self, is_there: k.state_of(span, ScalarType::Bool, is_some) }
    }
}

impl<T: Composite> NamedMemory for Mutable<Option<T>> {
    type Memory = Perhaps<T>;

    fn named(self, k: &Builder, span: Span) -> Perhaps<T> {
        taken_out(k, span, self).named(k, span)
    }
}

/// A reference to an option gives a reference to its value.
impl<T: KernelData> NamedMemory for IteratedRef<Option<T>>
where
    Option<T>: KernelData,
{
    type Memory = Perhaps<T>;

    fn named(self, k: &Builder, span: Span) -> Perhaps<T> {
        self.owned(k, span).named(k, span)
    }
}

impl<T: Composite> IntoItems for Perhaps<T> {
    type Gone = Self;

    fn into_items(self, _: &Builder, _: u32, _: bool) -> Self {
        self
    }
}

/// Begins a call of a method, which rustc finds by the closure.
#[inline(never)]
pub fn begun_method<T, M: DeviceMethod>(call: OnlyKernelsCallThis<'_>, _: impl FnOnce(&T) -> M) -> M::Call<'_> {
    M::begin(call)
}

impl Builder {
    /// `std::iter::repeat(value)`
    #[inline(never)]
    pub fn again<T: Composite>(&self, at: u32, value: impl IntoValue<T>) -> Repeated<T> {
        Repeated(self.keep(at, value))
    }

    /// `std::iter::once(value)`
    #[inline(never)]
    pub fn once<T: Composite>(&self, at: u32, value: impl IntoValue<T>) -> Taken<Repeated<T>> {
        self.taken(at, self.again(at, value), 1_usize)
    }

    /// `std::iter::from_fn(|| ..)`
    #[inline(never)]
    pub fn from_fn<T: Composite, F: Fn((), &Self) -> Let<Option<T>> + Copy>(&self, _at: u32, function: F) -> FromFn<F> {
        FromFn(function)
    }

    /// `std::iter::repeat_with(|| ..)`
    #[inline(never)]
    pub fn repeat_with<T: Composite, F: Fn((), &Self) -> Let<T> + Copy>(
        &self,
        at: u32,
        function: F,
    ) -> Mapped<Repeated<()>, impl Fn(Let<()>, &Self) -> Let<T> + Copy + use<T, F>> {
        self.mapped(at, self.again(at, self.unit()), move |_: Let<()>, k: &Self| function((), k))
    }

    /// `std::iter::successors(first, |x| ..)`
    #[inline(never)]
    pub fn successors<T: Composite, F: Fn(Let<T>, &Self) -> Let<Option<T>> + Copy>(
        &self,
        at: u32,
        first: impl IntoValue<Option<T>>,
        function: F,
    ) -> Successors<T, F> {
        Successors { next: self.bind_mut(at, "next", first), function }
    }
}
