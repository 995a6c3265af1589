//! Ranges as values: `let r = a..b;`, as parameters, results and parts of other values.
//!
//! A range is its two ends. Where a `for` goes over one that has a name it is a sequence, of which the items follow from their
//! positions.

use super::arena::Operand;
use super::layout::HasLayout;
use super::rows::NamedMemory;
use super::shape::{Fields, Shape, Written};
use super::{
    Builder, Column, Composite, Elements, First, IntoItems, IntoValue, Items, KernelData, Let, Mutable, Part,
    ReadSlice, Sequence, Value,
};
use crate::ops::{Args, BinaryOp, CompareOp, Int, NumericOp};
use crate::scalar::{Scalar, ScalarType};
use crate::source::Span;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Range, RangeInclusive};

macro_rules! composite_ranges {
    ($($range:ident, $name:literal, |$from:ident, $to:ident| $made:expr;)*) => {$(
        impl<T: Scalar> Composite for $range<T> {
            const COUNT: u32 = 2;

            fn shape() -> Shape {
                let parts = vec![("start", Shape::Scalar), ("end", Shape::Scalar)];
                Shape::Fields(Fields { name: $name, of: None, written: Written::Named, parts })
            }

            fn made(next: &mut dyn FnMut(ScalarType) -> u64) -> Self {
                let ($from, $to) = (T::made(next), T::made(next));
                $made
            }

            fn leaves(path: &str, show: &mut dyn FnMut(&str, ScalarType)) {
                T::leaves(&format!("{path}.start"), show);
                T::leaves(&format!("{path}.end"), show);
            }
        }
    )*};
}
composite_ranges! {
    Range, "Range", |from, to| from..to;
    RangeInclusive, "RangeInclusive", |from, to| from..=to;
}

/// The ends of a range, as parts.
pub struct RangeFields<T: Scalar> {
    /// `r.start`
    pub start: Part<T>,
    /// `r.end`
    pub end: Part<T>,
}

// Not derived: the parts are `Copy` and can be shown whatever their type is.
impl<T: Scalar> Clone for RangeFields<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T: Scalar> Copy for RangeFields<T> {}
impl<T: Scalar> fmt::Debug for RangeFields<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RangeFields").field("start", &self.start).field("end", &self.end).finish()
    }
}

impl<T: Scalar> KernelData for Range<T> {
    type Fields = RangeFields<T>;
    const COLUMNS: u32 = 2;

    fn fields(mut first: First) -> RangeFields<T> {
        RangeFields { start: Part::next(&mut first), end: Part::next(&mut first) }
    }

    fn columns(path: &str, show: &mut dyn FnMut(Column<'_>)) {
        T::columns(&format!("{path}.start"), show);
        T::columns(&format!("{path}.end"), show);
    }

    fn cells(column: u32, show: &mut dyn FnMut(u32, u32)) {
        show(column, 0);
        show(column + 1, 0);
    }
}

/// A range whose ends are known under names.
#[derive(Debug)]
pub struct Counts<T> {
    start: Operand,
    end: Operand,
    inclusive: bool,
    ty: PhantomData<T>,
}

macro_rules! named_ranges {
    ($($range:ident, $inclusive:literal;)*) => {$(
        impl<T: Int> NamedMemory for Let<$range<T>> {
            type Memory = Counts<T>;

            fn named(self, k: &Builder, _: Span) -> Counts<T> {
                let ends = k.leaves(<$range<T>>::LAYOUT, self.operand(k));
                Counts { start: ends[0], end: ends[1], inclusive: $inclusive, ty: PhantomData }
            }
        }

        impl<T: Int> NamedMemory for Mutable<$range<T>> {
            type Memory = Counts<T>;

            fn named(self, k: &Builder, span: Span) -> Counts<T> {
                let ends = k.leaves(<$range<T>>::LAYOUT, k.variables(self.var, self.count));
                Let::<$range<T>>::new(k, k.whole(&k.pin_leaves(<$range<T>>::LAYOUT, span, &ends))).named(k, span)
            }
        }
    )*};
}
named_ranges! {
    Range, false;
    RangeInclusive, true;
}

/// The numbers of a range.
#[derive(Clone, Copy, Debug)]
pub struct Counted<T> {
    start: Operand,
    ty: PhantomData<T>,
}

impl<T: Int> Items for Counted<T> {
    type Item = Let<T>;

    fn item(self, k: &Builder, span: Span, position: Let<usize>) -> Let<T> {
        let position = k.conversion(span, ScalarType::Usize, T::TYPE, position.operand(k));
        let number = match self.start == Operand::constant(T::from_bits64(0)) {
            true => position,
            false => k.binary(span, BinaryOp::Add, T::TYPE, self.start, position),
        };
        Let::new(k, k.pin(span, T::TYPE, number))
    }
}

impl<T: Int> Counts<T> {
    /// Whether it is empty.
    pub(super) fn has_none(&self, k: &Builder, span: Span) -> Value<bool> {
        let op = if self.inclusive { CompareOp::Gt } else { CompareOp::Ge };
        Value::new(k.comparison(span, op, T::TYPE, self.start, self.end))
    }
}

impl<T: Int> IntoItems for Counts<T> {
    type Gone = Sequence<Counted<T>>;

