//! Methods of ranges: their length, and what is in them.

use super::super::{Contains, HasLength, Let, NamedMemory, RefArgument, Value};
use super::subject::ByReading;
use super::{StdCall, std_methods};
use crate::ops::Int;
use std::ops::{Range, RangeInclusive};

std_methods! {
    /// Finds methods of ranges.
    RangeMethods:
    len __fn_len ByReading;
    is_empty __fn_is_empty ByReading;
    contains __fn_contains ByReading;
}

impl<T> RangeMethods for Range<T> {
    type Of = Self;
}
impl<T> RangeMethods for RangeInclusive<T> {
    type Of = Self;
}

macro_rules! of_ranges {
    ($($range:ident)*) => {$(
        impl<T: Int> StdCall<'_, len, $range<T>> {
            /// `range.len()`
            #[inline(never)]
            pub fn __rest(self) -> Value<usize> {
                let (k, span, subject) = self.parts();
                let range = Let::<$range<T>>::new(k, k.subject_value(span, subject));
                range.named(k, span).length_of(k, span)
            }
        }

        impl<T: Int> StdCall<'_, is_empty, $range<T>> {
            /// `range.is_empty()`
            #[inline(never)]
            pub fn __rest(self) -> Value<bool> {
                let (k, span, subject) = self.parts();
                let range = Let::<$range<T>>::new(k, k.subject_value(span, subject));
                range.named(k, span).has_none(k, span)
            }
        }

        impl<T: Int> StdCall<'_, contains, $range<T>> {
            /// `range.contains(&value)`
            #[inline(never)]
            pub fn __rest(self, value: impl RefArgument<T>) -> Value<bool> {
                let (k, span, subject) = self.parts();
                let value = k.pin(span, T::TYPE, value.value(k).operand);
                let range = Let::<$range<T>>::new(k, k.subject_value(span, subject));
                range.named(k, span).contains_one(k, span, Let::new(k, value))
            }
        }
    )*};
}
of_ranges!(Range RangeInclusive);
