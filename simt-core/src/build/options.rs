//! `Option` and `Result` as values: a flag, and the scalars of each variant side by side.
//!
//! The scalars of the variant that is not there can be anything, because nothing asks for them.

use super::arena::Operand;
use super::layout::{HasLayout, Layout};
use super::shape::{Choice, Shape};
use super::tuple::Leaves;
use super::{Builder, Composite, IntoValue, Let, Value};
use crate::ops::UnaryOp;
use crate::scalar::ScalarType;
use crate::source::Span;

/// Whether there is a value, and the value.
impl<T: Composite> Composite for Option<T> {
    const COUNT: u32 = 1 + T::COUNT;

    fn shape() -> Shape {
        Shape::Choices(vec![Choice::of_std("None", false, None), Choice::of_std("Some", true, Some(T::shape()))])
    }

    fn made(next: &mut dyn FnMut(ScalarType) -> u64) -> Self {
        let is_some = next(ScalarType::Bool) != 0;
        let value = T::made(next);
        is_some.then_some(value)
    }

    fn leaves(path: &str, show: &mut dyn FnMut(&str, ScalarType)) {
        show(&format!("{path}.is_some"), ScalarType::Bool);
        T::leaves(&format!("{path}.value"), show);
    }
}

/// Whether it is `Ok`, the value, and the error.
impl<T: Composite, E: Composite> Composite for Result<T, E> {
    const COUNT: u32 = 1 + T::COUNT + E::COUNT;

    fn shape() -> Shape {
        let (value, error) = (Some(T::shape()), Some(E::shape()));
        Shape::Choices(vec![Choice::of_std("Ok", true, value), Choice::of_std("Err", false, error)])
    }

    fn made(next: &mut dyn FnMut(ScalarType) -> u64) -> Self {
        let is_ok = next(ScalarType::Bool) != 0;
        let (value, error) = (T::made(next), E::made(next));
        if is_ok { Ok(value) } else { Err(error) }
    }

    fn leaves(path: &str, show: &mut dyn FnMut(&str, ScalarType)) {
        show(&format!("{path}.is_ok"), ScalarType::Bool);
        T::leaves(&format!("{path}.ok"), show);
        E::leaves(&format!("{path}.err"), show);
    }
}

/// `Option<T>`, or `Result<T, E>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither an `Option` nor a `Result`",
    label = "neither an `Option` nor a `Result`"
)]
pub trait Variants: Composite {
    /// The value's type.
    type Value: Composite;
    /// What is there in its place: `()` or the error.
    type Other: Composite;
    /// The same with a value of another type.
    type With<U: Composite>: Variants<Value = U, Other = Self::Other>;
    /// Its scalars where it has a value with these.
    fn present(k: &Builder, value: Value<Self::Value>) -> Value<Self>;
    /// What `unwrap` says of it.
    const ABSENT: &'static str;
    /// Whether it shows what is there in its place.
    const SHOWS_OTHER: bool;
}

impl<T: Composite> Variants for Option<T> {
    type Value = T;
    type Other = ();
    type With<U: Composite> = Option<U>;

    fn present(k: &Builder, value: Value<T>) -> Value<Self> {
        Value::new(k.with_flag(true, &[&k.leaves(T::LAYOUT, value.operand)]))
    }

    const ABSENT: &'static str = "called `Option::unwrap()` on a `None` value";
    const SHOWS_OTHER: bool = false;
}

impl<T: Composite, E: Composite> Variants for Result<T, E> {
    type Value = T;
    type Other = E;
    type With<U: Composite> = Result<U, E>;

    fn present(k: &Builder, value: Value<T>) -> Value<Self> {
        Value::new(k.with_flag(true, &[&k.leaves(T::LAYOUT, value.operand), &E::LAYOUT.nothing()]))
    }

    const ABSENT: &'static str = "called `Result::unwrap()` on an `Err` value";
    const SHOWS_OTHER: bool = true;
}

impl Builder {
    pub(super) fn with_flag(&self, flag: bool, values: &[&[Operand]]) -> Operand {
        self.flagged(Operand::constant(flag), &values.concat())
    }

    /// `Some(value)`
    #[inline(never)]
    pub fn some<T: Composite>(&self, at: u32, value: impl IntoValue<T>) -> Value<Option<T>> {
        let value = self.operand(self.span(at), value);
        Value::new(self.with_flag(true, &[&self.leaves(T::LAYOUT, value)]))
    }

    /// `Some(value)` or `Ok(value)`, by the type that is wanted.
    #[inline(never)]
    pub fn present<V: Variants>(&self, at: u32, value: impl IntoValue<V::Value>) -> Value<V> {
        let value = self.operand::<V::Value>(self.span(at), value);
        V::present(self, Value::new(value))
    }

    /// `None`
    #[inline(never)]
    pub fn none<T: Composite>(&self) -> Value<Option<T>> {
        Value::new(self.with_flag(false, &[&T::LAYOUT.nothing()]))
    }

