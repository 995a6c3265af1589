//! Methods of numbers whose names a struct's own methods may have, where only rustc knows which is meant: `p.min(q)`.
//!
//! As for operators (see `overloaded`), rustc takes the method of numbers if nothing is known that rules it out, and otherwise,
//! behind `Deref`, looks the method up on the type. So a type that is not known yet is a number's.

use super::super::overloaded::Literal;
use super::super::{
    Builder, DeviceMethod, ElementOf, IntoValue, KernelData, Let, Mutable, Never, OfTemporary, ReadSlice, Receiver,
    TakenBy, Value,
};
use super::number_functions::NumberFunction;
use crate::ops::{Float, HalfFloat, Int, Num, Signed, SignedInt, UnsignedInt};
use crate::scalar::Scalar;
use std::cell::RefCell;
use std::marker::PhantomData;
use std::ops::Deref;

/// Is a number, for all that is known of its type.
pub trait NumberReceiver {
    /// What it is until the method's arguments are there.
    type Kept;
    /// Reads it now, if an argument may emit statements.
    fn kept(self, k: &Builder, at: u32, held: bool) -> Self::Kept;
}

impl<T: Scalar> NumberReceiver for Mutable<T> {
    type Kept = Let<T>;

    fn kept(self, k: &Builder, at: u32, held: bool) -> Let<T> {
        if held { k.keep(at, self) } else { k.exposed(at, self) }
    }
}

impl<T: Scalar> NumberReceiver for Value<T> {
    type Kept = Self;

    fn kept(self, k: &Builder, at: u32, held: bool) -> Self {
        if held { k.hold(at, self) } else { self }
    }
}

impl<T: KernelData + Scalar, S: ReadSlice<T>> NumberReceiver for ElementOf<S, T> {
    type Kept = Value<T>;

    fn kept(self, k: &Builder, at: u32, held: bool) -> Value<T> {
        self.read(k, at).kept(k, at, held)
    }
}

macro_rules! unchanging {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        impl<$($generics)*> NumberReceiver for $ty {
            type Kept = Self;

            fn kept(self, _: &Builder, _: u32, _: bool) -> Self {
                self
            }
        }
    )*};
}
unchanging! {
    [T: Scalar] Let<T>; [T] Literal<T>; [] Never;
    [] u8; [] u16; [] u32; [] u64; [] i8; [] i16; [] i32; [] i64; [] f32; [] f64; [] bool; [] usize; [] isize;
}
#[cfg(feature = "half")]
unchanging! {
    [] half::f16; [] half::bf16;
}

/// What a method is called of that may be a number's.
#[derive(Debug)]
pub struct Subjected<'k, A>(OtherSubject<'k, A>);

/// What a method is called of that is no number's.
#[derive(Debug)]
pub struct OtherSubject<'k, A> {
    k: &'k Builder,
    receiver: RefCell<Option<A>>,
}

impl<'k, A> Deref for Subjected<'k, A> {
    type Target = OtherSubject<'k, A>;

    fn deref(&self) -> &OtherSubject<'k, A> {
        &self.0
    }
}

impl<'k, A> OtherSubject<'k, A> {
    pub(super) fn new(k: &'k Builder, receiver: A) -> Self {
        Self { k, receiver: RefCell::new(Some(receiver)) }
    }

    pub(super) fn taken(&self) -> (&'k Builder, A) {
        (self.k, self.receiver.take().unwrap_or_else(|| unreachable!("a method is called once")))
    }
}

/// A method of numbers, by its name.
#[derive(Debug)]
pub struct OfNumber<N>(PhantomData<fn(N)>);

/// Has the methods of numbers, which rustc looks up.
#[derive(Debug)]
pub enum Numbers {}

/// A call of a method of numbers.
#[derive(Debug)]
pub struct NumberCall<'k, A, N> {
    k: &'k Builder,
    at: u32,
    receiver: A,
    method: PhantomData<fn(N)>,
}

impl<'k, A, N> NumberCall<'k, A, N> {
    /// The builder, the place of the call, and what it is called of.
    pub(super) fn parts(self) -> (&'k Builder, u32, A) {
        (self.k, self.at, self.receiver)
    }
}

