//! What floats do beyond the operations that IEEE 754 fixes to the bit.
//!
//! Functions that have no exact result, such as `sin`, come from the crate `libm`, a translation of musl's: they give the
//! same bits on every host, where the standard library's depend on the platform. Their error is that of `libm`, mostly
//! below one unit in the last place. What IEEE 754 defines exactly (`sqrt`, `mul_add`, `floor`, ...) comes from std.

use crate::ops::Float;

/// The functions of a float that are not std's own. Called by path: a method call would find std's.
pub trait Real: Float {
    /// The smaller one, as IEEE 754-2019's `minimumNumber`.
    fn least(self, other: Self) -> Self;
    /// The larger one, as IEEE 754-2019's `maximumNumber`.
    fn greatest(self, other: Self) -> Self;
    /// The number with the sign of another; a NaN's sign, which arithmetic leaves open, counts as positive.
    fn with_sign_of(self, sign: Self) -> Self;
    /// Whether the sign is negative; a NaN's counts as positive.
    fn is_below(self) -> bool;
    /// The bits, of a NaN the canonical one's.
    fn visible_bits(self) -> Self::Bits;
    /// By repeated squaring, as compilers do it; one rounding for each product.
    fn integer_power(self, exponent: i32) -> Self;
    /// `cbrt`
    fn cbrt(self) -> Self;
    /// `hypot`
    fn hypot(self, other: Self) -> Self;
    /// `sin`
    fn sin(self) -> Self;
    /// `cos`
    fn cos(self) -> Self;
    /// `tan`
    fn tan(self) -> Self;
    /// `asin`
    fn asin(self) -> Self;
    /// `acos`
    fn acos(self) -> Self;
    /// `atan`
    fn atan(self) -> Self;
    /// `atan2`
    fn atan2(self, other: Self) -> Self;
    /// `sinh`
    fn sinh(self) -> Self;
    /// `cosh`
    fn cosh(self) -> Self;
    /// `tanh`
    fn tanh(self) -> Self;
    /// `asinh`
    fn asinh(self) -> Self;
    /// `acosh`
    fn acosh(self) -> Self;
    /// `atanh`
    fn atanh(self) -> Self;
    /// `exp`
    fn exp(self) -> Self;
    /// `exp2`
    fn exp2(self) -> Self;
    /// `exp_m1`
    fn exp_m1(self) -> Self;
    /// `ln`
    fn ln(self) -> Self;
    /// `ln_1p`
    fn ln_1p(self) -> Self;
    /// `log2`
    fn log2(self) -> Self;
    /// `log10`
    fn log10(self) -> Self;
    /// `powf`
    fn powf(self, exponent: Self) -> Self;
}

macro_rules! impl_real {
    ($($ty:ident: $cbrt:ident $hypot:ident $sin:ident $cos:ident $tan:ident $asin:ident $acos:ident $atan:ident
        $atan2:ident $sinh:ident $cosh:ident $tanh:ident $asinh:ident $acosh:ident $atanh:ident
        $exp:ident $exp2:ident $exp_m1:ident $ln:ident $ln_1p:ident $log2:ident $log10:ident $powf:ident;)*) => {$(
        impl Real for $ty {
            #[inline(always)]
            fn least(self, other: Self) -> Self {
                let keep = (self < other) | ((self == other) & self.is_sign_negative()) | other.is_nan();
                if keep { self } else { other }
            }
            #[inline(always)]
            fn greatest(self, other: Self) -> Self {
                let keep = (self > other) | ((self == other) & self.is_sign_positive()) | other.is_nan();
                if keep { self } else { other }
            }
            #[inline(always)]
            fn with_sign_of(self, sign: Self) -> Self {
                if sign.is_nan() { self.abs() } else { self.copysign(sign) }
            }
            #[inline(always)]
            fn is_below(self) -> bool {
                self.is_sign_negative() && !self.is_nan()
            }
            #[inline(always)]
            fn visible_bits(self) -> Self::Bits {
                if self.is_nan() { Self::NAN.to_bits() } else { self.to_bits() }
            }
            #[inline]
            fn integer_power(self, exponent: i32) -> Self {
                let (mut power, mut square, mut rest) = (1.0, self, exponent.unsigned_abs());
                while rest != 0 {
                    if rest & 1 == 1 {
                        power *= square;
                    }
                    square *= square;
                    rest >>= 1;
                }
                if exponent < 0 { 1.0 / power } else { power }
            }
            impl_real! { @unary cbrt $cbrt, sin $sin, cos $cos, tan $tan, asin $asin, acos $acos, atan $atan }
            impl_real! { @unary sinh $sinh, cosh $cosh, tanh $tanh, asinh $asinh, acosh $acosh, atanh $atanh }
            impl_real! { @unary exp $exp, exp2 $exp2, exp_m1 $exp_m1, ln $ln, ln_1p $ln_1p, log2 $log2, log10 $log10 }
            impl_real! { @binary hypot $hypot, atan2 $atan2, powf $powf }
        }
    )*};
    (@unary $($name:ident $libm:ident),*) => {$(
        #[inline]
        fn $name(self) -> Self { libm::$libm(self) }
    )*};
    (@binary $($name:ident $libm:ident),*) => {$(
        #[inline]
        fn $name(self, other: Self) -> Self { libm::$libm(self, other) }
    )*};
}
impl_real! {
    f32: cbrtf hypotf sinf cosf tanf asinf acosf atanf atan2f sinhf coshf tanhf asinhf acoshf atanhf
        expf exp2f expm1f logf log1pf log2f log10f powf;
    f64: cbrt hypot sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh
        exp exp2 expm1 log log1p log2 log10 pow;
}
