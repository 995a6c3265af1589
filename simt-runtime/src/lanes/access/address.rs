//! Memory by address: all lanes together if they can, else one after the other, in lane order.

use super::runs::Runs;
use crate::lanes::Registers;
use crate::lanes::isa::Isa;
use crate::lanes::row::MAX_LANES;
use crate::memory::Memory;
use crate::memory::races::{Races, Strength};
use crate::memory::spaces::{Spaces, resolve};
use crate::plan::{AddressAccess, AddressKind, Place, WatchedAddress, WatchedKind};
use simt_core::code::AddressSpace;
use simt_core::ops::AtomicOp;
use simt_core::program::{AtomicOrder, FenceScope};
use simt_core::{LaneMask, ScalarType};

impl AddressAccess {
    /// The address that a lane accesses.
    #[inline(always)]
    pub(crate) fn address(&self, registers: &Registers, lane: usize) -> u64 {
        let base = registers.get(self.base, lane);
        match self.base {
            // In the window of a space, whose addresses have 32 bits.
            Place::Word(_) => u64::from((base as u32).wrapping_add_signed(self.offset)),
            _ => base.wrapping_add_signed(self.offset.into()),
        }
    }

    /// Runs it for the active lanes; returns the lowest lane that faulted.
    #[inline(always)]
    pub(super) fn run(&self, registers: &mut Registers, memory: &mut Memory<'_>, isa: impl Isa) -> Option<usize> {
        if let AddressKind::Atomic { .. } = self.kind {
            return self.run_atomic(registers, memory, isa);
        }
        if let Some(spaces) = memory.spaces.as_deref_mut()
            && self.together(registers, spaces, isa).is_some()
        {
            return None;
        }
        self.one_by_one(registers, memory)
    }

    #[inline(never)]
    fn run_atomic(&self, registers: &mut Registers, memory: &mut Memory<'_>, isa: impl Isa) -> Option<usize> {
        memory.serial += u64::from(registers.mask.bits.count_ones());
        if let Some(spaces) = memory.spaces.as_deref_mut()
            && self.atomics_together(registers, spaces, isa).is_some()
        {
            return None;
        }
        self.one_by_one(registers, memory)
    }

    /// As [`run`](Self::run), one lane after the other, in lane order.
    #[inline(never)]
    pub(super) fn one_by_one(&self, registers: &mut Registers, memory: &mut Memory<'_>) -> Option<usize> {
        let spaces = memory.spaces.as_deref_mut()?;
        let (space, bytes) = (self.space, self.bytes());
        match self.kind {
            AddressKind::Load { dst } => self.each(registers, |registers, lane, address| {
                let bits = spaces.load(space, address, bytes, lane)?;
                registers.set(dst, lane, self.shown(bits));
                Some(())
            }),
            AddressKind::Store { value } => self.each(registers, |registers, lane, address| {
                spaces.store(space, address, bytes, lane, stored(registers.get(value, lane), self.ty))
            }),
            AddressKind::Atomic { .. } => {
                self.each(registers, |registers, lane, address| self.change(registers, spaces, lane, address))
            }
        }
    }

    /// Does something for each active lane, until it cannot: returns that lane.
    #[inline(always)]
    fn each(
        &self,
        registers: &mut Registers,
        mut act: impl FnMut(&mut Registers, usize, u64) -> Option<()>,
    ) -> Option<usize> {
        LaneMask(registers.mask.bits).lanes().find(|&lane| {
            let address = self.address(registers, lane);
            act(registers, lane, address).is_none()
        })
    }

    /// An atomic operation of a lane.
    fn change(&self, registers: &mut Registers, spaces: &mut Spaces<'_>, lane: usize, address: u64) -> Option<()> {
        let old = self.changed(registers, spaces, lane, address)?;
        if let AddressKind::Atomic { dst: Some(dst), .. } = self.kind {
            registers.set(dst, lane, old);
        }
        Some(())
    }

    /// The same on memory alone: returns what was there.
    #[inline(always)]
    pub(super) fn changed(
        &self,
        registers: &Registers,
        spaces: &mut Spaces<'_>,
        lane: usize,
        address: u64,
    ) -> Option<u64> {
        let AddressKind::Atomic { op, meaning, operands, .. } = self.kind else { return None };
        let (space, bytes) = (self.space, self.bytes());
        let old = match spaces.load(space, address, bytes, lane) {
            Some(old) => old,
            // Only a store does not need the old value.
            None if op == AtomicOp::Store => 0,
            None => return None,
        };
        if op != AtomicOp::Load {
            let operand = |number: usize| operands[number].map_or(0, |place| registers.get(place, lane));
            let (first, second) = (operand(0), operand(1));
            spaces.store(space, address, bytes, lane, meaning(old, first, second))?;
        }
        Some(old)
    }

    /// A value of memory in the form of a row: extended by its own type, then kept as the register's keeps it.
    #[inline(always)]
    pub(super) fn shown(&self, bits: u64) -> u64 {
        extended(extended(bits, self.ty), self.register)
    }
}

