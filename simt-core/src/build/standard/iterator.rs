//! Ends without a closure, of structs that are iterators and of what functions give: `matches.count()`, where the macro cannot
//! tell whether the method is one of a struct's own.

use super::super::arena::Operand;
use super::super::iterators::{Iterated, IteratorOf, Own, OwnIterator, OwnedItem};
use super::super::layout::HasLayout;
use super::super::{
    Builder, Composite, Handle, IntoValue, Let, Mutable, NamedMemory, OnlyKernelsCallThis, Receiver, Same, TakenBy,
    Types, Value,
};
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

impl<T: Composite> IteratorMethods for IteratorOf<T> {
    type Of = Self;
}

mod of_items {
    use super::{ByWriting, Composite, IteratorOf, std_methods};

    std_methods! {
        /// Finds methods of what a function gives that gives an iterator.
        ItemsMethods:
        next __fn_next ByWriting;
    }

    impl<T: Composite> ItemsMethods for IteratorOf<T> {
        type Of = Self;
    }
}
pub use of_items::ItemsMethods;

impl<T: Composite> StdCall<'_, of_items::next, IteratorOf<T>> {
    /// `it.next()`. Emits a loop.
    #[inline(never)]
    pub fn __rest(self) -> Let<Option<T>> {
        let (k, span, items) = self.gone_over();
        k.item_or_none(span, |span| items.step(k, span, 0))
    }
}

/// What has the methods.
pub trait GoneOver {
    /// The iterator.
    type Items: Iterated<Item: OwnedItem>;
    /// Makes it, of a call to which it has been passed.
    fn items(call: OnlyKernelsCallThis<'_>) -> Self::Items;
}

/// A copy, as nothing has the iterator behind it, but where it is behind a `&mut`.
impl<T: OwnIterator> GoneOver for T {
    type Items = Own<T>;

    fn items(call: OnlyKernelsCallThis<'_>) -> Own<T> {
        match call.subject {
            Some(Subject::Variable { first, count }) => Mutable::<T>::new(first, count).named(call.k, call.span),
            Some(subject) => copy(call.k, call.span, subject),
            None => unreachable!("a method of `std` is passed what it is called of"),
        }
    }
}

fn copy<T: OwnIterator>(k: &Builder, span: Span, subject: Subject) -> Own<T> {
    let value = k.subject_leaves(T::LAYOUT, span, subject);
    Let::<T>::new(k, k.whole(&value)).named(k, span)
}

impl<T: Composite> GoneOver for IteratorOf<T> {
    type Items = Self;

