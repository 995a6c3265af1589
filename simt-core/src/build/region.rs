//! Memory and subslices of it: what a slice is while a kernel is built.
//!
//! A subslice, `&x[a..b]`, is no memory of its own: it is where it begins in a slice or array, and how many elements it has. Both
//! are evaluated where the subslice is made. An index into it is compared with its length and moved by its begin.

use super::arena::Operand;
use super::guard::{Panic, number, text};
use super::{
    ArrayMut, ArrayRef, Atomic, AtomicRows, AtomicSlice, Builder, Elements, IntoIndex, KernelData, SliceMut, SliceRef,
};
use crate::ops::{Args, BinaryOp, CompareOp, NumericOp};
use crate::program::{ArrayId, Memory, ParamId};
use crate::scalar::ScalarType;
use crate::source::Span;

/// A slice or array, or a subslice of one.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    /// Where its elements are; of structs, the first column.
    pub(super) memory: Memory,
    /// Of a subslice, the number of its bounds in the builder's list, from 1 on; 0 of the whole. A number, so that a handle fits in
    /// two registers.
    bounds: u32,
}

/// Where a subslice begins, and how many elements it has: leaves that keep their values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) start: Operand,
    pub(super) length: Operand,
}

impl From<Memory> for Region {
    fn from(memory: Memory) -> Self {
        Self { memory, bounds: 0 }
    }
}

impl From<ArrayId> for Region {
    fn from(array: ArrayId) -> Self {
        Memory::from(array).into()
    }
}

impl From<ParamId> for Region {
    fn from(param: ParamId) -> Self {
        Memory::from(param).into()
    }
}

impl Region {
    /// The same elements' column so many behind this one.
    pub(super) fn column(self, number: u32) -> Self {
        Self { memory: self.memory.column(number), ..self }
    }

    /// Whether two are the same for certain.
    pub(super) fn is_same(self, other: Self) -> bool {
        self.memory == other.memory && self.bounds == other.bounds
    }

    pub(super) fn is_subslice(self) -> bool {
        self.bounds > 0
    }
}

/// Has elements of which a subslice can be made.
#[diagnostic::on_unimplemented(
    message = "a subslice of this, `x[a..b]`, is not supported in a kernel",
    label = "neither a slice nor an array",
    note = "slices, `&[T]` and `&mut [T]`, and arrays have subslices"
)]
pub trait Sliced: Elements + Copy {
    /// What `&x[a..b]` is.
    type Subslice;
    /// What `x[a..b]` is, of which nothing says whether it is written to.
    type Place;
    /// The region as a subslice.
    fn subslice(region: Region) -> Self::Subslice;
    /// The region as a place.
    fn place(region: Region) -> Self::Place;
}

/// Has elements of which a subslice can be made that may be written.
#[diagnostic::on_unimplemented(
    message = "a subslice of this may not be written in a kernel",
    label = "nothing that may be written",
    note = "declare a parameter as `&mut [T]` and an array with `let mut`"
)]
pub trait SlicedMut: Sliced {
    /// What `&mut x[a..b]` is.
    type SubsliceMut;
    /// The region as such a subslice.
    fn subslice_mut(region: Region) -> Self::SubsliceMut;
}

macro_rules! sliced {
    ($([$($generics:tt)*] $handle:ty, $element:ty: $subslice:ident, $place:ident;)*) => {$(
        impl<$($generics)*> Sliced for $handle {
            type Subslice = $subslice<$element>;
            type Place = $place<$element>;

            fn subslice(region: Region) -> Self::Subslice {
                $subslice::new(region)
            }

            fn place(region: Region) -> Self::Place {
                $place::new(region)
            }
        }
    )*};
}
sliced! {
    [T: KernelData] SliceRef<T>, T: SliceRef, SliceRef;
    [T: KernelData] SliceMut<T>, T: SliceRef, SliceMut;
    [T: KernelData, const N: usize] ArrayRef<T, N>, T: SliceRef, SliceRef;
    [T: KernelData, const N: usize] ArrayMut<T, N>, T: SliceRef, SliceMut;
    [A: Atomic] AtomicSlice<A>, A: AtomicSlice, AtomicSlice;
    [A: Atomic, const N: usize] AtomicRows<[A; N]>, [A; N]: AtomicRows, AtomicRows;
}

macro_rules! sliced_mut {
    ($([$($generics:tt)*] $handle:ty;)*) => {$(
        impl<T: KernelData $($generics)*> SlicedMut for $handle {
            type SubsliceMut = SliceMut<T>;

            fn subslice_mut(region: Region) -> SliceMut<T> {
                SliceMut::new(region)
            }
        }
    )*};
}
sliced_mut! {
    [] SliceMut<T>; [, const N: usize] ArrayMut<T, N>;
}

