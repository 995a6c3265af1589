//! `a.cmp(&b)` and the like, and `Ordering` as a type of the kernel language.

use super::super::arena::{Leaf, Operand};
use super::super::guard::text;
use super::super::layout::HasLayout;
use super::super::partwise::PartialOrder;
use super::super::{
    Builder, Castable, Choice, Column, Composite, First, Hold, IntoValue, KernelData, Let, NoFields, PatternConstant,
    RefArgument, Shape, Value,
};
use super::{ByReading, StdCall, std_methods};
use crate::ops::{Args, BinaryOp, CompareOp, Float, Int, NumericOp, UnaryOp};
use crate::scalar::{Constant, Scalar, ScalarType};
use crate::source::Span;
use std::cmp::Ordering;

std_methods! {
    /// The methods of values that compare.
    ScalarMethods:
    cmp __fn_cmp ByReading;
    partial_cmp __fn_partial_cmp ByReading;
    total_cmp __fn_total_cmp ByReading;
}

impl<T: Composite> ScalarMethods for T {
    type Of = Self;
}

std_methods! {
    /// The methods of values of which one is the greater.
    ExtremeMethods:
    max __fn_max ByReading;
    min __fn_min ByReading;
    clamp __fn_clamp ByReading;
}

impl<T: Composite + Ord> ExtremeMethods for T {
    type Of = Self;
}

std_methods! {
    /// The methods of `Ordering`.
    OrderingMethods:
    is_eq __fn_is_eq ByReading;
    is_ne __fn_is_ne ByReading;
    is_lt __fn_is_lt ByReading;
    is_le __fn_is_le ByReading;
    is_gt __fn_is_gt ByReading;
    is_ge __fn_is_ge ByReading;
    reverse __fn_reverse ByReading;
    then __fn_then ByReading;
}

impl OrderingMethods for Ordering {
    type Of = Self;
}

/// What an `Ordering` is: -1, 0 or 1.
const TYPE: ScalarType = ScalarType::I8;

fn constant(ordering: Ordering) -> Constant {
    Constant { ty: TYPE, bits: u64::from(ordering as i8 as u8) }
}

fn equal() -> Operand {
    Operand::Leaf(Leaf::Const(constant(Ordering::Equal)))
}

impl Composite for Ordering {
    const COUNT: u32 = 1;

    fn shape() -> Shape {
        let variants = [("Less", Self::Less), ("Equal", Self::Equal), ("Greater", Self::Greater)];
        let choice = |(name, variant)| {
            let tag = constant(variant).bits;
            Choice { tag, sample: tag, ..Choice::of_std(name, false, None) }
        };
        Shape::Choices(variants.into_iter().map(choice).collect())
    }

    fn made(next: &mut dyn FnMut(ScalarType) -> u64) -> Self {
        (next(TYPE) as u8 as i8).cmp(&0)
    }

    fn leaves(path: &str, show: &mut dyn FnMut(&str, ScalarType)) {
        show(path, TYPE);
    }
}

impl KernelData for Ordering {
    type Fields = NoFields<Self>;
    const COLUMNS: u32 = 1;

    fn fields(_: First) -> NoFields<Self> {
        NoFields::new()
    }

    fn columns(path: &str, show: &mut dyn FnMut(Column<'_>)) {
        show(Column { path, ty: TYPE, length: None });
    }

    fn cells(column: u32, show: &mut dyn FnMut(u32, u32)) {
        show(column, 0);
    }
}

impl IntoValue<Self> for Ordering {
    fn into_value(self, _: &Builder, _: Span) -> Value<Self> {
        Value::new(Operand::Leaf(Leaf::Const(constant(self))))
    }
}

impl PatternConstant for Ordering {
    fn constant(self, _: &Builder, _: u32, _: ScalarType) -> Constant {
        constant(self)
    }
}

#[diagnostic::do_not_recommend]
impl<U: Int> Castable<U> for Ordering {
    const FROM: ScalarType = TYPE;
}

impl Hold for Ordering {
    type Held = Self;

    fn hold(self, _: &Builder, _: u32) -> Self {
        self
    }
}

/// A type with `cmp`: all but the floats.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no `cmp` in a kernel",
    label = "not all values of `{Self}` can be compared",
    note = "write `a.partial_cmp(&b)`, an `Option`, or `a.total_cmp(&b)`"
)]
pub trait Ordered: Composite + Ord {}