impl<'k, A: NumberReceiver> Subjected<'k, A> {
    /// As [`Self::method`].
    #[inline(never)]
    pub fn method_of_temporary<N>(
        self,
        at: u32,
        held: bool,
        of: impl FnOnce(&Numbers) -> OfNumber<N>,
    ) -> NumberCall<'k, A::Kept, N> {
        self.method(at, held, of)
    }

    /// The method of a number.
    #[inline(never)]
    pub fn method<N>(self, at: u32, held: bool, _: impl FnOnce(&Numbers) -> OfNumber<N>) -> NumberCall<'k, A::Kept, N> {
        let (k, receiver) = self.taken();
        NumberCall { k, at, receiver: receiver.kept(k, at, held), method: PhantomData }
    }
}

impl<'k, H> OtherSubject<'k, H> {
    /// The method that rustc finds of the type of a value that nothing else has.
    #[inline(never)]
    pub fn method_of_temporary<M: DeviceMethod>(&self, at: u32, held: bool, of: impl FnOnce(&H::Of) -> M) -> M::Call<'k>
    where
        H: OfTemporary<M::By>,
    {
        let (k, receiver) = self.taken();
        k.method_of_temporary(at, receiver, held, of)
    }

    /// The method that rustc finds of the type.
    #[inline(never)]
    pub fn method<M: DeviceMethod>(&self, at: u32, held: bool, of: impl FnOnce(&H::Of) -> M) -> M::Call<'k>
    where
        H: Receiver<M::By> + TakenBy<M::By>,
    {
        let (k, receiver) = self.taken();
        k.method(at, receiver, held, of)
    }
}

impl Builder {
    /// What stands before the point of a method that may be a number's.
    #[inline(never)]
    pub fn subject<A>(&self, receiver: A) -> Subjected<'_, A> {
        Subjected(OtherSubject::new(self, receiver))
    }
}

/// Each row: the name, by what the macro looks for it, whose method it is, its arguments, and its result.
macro_rules! number_methods {
    ($($name:ident $found:ident<$bound:path>($($arg:ident: $ty:ty),*) -> $result:ty;)*) => {$(
        method_names! { Numbers, OfNumber: $name $found; }

        impl<A> NumberCall<'_, A, $name> {
            #[doc = concat!("`a.", stringify!($name), "()`")]
            #[inline(never)]
            pub fn __rest<T: $bound>(self $(, $arg: impl IntoValue<$ty>)*) -> Value<$result>
            where
                A: IntoValue<T>,
            {
                self.k.$name::<T>(self.at, self.receiver $(, $arg)*)
            }
        }

        impl<T: $bound> NumberFunction<'_, $name, T> {
            #[doc = concat!("`T::", stringify!($name), "(a)`")]
            #[inline(never)]
            pub fn __call(self, a: impl IntoValue<T> $(, $arg: impl IntoValue<$ty>)*) -> Value<$result> {
                let (k, at) = self.place();
                k.$name::<T>(at, a $(, $arg)*)
            }
        }
    )*};
}

