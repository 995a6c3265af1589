//! Atomic operations: one lane after the other, in lane order.

use crate::lanes::Registers;
use crate::memory::{Array, Memory, Written};
use crate::plan::{AtomicAccess, Target};
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
            #[inline(always)]
            fn length(&self) -> usize {
                self.words().len()
            }
            #[inline(always)]
            fn get(&self, index: usize, _lane: usize) -> Option<u64> {
                self.words().get(index).map(|&word| word.into())
            }
            #[inline(always)]
            fn set(&mut self, index: usize, _lane: usize, bits: u64) {
                self.set(index, bits as $word);
            }
        }
    )*};
}
elements! { u8 u32 u64 }

impl Elements for Array {
    #[inline(always)]
    fn length(&self) -> usize {
        Self::length(self)
    }
    #[inline(always)]
    fn get(&self, index: usize, lane: usize) -> Option<u64> {
        Self::get(self, index, lane)
    }
    #[inline(always)]
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
        let (length, [first, second]) = (elements.length(), self.operands);
        let (reads, writes) = (self.op != AtomicOp::Store, self.op != AtomicOp::Load);
        for lane in LaneMask(registers.mask.bits).lanes() {
            let value = |place| registers.get(place, lane);
            // The destination may be the row of an operand: a lane's operands are read before its own is written.
            let index = value(self.index) as usize;
            let (first, second) = (first.map_or(0, value), second.map_or(0, value));
            let old = match elements.get(index, lane) {
                Some(old) => old,
                // Only a store does not need the old value.
                None if !reads && index < length => 0,
                None => return Some(lane),
            };
            if writes {
                elements.set(index, lane, (self.meaning)(old, first, second));
            }
            if let Some(dst) = self.dst {
                registers.set(dst, lane, old);
            }
        }
        None
    }
}
