//! Types, state spaces, variables and what they begin with.

use super::operand::Float;
use super::{Linkage, Name};
use crate::span::Span;

/// An enum whose variants are written with a dot in PTX.
macro_rules! dotted {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$variant_doc])* $variant),* }

        impl $name {
            /// All of them.
            pub const ALL: &[$name] = &[$($name::$variant),*];

            /// How it is written, without the dot.
            #[must_use]
            pub fn text(self) -> &'static str {
                match self { $($name::$variant => $text),* }
            }

            /// What is written so, without the dot.
            #[must_use]
            pub fn from_text(text: &str) -> Option<$name> {
                match text { $($text => Some($name::$variant),)* _ => None }
            }
        }
    };
}

pub(crate) use dotted;

dotted! {
    /// A type of registers, variables or instructions.
    #[expect(missing_docs, reason = "each is the type of PTX of its name")]
    Type {
        Pred = "pred", B8 = "b8", B16 = "b16", B32 = "b32", B64 = "b64", B128 = "b128",
        U8 = "u8", U16 = "u16", U32 = "u32", U64 = "u64", S8 = "s8", S16 = "s16", S32 = "s32", S64 = "s64",
        F16 = "f16", F16x2 = "f16x2", Bf16 = "bf16", Bf16x2 = "bf16x2", F32 = "f32", F32x2 = "f32x2", F64 = "f64",
        U16x2 = "u16x2", S16x2 = "s16x2",
        /// A handle of a texture, out of scope like the two below.
        Texref = "texref",
        /// A handle of a sampler.
        Samplerref = "samplerref",
        /// A handle of a surface.
        Surfref = "surfref",
    }
}

impl Type {
    /// Its size in bytes; that of a predicate is 1, of a handle 8.
    #[must_use]
    pub fn bytes(self) -> u32 {
        match self {
            Type::Pred | Type::B8 | Type::U8 | Type::S8 => 1,
            Type::B16 | Type::U16 | Type::S16 | Type::F16 | Type::Bf16 => 2,
            Type::B32 | Type::U32 | Type::S32 | Type::F32 | Type::F16x2 | Type::Bf16x2 | Type::U16x2 | Type::S16x2 => 4,
            Type::B64
            | Type::U64
            | Type::S64
            | Type::F64
            | Type::F32x2
            | Type::Texref
            | Type::Samplerref
            | Type::Surfref => 8,
            Type::B128 => 16,
        }
    }

    /// Its size in bits; that of a predicate is 1.
    #[must_use]
    pub fn bits(self) -> u32 {
        if self == Type::Pred { 1 } else { self.bytes() * 8 }
    }
}

dotted! {
    /// A state space, of a variable or an access.
    Space {
        /// Registers.
        Reg = "reg",
        /// Parameters of kernels and functions.
        Param = "param",
        /// Memory of the device.
        Global = "global",
        /// Memory of a block.
        Shared = "shared",
        /// Memory of a thread.
        Local = "local",
        /// Memory that kernels only read.
        Const = "const",
        /// Textures, out of scope.
        Tex = "tex",
    }
}

dotted! {
    /// How many elements a vector has.
    Vector {
        /// Two.
        V2 = "v2",
        /// Four.
        V4 = "v4",
        /// Eight.
        V8 = "v8",
    }
}

impl Vector {
    /// How many elements it has.
    #[must_use]
    pub fn elements(self) -> u32 {
        match self {
            Vector::V2 => 2,
            Vector::V4 => 4,
            Vector::V8 => 8,
        }
    }
}

/// What `.ptr` says of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointer {
    /// The space that it points to; none is generic.
    pub space: Option<Space>,
    /// The alignment of what it points to, in bytes.
    pub align: Option<u32>,
}

/// A variable or a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Whether others see it; of a parameter none.
    pub linkage: Linkage,
    /// Where it lives. Of a parameter [`Space::Param`] or [`Space::Reg`].
    pub space: Space,
    /// The names and texts in `.attribute(...)`.
    pub attributes: Vec<Name>,
    /// Its alignment in bytes, if it says so.
    pub align: Option<u32>,
    /// Of how many `ty` it is a vector.
    pub vector: Option<Vector>,
    /// The type of its elements.
    pub ty: Type,
    /// Of a parameter that says that it is a pointer.
    pub pointer: Option<Pointer>,
    /// Its name.
    pub name: Name,
    /// Its dimensions, of an array. Only the first may be open: `[]`.
    pub dimensions: Vec<Option<u64>>,
    /// What it holds in the beginning.
    pub initializer: Option<Initializer>,
    /// Where it is declared.
    pub span: Span,
}

impl Variable {
    /// How many bytes it has; none if its first dimension is open, or if the number does not fit.
    #[must_use]
    pub fn bytes(&self) -> Option<u64> {
        let element = u64::from(self.ty.bytes()) * u64::from(self.vector.map_or(1, Vector::elements));
        self.dimensions.iter().try_fold(element, |bytes, dimension| bytes.checked_mul((*dimension)?))
    }

    /// Its alignment in bytes: what it says, else the size of its element.
    #[must_use]
    pub fn alignment(&self) -> u32 {
        self.align.unwrap_or(self.ty.bytes() * self.vector.map_or(1, Vector::elements))
    }
}

/// What a variable holds in the beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Initializer {
    /// Elements, of which those that are left out are zero.
    List(Vec<Initializer>),
    /// An integer.
    Integer(i128, Span),
    /// A float.
    Float(Float, Span),
    /// The address of a variable or function and something.
    Symbol {
        /// Of which.
        name: Name,
        /// Whether it is the generic address: `generic(name)`.
        generic: bool,
        /// What is added to the address.
        offset: i64,
        /// Which byte of the address is meant: `0xff00(name)` is byte 1. None is all of it.
        byte: Option<u8>,
    },
}
