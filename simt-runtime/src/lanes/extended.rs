//! Operations that are too rare for the lanes' own table: they have operands of their own, and run apart.

use super::access::Access;
use super::numeric::{Function, Numeric};
use super::row::Registers;
use crate::memory::Memory;

/// An operation that a lane operation [`Extended`](super::LaneOp::Extended) names by its number in the plan.
#[derive(Clone, Debug)]
pub(crate) enum Extended {
    /// Arrays, atomics, messages.
    Access(Access),
    /// Numeric functions.
    Numeric(Numeric),
    /// Functions that never fault.
    Function(Function),
}

impl Extended {
    /// Runs it for the active lanes; gives the lowest lane that faulted.
    #[inline(always)]
    pub(crate) fn run(&self, registers: &mut Registers, memory: &mut Memory<'_>) -> Option<usize> {
        match self {
            Self::Access(access) => access.run(registers, memory),
            Self::Numeric(numeric) => numeric.run(registers),
            Self::Function(function) => function.run(registers),
        }
    }
}
