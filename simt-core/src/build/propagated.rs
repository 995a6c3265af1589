//! `?`: which results a function can return by it.

use super::arena::Operand;
use super::function::OnlyKernelsCallThis;
use super::layout::HasLayout;
use super::overloaded::Nothing;
use super::tuple::Leaves;
use super::{Builder, Composite, DeviceFrom, Let, Never, Types, Value};
use std::ops::Deref;

/// `?` can return from a function that gives an `R` where a name `N` has no value. (`Types` has it: see [`Same`](super::Same).)
#[diagnostic::on_unimplemented(
    message = "`?` does not fit the function's result, a `{R}`",
    label = "the function gives a `{R}`, and this is a `{N}`",
    note = "`?` returns a `None`, or an `Err` whose error is of the same type or has a `#[device] impl From<..>`: write `match`, or `.map_err(|e| ..)?`"
)]
pub trait Propagates<N, R> {
    /// The result where there is no value.
    fn propagated(k: &Builder, name: N) -> Value<R>;
}

impl<T: Composite, U: Composite> Propagates<Let<Option<T>>, Option<U>> for Types {
    fn propagated(k: &Builder, _: Let<Option<T>>) -> Value<Option<U>> {
        k.none()
    }
}

impl<T: Composite, U: Composite, E: Composite> Propagates<Let<Result<T, E>>, Result<U, E>> for Types {
    fn propagated(k: &Builder, name: Let<Result<T, E>>) -> Value<Result<U, E>> {
        k.absent_as::<Result<T, E>, U>(name)
    }
}

// So that rustc does not conclude from the one what the other has to be.
#[diagnostic::do_not_recommend]
impl<R: Composite> Propagates<Nothing<false>, R> for Types {
    fn propagated(_: &Builder, _: Nothing<false>) -> Value<R> {
        Value::new(Operand::Never)
    }
}
#[diagnostic::do_not_recommend]
impl<T: Composite> Propagates<Let<Option<T>>, Nothing<true>> for Types {
    fn propagated(_: &Builder, _: Let<Option<T>>) -> Value<Nothing<true>> {
        Value::new(Operand::Never)
    }
}
#[diagnostic::do_not_recommend]
impl<T: Composite, E: Composite> Propagates<Let<Result<T, E>>, Nothing<true>> for Types {
    fn propagated(_: &Builder, _: Let<Result<T, E>>) -> Value<Nothing<true>> {
        Value::new(Operand::Never)
    }
}

/// A `?` where there is no value: what is left, and the function's result.
///
/// Of two methods of one name rustc takes the first where nothing is converted, which tells it types that it does not know
/// yet; behind `Deref` stands that which converts the error, and then the one that explains a mistake.
#[derive(Debug)]
pub struct Leaving<'k, N, R>(Converting<'k, N, R>);

/// A `?` that converts its error.
#[derive(Debug)]
pub struct Converting<'k, N, R>(Mistaken<'k, N, R>);

/// A `?` that does not fit.
#[derive(Debug)]
pub struct Mistaken<'k, N, R> {
    k: &'k Builder,
    at: u32,
    name: N,
    result: Let<R>,
}

impl<'k, N, R> Deref for Leaving<'k, N, R> {
    type Target = Converting<'k, N, R>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<'k, N, R> Deref for Converting<'k, N, R> {
    type Target = Mistaken<'k, N, R>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<T: Composite, U: Composite> Leaving<'_, Let<Option<T>>, Option<U>> {
    /// `return None`
    #[inline(never)]
    pub fn leave(&self) -> Never {
        self.leave_as()
    }
}

impl<T: Composite, U: Composite, E: Composite> Leaving<'_, Let<Result<T, E>>, Result<U, E>> {
    /// `return Err(error)`
    #[inline(never)]
    pub fn leave(&self) -> Never {
        self.leave_as()
    }
}

impl<T: Composite, U: Composite, E: Composite, F: DeviceFrom<E>> Converting<'_, Let<Result<T, E>>, Result<U, F>> {
    /// `return Err(F::from(error))`
    #[inline(never)]
    pub fn leave(&self) -> Never {
        let Mistaken { k, at, name, result } = self.0;
        let error = k.leaves(<Result<T, E>>::LAYOUT, name.operand(k)).into_iter().skip(1 + T::COUNT as usize);
        let error = Value::new(k.whole(&error.collect::<Leaves>()));
        let error = F::converted(OnlyKernelsCallThis::new(k, k.span(at)), error);
        k.return_value(at, result, k.err::<U, F>(at, error))
    }
}

impl<N: Copy, R: Composite> Mistaken<'_, N, R> {
    /// `return` of what is left.
    #[inline(never)]
    pub fn leave(&self) -> Never
    where
        Types: Propagates<N, R>,
    {
        self.leave_as()
    }

    fn leave_as(&self) -> Never
    where
        Types: Propagates<N, R>,
    {
        let value = Types::propagated(self.k, self.name);
        self.k.return_value(self.at, self.result, value)
    }
}

impl Builder {
    /// `value?` where there is none.
    #[inline(never)]
    pub fn leaving<N, R>(&self, at: u32, name: N, result: Let<R>) -> Leaving<'_, N, R> {
        Leaving(Converting(Mistaken { k: self, at, name, result }))
    }

    /// `value?` in a closure where there is none: leaves the block that is its body.
    #[inline(never)]
    pub fn propagate_to<N, R: Composite>(&self, at: u32, name: N, slot: Let<R>, out: u32) -> Never
    where
        Types: Propagates<N, R>,
    {
        let value = Types::propagated(self, name);
        self.break_with(at, out, slot, value)
    }
}
