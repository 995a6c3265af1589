//! Methods of users' structs: what stands before the point, and which device function the name behind it is.
//!
//! The macro knows no types, so rustc looks the method up: in a closure that is never called, on the struct's own type. What it
//! finds there is a type, by which the call goes on, and which says how the function takes its `self`.

use super::arena::Operand;
use super::function::OnlyKernelsCallThis;
use super::standard::Stored;
use super::{
    ArrayMut, ArrayRef, AtomicRef, AtomicSlice, Behind, Builder, Composite, IntoIndex, IntoValue, IteratedMut,
    IteratedRef, KernelData, Let, Mutable, ReadSlice, SliceMut, SliceRef, Value, WriteSlice,
};
use crate::scalar::ScalarType;
use crate::source::Span;
use std::marker::PhantomData;

/// A method of a struct that kernels call: the type of its begun call.
pub trait DeviceMethod {
    /// How it takes `self`.
    type By;
    /// The call, which takes the arguments behind `self`.
    type Call<'k>;
    /// Begins a call.
    fn begin(call: OnlyKernelsCallThis<'_>) -> Self::Call<'_>;
}

/// `self` and `&self`: nothing can tell them apart.
#[derive(Debug)]
pub enum ByValue {}

/// `&mut self`
#[derive(Debug)]
pub enum ByMut {}

/// Has a method that nothing has: what rustc finds last where it looks one up.
#[diagnostic::on_unimplemented(
    message = "no such method of `{Self}` in a kernel",
    label = "not a method of `{Self}` that kernels have",
    note = "a method of a type of your own needs `#[device]` above the `impl` that it stands in"
)]
pub trait HasMethod {
    /// The method.
    type Method: DeviceMethod;
}

/// What has it: rustc advises to implement a trait that has no implementation.
#[derive(Debug)]
pub enum NoMethod {}

#[diagnostic::do_not_recommend]
impl HasMethod for NoMethod {
    type Method = Self;
}

impl DeviceMethod for NoMethod {
    type By = ByNothing;
    type Call<'k> = OnlyKernelsCallThis<'k>;

    fn begin(call: OnlyKernelsCallThis<'_>) -> OnlyKernelsCallThis<'_> {
        call
    }
}

/// What stands before the point: a value, or a place that has one.
#[diagnostic::on_unimplemented(
    message = "a method of this is not supported in a kernel",
    label = "not a value of a struct",
    note = "methods of a struct are those of `#[device] impl`"
)]
pub trait Handle {
    /// Its type.
    type Of: ?Sized;
}

/// `self` in a way that no method has: with it, each handle has two ways, of which rustc chooses only when it knows the method.
#[derive(Debug)]
pub enum ByNothing {}

/// Can be the `self` of a method that takes it so. Apart from [`Receiver`], so that of a mistake rustc says one thing.
#[diagnostic::on_unimplemented(
    message = "this method writes to its `self`, which may not be written here",
    label = "not a `let mut` variable, a field of one, or an element that may be written",
    note = "write `let mut` where the variable is declared, and `&mut [T]` for a slice"
)]
pub trait TakenBy<By> {}

impl<H: Handle> TakenBy<ByValue> for H {}
impl<H: Handle> TakenBy<ByNothing> for H {}
impl<T> TakenBy<ByMut> for Mutable<T> {}
impl<T, S: WriteSlice<T>> TakenBy<ByMut> for ElementOf<S, T> {}

/// Can be passed as the `self` of a method.
pub trait Receiver<By>: Handle {
    /// Passes it. `held` says whether an argument behind it may emit statements.
    fn pass(self, call: &mut OnlyKernelsCallThis<'_>, at: u32, held: bool);

    /// Begins a call that it is passed to.
    #[inline(never)]
    fn begin(self, k: &Builder, at: u32, held: bool) -> OnlyKernelsCallThis<'_>
    where
        Self: Sized,
    {
        let mut call = OnlyKernelsCallThis::new(k, k.span(at));
        self.pass(&mut call, at, held);
        call
    }
}

impl<T> Handle for Let<T> {
    type Of = T;
}
impl<T> Handle for Mutable<T> {
    type Of = T;
}
impl<T> Handle for Value<T> {
    type Of = T;
}

fn pass_value<T: Composite>(value: impl IntoValue<T>, call: &mut OnlyKernelsCallThis<'_>, at: u32, held: bool) {
    if held {
        let kept = call.k.keep(at, value);
        call.value::<T>(kept);
    } else {
        call.value::<T>(value);
    }
}

impl<T: Composite> Receiver<ByValue> for Let<T> {
    fn pass(self, call: &mut OnlyKernelsCallThis<'_>, _: u32, _: bool) {
        call.value::<T>(self);
    }
}

impl<T: Composite> Receiver<ByValue> for Mutable<T> {
    fn pass(self, call: &mut OnlyKernelsCallThis<'_>, at: u32, held: bool) {
        pass_value::<T>(self, call, at, held);
    }
}

impl<T: Composite> Receiver<ByValue> for Value<T> {
    fn pass(self, call: &mut OnlyKernelsCallThis<'_>, at: u32, held: bool) {
        pass_value::<T>(self, call, at, held);
    }
}

/// Nothing that may be written.
macro_rules! never_written {
    ($([$($generics:tt)*] $handle:ty;)*) => {$(
        impl<$($generics)*> Receiver<ByMut> for $handle {
            fn pass(self, _: &mut OnlyKernelsCallThis<'_>, _: u32, _: bool) {
                unreachable!("it is not `TakenBy<ByMut>`")
            }
        }
    )*};
}
never_written! {
    [T: Composite] Let<T>; [T: Composite] Value<T>;
}

impl<T: Composite> Receiver<ByMut> for Mutable<T> {
    fn pass(self, call: &mut OnlyKernelsCallThis<'_>, at: u32, _: bool) {
        let place = call.k.lend_mut(at, self);
        call.reference_mut::<T>(place);
    }
}

/// `a[i]`
#[derive(Debug)]
pub struct ElementOf<S, T> {
    slice: S,
    index: Operand,
    ty: PhantomData<T>,
}

impl<S, T> Handle for ElementOf<S, T> {
    type Of = T;
}

impl<S, T> ElementOf<S, T> {
    pub(super) fn new(slice: S, index: Operand) -> Self {
        Self { slice, index, ty: PhantomData }
    }

