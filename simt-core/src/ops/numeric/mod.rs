//! Numeric methods: what std's numbers can do beyond operators, on one to three operands.

mod real;
mod table;
#[cfg(test)]
mod tests;

pub use real::Real;

use super::{ArithmeticFault, CompareOp, evaluate_compare, half};
use crate::ops::{Float, Int, UnsignedInt};
use crate::scalar::{Constant, Scalar, ScalarType};
use table::for_each_numeric_op;

/// The type of an operand or result, by the type of the first operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    /// The same.
    Same,
    /// `u32`: a count.
    U32,
    /// `i32`: an exponent.
    I32,
    /// `bool`: the answer to a question.
    Bool,
    /// The unsigned integer of the same width.
    Unsigned,
    /// The signed integer of the same width.
    Signed,
    /// The unsigned integer with the bits of a float.
    Bits,
    /// The float with the bits of an unsigned integer.
    Float,
    /// `f16`
    F16,
    /// `bf16`
    Bf16,
}

impl Slot {
    /// The type, where the first operand is of type `ty` and the method is one of that type's.
    pub const fn of(self, ty: ScalarType) -> ScalarType {
        match (self, ty) {
            (Self::Same, _) => ty,
            (Self::U32, _) | (Self::Bits, ScalarType::F32) => ScalarType::U32,
            (Self::I32, _) => ScalarType::I32,
            (Self::Bool, _) => ScalarType::Bool,
            (Self::Unsigned, _) => ty.unsigned(),
            (Self::Signed, _) => ty.signed(),
            (Self::Bits, ScalarType::F16 | ScalarType::Bf16) => ScalarType::U16,
            (Self::Bits, _) => ScalarType::U64,
            (Self::Float, ScalarType::U32) => ScalarType::F32,
            (Self::Float, _) => ScalarType::F64,
            (Self::F16, _) => ScalarType::F16,
            (Self::Bf16, _) => ScalarType::Bf16,
        }
    }
}

/// One to three operands of a numeric method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Args<T> {
    /// One operand.
    One([T; 1]),
    /// Two operands.
    Two([T; 2]),
    /// Three operands.
    Three([T; 3]),
}

impl<T> Args<T> {
    /// The operands, in order.
    pub const fn as_slice(&self) -> &[T] {
        match self {
            Self::One(args) => args,
            Self::Two(args) => args,
            Self::Three(args) => args,
        }
    }

    /// The operands, and `None` for those that there are not.
    pub const fn to_options(self) -> [Option<T>; 3]
    where
        T: Copy,
    {
        match self {
            Self::One([a]) => [Some(a), None, None],
            Self::Two([a, b]) => [Some(a), Some(b), None],
            Self::Three([a, b, c]) => [Some(a), Some(b), Some(c)],
        }
    }

    /// As many operands, each made from the one that was there, in order.
    pub fn map<U>(self, f: impl FnMut(T) -> U) -> Args<U> {
        match self {
            Self::One(args) => Args::One(args.map(f)),
            Self::Two(args) => Args::Two(args.map(f)),
            Self::Three(args) => Args::Three(args.map(f)),
        }
    }
}

impl<T: Copy> Args<T> {
    /// As [`Args::map`], up to the first error.
    ///
    /// # Errors
    /// The first error.
    pub fn try_map<U: Copy, E>(self, mut f: impl FnMut(T) -> Result<U, E>) -> Result<Args<U>, E> {
        Ok(match self {
            Self::One([a]) => Args::One([f(a)?]),
            Self::Two([a, b]) => Args::Two([f(a)?, f(b)?]),
            Self::Three([a, b, c]) => Args::Three([f(a)?, f(b)?, f(c)?]),
        })
    }
}

macro_rules! impl_args_from {
    ($($variant:ident: $length:literal),*) => {$(
        impl<T> From<[T; $length]> for Args<T> {
            fn from(args: [T; $length]) -> Self {
                Self::$variant(args)
            }
        }
    )*};
}
impl_args_from!(One: 1, Two: 2, Three: 3);

/// What a numeric method means on operands of the types in the tuple `A`.
pub trait NumericMeaning<A> {
    /// The result's type; an `Option` if the method can fault.
    type Output;
    /// The result of the method; `None` if it faults.
    fn apply(args: A) -> Self::Output;
}

/// What a numeric method means on bits as [`Constant`] has them. It leaves operands beyond its own alone. `None`: it faults.
pub type NumericFn = fn([u64; 3]) -> Option<u64>;

/// A tuple of operands.
trait Operands {
    fn from_bits64(bits: [u64; 3]) -> Self;
}
impl<A: Scalar> Operands for (A,) {
    fn from_bits64([a, _, _]: [u64; 3]) -> Self {
        (A::from_bits64(a),)
    }
}
impl<A: Scalar, B: Scalar> Operands for (A, B) {
    fn from_bits64([a, b, _]: [u64; 3]) -> Self {
        (A::from_bits64(a), B::from_bits64(b))
    }
}
impl<A: Scalar, B: Scalar, C: Scalar> Operands for (A, B, C) {
    fn from_bits64([a, b, c]: [u64; 3]) -> Self {
        (A::from_bits64(a), B::from_bits64(b), C::from_bits64(c))
    }
}

