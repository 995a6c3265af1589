//! What of memory is a block's own: where blocks begin, run beside others, and have warps that take turns.

use super::{Array, Memory};
use crate::memory::races::Races;
use crate::memory::spaces::Own;
use simt_core::program;

/// The state of a block that is its own while others run.
#[derive(Debug, Default)]
pub(crate) struct BlockMemory {
    arrays: Vec<Array>,
    races: Option<Box<Races>>,
    /// Memory by address.
    own: Option<Own>,
}

impl Memory<'_> {
    /// Exchanges the block's own state for that of another block, which runs from here on.
    pub(crate) fn exchange(&mut self, block: usize, of_block: &mut BlockMemory) {
        self.prints.begin_block(block);
        // PERF: the blocks of most kernels have nothing that is their own; those of a launch are alike in that.
        if self.arrays.is_empty() && self.races.is_none() && self.spaces.is_none() {
            debug_assert!(of_block.arrays.is_empty() && of_block.races.is_none() && of_block.own.is_none());
            return;
        }
        std::mem::swap(&mut self.arrays, &mut of_block.arrays);
        std::mem::swap(&mut self.races, &mut of_block.races);
        if let (Some(spaces), Some(own)) = (&mut self.spaces, &mut of_block.own) {
            std::mem::swap(spaces.own(), own);
        }
    }

    /// The own state of a block of so many warps, for a machine that holds several.
    pub(crate) fn of_block(&self, arrays: &[program::Array], width: usize, warps: usize) -> BlockMemory {
        let races = self.races.as_ref().map(|races| races.of_another_block());
        let own = self.spaces.as_ref().map(|spaces| spaces.of_block(width, warps));
        BlockMemory { arrays: Self::arrays_of_block(arrays, width, warps), races, own }
    }

    /// Arrays for another number of warps of a block. What they held is lost.
    pub(crate) fn resize(&mut self, arrays: &[program::Array], width: usize, warps: usize) {
        self.arrays = Self::arrays_of_block(arrays, width, warps);
        self.races = None;
        self.spaces.iter_mut().for_each(|spaces| spaces.resize(width, warps));
    }

    /// A block begins: no element of shared arrays has a value.
    pub(crate) fn begin_block(&mut self, block: usize) {
        self.prints.begin_block(block);
        self.arrays.iter_mut().for_each(|array| array.begin_block(block));
        self.spaces.iter_mut().for_each(|spaces| spaces.own().begin_block());
        if let Some(modelled) = &mut self.modelled {
            modelled.begin_block(block);
        }
        if let Some(races) = &mut self.races {
            races.begin_block(block);
        }
    }

    /// The arrays of a block of so many warps.
    pub(crate) fn arrays_of_block(arrays: &[program::Array], width: usize, warps: usize) -> Vec<Array> {
        arrays.iter().map(|array| Array::new(array, width, warps)).collect()
    }

    /// Another warp of the block runs from here on.
    pub(crate) fn select_warp(&mut self, warp: usize) {
        self.name_warp(warp);
        self.arrays.iter_mut().for_each(|array| array.select_warp(warp));
        self.spaces.iter_mut().for_each(|spaces| spaces.own().select_warp(warp));
    }

    /// As [`next_warp`](Self::next_warp), where warps run one after the other, in the same local arrays.
    pub(crate) fn name_warp(&mut self, warp: usize) {
        self.prints.select_warp(warp);
        if let Some(races) = &mut self.races {
            races.select_warp(warp);
        }
        if let Some(modelled) = &mut self.modelled {
            modelled.select_warp(warp);
        }
    }
}

impl BlockMemory {
    /// A block begins with it.
    pub(crate) fn begin(&mut self, block: usize) {
        self.arrays.iter_mut().for_each(|array| array.begin_block(block));
        self.own.iter_mut().for_each(Own::begin_block);
        if let Some(races) = &mut self.races {
            races.begin_block(block);
        }
    }
}