    /// `Ok(value)`
    #[inline(never)]
    pub fn ok<T: Composite, E: Composite>(&self, at: u32, value: impl IntoValue<T>) -> Value<Result<T, E>> {
        let value = self.operand(self.span(at), value);
        Value::new(self.with_flag(true, &[&self.leaves(T::LAYOUT, value), &E::LAYOUT.nothing()]))
    }

    /// `Err(error)`
    #[inline(never)]
    pub fn err<T: Composite, E: Composite>(&self, at: u32, error: impl IntoValue<E>) -> Value<Result<T, E>> {
        let error = self.operand(self.span(at), error);
        Value::new(self.with_flag(false, &[&T::LAYOUT.nothing(), &self.leaves(E::LAYOUT, error)]))
    }

    /// The flag. Emits the other scalars, if they may have faults.
    fn presence<V: Composite>(&self, span: Span, value: impl IntoValue<V>) -> Operand {
        let value = self.operand(span, value);
        self.evaluated(V::LAYOUT, span, value)[0]
    }

    /// The scalars, evaluated now if one may have a fault: not all of them are asked for.
    pub(super) fn evaluated(&self, layout: &Layout, span: Span, value: Operand) -> Leaves {
        let leaves = self.leaves(layout, value);
        let may_fault =
            |leaf: &Operand| matches!(*leaf, Operand::Node(id) if self.state.borrow().program.can_fault(id));
        if leaves.iter().any(may_fault) { self.pin_leaves(layout, span, &leaves) } else { leaves }
    }

    /// `option.is_some()`
    #[inline(never)]
    pub fn is_some<T: Composite>(&self, at: u32, option: impl IntoValue<Option<T>>) -> Value<bool> {
        Value::new(self.presence(self.span(at), option))
    }

    /// `option.is_none()`
    #[inline(never)]
    pub fn is_none<T: Composite>(&self, at: u32, option: impl IntoValue<Option<T>>) -> Value<bool> {
        let span = self.span(at);
        let flag = self.presence(span, option);
        Value::new(self.unary(span, UnaryOp::Not, ScalarType::Bool, flag))
    }

    /// `result.is_ok()`
    #[inline(never)]
    pub fn is_ok<T: Composite, E: Composite>(&self, at: u32, result: impl IntoValue<Result<T, E>>) -> Value<bool> {
        Value::new(self.presence(self.span(at), result))
    }

    /// `result.is_err()`
    #[inline(never)]
    pub fn is_err<T: Composite, E: Composite>(&self, at: u32, result: impl IntoValue<Result<T, E>>) -> Value<bool> {
        let span = self.span(at);
        let flag = self.presence(span, result);
        Value::new(self.unary(span, UnaryOp::Not, ScalarType::Bool, flag))
    }

    /// Some of a name's scalars.
    pub(super) fn part_from<V: Composite, T: Composite>(&self, name: Let<V>, first: u32) -> Let<T> {
        Let::new(self, self.part(name.operand(self), first, T::COUNT))
    }

    /// `x` of the pattern `Some(x)`
    #[inline(never)]
    pub fn some_value<T: Composite>(&self, option: Let<Option<T>>) -> Let<T> {
        self.part_from(option, 1)
    }

    /// `x` of the pattern `Ok(x)`
    #[inline(never)]
    pub fn ok_value<T: Composite, E: Composite>(&self, result: Let<Result<T, E>>) -> Let<T> {
        self.part_from(result, 1)
    }

    /// `e` of the pattern `Err(e)`
    #[inline(never)]
    pub fn err_value<T: Composite, E: Composite>(&self, result: Let<Result<T, E>>) -> Let<E> {
        self.part_from(result, 1 + T::COUNT)
    }

    /// What a method or `?` is for, evaluated now. (By its type, nothing is reported behind what is neither of the two.)
    #[inline(never)]
    pub fn keep_variants<V: Variants>(&self, at: u32, value: impl IntoValue<V>) -> Let<V::With<V::Value>> {
        Let::new(self, self.keep(at, value).operand(self))
    }

    /// What a method is for that only options have, evaluated now.
    #[inline(never)]
    pub fn keep_option<T: Composite>(&self, at: u32, value: impl IntoValue<Option<T>>) -> Let<Option<T>> {
        self.keep(at, value)
    }

    /// What a method is for that only results have, evaluated now.
    #[inline(never)]
    pub fn keep_result<T: Composite, E: Composite>(
        &self,
        at: u32,
        value: impl IntoValue<Result<T, E>>,
    ) -> Let<Result<T, E>> {
        self.keep(at, value)
    }

    /// Whether it is `Some` or `Ok`.
    #[inline(never)]
    pub fn is_present<V: Variants>(&self, name: Let<V>) -> Value<bool> {
        Value::new(self.part(name.operand(self), 0, 1))
    }

    /// Its value, where it has one.
    #[inline(never)]
    pub fn present_value<V: Variants>(&self, name: Let<V>) -> Let<V::Value> {
        self.part_from(name, 1)
    }

    /// What is in its place, where it has none.
    #[inline(never)]
    pub fn absent_value<V: Variants>(&self, name: Let<V>) -> Let<V::Other> {
        self.part_from(name, 1 + V::Value::COUNT)
    }
}
