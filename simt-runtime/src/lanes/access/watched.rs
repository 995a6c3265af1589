//! The reports of accesses, before they are executed, to a launch that looks for races.

use crate::lanes::Registers;
use crate::memory::Memory;
use crate::memory::races::Races;
use crate::plan::{WatchedAccess, WatchedKind};
use simt_core::LaneMask;

impl WatchedAccess {
    /// Reports the active lanes' accesses; returns the lowest lane that races. An index beyond the end is found by the
    /// access itself.
    #[inline(never)]
    pub(super) fn run(&self, registers: &Registers, memory: &mut Memory<'_>) -> Option<usize> {
        let mut races = memory.races.take()?;
        races.issue();
        let length = memory.length(self.slot.into());
        let racing = LaneMask(registers.mask.bits).lanes().find(|&lane| {
            let index = registers.get(self.index, lane) as usize;
            index < length && !self.tell(&mut races, index, lane, registers, memory)
        });
        memory.races = Some(races);
        racing
    }

    /// Reports a lane's access; returns whether the lane may go on.
    fn tell(&self, races: &mut Races, index: usize, lane: usize, registers: &Registers, memory: &Memory<'_>) -> bool {
        let Self { pc, slot, shared, ty, kind, .. } = *self;
        let write = match kind {
            WatchedKind::Atomic { order, reads, writes } => {
                // An element that two parameters share is one element.
                let place = memory.place(slot);
                races.atomic((place.memory, place.start + index), lane, order, reads, writes);
                return true;
            }
            WatchedKind::Load => None,
            WatchedKind::Store { value } => Some(registers.value(value, ty, lane).bits),
        };
        let found = || {
            // The value in modelled memory is not known before the access.
            let bits = if memory.modelled.is_some() { None } else { memory.bits(slot, index, lane) };
            bits.map(|bits| bits & (u64::MAX >> (64 - ty.bits())))
        };
        !races.looks_at(shared) || races.access((slot, index), lane, pc, write.is_some(), write.or_else(found))
    }
}

/// A fence.
pub(super) fn fence(registers: &Registers, memory: &mut Memory<'_>) {
    if let Some(races) = &mut memory.races {
        races.issue();
        LaneMask(registers.mask.bits).lanes().for_each(|lane| races.fence(lane));
    }
}
