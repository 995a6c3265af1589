//! Ends without a closure, of structs that are iterators: `matches.count()`, where the macro cannot tell whether the method
//! is one of the struct's own.

use super::super::arena::Operand;
use super::super::iterators::{Iterated, Own, OwnIterator};
use super::super::layout::HasLayout;
use super::super::{Builder, Composite, IntoValue, Let, Mutable, NamedMemory, Same, Types, Value};
use super::compare::Ordered;
use super::subject::{ByReading, ByWriting};
use super::{StdCall, Subject, std_methods};
use crate::ops::{BinaryOp, CompareOp, Num};
use crate::program::StmtKind;
use crate::scalar::{Scalar, ScalarType};
use crate::source::Span;

std_methods! {
    /// Finds methods of iterators.
    IteratorMethods:
    count __fn_count ByReading;
    sum __fn_sum ByReading;
    product __fn_product ByReading;
    min __fn_min ByReading;
    max __fn_max ByReading;
    last __fn_last ByReading;
    nth __fn_nth ByWriting;
}

impl<T: OwnIterator> IteratorMethods for T {
    type Of = Self;
}

/// A loop over the items: of a copy, as nothing has the iterator behind it, but where it is behind a `&mut`.
fn each<T: OwnIterator>(k: &Builder, span: Span, subject: Subject, body: impl FnOnce(Let<T::Item>)) {
    let own = match subject {
        Subject::Variable { first, count } => Mutable::<T>::new(first, count).named(k, span),
        _ => copy::<T>(k, span, subject),
    };
    each_of(k, span, own, body);
}

fn copy<T: OwnIterator>(k: &Builder, span: Span, subject: Subject) -> Own<T> {
    let value = k.subject_leaves(T::LAYOUT, span, subject);
    Let::<T>::new(k, k.whole(&value)).named(k, span)
}

fn each_of<T: OwnIterator>(k: &Builder, span: Span, own: Own<T>, body: impl FnOnce(Let<T::Item>)) {
    k.open_loop(span);
    body(own.step(k, span, 0));
    k.end_loop();
}

/// An item that may not be there, and whether it is.
struct Perhaps<T> {
    found: Mutable<bool>,
    item: Mutable<T>,
}

impl<T: Composite> Perhaps<T> {
    fn none(k: &Builder, span: Span) -> Self {
        let found = Mutable::new(k.changing::<bool>(span, Operand::constant(false)), 1);
        let first = k.new_variables(T::LAYOUT, None, true, true);
        k.set_all(T::LAYOUT, span, first, k.whole(&T::LAYOUT.nothing()));
        Self { found, item: Mutable::new(first, T::COUNT) }
    }

    fn take(&self, k: &Builder, span: Span, item: Let<T>) {
        k.set_all(T::LAYOUT, span, self.item.var, item.operand(k));
        k.set(span, self.found.var, ScalarType::Bool, Operand::constant(true));
    }

    fn value(self, k: &Builder) -> Value<Option<T>> {
        k.found(self.found, self.item)
    }
}

impl<T: OwnIterator> StdCall<'_, count, T> {
    /// `iterator.count()`. Emits a loop.
    #[inline(never)]
    pub fn __rest(self) -> Value<usize> {
        let (k, span, subject) = self.parts();
        let number = k.changing::<usize>(span, Operand::constant(0_usize));
        each::<T>(k, span, subject, |_| k.increment::<usize>(span, number));
        Value::new(Operand::var(number))
    }
}

macro_rules! folds {
    ($($name:ident $start:ident $op:ident;)*) => {$(
        impl<T: OwnIterator<Item: Num>> StdCall<'_, $name, T> {
            #[doc = concat!("`iterator.", stringify!($name), "()`. Emits a loop.")]
            #[inline(never)]
            pub fn __rest<S>(self) -> Value<S>
            where
                Types: Same<T::Item, S>,
            {
                let (k, span, subject) = self.parts();
                let ty = <T::Item as Scalar>::TYPE;
                let result = k.changing::<T::Item>(span, k.$start::<T::Item>(0).operand);
                each::<T>(k, span, subject, |item| {
                    let next = k.operator(span, BinaryOp::$op, ty, Operand::var(result), item.operand(k));
                    k.set(span, result, ty, next);
                });
                Types::same(Value::new(Operand::var(result)))
            }
        }
    )*};
}
folds! {
    sum sum_start Add;
    product one Mul;
}

macro_rules! extremes {
    ($($name:ident $is_max:literal;)*) => {$(
        impl<T: OwnIterator> StdCall<'_, $name, T> {
            #[doc = concat!("`iterator.", stringify!($name), "()`. Emits a loop.")]
            #[inline(never)]
            pub fn __rest(self) -> Value<Option<T::Item>>
            where
                T::Item: Ordered,
            {
                let (k, span, subject) = self.parts();
                let best = Perhaps::none(k, span);
                each::<T>(k, span, subject, |item| k.improve_at(span, best.found, best.item, item, $is_max));
                best.value(k)
            }
        }
    )*};
}
extremes! {
    min false;
    max true;
}

impl<T: OwnIterator> StdCall<'_, last, T> {
    /// `iterator.last()`. Emits a loop.
    #[inline(never)]
    pub fn __rest(self) -> Value<Option<T::Item>> {
        let (k, span, subject) = self.parts();
        let last = Perhaps::none(k, span);
        each::<T>(k, span, subject, |item| last.take(k, span, item));
        last.value(k)
    }
}

impl<T: OwnIterator> StdCall<'_, nth, T> {
    /// `iterator.nth(n)`. Emits a loop.
    #[inline(never)]
    pub fn __rest(self, n: impl IntoValue<usize>) -> Value<Option<T::Item>> {
        let (k, span, subject) = self.parts();
        let n = k.pinned_index(span, k.operand::<usize>(span, n));
        let (own, found) = (copy::<T>(k, span, subject), Perhaps::none(k, span));
        let number = k.changing::<usize>(span, Operand::constant(0_usize));
        each_of(k, span, own, |item| {
            let is_it = k.comparison(span, CompareOp::Eq, ScalarType::Usize, Operand::var(number), n);
            let then = k.block(|| {
                found.take(k, span, item);
                k.emit(span, StmtKind::Break { out: 0 });
            });
            k.emit_if(span, is_it, then, Vec::new());
            k.increment::<usize>(span, number);
        });
        k.put_subject(T::LAYOUT, span, subject, own.state(k));
        found.value(k)
    }
}
