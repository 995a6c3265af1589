//! Accesses of memory that is modelled: by memory operations instead of at once.

use crate::environment::Stuck;
use crate::lanes::Registers;
use crate::memory::Memory;
use crate::memory::environment::{Lanes, Modelled};
use crate::plan::{ModelledAccess, ModelledKind, Place};
use simt_core::ops::AtomicOp;
use simt_core::{LaneMask, ScalarType};

impl ModelledAccess {
    /// Runs it for the active lanes; returns the lowest lane that faulted.
    #[inline(never)]
    pub(super) fn run(&self, registers: &mut Registers, memory: &mut Memory<'_>) -> Option<usize> {
        let lanes = match self.lanes(registers, memory) {
            Ok(lanes) => lanes,
            Err(lane) => return Some(lane),
        };
        let mut modelled = memory.modelled.take()?;
        let result = self.access(registers, &mut modelled, &lanes);
        let faulted = match &result {
            Ok(nothing) => nothing.lanes().next(),
            Err(_) => Some(lanes.first().map_or(0, |lane| lane.0)),
        };
        modelled.note(result.map(|_| ()));
        memory.modelled = Some(modelled);
        faulted
    }

    /// The active lanes with their indices and operands, or the lowest that has no element. An element of a shared array
    /// counts as written when a store to it is issued; a load checks again whether the store has come.
    fn lanes(&self, registers: &Registers, memory: &mut Memory<'_>) -> Result<Lanes, usize> {
        let length = memory.length(self.slot.into());
        let (operands, reads, writes) = match self.kind {
            ModelledKind::Load { .. } => ([None; 2], true, false),
            ModelledKind::Store { value, .. } => ([Some(value), None], false, true),
            ModelledKind::Atomic { op, operands, .. } => (operands, op != AtomicOp::Store, op != AtomicOp::Load),
        };
        let mut lanes = Lanes::new();
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
            lanes.push((
                lane,
                index,
                operands.map(|operand| operand.map_or(0, |place| self.stored(registers, place, lane))),
            ));
        }
        Ok(lanes)
    }

    /// A lane's value in the form of memory: any NaN is Rust's.
    fn stored(&self, registers: &Registers, place: Place, lane: usize) -> u64 {
        let bits = registers.get(place, lane);
        match self.ty.machine() {
            ScalarType::F32 if f32::from_bits(bits as u32).is_nan() => f32::NAN.to_bits().into(),
            ScalarType::F64 if f64::from_bits(bits).is_nan() => f64::NAN.to_bits(),
            _ => bits,
        }
    }

    /// A value of memory in the form of a row: narrow integers are extended.
    fn shown(&self, bits: u64) -> u64 {
        match self.ty.machine() {
            ScalarType::I8 => u64::from(bits as i8 as i32 as u32),
            ScalarType::I16 => u64::from(bits as i16 as i32 as u32),
            _ => bits,
        }
    }

    /// Accesses memory; returns the lanes that found nothing in their element, whose registers then stay as they are.
    fn access(&self, registers: &mut Registers, modelled: &mut Modelled, lanes: &Lanes) -> Result<LaneMask, Stuck> {
        let (results, nothing, dst) = match self.kind {
            ModelledKind::Store { access, .. } => {
                return modelled.store(self.target, self.ty, access, lanes).map(|()| LaneMask::EMPTY);
            }
            ModelledKind::Load { dst, access } => {
                let (results, nothing) = modelled.load(self.target, self.ty, access, lanes)?;
                (results, nothing, Some(dst))
            }
            ModelledKind::Atomic { op, order, dst, .. } => {
                let results = modelled.atomic(self.target, self.ty, (op, order), lanes, dst.is_some())?;
                (results, LaneMask::EMPTY, dst)
            }
        };
        // The row may be that of the indices, which an error still needs.
        if nothing.is_empty()
            && let Some(dst) = dst
        {
            lanes.iter().for_each(|&(lane, ..)| registers.set(dst, lane, self.shown(results[lane])));
        }
        Ok(nothing)
    }
}

/// Executes a fence: ends the operations that the active lanes have in flight.
pub(super) fn fence(registers: &Registers, memory: &mut Memory<'_>) -> Option<usize> {
    let lanes = LaneMask(registers.mask.bits);
    let modelled = memory.modelled.as_mut()?;
    let fenced = modelled.fence(lanes);
    modelled.note(fenced);
    modelled.stuck.as_ref().and(lanes.lanes().next())
}
