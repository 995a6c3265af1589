//! Names that may be references on the host: as arguments, behind `&` and behind `*`.

use super::named::Behind;
use super::{
    ArrayMut, ArrayRef, AtomicRef, AtomicRows, AtomicSlice, Builder, Composite, IteratedMut, IteratedRef, KernelData,
    Lent, Let, Mutable, PassedName, SliceMut, SliceRef, Value, ValueRef,
};
use crate::source::Span;

/// A name that may be a reference or a value, where it is passed to a device function that takes the one or the other.
#[diagnostic::on_unimplemented(message = "`{Self}` cannot be passed in a kernel", label = "neither a value nor memory")]
pub trait PerhapsReference {
    /// What is passed.
    type Argument;
    /// Makes it.
    fn perhaps_reference(self, k: &Builder, at: u32) -> Self::Argument;
}

macro_rules! values {
    ($($handle:ident)*) => {$(
        impl<T: Composite> PerhapsReference for $handle<T> {
            type Argument = Value<T>;

            fn perhaps_reference(self, k: &Builder, at: u32) -> Value<T> {
                k.hold(at, self)
            }
        }
    )*};
}
values!(Let Mutable Value);

macro_rules! memory {
    ($([$($generics:tt)*] $handle:ty;)*) => {$(
        impl<T $($generics)*> PerhapsReference for $handle {
            type Argument = Self;

            fn perhaps_reference(self, _: &Builder, _: u32) -> Self {
                self
            }
        }
    )*};
}
memory! {
    [] SliceRef<T>; [] SliceMut<T>; [, const N: usize] ArrayRef<T, N>; [, const N: usize] ArrayMut<T, N>;
    [] AtomicSlice<T>; [] AtomicRows<T>; [] AtomicRef<T>;
}

macro_rules! elements {
    ($($name:ident)*) => {$(
        /// One that is written is seen by reference.
        impl<T: KernelData> PerhapsReference for $name<T> {
            type Argument = ValueRef<T>;

            fn perhaps_reference(self, k: &Builder, at: u32) -> ValueRef<T> {
                k.lend_value(at, k.behind(at, self))
            }
        }
    )*};
}
elements!(IteratedRef IteratedMut);

/// `&r` of a reference `r`, which a function sees through.
impl<T: KernelData> Lent for IteratedRef<T> {
    type Reference = ValueRef<T>;

    fn lend(self, k: &Builder, at: u32) -> ValueRef<T> {
        self.passed(k, at)
    }
}

/// What a closure sees by reference: the item is a number, or a reference that is seen through, too.
pub trait SeenBehind {
    /// The type of the value.
    type Target;
    /// The value.
    fn behind_seen(self, k: &Builder, span: Span) -> Value<Self::Target>;
}

impl<T: Composite> SeenBehind for Let<T> {
    type Target = T;

    fn behind_seen(self, k: &Builder, _: Span) -> Value<T> {
        Value::new(self.operand(k))
    }
}

macro_rules! seen_elements {
    ($($name:ident)*) => {$(
        impl<T: KernelData> SeenBehind for $name<T> {
            type Target = <Self as Behind>::Target;

            fn behind_seen(self, k: &Builder, span: Span) -> Value<Self::Target> {
                k.read(span, self)
            }
        }
    )*};
}
seen_elements!(IteratedRef IteratedMut);

impl Builder {
    /// `*name`, of a name that a closure sees by reference.
    #[inline(never)]
    pub fn behind_seen<S: SeenBehind>(&self, at: u32, name: S) -> Value<S::Target> {
        name.behind_seen(self, self.span(at))
    }

    /// A name that may be a reference, as an argument.
    #[inline(never)]
    pub fn perhaps_reference<N: PerhapsReference>(&self, at: u32, name: N) -> N::Argument {
        name.perhaps_reference(self, at)
    }
}
