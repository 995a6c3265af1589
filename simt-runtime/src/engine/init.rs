//! The rows that are filled before a warp starts: constants, parameters, lengths, and the numbers of the threads.

use crate::grid::{Dim3, Grid};
use crate::lanes::Registers;
use crate::memory::Memory;
use crate::plan::{Place, Plan, slot};
use simt_core::code::Operand;
use simt_core::program::Builtin;
use simt_core::{Constant, Scalar, ScalarType};

/// Fills rows: once a launch, once a block, once a warp.
pub(crate) struct Init<'p> {
    plan: &'p Plan,
    blocks: Dim3,
    threads: Dim3,
    threads_per_block: usize,
    width: usize,
    /// Builtins that change with the block, and those that change with the warp.
    per_block: Vec<(Builtin, u16)>,
    per_warp: Vec<(Builtin, u16)>,
}

impl<'p> Init<'p> {
    pub(crate) fn new(plan: &'p Plan, grid: Grid, width: usize) -> Self {
        let (blocks, threads) = (grid.blocks(), grid.threads());
        let mut init = Self {
            plan,
            blocks,
            threads,
            threads_per_block: threads.volume().unwrap_or(0),
            width,
            per_block: Vec::new(),
            per_warp: Vec::new(),
        };
        for uniform in &plan.uniforms {
            if let (Operand::Builtin(builtin), Place::Word(row)) = (uniform.operand, uniform.place) {
                match builtin {
                    Builtin::BlockIdxX | Builtin::BlockIdxY | Builtin::BlockIdxZ => {
                        init.per_block.push((builtin, row));
                    }
                    Builtin::GlobalId
                    | Builtin::LaneId
                    | Builtin::WarpId
                    | Builtin::ThreadIdxX
                    | Builtin::ThreadIdxY
                    | Builtin::ThreadIdxZ => init.per_warp.push((builtin, row)),
                    Builtin::BlockDimX
                    | Builtin::BlockDimY
                    | Builtin::BlockDimZ
                    | Builtin::GridDimX
                    | Builtin::GridDimY
                    | Builtin::GridDimZ
                    | Builtin::WarpWidth => {}
                }
            }
        }
        init
    }

    /// Rows that keep their value for the whole launch.
    pub(crate) fn launch(&self, memory: &Memory<'_>, registers: &mut Registers) {
        for uniform in &self.plan.uniforms {
            let value = match uniform.operand {
                Operand::Const(constant) => constant,
                Operand::Param(param) => memory.scalar(param.0 as usize).unwrap_or(Constant::of(0u64)),
                Operand::Len(slice) => Constant::of(memory.length(slot(&self.plan.code, slice).into())),
                Operand::Builtin(builtin) => Constant::of(match builtin {
                    Builtin::BlockDimX => self.threads.x,
                    Builtin::BlockDimY => self.threads.y,
                    Builtin::BlockDimZ => self.threads.z,
                    Builtin::GridDimX => self.blocks.x,
                    Builtin::GridDimY => self.blocks.y,
                    Builtin::GridDimZ => self.blocks.z,
                    Builtin::WarpWidth => self.width,
                    Builtin::GlobalId
                    | Builtin::LaneId
                    | Builtin::WarpId
                    | Builtin::ThreadIdxX
                    | Builtin::ThreadIdxY
                    | Builtin::ThreadIdxZ
                    | Builtin::BlockIdxX
                    | Builtin::BlockIdxY
                    | Builtin::BlockIdxZ => continue,
                }),
                Operand::Symbol(symbol) => Constant::of(memory.symbol(symbol)),
                Operand::ParamAddress(param) => Constant::of(memory.param_address(param)),
                Operand::Reg(_) => continue,
            };
            match uniform.place {
                Place::Word(row) => registers.fill(row, extended(value)),
                Place::Wide(row) => registers.wide_row(row).for_each(|word| *word = value.bits),
                Place::Predicate(row) => registers.predicates[row as usize] = if value.bits != 0 { !0 } else { 0 },
            }
        }
    }

    /// Rows that change with the block.
    pub(crate) fn block(&self, block: usize, registers: &mut Registers) {
        let index = self.blocks.point(block);
        for &(builtin, row) in &self.per_block {
            let value = match builtin {
                Builtin::BlockIdxY => index.y,
                Builtin::BlockIdxZ => index.z,
                _ => index.x,
            };
            registers.fill(row, value as u32);
        }
    }

    /// Rows that change with the warp.
    ///
    /// PERF: each kind of row is filled by a function of its own. In one, what all their loops begin with was half of what a
    /// short warp began with.
    pub(crate) fn warp(&self, block: usize, warp: usize, registers: &mut Registers) {
        if !self.plan.zeroed.is_empty() {
            zero(&self.plan.zeroed, registers);
        }
        let first = warp * self.width;
        for &(builtin, row) in &self.per_warp {
            match builtin {
                Builtin::GlobalId => registers.number(row, (block * self.threads_per_block + first) as u32),
                Builtin::LaneId => registers.number(row, 0),
                Builtin::WarpId => registers.fill(row, warp as u32),
                Builtin::ThreadIdxX if self.threads.y == 1 && self.threads.z == 1 => {
                    registers.number(row, first as u32);
                }
                _ => self.indices(builtin, row, first, registers),
            }
        }
    }

    /// The row of an index of threads, of a warp whose first thread has this number.
    #[inline(never)]
    fn indices(&self, builtin: Builtin, row: u16, first: usize, registers: &mut Registers) {
        // PERF: counted up, in place of divisions for each lane.
        let mut point = self.threads.point(first);
        for word in registers.word_row(row) {
            *word = match builtin {
                Builtin::ThreadIdxY => point.y,
                Builtin::ThreadIdxZ => point.z,
                _ => point.x,
            } as u32;
            point.x += 1;
            if point.x == self.threads.x {
                (point.x, point.y) = (0, point.y + 1);
            }
            if point.y == self.threads.y {
                (point.y, point.z) = (0, point.z + 1);
            }
        }
    }
}

#[inline(never)]
fn zero(places: &[Place], registers: &mut Registers) {
    for &place in places {
        match place {
            Place::Word(row) => registers.fill(row, 0),
            Place::Wide(row) => registers.wide_row(row).for_each(|word| *word = 0),
            Place::Predicate(row) => registers.predicates[row as usize] = 0,
        }
    }
}

/// A constant as the word of a row: narrow integers extended by zeros or by their sign.
fn extended(value: Constant) -> u32 {
    match value.ty {
        ScalarType::I8 => i32::from(i8::from_bits64(value.bits)) as u32,
        ScalarType::I16 => i32::from(i16::from_bits64(value.bits)) as u32,
        _ => value.bits as u32,
    }
}
