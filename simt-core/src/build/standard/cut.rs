//! Methods that give references: of slices to an element that is written, and to parts of the slice; of options to what they
//! have.

use super::super::arena::{Leaf, Operand};
use super::super::carried::RefMut;
use super::super::layout::{HasLayout, HasStorage};
use super::super::tuple::Leaves;
use super::super::{Builder, Ends, IntoValue, KernelData, Region, Value};
use super::option::as_mut;
use super::slice::{
    __get_some_mut, first_mut, get_mut, get_range, get_range_mut, last_mut, split_at, split_at_mut, split_first,
    split_first_mut, split_last, split_last_mut,
};
use super::{StdCall, Stored, Subject};
use crate::ops::{BinaryOp, CompareOp};
use crate::program::VarId;
use crate::scalar::ScalarType;
use crate::source::Span;

/// The column, and the variable, of an option in which its value begins.
const BEHIND_FLAG: u32 = 1;

const ZERO: fn() -> Operand = || Operand::constant(0_usize);

impl<N, T: KernelData> StdCall<'_, N, [T]> {
    /// What it is called of as memory that references stay to.
    fn lasting(self) -> (Region, Operand) {
        let (k, span, subject) = self.parts();
        let region = match (k.subject_region(T::STORAGE, span, subject), subject) {
            (Some(region), _) => region,
            (None, Subject::Variable { first, count }) => {
                k.mirror(T::STORAGE, span, first, (count / T::COUNT.max(1)) as usize)
            }
            // What does not change is copied.
            (None, value) => k.copied_subject(T::STORAGE, span, value),
        };
        (region, k.length_of(T::STORAGE, span, region))
    }
}

impl Builder {
    fn some_if(&self, span: Span, is_there: Operand, parts: &[Operand]) -> Operand {
        let is_there = self.pin(span, ScalarType::Bool, is_there);
        let leaves: Leaves = std::iter::once(is_there).chain(parts.iter().copied()).collect();
        self.whole(&leaves)
    }

    /// A reference to the element.
    fn element_in(&self, span: Span, region: Region, index: Operand) -> [Operand; 2] {
        let index = self.moved(span, region, index);
        [Operand::Leaf(Leaf::Base(region.memory)), self.pinned_index(span, index)]
    }

    fn part_of_slice(&self, span: Span, region: Region, start: Operand, length: Operand) -> [Operand; 3] {
        let start = self.moved(span, region, start);
        [Operand::Leaf(Leaf::Base(region.memory)), self.pinned_index(span, start), self.pinned_index(span, length)]
    }

    fn has_any(&self, span: Span, length: Operand) -> Operand {
        let has_any = self.comparison(span, CompareOp::Ne, ScalarType::Usize, length, ZERO());
        self.pin(span, ScalarType::Bool, has_any)
    }

    fn before(&self, span: Span, number: Operand) -> Operand {
        self.counted_back(span, number, 1)
    }

    /// The index that is so many before a number.
    pub(in crate::build) fn counted_back(&self, span: Span, number: Operand, by: usize) -> Operand {
        let before = self.binary(span, BinaryOp::Sub, ScalarType::Usize, number, Operand::constant(by));
        self.pinned_index(span, before)
    }

    /// The element and the others, where there are any.
    fn end_and_others<T: KernelData>(&self, span: Span, (region, length): (Region, Operand), first: bool) -> Operand {
        let (has_any, rest) = (self.has_any(span, length), self.before(span, length));
        let (index, start) = if first { (ZERO(), Operand::constant(1_usize)) } else { (rest, ZERO()) };
        let element = self.loaded_if(T::STORAGE, span, region, has_any, index);
        let mut leaves = self.leaves(<Option<T>>::LAYOUT, element);
        leaves.extend_from_slice(&self.part_of_slice(span, region, start, rest));
        self.whole(&leaves)
    }

    fn end_and_others_mut(&self, span: Span, (region, length): (Region, Operand), first: bool) -> Operand {
        let (has_any, rest) = (self.has_any(span, length), self.before(span, length));
        let (index, start) = if first { (ZERO(), Operand::constant(1_usize)) } else { (rest, ZERO()) };
        let element = self.element_in(span, region, index);
        let others = self.part_of_slice(span, region, start, rest);
        self.some_if(span, has_any, &[element[0], element[1], others[0], others[1], others[2]])
    }

    /// `slice.get(ends)`
    fn range_in(&self, span: Span, (region, length): (Region, Operand), ends: Ends) -> Operand {
        let (start, end) = self.indices_of(span, ends, length);
        let [ordered, inside] = [(start, end), (end, length)]
            .map(|(less, more)| self.comparison(span, CompareOp::Le, ScalarType::Usize, less, more));
        let is_there = self.binary(span, BinaryOp::And, ScalarType::Bool, ordered, inside);
        let count = self.binary(span, BinaryOp::Sub, ScalarType::Usize, end, start);
        let part = self.part_of_slice(span, region, start, count);
        self.some_if(span, is_there, &part)
    }

