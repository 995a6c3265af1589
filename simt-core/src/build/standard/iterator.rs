//! Ends without a closure, of structs that are iterators: `matches.count()`, where the macro cannot tell whether the method
//! is one of the struct's own.

use super::super::arena::Operand;
use super::super::iterators::{Iterated, OwnIterator};
use super::super::layout::HasLayout;
use super::super::{Builder, Let, NamedMemory, Same, Types, Value};
use super::subject::ByReading;
use super::{StdCall, Subject, std_methods};
use crate::ops::{BinaryOp, Num};
use crate::scalar::Scalar;
use crate::source::Span;

std_methods! {
    /// Finds methods of iterators.
    IteratorMethods:
    count __fn_count ByReading;
    sum __fn_sum ByReading;
    product __fn_product ByReading;
}

impl<T: OwnIterator> IteratorMethods for T {
    type Of = Self;
}

/// A loop over the items, of a copy: nothing has the iterator behind it.
fn each<T: OwnIterator>(k: &Builder, span: Span, subject: Subject, body: impl FnOnce(Let<T::Item>)) {
    let value = k.subject_leaves(T::LAYOUT, span, subject);
    let own = Let::<T>::new(k, k.whole(&value)).named(k, span);
    k.open_loop(span);
    body(own.step(k, span, 0));
    k.end_loop();
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