number_methods! {
    min __fn_min<Num>(b: T) -> T;
    max __fn_max<Num>(b: T) -> T;
    clamp __fn_clamp<Num>(b: T, c: T) -> T;
    div_euclid __fn_div_euclid<Num>(b: T) -> T;
    rem_euclid __fn_rem_euclid<Num>(b: T) -> T;
    abs __fn_abs<Signed>() -> T;
    signum __fn_signum<Signed>() -> T;
    pow __fn_pow<Int>(b: u32) -> T;
    abs_diff __fn_abs_diff<Int>(b: T) -> T::Unsigned;
    count_ones __fn_count_ones<Int>() -> u32;
    count_zeros __fn_count_zeros<Int>() -> u32;
    leading_zeros __fn_leading_zeros<Int>() -> u32;
    trailing_zeros __fn_trailing_zeros<Int>() -> u32;
    reverse_bits __fn_reverse_bits<Int>() -> T;
    rotate_left __fn_rotate_left<Int>(b: u32) -> T;
    rotate_right __fn_rotate_right<Int>(b: u32) -> T;
    wrapping_add __fn_wrapping_add<Int>(b: T) -> T;
    wrapping_sub __fn_wrapping_sub<Int>(b: T) -> T;
    wrapping_mul __fn_wrapping_mul<Int>(b: T) -> T;
    saturating_add __fn_saturating_add<Int>(b: T) -> T;
    saturating_sub __fn_saturating_sub<Int>(b: T) -> T;
    saturating_mul __fn_saturating_mul<Int>(b: T) -> T;
    checked_add __fn_checked_add<Int>(b: T) -> Option<T>;
    checked_sub __fn_checked_sub<Int>(b: T) -> Option<T>;
    checked_mul __fn_checked_mul<Int>(b: T) -> Option<T>;
    checked_div __fn_checked_div<Int>(b: T) -> Option<T>;
    is_positive __fn_is_positive<SignedInt>() -> bool;
    is_negative __fn_is_negative<SignedInt>() -> bool;
    is_power_of_two __fn_is_power_of_two<UnsignedInt>() -> bool;
    sqrt __fn_sqrt<Float>() -> T;
    recip __fn_recip<Float>() -> T;
    hypot __fn_hypot<Float>(b: T) -> T;
    mul_add __fn_mul_add<Float>(b: T, c: T) -> T;
    floor __fn_floor<Float>() -> T;
    ceil __fn_ceil<Float>() -> T;
    round __fn_round<Float>() -> T;
    trunc __fn_trunc<Float>() -> T;
    fract __fn_fract<Float>() -> T;
    sin __fn_sin<Float>() -> T;
    cos __fn_cos<Float>() -> T;
    tan __fn_tan<Float>() -> T;
    atan2 __fn_atan2<Float>(b: T) -> T;
    exp __fn_exp<Float>() -> T;
    ln __fn_ln<Float>() -> T;
    powf __fn_powf<Float>(b: T) -> T;
    powi __fn_powi<Float>(b: i32) -> T;
    is_nan __fn_is_nan<Float>() -> bool;
    is_finite __fn_is_finite<Float>() -> bool;
    is_infinite __fn_is_infinite<Float>() -> bool;
    is_normal __fn_is_normal<Float>() -> bool;
    is_subnormal __fn_is_subnormal<Float>() -> bool;
    next_up __fn_next_up<Float>() -> T;
    next_down __fn_next_down<Float>() -> T;
    cbrt __fn_cbrt<Float>() -> T;
    asin __fn_asin<Float>() -> T;
    acos __fn_acos<Float>() -> T;
    atan __fn_atan<Float>() -> T;
    sinh __fn_sinh<Float>() -> T;
    cosh __fn_cosh<Float>() -> T;
    tanh __fn_tanh<Float>() -> T;
    asinh __fn_asinh<Float>() -> T;
    acosh __fn_acosh<Float>() -> T;
    atanh __fn_atanh<Float>() -> T;
    exp2 __fn_exp2<Float>() -> T;
    exp_m1 __fn_exp_m1<Float>() -> T;
    ln_1p __fn_ln_1p<Float>() -> T;
    log2 __fn_log2<Float>() -> T;
    log10 __fn_log10<Float>() -> T;
    to_degrees __fn_to_degrees<Float>() -> T;
    to_radians __fn_to_radians<Float>() -> T;
    round_ties_even __fn_round_ties_even<Float>() -> T;
    is_sign_negative __fn_is_sign_negative<Float>() -> bool;
    is_sign_positive __fn_is_sign_positive<Float>() -> bool;
    to_bits __fn_to_bits<Float>() -> T::Bits;
    to_f32 __fn_to_f32<HalfFloat>() -> f32;
    to_f64 __fn_to_f64<HalfFloat>() -> f64;
    copysign __fn_copysign<Float>(b: T) -> T;
    log __fn_log<Float>(b: T) -> T;
    isqrt __fn_isqrt<Int>() -> T;
    swap_bytes __fn_swap_bytes<Int>() -> T;
    wrapping_neg __fn_wrapping_neg<Int>() -> T;
    wrapping_abs __fn_wrapping_abs<SignedInt>() -> T;
    ilog2 __fn_ilog2<Int>() -> u32;
    ilog10 __fn_ilog10<Int>() -> u32;
    leading_ones __fn_leading_ones<Int>() -> u32;
    trailing_ones __fn_trailing_ones<Int>() -> u32;
    unsigned_abs __fn_unsigned_abs<SignedInt>() -> T::Unsigned;
    next_power_of_two __fn_next_power_of_two<UnsignedInt>() -> T;
    ilog __fn_ilog<Int>(b: T) -> u32;
    wrapping_div __fn_wrapping_div<Int>(b: T) -> T;
    wrapping_rem __fn_wrapping_rem<Int>(b: T) -> T;
    wrapping_div_euclid __fn_wrapping_div_euclid<Int>(b: T) -> T;
    wrapping_rem_euclid __fn_wrapping_rem_euclid<Int>(b: T) -> T;
    wrapping_shl __fn_wrapping_shl<Int>(b: u32) -> T;
    wrapping_shr __fn_wrapping_shr<Int>(b: u32) -> T;
    wrapping_pow __fn_wrapping_pow<Int>(b: u32) -> T;
    saturating_pow __fn_saturating_pow<Int>(b: u32) -> T;
    div_ceil __fn_div_ceil<UnsignedInt>(b: T) -> T;
    next_multiple_of __fn_next_multiple_of<UnsignedInt>(b: T) -> T;
    is_multiple_of __fn_is_multiple_of<UnsignedInt>(b: T) -> bool;
    overflowing_add __fn_overflowing_add<Int>(b: T) -> (T, bool);
    overflowing_sub __fn_overflowing_sub<Int>(b: T) -> (T, bool);
    overflowing_mul __fn_overflowing_mul<Int>(b: T) -> (T, bool);
    overflowing_neg __fn_overflowing_neg<Int>() -> (T, bool);
    overflowing_pow __fn_overflowing_pow<Int>(b: u32) -> (T, bool);
    checked_neg __fn_checked_neg<Int>() -> Option<T>;
    checked_rem __fn_checked_rem<Int>(b: T) -> Option<T>;
    checked_shl __fn_checked_shl<Int>(b: u32) -> Option<T>;
    checked_shr __fn_checked_shr<Int>(b: u32) -> Option<T>;
    checked_pow __fn_checked_pow<Int>(b: u32) -> Option<T>;
    sin_cos __fn_sin_cos<Float>() -> (T, T);
    cast_signed __fn_cast_signed<UnsignedInt>() -> T::Signed;
    cast_unsigned __fn_cast_unsigned<SignedInt>() -> T::Unsigned;
    checked_abs __fn_checked_abs<SignedInt>() -> Option<T>;
    checked_ilog10 __fn_checked_ilog10<Int>() -> Option<u32>;
    checked_ilog2 __fn_checked_ilog2<Int>() -> Option<u32>;
    checked_isqrt __fn_checked_isqrt<SignedInt>() -> Option<T>;
    checked_next_power_of_two __fn_checked_next_power_of_two<UnsignedInt>() -> Option<T>;
    overflowing_abs __fn_overflowing_abs<SignedInt>() -> (T, bool);
    saturating_abs __fn_saturating_abs<SignedInt>() -> T;
    saturating_neg __fn_saturating_neg<SignedInt>() -> T;
    strict_abs __fn_strict_abs<SignedInt>() -> T;
    strict_neg __fn_strict_neg<Int>() -> T;
    to_be __fn_to_be<Int>() -> T;
    to_le __fn_to_le<Int>() -> T;
    checked_add_signed __fn_checked_add_signed<UnsignedInt>(b: T::Signed) -> Option<T>;
    checked_add_unsigned __fn_checked_add_unsigned<SignedInt>(b: T::Unsigned) -> Option<T>;
    checked_div_euclid __fn_checked_div_euclid<Int>(b: T) -> Option<T>;
    checked_next_multiple_of __fn_checked_next_multiple_of<UnsignedInt>(b: T) -> Option<T>;
    checked_rem_euclid __fn_checked_rem_euclid<Int>(b: T) -> Option<T>;
    checked_signed_diff __fn_checked_signed_diff<UnsignedInt>(b: T) -> Option<T::Signed>;
    checked_sub_signed __fn_checked_sub_signed<UnsignedInt>(b: T::Signed) -> Option<T>;
    checked_sub_unsigned __fn_checked_sub_unsigned<SignedInt>(b: T::Unsigned) -> Option<T>;
    midpoint __fn_midpoint<Num>(b: T) -> T;
    overflowing_add_signed __fn_overflowing_add_signed<UnsignedInt>(b: T::Signed) -> (T, bool);
    overflowing_add_unsigned __fn_overflowing_add_unsigned<SignedInt>(b: T::Unsigned) -> (T, bool);
    overflowing_div __fn_overflowing_div<Int>(b: T) -> (T, bool);
    overflowing_div_euclid __fn_overflowing_div_euclid<Int>(b: T) -> (T, bool);
    overflowing_rem __fn_overflowing_rem<Int>(b: T) -> (T, bool);
    overflowing_rem_euclid __fn_overflowing_rem_euclid<Int>(b: T) -> (T, bool);
    overflowing_shl __fn_overflowing_shl<Int>(b: u32) -> (T, bool);
    overflowing_shr __fn_overflowing_shr<Int>(b: u32) -> (T, bool);
    overflowing_sub_signed __fn_overflowing_sub_signed<UnsignedInt>(b: T::Signed) -> (T, bool);
    overflowing_sub_unsigned __fn_overflowing_sub_unsigned<SignedInt>(b: T::Unsigned) -> (T, bool);
    saturating_add_signed __fn_saturating_add_signed<UnsignedInt>(b: T::Signed) -> T;
    saturating_add_unsigned __fn_saturating_add_unsigned<SignedInt>(b: T::Unsigned) -> T;
    saturating_div __fn_saturating_div<Int>(b: T) -> T;
    saturating_sub_signed __fn_saturating_sub_signed<UnsignedInt>(b: T::Signed) -> T;
    saturating_sub_unsigned __fn_saturating_sub_unsigned<SignedInt>(b: T::Unsigned) -> T;
    strict_add __fn_strict_add<Int>(b: T) -> T;
    strict_mul __fn_strict_mul<Int>(b: T) -> T;
    strict_shl __fn_strict_shl<Int>(b: u32) -> T;
    strict_shr __fn_strict_shr<Int>(b: u32) -> T;
    strict_sub __fn_strict_sub<Int>(b: T) -> T;
    strict_div __fn_strict_div<Int>(b: T) -> T;
    strict_rem __fn_strict_rem<Int>(b: T) -> T;
    strict_div_euclid __fn_strict_div_euclid<Int>(b: T) -> T;
    strict_rem_euclid __fn_strict_rem_euclid<Int>(b: T) -> T;
    strict_add_signed __fn_strict_add_signed<UnsignedInt>(b: T::Signed) -> T;
    strict_sub_signed __fn_strict_sub_signed<UnsignedInt>(b: T::Signed) -> T;
    strict_add_unsigned __fn_strict_add_unsigned<SignedInt>(b: T::Unsigned) -> T;
    strict_sub_unsigned __fn_strict_sub_unsigned<SignedInt>(b: T::Unsigned) -> T;
    unbounded_shl __fn_unbounded_shl<Int>(b: u32) -> T;
    unbounded_shr __fn_unbounded_shr<Int>(b: u32) -> T;
    wrapping_add_signed __fn_wrapping_add_signed<UnsignedInt>(b: T::Signed) -> T;
    wrapping_add_unsigned __fn_wrapping_add_unsigned<SignedInt>(b: T::Unsigned) -> T;
    wrapping_sub_signed __fn_wrapping_sub_signed<UnsignedInt>(b: T::Signed) -> T;
    wrapping_sub_unsigned __fn_wrapping_sub_unsigned<SignedInt>(b: T::Unsigned) -> T;
    strict_pow __fn_strict_pow<Int>(b: u32) -> T;
    checked_ilog __fn_checked_ilog<Int>(b: T) -> Option<u32>;
    carrying_add __fn_carrying_add<UnsignedInt>(b: T, carry: bool) -> (T, bool);
    borrowing_sub __fn_borrowing_sub<UnsignedInt>(b: T, borrow: bool) -> (T, bool);
    carrying_mul __fn_carrying_mul<UnsignedInt>(b: T, carry: T) -> (T, T);
    carrying_mul_add __fn_carrying_mul_add<UnsignedInt>(b: T, carry: T, add: T) -> (T, T);
}
