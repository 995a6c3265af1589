//! Loads and stores by address of lanes that are at one allocation, symbol or parameter: it is looked up once.
//!
//! PERF: they are nearly all there are. Addresses that follow each other are a row; others become the numbers of elements, which
//! are bounded and used as those of slices and arrays are: lanes one by one take five times as long. Loops in place of
//! closures: those are not compiled for the instruction set unless they are inlined, and what a lane does is too much for that.

use super::address::stored;
use crate::lanes::isa::Isa;
use crate::lanes::row::{Any, MAX_CHUNKS, Registers, RowWidth, Word};
use crate::memory::CHUNK;
use crate::memory::device::bytes::{Elements, ElementsMut};
use crate::memory::spaces::{Spaces, Stretch};
use crate::plan::{AddressAccess, AddressKind, Place};
use simt_core::LaneMask;

/// The number of each lane's element.
type Numbers = [[u32; CHUNK]; MAX_CHUNKS];

#[inline(always)]
fn number(numbers: &Numbers, lane: usize) -> usize {
    numbers[lane / CHUNK % MAX_CHUNKS][lane % CHUNK] as usize
}

/// A word of a row, as it lies in memory.
trait Held<const N: usize>: Word + Into<u64> {
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
    /// Runs a load or store for all active lanes together. `None` if it cannot, and nothing has happened: lanes one by one then
    /// say what is wrong, if anything is.
    #[inline(always)]
    pub(super) fn together(&self, registers: &mut Registers, spaces: &mut Spaces<'_>, isa: impl Isa) -> Option<()> {
        let active = LaneMask(registers.mask.bits);
        let lane = active.lanes().next()?;
        if matches!(self.kind, AddressKind::Atomic { .. }) {
            return None;
        }
        let (bytes, address) = (self.bytes(), self.address(registers, lane));
        let stretch = spaces.stretch(self.space, address, bytes)?;
        if stretch.first & (bytes as u64 - 1) != 0 || stretch.step & (bytes - 1) != 0 {
            return None;
        }
        // No sum of what lies there wraps.
        if let Place::Word(_) = self.base {
            u32::try_from(stretch.first + stretch.size).ok()?;
        }
        if let Some(first) = self.row(registers, stretch, lane, address, isa) {
            let done = match (self.kind, bytes) {
                (AddressKind::Load { dst: Place::Word(dst) }, 4) => {
                    load_row::<4, u32>(registers, spaces, stretch, first, dst, isa)
                }
                (AddressKind::Load { dst: Place::Wide(dst) }, 8) => {
                    load_row::<8, u64>(registers, spaces, stretch, first, dst, isa)
                }
                (AddressKind::Store { value: Place::Word(row) }, 4) => {
                    self.store_row::<4, u32>(registers, spaces, stretch, first, row, isa)
                }
                (AddressKind::Store { value: Place::Wide(row) }, 8) => {
                    self.store_row::<8, u64>(registers, spaces, stretch, first, row, isa)
                }
                _ => None,
            };
            if done.is_some() {
                return done;
            }
        }
        let mut numbers = [[0; CHUNK]; MAX_CHUNKS];
        self.number(registers, stretch, &mut numbers, isa)?;
        match (self.kind, bytes) {
            (AddressKind::Load { dst: Place::Word(dst) }, 4) => {
                load::<4, u32>(registers, spaces, stretch, &numbers, dst, isa)
            }
            (AddressKind::Load { dst: Place::Wide(dst) }, 8) => {
                load::<8, u64>(registers, spaces, stretch, &numbers, dst, isa)
            }
            (AddressKind::Store { value: Place::Word(row) }, 4) => {
                self.store::<4, u32>(registers, spaces, stretch, &numbers, row)
            }
            (AddressKind::Store { value: Place::Wide(row) }, 8) => {
                self.store::<8, u64>(registers, spaces, stretch, &numbers, row)
            }
            (_, 1) => self.lane_by_lane::<1>(registers, spaces, stretch, &numbers),
            (_, 2) => self.lane_by_lane::<2>(registers, spaces, stretch, &numbers),
            (_, 4) => self.lane_by_lane::<4>(registers, spaces, stretch, &numbers),
            _ => None,
        }
    }

