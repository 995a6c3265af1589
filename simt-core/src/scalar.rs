//! The scalar types of the kernel language, and constants of them.
//!
//! `usize` and `isize` are 32 bits wide on the device, as on wasm32: the trait [`Scalar`] says how a host value becomes
//! device bits, and [`ScalarType::machine`] which type's arithmetic a device type uses.
//!
//! The 16-bit floats are always there as [`ScalarType`]s; as types of Rust they come with the feature `half`, from the
//! crate of that name.

#[cfg(feature = "half")]
mod half;
mod narrow;

pub use narrow::widen;
pub(crate) use narrow::{BF16, F16, bias, infinity, to_f32};

use std::fmt;

/// A list of the scalar types, written once: `Variant: host type, machine type`, and behind `@` those that no type of std
/// has: `Variant: name`.
macro_rules! for_each_scalar {
    ($consume:ident) => {
        $consume! {
            U8: u8, u8;
            U16: u16, u16;
            U32: u32, u32;
            U64: u64, u64;
            I8: i8, i8;
            I16: i16, i16;
            I32: i32, i32;
            I64: i64, i64;
            F32: f32, f32;
            F64: f64, f64;
            Bool: bool, bool;
            Usize: usize, u32;
            Isize: isize, i32;
            @ F16: "f16", "IEEE 754's binary16; CUDA's `__half`";
            @ Bf16: "bf16", "the upper half of an `f32`; CUDA's `__nv_bfloat16`";
        }
    };
}
#[allow(unused_imports, reason = "offered to the crate's other tables")]
pub(crate) use for_each_scalar;

macro_rules! define_scalar_type {
    ($($variant:ident: $host:ident, $machine:ident;)* $(@ $half:ident: $name:literal, $doc:literal;)*) => {
        /// The type of a value in a kernel.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum ScalarType {
            $(#[doc = concat!("`", stringify!($host), "`")] $variant,)*
            $(#[doc = concat!("`", $name, "`: ", $doc)] $half,)*
        }

        impl ScalarType {
            /// Every scalar type.
            pub const ALL: &[Self] = &[$(Self::$variant,)* $(Self::$half,)*];

            /// The Rust name of the type.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => stringify!($host),)* $(Self::$half => $name,)* }
            }
        }
    };
}
for_each_scalar!(define_scalar_type);

impl ScalarType {
    /// The type whose arithmetic the device uses: `usize` counts as `u32` and `isize` as `i32`.
    pub const fn machine(self) -> Self {
        match self {
            Self::Usize => Self::U32,
            Self::Isize => Self::I32,
            Self::U8
            | Self::U16
            | Self::U32
            | Self::U64
            | Self::I8
            | Self::I16
            | Self::I32
            | Self::I64
            | Self::F32
            | Self::F64
            | Self::F16
            | Self::Bf16
            | Self::Bool => self,
        }
    }

    /// Width on the device in bits; 1 for `bool`.
    pub const fn bits(self) -> u32 {
        match self.machine() {
            Self::Bool => 1,
            Self::U8 | Self::I8 => 8,
            Self::U16 | Self::I16 | Self::F16 | Self::Bf16 => 16,
            Self::U64 | Self::I64 | Self::F64 => 64,
            Self::U32 | Self::I32 | Self::F32 | Self::Usize | Self::Isize => 32,
        }
    }

    /// Whether the type is an integer, of either sign.
    pub const fn is_int(self) -> bool {
        !self.is_float() && !matches!(self, Self::Bool)
    }

    /// Whether the type is a float, of any width.
    pub const fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64) || self.is_half()
    }

    /// Whether the type is a float of 16 bits.
    pub const fn is_half(self) -> bool {
        matches!(self, Self::F16 | Self::Bf16)
    }

    /// The unsigned integer of the same width, if the type is an integer; otherwise itself.
    pub const fn unsigned(self) -> Self {
        match self {
            Self::I8 => Self::U8,
            Self::I16 => Self::U16,
            Self::I32 => Self::U32,
            Self::I64 => Self::U64,
            Self::Isize => Self::Usize,
            Self::U8
            | Self::U16
            | Self::U32
            | Self::U64
            | Self::Usize
            | Self::F32
            | Self::F64
            | Self::F16
            | Self::Bf16
            | Self::Bool => self,
        }
    }

    /// The signed integer of the same width, if the type is an integer; otherwise itself.
    pub const fn signed(self) -> Self {
        match self {
            Self::U8 => Self::I8,
            Self::U16 => Self::I16,
            Self::U32 => Self::I32,
            Self::U64 => Self::I64,
            Self::Usize => Self::Isize,
            Self::I8
            | Self::I16
            | Self::I32
            | Self::I64
            | Self::Isize
            | Self::F32
            | Self::F64
            | Self::F16
            | Self::Bf16
            | Self::Bool => self,
        }
    }

    /// Whether the type is a signed integer.
    pub const fn is_signed_int(self) -> bool {
        matches!(self, Self::I8 | Self::I16 | Self::I32 | Self::I64 | Self::Isize)
    }
}

