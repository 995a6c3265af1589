//! Which scalar types are numbers, integers, floats: bounds for generic kernels and for the builder.

use super::CastsToNumbers;
use crate::scalar::Scalar;
use std::ops::{
    Add, AddAssign, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Div, DivAssign, Mul, MulAssign,
    Neg, Not, Rem, RemAssign, Shl, Shr, Sub, SubAssign,
};

/// A number: an integer or a float. The host has its operators, as a bound of std's asks, `T: Add<Output = T>`.
#[diagnostic::on_unimplemented(message = "arithmetic on `{Self}` in a kernel", label = "`{Self}` is not a number")]
pub trait Num:
    Scalar
    + CastsToNumbers
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
    + RemAssign
{
}

/// An integer.
#[diagnostic::on_unimplemented(
    message = "integer operation on `{Self}` in a kernel",
    label = "`{Self}` is not an integer"
)]
pub trait Int: Num + Bits + Ord + Shl<u32, Output = Self> + Shr<u32, Output = Self> {
    /// The unsigned integer of the same width.
    type Unsigned: UnsignedInt;
}

/// A floating-point number.
#[diagnostic::on_unimplemented(
    message = "floating-point operation on `{Self}` in a kernel",
    label = "`{Self}` is not a float"
)]
pub trait Float: Num + Signed {
    /// The unsigned integer that has its bits.
    type Bits: UnsignedInt;
}

/// A number with a sign, which unary `-` takes.
#[diagnostic::on_unimplemented(
    message = "operation of signed numbers on `{Self}` in a kernel",
    label = "`{Self}` has no sign",
    note = "write `x.wrapping_neg()` for the negative of an unsigned integer, which wraps"
)]
pub trait Signed: Num + Neg<Output = Self> {}

/// A signed integer.
#[diagnostic::on_unimplemented(
    message = "operation of signed integers on `{Self}` in a kernel",
    label = "`{Self}` is not a signed integer"
)]
pub trait SignedInt: Int + Signed {}

/// An unsigned integer.
#[diagnostic::on_unimplemented(
    message = "operation of unsigned integers on `{Self}` in a kernel",
    label = "`{Self}` is not an unsigned integer"
)]
pub trait UnsignedInt: Int {
    /// The signed integer of the same width.
    type Signed: SignedInt;
}

/// A float of 16 bits: `f16` or `bf16` of the crate `half`, with the feature of that name.
#[diagnostic::on_unimplemented(
    message = "operation of 16-bit floats on `{Self}` in a kernel",
    label = "`{Self}` is neither `f16` nor `bf16`",
    note = "`x as f32` converts between all numbers"
)]
pub trait HalfFloat: Float {}

/// A type with the bit operations `& | ^ !`: integers and `bool`.
#[diagnostic::on_unimplemented(
    message = "bit operation on `{Self}` in a kernel",
    label = "`{Self}` has no bit operations",
    note = "`& | ^ !` work on integers and on `bool`"
)]
pub trait Bits:
    Scalar
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
    + Not<Output = Self>
{
}

macro_rules! impl_marker {
    ($trait:ident: $($host:ident)*) => { $(impl $trait for $host {})* };
}
impl_marker!(Num: u8 u16 u32 u64 i8 i16 i32 i64 usize isize f32 f64);
impl_marker!(SignedInt: i8 i16 i32 i64 isize);
impl_marker!(Signed: i8 i16 i32 i64 isize f32 f64);
impl_marker!(Bits: u8 u16 u32 u64 i8 i16 i32 i64 usize isize bool);

macro_rules! impl_int {
    ($($host:ident: $unsigned:ident;)*) => { $(impl Int for $host { type Unsigned = $unsigned; })* };
}
impl_int! {
    u8: u8; u16: u16; u32: u32; u64: u64; usize: usize; i8: u8; i16: u16; i32: u32; i64: u64; isize: usize;
}

macro_rules! impl_unsigned {
    ($($host:ident: $signed:ident;)*) => { $(impl UnsignedInt for $host { type Signed = $signed; })* };
}
impl_unsigned! { u8: i8; u16: i16; u32: i32; u64: i64; usize: isize; }

macro_rules! impl_float {
    ($($host:ident: $bits:ident;)*) => {$(
        impl Float for $host { type Bits = $bits; }
    )*};
}
impl_float! { f32: u32; f64: u64; }
