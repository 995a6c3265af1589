//! Loads and stores by address of lanes that are at one allocation, symbol or parameter: it is looked up once.
//!
//! PERF: they are nearly all there are. Addresses become the numbers of elements, which are bounded and loaded as those of slices
//! and arrays are: lanes one by one take five times as long. Loops, no closures: those are not compiled for the instruction set
//! unless they are inlined, and what each lane does is too much for that.

use super::address::stored;
use crate::lanes::isa::Isa;
use crate::lanes::row::{Any, MAX_CHUNKS, RowWidth, Word};
use crate::lanes::{CHUNK, Registers};
use crate::memory::spaces::{Spaces, Stretch};
use crate::plan::{AddressAccess, AddressKind, Place};
use simt_core::LaneMask;

/// Where the active lanes are in a stretch of memory.
struct Indices {
    stretch: Stretch,
    /// The numbers of their elements.
    of: [[u32; CHUNK]; MAX_CHUNKS],
    /// If each is that of lane 0 plus the lane: that of lane 0, which may be before the first if that lane is not active.
    row: Option<usize>,
    active: LaneMask,
}

impl Indices {
    #[inline(always)]
    fn of(&self, lane: usize) -> usize {
        self.of[lane / CHUNK % MAX_CHUNKS][lane % CHUNK] as usize
    }
}

/// A word of a row, whose low `N` bytes are in memory.
trait Held<const N: usize>: Word + Into<u64> {
    /// Extended by zeros.
    fn from_bytes(bytes: [u8; N]) -> Self;
    fn to_bytes(self) -> [u8; N];
    fn from_bits(bits: u64) -> Self;
}
macro_rules! held {
    ($($word:ty: $($bytes:literal $int:ty),*;)*) => {$($(
        impl Held<$bytes> for $word {
            #[inline(always)]
            fn from_bytes(bytes: [u8; $bytes]) -> Self { <$int>::from_le_bytes(bytes) as Self }
            #[inline(always)]
            fn to_bytes(self) -> [u8; $bytes] { (self as $int).to_le_bytes() }
            #[inline(always)]
            fn from_bits(bits: u64) -> Self { bits as Self }
        }
    )*)*};
}
held! {
    u32: 1 u8, 2 u16, 4 u32;
    u64: 1 u8, 2 u16, 4 u32, 8 u64;
}

impl AddressAccess {
    /// Runs a load or store for all active lanes together. `None` if it cannot, and nothing has happened: lanes one by one then
    /// say what is wrong, if anything is.
    #[inline(always)]
    pub(super) fn together(&self, registers: &mut Registers, spaces: &mut Spaces<'_>, isa: impl Isa) -> Option<()> {
        if matches!(self.kind, AddressKind::Atomic { .. }) {
            return None;
        }
        let indices = self.indices(registers, spaces, isa)?;
        match (self.kind, self.bytes()) {
            (AddressKind::Load { dst: Place::Word(dst) }, 1) => {
                self.load::<1, u32>(registers, &indices, spaces, dst, isa)
            }
            (AddressKind::Load { dst: Place::Word(dst) }, 2) => {
                self.load::<2, u32>(registers, &indices, spaces, dst, isa)
            }
            (AddressKind::Load { dst: Place::Word(dst) }, 4) => {
                self.load::<4, u32>(registers, &indices, spaces, dst, isa)
            }
            (AddressKind::Load { dst: Place::Wide(dst) }, 1) => {
                self.load::<1, u64>(registers, &indices, spaces, dst, isa)
            }
            (AddressKind::Load { dst: Place::Wide(dst) }, 2) => {
                self.load::<2, u64>(registers, &indices, spaces, dst, isa)
            }
            (AddressKind::Load { dst: Place::Wide(dst) }, 4) => {
                self.load::<4, u64>(registers, &indices, spaces, dst, isa)
            }
            (AddressKind::Load { dst: Place::Wide(dst) }, 8) => {
                self.load::<8, u64>(registers, &indices, spaces, dst, isa)
            }
            (AddressKind::Store { value: Place::Word(row) }, 1) => {
                self.store::<1, u32>(registers, &indices, spaces, row, isa)
            }
            (AddressKind::Store { value: Place::Word(row) }, 2) => {
                self.store::<2, u32>(registers, &indices, spaces, row, isa)
            }
            (AddressKind::Store { value: Place::Word(row) }, 4) => {
                self.store::<4, u32>(registers, &indices, spaces, row, isa)
            }
            (AddressKind::Store { value: Place::Wide(row) }, 1) => {
                self.store::<1, u64>(registers, &indices, spaces, row, isa)
            }
            (AddressKind::Store { value: Place::Wide(row) }, 2) => {
                self.store::<2, u64>(registers, &indices, spaces, row, isa)
            }
            (AddressKind::Store { value: Place::Wide(row) }, 4) => {
                self.store::<4, u64>(registers, &indices, spaces, row, isa)
            }
            (AddressKind::Store { value: Place::Wide(row) }, 8) => {
                self.store::<8, u64>(registers, &indices, spaces, row, isa)
            }
            _ => None,
        }
    }

