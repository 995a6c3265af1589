//! Arrays, atomics and messages: operations on memory other than plain loads and stores of slice parameters.

mod address;
mod array;
mod atomic;
mod modelled;
mod runs;
#[cfg(test)]
mod tests;
mod together;
mod watched;

use super::isa::Isa;
use super::row::Registers;
use crate::memory::Memory;
use crate::plan::Place;
use crate::plan::{Access, Text};
use simt_core::LaneMask;
use simt_core::code::AddressSpace;

impl Access {
    /// Runs it for the active lanes; returns the lowest lane that faulted.
    #[inline(always)]
    pub(in crate::lanes) fn run(
        &self,
        registers: &mut Registers,
        memory: &mut Memory<'_>,
        isa: impl Isa,
    ) -> Option<usize> {
        match *self {
            Self::Load { slot, index, dst } => {
                let array = memory.array(slot)?;
                match dst {
                    Place::Word(dst) => array::load::<u32>(registers, array, index, dst, isa),
                    Place::Wide(dst) => array::load::<u64>(registers, array, index, dst, isa),
                    Place::Predicate(dst) => array::load_bool(registers, array, index, dst),
                }
            }
            Self::Store { slot, index, value } => {
                let array = memory.array_mut(slot)?;
                match value {
                    Place::Word(value) => array::store::<u32>(registers, array, index, value, isa),
                    Place::Wide(value) => array::store::<u64>(registers, array, index, value, isa),
                    Place::Predicate(value) => array::store_bool(registers, array, index, value, isa),
                }
            }
            Self::Atomic(ref atomic) => atomic.run(registers, memory),
            Self::Address(ref access) => access.run(registers, memory, isa),
            Self::WatchedAddress(ref access) => access.run(registers, memory),
            Self::Modelled(ref access) => access.run(registers, memory),
            Self::ModelledAddress(ref access) => access.run(registers, memory),
            Self::Fence => modelled::fence(registers, memory),
            Self::Watched(ref access) => access.run(registers, memory),
            Self::WatchedFence(scope) => {
                watched::fence(registers, memory, scope);
                None
            }
            Self::Print(ref text, counted) => {
                memory.serial += LINE * u64::from(registers.mask.bits.count_ones());
                for lane in LaneMask(registers.mask.bits).lanes() {
                    let (rendered, count) = text.render(registers, memory, lane);
                    if let Some(counted) = counted {
                        registers.set(counted, lane, u64::from(count as u32));
                    }
                    if text.message.reads_memory() {
                        memory.prints.push_text(lane, &rendered);
                    } else {
                        memory.prints.push(lane, rendered);
                    }
                }
                None
            }
            Self::Panic(_) => LaneMask(registers.mask.bits).lanes().next(),
        }
    }
}

/// The units of work of a printed line.
///
/// **Assumed:** formatting it takes the host so many times as long as an instruction of a warp.
const LINE: u64 = 64;

impl Text {
    /// The text of a lane, and how many values it shows.
    #[inline(never)]
    pub(crate) fn render(&self, registers: &Registers, memory: &mut Memory<'_>, lane: usize) -> (String, i32) {
        let values: Vec<_> = self.values.iter().map(|&(ty, place)| registers.value(place, ty, lane)).collect();
        let spaces = &mut memory.spaces;
        let mut read = |address| Some(spaces.as_deref_mut()?.load(AddressSpace::Generic, address, 1, lane)? as u8);
        self.message.render_with(&values, &mut read)
    }
}
