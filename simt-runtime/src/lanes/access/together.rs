//! Loads and stores by address of lanes that are at one allocation, symbol or parameter: it is looked up once.
//!
//! PERF: they are nearly all there are. Addresses that follow each other are a row; others become the numbers of elements, which
//! are bounded and used as those of slices and arrays are: lanes one by one take five times as long. Loops in place of
//! closures: those are not compiled for the instruction set unless they are inlined, and what a lane does is too much for that.

mod loops;

use crate::lanes::isa::Isa;
use crate::lanes::row::{Any, MAX_CHUNKS, Registers, RowWidth};
use crate::memory::CHUNK;
use crate::memory::spaces::{Spaces, Stretch};
use crate::plan::{AddressAccess, AddressKind, Place};
use loops::{Numbers, load, load_row};
use simt_core::LaneMask;

impl AddressAccess {
    /// Runs a load or store for all active lanes together. `None` if it cannot, and nothing has happened: lanes one by one then
    /// say what is wrong, if anything is.
    #[inline(always)]
    pub(super) fn together(&self, registers: &mut Registers, spaces: &mut Spaces<'_>, isa: impl Isa) -> Option<()> {
        let active = LaneMask(registers.mask.bits);
        let lane = active.lanes().next()?;
        let (bytes, address) = (self.bytes(), self.address(registers, lane));
        let stretch = self.stretch(spaces, address)?;
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

    /// Runs an atomic operation for all active lanes, one after the other, in memory that is found once. `None` as of
    /// [`together`](Self::together).
    pub(super) fn atomics_together(
        &self,
        registers: &mut Registers,
        spaces: &mut Spaces<'_>,
        isa: impl Isa,
    ) -> Option<()> {
        let lane = LaneMask(registers.mask.bits).lanes().next()?;
        let stretch = self.stretch(spaces, self.address(registers, lane))?;
        let mut numbers = [[0; CHUNK]; MAX_CHUNKS];
        self.number(registers, stretch, &mut numbers, isa)?;
        match self.bytes() {
            1 => self.lane_by_lane::<1>(registers, spaces, stretch, &numbers),
            2 => self.lane_by_lane::<2>(registers, spaces, stretch, &numbers),
            4 => self.lane_by_lane::<4>(registers, spaces, stretch, &numbers),
            8 => self.lane_by_lane::<8>(registers, spaces, stretch, &numbers),
            _ => None,
        }
    }

    /// What has an address, if elements there lie at multiples of their size.
    #[inline(always)]
    fn stretch(&self, spaces: &mut Spaces<'_>, address: u64) -> Option<Stretch> {
        let bytes = self.bytes();
        let stretch = spaces.stretch(self.space, address, bytes)?;
        if stretch.first & (bytes as u64 - 1) != 0 || stretch.step & (bytes - 1) != 0 {
            return None;
        }
        // No sum of what lies there wraps.
        if let Place::Word(_) = self.base {
            u32::try_from(stretch.first + stretch.size).ok()?;
        }
        Some(stretch)
    }

    /// If each lane's element is that of the lane before plus 1: that of lane 0, which may be before the first if that lane is
    /// not active. The lowest active lane has this address.
    #[inline(always)]
    fn row(&self, registers: &Registers, stretch: Stretch, lane: usize, address: u64, isa: impl Isa) -> Option<usize> {
        let (bytes, width, active) = (self.bytes(), Any(registers.chunks), registers.mask.bits);
        let shift = bytes.trailing_zeros();
        // The lanes whose address is another one, found in words of the address's own width.
        macro_rules! differing {
            ($word:ty, $bases:expr) => {{
                let bases = $bases;
                let mut next = bases[lane / CHUNK].0[lane % CHUNK].wrapping_sub((lane as $word) << shift);
                let mut differ = 0;
                for (part, base) in bases.iter().enumerate() {
                    let mut differs = [0; CHUNK];
                    for (lane, (differs, &base)) in (0..).zip(differs.iter_mut().zip(&base.0)) {
                        *differs = if base == next.wrapping_add(lane << shift) { 0 } else { !0 };
                    }
                    differ |= isa.movemask(differs) << (part * CHUNK);
                    next = next.wrapping_add((CHUNK as $word) << shift);
                }
                differ
            }};
        }
        let differ = match self.base {
            Place::Word(base) => differing!(u32, width.row(&registers.words, base)),
            Place::Wide(base) => differing!(u64, width.row(&registers.wides, base)),
            Place::Predicate(_) => return None,
        };
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
                    for (number, &base) in numbers.iter_mut().zip(&base.0) {
                        *number = base.wrapping_add(plus).rotate_right(shift);
                    }
                    for (beyond, &number) in beyond.iter_mut().zip(&*numbers) {
                        *beyond = if number > last { !0 } else { 0 };
                    }
                    outside |= isa.movemask(beyond) << (part * CHUNK);
                }
            }
            Place::Wide(base) => {
                let (plus, last) = ((i64::from(self.offset) as u64).wrapping_sub(stretch.first), u64::from(last));
                for (part, (numbers, base)) in numbers.iter_mut().zip(width.row(&registers.wides, base)).enumerate() {
                    let (mut wide, mut beyond) = ([0_u64; CHUNK], [0; CHUNK]);
                    for (number, &base) in wide.iter_mut().zip(&base.0) {
                        *number = base.wrapping_add(plus).rotate_right(shift);
                    }
                    for (beyond, &number) in beyond.iter_mut().zip(&wide) {
                        *beyond = if number > last { !0 } else { 0 };
                    }
                    for (number, &wide) in numbers.iter_mut().zip(&wide) {
                        *number = wide as u32;
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
}
