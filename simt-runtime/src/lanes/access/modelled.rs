//! Accesses of memory that is modelled: by memory operations instead of at once.

mod address;

use super::address::stored;
use crate::environment::{StateSpace, Stuck};
use crate::lanes::Registers;
use crate::memory::Memory;
use crate::memory::device::device_size;
use crate::memory::environment::{Cell, Cells, LANES, Modelled};
use crate::plan::{ModelledAccess, ModelledKind};
use simt_core::ops::AtomicOp;
use simt_core::{LaneMask, ScalarType};

impl ModelledAccess {
    /// Runs it for the active lanes; returns the lowest lane that faulted.
    #[inline(never)]
    pub(super) fn run(&self, registers: &mut Registers, memory: &mut Memory<'_>) -> Option<usize> {
        let (space, start) = memory.modelled.as_ref()?.start(self.target);
        let cells = match self.cells(registers, memory, start) {
            Ok(cells) => cells,
            Err(lane) => return Some(lane),
        };
        let lanes = LaneMask(registers.mask.bits);
        let modelled = memory.modelled.as_deref_mut()?;
        let accessed = self.kind.run(space, self.ty, modelled, cells);
        let Ok((results, nothing)) = accessed else { return failed(modelled, accessed.map(|_| ()), lanes) };
        // The row may be that of the indices, which an error still needs.
        if nothing.is_empty()
            && let Some(dst) = self.kind.destination()
        {
            lanes.lanes().for_each(|lane| registers.set(dst, lane, self.shown(results[lane])));
        }
        nothing.lanes().next()
    }

    /// The elements of the active lanes, from a place on, and their operands, or the lowest lane that has no element. An
    /// element of a shared array counts as written when a store to it is issued; a load checks again whether the store has
    /// come.
    fn cells(&self, registers: &Registers, memory: &mut Memory<'_>, start: u64) -> Result<Cells, usize> {
        let length = memory.length(self.slot.into());
        let (operands, reads, writes) = match self.kind {
            ModelledKind::Load { .. } => ([None; 2], true, false),
            ModelledKind::Store { value, .. } => ([Some(value), None], false, true),
            ModelledKind::Atomic { op, operands, .. } => (operands, op != AtomicOp::Store, op != AtomicOp::Load),
        };
        let mut cells = Cells::new();
        for lane in LaneMask(registers.mask.bits).lanes() {
            let index = registers.get(self.index, lane) as usize;
            let mut array = memory.array_mut(self.slot);
            let unwritten = array.as_ref().is_some_and(|array| array.unwritten(index).is_some());
            if index >= length || reads && unwritten {
                return Err(lane);
            }
            if writes && let Some(array) = &mut array {
                array.set(index, lane, 0);
            }
            let value = |place| stored(registers.get(place, lane), self.ty.machine());
            let values = operands.map(|operand| operand.map_or(0, value));
            cells.push(Cell { lane, address: start + (index * device_size(self.ty)) as u64, values });
        }
        Ok(cells)
    }

    /// A value of memory in the form of a row: narrow integers are extended.
    fn shown(&self, bits: u64) -> u64 {
        match self.ty.machine() {
            ScalarType::I8 => u64::from(bits as i8 as i32 as u32),
            ScalarType::I16 => u64::from(bits as i16 as i32 as u32),
            _ => bits,
        }
    }
}

impl ModelledKind {
    /// Accesses memory for each lane. Returns what lanes have got, and the lanes that have found no value.
    fn run(
        &self,
        space: StateSpace,
        ty: ScalarType,
        modelled: &mut Modelled,
        cells: Cells,
    ) -> Result<([u64; LANES], LaneMask), Stuck> {
        match *self {
            Self::Load { access, .. } => modelled.load(space, ty, access, &cells),
            Self::Store { access, .. } => {
                modelled.store(space, ty, access, cells).map(|()| ([0; LANES], LaneMask::EMPTY))
            }
            Self::Atomic { op, order, dst, .. } => {
                let results = modelled.atomic(space, ty, (op, order), cells, dst.is_some())?;
                Ok((results, LaneMask::EMPTY))
            }
        }
    }
}

/// Keeps why memory could not go on; returns the lane that the launch fails at.
#[cold]
fn failed(modelled: &mut Modelled, why: Result<(), Stuck>, lanes: LaneMask) -> Option<usize> {
    modelled.note(why);
    lanes.lanes().next()
}

/// Executes a fence: ends the operations that the active lanes have in flight.
pub(super) fn fence(registers: &Registers, memory: &mut Memory<'_>) -> Option<usize> {
    let lanes = LaneMask(registers.mask.bits);
    let modelled = memory.modelled.as_mut()?;
    let fenced = modelled.fence(lanes);
    modelled.note(fenced);
    modelled.stuck.as_ref().and(lanes.lanes().next())
}