    /// If each lane's element is that of the lane before plus 1: that of lane 0, which may be before the first if that lane is
    /// not active. The lowest active lane has this address.
    #[inline(always)]
    fn row(&self, registers: &Registers, stretch: Stretch, lane: usize, address: u64, isa: impl Isa) -> Option<usize> {
        let (bytes, width, active) = (self.bytes(), Any(registers.chunks), registers.mask.bits);
        let shift = bytes.trailing_zeros();
        let mut differ = 0;
        match self.base {
            Place::Word(base) => {
                let base = width.row(&registers.words, base);
                let mut next = base[lane / CHUNK].0[lane % CHUNK].wrapping_sub((lane as u32) << shift);
                for (part, base) in base.iter().enumerate() {
                    let mut differs = [0; CHUNK];
                    for lane in 0..CHUNK {
                        differs[lane] = if base.0[lane] == next.wrapping_add((lane as u32) << shift) { 0 } else { !0 };
                    }
                    differ |= isa.movemask(differs) << (part * CHUNK);
                    next = next.wrapping_add((CHUNK as u32) << shift);
                }
            }
            Place::Wide(base) => {
                let base = width.row(&registers.wides, base);
                let mut next = base[lane / CHUNK].0[lane % CHUNK].wrapping_sub((lane as u64) << shift);
                for (part, base) in base.iter().enumerate() {
                    let mut differs = [0; CHUNK];
                    for lane in 0..CHUNK {
                        differs[lane] = if base.0[lane] == next.wrapping_add((lane as u64) << shift) { 0 } else { !0 };
                    }
                    differ |= isa.movemask(differs) << (part * CHUNK);
                    next = next.wrapping_add((CHUNK as u64) << shift);
                }
            }
            Place::Predicate(_) => return None,
        }
        let at = address.wrapping_sub(stretch.first);
        let behind = (63 - active.leading_zeros() as usize - lane) << shift;
        let is_there = at & (bytes as u64 - 1) == 0 && at + (behind + bytes) as u64 <= stretch.size;
        // Elements of threads are not side by side.
        (differ & active == 0 && is_there && stretch.step == 0).then(|| ((at >> shift) as usize).wrapping_sub(lane))
    }

    /// Numbers the elements of the active lanes; `None` if one of them is misaligned, or not there.
    #[inline(always)]
    fn number(&self, registers: &Registers, stretch: Stretch, numbers: &mut Numbers, isa: impl Isa) -> Option<()> {
        let (bytes, width) = (self.bytes(), Any(registers.chunks));
        let shift = bytes.trailing_zeros();
        let last = u32::try_from((stretch.size - bytes as u64) >> shift).ok()?;
        let mut outside = 0;
        // The low bits of a distance become its high bits, so that one comparison finds what is misaligned, too.
        match self.base {
            Place::Word(base) => {
                let plus = (self.offset as u32).wrapping_sub(stretch.first as u32);
                for (part, (numbers, base)) in numbers.iter_mut().zip(width.row(&registers.words, base)).enumerate() {
                    let mut beyond = [0; CHUNK];
                    for lane in 0..CHUNK {
                        numbers[lane] = base.0[lane].wrapping_add(plus).rotate_right(shift);
                    }
                    for lane in 0..CHUNK {
                        beyond[lane] = if numbers[lane] > last { !0 } else { 0 };
                    }
                    outside |= isa.movemask(beyond) << (part * CHUNK);
                }
            }
            Place::Wide(base) => {
                let (plus, last) = ((i64::from(self.offset) as u64).wrapping_sub(stretch.first), u64::from(last));
                for (part, (numbers, base)) in numbers.iter_mut().zip(width.row(&registers.wides, base)).enumerate() {
                    let (mut wide, mut beyond) = ([0; CHUNK], [0; CHUNK]);
                    for lane in 0..CHUNK {
                        wide[lane] = base.0[lane].wrapping_add(plus).rotate_right(shift);
                    }
                    for lane in 0..CHUNK {
                        beyond[lane] = if wide[lane] > last { !0 } else { 0 };
                    }
                    for lane in 0..CHUNK {
                        numbers[lane] = wide[lane] as u32;
                    }
                    outside |= isa.movemask(beyond) << (part * CHUNK);
                }
            }
            Place::Predicate(_) => return None,
        }
        if stretch.step != 0 {
            // The number of the last thread's last.
            let end = stretch.step.checked_mul(registers.lanes)?.checked_add(stretch.size as usize)?;
            u32::try_from(end).ok()?;
            let step = (stretch.step >> shift) as u32;
            for (part, numbers) in numbers.iter_mut().enumerate() {
                for (lane, number) in numbers.iter_mut().enumerate() {
                    *number = number.wrapping_add(step.wrapping_mul((part * CHUNK + lane) as u32));
                }
            }
        }
        (outside & registers.mask.bits == 0).then_some(())
    }

    #[inline(always)]
    fn store_row<const N: usize, T: Held<N>>(
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
                for lane in 0..CHUNK {
                    new[lane] = T::from_bits(stored(chunk.0[lane].into(), self.ty));
                }
            }
            if !mask.is_full() {
                let mut old = [T::default(); CHUNK];
                for lane in 0..CHUNK {
                    old[lane] = T::from_bytes(memory[lane]);
                }
                new = T::blend(isa, active.0, part, new, old);
            }
            for lane in 0..CHUNK {
                memory[lane] = new[lane].to_bytes();
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
    fn store<const N: usize, T: Held<N>>(
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
    fn lane_by_lane<const N: usize>(
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
            AddressKind::Atomic { .. } => return None,
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
fn load_row<const N: usize, T: Held<N>>(
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
        for lane in 0..CHUNK {
            new[lane] = T::from_bytes(memory[lane]);
        }
        chunk.0 = if mask.is_full() { new } else { T::blend(isa, mask.bits, part, new, chunk.0) };
    }
    Some(())
}

#[inline(always)]
fn load<const N: usize, T: Held<N>>(
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
        for lane in 0..CHUNK {
            if let Some(&element) = elements.all.get(numbers[lane] as usize) {
                new[lane] = T::from_bytes(element);
            }
        }
        chunk.0 = T::blend(isa, active.0, part, new, chunk.0);
    }
    Some(())
}
