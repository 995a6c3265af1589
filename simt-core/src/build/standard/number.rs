//! Numbers: their bytes, and conversions that may fail.

use super::super::arena::{Leaf, Operand};
use super::super::layout::HasLayout;
use super::super::tuple::Leaves;
use super::super::{
    Builder, Column, Composite, Fields, First, IntoValue, KernelData, NoFields, RefArgument, Shape, Value, Written,
};
use super::{ByReading, ByWriting, StdCall, std_methods};
use crate::ops::{BinaryOp, CompareOp, Int, Num, NumericOp};
use crate::scalar::{Constant, Scalar, ScalarType};
use crate::source::Span;
use std::num::TryFromIntError;

std_methods! {
    /// The methods of numbers that have to do with bytes.
    ByteMethods:
    to_be_bytes __fn_to_be_bytes ByReading;
    to_le_bytes __fn_to_le_bytes ByReading;
    to_ne_bytes __fn_to_ne_bytes ByReading;
    eq_ignore_ascii_case __fn_eq_ignore_ascii_case ByReading;
    make_ascii_uppercase __fn_make_ascii_uppercase ByWriting;
    make_ascii_lowercase __fn_make_ascii_lowercase ByWriting;
}

impl<T: Scalar> ByteMethods for T {
    type Of = Self;
}

/// A number, as bytes of the device.
#[diagnostic::on_unimplemented(message = "`{Self}` has no bytes in a kernel", label = "not a number")]
pub trait WithBytes: Num {
    /// As many bytes as it has.
    type Bytes: Composite;
    /// The integer that has its bits.
    type Word: Int;
}

macro_rules! with_bytes {
    ($($ty:ty, $word:ident $count:literal;)*) => {$(
        impl WithBytes for $ty {
            type Bytes = [u8; $count];
            type Word = $word;
        }
    )*};
}
with_bytes! {
    u8, u8 1; u16, u16 2; u32, u32 4; u64, u64 8; i8, i8 1; i16, i16 2; i32, i32 4; i64, i64 8;
    usize, usize 4; isize, isize 4; f32, u32 4; f64, u64 8;
}
#[cfg(feature = "half")]
with_bytes! {
    half::f16, u16 2; half::bf16, u16 2;
}

macro_rules! bytes {
    ($($name:ident $greatest_first:literal;)*) => {$(
        impl<T: WithBytes> StdCall<'_, $name, T> {
            #[doc = concat!("`number.", stringify!($name), "()`")]
            #[inline(never)]
            pub fn __rest(self) -> Value<T::Bytes> {
                let (k, span, subject) = self.parts();
                let number = k.subject_value(span, subject);
                k.bytes_of::<T>(span, number, $greatest_first)
            }
        }
    )*};
}
// The device has the least byte first.
bytes! {
    to_be_bytes true; to_le_bytes false; to_ne_bytes false;
}

impl StdCall<'_, eq_ignore_ascii_case, u8> {
    /// `byte.eq_ignore_ascii_case(&other)`
    #[inline(never)]
    pub fn __rest(self, other: impl RefArgument<u8>) -> Value<bool> {
        let (k, span, a, b) = self.both(other);
        let [a, b] = [a, b].map(|byte| k.lowercase(span, byte));
        Value::new(k.comparison(span, CompareOp::Eq, ScalarType::U8, a, b))
    }
}

macro_rules! cases {
    ($($name:ident $range:expr;)*) => {$(
        impl StdCall<'_, $name, u8> {
            #[doc = concat!("`byte.", stringify!($name), "()`")]
            #[inline(never)]
            pub fn __rest(self) -> Value<()> {
                let (k, span, subject) = self.parts();
                let byte = k.subject_leaves(u8::LAYOUT, span, subject)[0];
                let changed = k.changed_case(span, byte, $range);
                k.put_subject(u8::LAYOUT, span, subject, changed);
                k.unit()
            }
        }
    )*};
}
cases! {
    make_ascii_uppercase (b'a', b'z');
    make_ascii_lowercase (b'A', b'Z');
}

/// It holds nothing.
impl Composite for TryFromIntError {
    const COUNT: u32 = 0;

    fn shape() -> Shape {
        let unit = Shape::Fields(Fields::unnamed(Written::Numbered, Vec::new()));
        Shape::Fields(Fields { name: "TryFromIntError", ..Fields::unnamed(Written::Numbered, vec![unit]) })
    }

    fn made(_: &mut dyn FnMut(ScalarType) -> u64) -> Self {
        match u8::try_from(-1) {
            Err(error) => error,
            Ok(_) => unreachable!("no `u8` is negative"),
        }
    }

    fn leaves(_: &str, _: &mut dyn FnMut(&str, ScalarType)) {}
}

impl KernelData for TryFromIntError {
    type Fields = NoFields<Self>;
    const COLUMNS: u32 = 0;

    fn fields(_: First) -> NoFields<Self> {
        NoFields::new()
    }

    fn columns(_: &str, _: &mut dyn FnMut(Column<'_>)) {}

    fn cells(_: u32, _: &mut dyn FnMut(u32, u32)) {}
}

impl Builder {
    /// `U::try_from(a)`, of integers.
    pub(in super::super) fn integer_converted<U: Int, T: Int>(
        &self,
        span: Span,
        a: impl IntoValue<T>,
    ) -> Value<Result<U, TryFromIntError>> {
        let number = self.operand(span, a);
        let number = self.pin(span, T::TYPE, number);
        let (least, greatest) = (limits(T::TYPE), limits(U::TYPE));
        let mut fits = Operand::constant(true);
        for (op, limit, is_needed) in
            [(CompareOp::Ge, greatest.0, least.0 < greatest.0), (CompareOp::Le, greatest.1, least.1 > greatest.1)]
        {
            if is_needed {
                let mask = u64::MAX >> (64 - T::TYPE.bits());
                let limit = Operand::Leaf(Leaf::Const(Constant { ty: T::TYPE, bits: limit as u64 & mask }));
                let holds = self.comparison(span, op, T::TYPE, number, limit);
                fits = match fits {
                    Operand::Leaf(Leaf::Const(_)) => holds,
                    fits => self.binary(span, BinaryOp::And, ScalarType::Bool, fits, holds),
                };
            }
        }
        let value = self.conversion(span, T::TYPE, U::TYPE, number);
        Value::new(self.whole(&[fits, value]))
    }

    /// The bytes of a number, as an array.
    fn bytes_of<T: WithBytes>(&self, span: Span, number: Operand, greatest_first: bool) -> Value<T::Bytes> {
        let ty = T::Word::TYPE;
        let word = match T::TYPE.is_float() {
            true => self.numeric(span, NumericOp::ToBits, T::TYPE, [number].into()),
            false => number,
        };
        let word = self.pin(span, ty, word);
        let byte = |place: u32| {
            let shifted = self.binary(span, BinaryOp::Shr, ty, word, Operand::constant(place * 8));
            self.conversion(span, ty, ScalarType::U8, shifted)
        };
        let count = T::TYPE.bits() / 8;
        let bytes: Leaves = match greatest_first {
            true => (0..count).rev().map(byte).collect(),
            false => (0..count).map(byte).collect(),
        };
        Value::new(self.whole(&bytes))
    }
}

/// The least and the greatest number of an integer type.
fn limits(ty: ScalarType) -> (i128, i128) {
    let bits = ty.bits();
    match ty {
        ScalarType::I8 | ScalarType::I16 | ScalarType::I32 | ScalarType::I64 | ScalarType::Isize => {
            (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
        }
        _ => (0, (1 << bits) - 1),
    }
}