    /// Where the active lanes are; none if they are not all in what the first of them is in, or one is misaligned.
    #[inline(always)]
    fn indices(&self, registers: &Registers, spaces: &mut Spaces<'_>, isa: impl Isa) -> Option<Indices> {
        let (bytes, width) = (self.bytes(), Any(registers.chunks));
        let active = LaneMask(registers.mask.bits);
        let lane = active.lanes().next()?;
        let stretch = spaces.stretch(self.space, self.address(registers, lane), bytes)?;
        let (first, shift) = (stretch.first, bytes.trailing_zeros());
        if first & (bytes as u64 - 1) != 0 || stretch.step & (bytes - 1) != 0 {
            return None;
        }
        let last = u32::try_from((stretch.size - bytes as u64) >> shift).ok()?;
        let mut of = [[0; CHUNK]; MAX_CHUNKS];
        let mut outside = 0;
        // The low bits of a distance become its high bits, so that one comparison finds what is misaligned, too.
        match self.base {
            Place::Word(base) => {
                // No sum of what lies there wraps.
                u32::try_from(first + stretch.size).ok()?;
                let plus = (self.offset as u32).wrapping_sub(first as u32);
                for (part, (of, base)) in of.iter_mut().zip(width.row(&registers.words, base)).enumerate() {
                    let mut beyond = [0; CHUNK];
                    for lane in 0..CHUNK {
                        of[lane] = base.0[lane].wrapping_add(plus).rotate_right(shift);
                        beyond[lane] = if of[lane] > last { !0 } else { 0 };
                    }
                    outside |= isa.movemask(beyond) << (part * CHUNK);
                }
            }
            Place::Wide(base) => {
                let (plus, last) = ((i64::from(self.offset) as u64).wrapping_sub(first), u64::from(last));
                for (part, (of, base)) in of.iter_mut().zip(width.row(&registers.wides, base)).enumerate() {
                    let mut beyond = [0; CHUNK];
                    for lane in 0..CHUNK {
                        let number = base.0[lane].wrapping_add(plus).rotate_right(shift);
                        of[lane] = number as u32;
                        beyond[lane] = if number > last { !0 } else { 0 };
                    }
                    outside |= isa.movemask(beyond) << (part * CHUNK);
                }
            }
            Place::Predicate(_) => return None,
        }
        if outside & active.0 != 0 {
            return None;
        }
        if stretch.step != 0 {
            let step = u32::try_from(stretch.step >> shift).ok()?;
            u32::try_from(stretch.step * registers.lanes + stretch.size as usize).ok()?;
            for (part, of) in of.iter_mut().enumerate() {
                for (lane, of) in of.iter_mut().enumerate() {
                    *of = of.wrapping_add((part * CHUNK + lane) as u32 * step);
                }
            }
        }
        let start = of[lane / CHUNK][lane % CHUNK].wrapping_sub(lane as u32);
        let mut elsewhere = 0;
        for (part, of) in of.iter().enumerate().take(width.chunks()) {
            let next = start.wrapping_add((part * CHUNK) as u32);
            let mut differs = [0; CHUNK];
            for lane in 0..CHUNK {
                differs[lane] = if of[lane] == next.wrapping_add(lane as u32) { 0 } else { !0 };
            }
            elsewhere |= isa.movemask(differs) << (part * CHUNK);
        }
        Some(Indices { stretch, of, row: (elsewhere & active.0 == 0).then_some(start as usize), active })
    }

