//! `==` and `<` of structs, tuples and arrays, as derived: field by field.
//!
//! Nothing tells a derived `PartialEq` from one that is written by hand. So the host's is asked, while the kernel is built,
//! about values that differ in one or two scalars only: if it does not say what a derived one says, the program is invalid.

use super::arena::Operand;
use super::overloaded::{Operands, OtherOperands, Simple};
use super::tuple::types;
use super::{Builder, Composite, IntoValue, Value};
use crate::ops::{BinaryOp, CompareOp, UnaryOp};
use crate::scalar::{Scalar, ScalarType};
use crate::source::Span;
use std::any::type_name;
use std::cmp::Ordering;

/// The value whose scalars are zero, and `true`, so that what may be absent is there; but for these.
fn sample<T: Composite>(changed: &[(usize, Change)]) -> T {
    let mut number = 0;
    T::made(&mut |ty| {
        let change = changed.iter().find(|(at, _)| *at == number);
        number += 1;
        match change {
            None => u64::from(ty == ScalarType::Bool),
            Some((_, Change::Other)) => u64::from(ty != ScalarType::Bool),
            Some((_, Change::NoNumber)) if ty == ScalarType::F64 => f64::NAN.to_bits(),
            Some((_, Change::NoNumber)) => f32::NAN.to_bits().into(),
        }
    })
}

#[derive(Clone, Copy, PartialEq)]
enum Change {
    /// The least value above zero, or `false`.
    Other,
    /// NaN.
    NoNumber,
}

/// Whether the host's `==` is one of fields, as far as values that differ in one scalar tell.
fn equals_fieldwise<T: Composite + PartialEq>() -> bool {
    let zero = || sample::<T>(&[]);
    let mut scalars = types::<T>().into_iter().enumerate();
    zero() == zero()
        && scalars.all(|(at, ty)| {
            let other = || sample::<T>(&[(at, Change::Other)]);
            let number = !matches!(ty, ScalarType::F32 | ScalarType::F64);
            let no_number = || sample::<T>(&[(at, Change::NoNumber)]);
            other() == other() && other() != zero() && zero() != other() && (number || no_number() != no_number())
        })
}

/// Whether the host's order is that of the first fields that differ, as far as values that differ in two tell.
fn ordered_fieldwise<T: Composite + PartialOrd>() -> bool {
    let scalars = types::<T>();
    let zero = sample::<T>(&[]);
    let other = |at: usize| sample::<T>(&[(at, Change::Other)]);
    // `false` is less than `true`.
    let changed = |at: usize| if scalars[at] == ScalarType::Bool { Ordering::Less } else { Ordering::Greater };
    let is = |a: &T, b: &T, order: Ordering| a.partial_cmp(b) == Some(order);
    is(&zero, &zero, Ordering::Equal)
        && scalars.iter().enumerate().all(|(at, ty)| {
            let next = at + 1 == scalars.len() || is(&other(at), &other(at + 1), changed(at));
            let number = !matches!(ty, ScalarType::F32 | ScalarType::F64);
            next && is(&other(at), &zero, changed(at))
                && (number || sample::<T>(&[(at, Change::NoNumber)]).partial_cmp(&zero).is_none())
        })
}

/// The type's name without its path.
fn short_name<T>() -> &'static str {
    let name = type_name::<T>();
    let path = name.find('<').unwrap_or(name.len());
    name[..path].rfind("::").map_or(name, |end| &name[end + 2..])
}

impl Builder {
    /// Whether the first of these that differ are in that order.
    fn in_order<T: Composite>(&self, span: Span, op: CompareOp, a: &[Operand], b: &[Operand]) -> Operand {
        // Each may be read twice.
        let [a, b] = [a, b].map(|leaves| self.pin_leaves::<T>(span, leaves));
        let strict = match op {
            CompareOp::Le => CompareOp::Lt,
            CompareOp::Ge => CompareOp::Gt,
            op => op,
        };
        let mut scalars = a.iter().zip(&b).zip(types::<T>()).rev().map(|((&a, &b), ty)| (a, b, ty));
        let last = scalars.next().map(|(a, b, ty)| self.comparison(span, op, ty, a, b));
        // No scalars: equal.
        let last = last.unwrap_or_else(|| Operand::constant(op != strict));
        scalars.fold(last, |rest, (a, b, ty)| {
            let equal = self.comparison(span, CompareOp::Eq, ty, a, b);
            let rest = self.binary(span, BinaryOp::And, ScalarType::Bool, equal, rest);
            let before = self.comparison(span, strict, ty, a, b);
            self.binary(span, BinaryOp::Or, ScalarType::Bool, before, rest)
        })
    }

