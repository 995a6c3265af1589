//! Addresses, registers, and what else instructions name.

use super::spaces::SymbolId;
use crate::program::{Builtin, Memory, ParamId};
use crate::scalar::Constant;
use std::fmt;

/// Address of an instruction: its place in [`Code`](super::Code).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pc(pub u32);

impl Pc {
    /// The address as an index.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The next address.
    #[inline(always)]
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl fmt::Display for Pc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}", self.0)
    }
}

/// Number of a virtual register; every thread has its own copy of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reg(pub u32);

/// What an instruction reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operand {
    /// A register.
    Reg(Reg),
    /// A constant.
    Const(Constant),
    /// A scalar parameter.
    Param(ParamId),
    /// The length of a slice parameter, or of an array whose length the launch gives.
    Len(Memory),
    /// A special register.
    Builtin(Builtin),
    /// The address of a symbol in its space, a `u64`; in a space that has a window a `u32`, too.
    Symbol(SymbolId),
    /// The address of a scalar or byte parameter in the space of parameters, as of a symbol.
    ParamAddress(ParamId),
}

/// Number of a list of values that are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValuesId(pub u32);

/// Number of a table of branch targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TableId(pub u32);
