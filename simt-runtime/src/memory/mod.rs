//! The memory of a launch: global memory, which is the caller's, and the arrays that kernels declare.
//!
//! A kernel works on the caller's slices themselves. `bool`, `usize` and `isize` slices that threads may write, all
//! pointer-sized ones, atomics and the fields of structs have another layout on the device and are copied; they go back when
//! the launch has succeeded. Of the other slices, the pages that are written are kept as they were until then (`undo`),
//! unless the parts of a launch work on copies: `parts`. So a launch that fails, or that a panic ends, leaves no trace.
//! Atomics may overlap, with each other and with those of other launches: `atomics`, `reserved`.
//!
//! Memory has numbers: a parameter's is its place in the signature, and the arrays' follow the parameters'.

mod absent;
mod argument;
mod array;
mod atomics;
mod block;
pub(crate) mod device;
mod dimensions;
pub(crate) mod environment;
mod parts;
mod prints;
mod private;
pub(crate) mod races;
mod reserved;
mod reverse;
mod slot;
pub(crate) mod spaces;
mod structs;
#[cfg(test)]
mod tests;
mod undo;

pub use argument::{Argument, Element, Structs};
pub(crate) use array::{Array, ArrayWord, CHUNK, Exceeding, LocalArray, SharedArray, exceeding};
pub(crate) use block::BlockMemory;
pub use device::{AddressProblem, BadAccess, DeviceMemory, DeviceMemoryError, Nearest};
pub(crate) use parts::PartChanges;
pub(crate) use prints::Prints;
pub(crate) use private::{Join, Seen};
pub(crate) use reserved::{Helps, Reserved, launcher};
pub(crate) use slot::{MemoryWord, Part, Slot, Written};
pub use structs::{
    Arguments, Columns, FieldData, HostData, SliceData, SliceMutData, borrow_structs, pass_struct, share_structs,
};

use crate::environment::{EnvironmentConfig, Stuck};
use crate::memory::environment::Modelled;
use crate::memory::races::Races;
use crate::memory::spaces::Spaces;
use simt_core::{Constant, LaneMask, program};
use std::borrow::Cow;

/// The first value that does not fit the device: its index and its text.
pub(crate) type Misfit = (usize, String);

/// The memory of a launch.
///
/// When it is dropped, also by a panic, the caller's slices get back their old values, unless it was committed.
#[derive(Debug)]
pub(crate) struct Memory<'a> {
    /// The slots of the parameters.
    slots: Vec<Slot<'a>>,
    /// Copies of atomics that several parameters share.
    copies: Vec<Slot<'a>>,
    /// The arrays of the block that runs, and of its threads.
    arrays: Vec<Array>,
    /// The lines that threads have printed.
    pub(crate) prints: Prints,
    /// The modelled memory that accesses go through, if there is one. The slices keep their old values until the launch
    /// ends.
    pub(crate) modelled: Option<Box<Modelled>>,
    /// Which threads have accessed what, if the launch looks for races.
    pub(crate) races: Option<Box<Races>>,
    /// Memory by address, if the code uses it.
    pub(crate) spaces: Option<Box<Spaces<'a>>>,
    /// By the number of a guarded operation: how many active lanes did not execute it.
    pub(crate) guarded_off: Vec<u64>,
    /// Work that lanes have done one after the other since it was last read: atomic operations, printed lines.
    pub(crate) serial: u64,
}

/// Where elements lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Which memory of the launch.
    pub(crate) memory: u16,
    /// The first of them.
    pub(crate) start: usize,
    /// Elements of that memory.
    pub(crate) length: usize,
}

/// The reason why a launch cannot begin.
#[derive(Debug)]
pub(crate) struct Refused {
    /// The parameter.
    pub(crate) slot: usize,
    pub(crate) problem: Problem,
}

/// The problem of an argument.
#[derive(Debug)]
pub(crate) enum Problem {
    Misfit(Misfit),
    /// The argument overlaps with that of another parameter, which has atomics of another type.
    OtherAtomics {
        slot: usize,
    },
    /// The argument's atomics are in use by a launch of this kernel that waits for the one that is refused; `elsewhere` if
    /// that was launched by another thread.
    InUse {
        by: Cow<'static, str>,
        elsewhere: bool,
    },
}

