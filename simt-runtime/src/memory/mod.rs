//! The memory of a launch: global memory, which is the caller's, and the arrays that kernels declare.
//!
//! A kernel works on the caller's slices themselves. `bool`, `usize` and `isize` slices that threads may write, all
//! pointer-sized ones, atomics and the fields of structs have another layout on the device and are copied; they go back
//! when the launch has succeeded. The others are kept as they were until then. So a failing launch leaves no trace.
//!
//! Memory has numbers: a parameter's is its place in the signature, and the arrays' follow the parameters'.

mod argument;
mod array;
mod prints;
mod slot;
mod structs;

pub use argument::{Argument, Element, Structs};
pub(crate) use array::{Array, ArrayWord, Exceeding, LocalArray, SharedArray, exceeding};
pub(crate) use prints::Prints;
pub(crate) use slot::{MemoryWord, Slot};
pub use structs::{Arguments, Columns, FieldData, HostData, borrow_structs, pass_struct, share_structs};

use crate::environment::{EnvironmentConfig, Stuck};
use crate::modelled::Modelled;
use crate::races::Races;
use simt_core::{Constant, LaneMask, program};

/// The memory of a launch.
#[derive(Debug)]
pub(crate) struct Memory<'a> {
    /// By parameter.
    slots: Vec<Slot<'a>>,
    /// The arrays of the block that runs, and of its threads.
    arrays: Vec<Array>,
    /// What threads have printed.
    pub(crate) prints: Prints,
    /// What accesses go through, if memory is modelled. The slices are then as they were until the launch ends.
    pub(crate) modelled: Option<Box<Modelled>>,
    /// Who has accessed what, if the launch looks for races.
    pub(crate) races: Option<Box<Races>>,
    /// How many lanes have executed atomic operations since it was last asked.
    pub(crate) serial: u64,
}

/// What a block has to itself while others run.
#[derive(Debug, Default)]
pub(crate) struct BlockMemory {
    arrays: Vec<Array>,
    races: Option<Box<Races>>,
}

impl<'a> Memory<'a> {
    /// Memory for the arguments and arrays of a kernel whose blocks have up to `warps` warps of `width` lanes.
    pub(crate) fn new(arguments: Vec<Argument<'a>>, arrays: &[program::Array], width: usize, warps: usize) -> Self {
        let mut slots: Vec<_> = arguments.into_iter().map(|argument| argument.slot).collect();
        slots.iter_mut().for_each(Slot::keep);
        let arrays = Self::arrays_of_block(arrays, width, warps);
        Self { slots, arrays, prints: Prints::new(width), modelled: None, races: None, serial: 0 }
    }

    /// The same, seen through the memory environment, for blocks of so many warps.
    pub(crate) fn through(mut self, environment: &EnvironmentConfig, warps: usize) -> Self {
        self.modelled = Some(Box::new(Modelled::new(environment, &self.slots, &self.arrays, warps)));
        self
    }

    /// If memory is modelled, what is in flight ends, and the slices get what memory has.
    pub(crate) fn finish(&mut self) -> Result<(), Stuck> {
        match &mut self.modelled {
            Some(modelled) => modelled.finish(&mut self.slots),
            None => Ok(()),
        }
    }

    /// Why a memory operation could not go on, if one could not.
    pub(crate) fn stuck(&self) -> Option<&Stuck> {
        self.modelled.as_ref().and_then(|modelled| modelled.stuck.as_ref())
    }

    /// The warp comes to a barrier: what it has in flight ends first, if memory is modelled.
    pub(crate) fn settle(&mut self, warp: usize) {
        if let Some(modelled) = &mut self.modelled {
            modelled.select_warp(warp);
            let fenced = modelled.fence(LaneMask(!0));
            modelled.note(fenced);
        }
    }

    /// Changes what the block has to itself for that of another, which runs from here on.
    pub(crate) fn exchange(&mut self, block: usize, of_block: &mut BlockMemory) {
        self.prints.begin_block(block);
        std::mem::swap(&mut self.arrays, &mut of_block.arrays);
        std::mem::swap(&mut self.races, &mut of_block.races);
    }

    /// What a block of so many warps has to itself, for a machine that holds several.
    pub(crate) fn of_block(&self, arrays: &[program::Array], width: usize, warps: usize) -> BlockMemory {
        let races = self.races.as_ref().map(|races| races.of_another_block());
        BlockMemory { arrays: Self::arrays_of_block(arrays, width, warps), races }
    }

