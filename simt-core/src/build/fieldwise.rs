//! `==` and `<` of structs, tuples and arrays, as derived: field by field.
//!
//! Nothing tells a derived `PartialEq` from one that is written by hand. So the host's is asked, while the kernel is built,
//! about values that differ in one or two scalars only: if it does not say what a derived one says, the program is invalid.

use super::arena::Operand;
use super::overloaded::{DerivedOperands, Operands, Simple};
use super::shape::{self, Choice, Scalars};
use super::tuple::types;
use super::{Builder, Composite, IntoValue, Value};
use crate::ops::{BinaryOp, CompareOp, UnaryOp};
use crate::scalar::{Scalar, ScalarType};
use crate::source::Span;
use std::any::type_name;
use std::cmp::Ordering;

/// The value whose scalars are zero, but for these.
fn sample<T: Composite>(changed: &[(usize, Change)]) -> T {
    let mut number = 0;
    T::made(&mut |ty| {
        // The last is the one that counts.
        let change = changed.iter().rfind(|(at, _)| *at == number);
        number += 1;
        match change {
            None => 0,
            Some((_, Change::To(bits))) => *bits,
            Some((_, Change::NoNumber)) if ty == ScalarType::F64 => f64::NAN.to_bits(),
            Some((_, Change::NoNumber)) => f32::NAN.to_bits().into(),
        }
    })
}

#[derive(Clone, Copy, PartialEq)]
enum Change {
    /// These bits, of a tag those of its sample.
    To(u64),
    NoNumber,
}

/// The least value above zero; or `true`.
const OTHER: Change = Change::To(1);

fn is_float(ty: ScalarType) -> bool {
    matches!(ty, ScalarType::F32 | ScalarType::F64)
}

/// The changes with which a scalar is there.
fn around(scalar: &Scalars) -> Vec<(usize, Change)> {
    scalar.guards.iter().map(|(tag, variant)| (*tag as usize, Change::To(variant.sample))).collect()
}

/// One more change.
fn with(changes: &[(usize, Change)], at: usize, change: Change) -> Vec<(usize, Change)> {
    [changes, &[(at, change)]].concat()
}

/// Whether the host's `==` is one of fields, as far as values that differ in one scalar tell.
fn equals_fieldwise<T: Composite + PartialEq>() -> bool {
    let zero = || sample::<T>(&[]);
    let each = types::<T>().into_iter().zip(T::shape().scalars()).enumerate();
    zero() == zero()
        && each.into_iter().all(|(at, (ty, scalar))| {
            let around = around(&scalar);
            let of = |change: Change| sample::<T>(&with(&around, at, change));
            let tags: Vec<u64> = match scalar.variants.is_empty() {
                true => vec![0, 1],
                false => scalar.variants.iter().map(|variant| variant.sample).collect(),
            };
            let as_told = |a: usize, b: usize| {
                let [a_value, b_value] = [a, b].map(|number| of(Change::To(tags[number])));
                (a_value == b_value) == (a == b) && (a_value != b_value) == (a != b)
            };
            (0..tags.len()).all(|a| (0..tags.len()).all(|b| as_told(a, b)))
                && (!is_float(ty) || of(Change::NoNumber) != of(Change::NoNumber))
        })
}

/// Whether the host's order is that of the first fields that differ, as far as values that differ in two tell.
fn ordered_fieldwise<T: Composite + PartialOrd>() -> bool {
    let (types, scalars) = (types::<T>(), T::shape().scalars());
    let of = |changes: &[(usize, Change)]| sample::<T>(changes);
    let is = |a: &T, b: &T, order: Ordering| a.partial_cmp(b) == Some(order);
    let each = scalars.iter().zip(&types).enumerate();
    is(&of(&[]), &of(&[]), Ordering::Equal)
        && each.into_iter().all(|(at, (scalar, &ty))| {
            let around = around(scalar);
            if !scalar.variants.is_empty() {
                let ordered = ascending(ty, &scalar.variants);
                return ordered.windows(2).all(|pair| {
                    let [less, more] = [&pair[0], &pair[1]].map(|variant| Change::To(variant.sample));
                    // A variant's fields say nothing where the variants differ.
                    let is_field = |scalar: &Scalars| {
                        scalar.guards.iter().any(|(tag, of)| *tag as usize == at && of.tag == pair[0].tag)
                    };
                    let fields = scalars.iter().enumerate().filter(|(_, scalar)| is_field(scalar));
                    is(&of(&with(&around, at, less)), &of(&with(&around, at, more)), Ordering::Less)
                        && fields.into_iter().all(|(field, _)| {
                            let less = with(&with(&around, at, less), field, OTHER);
                            is(&of(&less), &of(&with(&around, at, more)), Ordering::Less)
                        })
                });
            }
            let (zero, other) = (of(&around), of(&with(&around, at, OTHER)));
            let no_number = || of(&with(&around, at, Change::NoNumber));
            // The next that may be there at the same time.
            let next = scalars.iter().enumerate().skip(at + 1).find(|(_, next)| {
                next.variants.is_empty()
                    && next.guards.iter().all(|(tag, variant)| {
                        scalar.guards.iter().all(|(other, of)| other != tag || of.tag == variant.tag)
                    })
            });
            let before_next = next.is_none_or(|(number, next)| {
                let both = [around.clone(), self::around(next)].concat();
                is(&of(&with(&both, at, OTHER)), &of(&with(&both, number, OTHER)), Ordering::Greater)
            });
            is(&other, &zero, Ordering::Greater)
                && before_next
                && (!is_float(ty) || no_number().partial_cmp(&zero).is_none())
        })
}

