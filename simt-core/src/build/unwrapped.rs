//! What methods make of an `Option` or a `Result`: another one, or the value in it.

use super::arena::Operand;
use super::layout::{HasLayout, Layout};
use super::tuple::Leaves;
use super::{Builder, Composite, IntoValue, Let, Value, Variants};
use crate::ops::UnaryOp;
use crate::program::{Form, Piece, StmtKind, Style};
use crate::scalar::ScalarType;
use crate::source::Span;
use std::fmt::Debug;

impl Builder {
    /// `Some(value)` or `Ok(value)`, as `like` is.
    #[inline(never)]
    pub fn present_as<V: Variants, U: Composite>(
        &self,
        at: u32,
        _like: Let<V>,
        value: impl IntoValue<U>,
    ) -> Value<V::With<U>> {
        let value = self.operand(self.span(at), value);
        Value::new(self.with_flag(true, &[&self.leaves(U::LAYOUT, value), &V::Other::LAYOUT.nothing()]))
    }

    /// `None`, or the `Err` that it is.
    #[inline(never)]
    pub fn absent_as<V: Variants, U: Composite>(&self, name: Let<V>) -> Value<V::With<U>> {
        let leaves = self.leaves(V::LAYOUT, name.operand(self));
        let others = &leaves[1 + V::Value::COUNT as usize..];
        Value::new(self.with_flag(false, &[&U::LAYOUT.nothing(), others]))
    }

    /// `option.ok_or(error)`
    #[inline(never)]
    pub fn ok_or<T: Composite, E: Composite>(
        &self,
        at: u32,
        option: impl IntoValue<Option<T>>,
        error: impl IntoValue<E>,
    ) -> Value<Result<T, E>> {
        let span = self.span(at);
        let (option, error) = (self.operand(span, option), self.operand(span, error));
        let mut leaves = self.leaves(<Option<T>>::LAYOUT, option);
        self.append(E::LAYOUT, &mut leaves, error);
        Value::new(self.whole(&leaves))
    }

    /// The `ok` of a result, as an option; [`Builder::err_of`] of its error. Emits the scalars that may have faults.
    #[inline(never)]
    pub fn ok_of<T: Composite, E: Composite>(&self, at: u32, result: impl IntoValue<Result<T, E>>) -> Value<Option<T>> {
        let result = self.keep(at, result);
        Value::new(self.part(result.operand(self), 0, 1 + T::COUNT))
    }

    /// As [`Builder::ok_of`].
    #[inline(never)]
    pub fn err_of<T: Composite, E: Composite>(
        &self,
        at: u32,
        result: impl IntoValue<Result<T, E>>,
    ) -> Value<Option<E>> {
        let result = self.keep(at, result);
        let leaves = self.leaves(<Result<T, E>>::LAYOUT, result.operand(self));
        let is_err = self.unary(self.span(at), UnaryOp::Not, ScalarType::Bool, leaves[0]);
        Value::new(self.flagged(is_err, &leaves[1 + T::COUNT as usize..]))
    }

    /// `value.unwrap_or(default)`. Emits an `if`.
    #[inline(never)]
    pub fn unwrap_or<V: Variants>(
        &self,
        at: u32,
        value: impl IntoValue<V>,
        default: impl IntoValue<V::Value>,
    ) -> Value<V::Value> {
        let span = self.span(at);
        let value = self.operand(span, value);
        let leaves = self.evaluated(V::LAYOUT, span, value);
        let default = self.operand(span, default);
        Value::new(self.present_or(V::Value::LAYOUT, span, &leaves, default))
    }

    /// The value behind a flag, where there is one.
    fn present_or(&self, layout: &Layout, span: Span, leaves: &[Operand], default: Operand) -> Operand {
        let default = self.pin_leaves(layout, span, &self.leaves(layout, default));
        let flag = if default.len() == 1 { leaves[0] } else { self.pin(span, ScalarType::Bool, leaves[0]) };
        let scalars = leaves[1..].iter().zip(default).zip(layout.types());
        let chosen: Leaves =
            scalars.map(|((&value, default), ty)| self.choose(span, ty, flag, value, default)).collect();
        self.whole(&chosen)
    }

    /// `value.unwrap_or_default()`. Emits an `if`.
    #[inline(never)]
    pub fn unwrap_or_default<V: Variants<Value: Default + IntoValue<V::Value>>>(
        &self,
        at: u32,
        value: impl IntoValue<V>,
    ) -> Value<V::Value> {
        self.unwrap_or::<V>(at, value, V::Value::default())
    }

    /// `value.unwrap()`; with a text, `value.expect(text)`. Emits an `if` around a panic.
    #[inline(never)]
    pub fn unwrap<V: Variants<Other: Debug>>(
        &self,
        at: u32,
        value: impl IntoValue<V>,
        text: Option<&'static str>,
    ) -> Value<V::Value> {
        let (span, name) = (self.span(at), self.keep(at, value));
        let leaves = self.leaves(V::LAYOUT, name.operand(self));
        let mut pieces = vec![Piece::Text(text.unwrap_or(V::ABSENT).into())];
        let otherwise = self.block(|| {
            let mut shown = Vec::new();
            // As std shows the error.
            if V::SHOWS_OTHER {
                let style = Style { form: Form::Debug, ..Style::default() };
                pieces.extend([Piece::Text(": ".into()), Piece::Value { arg: 0, style }]);
                shown.push(self.shown_debug::<V::Other>(at, self.absent_value(name)));
            }
            self.say(span, &pieces, &shown, |message, args| StmtKind::Panic { message, args });
        });
        self.emit_if(span, leaves[0], Vec::new(), otherwise);
        let value = self.present_value(name);
        Value::new(value.operand(self))
    }

    /// The option, if the condition holds.
    #[inline(never)]
    pub fn kept_if<T: Composite>(
        &self,
        _at: u32,
        option: Let<Option<T>>,
        holds: impl IntoValue<bool>,
    ) -> Value<Option<T>> {
        let leaves = self.leaves(<Option<T>>::LAYOUT, option.operand(self));
        let holds = self.operand(Span::default(), holds);
        Value::new(self.flagged(holds, &leaves[1..]))
    }
}