impl<'a> Memory<'a> {
    /// Memory for the arguments and arrays of a kernel whose blocks have up to `warps` warps of `width` lanes. The values of
    /// atomics are read here.
    pub(crate) fn new(
        arguments: Vec<Argument<'a>>,
        arrays: &[program::Array],
        width: usize,
        warps: usize,
    ) -> Result<Self, Refused> {
        let mut slots: Vec<_> = arguments.into_iter().map(|argument| argument.slot).collect();
        let mut copies = atomics::join(&mut slots)
            .map_err(|(other, slot)| Refused { slot, problem: Problem::OtherAtomics { slot: other } })?;
        let refused = |slot, misfit| Refused { slot, problem: Problem::Misfit(misfit) };
        for (number, slot) in slots.iter_mut().enumerate() {
            if let Some(misfit) = slot.begin() {
                return Err(refused(number, misfit));
            }
        }
        for (copy, slot) in copies.iter_mut().enumerate() {
            if let Some((index, value)) = slot.begin() {
                let has = |slot: &Slot<'_>| match slot {
                    Slot::Part(part) if part.copy == copy => part.range().contains(&index).then(|| index - part.start),
                    _ => None,
                };
                let found = slots.iter().enumerate().find_map(|(number, slot)| Some((number, has(slot)?)));
                let (number, index) = found.unwrap_or_default();
                return Err(refused(number, (index, value)));
            }
        }
        let arrays = Self::arrays_of_block(arrays, width, warps);
        let (prints, guarded_off) = (Prints::new(width), Vec::new());
        Ok(Self { slots, copies, arrays, prints, modelled: None, races: None, spaces: None, guarded_off, serial: 0 })
    }

    /// The same memory, seen through the memory environment, for blocks of so many warps.
    pub(crate) fn through(mut self, environment: &EnvironmentConfig, warps: usize) -> Self {
        let Self { slots, copies, arrays, spaces, .. } = &self;
        let modelled = Modelled::new(environment, slots, copies, arrays, spaces.as_deref(), warps);
        self.modelled = Some(Box::new(modelled));
        self
    }

    /// Ends the launch. On the memory environment, if the launch has succeeded, ends all operations in flight, and copies the
    /// contents of memory to the slices and allocations.
    ///
    /// # Errors
    /// The reason why a memory operation could not go on, if there was one.
    pub(crate) fn finish(&mut self, succeeded: bool) -> Result<(), Stuck> {
        if let Some(stuck) = self.stuck() {
            return Err(stuck.clone());
        }
        match &mut self.modelled {
            Some(modelled) if succeeded => {
                modelled.finish(&mut self.slots, &mut self.copies, self.spaces.as_deref_mut())
            }
            _ => Ok(()),
        }
    }

    /// The reason why a memory operation could not go on, if there was one.
    pub(crate) fn stuck(&self) -> Option<&Stuck> {
        self.modelled.as_ref().and_then(|modelled| modelled.stuck.as_ref())
    }

    /// The warp comes to a barrier: its operations in flight end first, if memory is modelled.
    pub(crate) fn settle(&mut self, warp: usize) {
        if let Some(modelled) = &mut self.modelled {
            modelled.select_warp(warp);
            let fenced = modelled.fence(LaneMask(!0));
            modelled.note(fenced);
        }
    }

    /// All threads have met at the barrier of the grid: what the blocks have written is visible to all.
    pub(crate) fn meet_as_grid(&mut self) {
        if let Some(modelled) = &mut self.modelled {
            let refreshed = modelled.refresh();
            modelled.note(refreshed);
        }
    }

    /// Lanes of the warp that runs have met at `sync_warp()`: the writes of each are visible to the others.
    pub(crate) fn meet(&mut self, lanes: LaneMask) {
        if let Some(races) = &mut self.races {
            races.meet(lanes);
        }
        if let Some(modelled) = &mut self.modelled {
            let fenced = modelled.fence(lanes);
            modelled.note(fenced);
        }
    }

    /// The words of a slice parameter; none if the slice has words of another kind, which validation excludes.
    #[inline(always)]
    pub(crate) fn read<T: MemoryWord>(&self, slot: u16) -> &[T] {
        self.slots.get(slot as usize).and_then(T::words).unwrap_or(&[])
    }

    /// The words of a writable slice parameter.
    #[inline(always)]
    pub(crate) fn write<T: MemoryWord>(&mut self, slot: u16) -> Written<'_, T> {
        let written = self.slots.get_mut(slot as usize).and_then(T::words_mut);
        written.unwrap_or_default()
    }

    /// The words of a parameter's atomics, which may be a part of what several parameters share.
    pub(crate) fn atomics<T: MemoryWord>(&mut self, slot: u16) -> Written<'_, T> {
        let written = match self.slots.get_mut(slot as usize) {
            Some(Slot::Part(part)) => {
                self.copies.get_mut(part.copy).and_then(T::words_mut).and_then(|copy| copy.part(part.range()))
            }
            slot => slot.and_then(T::words_mut),
        };
        written.unwrap_or_default()
    }

    /// Where a parameter's elements lie among all memory: the number of the slot or, behind the arrays, of the copy that
    /// they are in; the place of the first; and how many elements lie there.
    pub(crate) fn place(&self, slot: u16) -> Place {
        match self.slots.get(slot as usize) {
            Some(&Slot::Part(Part { copy, start, .. })) => {
                let number = (self.slots.len() + self.arrays.len() + copy) as u16;
                Place { memory: number, start, length: self.copies.get(copy).map_or(0, Slot::length) }
            }
            _ => Place { memory: slot, start: 0, length: self.length(slot.into()) },
        }
    }

    /// The value of a scalar parameter.
    pub(crate) fn scalar(&self, slot: usize) -> Option<Constant> {
        match self.slots.get(slot) {
            Some(Slot::Scalar(constant)) => Some(*constant),
            _ => None,
        }
    }

    /// The number of elements of a slice parameter or an array.
    pub(crate) fn length(&self, slot: usize) -> usize {
        match self.slots.get(slot) {
            Some(slot) => slot.length(),
            None => self.arrays.get(self.number(slot as u16)).map_or(0, Array::length),
        }
    }

    /// An array.
    #[inline(always)]
    pub(crate) fn array(&self, slot: u16) -> Option<&Array> {
        self.arrays.get(self.number(slot))
    }

    /// An array, to be written.
    #[inline(always)]
    pub(crate) fn array_mut(&mut self, slot: u16) -> Option<&mut Array> {
        let number = self.number(slot);
        self.arrays.get_mut(number)
    }

    /// The array of a slot; `None` for a parameter's slot.
    #[inline(always)]
    fn number(&self, slot: u16) -> usize {
        (slot as usize).wrapping_sub(self.slots.len())
    }

    /// The launch succeeded: copied slices go back to the caller. Returns what was printed.
    pub(crate) fn commit(mut self) -> Vec<String> {
        // First the copies that code of the caller takes back: if that panics, the other slices get their old values.
        for code_of_the_caller in [true, false] {
            self.parts().filter(|slot| slot.is_copied() == code_of_the_caller).for_each(Slot::commit);
        }
        self.slots.clear();
        self.copies.clear();
        if let Some(spaces) = self.spaces.take() {
            spaces.commit();
        }
        std::mem::take(&mut self.prints).into_lines()
    }

    fn parts(&mut self) -> impl Iterator<Item = &mut Slot<'a>> {
        self.slots.iter_mut().chain(&mut self.copies)
    }

    /// Keeps what is overwritten of the caller's values from here on.
    pub(crate) fn keep(&mut self) {
        self.parts().for_each(Slot::keep);
    }

    /// Undoes everything that threads have written.
    pub(crate) fn restart(&mut self) {
        self.parts().for_each(Slot::restart);
        self.spaces.iter_mut().for_each(|spaces| spaces.undo());
        self.prints.clear();
        self.guarded_off.fill(0);
    }

    /// The bits of an element of a slice, or of a lane's element of an array of the warp that runs.
    pub(crate) fn bits(&self, slot: u16, index: usize, lane: usize) -> Option<u64> {
        match self.slots.get(slot as usize) {
            Some(Slot::Part(part)) => self.copies.get(part.copy)?.bits(part.range().nth(index)?),
            Some(slot) => slot.bits(index),
            None => self.array(slot)?.get(index, lane),
        }
    }

    /// Copies the bits of consecutive elements, of a slice or an array of the block; `None` where that takes more than to copy
    /// them, or if one has no value.
    pub(crate) fn copy_bits(&self, slot: u16, first: usize, values: &mut [u64]) -> Option<()> {
        match self.slots.get(slot as usize) {
            Some(slot) => slot.copy_bits(first, values),
            None => self.array(slot)?.copy_bits(first, values),
        }
    }

    /// Writes the bits of an element of a slice that threads may write, or of a lane's element of an array of the warp that
    /// runs.
    pub(crate) fn set_bits(&mut self, slot: u16, index: usize, lane: usize, bits: u64) {
        match self.slots.get_mut(slot as usize) {
            Some(Slot::Part(part)) => {
                if let (Some(copy), Some(index)) = (self.copies.get_mut(part.copy), part.range().nth(index)) {
                    copy.set_bits(index, bits);
                }
            }
            Some(slot) => slot.set_bits(index, bits),
            None => self.array_mut(slot).into_iter().for_each(|array| array.set(index, lane, bits)),
        }
    }

    /// Appends the bits of everything that threads can write, except printed lines, to `bits`.
    pub(crate) fn show(&self, image: &mut Vec<u64>) {
        self.slots.iter().chain(&self.copies).for_each(|slot| slot.show(image));
        self.arrays.iter().for_each(|array| array.show(image));
        self.spaces.iter().for_each(|spaces| spaces.show(image));
    }

    /// The number of those elements.
    pub(crate) fn size(&self) -> usize {
        let slots = self.slots.iter().chain(&self.copies).filter(|slot| slot.is_writable()).map(Slot::length);
        let spaces = self.spaces.iter().map(|spaces| spaces.size());
        slots.chain(self.arrays.iter().map(Array::size)).chain(spaces).sum()
    }
}

/// Copies words, extended.
fn copy_extended<T: Copy + Into<u64>>(values: &mut [u64], words: &[T]) {
    values.iter_mut().zip(words).for_each(|(value, &word)| *value = word.into());
}

impl Drop for Memory<'_> {
    fn drop(&mut self) {
        self.parts().for_each(Slot::restart);
    }
}
