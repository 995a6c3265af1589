//! Methods of iterators with a closure, whose body is built wherever an item is asked for.

use super::{FromBack, Iterated, Lengthed, OwnedItem, Remaining};
use crate::build::{Builder, Composite, Let};
use crate::source::Span;

/// Iterators of another one and a closure, without variables of their own.
macro_rules! stages {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name<I, F> {
            inner: I,
            function: F,
        }

        impl<I: Iterated, F: Copy> $name<I, F> {
            fn copied(self, k: &Builder, span: Span) -> Self {
                Self { inner: self.inner.duplicate(k, span), ..self }
            }
        }
    )*};
}
stages! {
    /// `.map(|x| ..)`
    Mapped;
    /// `.filter(|x| ..)`
    Filtered;
    /// `.filter_map(|x| ..)`
    FilterMapped;
    /// `.map_while(|x| ..)`
    MapWhile;
    /// `.inspect(|x| ..)`
    Inspected;
}

/// What has the same state as the iterator behind it.
macro_rules! state_of_inner {
    () => {
        fn duplicate(self, k: &Builder, span: Span) -> Self {
            self.copied(k, span)
        }

        fn restore(self, k: &Builder, span: Span, from: Self) {
            self.inner.restore(k, span, from.inner);
        }
    };
}

impl<I: Iterated, T: Composite, F: Fn(I::Item, &Builder) -> Let<T> + Copy> Iterated for Mapped<I, F> {
    type Item = Let<T>;

    fn step(self, k: &Builder, span: Span, leave: u32) -> Let<T> {
        (self.function)(self.inner.step(k, span, leave), k)
    }

    state_of_inner!();
}

impl<I: FromBack, T: Composite, F: Fn(I::Item, &Builder) -> Let<T> + Copy> FromBack for Mapped<I, F> {
    fn step_back(self, k: &Builder, span: Span, leave: u32) -> Let<T> {
        (self.function)(self.inner.step_back(k, span, leave), k)
    }
}

impl<I: Lengthed, T: Composite, F: Fn(I::Item, &Builder) -> Let<T> + Copy> Lengthed for Mapped<I, F> {
    fn left(self, k: &Builder, span: Span) -> Remaining {
        self.inner.left(k, span)
    }
}

impl<I: Iterated, F: Fn(I::Item, &Builder) -> Let<bool> + Copy> Filtered<I, F> {
    fn search(self, k: &Builder, span: Span, step: impl FnOnce() -> I::Item) -> I::Item {
        k.open_loop(span);
        let item = step();
        let holds = (self.function)(item, k).operand(k);
        k.leave_if(span, holds, 0);
        k.end_loop();
        item
    }
}

impl<I: Iterated, F: Fn(I::Item, &Builder) -> Let<bool> + Copy> Iterated for Filtered<I, F> {
    type Item = I::Item;

    fn step(self, k: &Builder, span: Span, leave: u32) -> I::Item {
        self.search(k, span, || self.inner.step(k, span, leave + 1))
    }

    state_of_inner!();
}

impl<I: FromBack, F: Fn(I::Item, &Builder) -> Let<bool> + Copy> FromBack for Filtered<I, F> {
    fn step_back(self, k: &Builder, span: Span, leave: u32) -> I::Item {
        self.search(k, span, || self.inner.step_back(k, span, leave + 1))
    }
}

impl<I: Iterated, T: Composite, F: Fn(I::Item, &Builder) -> Let<Option<T>> + Copy> FilterMapped<I, F> {
    fn search(self, k: &Builder, span: Span, step: impl FnOnce() -> I::Item) -> Let<T> {
        k.open_loop(span);
        let option = (self.function)(step(), k);
        k.leave_if(span, k.is_present(option).operand, 0);
        k.end_loop();
        k.present_value(option)
    }
}

impl<I: Iterated, T: Composite, F: Fn(I::Item, &Builder) -> Let<Option<T>> + Copy> Iterated for FilterMapped<I, F> {
    type Item = Let<T>;

