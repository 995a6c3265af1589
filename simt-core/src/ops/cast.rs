//! Conversions between scalar types, as Rust's `as`.

use super::{half_cast, with_machine_type};
use crate::scalar::{Constant, Scalar, ScalarType};

/// What `as` means from `Self` to `U`.
#[diagnostic::on_unimplemented(
    message = "cannot cast `{Self}` as `{U}` in a kernel",
    label = "no such cast",
    note = "numbers cast to numbers and `bool` to integers; write `x != 0` to get a `bool`"
)]
pub trait CastMeaning<U> {
    /// The converted value.
    fn cast(self) -> U;
}

/// Casts to every type of numbers, as every number does. A bound, so that generic code can cast.
pub trait CastsToNumbers:
    CastMeaning<u8>
    + CastMeaning<u16>
    + CastMeaning<u32>
    + CastMeaning<u64>
    + CastMeaning<i8>
    + CastMeaning<i16>
    + CastMeaning<i32>
    + CastMeaning<i64>
    + CastMeaning<f32>
    + CastMeaning<f64>
    + CastMeaning<usize>
    + CastMeaning<isize>
    + CastsToHalves
{
}

/// Casts to `f16` and `bf16`.
#[cfg(feature = "half")]
pub trait CastsToHalves: CastMeaning<::half::f16> + CastMeaning<::half::bf16> {}

/// Casts to `f16` and `bf16`, of which there are none without the feature `half`.
#[cfg(not(feature = "half"))]
pub trait CastsToHalves {}
#[cfg(not(feature = "half"))]
impl<T> CastsToHalves for T {}

macro_rules! casts {
    ($($from:ident)* => $to:tt) => { $(casts!(@one $from => $to);)* };
    (@one $from:ident => ($($to:ident)*)) => {$(
        impl CastMeaning<$to> for $from {
            #[inline(always)]
            fn cast(self) -> $to { self as $to }
        }
    )*};
}
macro_rules! casts_to_numbers {
    ($($ty:ident)*) => { $(impl CastsToNumbers for $ty {})* };
}
casts_to_numbers!(u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 usize isize);

casts!(u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 usize isize => (u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 usize isize));
casts!(bool => (u8 u16 u32 u64 i8 i16 i32 i64 usize isize bool));

/// Whether `as` converts between the two types.
pub const fn is_castable(from: ScalarType, to: ScalarType) -> bool {
    match (from, to) {
        (ScalarType::Bool, _) => !to.is_float(),
        (_, ScalarType::Bool) => false,
        _ => true,
    }
}

/// The meaning of `as` on a constant; `usize` and `isize` are 32 bits wide.
///
/// # Panics
/// If there is no such cast: validation excludes it.
pub fn evaluate_cast(value: Constant, to: ScalarType) -> Constant {
    if value.ty == to && to.is_half() {
        return value;
    }
    if let Some(meaning) = half_cast(value.ty, to) {
        let bits = meaning([value.bits, 0, 0]).unwrap_or_else(no_such_cast);
        return Constant { ty: to, bits };
    }
    macro_rules! number {
        ($from:ident) => {{
            let value = $from::from_bits64(value.bits);
            with_machine_type!(to, int U => CastMeaning::<U>::cast(value).to_bits64(),
                float => CastMeaning::<U>::cast(value).to_bits64(), bool => no_such_cast())
        }};
    }
    let bits = with_machine_type!(value.ty, int T => number!(T), float => number!(T), bool => {
        let value = T::from_bits64(value.bits);
        with_machine_type!(to, int U => CastMeaning::<U>::cast(value).to_bits64(),
            float => no_such_cast(), bool => CastMeaning::<U>::cast(value).to_bits64())
    });
    Constant { ty: to, bits }
}

fn no_such_cast() -> u64 {
    unreachable!("validated: casts are between types that have them")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check<T: Scalar, U: Scalar>(value: T, expected: U) {
        assert_eq!(evaluate_cast(Constant::of(value), U::TYPE), Constant::of(expected));
    }

    #[test]
    fn casts_agree_with_rust() {
        check(-1i8, 0xffff_ffffu32);
        check(-1i32, u64::MAX);
        check(300.7f32, 255u8);
        check(-1.5f64, 0u32);
        check(f32::NAN, 0i32);
        check(true, 1u8);
        check(u64::MAX, u32::MAX as usize);
        check(-1isize, -1i64);
        check(0xffff_ffffusize, -1i32);
        check(16_777_217u32, 16_777_216.0f32);
    }
}
