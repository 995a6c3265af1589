//! What all blocks of a launch share.

use super::{Budget, CallLimits, Init};
use crate::config::GpuConfig;
use crate::grid::Grid;
use crate::lanes::Registers;
use crate::memory::Memory;
use crate::plan::Plan;
use simt_core::LaneMask;
use std::cell::Cell;
use std::ops::Range;

/// A launch that has been checked and planned.
pub(crate) struct Launch<'l> {
    pub(crate) plan: &'l Plan,
    pub(crate) grid: Grid,
    pub(crate) blocks: usize,
    /// The blocks that run: all, or those of a part of the launch.
    pub(crate) part: Range<usize>,
    /// Threads of a block.
    pub(crate) threads: usize,
    pub(crate) config: &'l GpuConfig,
    /// The name of the policy.
    pub(crate) policy: &'static str,
    /// What it may do.
    pub(crate) budget: Budget,
    /// Registers of the warps of a block that has ended, for the next one.
    pub(crate) spare: Cell<Vec<Registers>>,
}

impl Launch<'_> {
    /// Warps of a block.
    pub(crate) fn warps(&self) -> usize {
        self.threads.div_ceil(self.config.warp_width)
    }

    /// The lanes that have threads, of a warp of a block.
    #[inline]
    pub(crate) fn threads_of(&self, warp: usize) -> LaneMask {
        let width = self.config.warp_width;
        LaneMask::first((self.threads - warp * width).min(width))
    }

    /// Registers of a warp.
    pub(super) fn empty_registers(&self) -> Registers {
        let Plan { words, wides, predicates, .. } = *self.plan;
        Registers::new(self.config.warp_width, words, wides, predicates)
    }

    /// Registers that hold what all threads of the launch share.
    pub(crate) fn registers(&self, init: &Init<'_>, memory: &Memory<'_>) -> Registers {
        let mut registers = self.empty_registers();
        init.launch(memory, &mut registers);
        registers
    }

    /// How deep calls may nest.
    pub(super) fn call_limits(&self) -> CallLimits {
        CallLimits { depth: self.config.call_depth, memory: self.config.local_memory }
    }
}