#[diagnostic::do_not_recommend]
impl<T: Composite + Ord> Ordered for T {}

impl<T: Composite> StdCall<'_, cmp, T> {
    /// `a.cmp(&b)`
    #[inline(never)]
    pub fn __rest(self, other: impl RefArgument<T>) -> Value<Ordering>
    where
        T: Ordered,
    {
        let (k, span, subject) = self.parts();
        let a = k.whole(&k.subject_leaves(T::LAYOUT, span, subject));
        Value::new(k.order_of::<T>(span, a, other.value(k).operand))
    }
}

impl<T: Composite + PartialOrd> StdCall<'_, partial_cmp, T> {
    /// `a.partial_cmp(&b)`
    #[inline(never)]
    pub fn __rest(self, other: impl RefArgument<T>) -> Value<Option<Ordering>> {
        let (k, span, subject) = self.parts();
        let leaves = [k.subject_leaves(T::LAYOUT, span, subject), k.leaves(T::LAYOUT, other.value(k).operand)];
        let [a, b] = leaves.map(|leaves| k.whole(&k.pin_leaves(T::LAYOUT, span, &leaves)));
        let PartialOrder { is_some, order } = k.partial_order_of::<T>(span, a, b);
        Value::new(k.whole(&[is_some, order]))
    }
}

/// The lesser or the greater of two values, as `Ord` has them: each row names the operands, and says which it
/// is where the second is less, and which otherwise.
macro_rules! extremes {
    ($($(#[$doc:meta])* $name:ident $first:ident $second:ident: $if_less:ident $otherwise:ident;)*) => {$(
        impl<T: Composite> StdCall<'_, $name, T> {
            $(#[$doc])*
            #[inline(never)]
            pub fn __rest(self, other: impl IntoValue<T>) -> Value<T>
            where
                T: Ordered,
            {
                let (k, span, subject) = self.parts();
                let $first = k.pin_leaves(T::LAYOUT, span, &k.subject_leaves(T::LAYOUT, span, subject));
                let $second = k.operand::<T>(span, other);
                let $second = k.pin_leaves(T::LAYOUT, span, &k.leaves(T::LAYOUT, $second));
                let is_less = k.ordered::<T>(span, CompareOp::Lt, k.whole(&$second), k.whole(&$first));
                Value::new(k.whole(&k.chosen(T::LAYOUT, span, is_less, &$if_less, &$otherwise)))
            }
        }
    )*};
}
extremes! {
    /// `a.max(b)`: of equal ones the second.
    max first second: first second;
    /// `a.min(b)`: of equal ones the first.
    min first second: second first;
}

impl<T: Composite> StdCall<'_, clamp, T> {
    /// `a.clamp(least, greatest)`
    #[inline(never)]
    pub fn __rest(self, least: impl IntoValue<T>, greatest: impl IntoValue<T>) -> Value<T>
    where
        T: Ordered,
    {
        let (k, span, subject) = self.parts();
        let pinned = |operand| k.pin_leaves(T::LAYOUT, span, &k.leaves(T::LAYOUT, operand));
        let value = k.pin_leaves(T::LAYOUT, span, &k.subject_leaves(T::LAYOUT, span, subject));
        let least = pinned(k.operand::<T>(span, least));
        let greatest = pinned(k.operand::<T>(span, greatest));
        let in_order = k.ordered::<T>(span, CompareOp::Le, k.whole(&least), k.whole(&greatest));
        let out_of_order = k.unary(span, UnaryOp::Not, ScalarType::Bool, in_order);
        k.panic_if(span, out_of_order, |_| (vec![text("assertion failed: min <= max")], Vec::new()));
        let is = |op, end: &[Operand]| k.ordered::<T>(span, op, k.whole(&value), k.whole(end));
        let is_less = is(CompareOp::Lt, &least);
        let risen = k.chosen(T::LAYOUT, span, is_less, &least, &value);
        let is_greater = is(CompareOp::Gt, &greatest);
        Value::new(k.whole(&k.chosen(T::LAYOUT, span, is_greater, &greatest, &risen)))
    }
}