/// A result, or none.
trait Outcome {
    fn into_bits64(self) -> Option<u64>;
}
impl<T: Scalar> Outcome for T {
    fn into_bits64(self) -> Option<u64> {
        Some(self.to_bits64())
    }
}
impl<T: Scalar> Outcome for Option<T> {
    fn into_bits64(self) -> Option<u64> {
        self.map(Scalar::to_bits64)
    }
}

fn on_bits<M: NumericMeaning<A, Output: Outcome>, A: Operands>(bits: [u64; 3]) -> Option<u64> {
    M::apply(A::from_bits64(bits)).into_bits64()
}

/// The bits of a 16-bit float are its value.
fn unchanged([bits, ..]: [u64; 3]) -> Option<u64> {
    Some(bits)
}

/// The Rust type of a [`Slot`] for a first operand of a given type.
macro_rules! slot_type {
    (Same $t:ident) => { $t };
    (U32 $t:ident) => { u32 };
    (I32 $t:ident) => { i32 };
    (Bool $t:ident) => { bool };
    (Unsigned $t:ident) => { <$t as Int>::Unsigned };
    (Signed $t:ident) => { <$t as UnsignedInt>::Signed };
    (Bits $t:ident) => { <$t as Float>::Bits };
    (Float u32) => { f32 };
    (Float u64) => { f64 };
    ($slot:ident $t:ident or $fault:ident) => { Option<slot_type!($slot $t)> };
}

/// Calls another rule for each type of a kind.
macro_rules! for_each_of_kind {
    (int $then:ident $arguments:tt) => { for_each_of_kind!(@ $then $arguments u8 u16 u32 u64 i8 i16 i32 i64); };
    (unsigned $then:ident $arguments:tt) => { for_each_of_kind!(@ $then $arguments u8 u16 u32 u64); };
    (signed $then:ident $arguments:tt) => { for_each_of_kind!(@ $then $arguments i8 i16 i32 i64); };
    (float $then:ident $arguments:tt) => { for_each_of_kind!(@ $then $arguments f32 f64); };
    (u32 $then:ident $arguments:tt) => { for_each_of_kind!(@ $then $arguments u32); };
    (u64 $then:ident $arguments:tt) => { for_each_of_kind!(@ $then $arguments u64); };
    (@ $then:ident $arguments:tt $($t:ident)*) => { $($then!($t $arguments);)* };
}

macro_rules! impl_meaning {
    ($t:ident ($name:ident ($($arg:ident),* -> $result:ident $(or $fault:ident)?) ($($a:ident),*) $meaning:expr)) => {
        impl NumericMeaning<($(slot_type!($arg $t),)*)> for $name {
            type Output = slot_type!($result $t $(or $fault)?);
            #[inline(always)]
            fn apply(($($a,)*): ($(slot_type!($arg $t),)*)) -> Self::Output { $meaning }
        }
    };
}

macro_rules! find_meaning {
    ($t:ident ($ty:ident $name:ident ($($arg:ident),* -> $($result:tt)*))) => {
        if matches!($ty, <$t as Scalar>::TYPE) {
            return Some(on_bits::<numeric::$name, ($(slot_type!($arg $t),)*)>);
        }
    };
}

/// Finds the meaning for 16-bit floats of a row that floats have.
macro_rules! find_half {
    (float $ty:ident ToBits $signature:tt) => {
        if $ty.is_half() {
            return Some(unchanged);
        }
    };
    (float $ty:ident MulAdd $signature:tt) => {
        if $ty.is_half() {
            return half::meaning::<half::MulAdd>($ty);
        }
    };
    (float $ty:ident $name:ident ($($arg:ident),* -> $($result:tt)*)) => {
        if $ty.is_half() {
            return half::meaning::<half::Method<numeric::$name, ($(slot_type!($arg f32),)*)>>($ty);
        }
    };
    ($kind:ident $($row:tt)*) => {};
}

/// Takes a row's types apart.
macro_rules! signature {
    (args ($($arg:ident),* -> $($result:tt)*)) => { &[$(Slot::$arg),*] };
    (result ($($arg:ident),* -> $result:ident $(or $fault:ident)?)) => { Slot::$result };
    (fault ($($arg:ident),* -> $result:ident)) => { None };
    (fault ($($arg:ident),* -> $result:ident or $fault:ident)) => { Some(ArithmeticFault::$fault) };
}

