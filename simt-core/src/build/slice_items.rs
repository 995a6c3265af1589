//! Patterns of slices: whether there are as many elements as a pattern takes, and these elements.

use super::arena::Operand;
use super::items::TakenApart;
use super::layout::HasStorage;
use super::rows::NamedMemory;
use super::{Builder, IntoValue, KernelData, Let, Mutable, Region, SliceMut, SliceRef, Value};
use crate::ops::CompareOp;
use crate::scalar::ScalarType;
use crate::source::Span;

macro_rules! taken_apart {
    ($($handle:ty: |$this:ident, $k:ident, $span:ident| $region:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: KernelData, const FIRST: usize, const LAST: usize, const OTHERS: u8, const K: usize>
            TakenApart<FIRST, LAST, OTHERS, K> for $handle
        {
            type Array = &'static [T];

            fn listed(self, $k: &Builder, $span: Span) -> Let<&'static [T]> {
                let $this = self;
                let region: Region = $region;
                $k.list_of::<T>($span, region)
            }
        }
    )*};
}
taken_apart! {
    SliceRef<T>: |this, k, span| this.region;
    SliceMut<T>: |this, k, span| this.region;
    Let<&'static [T]>: |this, k, span| this.named(k, span).region;
    Mutable<&'static [T]>: |this, k, span| this.named(k, span).region;
    Let<&'static mut [T]>: |this, k, span| this.named(k, span).region;
    Mutable<&'static mut [T]>: |this, k, span| this.named(k, span).region;
}

/// The elements at both ends, where there are as many.
#[derive(Debug)]
pub struct Apart<U, const FIRST: usize, const LAST: usize> {
    /// Whether there are.
    pub holds: Value<bool>,
    /// The first ones.
    pub front: [Let<U>; FIRST],
    /// The last ones.
    pub back: [Let<U>; LAST],
}

/// An array or a slice that a pattern takes apart.
#[diagnostic::on_unimplemented(
    message = "a pattern of a slice for what is none in a kernel",
    label = "neither a slice nor an array"
)]
pub trait TakenByLength {
    /// An element.
    type Element;
    /// The elements at its ends.
    fn apart<const FIRST: usize, const LAST: usize>(
        self,
        k: &Builder,
        span: Span,
        exact: bool,
    ) -> Apart<Self::Element, FIRST, LAST>;
    /// The elements between them.
    fn between<const FIRST: usize, const LAST: usize>(
        self,
        k: &Builder,
        at: u32,
        title: &'static str,
    ) -> SliceRef<Self::Element>;
}

impl<U: KernelData, const N: usize> TakenByLength for Let<[U; N]> {
    type Element = U;

    fn apart<const FIRST: usize, const LAST: usize>(self, k: &Builder, _: Span, exact: bool) -> Apart<U, FIRST, LAST> {
        let holds = if exact { FIRST + LAST == N } else { FIRST + LAST <= N };
        let (front, back) = k.items_at_ends::<FIRST, LAST, Self>(self);
        Apart { holds: Value::new(Operand::constant(holds)), front, back }
    }

    fn between<const FIRST: usize, const LAST: usize>(self, k: &Builder, at: u32, title: &'static str) -> SliceRef<U> {
        k.items_between::<FIRST, LAST, U, N>(at, self, title)
    }
}

impl<U: KernelData> TakenByLength for Let<&'static [U]> {
    type Element = U;

    fn apart<const FIRST: usize, const LAST: usize>(
        self,
        k: &Builder,
        span: Span,
        exact: bool,
    ) -> Apart<U, FIRST, LAST> {
        let region = self.named(k, span).region;
        let (length, count) = (k.length_of(U::STORAGE, span, region), Operand::constant(FIRST + LAST));
        let op = if exact { CompareOp::Eq } else { CompareOp::Ge };
        let holds = k.comparison(span, op, ScalarType::Usize, length, count);
        let holds = k.pin(span, ScalarType::Bool, holds);
        let item = |index: Operand| {
            let element = k.loaded_if(U::STORAGE, span, region, holds, index);
            Let::new(k, k.part(element, 1, U::COUNT))
        };
        let front = std::array::from_fn(|index| item(Operand::constant(index)));
        let back = std::array::from_fn(|index| item(k.counted_back(span, length, LAST - index)));
        Apart { holds: Value::new(holds), front, back }
    }

    fn between<const FIRST: usize, const LAST: usize>(self, k: &Builder, at: u32, _: &'static str) -> SliceRef<U> {
        let span = k.span(at);
        let region = self.named(k, span).region;
        let length = k.length_of(U::STORAGE, span, region);
        let count = k.counted_back(span, length, FIRST + LAST);
        SliceRef::new(k.bounded(span, region, Operand::constant(FIRST), count))
    }
}

impl Builder {
    fn list_of<T: KernelData>(&self, span: Span, region: Region) -> Let<&'static [T]> {
        let slice: Value<&'static [T]> = SliceRef::<T>::new(region).into_value(self, span);
        Let::new(self, slice.operand)
    }

    /// The elements at the ends of what a pattern takes apart, where there are as many. Emits `if`s around the loads.
    #[inline(never)]
    pub fn apart<const FIRST: usize, const LAST: usize, S: TakenByLength>(
        &self,
        at: u32,
        subject: S,
        exact: bool,
    ) -> Apart<S::Element, FIRST, LAST> {
        subject.apart(self, self.span(at), exact)
    }

    /// The elements between them.
    #[inline(never)]
    pub fn apart_between<const FIRST: usize, const LAST: usize, S: TakenByLength>(
        &self,
        at: u32,
        subject: S,
        title: &'static str,
    ) -> SliceRef<S::Element> {
        subject.between::<FIRST, LAST>(self, at, title)
    }
}