/// A value of a row in the form of memory: any NaN is Rust's.
#[inline(always)]
pub(super) fn stored(bits: u64, ty: ScalarType) -> u64 {
    match ty {
        ScalarType::F32 if f32::from_bits(bits as u32).is_nan() => f32::NAN.to_bits().into(),
        ScalarType::F64 if f64::from_bits(bits).is_nan() => f64::NAN.to_bits(),
        _ => bits,
    }
}

/// The low bits of a value, extended by zeros or, of a signed type, by their sign.
#[inline(always)]
fn extended(bits: u64, ty: ScalarType) -> u64 {
    let unused = 64 - ty.bits();
    if ty.is_signed_int() { ((bits << unused) as i64 >> unused) as u64 } else { bits << unused >> unused }
}

impl WatchedAddress {
    /// Reports the active lanes' accesses; returns the lowest lane that races. One that cannot be is found by the access itself.
    #[inline(never)]
    pub(super) fn run(&self, registers: &Registers, memory: &mut Memory<'_>) -> Option<usize> {
        let mut races = memory.races.take()?;
        races.issue(false);
        let is_known = memory.modelled.is_none();
        let racing = memory.spaces.as_deref_mut().and_then(|spaces| {
            if let Some(racing) = self.tell_words(&mut races, registers, spaces, is_known) {
                return racing;
            }
            LaneMask(registers.mask.bits)
                .lanes()
                .find(|&lane| !self.tell(&mut races, lane, registers, spaces, is_known))
        });
        memory.races = Some(races);
        racing
    }

    /// Reports the accesses of all active lanes, if they are plain ones of words, as all before. Returns the lowest lane that races.
    fn tell_words(
        &self,
        races: &mut Races,
        registers: &Registers,
        spaces: &mut Spaces<'_>,
        is_known: bool,
    ) -> Option<Option<usize>> {
        const WORD: u64 = 4;
        let Self { pc, access, kind, volatile } = self;
        if *volatile || matches!(kind, WatchedKind::Atomic { .. }) || access.bytes() != WORD as usize {
            return None;
        }
        let slot = races.plain_words()?;
        let (mut words, mut values) = ([0; MAX_LANES], [0; MAX_LANES]);
        let (mut lanes, mut all_known) = (0, true);
        for lane in LaneMask(registers.mask.bits).lanes() {
            let (space, within) = resolve(access.space, access.address(registers, lane));
            if !matches!(space, AddressSpace::Global | AddressSpace::Shared)
                || !races.looks_at(space == AddressSpace::Shared)
            {
                continue;
            }
            let value = match *kind {
                WatchedKind::Store { value } => Some(stored(registers.get(value, lane), access.ty)),
                _ if is_known => spaces.load(space, within, WORD as usize, lane),
                _ => None,
            };
            // Where a value was found there is memory.
            let was_found = value.is_some() && matches!(kind, WatchedKind::Load);
            if !was_found && !spaces.is_there(space, within, WORD as usize) {
                continue;
            }
            lanes |= 1 << lane;
            words[lane] = (within + space.window()) / WORD;
            all_known &= value.is_some();
            // A register may be wider.
            values[lane] = value.unwrap_or(0) & u64::from(u32::MAX);
        }
        let (write, values) = (matches!(kind, WatchedKind::Store { .. }), all_known.then_some(&values));
        Some(Runs { indices: &words, lanes }.find_map(|run| run.tell(races, slot, *pc, write, values)))
    }

    /// Reports a lane's access; returns whether the lane may go on. What is in modelled memory is not known before the access.
    fn tell(
        &self,
        races: &mut Races,
        lane: usize,
        registers: &Registers,
        spaces: &mut Spaces<'_>,
        is_known: bool,
    ) -> bool {
        let Self { pc, access, kind, volatile } = self;
        let (address, count) = (access.address(registers, lane), access.bytes());
        let (space, within) = resolve(access.space, address);
        if !matches!(space, AddressSpace::Global | AddressSpace::Shared) || !spaces.is_there(space, within, count) {
            return true;
        }
        let generic = within + space.window();
        let (looks, then) = (races.looks_at(space == AddressSpace::Shared), races.now(lane));
        let plain = if *volatile { Strength::Volatile } else { Strength::Plain };
        if *volatile {
            // As strong as a relaxed atomic: PTX ISA, memory consistency model.
            let writes = matches!(kind, WatchedKind::Store { .. });
            races.atomic_at((generic, count), lane, (AtomicOrder::Relaxed, FenceScope::Device), !writes, writes);
        }
        let (write, value, strength) = match *kind {
            WatchedKind::Atomic { order, scope, reads, writes } => {
                races.atomic_at((generic, count), lane, (order, scope), reads, writes);
                (writes, None, Strength::of_atomic(scope))
            }
            WatchedKind::Load if looks && is_known => (false, spaces.load(space, within, count, lane), plain),
            WatchedKind::Load => (false, None, plain),
            WatchedKind::Store { value } => (true, Some(stored(registers.get(value, lane), access.ty)), plain),
        };
        !looks || races.access_at((generic, count), (lane, then), *pc, write, value, strength)
    }
}