    fn items(call: OnlyKernelsCallThis<'_>) -> Self {
        let Some(Subject::Items(number)) = call.subject else { unreachable!("it is called of such items") };
        Self::numbered(number)
    }
}

impl<T> Handle for IteratorOf<T> {
    type Of = Self;
}

macro_rules! receivers {
    ($($by:ident)*) => {$(
        impl<T> Receiver<$by> for IteratorOf<T> {
            fn pass(self, call: &mut OnlyKernelsCallThis<'_>, _: u32, _: bool) {
                call.subject = Some(Subject::Items(self.number()));
            }
        }
    )*};
}
receivers!(ByReading ByWriting);
impl<T> TakenBy<ByWriting> for IteratorOf<T> {}

/// The type of the items.
type Item<T> = <<<T as GoneOver>::Items as Iterated>::Item as OwnedItem>::Owned;

impl<'k, N, T: GoneOver> StdCall<'k, N, T> {
    fn gone_over(self) -> (&'k Builder, Span, T::Items) {
        (self.call.k, self.call.span, T::items(self.call))
    }
}

/// A loop over the items.
fn each<I: Iterated<Item: OwnedItem>>(
    k: &Builder,
    span: Span,
    items: I,
    body: impl FnOnce(Let<<I::Item as OwnedItem>::Owned>),
) {
    k.open_loop(span);
    body(items.step(k, span, 0).owned(k, span));
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

impl<T: GoneOver> StdCall<'_, count, T> {
    /// `iterator.count()`. Emits a loop.
    #[inline(never)]
    pub fn __rest(self) -> Value<usize> {
        let (k, span, items) = self.gone_over();
        let number = k.changing::<usize>(span, Operand::constant(0_usize));
        each(k, span, items, |_| k.increment::<usize>(span, number));
        Value::new(Operand::var(number))
    }
}

macro_rules! folds {
    ($($name:ident $start:ident $op:ident;)*) => {$(
        impl<T: GoneOver<Items: Iterated<Item: OwnedItem<Owned: Num>>>> StdCall<'_, $name, T> {
            #[doc = concat!("`iterator.", stringify!($name), "()`. Emits a loop.")]
            #[inline(never)]
            pub fn __rest<S>(self) -> Value<S>
            where
                Types: Same<Item<T>, S>,
            {
                let (k, span, items) = self.gone_over();
                let ty = <Item<T> as Scalar>::TYPE;
                let result = k.changing::<Item<T>>(span, k.$start::<Item<T>>(0).operand);
                each(k, span, items, |item| {
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
        impl<T: GoneOver> StdCall<'_, $name, T> {
            #[doc = concat!("`iterator.", stringify!($name), "()`. Emits a loop.")]
            #[inline(never)]
            pub fn __rest(self) -> Value<Option<Item<T>>>
            where
                Item<T>: Ordered,
            {
                let (k, span, items) = self.gone_over();
                let best = Perhaps::none(k, span);
                each(k, span, items, |item| k.improve_at(span, best.found, best.item, item, $is_max));
                best.value(k)
            }
        }
    )*};
}
extremes! {
    min false;
    max true;
}

impl<T: GoneOver> StdCall<'_, last, T> {
    /// `iterator.last()`. Emits a loop.
    #[inline(never)]
    pub fn __rest(self) -> Value<Option<Item<T>>> {
        let (k, span, items) = self.gone_over();
        let last = Perhaps::none(k, span);
        each(k, span, items, |item| last.take(k, span, item));
        last.value(k)
    }
}

/// The item with a number, if there are so many.
fn numbered<I: Iterated<Item: OwnedItem>>(
    k: &Builder,
    span: Span,
    items: I,
    n: impl IntoValue<usize>,
) -> Value<Option<<I::Item as OwnedItem>::Owned>> {
    let n = k.pinned_index(span, k.operand::<usize>(span, n));
    let found = Perhaps::none(k, span);
    let number = k.changing::<usize>(span, Operand::constant(0_usize));
    each(k, span, items, |item| {
        let is_it = k.comparison(span, CompareOp::Eq, ScalarType::Usize, Operand::var(number), n);
        let then = k.block(|| {
            found.take(k, span, item);
            k.emit(span, StmtKind::Break { out: 0 });
        });
        k.emit_if(span, is_it, then, Vec::new());
        k.increment::<usize>(span, number);
    });
    found.value(k)
}

impl<T: OwnIterator> StdCall<'_, nth, T> {
    /// `iterator.nth(n)`, which leaves the iterator behind the item. Emits a loop.
    #[inline(never)]
    pub fn __rest(self, n: impl IntoValue<usize>) -> Value<Option<T::Item>> {
        let (k, span, subject) = self.parts();
        let own = copy::<T>(k, span, subject);
        let found = numbered(k, span, own, n);
        k.put_subject(T::LAYOUT, span, subject, own.state(k));
        found
    }
}

impl<T: Composite> StdCall<'_, nth, IteratorOf<T>> {
    /// `function().nth(n)`. Emits a loop.
    #[inline(never)]
    pub fn __rest(self, n: impl IntoValue<usize>) -> Value<Option<T>> {
        let (k, span, items) = self.gone_over();
        numbered(k, span, items, n)
    }
}