    fn step(self, k: &Builder, span: Span, leave: u32) -> Let<T> {
        self.search(k, span, || self.inner.step(k, span, leave + 1))
    }

    state_of_inner!();
}

impl<I: FromBack, T: Composite, F: Fn(I::Item, &Builder) -> Let<Option<T>> + Copy> FromBack for FilterMapped<I, F> {
    fn step_back(self, k: &Builder, span: Span, leave: u32) -> Let<T> {
        self.search(k, span, || self.inner.step_back(k, span, leave + 1))
    }
}

impl<I: Iterated, T: Composite, F: Fn(I::Item, &Builder) -> Let<Option<T>> + Copy> Iterated for MapWhile<I, F> {
    type Item = Let<T>;

    fn step(self, k: &Builder, span: Span, leave: u32) -> Let<T> {
        let option = (self.function)(self.inner.step(k, span, leave), k);
        let is_none = k.not_of(span, k.is_present(option).operand);
        k.leave_if(span, is_none, leave);
        k.present_value(option)
    }

    state_of_inner!();
}

impl<I: Iterated, F: Fn(I::Item, &Builder) -> Let<()> + Copy> Iterated for Inspected<I, F> {
    type Item = I::Item;

    fn step(self, k: &Builder, span: Span, leave: u32) -> I::Item {
        let item = self.inner.step(k, span, leave);
        (self.function)(item, k);
        item
    }

    state_of_inner!();
}

impl<I: FromBack, F: Fn(I::Item, &Builder) -> Let<()> + Copy> FromBack for Inspected<I, F> {
    fn step_back(self, k: &Builder, span: Span, leave: u32) -> I::Item {
        let item = self.inner.step_back(k, span, leave);
        (self.function)(item, k);
        item
    }
}

/// `.copied()`, `.cloned()`
#[derive(Clone, Copy, Debug)]
pub struct Read<I>(I);

impl<I: Iterated> Iterated for Read<I>
where
    I::Item: OwnedItem,
{
    type Item = Let<<I::Item as OwnedItem>::Owned>;

    fn step(self, k: &Builder, span: Span, leave: u32) -> Self::Item {
        self.0.step(k, span, leave).owned(k, span)
    }

    fn duplicate(self, k: &Builder, span: Span) -> Self {
        Self(self.0.duplicate(k, span))
    }

    fn restore(self, k: &Builder, span: Span, from: Self) {
        self.0.restore(k, span, from.0);
    }
}

impl<I: FromBack> FromBack for Read<I>
where
    I::Item: OwnedItem,
{
    fn step_back(self, k: &Builder, span: Span, leave: u32) -> Self::Item {
        self.0.step_back(k, span, leave).owned(k, span)
    }
}

impl<I: Lengthed> Lengthed for Read<I>
where
    I::Item: OwnedItem,
{
    fn left(self, k: &Builder, span: Span) -> Remaining {
        self.0.left(k, span)
    }
}

/// Methods of the builder that make them: the name, what it makes, and what the closure gives.
macro_rules! made {
    ($($method:ident $name:ident $(<$result:ident>)? -> $gives:ty;)*) => {$(
        #[doc = concat!("`.", stringify!($method), "(|x| ..)`")]
        #[inline(never)]
        pub fn $method<I: Iterated, F: Fn(I::Item, &Self) -> $gives + Copy $(, $result: Composite)?>(
            &self,
            _at: u32,
            inner: I,
            function: F,
        ) -> $name<I, F> {
            $name { inner, function }
        }
    )*};
}

impl Builder {
    made! {
        mapped Mapped<T> -> Let<T>;
        filtered Filtered -> Let<bool>;
        filter_mapped FilterMapped<T> -> Let<Option<T>>;
        mapped_while MapWhile<T> -> Let<Option<T>>;
        inspected Inspected -> Let<()>;
    }

    /// `.copied()`
    #[inline(never)]
    pub fn read_items<I: Iterated>(&self, _at: u32, inner: I) -> Read<I>
    where
        I::Item: OwnedItem,
    {
        Read(inner)
    }
}
