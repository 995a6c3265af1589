//! The memory of a part of a launch, which runs beside others.

use super::private::{Changes, Join, Marks, Private};
use super::slot::{MemoryWord, Slot, Words};
use super::{Memory, Prints};
use simt_core::program;
use std::ops::Range;

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

    /// A part begins whose threads have these numbers in the grid.
    pub(crate) fn begin_part(&mut self, base: Base<'_, '_>, threads: &Range<usize>) {
        self.slots.iter_mut().zip(base.slots).for_each(|(own, base)| own.begin_part(base, threads.clone()));
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

/// What a part has changed of a slot.
enum SlotChanges {
    None,
    Bytes(Changes<u8>),
    Halves(Changes<u16>),
    Words(Changes<u32>),
    Wides(Changes<u64>),
}

/// Calls `act` with what a slot has and something else has for it, if both are of one width.
macro_rules! with_both {
    ($slot:expr, $kinds:ident($other:expr), |$own:ident, $others:ident| $act:expr) => {
        match ($slot, $other) {
            (Slot::Bytes($own), $kinds::Bytes($others)) => $act,
            (Slot::Halves($own), $kinds::Halves($others)) => $act,
            (Slot::Words($own), $kinds::Words($others)) => $act,
            (Slot::Wides($own), $kinds::Wides($others)) => $act,
            _ => {}
        }
    };
}

impl Slot<'_> {
    /// The same slot for a part, whose changes are joined like this.
    fn of_part(&self, join: Join) -> Slot<'_> {
        match self {
            Self::Scalar(value) => Slot::Scalar(*value),
            Self::Part(part) => Slot::Part(*part),
            Self::Bytes(words) => Slot::Bytes(of_part(words, join)),
            Self::Halves(words) => Slot::Halves(of_part(words, join)),
            Self::Words(words) => Slot::Words(of_part(words, join)),
            Self::Wides(words) => Slot::Wides(of_part(words, join)),
        }
    }

    /// A part begins whose threads have these numbers in the grid.
    fn begin_part(&mut self, base: &Slot<'_>, threads: Range<usize>) {
        with_both!(self, Slot(base), |own, base| {
            if let Words::Private(own) = own {
                own.begin(base.read(), threads);
            }
        });
    }

    /// What a part has written to this copy of `base`. It is for another part, then.
    fn take_changes(&mut self, base: &Slot<'_>) -> SlotChanges {
        match (self, base) {
            (Slot::Bytes(Words::Private(own)), Slot::Bytes(base)) => SlotChanges::Bytes(own.take_changes(base.read())),
            (Slot::Halves(Words::Private(own)), Slot::Halves(base)) => {
                SlotChanges::Halves(own.take_changes(base.read()))
            }
            (Slot::Words(Words::Private(own)), Slot::Words(base)) => SlotChanges::Words(own.take_changes(base.read())),
            (Slot::Wides(Words::Private(own)), Slot::Wides(base)) => SlotChanges::Wides(own.take_changes(base.read())),
            _ => SlotChanges::None,
        }
    }

    /// What a part has changed is changed here.
    fn apply(&mut self, changes: SlotChanges) {
        with_both!(self, SlotChanges(changes), |words, changes| {
            if let Some(mut words) = words.write() {
                changes.apply(&mut words);
            }
        });
    }
}

/// The same words for a part, whose changes are joined like this.
fn of_part<'m, T: MemoryWord>(words: &'m Words<'_, T>, join: Join) -> Words<'m, T> {
    // Atomics are looked up among what is written, also where they are only read.
    if words.is_writable() && (join != Join::Unchanged || matches!(words, Words::Atomic(_))) {
        Words::Private(Private::new(words.read(), join))
    } else {
        Words::Shared(words.read())
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

    /// The most bytes that each thread of the host copies or writes.
    pub(crate) fn writable_bytes(self) -> usize {
        let writable = self.slots.iter().filter(|slot| slot.is_writable());
        writable.map(|slot| slot.length() * slot.element_bits().unwrap_or(0) as usize / 8).sum()
    }
}
