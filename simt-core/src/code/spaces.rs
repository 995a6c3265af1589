//! Memory by address: state spaces, addresses, symbols; and what modifies instructions.

use super::address::{Operand, Reg};
use crate::ops::define_names;
use crate::program::FunctionId;
use crate::source::Span;
use std::borrow::Cow;

define_names! {
    /// Which memory an address means (PTX, state spaces).
    AddressSpace {
        /// Any of the others: the address says which.
        Generic = "generic";
        /// Memory of the device, which the host allocates.
        Global = "global";
        /// Memory of the block.
        Shared = "shared";
        /// Memory of the thread.
        Local = "local";
        /// Memory of the device that threads only read.
        Const = "const";
        /// The parameters of the kernel, which threads only read.
        Param = "param";
    }
}

impl AddressSpace {
    /// How many generic addresses each window has.
    pub const WINDOW: u64 = 1 << 32;

    /// The first generic address of the space's window: what is added to an address of the space to make it generic. A global
    /// address is generic as it is.
    pub const fn window(self) -> u64 {
        match self {
            Self::Generic | Self::Global => 0,
            Self::Shared => Self::WINDOW,
            Self::Local => 2 * Self::WINDOW,
            Self::Const => 3 * Self::WINDOW,
            Self::Param => 4 * Self::WINDOW,
        }
    }

    /// The space that a generic address lies in: global, unless it is in the window of another.
    ///
    /// ```
    /// use simt_core::code::AddressSpace;
    /// let generic = 0x40 + AddressSpace::Shared.window();
    /// assert_eq!(AddressSpace::of(generic), AddressSpace::Shared);
    /// assert_eq!(AddressSpace::of(0x40), AddressSpace::Global);
    /// ```
    pub const fn of(generic: u64) -> Self {
        match generic >> 32 {
            1 => Self::Shared,
            2 => Self::Local,
            3 => Self::Const,
            4 => Self::Param,
            _ => Self::Global,
        }
    }

    /// Whether the space has a window of its own, in which an address of 32 bits says everything.
    pub const fn has_window(self) -> bool {
        !matches!(self, Self::Generic | Self::Global)
    }
}

/// Where an instruction accesses memory: a base and a number of bytes from there on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Address {
    /// Which memory.
    pub space: AddressSpace,
    /// Bytes behind the base, or before it.
    pub offset: i32,
    /// A `u64`; in a space that has a window a `u32`, too.
    pub base: Operand,
}

/// Number of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolId(pub u32);

/// Memory that code declares, by bytes. [`Operand::Symbol`] is its address.
#[derive(Clone, Debug, PartialEq)]
pub struct Symbol {
    /// Its name. Global and constant memory of one name is the same in all codes that run on one memory of the device.
    pub name: Cow<'static, str>,
    /// Which memory: global, shared, local or constant.
    pub space: AddressSpace,
    /// How many bytes; of a dynamic one 0.
    pub size: u32,
    /// What its address is a multiple of: a power of two.
    pub align: u32,
    /// Whether the launch says how many bytes, of shared memory.
    pub dynamic: bool,
    /// What is there at first, of global and constant memory. Without, zeros.
    pub init: Option<Initialiser>,
    /// The function that declares it, of local memory; `None` for the kernel.
    pub function: Option<FunctionId>,
    /// Where it is declared.
    pub span: Span,
}

/// What a symbol holds at first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Initialiser {
    /// The first bytes; those behind are zeros.
    pub bytes: Vec<u8>,
    /// Addresses that are written over them.
    pub addresses: Vec<InitialAddress>,
}

/// The address of a symbol in an initialiser: 8 bytes, the lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InitialAddress {
    /// Where it is written, in bytes from the beginning.
    pub at: u32,
    /// The symbol, of global or constant memory.
    pub symbol: SymbolId,
    /// Bytes that are added to the address.
    pub plus: i32,
    /// Whether it is the generic address, or that of the symbol's space.
    pub generic: bool,
}

/// What modifies an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Modifier {
    /// Its guard, if it has one.
    pub guard: Option<Guard>,
    /// Whether it is a part of the instruction in front of it, as which it is issued and counted. It is an operation on
    /// registers, and no jump leads to it.
    pub continues: bool,
}

/// What an instruction is guarded by (PTX `@p`, `@!p`). It is issued for all active threads; those whose register has the value
/// execute it, and the others do nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard {
    /// A `bool`.
    pub reg: Reg,
    /// The value that executes.
    pub when: bool,
}
