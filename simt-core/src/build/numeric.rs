//! Numeric methods: those of std's integers and floats.
//!
//! Each method of the builder has std's name, its receiver comes first, and what it means stands in the table of
//! [`NumericOp`]s. Those that are another name of an operator become the operator.

use super::arena::{Leaf, Operand};
use super::{Builder, IntoValue, Value};
use crate::ops::{BinaryOp, CastMeaning, NumericOp, UnaryOp};
use crate::ops::{Float, HalfFloat, Int, Num, Signed, SignedInt, UnsignedInt};
use crate::scalar::{Constant, Scalar};

/// Each row has the method, the trait of its receiver's type `T`, the type of its result, and its operation.
///
/// The operands stand with each group of rows, not here, for rustc's sake: where it explains a mistake by showing the bound,
/// it then shows that line.
macro_rules! numeric_methods {
    ($operands:tt: $($name:ident<$bound:path> -> $result:ty = $op:ident;)*) => {
        impl Builder { $(numeric_methods!(@one numeric_method $operands $name $bound, $result, $op);)* }
    };
    // Those that wrap even where the kernel's arithmetic faults.
    (wrapping $operands:tt: $($name:ident<$bound:path> -> $result:ty = $op:ident;)*) => {
        impl Builder { $(numeric_methods!(@one numeric $operands $name $bound, $result, $op);)* }
    };
    (@one $how:ident ($($arg:ident: $operand:ty),*) $name:ident $bound:path, $result:ty, $op:ident) => {
        #[doc = concat!("`", numeric_methods!(@text $name $($arg)*), "`")]
        #[inline(never)]
        pub fn $name<T: $bound>(&self, at: u32, $($arg: $operand),*) -> Value<$result> {
            let span = self.span(at);
            let args = [$(self.operand(span, $arg)),*];
            Value::new(self.$how(span, NumericOp::$op, T::TYPE, args.into()))
        }
    };
    (@text $name:ident $a:ident) => { concat!("a.", stringify!($name), "()") };
    (@text $name:ident $a:ident $b:ident) => { concat!("a.", stringify!($name), "(b)") };
    (@text $name:ident $a:ident $b:ident $c:ident) => { concat!("a.", stringify!($name), "(b, c)") };
}

numeric_methods! {
    (a: impl IntoValue<T>, b: impl IntoValue<T>):
    min<Num> -> T = Min;
    max<Num> -> T = Max;
    abs_diff<Int> -> T::Unsigned = AbsDiff;
    saturating_add<Int> -> T = SaturatingAdd;
    saturating_sub<Int> -> T = SaturatingSub;
    saturating_mul<Int> -> T = SaturatingMul;
    ilog<Int> -> u32 = Ilog;
    div_euclid<Num> -> T = DivEuclid;
    rem_euclid<Num> -> T = RemEuclid;
    div_ceil<UnsignedInt> -> T = DivCeil;
    next_multiple_of<UnsignedInt> -> T = NextMultipleOf;
    is_multiple_of<UnsignedInt> -> bool = IsMultipleOf;
    hypot<Float> -> T = Hypot;
    copysign<Float> -> T = Copysign;
    atan2<Float> -> T = Atan2;
    log<Float> -> T = Log;
    powf<Float> -> T = Powf;
}

numeric_methods! {
    (a: impl IntoValue<T>, b: impl IntoValue<T>, c: impl IntoValue<T>):
    clamp<Num> -> T = Clamp;
    mul_add<Float> -> T = MulAdd;
}

