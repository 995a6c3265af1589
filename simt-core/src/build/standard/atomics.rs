//! References to atomics as values: `x.get(i)`, `x.first()`, `x.last()` of atomics are options of them.

use super::super::arena::{Leaf, Operand};
use super::super::layout::{HasLayout, HasStorage};
use super::super::nameable::NamedValue;
use super::super::{
    Atomic, AtomicArgument, AtomicRef, AtomicReference, Builder, Composite, IntoIndex, IntoValue, Let, MemoryElement,
    Mutable, RefAtomic, Referent, Region, Value, ValueRef,
};
use super::slice::{SliceMethods, first, get, is_empty, last, len};
use super::{StdCall, Subject};
use crate::ops::{BinaryOp, CompareOp};
use crate::scalar::ScalarType;
use crate::source::Span;
use std::marker::PhantomData;

/// A slice or an array of atomics, by the methods that it has.
#[derive(Debug)]
pub struct Atomics<A>(PhantomData<fn() -> A>);

impl<A> SliceMethods for Atomics<A> {
    type Of = Self;
}

impl<A: Atomic + MemoryElement> NamedValue for RefAtomic<A> {
    type Name = AtomicRef<A>;
    type NameMut = Mutable<Self>;

    fn named(k: &Builder, at: u32, value: Value<Self>, _: &'static str) -> AtomicRef<A> {
        value.referred(k, k.span(at))
    }

    fn named_mut(k: &Builder, at: u32, value: Value<Self>, name: &'static str) -> Mutable<Self> {
        k.bind_mut::<Self>(at, name, value)
    }
}

impl<A: Atomic + MemoryElement> IntoValue<RefAtomic<A>> for AtomicRef<A> {
    fn into_value(self, k: &Builder, _: Span) -> Value<RefAtomic<A>> {
        let (memory, index) = self.parts();
        Value::new(k.whole(&[Operand::Leaf(Leaf::Base(memory)), index.operand(k)]))
    }
}

/// A value that is a reference to an atomic `A`.
#[diagnostic::on_unimplemented(
    message = "mismatched types in kernel: expected `&{A}`, found `{Self}`",
    label = "expected `&{A}`, found `{Self}`",
    note = "an atomic is passed as `&x[i]`"
)]
pub trait AtomicValue<A>: Composite {
    /// What it refers to.
    fn behind(k: &Builder, span: Span, value: Value<Self>) -> AtomicRef<A>
    where
        Self: Sized;
}

impl<A: Atomic + MemoryElement> AtomicValue<A> for RefAtomic<A> {
    fn behind(k: &Builder, span: Span, value: Value<Self>) -> AtomicRef<A> {
        let leaves = k.leaves(Self::LAYOUT, value.operand);
        let memory = k.memory_of(A::Data::STORAGE, span, leaves[0]);
        AtomicRef::new(k, span, memory.into(), leaves[1])
    }
}

macro_rules! references {
    ($($handle:ident)*) => {$(
        impl<A: Atomic + MemoryElement> AtomicReference for $handle<RefAtomic<A>> {
            type Atomic = A;

            fn referred(self, k: &Builder, span: Span) -> AtomicRef<A> {
                self.atomic(k, span)
            }
        }
    )*};
}
references!(Value Let Mutable);

macro_rules! arguments {
    ($($handle:ident: |$this:ident| $value:expr;)*) => {$(
        impl<A, T: AtomicValue<A>> AtomicArgument<A> for $handle<T> {
            fn atomic(self, k: &Builder, span: Span) -> AtomicRef<A> {
                let $this = self;
                let value = k.operand(span, $value);
                T::behind(k, span, Value::new(value))
            }
        }
    )*};
}
arguments! {
    Value: |this| this;
    Let: |this| this;
    Mutable: |this| this;
    ValueRef: |this| Referent::name(this);
}

impl Builder {
    /// The atomic at an index, if it is there.
    fn atomic_if(&self, span: Span, region: Region, is_there: Operand, index: Operand) -> Operand {
        let index = self.moved(span, region, index);
        let index = self.pin(span, ScalarType::Usize, index);
        let is_there = self.pin(span, ScalarType::Bool, is_there);
        self.whole(&[is_there, Operand::Leaf(Leaf::Base(region.memory)), index])
    }
}

macro_rules! methods {
    ($($name:ident($($index:ident)?) -> $result:ty, |$k:ident, $span:ident, $region:ident, $length:ident| $made:expr;)*) => {$(
        impl<A: Atomic + MemoryElement> StdCall<'_, $name, Atomics<A>> {
            #[doc = concat!("`atomics.", stringify!($name), "(..)`")]
            #[inline(never)]
            pub fn __rest(self $(, $index: impl IntoIndex)?) -> Value<$result> {
                let ($k, $span, subject) = self.parts();
                let Subject::Memory($region) = subject else { unreachable!("atomics are memory") };
                $(
                    let $index = $k.operand($span, $index);
                    let $index = $k.pin($span, ScalarType::Usize, $index);
                )?
                let $length = $k.length($span, $region, 1);
                Value::new($made)
            }
        }
    )*};
}
methods! {
    len() -> usize, |k, span, region, length| length;
    is_empty() -> bool, |k, span, region, length| {
        k.comparison(span, CompareOp::Eq, ScalarType::Usize, length, Operand::constant(0_usize))
    };
    get(index) -> Option<RefAtomic<A>>, |k, span, region, length| {
        let is_there = k.comparison(span, CompareOp::Lt, ScalarType::Usize, index, length);
        k.atomic_if(span, region, is_there, index)
    };
    first() -> Option<RefAtomic<A>>, |k, span, region, length| {
        let zero = Operand::constant(0_usize);
        let is_there = k.comparison(span, CompareOp::Ne, ScalarType::Usize, length, zero);
        k.atomic_if(span, region, is_there, zero)
    };
    last() -> Option<RefAtomic<A>>, |k, span, region, length| {
        let is_there = k.comparison(span, CompareOp::Ne, ScalarType::Usize, length, Operand::constant(0_usize));
        let index = k.binary(span, BinaryOp::Sub, ScalarType::Usize, length, Operand::constant(1_usize));
        k.atomic_if(span, region, is_there, index)
    };
}
