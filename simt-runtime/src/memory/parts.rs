//! The memory of a part of a launch, which runs beside others.

use super::slot::{Slot, SlotChanges};
use super::{Memory, Prints};
use simt_core::program;

/// The slices of a launch that runs in parts, as it found them.
#[derive(Clone, Copy)]
pub(crate) struct Base<'m, 'a>(&'m [Slot<'a>]);

/// What a part of a launch has done to memory, and printed.
pub(crate) struct PartChanges {
    slots: Vec<SlotChanges>,
    prints: Prints,
}

impl<'a> Memory<'a> {
    /// What parts begin with, if nothing but words is kept of memory.
    pub(crate) fn base(&self) -> Option<Base<'_, 'a>> {
        let has_words = self.copies.is_empty() && self.modelled.is_none() && self.races.is_none();
        has_words.then_some(Base(&self.slots))
    }

    /// What a part has done that has ended. This is the memory of the next part, then.
    pub(crate) fn take_changes(&mut self, base: Base<'_, '_>, width: usize) -> PartChanges {
        let slots = self.slots.iter_mut().zip(base.0).map(|(own, base)| own.take_changes(base)).collect();
        PartChanges { slots, prints: std::mem::replace(&mut self.prints, Prints::new(width)) }
    }

    /// A part has ended: what it has done is done here. Of parts that change one element the last one's value stays.
    pub(crate) fn apply(&mut self, changes: PartChanges) {
        for (slot, changes) in self.slots.iter_mut().zip(changes.slots) {
            slot.apply(changes);
        }
        self.prints.append(changes.prints);
    }
}

impl<'m> Base<'m, '_> {
    /// The memory of parts of the launch, one after the other, for blocks of up to `warps` warps of `width` lanes; `None` if
    /// they could talk to other parts: if there are atomics.
    pub(crate) fn of_part(self, arrays: &[program::Array], width: usize, warps: usize) -> Option<Memory<'m>> {
        Some(Memory {
            slots: self.0.iter().map(Slot::of_part).collect::<Option<_>>()?,
            copies: Vec::new(),
            arrays: Memory::arrays_of_block(arrays, width, warps),
            prints: Prints::new(width),
            modelled: None,
            races: None,
            serial: 0,
        })
    }

    /// Bytes that each thread of the host copies.
    pub(crate) fn writable_bytes(self) -> usize {
        let writable = self.0.iter().filter(|slot| slot.is_writable());
        writable.map(|slot| slot.length() * slot.element_bits().unwrap_or(0) as usize / 8).sum()
    }
}
