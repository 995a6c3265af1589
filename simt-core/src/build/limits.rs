//! Constants of a number's type that a generic kernel asks for: `T::default()`, `T::MIN`, `T::BITS`.

use super::arena::Operand;
use super::{Builder, IntoValue, Value};
use crate::ops::evaluate_cast;
use crate::ops::{Int, Num};
use crate::scalar::{Constant, Scalar, ScalarType};

/// The bits of the least and of the greatest value of a type; of floats those that are finite.
fn limits(ty: ScalarType) -> [u64; 2] {
    let (all, sign) = (u64::MAX >> (64 - ty.bits()), 1 << (ty.bits() - 1));
    let float = match ty {
        ScalarType::F16 => 0x7bff,
        ScalarType::Bf16 => 0x7f7f,
        ScalarType::F32 => u64::from(f32::MAX.to_bits()),
        ScalarType::F64 => f64::MAX.to_bits(),
        _ if ty.is_signed_int() => return [sign, all >> 1],
        _ => return [0, all],
    };
    [float | sign, float]
}

/// A constant that the language has of a type parameter, where a user's trait may have one of that name.
#[derive(Clone, Copy, Debug)]
pub struct Limit<T>(fn(&Builder, u32) -> Value<T>);

/// `T::ZERO`; a constant of the bounds of `T` comes before it.
pub trait ScalarLimits: Scalar {
    /// The number zero, or `false`.
    const ZERO: Limit<Self> = Limit(Builder::zero);
}

/// `T::ONE`, `T::MIN`, `T::MAX`
pub trait NumLimits: Num {
    /// The number one.
    const ONE: Limit<Self> = Limit(Builder::one);
    /// The least value.
    const MIN: Limit<Self> = Limit(Builder::least);
    /// The greatest value.
    const MAX: Limit<Self> = Limit(Builder::greatest);
}

/// `T::BITS`
pub trait IntLimits: Int {
    /// How many there are.
    const BITS: Limit<u32> = Limit(Builder::width::<Self>);
}

impl<T: Scalar> ScalarLimits for T {}
impl<T: Num> NumLimits for T {}
impl<T: Int> IntLimits for T {}

/// A constant of a type parameter: the language's, or that of a user's trait.
#[diagnostic::on_unimplemented(
    message = "a constant of type `{Self}` is not supported in a kernel",
    label = "not a value of a kernel"
)]
pub trait ConstantOfType {
    /// Its type.
    type Of;
    /// Its value.
    fn given(self, k: &Builder, at: u32) -> Value<Self::Of>;
}

impl<T> ConstantOfType for Limit<T> {
    type Of = T;

    fn given(self, k: &Builder, at: u32) -> Value<T> {
        self.0(k, at)
    }
}

#[diagnostic::do_not_recommend]
impl<T: IntoValue<T>> ConstantOfType for T {
    type Of = T;

    fn given(self, k: &Builder, at: u32) -> Value<T> {
        self.into_value(k, k.span(at))
    }
}

impl Builder {
    /// `T::NAME` of a user's trait, or the language's constant.
    #[inline(never)]
    pub fn constant_of_type<C: ConstantOfType>(&self, at: u32, constant: C) -> Value<C::Of> {
        constant.given(self, at)
    }

    /// `T::default()` of a scalar, `T::ZERO`
    #[inline(never)]
    pub fn zero<T: Scalar>(&self, _at: u32) -> Value<T> {
        Value::new(Operand::constant(T::from_bits64(0)))
    }

    /// `T::default()` of a type parameter with that bound: the host's value.
    #[inline(never)]
    pub fn default_value<T: Default + IntoValue<T>>(&self, at: u32) -> Value<T> {
        T::default().into_value(self, self.span(at))
    }

    /// `T::ONE`
    #[inline(never)]
    pub fn one<T: Num>(&self, _at: u32) -> Value<T> {
        Value::new(Operand::constant(T::from_bits64(evaluate_cast(Constant::of(1_u8), T::TYPE).bits)))
    }

    /// `T::MIN`
    #[inline(never)]
    pub fn least<T: Num>(&self, _at: u32) -> Value<T> {
        Value::new(Operand::constant(T::from_bits64(limits(T::TYPE)[0])))
    }

    /// `T::MAX`
    #[inline(never)]
    pub fn greatest<T: Num>(&self, _at: u32) -> Value<T> {
        Value::new(Operand::constant(T::from_bits64(limits(T::TYPE)[1])))
    }

    /// `T::BITS`
    #[inline(never)]
    pub fn width<T: Int>(&self, _at: u32) -> Value<u32> {
        Value::new(Operand::constant(T::TYPE.bits()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_those_of_std() {
        macro_rules! assert_limits {
            ($($ty:ty)*) => {$(
                let [least, greatest] = limits(<$ty>::TYPE);
                assert_eq!([least, greatest], [<$ty>::MIN.to_bits64(), <$ty>::MAX.to_bits64()], stringify!($ty));
            )*};
        }
        assert_limits!(u8 u16 u32 u64 i8 i16 i32 i64 f32 f64);
        #[cfg(feature = "half")]
        assert_limits!(half::f16 half::bf16);
        // Those of the device, which has 32 bits.
        assert_eq!(limits(ScalarType::Usize), limits(ScalarType::U32));
        assert_eq!(limits(ScalarType::Isize), limits(ScalarType::I32));
    }
}
