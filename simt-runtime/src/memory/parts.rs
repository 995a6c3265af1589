//! The memory of a part of a launch, which runs beside others.

use super::private::{Join, Marks};
use super::slot::{Slot, SlotChanges};
use super::{Memory, Prints};
use simt_core::program;

/// The slices of a launch that runs in parts, as it found them.
#[derive(Clone, Copy)]
pub(crate) struct Base<'m, 'a> {
    slots: &'m [Slot<'a>],
    /// How many operations have guards.
    guards: usize,
    /// How changes of each slot are joined.
    joins: &'m [Join],
}

/// What a part of a launch has done to memory, and printed.
pub(crate) struct PartChanges {
    slots: Vec<SlotChanges>,
    prints: Prints,
    guarded_off: Vec<u64>,
}

impl<'a> Memory<'a> {
    /// What parts begin with, whose changes of each slot are joined like that, if nothing but words is kept of memory.
    pub(crate) fn base<'m>(&'m self, joins: &'m [Join]) -> Option<Base<'m, 'a>> {
        let has_words =
            self.copies.is_empty() && self.modelled.is_none() && self.races.is_none() && self.spaces.is_none();
        has_words.then_some(Base { slots: &self.slots, guards: self.guarded_off.len(), joins })
    }

    /// Does what leaves no trace in the end: what it writes has not been written by the part.
    pub(crate) fn tried<R>(&mut self, act: impl FnOnce(&mut Self) -> R) -> R {
        let own: Vec<Option<Marks>> = self.slots.iter_mut().map(|slot| slot.marks().map(std::mem::take)).collect();
        let result = act(self);
        for (slot, own) in self.slots.iter_mut().zip(own) {
            if let (Some(marks), Some(own)) = (slot.marks(), own) {
                *marks = own;
            }
        }
        result
    }

    /// What a part has done that has ended. This is the memory of the next part, then.
    pub(crate) fn take_changes(&mut self, base: Base<'_, '_>, width: usize) -> PartChanges {
        let slots = self.slots.iter_mut().zip(base.slots).map(|(own, base)| own.take_changes(base)).collect();
        let guards = self.guarded_off.len();
        let guarded_off = std::mem::replace(&mut self.guarded_off, vec![0; guards]);
        PartChanges { slots, prints: std::mem::replace(&mut self.prints, Prints::new(width)), guarded_off }
    }

    /// Parts have ended: what they have done is done here, in their order.
    pub(crate) fn apply(&mut self, parts: impl Iterator<Item = PartChanges>) {
        // Code of the caller runs before the launch has succeeded, and may panic.
        if self.slots.iter().any(Slot::is_copied) {
            self.keep();
        }
        for changes in parts {
            for (slot, changes) in self.slots.iter_mut().zip(changes.slots) {
                slot.apply(changes);
            }
            self.prints.append(changes.prints);
            self.guarded_off.iter_mut().zip(changes.guarded_off).for_each(|(off, more)| *off += more);
        }
    }
}

impl<'m> Base<'m, '_> {
    /// The memory of parts of the launch, one after the other, for blocks of up to `warps` warps of `width` lanes.
    pub(crate) fn of_part(self, arrays: &[program::Array], width: usize, warps: usize) -> Memory<'m> {
        Memory {
            slots: self.slots.iter().zip(self.joins).map(|(slot, &join)| slot.of_part(join)).collect(),
            copies: Vec::new(),
            arrays: Memory::arrays_of_block(arrays, width, warps),
            prints: Prints::new(width),
            modelled: None,
            races: None,
            spaces: None,
            guarded_off: vec![0; self.guards],
            serial: 0,
        }
    }

    /// Bytes that each thread of the host copies.
    pub(crate) fn writable_bytes(self) -> usize {
        let writable = self.slots.iter().filter(|slot| slot.is_writable());
        writable.map(|slot| slot.length() * slot.element_bits().unwrap_or(0) as usize / 8).sum()
    }
}
