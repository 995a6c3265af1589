//! What iterators end in: sums, and values that may not be there.

use super::arena::Operand;
use super::layout::HasLayout;
use super::{Builder, Composite, IntoValue, Let, Mutable, Value};
use crate::ops::{BinaryOp, CompareOp, Num, UnaryOp};
use crate::program::VarId;
use crate::scalar::ScalarType;
use crate::source::Span;
use std::cmp::Ordering;

/// What a sum is made of whose type nothing says: numbers.
#[diagnostic::on_unimplemented(
    message = "a sum or a product of `{Self}` in a kernel, whose type does not follow from where it stands",
    label = "`{Self}` is not a number",
    note = "of a type with `#[device] impl Sum`, write which it is: `.sum::<{Self}>()`, `.product::<{Self}>()`"
)]
pub trait Totalled: Num {}

#[diagnostic::do_not_recommend]
impl<T: Num> Totalled for T {}

/// How a sum or a product begins, and what becomes of it by an item.
macro_rules! totals {
    ($($begin:ident $start:ident, $next:ident $op:ident, $what:literal;)*) => {
        impl Builder {$(
            #[doc = concat!("Where ", $what, " begins.")]
            #[inline(never)]
            pub fn $begin<T: Totalled>(&self, at: u32) -> Value<T> {
                self.$start(at)
            }

            #[doc = concat!("Makes ", $what, " with an item.")]
            #[inline(never)]
            pub fn $next<T: Totalled>(&self, at: u32, total: impl IntoValue<T>, item: impl IntoValue<T>) -> Value<T> {
                self.$op(at, total, item)
            }
        )*}
    };
}
totals! {
    number_sum_start sum_start, add_item add, "a sum";
    number_product_start one, mul_item mul, "a product";
}

impl Builder {
    /// Where a sum of a type begins. As std's do, those of floats begin at -0, which changes no number.
    #[inline(never)]
    pub fn sum_start<T: Num>(&self, at: u32) -> Value<T> {
        let zero = Operand::constant(T::from_bits64(0));
        match T::TYPE.is_float() {
            true => Value::new(self.unary(self.span(at), UnaryOp::Neg, T::TYPE, zero)),
            false => Value::new(zero),
        }
    }

    /// A value that is not known yet, which nothing reads.
    #[inline(never)]
    pub fn undecided<T: Composite>(&self, _at: u32) -> Value<T> {
        Value::new(self.whole(&T::LAYOUT.nothing()))
    }

    /// `best` becomes `value` if that is better, or the first; `found` says whether there is one.
    #[inline(never)]
    pub fn improve<T: Composite + Ord>(
        &self,
        at: u32,
        found: Mutable<bool>,
        best: Mutable<T>,
        value: impl IntoValue<T>,
        is_max: bool,
    ) {
        let value = self.keep::<T>(at, value);
        self.improve_at(self.span(at), found, best, value, is_max);
    }

    pub(super) fn improve_at<T: Composite + Ord>(
        &self,
        span: Span,
        found: Mutable<bool>,
        best: Mutable<T>,
        value: Let<T>,
        is_max: bool,
    ) {
        let is_it = self.is_better_at(span, found, best, value, is_max);
        let then = self.block(|| {
            self.set_all(T::LAYOUT, span, best.var, value.operand(self));
            self.set(span, found.var, ScalarType::Bool, Operand::constant(true));
        });
        self.emit_if(span, is_it, then, Vec::new());
    }

    /// Whether a value is better than the best, or the first. As std's do, of equal ones `max` has the last and `min` the first.
    #[inline(never)]
    pub fn is_better<T: Composite + Ord>(
        &self,
        at: u32,
        found: Mutable<bool>,
        best: Mutable<T>,
        value: Let<T>,
        is_max: bool,
    ) -> Value<bool> {
        Value::new(self.is_better_at(self.span(at), found, best, value, is_max))
    }

    fn is_better_at<T: Composite + Ord>(
        &self,
        span: Span,
        found: Mutable<bool>,
        best: Mutable<T>,
        value: Let<T>,
        is_max: bool,
    ) -> Operand {
        let (value, best) = (value.operand(self), self.variables(best.var, T::COUNT));
        if self.has_own_order::<T>(span) {
            // Where there is no best one yet, there is nothing to call it for.
            let is_better = self.new_variables(bool::LAYOUT, None, true, false);
            self.set(span, is_better, ScalarType::Bool, Operand::constant(true));
            let compares = self.block(|| {
                let order = self.order_of::<T>(span, best, value);
                let op = if is_max { CompareOp::Le } else { CompareOp::Gt };
                let is = self.comparison(span, op, ScalarType::I8, order, Operand::constant(Ordering::Equal as i8));
                self.set(span, is_better, ScalarType::Bool, is);
            });
            self.emit_if(span, Operand::var(found.var), compares, Vec::new());
            return self.pin(span, ScalarType::Bool, Operand::var(is_better));
        }
        let op = if is_max { CompareOp::Ge } else { CompareOp::Lt };
        let is_better = self.ordered::<T>(span, op, value, best);
        let none = self.unary(span, UnaryOp::Not, ScalarType::Bool, Operand::var(found.var));
        self.binary(span, BinaryOp::Or, ScalarType::Bool, none, is_better)
    }

    /// Whether the next is better than the best, whose order this is.
    #[inline(never)]
    pub fn is_better_by(&self, at: u32, order: impl IntoValue<Ordering>, is_max: bool) -> Value<bool> {
        let span = self.span(at);
        let order = self.operand::<Ordering>(span, order);
        let op = if is_max { CompareOp::Ne } else { CompareOp::Eq };
        let greater = Operand::constant(Ordering::Greater as i8);
        Value::new(self.comparison(span, op, ScalarType::I8, order, greater))
    }

    /// `Some(value)` if `found`, else `None`.
    #[inline(never)]
    pub fn found<T: Composite>(&self, found: Mutable<bool>, value: Mutable<T>) -> Value<Option<T>> {
        let values = (value.var.0..value.var.0 + T::COUNT).map(VarId);
        let leaves: Vec<Operand> = std::iter::once(found.var).chain(values).map(Operand::var).collect();
        Value::new(self.whole(&leaves))
    }
}
