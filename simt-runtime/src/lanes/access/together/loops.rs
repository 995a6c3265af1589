//! Loads and stores of elements whose places are known.

use super::super::address::stored;
use crate::lanes::isa::Isa;
use crate::lanes::row::{Any, MAX_CHUNKS, Registers, RowWidth, Word};
use crate::memory::CHUNK;
use crate::memory::device::bytes::{Elements, ElementsMut};
use crate::memory::spaces::{Spaces, Stretch};
use crate::plan::{AddressAccess, AddressKind};
use simt_core::LaneMask;
use simt_core::ops::AtomicOp;

/// The number of each lane's element.
pub(super) type Numbers = [[u32; CHUNK]; MAX_CHUNKS];

#[inline(always)]
fn number(numbers: &Numbers, lane: usize) -> usize {
    numbers[lane / CHUNK % MAX_CHUNKS][lane % CHUNK] as usize
}

/// A word of a row, as it lies in memory.
pub(super) trait Held<const N: usize>: Word + Into<u64> {
    fn from_bytes(bytes: [u8; N]) -> Self;
    fn to_bytes(self) -> [u8; N];
    fn from_bits(bits: u64) -> Self;
}
macro_rules! held {
    ($($word:ty: $bytes:literal;)*) => {$(
        impl Held<$bytes> for $word {
            #[inline(always)]
            fn from_bytes(bytes: [u8; $bytes]) -> Self { Self::from_le_bytes(bytes) }
            #[inline(always)]
            fn to_bytes(self) -> [u8; $bytes] { self.to_le_bytes() }
            #[inline(always)]
            fn from_bits(bits: u64) -> Self { bits as Self }
        }
    )*};
}
held! { u32: 4; u64: 8; }

impl AddressAccess {
    #[inline(always)]
    pub(super) fn store_row<const N: usize, T: Held<N>>(
        &self,
        registers: &mut Registers,
        spaces: &mut Spaces<'_>,
        stretch: Stretch,
        first: usize,
        value: u16,
        isa: impl Isa,
    ) -> Option<()> {
        let (width, mask) = (Any(registers.chunks), registers.mask);
        let active = LaneMask(mask.bits);
        if stretch.is_kept() {
            // What is between the two is in the pages of one or the other.
            for lane in [mask.bits.trailing_zeros(), 63 - mask.bits.leading_zeros()] {
                spaces.keep(stretch, first.wrapping_add(lane as usize) * N);
            }
        }
        let mut elements = spaces.elements_mut::<N>(stretch, registers.lanes)?;
        let row = width.row(T::rows(registers), value);
        let end = first.checked_add(row.len() * CHUNK)?;
        let memory = elements.all.get_mut(first..end)?;
        let is_float = self.ty.is_float();
        for (part, (chunk, memory)) in row.iter().zip(memory.as_chunks_mut::<CHUNK>().0).enumerate() {
            let mut new = chunk.0;
            if is_float {
                for new in &mut new {
                    *new = T::from_bits(stored((*new).into(), self.ty));
                }
            }
            if !mask.is_full() {
                let mut old = [T::default(); CHUNK];
                for (old, &memory) in old.iter_mut().zip(&*memory) {
                    *old = T::from_bytes(memory);
                }
                new = T::blend(isa, active.0, part, new, old);
            }
            for (memory, new) in memory.iter_mut().zip(new) {
                *memory = new.to_bytes();
            }
        }
        if !elements.are_full() {
            if mask.is_full() {
                elements.mark(first, end - first);
            } else {
                for lane in active.lanes() {
                    elements.mark(first + lane, 1);
                }
            }
        }
        Some(())
    }

    #[inline(always)]
    pub(super) fn store<const N: usize, T: Held<N>>(
        &self,
        registers: &mut Registers,
        spaces: &mut Spaces<'_>,
        stretch: Stretch,
        numbers: &Numbers,
        value: u16,
    ) -> Option<()> {
        let (width, active) = (Any(registers.chunks), LaneMask(registers.mask.bits));
        let elements = to_write::<N>(spaces, registers, stretch, active, numbers)?;
        let row = width.row(T::rows(registers), value);
        // In lane order: of two lanes that write one address, the higher one wins.
        for lane in active.lanes() {
            if let Some(element) = elements.all.get_mut(number(numbers, lane)) {
                let value = row[lane / CHUNK].0[lane % CHUNK];
                *element = T::from_bits(stored(value.into(), self.ty)).to_bytes();
            }
        }
        Some(())
    }