/// The ends of a range: `a..b`, `..=b`, `a..` and so on.
#[derive(Clone, Copy, Debug)]
pub struct Ends {
    start: Option<Operand>,
    /// The end, and whether it is the last element.
    end: Option<(Operand, bool)>,
}

impl Builder {
    /// `..`, of which the other methods say the ends.
    #[inline(never)]
    pub fn ends(&self) -> Ends {
        Ends { start: None, end: None }
    }

    /// `start..`; may emit an assignment to a temporary.
    #[inline(never)]
    pub fn ends_from(&self, at: u32, ends: Ends, start: impl IntoIndex) -> Ends {
        Ends { start: Some(self.keep::<usize>(at, start).operand(self)), ..ends }
    }

    /// `..end` or `..=end`; may emit an assignment to a temporary.
    #[inline(never)]
    pub fn ends_to(&self, at: u32, ends: Ends, end: impl IntoIndex, inclusive: bool) -> Ends {
        Ends { end: Some((self.keep::<usize>(at, end).operand(self), inclusive)), ..ends }
    }

    /// `&slice[ends]`. Emits a check of the ends.
    #[inline(never)]
    pub fn subslice<S: Sliced>(&self, at: u32, slice: S, ends: Ends) -> S::Subslice {
        S::subslice(self.subslice_of(self.span(at), slice.region(), S::per_element(), ends))
    }

    /// `&mut slice[ends]`. Emits a check of the ends.
    #[inline(never)]
    pub fn subslice_mut<S: SlicedMut>(&self, at: u32, slice: S, ends: Ends) -> S::SubsliceMut {
        S::subslice_mut(self.subslice_of(self.span(at), slice.region(), S::per_element(), ends))
    }

    /// `slice[ends]`, of which something is read or written. Emits a check of the ends.
    #[inline(never)]
    pub fn subslice_place<S: Sliced>(&self, at: u32, slice: S, ends: Ends) -> S::Place {
        S::place(self.subslice_of(self.span(at), slice.region(), S::per_element(), ends))
    }

    /// `slice.split_at(middle)`. Emits a check of the middle.
    #[inline(never)]
    pub fn split_at<S: Sliced>(&self, at: u32, slice: S, middle: impl IntoIndex) -> (S::Subslice, S::Subslice) {
        let (first, second) = self.halves_at(at, slice, middle);
        (S::subslice(first), S::subslice(second))
    }

    /// `slice.split_at_mut(middle)`. Emits a check of the middle.
    #[inline(never)]
    pub fn split_at_mut<S: SlicedMut>(
        &self,
        at: u32,
        slice: S,
        middle: impl IntoIndex,
    ) -> (S::SubsliceMut, S::SubsliceMut) {
        let (first, second) = self.halves_at(at, slice, middle);
        (S::subslice_mut(first), S::subslice_mut(second))
    }

    fn halves_at<S: Sliced>(&self, at: u32, slice: S, middle: impl IntoIndex) -> (Region, Region) {
        let middle = self.keep::<usize>(at, middle).operand(self);
        self.halves(self.span(at), slice.region(), S::per_element(), middle)
    }

    /// The elements in front of an index, and the others. Emits a check of the index.
    pub(super) fn halves(&self, span: Span, region: Region, per_element: u32, middle: Operand) -> (Region, Region) {
        let length = self.pinned_length(span, region, per_element);
        self.refuse_more(span, middle, length, |_| (vec![text("mid > len")], Vec::new()));
        let rest = self.subtracted(span, length, middle);
        let zero = Operand::constant(0_usize);
        (self.bounded(span, region, zero, middle), self.bounded(span, region, middle, rest))
    }

    /// Where a range begins and ends, of a slice of this length.
    pub(super) fn indices_of(&self, span: Span, ends: Ends, length: Operand) -> (Operand, Operand) {
        let end = match ends.end {
            None => length,
            Some((end, true)) => self.saturating_successor(span, end),
            Some((end, false)) => end,
        };
        (ends.start.unwrap_or(Operand::constant(0_usize)), end)
    }

