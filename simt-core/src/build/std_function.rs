//! Functions of `std` that a kernel calls by whatever name a `use` gives them: `min(a, b)`, `swap(&mut a, &mut b)`.
//!
//! What a name means only rustc knows: it may be a device function's. So behind [`Callee`](super::Callee) rustc finds, by the
//! types of its parameters, what the function may be; whether it is, is known by its type when the kernel is built.

use super::callee::OtherFunction;
use super::layout::HasLayout;
use super::place::ElementPlace;
use super::reference::RefMutArgument;
use super::{Builder, Composite, IntoValue, Let, Mutable, Place, Shape, Value};
use crate::ops::{CompareOp, NumericOp};
use crate::scalar::ScalarType;
use std::any::{TypeId, type_name};
use std::ops::Deref;

/// A value for which the functions are those that they are for others, too.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub struct Sample;

/// A function that is to be called, and what it may be otherwise.
macro_rules! function {
    ($(#[$doc:meta])* $name:ident, $next:ident<$($k:lifetime,)? F>, $new:expr;) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name<'k, F> {
            k: &'k Builder,
            at: u32,
            next: $next<$($k,)? F>,
        }

        impl<'k, F> $name<'k, F> {
            pub(super) fn new(k: &'k Builder, at: u32) -> Self {
                Self { k, at, next: $new(k, at) }
            }
        }

        impl<'k, F> Deref for $name<'k, F> {
            type Target = $next<$($k,)? F>;

            fn deref(&self) -> &Self::Target {
                &self.next
            }
        }
    };
}

function! {
    /// A function that may be one of two values to a third.
    OfTwo, Exchanging<'k, F>, Exchanging::new;
}
function! {
    /// A function that may change two places.
    Exchanging, Replacing<'k, F>, Replacing::new;
}
function! {
    /// A function that may change a place by a value.
    Replacing, Taking<'k, F>, Taking::new;
}
function! {
    /// A function that may change a place.
    Taking, OtherFunction<F>, |_, _| OtherFunction::new();
}

/// Whether a type is that of a function.
fn is<F: 'static, G: 'static>(_: G) -> bool {
    TypeId::of::<F>() == TypeId::of::<G>()
}

/// A call of a function of `std` that is to take its arguments.
#[derive(Clone, Copy, Debug)]
pub struct StdFunctionCall<'k, W> {
    k: &'k Builder,
    at: u32,
    what: W,
}

/// `min` or `max`.
#[derive(Clone, Copy, Debug)]
pub struct LeastOrGreatest {
    is_least: bool,
}

/// `swap`.
#[derive(Clone, Copy, Debug)]
pub struct Swap;

/// `replace`.
#[derive(Clone, Copy, Debug)]
pub struct Replace;

/// `take`.
#[derive(Clone, Copy, Debug)]
pub struct Take;

impl<'k, F: FnOnce(Sample, Sample) -> Sample + 'static> OfTwo<'k, F> {
    /// Begins the call.
    #[inline(never)]
    pub fn begin(&self) -> StdFunctionCall<'k, LeastOrGreatest> {
        let is_least = is::<F, _>(std::cmp::min::<Sample>);
        self.k.unless_known::<F>(self.at, is_least || is::<F, _>(std::cmp::max::<Sample>));
        StdFunctionCall { k: self.k, at: self.at, what: LeastOrGreatest { is_least } }
    }
}

impl<'k, F: FnOnce(&mut Sample, &mut Sample) + 'static> Exchanging<'k, F> {
    /// Begins the call.
    #[inline(never)]
    pub fn begin(&self) -> StdFunctionCall<'k, Swap> {
        self.k.unless_known::<F>(self.at, is::<F, _>(std::mem::swap::<Sample>));
        StdFunctionCall { k: self.k, at: self.at, what: Swap }
    }
}

impl<'k, F: FnOnce(&mut Sample, Sample) -> Sample + 'static> Replacing<'k, F> {
    /// Begins the call.
    #[inline(never)]
    pub fn begin(&self) -> StdFunctionCall<'k, Replace> {
        self.k.unless_known::<F>(self.at, is::<F, _>(std::mem::replace::<Sample>));
        StdFunctionCall { k: self.k, at: self.at, what: Replace }
    }
}