    /// As the loops of rows, for values that are not kept in rows as in memory.
    #[inline(never)]
    pub(super) fn lane_by_lane<const N: usize>(
        &self,
        registers: &mut Registers,
        spaces: &mut Spaces<'_>,
        stretch: Stretch,
        numbers: &Numbers,
    ) -> Option<()> {
        let active = LaneMask(registers.mask.bits);
        match self.kind {
            AddressKind::Load { dst } => {
                let elements = spaces.elements::<N>(stretch, registers.lanes)?;
                if !has_all(&elements, active, numbers) {
                    return None;
                }
                for lane in active.lanes() {
                    let mut bits = [0; 8];
                    bits.get_mut(..N)?.copy_from_slice(elements.all.get(number(numbers, lane))?);
                    registers.set(dst, lane, self.shown(u64::from_le_bytes(bits)));
                }
            }
            AddressKind::Store { value } => {
                let elements = to_write::<N>(spaces, registers, stretch, active, numbers)?;
                for lane in active.lanes() {
                    let bits = stored(registers.get(value, lane), self.ty).to_le_bytes();
                    elements.all.get_mut(number(numbers, lane))?.copy_from_slice(bits.get(..N)?);
                }
            }
            AddressKind::Atomic { op, meaning, operands, dst } => {
                // Only a store does not need the old value.
                if op != AtomicOp::Store && !has_all(&spaces.elements::<N>(stretch, registers.lanes)?, active, numbers)
                {
                    return None;
                }
                let elements = to_write::<N>(spaces, registers, stretch, active, numbers)?;
                // In lane order: lanes that work on one element see what those before them have left.
                for lane in active.lanes() {
                    let element = elements.all.get_mut(number(numbers, lane))?;
                    let mut old = [0; 8];
                    old.get_mut(..N)?.copy_from_slice(element);
                    let old = u64::from_le_bytes(old);
                    if op != AtomicOp::Load {
                        let operand = |number: usize| operands[number].map_or(0, |place| registers.get(place, lane));
                        let (first, second) = (operand(0), operand(1));
                        element.copy_from_slice(meaning(old, first, second).to_le_bytes().get(..N)?);
                    }
                    if let Some(dst) = dst {
                        registers.set(dst, lane, old);
                    }
                }
            }
        }
        Some(())
    }
}

/// The elements, of which the active lanes will write theirs.
#[inline(always)]
fn to_write<'m, const N: usize>(
    spaces: &'m mut Spaces<'_>,
    registers: &Registers,
    stretch: Stretch,
    active: LaneMask,
    numbers: &Numbers,
) -> Option<ElementsMut<'m, N>> {
    if stretch.is_kept() {
        for lane in active.lanes() {
            spaces.keep(stretch, number(numbers, lane) * N);
        }
    }
    let mut elements = spaces.elements_mut::<N>(stretch, registers.lanes)?;
    if !elements.are_full() {
        for lane in active.lanes() {
            elements.mark(number(numbers, lane), 1);
        }
    }
    Some(elements)
}

/// Whether the elements of the active lanes have values.
#[inline(always)]
fn has_all<const N: usize>(elements: &Elements<'_, N>, active: LaneMask, numbers: &Numbers) -> bool {
    if !elements.are_full() {
        for lane in active.lanes() {
            if !elements.has(number(numbers, lane)) {
                return false;
            }
        }
    }
    true
}

#[inline(always)]
pub(super) fn load_row<const N: usize, T: Held<N>>(
    registers: &mut Registers,
    spaces: &Spaces<'_>,
    stretch: Stretch,
    first: usize,
    dst: u16,
    isa: impl Isa,
) -> Option<()> {
    let (width, mask) = (Any(registers.chunks), registers.mask);
    let elements = spaces.elements::<N>(stretch, registers.lanes)?;
    if !elements.are_full() {
        for lane in LaneMask(mask.bits).lanes() {
            if !elements.has(first.wrapping_add(lane)) {
                return None;
            }
        }
    }
    let row = width.row_mut(T::rows(registers), dst);
    let memory = elements.all.get(first..first.checked_add(row.len() * CHUNK)?)?;
    for (part, (chunk, memory)) in row.iter_mut().zip(memory.as_chunks::<CHUNK>().0).enumerate() {
        let mut new = [T::default(); CHUNK];
        for (new, &memory) in new.iter_mut().zip(memory) {
            *new = T::from_bytes(memory);
        }
        chunk.0 = if mask.is_full() { new } else { T::blend(isa, mask.bits, part, new, chunk.0) };
    }
    Some(())
}

#[inline(always)]
pub(super) fn load<const N: usize, T: Held<N>>(
    registers: &mut Registers,
    spaces: &Spaces<'_>,
    stretch: Stretch,
    numbers: &Numbers,
    dst: u16,
    isa: impl Isa,
) -> Option<()> {
    let (width, active) = (Any(registers.chunks), LaneMask(registers.mask.bits));
    let elements = spaces.elements::<N>(stretch, registers.lanes)?;
    if !has_all(&elements, active, numbers) {
        return None;
    }
    let row = width.row_mut(T::rows(registers), dst);
    for (part, (chunk, numbers)) in row.iter_mut().zip(numbers).enumerate() {
        // An inactive lane reads element 0, and forgets it.
        let numbers = isa.blend_words(active.0, part, *numbers, [0; CHUNK]);
        let mut new = [T::default(); CHUNK];
        for (new, number) in new.iter_mut().zip(numbers) {
            if let Some(&element) = elements.all.get(number as usize) {
                *new = T::from_bytes(element);
            }
        }
        chunk.0 = T::blend(isa, active.0, part, new, chunk.0);
    }
    Some(())
}