    pub(super) fn subslice_of(&self, span: Span, region: Region, per_element: u32, ends: Ends) -> Region {
        let zero = Operand::constant(0_usize);
        let (start, length) = (ends.start.unwrap_or(zero), self.pinned_length(span, region, per_element));
        let Some((end, inclusive)) = ends.end else {
            if start == zero {
                return region;
            }
            self.refuse_more(span, start, length, |k| k.beyond("range start index ", start, length));
            return self.bounded(span, region, start, self.subtracted(span, length, start));
        };
        let end = match inclusive {
            // The last index there is has none behind it, and no slice has it.
            true => self.saturating_successor(span, end),
            false => end,
        };
        if start != zero {
            self.refuse_more(span, start, end, |_| {
                (vec![text("slice index starts at "), number(0), text(" but ends at "), number(1)], vec![start, end])
            });
        }
        if end != length {
            self.refuse_more(span, end, length, |k| k.beyond("range end index ", end, length));
        }
        self.bounded(span, region, start, self.subtracted(span, end, start))
    }

    fn beyond(&self, what: &'static str, index: Operand, length: Operand) -> Panic {
        (vec![text(what), number(0), text(" out of range for slice of length "), number(1)], vec![index, length])
    }

    /// Panics where `number` is more than `limit`.
    fn refuse_more(&self, span: Span, number: Operand, limit: Operand, message: impl FnOnce(&Self) -> Panic) {
        let is_more = self.comparison(span, CompareOp::Gt, ScalarType::Usize, number, limit);
        self.panic_if(span, is_more, message);
    }

    /// The subslice of so many elements that begins at `start`, counted from the region's own begin.
    pub(super) fn bounded(&self, span: Span, region: Region, start: Operand, length: Operand) -> Region {
        let start = self.moved(span, region, start);
        let [start, length] = [start, length].map(|operand| self.pin(span, ScalarType::Usize, operand));
        self.with_bounds(region.memory, Bounds { start, length })
    }

    /// A subslice of memory.
    pub(super) fn with_bounds(&self, memory: Memory, bounds: Bounds) -> Region {
        let mut state = self.state.borrow_mut();
        state.bounds.push(bounds);
        Region { memory, bounds: state.bounds.len() as u32 }
    }

    /// The bounds of a region that is a subslice.
    pub(super) fn bounds(&self, region: Region) -> Option<Bounds> {
        let number = region.bounds.checked_sub(1)?;
        self.state.borrow().bounds.get(number as usize).copied()
    }

    /// Sets the bounds of a subslice that was made before they were known.
    pub(super) fn set_bounds(&self, region: Region, bounds: Bounds) {
        if let Some(known) = self.state.borrow_mut().bounds.get_mut((region.bounds as usize).wrapping_sub(1)) {
            *known = bounds;
        }
    }

    /// Where the element with this index is. Of a subslice, emits a check of the index.
    pub(super) fn located(&self, span: Span, region: Region, index: Operand) -> Operand {
        let Some(Bounds { start, length }) = self.bounds(region) else { return index };
        let index = self.pin(span, ScalarType::Usize, index);
        let is_outside = self.comparison(span, CompareOp::Ge, ScalarType::Usize, index, length);
        self.panic_if(span, is_outside, |k| {
            let name = k.memory_name(region.memory);
            let name = name.split('.').next().unwrap_or_default();
            let pieces = vec![
                text("index "),
                number(0),
                text(format!(" is out of bounds of `{name}[")),
                number(1),
                text("..]`, whose length is "),
                number(2),
            ];
            (pieces, vec![index, start, length])
        });
        self.moved(span, region, index)
    }

    /// Where the element with this index is, which is known to be one of the region's.
    pub(super) fn moved(&self, span: Span, region: Region, index: Operand) -> Operand {
        match self.bounds(region) {
            Some(Bounds { start, .. }) if start == Operand::constant(0_usize) => index,
            Some(Bounds { start, .. }) => self.binary(span, BinaryOp::Add, ScalarType::Usize, start, index),
            None => index,
        }
    }

    /// The length of a slice, as a leaf that keeps its value.
    pub(super) fn pinned_length(&self, span: Span, region: Region, per_element: u32) -> Operand {
        let length = self.length(span, region, per_element);
        self.pin(span, ScalarType::Usize, length)
    }

    fn subtracted(&self, span: Span, from: Operand, number: Operand) -> Operand {
        self.binary(span, BinaryOp::Sub, ScalarType::Usize, from, number)
    }

    fn saturating_successor(&self, span: Span, number: Operand) -> Operand {
        let one = Operand::constant(1_usize);
        let args = Args::Two([number, one]);
        let next = self.numeric(span, NumericOp::SaturatingAdd, ScalarType::Usize, args);
        self.pin(span, ScalarType::Usize, next)
    }
}
