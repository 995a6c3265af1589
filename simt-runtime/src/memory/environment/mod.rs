//! The memory of a launch that runs on the CUDA report's memory environment.
//!
//! Slices that threads write, and allocations, lie in its global memory, shared arrays and symbols in the shared memory of the
//! multiprocessor that their block runs on. An access of them becomes memory operations (the report's *memOp*, section 5.8.1):
//! of global memory one for each line, of shared memory one for as many lanes as have no bank conflict, an atomic for each
//! lane. A load, and an atomic whose result is used, ends before its warp goes on, which stands for the report's blocked
//! registers; a store stays in flight. Slices that no thread writes, constant memory, and what each thread has for itself, are
//! ideal, because no thread could tell the difference.
//!
//! * `operations`: accesses of lanes as memory operations; `allocations`: memory by address, in and out.

mod allocations;
mod operations;
#[cfg(test)]
mod tests;

pub(crate) use operations::{Cell, Cells, Target};

use crate::environment::{
    Bytes, Environment, EnvironmentConfig, Holes, OperationId, Oracle, ProgramName, Programs, Question, Seeded, Shape,
    SilentRule, Sizes, State, StateSpace, Stuck, ask,
};
use crate::memory::spaces::Spaces;
use crate::memory::{Array, Slot};
use simt_core::LaneMask;

/// Operations that may be in flight; beyond that the oldest must end first.
///
/// **Assumed:** enough for every order of a few accesses of each warp.
const IN_FLIGHT: usize = 64;

/// Lanes of the widest warp.
pub(crate) const LANES: usize = 64;

/// The bytes that a mask is for.
const CHUNK: usize = 128;

/// The place of a warp of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Home {
    /// The multiprocessor.
    pub(crate) processor: usize,
    /// Which of the blocks there.
    pub(crate) seat: usize,
    /// Which warp of the block.
    pub(crate) warp: usize,
    /// The number of the warp in the launch.
    pub(crate) number: u64,
}

/// The memory environment of a launch.
#[derive(Debug)]
pub(crate) struct Modelled {
    environment: Environment,
    programs: Programs,
    oracle: Seeded,
    own_order: bool,
    /// The start of each slot's slice, if threads write it.
    slices: Vec<Option<u64>>,
    /// The starts of the copies of atomics that several slots share.
    copies: Vec<Option<u64>>,
    /// The start of each allocation, by its number.
    allocations: Vec<u64>,
    /// The start of each array in the shared memory of its block. The window of addresses begins where that does.
    arrays: Vec<Option<u64>>,
    /// Bytes of shared memory of a block. They have no values until a store has come there.
    shared: u64,
    /// Warps of a block.
    warps: usize,
    banks: usize,
    /// The warp that runs.
    home: Home,
    sequence: u64,
    /// The reason why a memory operation could not go on, if there was one.
    pub(crate) stuck: Option<Stuck>,
}

