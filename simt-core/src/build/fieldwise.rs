//! `==` and `<` of structs, tuples and arrays, as derived: field by field.
//!
//! Nothing tells a derived `PartialEq` from one that is written by hand. So the host's is asked, while the kernel is built (see
//! `asked`): if it does not say what a derived one says, the program is invalid.

use super::arena::Operand;
use super::asked::{self, Compared};
use super::layout::{HasLayout, Layout};
use super::overloaded::{DerivedOperands, Operands, Simple};
use super::partwise::{PartialOrder, parts};
use super::shape::Scalars;
use super::{Builder, Composite, IntoValue, Value};
use crate::ops::{BinaryOp, CompareOp, UnaryOp};
use crate::scalar::{Scalar, ScalarType};
use crate::source::Span;

/// Whether the greater scalar is that of the lesser value: of what a `Reverse` has, and of the tag of a `Result`, whose flag says
/// that it is `Ok`.
pub(super) fn is_reversed(scalar: &Scalars, ty: ScalarType) -> bool {
    let is_flag = ty == ScalarType::Bool && matches!(&scalar.variants[..], [first, _] if first.tag == 1);
    is_flag != scalar.reversed
}

type Leaf = (ScalarType, Operand);

fn typed(layout: &Layout, leaves: &[Operand]) -> Vec<Leaf> {
    layout.types().into_iter().zip(leaves.iter().copied()).collect()
}

fn reversed(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Lt => CompareOp::Gt,
        CompareOp::Le => CompareOp::Ge,
        CompareOp::Gt => CompareOp::Lt,
        CompareOp::Ge => CompareOp::Le,
        op => op,
    }
}

impl Builder {
    /// Whether the first of these that differ, of those that are there, are in that order.
    pub(super) fn in_order(&self, layout: &Layout, span: Span, op: CompareOp, a: &[Operand], b: &[Operand]) -> Operand {
        // Each may be read twice.
        let [a, b] = [a, b].map(|leaves| self.pin_leaves(layout, span, leaves));
        let strict = match op {
            CompareOp::Le => CompareOp::Lt,
            CompareOp::Ge => CompareOp::Gt,
            op => op,
        };
        let (scalars, tags) = (layout.shape().scalars(), typed(layout, &a));
        let all = a.iter().zip(&b).zip(layout.types()).zip(&scalars).rev();
        // No scalars: equal.
        let mut rest = Operand::constant(op != strict);
        for (number, (((&left, &right), ty), scalar)) in all.enumerate() {
            let (before, alone) = if is_reversed(scalar, ty) { (reversed(strict), reversed(op)) } else { (strict, op) };
            if number == 0 && scalar.guards.is_empty() {
                rest = self.comparison(span, alone, ty, left, right);
                continue;
            }
            // What stands before is equal: so it is there in both, or in none.
            let equal = self.comparison(span, CompareOp::Eq, ty, left, right);
            let equal = self.unless_absent(span, scalar, &tags, equal);
            let equal = self.binary(span, BinaryOp::And, ScalarType::Bool, equal, rest);
            let before = self.comparison(span, before, ty, left, right);
            let before = self.where_present(span, scalar, &tags, before);
            rest = self.binary(span, BinaryOp::Or, ScalarType::Bool, before, equal);
        }
        rest
    }

    /// Whether all scalars that are there are equal.
    fn equal(&self, layout: &Layout, span: Span, op: CompareOp, a: &[Operand], b: &[Operand]) -> Operand {
        let scalars = layout.shape().scalars();
        // Tags are read more than once.
        let has_tags = scalars.iter().any(|scalar| !scalar.guards.is_empty());
        let [a, b] = [a, b].map(|leaves| if has_tags { self.pin_leaves(layout, span, leaves) } else { leaves.into() });
        let tags = typed(layout, &a);
        let each = a.iter().zip(&b).zip(layout.types()).zip(&scalars).map(|(((&left, &right), ty), scalar)| {
            let equal = self.comparison(span, CompareOp::Eq, ty, left, right);
            self.unless_absent(span, scalar, &tags, equal)
        });
        let all = each.reduce(|one, other| self.binary(span, BinaryOp::And, ScalarType::Bool, one, other));
        let all = all.unwrap_or_else(|| Operand::constant(true));
        if op == CompareOp::Eq { all } else { self.unary(span, UnaryOp::Not, ScalarType::Bool, all) }
    }

