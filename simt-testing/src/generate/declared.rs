//! Arrays of the block that are declared without a length, which the grid gives, and those in which threads pass values to each
//! other.

use super::effects::BLOCK;
use super::together::Meeting;
use super::{Arrays, Construct, Faults, Generator};
use crate::Random;
use simt_core::ScalarType;
use simt_core::ops::{AtomicOp, BinaryOp};
use simt_core::program::{Array, ArrayId, ArraySpace, AtomicOrder, BarrierOp, Block, ExprId, Program, StmtKind};

/// How many bytes of shared memory a block of so many threads needs for the arrays whose length the grid gives, with some
/// more that are of no use; where a thread may fault, too few now and then.
pub fn shared_memory(program: &Program, threads: usize, random: &mut Random, faults: Faults) -> usize {
    let bytes = |array: &Array| array.element.bits().div_ceil(8) as usize * array.row as usize;
    let row: usize = program.arrays.iter().filter(|array| array.dynamic).map(bytes).sum();
    let few = faults == Faults::Sometimes && random.once_in(4);
    let rows = if few { random.below(threads) } else { threads + random.below(4) };
    rows * row + random.below(row)
}

impl Generator {
    /// Declares the arrays of the block that functions have, too: some of one length, as the fields of an array of structs, and
    /// those in which threads pass values.
    pub(super) fn block_arrays(&mut self) {
        let (of_block, of_warp) = (self.has(Construct::Block), self.has(Construct::Warp));
        if self.has(Construct::Dynamic) {
            let row = if self.random.once_in(3) { 2 + self.random.below(2) as u32 } else { 1 };
            for _ in 0..1 + self.random.below(2) {
                let atomic = self.random.once_in(3);
                let (_, of_atomics) = *self.random.pick(&Arrays::ATOMICS);
                let element = if atomic { of_atomics } else { self.any_type() };
                let id = self.array(element, 0, ArraySpace::Shared, atomic);
                let array = &mut self.program.arrays[id.0 as usize];
                (array.dynamic, array.row) = (true, row);
                match self.random.below(3) {
                    0 if of_block && !atomic => self.meeting.of_block.push(id),
                    1 if of_warp && !atomic => self.meeting.of_warp.push(id),
                    _ => self.block_arrays.push(id),
                }
            }
        }
        if of_block {
            let ty = self.any_type();
            let tile = self.array(ty, BLOCK, ArraySpace::Shared, false);
            self.meeting.of_block.push(tile);
        }
        if of_warp {
            let ty = self.any_type();
            let tile = self.array(ty, BLOCK, ArraySpace::Shared, false);
            self.meeting.of_warp.push(tile);
        }
        if self.has(Construct::Grid) {
            self.meeting.slice = Some(self.random.below(Arrays::TYPES.len()));
        }
    }

    /// Each thread writes its elements of these arrays. It stands in front of everything, because threads that return may have
    /// written what others read only where all have met behind it.
    pub(super) fn begin_block_arrays(&mut self, block: &mut Block) {
        let Meeting { of_block, of_warp, .. } = self.meeting.clone();
        for &id in self.block_arrays.clone().iter().chain(&of_block).chain(&of_warp) {
            let Array { element, atomic, row, .. } = self.program.array(id).clone();
            for part in 0..row {
                // No thread may have elements of slices here.
                let (index, value) = (self.place_in_rows(row, part), self.expr(element, 0));
                let store = if atomic {
                    let (op, operands, order) = (AtomicOp::Store, vec![value], AtomicOrder::Relaxed);
                    self.stmt(StmtKind::Atomic { op, target: id.into(), index, operands, result: None, order })
                } else {
                    self.stored(id, index, value)
                };
                block.push(store);
            }
        }
        if !of_block.is_empty() {
            self.barrier(block, BarrierOp::Sync);
        }
        if !of_warp.is_empty() {
            self.sync_warp(block, None);
        }
        self.scope.arrays.extend(&self.block_arrays);
    }

    /// The thread's own element of an array of the block that has so many for each.
    pub(super) fn place_in_rows(&mut self, row: u32, part: u32) -> ExprId {
        let place = self.place_in_block();
        self.in_rows(place, row, part)
    }

    /// An element of the thread of a number in the block.
    pub(super) fn in_rows(&mut self, place: ExprId, row: u32, part: u32) -> ExprId {
        if row == 1 {
            return place;
        }
        let (row, part) = (self.constant(ScalarType::Usize, row.into()), self.constant(ScalarType::Usize, part.into()));
        let first = self.operation(BinaryOp::Mul, place, row);
        self.operation(BinaryOp::Add, first, part)
    }

    /// An array of the block whose length the grid gives.
    pub(super) fn dynamic_array(&self) -> Option<ArrayId> {
        if !self.has(Construct::Dynamic) {
            return None;
        }
        let place = self.program.arrays.iter().position(|array| array.dynamic)?;
        Some(ArrayId(place as u32))
    }
}
