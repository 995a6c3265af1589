//! Methods of slices and arrays that give elements, and those that are found with them.

use super::super::arena::Operand;
use super::super::guard::text;
use super::super::layout::{HasStorage, Storage};
use super::super::{Builder, Ends, IntoIndex, KernelData, Region, Value, WriteSlice};
use super::{ByLength, ByReading, ByWriting, StdCall, std_methods};
use crate::ops::{BinaryOp, CompareOp};
use crate::program::{LoadAccess, StoreAccess};
use crate::scalar::ScalarType;
use crate::source::Span;

std_methods! {
    /// The methods of slices and arrays.
    SliceMethods:
    get __fn_get ByReading;
    first __fn_first ByReading;
    last __fn_last ByReading;
    starts_with __fn_starts_with ByReading;
    ends_with __fn_ends_with ByReading;
    binary_search __fn_binary_search ByReading;
    is_sorted __fn_is_sorted ByReading;
    reverse __fn_reverse ByWriting;
    sort __fn_sort ByWriting;
    sort_unstable __fn_sort_unstable ByWriting;
    len __fn_len ByLength;
    is_empty __fn_is_empty ByLength;
    contains __fn_contains ByReading;
    fill __fn_fill ByWriting;
    swap __fn_swap ByWriting;
    copy_from_slice __fn_copy_from_slice ByWriting;
    rotate_left __fn_rotate_left ByWriting;
    rotate_right __fn_rotate_right ByWriting;
    get_range __fn_get_range ByReading;
    split_first __fn_split_first ByReading;
    split_last __fn_split_last ByReading;
    split_at __fn_split_at ByReading;
    get_mut __fn_get_mut ByWriting;
    get_range_mut __fn_get_range_mut ByWriting;
    __get_some_mut __fn___get_some_mut ByWriting;
    first_mut __fn_first_mut ByWriting;
    last_mut __fn_last_mut ByWriting;
    split_first_mut __fn_split_first_mut ByWriting;
    split_last_mut __fn_split_last_mut ByWriting;
    split_at_mut __fn_split_at_mut ByWriting;
}

impl<T> SliceMethods for [T] {
    type Of = Self;
}
impl<T, const N: usize> SliceMethods for [T; N] {
    type Of = [T];
}

/// A slice that is a value: a method that nothing has is one of every reference, which rustc would take before it
/// looks at what this one refers to.
impl<T> SliceMethods for &'static [T] {
    type Of = [T];
}
impl<T> SliceMethods for &'static mut [T] {
    type Of = [T];
}

impl<T: KernelData> StdCall<'_, get, [T]> {
    /// `slice.get(index)`. Emits an `if` around the load.
    #[inline(never)]
    pub fn __rest(self, index: impl IntoIndex) -> Value<Option<T>> {
        let (k, span, subject) = self.parts();
        let index = k.operand(span, index);
        let index = k.pinned_index(span, index);
        let region = k.subject_memory(T::STORAGE, span, subject);
        let length = k.length_of(T::STORAGE, span, region);
        let is_there = k.comparison(span, CompareOp::Lt, ScalarType::Usize, index, length);
        Value::new(k.loaded_if(T::STORAGE, span, region, is_there, index))
    }
}

impl<T: KernelData> StdCall<'_, first, [T]> {
    /// `slice.first()`. Emits an `if` around the load.
    #[inline(never)]
    pub fn __rest(self) -> Value<Option<T>> {
        let (k, span, subject) = self.parts();
        let region = k.subject_memory(T::STORAGE, span, subject);
        let (zero, length) = (Operand::constant(0_usize), k.length_of(T::STORAGE, span, region));
        let is_there = k.comparison(span, CompareOp::Ne, ScalarType::Usize, length, zero);
        Value::new(k.loaded_if(T::STORAGE, span, region, is_there, zero))
    }
}

impl<T: KernelData> StdCall<'_, last, [T]> {
    /// `slice.last()`. Emits an `if` around the load.
    #[inline(never)]
    pub fn __rest(self) -> Value<Option<T>> {
        let (k, span, subject) = self.parts();
        let region = k.subject_memory(T::STORAGE, span, subject);
        let (zero, length) = (Operand::constant(0_usize), k.length_of(T::STORAGE, span, region));
        let is_there = k.comparison(span, CompareOp::Ne, ScalarType::Usize, length, zero);
        let index = k.binary(span, BinaryOp::Sub, ScalarType::Usize, length, Operand::constant(1_usize));
        let index = k.pinned_index(span, index);
        Value::new(k.loaded_if(T::STORAGE, span, region, is_there, index))
    }
}

impl<T: KernelData> StdCall<'_, reverse, [T]> {
    /// `slice.reverse()`. Emits a loop.
    #[inline(never)]
    pub fn __rest(self) -> Value<()> {
        let (k, span, subject) = self.parts();
        k.change_memory(T::STORAGE, span, subject, |region| k.reverse_elements(T::STORAGE, span, region));
        k.unit()
    }
}