impl Modelled {
    /// Memory with the contents of the slices and allocations.
    pub(crate) fn new(
        config: &EnvironmentConfig,
        slots: &[Slot<'_>],
        copies: &[Slot<'_>],
        arrays: &[Array],
        spaces: Option<&Spaces<'_>>,
        warps: usize,
    ) -> Self {
        let line = config.line_bytes as u64;
        let mut global = 0;
        let mut place = |slot: &Slot<'_>| {
            let bytes = u64::from(slot.element_bits()?) / 8 * slot.length() as u64;
            let end = (global + bytes).next_multiple_of(line);
            slot.is_writable().then(|| std::mem::replace(&mut global, end))
        };
        let mut slices: Vec<Option<u64>> = slots.iter().map(&mut place).collect();
        let starts: Vec<Option<u64>> = copies.iter().map(&mut place).collect();
        for (slice, slot) in slices.iter_mut().zip(slots) {
            if let Slot::Part(part) = slot
                && let (Some(Some(start)), Some(copy)) = (starts.get(part.copy), copies.get(part.copy))
            {
                let bytes = u64::from(copy.element_bits().unwrap_or_default()) / 8;
                *slice = Some(start + part.start as u64 * bytes);
            }
        }
        let allocated = spaces.map_or(&[][..], Spaces::allocations);
        let allocations = allocated.iter().map(|allocation| {
            let end = (global + allocation.bytes.len() as u64).next_multiple_of(line);
            std::mem::replace(&mut global, end)
        });
        let allocations = allocations.collect();
        let mut shared = spaces.map_or(0, Spaces::window).next_multiple_of(8);
        let mut place = |array: &Array| {
            let bytes = array.shared_bytes()? as u64;
            let end = (shared + bytes).next_multiple_of(8);
            Some(std::mem::replace(&mut shared, end))
        };
        let arrays = arrays.iter().map(&mut place).collect();
        let sizes = Sizes {
            processors: config.processors,
            line_bytes: config.line_bytes,
            l1: config.l1,
            l2: config.l2,
            banks: config.banks,
            global: global as usize,
            constant: 0,
            local: 0,
            shared: shared as usize * config.resident_blocks,
            registers: 2 * warps * config.resident_blocks * LANES,
        };
        let mut programs = Programs::default();
        if !config.refill_race {
            // For the other cache operators, too: no thread can tell which line goes first, nor whether memory gets the
            // value at once.
            let in_order = programs.get(ProgramName::StGlobalInOrder).clone();
            for name in [ProgramName::StGlobalWb, ProgramName::StGlobalCs, ProgramName::StGlobalWt] {
                programs = programs.with(name, in_order.clone());
            }
        }
        let mut state = State::new(&sizes);
        (0..config.processors).for_each(|processor| {
            let memory = state.processor_mut(processor).map(|processor| &mut processor.shared);
            memory.into_iter().for_each(|memory| forget(memory.bytes_mut(), 0, sizes.shared));
        });
        let mut modelled = Self {
            environment: Environment::new(state, Holes::default()),
            programs,
            oracle: Seeded::new(config.seed),
            own_order: config.own_order,
            slices,
            copies: starts,
            allocations,
            arrays,
            shared,
            warps,
            banks: config.banks,
            home: Home::default(),
            sequence: 0,
            stuck: None,
        };
        modelled.copy_in(slots, copies);
        modelled.copy_allocations_in(allocated);
        modelled
    }

    fn copy_in(&mut self, slots: &[Slot<'_>], copies: &[Slot<'_>]) {
        let Some(global) = self.environment.state.device_mut(StateSpace::Global) else { return };
        for (slot, start) in slots.iter().zip(&self.slices).chain(copies.iter().zip(&self.copies)) {
            // A slot that is a part of a copy has no elements of its own.
            let (Some(start), Some(bits)) = (start, slot.element_bits()) else { continue };
            let size = bits as usize / 8;
            for index in 0..slot.length() {
                let bytes = slot.bits(index).unwrap_or_default().to_le_bytes();
                // It lies there: the sizes were added up from the same slots.
                let _ = global.set(start + (index * size) as u64, &bytes[..size], !0);
            }
        }
    }

    /// Ends all operations, and copies the contents of memory to the slices and allocations.
    pub(crate) fn finish<'a>(
        &mut self,
        slots: &mut [Slot<'a>],
        copies: &mut [Slot<'a>],
        spaces: Option<&mut Spaces<'_>>,
    ) -> Result<(), Stuck> {
        self.environment.drain(&mut self.oracle)?;
        spaces.into_iter().for_each(|spaces| self.copy_allocations_out(spaces));
        let Some(global) = self.environment.state.device(StateSpace::Global) else { return Ok(()) };
        for (slot, start) in slots.iter_mut().zip(&self.slices).chain(copies.iter_mut().zip(&self.copies)) {
            let (Some(start), Some(bits)) = (start, slot.element_bits()) else { continue };
            let size = bits as usize / 8;
            for index in 0..slot.length() {
                let mut wide = [0; 8];
                if let Some(bytes) = global.get(start + (index * size) as u64, size) {
                    wide[..size].copy_from_slice(bytes);
                    slot.set_bits(index, u64::from_le_bytes(wide));
                }
            }
        }
        Ok(())
    }

    /// A number below `options`.
    pub(crate) fn ask(&mut self, question: Question, options: usize) -> usize {
        ask(&mut self.oracle, question, options)
    }

    /// From here on accesses are those of this warp.
    pub(crate) fn enter(&mut self, home: Home) {
        self.home = home;
    }

    /// Another warp of the same block runs.
    pub(crate) fn select_warp(&mut self, warp: usize) {
        let first = self.home.number - self.home.warp as u64;
        self.home = Home { warp, number: first + warp as u64, ..self.home };
    }

    /// A block begins, and runs alone: blocks go round the multiprocessors.
    pub(crate) fn begin_block(&mut self, block: usize) {
        let left = self.leave(self.home);
        self.note(left);
        let processor = block % self.environment.state.processors().len();
        self.home = Home { processor, seat: 0, warp: 0, number: (block * self.warps) as u64 };
    }

    /// Keeps the first reason why an operation could not go on.
    pub(crate) fn note(&mut self, result: Result<(), Stuck>) {
        self.stuck = self.stuck.take().or(result.err());
    }

    /// Fires some rules of the environment.
    pub(crate) fn pass(&mut self) -> Result<(), Stuck> {
        self.environment.macro_step(&mut self.oracle)
    }

    /// Ends the operations that these lanes of the warp have in flight: a fence (the report's section 5.3.2). A lane that
    /// reads old data in an L1 cache still does so.
    pub(crate) fn fence(&mut self, lanes: LaneMask) -> Result<(), Stuck> {
        let number = self.home.number;
        self.complete(|_, warp, of| warp == number && of & lanes.0 != 0)
    }

    /// No L1 cache has old data: what was in one is asked for again.
    pub(crate) fn refresh(&mut self) -> Result<(), Stuck> {
        for processor in 0..self.environment.state.processors().len() {
            self.environment.silent(SilentRule::Flush { processor }, &mut self.oracle)?;
        }
        Ok(())
    }

    /// Ends the operations that the block has in flight to shared memory: its place is given to another block, whose
    /// elements count as unwritten.
    pub(crate) fn leave(&mut self, home: Home) -> Result<(), Stuck> {
        let first = home.number - home.warp as u64;
        let of_block = first..first + self.warps as u64;
        let is_shared =
            |shape: &Shape| matches!(shape, Shape::Shared { .. } | Shape::Atomic { space: StateSpace::Shared, .. });
        self.complete(|shape, warp, _| is_shared(shape) && of_block.contains(&warp))?;
        let (start, size) = (self.seat(home), self.shared as usize);
        forget(self.environment.state.processor_mut(home.processor)?.shared.bytes_mut(), start, size);
        Ok(())
    }

    /// Where the shared memory of a block starts.
    fn seat(&self, home: Home) -> u64 {
        home.seat as u64 * self.shared
    }

    fn complete(&mut self, meant: impl Fn(&Shape, u64, u64) -> bool) -> Result<(), Stuck> {
        let operations = self.environment.operations().iter();
        let meant = operations.filter(|operation| {
            operation.priority.as_ref().is_some_and(|priority| meant(&operation.shape, priority.warp, priority.lanes))
        });
        let meant: Vec<OperationId> = meant.map(|operation| operation.id).collect();
        self.environment.complete(&meant, &mut self.oracle)
    }

    /// The lanes in an order of the oracle's.
    fn shuffle<T>(&mut self, lanes: &mut [T]) {
        for place in (1..lanes.len()).rev() {
            lanes.swap(place, self.oracle.pick(Question::Lane, place + 1));
        }
    }
}

/// Takes the values from so many bytes.
fn forget(memory: &mut Bytes, start: u64, size: usize) {
    for at in (0..size).step_by(CHUNK) {
        memory.forget(start + at as u64, first_of_mask(size - at));
    }
}

/// The mask of so many bytes, or of as many as one is for.
fn first_of_mask(size: usize) -> u128 {
    u128::MAX >> (CHUNK - size.clamp(1, CHUNK))
}