impl fmt::Display for ScalarType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

mod sealed {
    /// Only the types of the list are scalars.
    pub trait Sealed {}
}

/// A Rust type that a kernel's values can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a scalar type of the kernel language",
    label = "not usable in a kernel",
    note = "kernels compute with u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 bool usize isize"
)]
pub trait Scalar: sealed::Sealed + Copy + fmt::Debug + PartialEq + Send + Sync + 'static {
    /// The type as data.
    const TYPE: ScalarType;
    /// The device's bits, zero-extended. A `usize` or `isize` loses what does not fit in 32 bits; see [`Scalar::fits`].
    fn to_bits64(self) -> u64;
    /// The value of the device's bits.
    fn from_bits64(bits: u64) -> Self;
    /// Whether the host value can be represented on the device; false only for a `usize`/`isize` beyond 32 bits.
    fn fits(self) -> bool {
        Self::from_bits64(self.to_bits64()) == self || Self::TYPE.is_float()
    }
}

macro_rules! impl_scalar {
    ($($variant:ident: $host:ident, $machine:ident;)* $(@ $half:ident: $name:literal, $doc:literal;)*) => {$(
        impl sealed::Sealed for $host {}
        impl Scalar for $host {
            const TYPE: ScalarType = ScalarType::$variant;
            #[inline(always)]
            fn to_bits64(self) -> u64 {
                impl_scalar!(@to $machine, self)
            }
            #[inline(always)]
            fn from_bits64(bits: u64) -> Self {
                impl_scalar!(@from $host, $machine, bits)
            }
        }
    )*};
    (@to bool, $value:expr) => { u64::from($value) };
    (@to f32, $value:expr) => { u64::from($value.to_bits()) };
    (@to f64, $value:expr) => { $value.to_bits() };
    (@to i8, $value:expr) => { u64::from($value as u8) };
    (@to i16, $value:expr) => { u64::from($value as u16) };
    (@to i32, $value:expr) => { u64::from($value as u32) };
    (@to u32, $value:expr) => { u64::from($value as u32) };
    (@to $machine:ident, $value:expr) => { $value as u64 };
    (@from bool, bool, $bits:expr) => { $bits != 0 };
    (@from f32, f32, $bits:expr) => { f32::from_bits($bits as u32) };
    (@from f64, f64, $bits:expr) => { f64::from_bits($bits) };
    (@from $host:ident, $machine:ident, $bits:expr) => { $bits as $machine as $host };
}
for_each_scalar!(impl_scalar);

/// A value of a scalar type as data: its type, and its bits zero-extended to 64.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Constant {
    /// The type.
    pub ty: ScalarType,
    /// The device's bits, zero-extended.
    pub bits: u64,
}

impl Constant {
    /// The constant of a host value.
    ///
    /// ```
    /// use simt_core::Constant;
    /// assert_eq!(Constant::of(-1i8).bits, 0xff);
    /// assert_eq!(Constant::of(2.5f32).to_string(), "2.5");
    /// ```
    pub fn of<T: Scalar>(value: T) -> Self {
        Self { ty: T::TYPE, bits: value.to_bits64() }
    }
}

impl fmt::Display for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        macro_rules! show {
            ($($variant:ident: $host:ident, $machine:ident;)* $(@ $half:ident: $name:literal, $doc:literal;)*) => {
                match self.ty {
                    $(ScalarType::$variant => write!(f, "{:?}", $host::from_bits64(self.bits)),)*
                    $(ScalarType::$half => write!(f, "{:?}", widen(*self)),)*
                }
            };
        }
        for_each_scalar!(show)
    }
}

impl fmt::Debug for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}{}", self.ty)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_round_trip() {
        assert_eq!(i16::from_bits64((-3i16).to_bits64()), -3);
        assert_eq!(isize::from_bits64((-3isize).to_bits64()), -3);
        assert_eq!((-3isize).to_bits64(), 0xffff_fffd);
        assert_eq!(f64::from_bits64(1.25f64.to_bits64()), 1.25);
        assert!(bool::from_bits64(true.to_bits64()));
    }

    #[test]
    fn only_pointer_sized_values_can_fail_to_fit() {
        assert!(7usize.fits() && (-7isize).fits() && u64::MAX.fits() && f32::NAN.fits());
        assert!(!(1usize << 32).fits());
        assert!(!(isize::MIN).fits());
    }
}