    /// `holds`, or that the scalar is not there.
    fn unless_absent(&self, span: Span, scalar: &Scalars, leaves: &[Leaf], holds: Operand) -> Operand {
        scalar.guards.iter().fold(holds, |holds, (tag, variant)| {
            let (ty, tag) = leaves[*tag as usize];
            let absent = self.has_tag(span, ty, tag, variant.tag, false);
            self.binary(span, BinaryOp::Or, ScalarType::Bool, absent, holds)
        })
    }

    /// `holds`, and that the scalar is there.
    fn where_present(&self, span: Span, scalar: &Scalars, leaves: &[Leaf], holds: Operand) -> Operand {
        scalar.guards.iter().fold(holds, |holds, (tag, variant)| {
            let (ty, tag) = leaves[*tag as usize];
            let present = self.has_tag(span, ty, tag, variant.tag, true);
            self.binary(span, BinaryOp::And, ScalarType::Bool, present, holds)
        })
    }

    /// Whether two values are in this order: of scalars their own, of others that of their fields.
    pub(super) fn ordered<T: Composite + PartialOrd>(
        &self,
        span: Span,
        op: CompareOp,
        a: Operand,
        b: Operand,
    ) -> Operand {
        self.ordered_as(T::LAYOUT, span, op, [a, b], &asked::partial_order::<T>())
    }

    fn ordered_as(
        &self,
        layout: &Layout,
        span: Span,
        op: CompareOp,
        [a, b]: [Operand; 2],
        compared: &Compared,
    ) -> Operand {
        if let Some(ty) = layout.scalar() {
            return self.comparison(span, op, ty, a, b);
        }
        self.derived(layout, span, compared, "PartialOrd");
        let (a, b) = (self.leaves(layout, a), self.leaves(layout, b));
        if compared.own.is_empty() {
            return self.in_order(layout, span, op, &a, &b);
        }
        let order = self.order_by_parts(span, &parts(layout, compared), &a, &b);
        self.is_ordered(span, op, order)
    }

    /// Whether two values differ.
    pub(super) fn unequal<T: Composite + PartialEq>(&self, span: Span, a: Operand, b: Operand) -> Operand {
        self.are::<T>(span, CompareOp::Ne, a, b)
    }

    /// Whether two values are equal, or differ.
    fn are<T: Composite + PartialEq>(&self, span: Span, op: CompareOp, a: Operand, b: Operand) -> Operand {
        self.are_as(T::LAYOUT, span, op, [a, b], &asked::equality::<T>())
    }

    fn are_as(&self, layout: &Layout, span: Span, op: CompareOp, of: [Operand; 2], compared: &Compared) -> Operand {
        let [a, b] = of.map(|value| self.leaves(layout, value));
        self.derived(layout, span, compared, "PartialEq");
        if compared.own.is_empty() {
            return self.equal(layout, span, op, &a, &b);
        }
        let equal = self.equal_by_parts(span, &parts(layout, compared), &a, &b);
        if op == CompareOp::Eq { equal } else { self.unary(span, UnaryOp::Not, ScalarType::Bool, equal) }
    }

    /// The order of two values, as an `Ordering`.
    pub(super) fn order_of<T: Composite + Ord>(&self, span: Span, a: Operand, b: Operand) -> Operand {
        self.order_as(T::LAYOUT, span, [a, b], &asked::total_order::<T>())
    }

    fn order_as(&self, layout: &Layout, span: Span, of: [Operand; 2], compared: &Compared) -> Operand {
        let [a, b] = of.map(|value| self.pin_leaves(layout, span, &self.leaves(layout, value)));
        self.derived(layout, span, compared, "Ord");
        if !compared.own.is_empty() {
            return self.order_by_parts(span, &parts(layout, compared), &a, &b).order;
        }
        self.order_of_fields(layout, span, &a, &b)
    }