    /// The same of another slice, as that of a field.
    pub(super) fn of<R, U>(self, slice: impl FnOnce(S) -> R) -> ElementOf<R, U> {
        ElementOf::new(slice(self.slice), self.index)
    }

    /// Its value.
    pub(super) fn read(self, k: &Builder, at: u32) -> Value<T>
    where
        T: KernelData,
        S: ReadSlice<T>,
    {
        k.load::<T>(at, self.slice, Value::new(self.index))
    }

    /// Where it is.
    pub(super) fn stored(self, k: &Builder, span: Span) -> Stored
    where
        T: KernelData,
        S: ReadSlice<T>,
    {
        let region = self.slice.region();
        let index = k.located(span, region, self.index);
        Stored::new::<T>(region.memory, k.pin(span, ScalarType::Usize, index))
    }
}

impl<T: KernelData, S: ReadSlice<T>> Receiver<ByValue> for ElementOf<S, T> {
    fn pass(self, call: &mut OnlyKernelsCallThis<'_>, at: u32, held: bool) {
        let value = call.k.load::<T>(at, self.slice, Value::new(self.index));
        pass_value::<T>(value, call, at, held);
    }
}

impl<T: KernelData, S: ReadSlice<T>> Receiver<ByMut> for ElementOf<S, T> {
    fn pass(self, call: &mut OnlyKernelsCallThis<'_>, at: u32, _: bool) {
        // It is `TakenBy<ByMut>`: the memory may be written.
        let memory = SliceMut::<T>::new(self.slice.region());
        let place = call.k.lend_element_mut::<T>(at, memory, Value::new(self.index));
        call.reference_mut::<T>(place);
    }
}

/// What a name of a `for` or of a reference is before the point of a method.
pub trait NamedReceiver {
    /// The receiver.
    type Receiver;
    /// Makes it.
    fn receiver(self, k: &Builder) -> Self::Receiver;
}

macro_rules! named_elements {
    ($($name:ident: $slice:ident;)*) => {$(
        impl<T: KernelData> NamedReceiver for $name<T> {
            type Receiver = ElementOf<$slice<T>, T>;

            fn receiver(self, k: &Builder) -> Self::Receiver {
                let (memory, index) = self.parts(k);
                ElementOf::new($slice::new(memory), index.operand(k))
            }
        }
    )*};
}
named_elements! {
    IteratedRef: SliceRef;
    IteratedMut: SliceMut;
}

macro_rules! named_otherwise {
    ($([$($generics:tt)*] $handle:ty;)*) => {$(
        impl<T $($generics)*> NamedReceiver for $handle {
            type Receiver = Self;

            fn receiver(self, _: &Builder) -> Self {
                self
            }
        }
    )*};
}
named_otherwise! {
    [] Let<T>; [] Mutable<T>; [] Value<T>; [] SliceRef<T>; [] SliceMut<T>; [] AtomicSlice<T>; [] AtomicRef<T>;
    [, const N: usize] ArrayRef<T, N>; [, const N: usize] ArrayMut<T, N>; [, S] ElementOf<S, T>;
    [, U] (T, U);
}

impl Builder {
    /// `receiver.name(..)`, of which rustc finds what `name` is.
    #[inline(never)]
    pub fn method<H: Receiver<M::By> + TakenBy<M::By>, M: DeviceMethod>(
        &self,
        at: u32,
        receiver: H,
        held: bool,
        _: impl FnOnce(&H::Of) -> M,
    ) -> M::Call<'_> {
        M::begin(receiver.begin(self, at, held))
    }

    /// A name of a `for` or of a reference, before a point.
    #[inline(never)]
    pub fn receiver_named<N: NamedReceiver>(&self, _at: u32, name: N) -> N::Receiver {
        name.receiver(self)
    }

    /// An element of values, before a point.
    #[inline(never)]
    pub fn receiver_element<T: KernelData, S: ReadSlice<T>>(
        &self,
        at: u32,
        slice: S,
        index: impl IntoIndex,
    ) -> ElementOf<S, T> {
        let span = self.span(at);
        let index = self.operand(span, index);
        let index = self.pin(span, ScalarType::Usize, index);
        ElementOf::new(slice, index)
    }
}