impl Builder {
    /// `slice.copy_within(ends, to);`, which panics as Rust's does. Emits loops.
    #[inline(never)]
    pub fn copy_within<T: KernelData>(&self, at: u32, slice: impl WriteSlice<T>, ends: Ends, to: impl IntoIndex) {
        let span = self.span(at);
        let to = self.operand(span, to);
        let (to, whole) = (self.pinned_index(span, to), slice.region());
        let from = self.subslice_of(span, whole, T::STORAGE.leading(), ends);
        let (count, length) = (self.length_of(T::STORAGE, span, from), self.length_of(T::STORAGE, span, whole));
        // `from` is within the slice, so that this is no less than 0.
        let rest = self.binary(span, BinaryOp::Sub, ScalarType::Usize, length, count);
        let is_outside = self.comparison(span, CompareOp::Gt, ScalarType::Usize, to, rest);
        self.panic_if(span, is_outside, |_| (vec![text("dest is out of bounds")], Vec::new()));
        let target = self.bounded(span, whole, to, count);
        let [source_start, target_start] =
            [from, target].map(|region| self.bounds(region).map_or(Operand::constant(0_usize), |bounds| bounds.start));
        // What is copied must not be written before.
        let backwards = self.comparison(span, CompareOp::Lt, ScalarType::Usize, source_start, target_start);
        let forwards = self.block(|| self.copy_elements(T::STORAGE, span, from, target, count));
        let in_reverse = self.block(|| {
            self.each_index(span, count, |index| {
                let index = self.mirrored(span, index, count);
                let [source, target] = [from, target].map(|region| self.moved(span, region, index));
                let value = self.load_all(T::STORAGE, span, LoadAccess::Plain, from.memory, source);
                self.store_all(T::STORAGE, span, StoreAccess::Plain, whole.memory, target, value);
            });
        });
        self.emit_if(span, backwards, in_reverse, forwards);
    }

    /// `slice.rotate_left(mid);` and, `right`, `slice.rotate_right(mid);`. Emits loops.
    #[inline(never)]
    pub fn rotate_elements<T: KernelData>(&self, at: u32, slice: impl WriteSlice<T>, right: bool, by: impl IntoIndex) {
        let span = self.span(at);
        let by = self.operand(span, by);
        self.rotate_region(T::STORAGE, span, slice.region(), right, by);
    }

    /// As [`Builder::rotate_elements`].
    pub(super) fn rotate_region(&self, storage: &Storage, span: Span, region: Region, right: bool, by: Operand) {
        let by = self.pinned_index(span, by);
        let length = self.length_of(storage, span, region);
        let is_more = self.comparison(span, CompareOp::Gt, ScalarType::Usize, by, length);
        let message = if right { "assertion failed: k <= self.len()" } else { "assertion failed: mid <= self.len()" };
        self.panic_if(span, is_more, |_| (vec![text(message)], Vec::new()));
        let rest = self.binary(span, BinaryOp::Sub, ScalarType::Usize, length, by);
        let rest = self.pinned_index(span, rest);
        let (mid, rest) = if right { (rest, by) } else { (by, rest) };
        // Both parts backwards, and then the whole.
        let first = self.bounded(span, region, Operand::constant(0_usize), mid);
        let second = self.bounded(span, region, mid, rest);
        for part in [first, second, region] {
            self.reverse_elements(storage, span, part);
        }
    }

    /// The number of elements, as a leaf that keeps its value.
    pub(in crate::build) fn length_of(&self, storage: &Storage, span: Span, region: Region) -> Operand {
        self.pinned_length(span, region, storage.leading())
    }

    /// The element where there is one.
    pub(in crate::build) fn loaded_if(
        &self,
        storage: &Storage,
        span: Span,
        region: Region,
        is_there: Operand,
        index: Operand,
    ) -> Operand {
        let is_there = self.pin(span, ScalarType::Bool, is_there);
        let none = storage.layout.nothing();
        let first = self.new_variables(storage.layout, None, true, true);
        let found = self.block(|| {
            let at = self.moved(span, region, index);
            let element = self.load_all(storage, span, LoadAccess::Plain, region.memory, at);
            self.set_all(storage.layout, span, first, element);
        });
        let otherwise = self.block(|| self.set_all(storage.layout, span, first, self.whole(&none)));
        self.emit_if(span, is_there, found, otherwise);
        let element = self.leaves(storage.layout, self.variables(first, storage.layout.count));
        self.flagged(is_there, &element)
    }

    /// The index that is as far from the end as this one is from the begin.
    fn mirrored(&self, span: Span, index: Operand, length: Operand) -> Operand {
        let behind = self.binary(span, BinaryOp::Sub, ScalarType::Usize, length, index);
        let mirrored = self.binary(span, BinaryOp::Sub, ScalarType::Usize, behind, Operand::constant(1_usize));
        self.pinned_index(span, mirrored)
    }

    fn reverse_elements(&self, storage: &Storage, span: Span, region: Region) {
        let length = self.length_of(storage, span, region);
        let half = self.binary(span, BinaryOp::Div, ScalarType::Usize, length, Operand::constant(2_usize));
        let half = self.pinned_index(span, half);
        self.each_index(span, half, |index| {
            let other = self.mirrored(span, index, length);
            let [a, b] = [index, other].map(|index| self.moved(span, region, index));
            self.exchange_elements(storage, span, region.memory, a, b);
        });
    }
}