impl<T: Float> StdCall<'_, total_cmp, T> {
    /// `a.total_cmp(&b)`
    #[inline(never)]
    pub fn __rest(self, other: impl RefArgument<T>) -> Value<Ordering> {
        let (k, span, a, b) = self.both(other);
        let unsigned = NumericOp::ToBits.result().of(T::TYPE);
        let signed = match unsigned {
            ScalarType::U64 => ScalarType::I64,
            ScalarType::U32 => ScalarType::I32,
            _ => ScalarType::I16,
        };
        // As std has it: the bits as integers with a sign, of negative numbers all but the sign inverted.
        let key = |float| {
            let bits = k.numeric(span, NumericOp::ToBits, T::TYPE, Args::One([float]));
            let bits = k.pin(span, unsigned, bits);
            let number = k.conversion(span, unsigned, signed, bits);
            let sign = k.binary(span, BinaryOp::Shr, signed, number, Operand::constant(signed.bits() - 1));
            let sign = k.conversion(span, signed, unsigned, sign);
            let mask = k.binary(span, BinaryOp::Shr, unsigned, sign, Operand::constant(1_u32));
            let key = k.binary(span, BinaryOp::Xor, unsigned, bits, mask);
            let key = k.conversion(span, unsigned, signed, key);
            k.pin(span, signed, key)
        };
        let (a, b) = (key(a), key(b));
        Value::new(k.ordering(span, signed, a, b))
    }
}

impl<'k, N, T: Scalar> StdCall<'k, N, T> {
    /// Both operands, each to be used more than once.
    pub(super) fn both(self, other: impl RefArgument<T>) -> (&'k Builder, Span, Operand, Operand) {
        let (k, span, subject) = self.parts();
        let (a, b) = (k.subject_value(span, subject), other.value(k).operand);
        (k, span, k.pin(span, T::TYPE, a), k.pin(span, T::TYPE, b))
    }
}

macro_rules! tests {
    ($($name:ident $op:ident;)*) => {$(
        impl StdCall<'_, $name, Ordering> {
            #[doc = concat!("`ordering.", stringify!($name), "()`")]
            #[inline(never)]
            pub fn __rest(self) -> Value<bool> {
                let (k, span, subject) = self.parts();
                let ordering = k.subject_value(span, subject);
                Value::new(k.comparison(span, CompareOp::$op, TYPE, ordering, equal()))
            }
        }
    )*};
}
tests! {
    is_eq Eq; is_ne Ne; is_lt Lt; is_le Le; is_gt Gt; is_ge Ge;
}

impl StdCall<'_, reverse, Ordering> {
    /// `ordering.reverse()`
    #[inline(never)]
    pub fn __rest(self) -> Value<Ordering> {
        let (k, span, subject) = self.parts();
        let ordering = k.subject_value(span, subject);
        Value::new(k.binary(span, BinaryOp::Sub, TYPE, equal(), ordering))
    }
}

impl StdCall<'_, then, Ordering> {
    /// `ordering.then(other)`. Emits an `if`.
    #[inline(never)]
    pub fn __rest(self, other: impl IntoValue<Ordering>) -> Value<Ordering> {
        let (k, span, subject) = self.parts();
        let first = k.subject_leaves(Ordering::LAYOUT, span, subject);
        let second = k.pinned_leaves::<Ordering>(span, other);
        let is_equal = k.comparison(span, CompareOp::Eq, TYPE, first[0], equal());
        Value::new(k.whole(&k.chosen(Ordering::LAYOUT, span, is_equal, &second, &first)))
    }
}

impl Builder {
    /// What a method is for that only an `Ordering` has, evaluated now.
    #[inline(never)]
    pub fn keep_ordering(&self, at: u32, value: impl IntoValue<Ordering>) -> Let<Ordering> {
        self.keep(at, value)
    }

    /// Whether it is `Equal`.
    #[inline(never)]
    pub fn is_equal(&self, at: u32, ordering: Let<Ordering>) -> Value<bool> {
        Value::new(self.comparison(self.span(at), CompareOp::Eq, TYPE, ordering.operand(self), equal()))
    }

    /// How two leaves compare: which is greater, less which is less.
    fn ordering(&self, span: Span, ty: ScalarType, a: Operand, b: Operand) -> Operand {
        let [is_greater, is_less] = [CompareOp::Gt, CompareOp::Lt].map(|op| {
            let holds = self.comparison(span, op, ty, a, b);
            self.conversion(span, ScalarType::Bool, TYPE, holds)
        });
        self.binary(span, BinaryOp::Sub, TYPE, is_greater, is_less)
    }
}