    /// Whether all scalars that are there are equal.
    fn equal<T: Composite>(&self, span: Span, op: CompareOp, a: &[Operand], b: &[Operand]) -> Operand {
        let mut guards: Vec<Vec<u32>> = Vec::new();
        T::guards(0, &[], &mut |flags| guards.push(flags.to_vec()));
        // Flags are read more than once.
        let has_flags = guards.iter().any(|flags| !flags.is_empty());
        let [a, b] = [a, b].map(|leaves| if has_flags { self.pin_leaves::<T>(span, leaves) } else { leaves.into() });
        let scalars = a.iter().zip(&b).zip(types::<T>()).zip(&guards);
        let each = scalars.map(|(((&left, &right), ty), flags)| {
            let equal = self.comparison(span, CompareOp::Eq, ty, left, right);
            flags.iter().fold(equal, |equal, &flag| {
                let absent = self.unary(span, UnaryOp::Not, ScalarType::Bool, a[flag as usize]);
                self.binary(span, BinaryOp::Or, ScalarType::Bool, absent, equal)
            })
        });
        let all = each.reduce(|one, other| self.binary(span, BinaryOp::And, ScalarType::Bool, one, other));
        let all = all.unwrap_or_else(|| Operand::constant(true));
        if op == CompareOp::Eq { all } else { self.unary(span, UnaryOp::Not, ScalarType::Bool, all) }
    }

    fn not_compared<T>(&self, span: Span) {
        let ty = short_name::<T>();
        self.problem(span, format!("a kernel does not compare values of type `{ty}`: compare what a `match` finds"));
    }

    fn not_derived<T>(&self, span: Span, name: &str) {
        let ty = short_name::<T>();
        let message = format!(
            "kernels compare a `{ty}` field by field, as `#[derive({name})]` does, and its `{name}` on the host is another: write a \
             method, `#[device] impl {ty} {{ .. }}`"
        );
        self.problem(span, message);
    }
}

/// Each row: the comparison, the host's trait, which types have it, whether it is a derived one, and what compares.
macro_rules! comparisons {
    ($($method:ident = $op:ident, $trait:ident, $has:ident, $is_derived:ident, $compare:ident;)*) => {$(
        impl<A: Simple, B: Simple> Operands<'_, A, B> {
            /// The comparison of scalars.
            #[inline(never)]
            pub fn $method<T: Scalar>(self, at: u32) -> Value<bool>
            where
                A: IntoValue<T>,
                B: IntoValue<T>,
            {
                let (k, a, b) = self.taken();
                k.$method(at, a, b)
            }
        }

        impl<A, B> OtherOperands<'_, A, B> {
            /// The comparison of values that have several scalars. May emit assignments to temporaries.
            #[inline(never)]
            pub fn $method<T: Composite + $trait>(&self, at: u32) -> Value<bool>
            where
                A: IntoValue<T>,
                B: IntoValue<T>,
            {
                let (k, a, b) = self.taken();
                let span = k.span(at);
                if !T::$has {
                    k.not_compared::<T>(span);
                } else if !$is_derived::<T>() {
                    k.not_derived::<T>(span, stringify!($trait));
                }
                let (a, b) = (k.operand::<T>(span, a), k.operand::<T>(span, b));
                let (a, b) = (k.leaves::<T>(a), k.leaves::<T>(b));
                Value::new(k.$compare::<T>(span, CompareOp::$op, &a, &b))
            }
        }
    )*};
}

comparisons! {
    eq = Eq, PartialEq, FIELDWISE, equals_fieldwise, equal;
    ne = Ne, PartialEq, FIELDWISE, equals_fieldwise, equal;
    lt = Lt, PartialOrd, ORDERED, ordered_fieldwise, in_order;
    le = Le, PartialOrd, ORDERED, ordered_fieldwise, in_order;
    gt = Gt, PartialOrd, ORDERED, ordered_fieldwise, in_order;
    ge = Ge, PartialOrd, ORDERED, ordered_fieldwise, in_order;
}