macro_rules! define_numeric_op {
    ($($(#[$doc:meta])* $name:ident = $text:literal $signature:tt $(, $kind:ident $params:tt $meaning:expr)*;)*) => {
        /// A numeric method.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum NumericOp { $($(#[$doc])* $name,)* }

        impl NumericOp {
            /// Every numeric method.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// Name in `Code`, to which the type of the first operand is appended: `min.u32`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// The types of its operands.
            pub const fn args(self) -> &'static [Slot] {
                match self { $(Self::$name => signature!(args $signature),)* }
            }

            /// The type of its result.
            pub const fn result(self) -> Slot {
                match self { $(Self::$name => signature!(result $signature),)* }
            }

            const fn row_fault(self) -> Option<ArithmeticFault> {
                match self { $(Self::$name => signature!(fault $signature),)* }
            }
        }

        /// One unit struct a method, to carry its meaning as a type.
        pub mod numeric {
            use super::{Float, Int, NumericMeaning, Real, UnsignedInt};
            $($(#[$doc])* #[derive(Clone, Copy, Debug)] pub struct $name;
              $(for_each_of_kind!($kind impl_meaning ($name $signature $params $meaning));)*)*
        }

        fn find(op: NumericOp, ty: ScalarType) -> Option<NumericFn> {
            match op {
                $(NumericOp::$name => {
                    $(for_each_of_kind!($kind find_meaning (ty $name $signature));
                      find_half!($kind ty $name $signature);)*
                    None
                })*
            }
        }
    };
}
for_each_numeric_op!(define_numeric_op);

impl NumericOp {
    /// Whether values of the type have this method.
    pub fn accepts(self, ty: ScalarType) -> bool {
        self.meaning(ty).is_some()
    }

    /// What it means where the first operand is of the type; `None` if that type does not have it.
    pub fn meaning(self, ty: ScalarType) -> Option<NumericFn> {
        if matches!(self, Self::FromBitsF16 | Self::FromBitsBf16) {
            return (ty == ScalarType::U16).then_some(unchanged);
        }
        // `from_bits` takes the integer that a float's bits are, which `usize` is not.
        let is_bits = self != Self::FromBits || ty == ty.machine();
        if is_bits { find(self, ty.machine()) } else { None }
    }

    /// Whether it can fault on operands of which some are known.
    pub fn can_fault(self, ty: ScalarType, args: &[Option<Constant>]) -> bool {
        if self.fault(ty).is_none() {
            return false;
        }
        let known = |number: usize| args.get(number).copied().flatten();
        if self.is_strict() {
            return match (self, known(1)) {
                (Self::StrictShl | Self::StrictShr, Some(count)) => count.bits >= u64::from(ty.bits()),
                // Of the divisors only 0 and -1 may have no result.
                (Self::StrictDiv | Self::StrictRem | Self::StrictDivEuclid | Self::StrictRemEuclid, Some(divisor)) => {
                    divisor.bits == 0 || divisor.bits == u64::MAX >> (64 - ty.bits())
                }
                _ => true,
            };
        }
        match (self, known(0), known(1), known(2)) {
            (Self::Clamp, _, Some(low), Some(high)) => !evaluate_compare(CompareOp::Le, low, high),
            (Self::Ilog2 | Self::Ilog10 | Self::Ilog | Self::Isqrt | Self::Clamp, ..) => true,
            (_, _, Some(divisor), _) => divisor.bits == 0,
            _ => true,
        }
    }

    /// Whether it is what an operator or method is in a kernel whose arithmetic faults where it overflows.
    pub const fn is_strict(self) -> bool {
        matches!(self.row_fault(), Some(ArithmeticFault::Overflow))
    }

    /// What is wrong with operands for which it has no result.
    pub fn fault_on(self, args: &[Constant]) -> Option<ArithmeticFault> {
        let by_zero = args.get(1).is_some_and(|divisor| divisor.bits == 0);
        match self {
            Self::StrictDiv | Self::StrictDivEuclid if by_zero => Some(ArithmeticFault::DivisionByZero),
            Self::StrictRem | Self::StrictRemEuclid | Self::StrictNextMultipleOf if by_zero => {
                Some(ArithmeticFault::RemainderByZero)
            }
            _ => self.fault(args.first()?.ty),
        }
    }

    /// What is wrong if it has no result for operands of this type, whatever they are but for a divisor of zero.
    pub const fn fault(self, ty: ScalarType) -> Option<ArithmeticFault> {
        match self {
            Self::DivEuclid | Self::RemEuclid if ty.is_float() => None,
            Self::Isqrt if !ty.is_signed_int() => None,
            _ => self.row_fault(),
        }
    }
}

/// The meaning of a numeric method on constants.
///
/// # Errors
/// Where it has no result.
///
/// # Panics
/// If the method does not take operands of these types: validation excludes it.
pub fn evaluate_numeric(op: NumericOp, args: Args<Constant>) -> Result<Constant, ArithmeticFault> {
    let args = args.as_slice();
    let ty = args[0].ty;
    let bits = std::array::from_fn(|number| args.get(number).map_or(0, |arg| arg.bits));
    let invalid = || -> ! { unreachable!("validated: {} is not defined on {ty}", op.name()) };
    let meaning = op.meaning(ty).unwrap_or_else(|| invalid());
    match meaning(bits) {
        Some(bits) => Ok(Constant { ty: op.result().of(ty), bits }),
        None => Err(op.fault_on(args).unwrap_or_else(|| invalid())),
    }
}
