//! Operations that are too rare for the lanes' own table: they have operands of their own, and run apart.

use super::isa::Isa;
use super::row::Registers;
use crate::memory::Memory;
use crate::plan::{Extended, Plan};

impl Extended {
    /// Runs it for the active lanes; returns the lowest lane that faulted.
    #[inline(always)]
    pub(in crate::lanes) fn run(
        &self,
        registers: &mut Registers,
        memory: &mut Memory<'_>,
        plan: &Plan,
        isa: impl Isa,
    ) -> Option<usize> {
        match self {
            Self::Access(access) => access.run(registers, memory, isa),
            Self::Numeric(numeric) => numeric.run(registers),
            Self::Function(function) => function.run(registers),
            Self::Guarded(guarded) => guarded.run(registers, memory, plan),
        }
    }
}