    #[inline(always)]
    fn load<const N: usize, T: Held<N>>(
        &self,
        registers: &mut Registers,
        indices: &Indices,
        spaces: &Spaces<'_>,
        dst: u16,
        isa: impl Isa,
    ) -> Option<()> {
        let (width, active, is_full) = (Any(registers.chunks), indices.active, registers.mask.is_full());
        let elements = spaces.elements::<N>(indices.stretch, registers.lanes)?;
        if !elements.are_full() {
            for lane in active.lanes() {
                if !elements.has(indices.of(lane)) {
                    return None;
                }
            }
        }
        let row = width.row_mut(T::rows(registers), dst);
        let lanes = row.len() * CHUNK;
        if let Some(elements) = indices.row.and_then(|first| elements.all.get(first..first + lanes)) {
            for (part, (chunk, elements)) in row.iter_mut().zip(elements.as_chunks::<CHUNK>().0).enumerate() {
                let mut new = [T::default(); CHUNK];
                for (new, &element) in new.iter_mut().zip(elements) {
                    *new = self.held(element);
                }
                chunk.0 = if is_full { new } else { T::blend(isa, active.0, part, new, chunk.0) };
            }
        } else {
            for (part, (chunk, of)) in row.iter_mut().zip(&indices.of).enumerate() {
                // An inactive lane reads element 0, and forgets it.
                let of = isa.blend_words(active.0, part, *of, [0; CHUNK]);
                let mut new = [T::default(); CHUNK];
                for (new, of) in new.iter_mut().zip(of) {
                    if let Some(&element) = elements.all.get(of as usize) {
                        *new = self.held(element);
                    }
                }
                chunk.0 = T::blend(isa, active.0, part, new, chunk.0);
            }
        }
        Some(())
    }

    /// A value of memory in the form of a row.
    #[inline(always)]
    fn held<const N: usize, T: Held<N>>(&self, bytes: [u8; N]) -> T {
        let value = T::from_bytes(bytes);
        if N == size_of::<T>() { value } else { T::from_bits(self.shown(value.into())) }
    }

    #[inline(always)]
    fn store<const N: usize, T: Held<N>>(
        &self,
        registers: &mut Registers,
        indices: &Indices,
        spaces: &mut Spaces<'_>,
        value: u16,
        isa: impl Isa,
    ) -> Option<()> {
        let (width, active, is_full) = (Any(registers.chunks), indices.active, registers.mask.is_full());
        if indices.stretch.is_kept() {
            let ends = LaneMask(active.0 & active.0.wrapping_neg() | 1 << (63 - active.0.leading_zeros()));
            // What is between two elements of a row is in the pages of the two.
            for lane in if indices.row.is_some() { ends } else { active }.lanes() {
                spaces.keep(indices.stretch, indices.of(lane) * N);
            }
        }
        let mut elements = spaces.elements_mut::<N>(indices.stretch, registers.lanes)?;
        if !elements.are_full() {
            if let Some(first) = indices.row.filter(|_| is_full) {
                elements.mark(first, width.chunks() * CHUNK);
            } else {
                for lane in active.lanes() {
                    elements.mark(indices.of(lane), 1);
                }
            }
        }
        let row = width.row(T::rows(registers), value);
        let lanes = row.len() * CHUNK;
        if let Some(elements) = indices.row.and_then(|first| elements.all.get_mut(first..first + lanes)) {
            for (part, (chunk, elements)) in row.iter().zip(elements.as_chunks_mut::<CHUNK>().0).enumerate() {
                let (mut new, mut old) = ([T::default(); CHUNK], [T::default(); CHUNK]);
                for lane in 0..CHUNK {
                    new[lane] = T::from_bits(stored(chunk.0[lane].into(), self.ty));
                    old[lane] = T::from_bytes(elements[lane]);
                }
                let new = if is_full { new } else { T::blend(isa, active.0, part, new, old) };
                for (element, new) in elements.iter_mut().zip(new) {
                    *element = new.to_bytes();
                }
            }
        } else {
            // In lane order: of two lanes that write one address, the higher one wins.
            for lane in active.lanes() {
                if let Some(element) = elements.all.get_mut(indices.of(lane)) {
                    let value: T = row[lane / CHUNK].0[lane % CHUNK];
                    *element = T::from_bits(stored(value.into(), self.ty)).to_bytes();
                }
            }
        }
        Some(())
    }
}
