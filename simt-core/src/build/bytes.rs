//! Methods of `u8` for ASCII, numbers from their bytes, and `bool::then_some`.

use super::arena::Operand;
use super::layout::HasLayout;
use super::{Builder, Composite, IntoValue, Value, WithBytes};
use crate::ops::{BinaryOp, CompareOp};
use crate::scalar::{Scalar, ScalarType};
use crate::source::Span;

/// Each row has a method of `u8` and the ranges of bytes for which it holds.
macro_rules! ascii_classes {
    ($($name:ident: $($from:literal..=$to:literal)*;)*) => {
        impl Builder {$(
            #[doc = concat!("`byte.", stringify!($name), "()`. May emit an assignment to a temporary.")]
            #[inline(never)]
            pub fn $name(&self, at: u32, byte: impl IntoValue<u8>) -> Value<bool> {
                let byte = self.keep::<u8>(at, byte).operand(self);
                Value::new(self.is_within(self.span(at), byte, &[$(($from, $to)),*]))
            }
        )*}
    };
}
ascii_classes! {
    is_ascii: 0..=127;
    is_ascii_digit: b'0'..=b'9';
    is_ascii_uppercase: b'A'..=b'Z';
    is_ascii_lowercase: b'a'..=b'z';
    is_ascii_alphabetic: b'A'..=b'Z' b'a'..=b'z';
    is_ascii_alphanumeric: b'0'..=b'9' b'A'..=b'Z' b'a'..=b'z';
    is_ascii_hexdigit: b'0'..=b'9' b'A'..=b'F' b'a'..=b'f';
    is_ascii_punctuation: b'!'..=b'/' b':'..=b'@' b'['..=b'`' b'{'..=b'~';
    is_ascii_graphic: b'!'..=b'~';
    is_ascii_whitespace: b'\t'..=b'\n' 12..=b'\r' b' '..=b' ';
    is_ascii_control: 0..=31 127..=127;
}

impl Builder {
    /// `byte.to_ascii_uppercase()`. May emit an assignment to a temporary.
    #[inline(never)]
    pub fn to_ascii_uppercase(&self, at: u32, byte: impl IntoValue<u8>) -> Value<u8> {
        self.other_case(at, byte, (b'a', b'z'))
    }

    /// `byte.to_ascii_lowercase()`. May emit an assignment to a temporary.
    #[inline(never)]
    pub fn to_ascii_lowercase(&self, at: u32, byte: impl IntoValue<u8>) -> Value<u8> {
        self.other_case(at, byte, (b'A', b'Z'))
    }

    /// `T::from_be_bytes(bytes)`
    #[inline(never)]
    pub fn from_be_bytes<T: WithBytes>(&self, at: u32, bytes: impl IntoValue<T::Bytes>) -> Value<T> {
        let span = self.span(at);
        let operand = self.operand(span, bytes);
        let bytes = self.leaves(T::Bytes::LAYOUT, operand);
        self.of_bytes(span, bytes.into_iter())
    }

    /// `T::from_le_bytes(bytes)`, and `from_ne_bytes`: the device has the least byte first.
    #[inline(never)]
    pub fn from_le_bytes<T: WithBytes>(&self, at: u32, bytes: impl IntoValue<T::Bytes>) -> Value<T> {
        let span = self.span(at);
        let operand = self.operand(span, bytes);
        let bytes = self.leaves(T::Bytes::LAYOUT, operand);
        self.of_bytes(span, bytes.into_iter().rev())
    }

    /// `cond.then_some(value)`. May emit assignments to temporaries.
    #[inline(never)]
    pub fn then_some<T: Composite>(
        &self,
        at: u32,
        cond: impl IntoValue<bool>,
        value: impl IntoValue<T>,
    ) -> Value<Option<T>> {
        let cond = self.keep::<bool>(at, cond).operand(self);
        let value = self.keep::<T>(at, value).operand(self);
        let leaves: Vec<Operand> = std::iter::once(cond).chain(self.leaves(T::LAYOUT, value)).collect();
        Value::new(self.whole(&leaves))
    }

    /// The number whose bytes these are, the greatest first.
    fn of_bytes<T: WithBytes>(&self, span: Span, bytes: impl ExactSizeIterator<Item = Operand>) -> Value<T> {
        let zero = Operand::constant(T::Word::from_bits64(0));
        let eight = || Operand::constant(8_u32);
        let converted = bytes.map(|byte| self.conversion(span, ScalarType::U8, T::Word::TYPE, byte));
        let joined = converted.reduce(|number, byte| {
            let shifted = self.binary(span, BinaryOp::Shl, T::Word::TYPE, number, eight());
            self.binary(span, BinaryOp::Or, T::Word::TYPE, shifted, byte)
        });
        let joined = joined.unwrap_or(zero);
        match T::TYPE.is_float() {
            true => Value::new(self.of_bits(span, T::TYPE, joined)),
            false => Value::new(joined),
        }
    }

    /// Bytes of the range differ in one bit from those of the other case.
    fn other_case(&self, at: u32, byte: impl IntoValue<u8>, range: (u8, u8)) -> Value<u8> {
        let byte = self.keep::<u8>(at, byte).operand(self);
        Value::new(self.changed_case(self.span(at), byte, range))
    }

    /// The lower case of a byte, a leaf.
    pub(super) fn lowercase(&self, span: Span, byte: Operand) -> Operand {
        self.changed_case(span, byte, (b'A', b'Z'))
    }

    pub(super) fn changed_case(&self, span: Span, byte: Operand, range: (u8, u8)) -> Operand {
        let changes = self.is_within(span, byte, &[range]);
        let changes = self.conversion(span, ScalarType::Bool, ScalarType::U8, changes);
        let bit = self.binary(span, BinaryOp::Mul, ScalarType::U8, changes, Operand::constant(b'a' ^ b'A'));
        self.binary(span, BinaryOp::Xor, ScalarType::U8, byte, bit)
    }

    /// Whether a byte, a leaf, is in one of the ranges.
    fn is_within(&self, span: Span, byte: Operand, ranges: &[(u8, u8)]) -> Operand {
        let tests = ranges.iter().map(|&(from, to)| {
            let above = self.binary(span, BinaryOp::Sub, ScalarType::U8, byte, Operand::constant(from));
            self.comparison(span, CompareOp::Le, ScalarType::U8, above, Operand::constant(to - from))
        });
        let either = |a, b| self.binary(span, BinaryOp::Or, ScalarType::Bool, a, b);
        tests.reduce(either).unwrap_or(Operand::constant(false))
    }
}