numeric_methods! {
    (a: impl IntoValue<T>):
    abs<Signed> -> T = Abs;
    unsigned_abs<SignedInt> -> T::Unsigned = UnsignedAbs;
    signum<Signed> -> T = Signum;
    is_positive<SignedInt> -> bool = IsPositive;
    is_negative<SignedInt> -> bool = IsNegative;
    isqrt<Int> -> T = Isqrt;
    ilog2<Int> -> u32 = Ilog2;
    ilog10<Int> -> u32 = Ilog10;
    is_power_of_two<UnsignedInt> -> bool = IsPowerOfTwo;
    next_power_of_two<UnsignedInt> -> T = NextPowerOfTwo;
    count_ones<Int> -> u32 = CountOnes;
    count_zeros<Int> -> u32 = CountZeros;
    leading_zeros<Int> -> u32 = LeadingZeros;
    leading_ones<Int> -> u32 = LeadingOnes;
    trailing_zeros<Int> -> u32 = TrailingZeros;
    trailing_ones<Int> -> u32 = TrailingOnes;
    swap_bytes<Int> -> T = SwapBytes;
    reverse_bits<Int> -> T = ReverseBits;
    sqrt<Float> -> T = Sqrt;
    cbrt<Float> -> T = Cbrt;
    recip<Float> -> T = Recip;
    floor<Float> -> T = Floor;
    ceil<Float> -> T = Ceil;
    round<Float> -> T = Round;
    round_ties_even<Float> -> T = RoundTiesEven;
    trunc<Float> -> T = Trunc;
    fract<Float> -> T = Fract;
    sin<Float> -> T = Sin;
    cos<Float> -> T = Cos;
    tan<Float> -> T = Tan;
    asin<Float> -> T = Asin;
    acos<Float> -> T = Acos;
    atan<Float> -> T = Atan;
    sinh<Float> -> T = Sinh;
    cosh<Float> -> T = Cosh;
    tanh<Float> -> T = Tanh;
    asinh<Float> -> T = Asinh;
    acosh<Float> -> T = Acosh;
    atanh<Float> -> T = Atanh;
    exp<Float> -> T = Exp;
    exp2<Float> -> T = Exp2;
    exp_m1<Float> -> T = ExpM1;
    ln<Float> -> T = Ln;
    ln_1p<Float> -> T = Ln1p;
    log2<Float> -> T = Log2;
    log10<Float> -> T = Log10;
    to_degrees<Float> -> T = ToDegrees;
    to_radians<Float> -> T = ToRadians;
    is_nan<Float> -> bool = IsNan;
    is_finite<Float> -> bool = IsFinite;
    is_infinite<Float> -> bool = IsInfinite;
    is_sign_negative<Float> -> bool = IsSignNegative;
    is_sign_positive<Float> -> bool = IsSignPositive;
    to_bits<Float> -> T::Bits = ToBits;
}

numeric_methods! {
    (a: impl IntoValue<T>, b: impl IntoValue<u32>):
    saturating_pow<Int> -> T = SaturatingPow;
    pow<Int> -> T = Pow;
    rotate_left<Int> -> T = RotateLeft;
    rotate_right<Int> -> T = RotateRight;
}

numeric_methods! {
    (a: impl IntoValue<T>, b: impl IntoValue<i32>):
    powi<Float> -> T = Powi;
}

numeric_methods! {
    wrapping (a: impl IntoValue<T>, b: impl IntoValue<T>):
    wrapping_div_euclid<Int> -> T = DivEuclid;
    wrapping_rem_euclid<Int> -> T = RemEuclid;
    strict_add<Int> -> T = StrictAdd;
    strict_sub<Int> -> T = StrictSub;
    strict_mul<Int> -> T = StrictMul;
    strict_div<Int> -> T = StrictDiv;
    strict_rem<Int> -> T = StrictRem;
    strict_div_euclid<Int> -> T = StrictDivEuclid;
    strict_rem_euclid<Int> -> T = StrictRemEuclid;
}

numeric_methods! {
    wrapping (a: impl IntoValue<T>, b: impl IntoValue<T::Signed>):
    strict_add_signed<UnsignedInt> -> T = StrictAddSigned;
    strict_sub_signed<UnsignedInt> -> T = StrictSubSigned;
}

numeric_methods! {
    wrapping (a: impl IntoValue<T>, b: impl IntoValue<T::Unsigned>):
    strict_add_unsigned<SignedInt> -> T = StrictAddUnsigned;
    strict_sub_unsigned<SignedInt> -> T = StrictSubUnsigned;
}

numeric_methods! {
    wrapping (a: impl IntoValue<T>):
    wrapping_abs<SignedInt> -> T = Abs;
    strict_abs<SignedInt> -> T = StrictAbs;
    strict_neg<Int> -> T = StrictNeg;
}

