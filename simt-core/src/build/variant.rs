//! Users' enums: a tag, and the fields of each variant side by side.
//!
//! The fields of variants that are not there can be anything, because only a pattern of their variant asks for them.

use super::arena::{Leaf, Operand};
use super::layout::{HasLayout, Layout};
use super::literal::Record;
use super::record::{NoFields, Part};
use super::{Builder, Composite, IntoValue, KernelData, Let, Value};
use crate::ops::{CastMeaning, CompareOp, UnaryOp};
use crate::scalar::{Constant, Scalar, ScalarType};
use crate::source::Span;
use std::marker::PhantomData;

/// A variant of `E`, by its tag: the bits of its discriminant.
#[derive(Debug)]
pub struct Variant<E> {
    bits: u64,
    of: PhantomData<E>,
}

// Not derived: it is `Copy` whatever its type parameter is.
impl<E> Clone for Variant<E> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<E> Copy for Variant<E> {}

impl<E> Variant<E> {
    /// The variant with these bits of the tag's type, zero-extended.
    pub const fn new(bits: u64) -> Self {
        Self { bits, of: PhantomData }
    }

    /// The bits.
    pub const fn bits(self) -> u64 {
        self.bits
    }
}

impl<T> NoFields<T> {
    /// The fields of an enum whose variants have none.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T> Default for NoFields<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// Can be cast to `U`: numbers, `bool`, and enums whose variants have no fields.
#[diagnostic::on_unimplemented(
    message = "cannot cast `{Self}` as `{U}` in a kernel",
    label = "no such cast",
    note = "numbers cast to numbers, and `bool` and enums without fields to integers; write `x != 0` to get a `bool`, of a float `x != 0.0`"
)]
pub trait Castable<U>: Composite {
    /// The type of its scalar.
    const FROM: ScalarType;
}

#[diagnostic::do_not_recommend]
impl<U: Scalar, T: Scalar + CastMeaning<U>> Castable<U> for T {
    const FROM: ScalarType = T::TYPE;
}

impl<T: KernelData> Record<'_, T> {
    /// A field of a variant of the host's.
    #[inline(never)]
    pub fn given<U: KernelData>(self, span: Span, path: fn(Part<T>) -> Part<U>, value: impl IntoValue<U>) -> Self {
        self.put(span, path, value)
    }

    /// The value; what no field of the variant is, nothing asks for.
    #[inline(never)]
    pub fn variant(self, variant: Variant<T>) -> Value<T> {
        self.tagged(constant(T::LAYOUT, variant.bits))
    }
}

/// The tag that has these bits.
fn constant(layout: &Layout, bits: u64) -> Constant {
    Constant { ty: layout.types()[0], bits }
}

impl Builder {
    /// A variant of the host's, whose fields follow.
    #[inline(never)]
    pub fn variant_of<T: KernelData>(&self) -> Record<'_, T> {
        self.empty_record()
    }

    /// Whether a value is of the variant.
    #[inline(never)]
    pub fn is_variant<T: Composite>(&self, at: u32, name: Let<T>, variant: Variant<T>) -> Value<bool> {
        let constant = constant(T::LAYOUT, variant.bits);
        Value::new(self.compared_tag(self.span(at), self.part(name.operand(self), 0, 1), constant))
    }

    fn compared_tag(&self, span: Span, tag: Operand, constant: Constant) -> Operand {
        self.comparison(span, CompareOp::Eq, constant.ty, tag, Operand::Leaf(Leaf::Const(constant)))
    }

    /// Whether a tag is that of a variant, or is not.
    pub(super) fn has_tag(&self, span: Span, ty: ScalarType, tag: Operand, bits: u64, wanted: bool) -> Operand {
        if ty == ScalarType::Bool {
            return if (bits != 0) == wanted { tag } else { self.unary(span, UnaryOp::Not, ty, tag) };
        }
        let constant = Operand::Leaf(Leaf::Const(Constant { ty, bits }));
        let op = if wanted { CompareOp::Eq } else { CompareOp::Ne };
        self.comparison(span, op, ty, tag, constant)
    }

    /// Says that a constant with fields is no pattern of a kernel.
    pub fn refuse_constant(&self, at: u32) {
        let message = "a constant of an enum with fields is no pattern of a kernel: write the variant".to_owned();
        self.problem(self.span(at), message);
    }
}