    fn into_items(self, k: &Builder, at: u32, _: bool) -> Sequence<Counted<T>> {
        let span = k.span(at);
        let length = k.count_of(span, &self);
        Sequence { length: k.position(span, length), items: Counted { start: self.start, ty: PhantomData } }
    }
}

/// Has a length: elements, and ranges.
#[diagnostic::on_unimplemented(
    message = "this has no length in a kernel",
    label = "neither a slice nor an array",
    note = "slices and arrays have a length"
)]
pub trait HasLength {
    /// The length.
    fn length_of(self, k: &Builder, span: Span) -> Value<usize>;
}

#[diagnostic::do_not_recommend]
impl<E: Elements> HasLength for E {
    fn length_of(self, k: &Builder, span: Span) -> Value<usize> {
        Value::new(k.length(span, self.region(), E::per_element()))
    }
}

#[diagnostic::do_not_recommend]
impl<T: Int> HasLength for Counts<T> {
    fn length_of(self, k: &Builder, span: Span) -> Value<usize> {
        Value::new(k.count_of(span, &self))
    }
}

/// May contain a `T`: elements, and ranges.
#[diagnostic::on_unimplemented(
    message = "`contains` of this is not supported in a kernel",
    label = "neither a slice nor an array of `{T}`"
)]
pub trait Contains<T> {
    /// Whether it does.
    fn contains_one(self, k: &Builder, span: Span, value: Let<T>) -> Value<bool>;
}

#[diagnostic::do_not_recommend]
impl<T: Scalar, S: ReadSlice<T>> Contains<T> for S {
    fn contains_one(self, k: &Builder, span: Span, value: Let<T>) -> Value<bool> {
        k.among::<T, S>(span, self, value.operand(k))
    }
}

impl<T: Int> Contains<T> for Counts<T> {
    fn contains_one(self, k: &Builder, span: Span, value: Let<T>) -> Value<bool> {
        let value = value.operand(k);
        let below = if self.inclusive { CompareOp::Le } else { CompareOp::Lt };
        let above_start = k.comparison(span, CompareOp::Le, T::TYPE, self.start, value);
        let below_end = k.comparison(span, below, T::TYPE, value, self.end);
        Value::new(k.binary(span, BinaryOp::And, ScalarType::Bool, above_start, below_end))
    }
}

impl Builder {
    /// `from..to`
    #[inline(never)]
    pub fn range<T: Scalar>(&self, at: u32, from: impl IntoValue<T>, to: impl IntoValue<T>) -> Value<Range<T>> {
        let span = self.span(at);
        let ends = [self.operand(span, from), self.operand(span, to)];
        Value::new(self.whole(&ends))
    }

    /// `from..=to`
    #[inline(never)]
    pub fn range_inclusive<T: Scalar>(
        &self,
        at: u32,
        from: impl IntoValue<T>,
        to: impl IntoValue<T>,
    ) -> Value<RangeInclusive<T>> {
        let Value { operand, .. } = self.range(at, from, to);
        Value::new(operand)
    }

    /// `from..` as items, of which no slice has as many.
    #[inline(never)]
    pub fn numbers_from<T: Int>(&self, at: u32, from: impl IntoValue<T>) -> Sequence<Counted<T>> {
        let start = self.keep::<T>(at, from).operand(self);
        let length = self.position(self.span(at), Operand::constant(u32::MAX as usize));
        Sequence { length, items: Counted { start, ty: PhantomData } }
    }

    /// `from..to` as items, or `from..=to`.
    #[inline(never)]
    pub fn numbers<T: Int>(
        &self,
        at: u32,
        from: impl IntoValue<T>,
        to: impl IntoValue<T>,
        inclusive: bool,
    ) -> Sequence<Counted<T>> {
        let [start, end] = [self.keep::<T>(at, from), self.keep::<T>(at, to)].map(|end| end.operand(self));
        Counts { start, end, inclusive, ty: PhantomData }.into_items(self, at, false)
    }

    /// How many numbers a range has, as far as a `usize` goes.
    fn count_of<T: Int>(&self, span: Span, &Counts { start, end, inclusive, .. }: &Counts<T>) -> Operand {
        let ty = ScalarType::Usize;
        if !T::TYPE.is_signed_int() && !inclusive && T::TYPE.bits() <= 32 {
            let number = self.numeric(span, NumericOp::SaturatingSub, T::TYPE, Args::Two([end, start]));
            return self.conversion(span, T::TYPE, ty, number);
        }
        // The difference of the two, which fits if it is taken of numbers without a sign.
        let is_wide = T::TYPE.bits() == 64;
        let wide = if is_wide { ScalarType::U64 } else { ScalarType::U32 };
        let [from, to] = [start, end].map(|end| self.conversion(span, T::TYPE, wide, end));
        let mut number = self.binary(span, BinaryOp::Sub, wide, to, from);
        if inclusive {
            let one = if is_wide { Operand::constant(1_u64) } else { Operand::constant(1_u32) };
            number = self.numeric(span, NumericOp::SaturatingAdd, wide, Args::Two([number, one]));
        }
        if is_wide {
            let most = Operand::constant(u64::from(u32::MAX));
            number = self.numeric(span, NumericOp::Min, wide, Args::Two([number, most]));
        }
        let below = if inclusive { CompareOp::Le } else { CompareOp::Lt };
        let has_some = self.comparison(span, below, T::TYPE, start, end);
        let has_some = self.conversion(span, ScalarType::Bool, ty, has_some);
        let number = self.conversion(span, wide, ty, number);
        self.binary(span, BinaryOp::Mul, ty, number, has_some)
    }
}
