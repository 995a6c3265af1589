//! `?`: which results a function can return by it.

use super::arena::Operand;
use super::overloaded::Nothing;
use super::{Builder, Composite, Let, Never, Types, Value};

/// `?` can return from a function that gives an `R` where a name `N` has no value. (`Types` has it: see [`Same`](super::Same).)
#[diagnostic::on_unimplemented(
    message = "`?` does not fit the function's result, a `{R}`",
    label = "the function gives a `{R}`, and this is a `{N}`",
    note = "`?` returns a `None`, or an `Err` with an error of the same type: write `match`, or `.map_err(|e| ..)?`"
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

impl Builder {
    /// `value?` where there is none: `return`.
    #[inline(never)]
    pub fn propagate<N, R: Composite>(&self, at: u32, name: N, result: Let<R>) -> Never
    where
        Types: Propagates<N, R>,
    {
        let value = Types::propagated(self, name);
        self.return_value(at, result, value)
    }
}
