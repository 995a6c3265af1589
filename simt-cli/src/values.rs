//! The numbers of a buffer, with their type.

use crate::failure::Failure;
use simt::core::{Scalar, ScalarType};
use simt::host::{Argument, DeviceMemory};

/// What `u32` and the like are called on the command line.
pub(crate) const TYPES: &str = "u8, u16, u32, u64, i8, i16, i32, i64, f32 or f64";

macro_rules! values {
    ($($variant:ident: $ty:ident;)*) => {
        /// Numbers of one type.
        #[derive(Clone, Debug, PartialEq)]
        pub(crate) enum Values { $($variant(Vec<$ty>),)* }

        /// The type of a name.
        pub(crate) fn type_named(name: &str) -> Option<ScalarType> {
            match name { $(stringify!($ty) => Some(ScalarType::$variant),)* _ => None }
        }

        impl Values {
            /// Those that the bits stand for; none of a type that no buffer has.
            pub(crate) fn from_bits(ty: ScalarType, bits: impl Iterator<Item = u64>) -> Option<Self> {
                match ty {
                    $(ScalarType::$variant => Some(Self::$variant(bits.map(<$ty as Scalar>::from_bits64).collect())),)*
                    _ => None,
                }
            }

            /// Reads so many from memory.
            pub(crate) fn read(memory: &DeviceMemory, ty: ScalarType, at: u64, count: usize) -> Result<Self, Failure> {
                let failed = |error: simt::error::DeviceMemoryError| Failure::launch(error.to_string());
                match ty {
                    $(ScalarType::$variant => memory.read(at, count).map(Self::$variant).map_err(failed),)*
                    _ => Err(Failure::usage(format!("no buffer has elements of {}", ty.name()))),
                }
            }

            /// Writes them to memory.
            pub(crate) fn write(&self, memory: &mut DeviceMemory, at: u64) -> Result<(), Failure> {
                let written = match self { $(Self::$variant(values) => memory.write(at, values),)* };
                written.map_err(|error| Failure::launch(error.to_string()))
            }

            /// As a slice of the kernel's: one that it may write, one that it reads, or one of constant memory.
            pub(crate) fn argument(&mut self, passed: Passed) -> Argument<'_> {
                match self {
                    $(Self::$variant(values) => match passed {
                        Passed::Mutable => Argument::slice_mut(values),
                        Passed::Shared => Argument::slice(values),
                        Passed::Constant => Argument::constant(values),
                    },)*
                }
            }

            /// The type of each.
            pub(crate) fn ty(&self) -> ScalarType {
                match self { $(Self::$variant(_) => ScalarType::$variant,)* }
            }

            /// The text of each.
            pub(crate) fn texts(&self) -> Vec<String> {
                match self { $(Self::$variant(values) => values.iter().map(ToString::to_string).collect(),)* }
            }

            /// Each as a number, which of 64-bit integers is the nearest that there is.
            pub(crate) fn numbers(&self) -> Vec<f64> {
                match self { $(Self::$variant(values) => values.iter().map(|&value| value as f64).collect(),)* }
            }

            /// Their bytes, the lowest first.
            pub(crate) fn bytes(&self) -> Vec<u8> {
                match self { $(Self::$variant(values) => values.iter().flat_map(|value| value.to_le_bytes()).collect(),)* }
            }
        }

        /// A scalar argument of bits.
        pub(crate) fn scalar(ty: ScalarType, bits: u64) -> Option<Argument<'static>> {
            match ty {
                $(ScalarType::$variant => Some(Argument::scalar(<$ty as Scalar>::from_bits64(bits))),)*
                ScalarType::Usize => Some(Argument::scalar(usize::from_bits64(bits))),
                ScalarType::Isize => Some(Argument::scalar(isize::from_bits64(bits))),
                ScalarType::Bool => Some(Argument::scalar(bool::from_bits64(bits))),
                _ => None,
            }
        }
    };
}

values! {
    U8: u8; U16: u16; U32: u32; U64: u64;
    I8: i8; I16: i16; I32: i32; I64: i64;
    F32: f32; F64: f64;
}

/// How a kernel has a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passed {
    Mutable,
    Shared,
    Constant,
}

/// Bytes of an element.
pub(crate) fn size(ty: ScalarType) -> usize {
    (ty.machine().bits() as usize / 8).max(1)
}

/// The bits of a number of a type: integers in decimal or as 0x..., floats as Rust and C write them.
pub(crate) fn bits(ty: ScalarType, text: &str) -> Result<u64, String> {
    let text = text.trim();
    let ty = ty.machine();
    if ty == ScalarType::Bool {
        return match text {
            "true" | "1" => Ok(1),
            "false" | "0" => Ok(0),
            _ => Err(format!("`{text}` is no bool: write true or false")),
        };
    }
    if ty.is_float() {
        let wrong = |_| format!("`{text}` is no {}: write a number such as 0.5, -1e-3, inf or NaN", ty.name());
        return match ty {
            ScalarType::F32 => text.parse::<f32>().map(Scalar::to_bits64).map_err(wrong),
            ScalarType::F64 => text.parse::<f64>().map(Scalar::to_bits64).map_err(wrong),
            _ => Err(format!("a {} cannot be written here; give one of {TYPES}", ty.name())),
        };
    }
    let digits = text.strip_prefix('-').unwrap_or(text);
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(digits) => i128::from_str_radix(digits, 16),
        None => digits.parse::<i128>(),
    };
    // A second sign is none of a number's.
    let value = value.ok().filter(|value| *value >= 0 && !digits.starts_with('+'));
    let value = value.map(|value| if digits.len() < text.len() { -value } else { value });
    let bits = ty.bits();
    let (least, most) = match ty.is_signed_int() {
        true => (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1),
        false => (0, (1_i128 << bits) - 1),
    };
    let Some(value) = value else {
        return Err(format!("`{text}` is no {}: write a whole number such as 5 or 0x1f", ty.name()));
    };
    if !(least..=most).contains(&value) {
        return Err(format!("{value} is no {}: write one from {least} to {most}", ty.name()));
    }
    // What is behind the type's bits is cut off: the device's bits are extended with zeros.
    Ok((value & ((1_i128 << bits) - 1)) as u64)
}
