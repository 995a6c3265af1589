//! Atomic operations: one lane after the other, in lane order.

use crate::lanes::Registers;
use crate::memory::{Array, Memory, Written};
use crate::plan::{AtomicAccess, Place, Target};
use simt_core::LaneMask;
use simt_core::ops::AtomicOp;

/// Elements that atomics work on.
trait Elements {
    fn length(&self) -> usize;
    /// An element's bits; `None` if it has no value.
    fn get(&self, index: usize, lane: usize) -> Option<u64>;
    fn set(&mut self, index: usize, lane: usize, bits: u64);
}

macro_rules! elements {
    ($($word:ty)*) => {$(
        impl Elements for Written<'_, $word> {
            fn length(&self) -> usize {
                self.words().len()
            }
            fn get(&self, index: usize, _lane: usize) -> Option<u64> {
                self.words().get(index).map(|&word| word.into())
            }
            fn set(&mut self, index: usize, _lane: usize, bits: u64) {
                self.set(index, bits as $word);
            }
        }
    )*};
}
elements! { u8 u32 u64 }

impl Elements for Array {
    fn length(&self) -> usize {
        Self::length(self)
    }
    fn get(&self, index: usize, lane: usize) -> Option<u64> {
        Self::get(self, index, lane)
    }
    fn set(&mut self, index: usize, lane: usize, bits: u64) {
        Self::set(self, index, lane, bits);
    }
}

impl AtomicAccess {
    #[inline(never)]
    pub(super) fn run(&self, registers: &mut Registers, memory: &mut Memory<'_>) -> Option<usize> {
        memory.serial += u64::from(registers.mask.bits.count_ones());
        match self.target {
            Target::Bytes => self.serialised(registers, &mut memory.atomics::<u8>(self.slot)),
            Target::Words => self.serialised(registers, &mut memory.atomics::<u32>(self.slot)),
            Target::Wides => self.serialised(registers, &mut memory.atomics::<u64>(self.slot)),
            Target::Array => self.serialised(registers, memory.array_mut(self.slot)?),
        }
    }

    fn serialised(&self, registers: &mut Registers, elements: &mut impl Elements) -> Option<usize> {
        let length = elements.length();
        // The destination may be the row of an operand: all operands are read before it is written.
        let indices = lanes(registers, Some(self.index));
        let [first, second] = self.operands.map(|place| lanes(registers, place));
        let (reads, writes) = (self.op != AtomicOp::Store, self.op != AtomicOp::Load);
        for lane in LaneMask(registers.mask.bits).lanes() {
            let index = indices[lane] as usize;
            let old = match elements.get(index, lane) {
                Some(old) => old,
                // Only a store does not need the old value.
                None if !reads && index < length => 0,
                None => return Some(lane),
            };
            if writes {
                elements.set(index, lane, (self.meaning)(old, first[lane], second[lane]));
            }
            if let Some(dst) = self.dst {
                registers.set(dst, lane, old);
            }
        }
        None
    }
}

/// The value of each lane in a row.
#[inline(always)]
fn lanes(registers: &Registers, place: Option<Place>) -> [u64; 64] {
    let mut lanes = [0; 64];
    let chunks = registers.chunks;
    match place {
        Some(Place::Word(row)) => {
            let row = registers.words[row as usize * chunks..][..chunks].iter().flat_map(|chunk| &chunk.0);
            lanes.iter_mut().zip(row).for_each(|(lane, &word)| *lane = word.into());
        }
        Some(Place::Wide(row)) => {
            let row = registers.wides[row as usize * chunks..][..chunks].iter().flat_map(|chunk| &chunk.0);
            lanes.iter_mut().zip(row).for_each(|(lane, &word)| *lane = word);
        }
        Some(Place::Predicate(row)) => {
            let bits = registers.predicates[row as usize];
            lanes.iter_mut().enumerate().for_each(|(number, lane)| *lane = bits >> number & 1);
        }
        None => {}
    }
    lanes
}