/// The variants in their order: by discriminant, but `Ok` before `Err`.
fn ascending(ty: ScalarType, variants: &[Choice]) -> Vec<Choice> {
    let mut variants = variants.to_vec();
    if ty != ScalarType::Bool {
        variants.sort_by_key(|variant| shape::number(ty, variant.tag));
    }
    variants
}

/// Whether the greater tag is that of the lesser variant: of a `Result`, whose flag says that it is `Ok`.
fn is_reversed(scalar: &Scalars, ty: ScalarType) -> bool {
    ty == ScalarType::Bool && matches!(&scalar.variants[..], [first, _] if first.tag == 1)
}

type Leaf = (ScalarType, Operand);

fn typed<T: Composite>(leaves: &[Operand]) -> Vec<Leaf> {
    types::<T>().into_iter().zip(leaves.iter().copied()).collect()
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

/// The type's name without its path.
pub(super) fn short_name<T>() -> &'static str {
    let name = type_name::<T>();
    let path = name.find('<').unwrap_or(name.len());
    name[..path].rfind("::").map_or(name, |end| &name[end + 2..])
}

impl Builder {
    /// Whether the first of these that differ, of those that are there, are in that order.
    pub(super) fn in_order<T: Composite>(&self, span: Span, op: CompareOp, a: &[Operand], b: &[Operand]) -> Operand {
        // Each may be read twice.
        let [a, b] = [a, b].map(|leaves| self.pin_leaves::<T>(span, leaves));
        let strict = match op {
            CompareOp::Le => CompareOp::Lt,
            CompareOp::Ge => CompareOp::Gt,
            op => op,
        };
        let (scalars, tags) = (T::shape().scalars(), typed::<T>(&a));
        let all = a.iter().zip(&b).zip(types::<T>()).zip(&scalars).rev();
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
    fn equal<T: Composite>(&self, span: Span, op: CompareOp, a: &[Operand], b: &[Operand]) -> Operand {
        let scalars = T::shape().scalars();
        // Tags are read more than once.
        let has_tags = scalars.iter().any(|scalar| !scalar.guards.is_empty());
        let [a, b] = [a, b].map(|leaves| if has_tags { self.pin_leaves::<T>(span, leaves) } else { leaves.into() });
        let tags = typed::<T>(&a);
        let each = a.iter().zip(&b).zip(types::<T>()).zip(&scalars).map(|(((&left, &right), ty), scalar)| {
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
        if let (shape::Shape::Scalar, [ty]) = (T::shape(), &types::<T>()[..]) {
            return self.comparison(span, op, *ty, a, b);
        }
        if !ordered_fieldwise::<T>() {
            self.not_derived::<T>(span, "PartialOrd");
        }
        self.in_order::<T>(span, op, &self.leaves::<T>(a), &self.leaves::<T>(b))
    }

    /// Whether two values differ.
    pub(super) fn unequal<T: Composite + PartialEq>(&self, span: Span, a: Operand, b: Operand) -> Operand {
        if !equals_fieldwise::<T>() {
            self.not_derived::<T>(span, "PartialEq");
        }
        self.equal::<T>(span, CompareOp::Ne, &self.leaves::<T>(a), &self.leaves::<T>(b))
    }

    /// The order of two values, as an `Ordering`.
    pub(super) fn order_of<T: Composite + PartialOrd>(&self, span: Span, a: Operand, b: Operand) -> Operand {
        let [a, b] = [a, b].map(|value| self.whole(&self.pin_leaves::<T>(span, &self.leaves::<T>(value))));
        let [less, greater] = [CompareOp::Lt, CompareOp::Gt].map(|op| {
            let is = self.ordered::<T>(span, op, a, b);
            self.conversion(span, ScalarType::Bool, ScalarType::I8, is)
        });
        self.binary(span, BinaryOp::Sub, ScalarType::I8, greater, less)
    }

    fn not_derived<T>(&self, span: Span, name: &str) {
        let ty = short_name::<T>();
        let message = format!(
            "kernels compare a `{ty}` field by field, as `#[derive({name})]` does, and its `{name}` on the host is another: write \
             `#[device]` above its `impl`"
        );
        self.problem(span, message);
    }
}

/// Each row: the comparison, the host's trait, whether it is a derived one, and what compares.
macro_rules! comparisons {
    ($($method:ident = $op:ident, $trait:ident, $is_derived:ident, $compare:ident;)*) => {$(
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
            /// The comparison of values that have several scalars. May emit assignments to temporaries.
            #[inline(never)]
            pub fn $method<T: Composite + $trait>(&mut self, at: u32) -> Value<bool>
            where
                A: IntoValue<T>,
                B: IntoValue<T>,
            {
                let (k, a, b) = self.taken();
                let span = k.span(at);
                let advice = "a kernel compares slices that it knows to be some: write `a[..] == b[..]`";
                if k.refuses_references::<T>(span, advice) {
                    return Value::new(Operand::constant(false));
                }
                if !$is_derived::<T>() {
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
    eq = Eq, PartialEq, equals_fieldwise, equal;
    ne = Ne, PartialEq, equals_fieldwise, equal;
    lt = Lt, PartialOrd, ordered_fieldwise, in_order;
    le = Le, PartialOrd, ordered_fieldwise, in_order;
    gt = Gt, PartialOrd, ordered_fieldwise, in_order;
    ge = Ge, PartialOrd, ordered_fieldwise, in_order;
}