    fn halves_of<T: KernelData>(&self, span: Span, region: Region, middle: Operand) -> Operand {
        let (first, second) = self.halves(span, region, T::STORAGE.leading(), middle);
        let mut leaves = Leaves::new();
        for half in [first, second] {
            leaves.extend(self.leaves(<&'static [T]>::LAYOUT, self.slice_leaves(span, half, T::STORAGE.leading())));
        }
        self.whole(&leaves)
    }
}

macro_rules! methods {
    ($($name:ident($($argument:ident: $ty:ty),*) -> $result:ty, |$k:ident, $span:ident, $slice:ident| $made:expr;)*) => {$(
        impl<T: KernelData> StdCall<'_, $name, [T]> {
            #[doc = concat!("`slice.", stringify!($name), "(..)`")]
            #[inline(never)]
            pub fn __rest(self, $($argument: $ty),*) -> Value<$result> {
                let ($k, $span) = (self.call.k, self.call.span);
                $(let $argument = methods!(@argument $k, $span, $argument, $argument);)*
                let $slice = self.lasting();
                Value::new($made)
            }
        }
    )*};
    (@argument $k:ident, $span:ident, ends, $value:ident) => { $value };
    (@argument $k:ident, $span:ident, $name:ident, $value:ident) => {{
        let index = $k.operand($span, $value);
        $k.pinned_index($span, index)
    }};
}
methods! {
    get_mut(index: impl IntoValue<usize>) -> Option<RefMut<T>>, |k, span, slice| {
        let is_there = k.comparison(span, CompareOp::Lt, ScalarType::Usize, index, slice.1);
        k.some_if(span, is_there, &k.element_in(span, slice.0, index))
    };
    first_mut() -> Option<RefMut<T>>, |k, span, slice| {
        let is_there = k.has_any(span, slice.1);
        k.some_if(span, is_there, &k.element_in(span, slice.0, ZERO()))
    };
    last_mut() -> Option<RefMut<T>>, |k, span, slice| {
        let is_there = k.has_any(span, slice.1);
        let last = k.before(span, slice.1);
        k.some_if(span, is_there, &k.element_in(span, slice.0, last))
    };
    split_first() -> Option<(T, &'static [T])>, |k, span, slice| k.end_and_others::<T>(span, slice, true);
    split_last() -> Option<(T, &'static [T])>, |k, span, slice| k.end_and_others::<T>(span, slice, false);
    split_first_mut() -> Option<(RefMut<T>, &'static mut [T])>, |k, span, slice| k.end_and_others_mut(span, slice, true);
    split_last_mut() -> Option<(RefMut<T>, &'static mut [T])>, |k, span, slice| k.end_and_others_mut(span, slice, false);
    split_at(middle: impl IntoValue<usize>) -> (&'static [T], &'static [T]), |k, span, slice| {
        k.halves_of::<T>(span, slice.0, middle)
    };
    split_at_mut(middle: impl IntoValue<usize>) -> (&'static mut [T], &'static mut [T]), |k, span, slice| {
        k.halves_of::<T>(span, slice.0, middle)
    };
    get_range(ends: Ends) -> Option<&'static [T]>, |k, span, slice| k.range_in(span, slice, ends);
    get_range_mut(ends: Ends) -> Option<&'static mut [T]>, |k, span, slice| k.range_in(span, slice, ends);
}

impl<T: KernelData> StdCall<'_, __get_some_mut, [Option<T>]> {
    /// What an element has that is `Some`, or nothing behind the end: of an index that was looked for.
    #[inline(never)]
    pub fn __rest(self, index: impl IntoValue<usize>) -> Value<Option<RefMut<T>>> {
        let (k, span) = (self.call.k, self.call.span);
        let index = k.operand(span, index);
        let index = k.pinned_index(span, index);
        let (region, length) = self.lasting();
        let is_there = k.comparison(span, CompareOp::Lt, ScalarType::Usize, index, length);
        Value::new(k.some_if(span, is_there, &k.element_in(span, region.column(BEHIND_FLAG), index)))
    }
}

impl<T: KernelData> StdCall<'_, as_mut, Option<T>> {
    /// `option.as_mut()`
    #[inline(never)]
    pub fn __rest(self) -> Value<Option<RefMut<T>>> {
        let (k, span, subject) = self.parts();
        let is_some = k.subject_leaves(<Option<T>>::LAYOUT, span, subject)[0];
        let value = match subject {
            Subject::Element(Stored { memory, index, .. }) => {
                [Operand::Leaf(Leaf::Base(memory.column(BEHIND_FLAG))), k.pinned_index(span, index)]
            }
            Subject::Variable { first, .. } => {
                k.element_in(span, k.mirror(T::STORAGE, span, VarId(first.0 + BEHIND_FLAG), 1), ZERO())
            }
            Subject::Value(_) | Subject::Memory(_) | Subject::Items(_) => {
                unreachable!("it is not `TakenBy<ByWriting>`")
            }
        };
        Value::new(k.some_if(span, is_some, &value))
    }
}
