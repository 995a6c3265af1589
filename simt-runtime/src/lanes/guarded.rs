//! Guarded operations: the active lanes whose predicate has the value execute them, the others do nothing.

use super::row::Registers;
use super::segment;
use crate::memory::Memory;
use crate::plan::{Guarded, Plan};

impl Guarded {
    /// Runs them for those of the active lanes; returns the lowest lane that faulted.
    #[inline(never)]
    pub(in crate::lanes) fn run(
        &self,
        registers: &mut Registers,
        memory: &mut Memory<'_>,
        plan: &Plan,
    ) -> Option<usize> {
        let (active, holds) = (registers.mask.bits, registers.predicates[self.predicate as usize]);
        let chosen = active & if self.when { holds } else { !holds };
        if let Some(off) = memory.guarded_off.get_mut(self.number as usize) {
            *off += u64::from((active & !chosen).count_ones());
        }
        if chosen == 0 {
            return None;
        }
        registers.mask.bits = chosen;
        let fault = segment::run(&self.micros, plan, registers, memory);
        registers.mask.bits = active;
        fault.map(|fault| fault.lane as usize)
    }
}
