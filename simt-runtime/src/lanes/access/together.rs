//! Loads and stores of global memory by lanes that are at one allocation: it is looked up once.
//!
//! PERF: they are nearly all there are, and lanes one by one take five times as long where addresses follow each other.

use super::address::{extended, stored};
use crate::lanes::row::each_lane;
use crate::lanes::{CHUNK, Registers};
use crate::memory::spaces::Spaces;
use crate::plan::{AddressAccess, AddressKind, Place};
use simt_core::{LaneMask, ScalarType};

/// The addresses of the active lanes.
struct Addresses {
    of: [u64; 64],
    first: u64,
    last: u64,
    /// Whether all lanes of a row are active, and each address follows that of the lane before.
    consecutive: bool,
}

impl AddressAccess {
    /// Runs a load or store for all active lanes together. `None` if it cannot, and nothing has happened: lanes one by one then
    /// say what is wrong, if anything is.
    pub(super) fn together(&self, registers: &mut Registers, spaces: &mut Spaces<'_>) -> Option<()> {
        if matches!(self.kind, AddressKind::Atomic { .. }) {
            return None;
        }
        let bytes = self.bytes();
        let addresses = self.addresses(registers)?;
        let span = usize::try_from(addresses.last.checked_sub(addresses.first)?).ok()?.checked_add(bytes)?;
        let global = spaces.global(self.space, addresses.first, addresses.last)?;
        match self.kind {
            AddressKind::Load { dst } => {
                let memory = global.all(addresses.first, span)?;
                match bytes {
                    1 => self.load::<1>(registers, &addresses, memory, dst),
                    2 => self.load::<2>(registers, &addresses, memory, dst),
                    4 => self.load::<4>(registers, &addresses, memory, dst),
                    _ => self.load::<8>(registers, &addresses, memory, dst),
                }
            }
            AddressKind::Store { value } => {
                let memory = global.all_mut(addresses.first, span, addresses.consecutive)?;
                match bytes {
                    1 => self.store::<1>(registers, &addresses, memory, value),
                    2 => self.store::<2>(registers, &addresses, memory, value),
                    4 => self.store::<4>(registers, &addresses, memory, value),
                    _ => self.store::<8>(registers, &addresses, memory, value),
                }
            }
            AddressKind::Atomic { .. } => None,
        }
    }

    /// The addresses of the active lanes; none if one is misaligned, or their base is a word, or no lane is active.
    #[inline(always)]
    fn addresses(&self, registers: &Registers) -> Option<Addresses> {
        let Place::Wide(base) = self.base else { return None };
        let (offset, bytes) = (i64::from(self.offset) as u64, self.bytes() as u64);
        let mut of = [0; 64];
        let (chunks, _) = of.as_chunks_mut::<CHUNK>();
        let row = &registers.wides[base as usize * registers.chunks..][..registers.chunks];
        let (start, step) = (row.first()?.0[0].wrapping_add(offset), CHUNK as u64 * bytes);
        let (mut differ, mut next) = (start & (bytes - 1), start);
        for (addresses, chunk) in chunks.iter_mut().zip(row) {
            for (lane, (address, &base)) in addresses.iter_mut().zip(&chunk.0).enumerate() {
                *address = base.wrapping_add(offset);
                differ |= *address ^ next.wrapping_add(lane as u64 * bytes);
            }
            next = next.wrapping_add(step);
        }
        if differ == 0 && registers.mask.is_full() {
            return Some(Addresses { of, first: start, last: next.wrapping_sub(bytes), consecutive: true });
        }
        let (mut first, mut last, mut low) = (u64::MAX, 0, 0);
        for lane in LaneMask(registers.mask.bits).lanes() {
            first = first.min(of[lane]);
            last = last.max(of[lane]);
            low |= of[lane];
        }
        (first <= last && low & (bytes - 1) == 0).then_some(Addresses { of, first, last, consecutive: false })
    }

    /// Whether a row holds values as memory does.
    fn is_plain(&self) -> bool {
        self.ty.bits() == self.register.bits() && self.ty.bits() >= 32
    }

    #[inline(always)]
    fn load<const N: usize>(
        &self,
        registers: &mut Registers,
        addresses: &Addresses,
        memory: &[u8],
        dst: Place,
    ) -> Option<()> {
        if addresses.consecutive && self.is_plain() {
            let chunks = registers.chunks;
            match dst {
                Place::Word(row) => {
                    let row = &mut registers.words[row as usize * chunks..][..chunks];
                    for (chunk, values) in row.iter_mut().zip(memory.as_chunks::<{ 4 * CHUNK }>().0) {
                        chunk.0 = each_lane(|lane| u32::from_le_bytes(values.as_chunks().0[lane]));
                    }
                }
                Place::Wide(row) => {
                    let row = &mut registers.wides[row as usize * chunks..][..chunks];
                    for (chunk, values) in row.iter_mut().zip(memory.as_chunks::<{ 8 * CHUNK }>().0) {
                        chunk.0 = each_lane(|lane| u64::from_le_bytes(values.as_chunks().0[lane]));
                    }
                }
                Place::Predicate(_) => return None,
            }
            return Some(());
        }
        for lane in LaneMask(registers.mask.bits).lanes() {
            let at = (addresses.of[lane] - addresses.first) as usize;
            let value = bits(memory.get(at..at + N)?);
            registers.set(dst, lane, extended(extended(value, self.ty), self.register));
        }
        Some(())
    }

    #[inline(always)]
    fn store<const N: usize>(
        &self,
        registers: &Registers,
        addresses: &Addresses,
        memory: &mut [u8],
        value: Place,
    ) -> Option<()> {
        let float = matches!(self.ty, ScalarType::F32 | ScalarType::F64);
        if addresses.consecutive && self.is_plain() {
            let chunks = registers.chunks;
            match value {
                Place::Word(row) => {
                    let row = &registers.words[row as usize * chunks..][..chunks];
                    for (chunk, values) in row.iter().zip(memory.as_chunks_mut::<{ 4 * CHUNK }>().0) {
                        for (value, &word) in values.as_chunks_mut().0.iter_mut().zip(&chunk.0) {
                            let nan = float && f32::from_bits(word).is_nan();
                            *value = if nan { f32::NAN.to_bits() } else { word }.to_le_bytes();
                        }
                    }
                }
                Place::Wide(row) => {
                    let row = &registers.wides[row as usize * chunks..][..chunks];
                    for (chunk, values) in row.iter().zip(memory.as_chunks_mut::<{ 8 * CHUNK }>().0) {
                        for (value, &wide) in values.as_chunks_mut().0.iter_mut().zip(&chunk.0) {
                            let nan = float && f64::from_bits(wide).is_nan();
                            *value = if nan { f64::NAN.to_bits() } else { wide }.to_le_bytes();
                        }
                    }
                }
                Place::Predicate(_) => return None,
            }
            return Some(());
        }
        // In lane order: of two lanes that write one address, the higher one wins.
        for lane in LaneMask(registers.mask.bits).lanes() {
            let at = (addresses.of[lane] - addresses.first) as usize;
            let bits = registers.get(value, lane);
            let bits = if float { stored(bits, self.ty) } else { bits };
            memory.get_mut(at..at + N)?.copy_from_slice(bits.to_le_bytes().get(..N)?);
        }
        Some(())
    }
}

/// The bits of up to 8 bytes, the lowest first.
#[inline(always)]
fn bits(bytes: &[u8]) -> u64 {
    match *bytes {
        [a] => a.into(),
        [a, b] => u16::from_le_bytes([a, b]).into(),
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]).into(),
        [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => 0,
    }
}