impl<'k, F: FnOnce(&mut Sample) -> Sample + 'static> Taking<'k, F> {
    /// Begins the call.
    #[inline(never)]
    pub fn begin(&self) -> StdFunctionCall<'k, Take> {
        self.k.unless_known::<F>(self.at, is::<F, _>(std::mem::take::<Sample>));
        StdFunctionCall { k: self.k, at: self.at, what: Take }
    }
}

impl StdFunctionCall<'_, LeastOrGreatest> {
    /// Takes the arguments. Of values that have several scalars, emits an `if`.
    #[inline(never)]
    pub fn __call<T: Composite + Ord>(self, a: impl IntoValue<T>, b: impl IntoValue<T>) -> Value<T> {
        let Self { k, at, what: LeastOrGreatest { is_least } } = self;
        let span = k.span(at);
        let (a, b) = (k.operand::<T>(span, a), k.operand::<T>(span, b));
        if let (Shape::Scalar, [ty]) = (T::shape(), &T::LAYOUT.types()[..])
            && *ty != ScalarType::Bool
        {
            let op = if is_least { NumericOp::Min } else { NumericOp::Max };
            return Value::new(k.numeric(span, op, *ty, [a, b].into()));
        }
        let [a, b] = [a, b].map(|value| k.pin_leaves(T::LAYOUT, span, &k.leaves(T::LAYOUT, value)));
        // Of equal ones `min` gives the first, and `max` the second.
        let is_less = k.ordered::<T>(span, CompareOp::Lt, k.whole(&b), k.whole(&a));
        let (then, otherwise) = if is_least { (&b, &a) } else { (&a, &b) };
        Value::new(k.whole(&k.chosen(T::LAYOUT, span, is_less, then, otherwise)))
    }
}

impl StdFunctionCall<'_, Swap> {
    /// Takes the arguments.
    #[inline(never)]
    pub fn __call<T: Composite>(self, a: impl RefMutArgument<T>, b: impl RefMutArgument<T>) -> Value<()> {
        let (a, b) = (self.place::<T>(a), self.place::<T>(b));
        let [first, second] = [&a, &b].map(|(place, _)| self.k.keep::<T>(self.at, *place));
        self.put(a, second);
        self.put(b, first);
        self.k.unit()
    }
}

impl StdFunctionCall<'_, Replace> {
    /// Takes the arguments.
    #[inline(never)]
    pub fn __call<T: Composite>(self, place: impl RefMutArgument<T>, value: impl IntoValue<T>) -> Value<T> {
        let place = self.place::<T>(place);
        let (old, value) = (self.k.keep::<T>(self.at, place.0), self.k.keep::<T>(self.at, value));
        self.put(place, value);
        Value::new(old.operand(self.k))
    }
}

impl StdFunctionCall<'_, Take> {
    /// Takes the argument.
    #[inline(never)]
    pub fn __call<T: Composite + Default + IntoValue<T>>(self, place: impl RefMutArgument<T>) -> Value<T> {
        let place = self.place::<T>(place);
        let old = self.k.keep::<T>(self.at, place.0);
        let value = self.k.keep::<T>(self.at, T::default());
        self.put(place, value);
        Value::new(old.operand(self.k))
    }
}

/// The variable behind a `&mut`, and where it goes if it is the copy of an element.
type Behind<T> = (Mutable<T>, Option<ElementPlace>);

impl<W> StdFunctionCall<'_, W> {
    fn place<T: Composite>(&self, reference: impl RefMutArgument<T>) -> Behind<T> {
        let (first, element) = reference.variable(self.k, self.k.span(self.at));
        (Mutable::new(first, T::COUNT), element)
    }

    fn put<T: Composite>(&self, (place, element): Behind<T>, value: Let<T>) {
        let span = self.k.span(self.at);
        place.put(self.k, span, Value::new(value.operand(self.k)));
        if let Some(element) = element {
            element.store(self.k, span);
        }
    }
}

impl Builder {
    /// Reports a function whose parameters are those of one that kernels have, if it is another.
    fn unless_known<F>(&self, at: u32, is_known: bool) {
        if !is_known {
            let name = type_name::<F>().split('<').next().unwrap_or_default();
            let message = format!("`{name}` cannot be called in a kernel: write `#[device]` above the function");
            self.problem(self.span(at), message);
        }
    }
}