    /// Whether some part of a type has a `cmp` of its own.
    pub(super) fn has_own_order<T: Composite + Ord>(&self, span: Span) -> bool {
        let compared = asked::total_order::<T>();
        self.derived(T::LAYOUT, span, &compared, "Ord");
        !compared.own.is_empty()
    }

    /// The order of two values, if they have one.
    pub(super) fn partial_order_of<T: Composite + PartialOrd>(
        &self,
        span: Span,
        a: Operand,
        b: Operand,
    ) -> PartialOrder {
        self.partial_order_as(T::LAYOUT, span, [a, b], &asked::partial_order::<T>())
    }

    fn partial_order_as(&self, layout: &Layout, span: Span, of: [Operand; 2], compared: &Compared) -> PartialOrder {
        let [a, b] = of.map(|value| self.pin_leaves(layout, span, &self.leaves(layout, value)));
        self.derived(layout, span, compared, "PartialOrd");
        if !compared.own.is_empty() {
            return self.order_by_parts(span, &parts(layout, compared), &a, &b);
        }
        let order = self.order_of_fields(layout, span, &a, &b);
        // Of floats that are no numbers, neither is before the other.
        let is_some = match layout.types().iter().any(|ty| ty.is_float()) {
            true => {
                let [le, ge] = [CompareOp::Le, CompareOp::Ge].map(|op| self.in_order(layout, span, op, &a, &b));
                self.binary(span, BinaryOp::Or, ScalarType::Bool, le, ge)
            }
            false => Operand::constant(true),
        };
        PartialOrder { is_some, order }
    }

    fn order_of_fields(&self, layout: &Layout, span: Span, a: &[Operand], b: &[Operand]) -> Operand {
        let [less, greater] = [CompareOp::Lt, CompareOp::Gt].map(|op| {
            let is = self.in_order(layout, span, op, a, b);
            self.conversion(span, ScalarType::Bool, ScalarType::I8, is)
        });
        self.binary(span, BinaryOp::Sub, ScalarType::I8, greater, less)
    }

    /// A type's comparison is to be a derived one.
    fn derived(&self, layout: &Layout, span: Span, compared: &Compared, name: &str) {
        if compared.is_derived {
            return;
        }
        let ty = layout.short_name();
        let message = format!(
            "kernels compare a `{ty}` field by field, as `#[derive({name})]` does, and its `{name}` on the host is another: write \
             `#[device]` above its `impl`"
        );
        self.problem(span, message);
    }
}

/// Each row: the comparison, the host's trait, and what compares.
macro_rules! comparisons {
    ($($method:ident = $op:ident, $trait:ident, $compare:ident;)*) => {$(
        impl<A: Simple, B: Simple> Operands<'_, A, B> {
            /// The comparison of scalars.
            #[inline(never)]
            pub fn $method<T: Scalar>(mut self, at: u32) -> Value<bool>
            where
                A: IntoValue<T>,
                B: IntoValue<T>,
            {
                let (k, a, b) = self.taken();
                k.$method(at, a, b)
            }
        }

        impl<A, B> DerivedOperands<'_, A, B> {
            /// The comparison of values that have several scalars. May emit assignments to temporaries, and calls.
            #[inline(never)]
            pub fn $method<T: Composite + $trait>(&mut self, at: u32) -> Value<bool>
            where
                A: IntoValue<T>,
                B: IntoValue<T>,
            {
                let (k, a, b) = self.taken();
                let span = k.span(at);
                let advice = "a kernel compares slices that it knows to be some: write `a[..] == b[..]`";
                if k.refuses_references(T::LAYOUT, span, advice) {
                    return Value::new(Operand::constant(false));
                }
                let (a, b) = (k.operand::<T>(span, a), k.operand::<T>(span, b));
                Value::new(k.$compare::<T>(span, CompareOp::$op, a, b))
            }
        }
    )*};
}

comparisons! {
    eq = Eq, PartialEq, are;
    ne = Ne, PartialEq, are;
    lt = Lt, PartialOrd, ordered;
    le = Le, PartialOrd, ordered;
    gt = Gt, PartialOrd, ordered;
    ge = Ge, PartialOrd, ordered;
}