numeric_methods! {
    wrapping (a: impl IntoValue<T>, b: impl IntoValue<u32>):
    wrapping_pow<Int> -> T = Pow;
    strict_pow<Int> -> T = StrictPow;
    strict_shl<Int> -> T = StrictShl;
    strict_shr<Int> -> T = StrictShr;
}

/// Methods that are another name of an operator.
macro_rules! operator_methods {
    (($left:ty, $right:ty): $($name:ident = $op:ident;)*) => {
        impl Builder {$(
            #[doc = concat!("`a.", stringify!($name), "(b)`")]
            #[inline(never)]
            pub fn $name<T: Int>(&self, at: u32, a: $left, b: $right) -> Value<T> {
                let span = self.span(at);
                let (a, b) = (self.operand(span, a), self.operand(span, b));
                Value::new(self.binary(span, BinaryOp::$op, T::TYPE, a, b))
            }
        )*}
    };
}

operator_methods! {
    (impl IntoValue<T>, impl IntoValue<T>):
    wrapping_add = Add;
    wrapping_sub = Sub;
    wrapping_mul = Mul;
    wrapping_div = Div;
    wrapping_rem = Rem;
}

operator_methods! {
    (impl IntoValue<T>, impl IntoValue<u32>):
    wrapping_shl = Shl;
    wrapping_shr = Shr;
}

/// Has a `From` in std: every value of the type is one of `U`, too.
#[diagnostic::on_unimplemented(
    message = "`{U}::from` does not take `{Self}` in a kernel",
    label = "not every `{Self}` is a `{U}`",
    note = "write `x as {U}`, which rounds or cuts off what does not fit"
)]
pub trait Lossless<U>: CastMeaning<U> {}

#[diagnostic::do_not_recommend]
impl<T: CastMeaning<U> + Into<U>, U> Lossless<U> for T {}

impl Builder {
    /// `T::from_bits(a)`
    #[inline(never)]
    pub fn from_bits<T: Float>(&self, at: u32, a: impl IntoValue<T::Bits>) -> Value<T> {
        let span = self.span(at);
        let bits = self.operand(span, a);
        Value::new(self.of_bits(span, T::TYPE, bits))
    }

    /// `T::from_f32(a)`
    #[inline(never)]
    pub fn from_f32<T: HalfFloat>(&self, at: u32, a: impl IntoValue<f32>) -> Value<T> {
        self.cast_number::<T, f32>(at, a)
    }

    /// `T::from_f64(a)`
    #[inline(never)]
    pub fn from_f64<T: HalfFloat>(&self, at: u32, a: impl IntoValue<f64>) -> Value<T> {
        self.cast_number::<T, f64>(at, a)
    }

    /// `a.to_f32()`
    #[inline(never)]
    pub fn to_f32<T: HalfFloat>(&self, at: u32, a: impl IntoValue<T>) -> Value<f32> {
        self.cast_number::<f32, T>(at, a)
    }

    /// `a.to_f64()`
    #[inline(never)]
    pub fn to_f64<T: HalfFloat>(&self, at: u32, a: impl IntoValue<T>) -> Value<f64> {
        self.cast_number::<f64, T>(at, a)
    }

    /// `a.wrapping_neg()`
    #[inline(never)]
    pub fn wrapping_neg<T: Int>(&self, at: u32, a: impl IntoValue<T>) -> Value<T> {
        let span = self.span(at);
        let a = self.operand::<T>(span, a);
        if T::TYPE.is_signed_int() {
            return Value::new(self.unary(span, UnaryOp::Neg, T::TYPE, a));
        }
        let zero = Operand::Leaf(Leaf::Const(Constant { ty: T::TYPE, bits: 0 }));
        Value::new(self.binary(span, BinaryOp::Sub, T::TYPE, zero, a))
    }

    /// `U::from(a)`: a conversion that loses nothing.
    #[inline(never)]
    pub fn convert<U: Scalar, T: Scalar + Lossless<U>>(&self, at: u32, a: impl IntoValue<T>) -> Value<U> {
        self.cast(at, a)
    }

    /// `U::from(a)`, where `U` is a type parameter.
    #[inline(never)]
    pub fn convert_number<U: Num + From<T>, T: Num>(&self, at: u32, a: impl IntoValue<T>) -> Value<U> {
        self.cast_number::<U, T>(at, a)
    }
}