    /// Arrays for another number of warps of a block. What they held is lost.
    pub(crate) fn resize(&mut self, arrays: &[program::Array], width: usize, warps: usize) {
        self.arrays = Self::arrays_of_block(arrays, width, warps);
        self.races = None;
    }

    /// The words of a slice parameter; none if the slice has words of another kind, which validation excludes.
    #[inline(always)]
    pub(crate) fn read<T: MemoryWord>(&self, slot: u16) -> &[T] {
        self.slots.get(slot as usize).and_then(T::words).unwrap_or(&[])
    }

    /// The words of a writable slice parameter.
    #[inline(always)]
    pub(crate) fn write<T: MemoryWord>(&mut self, slot: u16) -> &mut [T] {
        self.slots.get_mut(slot as usize).and_then(T::words_mut).unwrap_or(&mut [])
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

    /// Which of the arrays a slot is; of a parameter's slot, none that there is.
    #[inline(always)]
    fn number(&self, slot: u16) -> usize {
        (slot as usize).wrapping_sub(self.slots.len())
    }

    /// A block begins: shared arrays hold nothing.
    pub(crate) fn begin_block(&mut self, block: usize) {
        self.prints.begin_block(block);
        self.arrays.iter_mut().for_each(|array| array.begin_block(block));
        if let Some(modelled) = &mut self.modelled {
            modelled.begin_block(block);
        }
        if let Some(races) = &mut self.races {
            races.begin_block();
        }
    }

    /// The arrays of a block of so many warps.
    pub(crate) fn arrays_of_block(arrays: &[program::Array], width: usize, warps: usize) -> Vec<Array> {
        arrays.iter().map(|array| Array::new(array, width, warps)).collect()
    }

    /// Another warp of the block runs from here on.
    pub(crate) fn select_warp(&mut self, warp: usize) {
        self.name_warp(warp);
        self.arrays.iter_mut().for_each(|array| array.select_warp(warp));
        if let Some(modelled) = &mut self.modelled {
            modelled.select_warp(warp);
        }
    }

    /// The same where warps run one after the other, in the same local arrays.
    pub(crate) fn name_warp(&mut self, warp: usize) {
        self.prints.select_warp(warp);
        if let Some(races) = &mut self.races {
            races.select_warp(warp);
        }
    }

    /// Puts a thread's elements of a local array on a stack, before a call that may use the array again.
    pub(crate) fn save_local(&self, slot: u16, lane: usize, stack: &mut Vec<u64>) {
        if let Some(Array::Local(array)) = self.arrays.get(self.number(slot)) {
            array.save(lane, stack);
        }
    }

    /// Takes a thread's elements of a local array from the stack that they were put on.
    pub(crate) fn restore_local(&mut self, slot: u16, lane: usize, stack: &mut Vec<u64>) {
        let number = self.number(slot);
        if let Some(Array::Local(array)) = self.arrays.get_mut(number) {
            array.restore(lane, stack);
        }
    }

    /// The launch succeeded: copied slices go back to the caller. Gives what was printed.
    pub(crate) fn commit(self) -> Vec<String> {
        self.slots.into_iter().for_each(Slot::commit);
        self.prints.into_lines()
    }

    /// The launch failed: the caller's slices get back what they held.
    pub(crate) fn roll_back(mut self) {
        self.restart();
    }

    /// Everything that threads have written is undone.
    pub(crate) fn restart(&mut self) {
        self.slots.iter_mut().for_each(Slot::restart);
        self.prints.clear();
    }

    /// The bits of an element of a slice, or of a lane's element of an array of the warp that runs.
    pub(crate) fn bits(&self, slot: u16, index: usize, lane: usize) -> Option<u64> {
        match self.slots.get(slot as usize) {
            Some(slot) => slot.bits(index),
            None => self.array(slot)?.get(index, lane),
        }
    }

    /// Writes the bits of an element of a slice that threads may write, or of a lane's element of an array of the warp that
    /// runs.
    pub(crate) fn set_bits(&mut self, slot: u16, index: usize, lane: usize, bits: u64) {
        match self.slots.get_mut(slot as usize) {
            Some(slot) => slot.set_bits(index, bits),
            None => self.array_mut(slot).into_iter().for_each(|array| array.set(index, lane, bits)),
        }
    }

    /// Puts the bits of everything that threads can write, but for what they print, behind others.
    pub(crate) fn show(&self, image: &mut Vec<u64>) {
        self.slots.iter().for_each(|slot| slot.show(image));
        self.arrays.iter().for_each(|array| array.show(image));
    }

    /// How many elements that are.
    pub(crate) fn size(&self) -> usize {
        let slots = self.slots.iter().filter(|slot| slot.is_writable()).map(Slot::length);
        slots.chain(self.arrays.iter().map(Array::size)).sum()
    }
}

impl BlockMemory {
    /// A block begins with it.
    pub(crate) fn begin(&mut self, block: usize) {
        self.arrays.iter_mut().for_each(|array| array.begin_block(block));
        if let Some(races) = &mut self.races {
            races.begin_block();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use simt_core::Atomic;
    use std::sync::atomic::{AtomicBool, AtomicI64, AtomicIsize};
    use std::sync::{Arc, Mutex};

    fn memory(arguments: Vec<Argument<'_>>) -> Memory<'_> {
        Memory::new(arguments, &[], 4, 1)
    }

    #[test]
    fn a_rolled_back_slice_is_as_before() {
        let (mut floats, mut flags, mut sizes) = ([1.5f32, 2.5], [true, false], [7usize]);
        let mut memory = memory(vec![
            Argument::slice_mut(&mut floats),
            Argument::slice_mut(&mut flags),
            Argument::slice_mut(&mut sizes),
        ]);
        memory.write::<u32>(0)[1] = 0;
        memory.write::<u8>(1)[0] = 0;
        memory.write::<u32>(2)[0] = 0;
        memory.roll_back();
        assert_eq!((floats, flags, sizes), ([1.5, 2.5], [true, false], [7]));
    }

    #[test]
    fn a_committed_slice_has_what_was_written() {
        let (mut bytes, mut flags, mut signed) = ([1i8], [true, false], [7isize]);
        let mut memory = memory(vec![
            Argument::slice_mut(&mut bytes),
            Argument::slice_mut(&mut flags),
            Argument::slice_mut(&mut signed),
        ]);
        memory.write::<u8>(0)[0] = 0xff;
        memory.write::<u8>(1)[1] = 1;
        memory.write::<u32>(2)[0] = u32::MAX;
        memory.commit();
        assert_eq!((bytes, flags, signed), ([-1], [true, true], [-1]));
    }

    #[test]
    fn atomics_change_when_the_launch_has_succeeded_and_not_before() {
        let (wide, sizes, flags) = ([AtomicI64::new(-1)], [AtomicIsize::new(3)], [AtomicBool::new(false)]);
        let arguments = || vec![Argument::atomic(&wide), Argument::atomic(&sizes), Argument::atomic(&flags)];
        let now = || (wide[0].get(), sizes[0].get(), flags[0].get());
        let work = |memory: &mut Memory<'_>| {
            memory.write::<u64>(0)[0] = 5;
            memory.write::<u32>(1)[0] = -4i32 as u32;
            memory.write::<u8>(2)[0] = 1;
        };
        let mut failing = memory(arguments());
        work(&mut failing);
        failing.roll_back();
        assert_eq!(now(), (-1, 3, false));
        let mut succeeding = memory(arguments());
        work(&mut succeeding);
        assert_eq!(now(), (-1, 3, false));
        succeeding.commit();
        assert_eq!(now(), (5, -4, true));
    }

    #[test]
    fn the_fields_of_structs_go_back_together() {
        #[derive(Clone, Copy, Debug, PartialEq)]
        struct Star {
            mass: u16,
            place: [f64; 2],
        }
        let before = [Star { mass: 1, place: [0.5, 1.5] }, Star { mass: 2, place: [2.5, 3.5] }];
        let mut stars = before;
        for succeeds in [false, true] {
            {
                let structs = Arc::new(Mutex::new(&mut stars[..]));
                let mut memory = memory(vec![
                    Argument::column_mut(&structs, 1, |star, _| star.mass, |star, _, mass| star.mass = mass),
                    Argument::column_mut(&structs, 2, |star, i| star.place[i], |star, i, x| star.place[i] = x),
                ]);
                assert_eq!(memory.length(1), 4);
                assert_eq!(memory.read::<u64>(1)[3], 3.5f64.to_bits());
                memory.write::<u16>(0)[1] = 9;
                memory.write::<u64>(1)[2] = (-1.0f64).to_bits();
                if succeeds {
                    memory.commit();
                } else {
                    memory.roll_back();
                }
            }
            let after = [before[0], Star { mass: 9, place: [-1.0, 3.5] }];
            assert_eq!(stars, if succeeds { after } else { before });
        }
        let column = memory(vec![Argument::column(&before, 1, |star: &Star, _| star.mass)]);
        assert_eq!(column.read::<u16>(0), [1, 2]);
    }
}
