//! What threads share, and what one of them sees.

use super::thread::Own;
use simt_core::Constant;
use simt_core::program::{
    ArraySpace, Builtin, Environment, LoadFault, Memory, ParamId, ParamKind, Program, Validated, VarId,
};
use simt_runtime::Grid;

/// The elements of each array of a program; `None` where no thread has written.
pub(super) type ArrayElements = Vec<Vec<Option<u64>>>;

/// Arrays that no thread has written.
pub(super) fn arrays(program: &Program) -> ArrayElements {
    program.arrays.iter().map(|array| vec![None; array.length as usize]).collect()
}

/// What threads share.
pub(super) struct World<'p> {
    pub(super) program: &'p Validated<Program>,
    pub(super) grid: Grid,
    /// Lanes of a warp, where that is known.
    pub(super) warp_width: Option<usize>,
    /// The elements of each parameter.
    pub(super) memory: Vec<Vec<u64>>,
    /// The arrays of each block.
    pub(super) shared: Vec<ArrayElements>,
}

impl<'p> World<'p> {
    pub(super) fn new(
        program: &'p Validated<Program>,
        grid: Grid,
        memory: Vec<Vec<u64>>,
        warp_width: Option<usize>,
    ) -> Self {
        let blocks = grid.blocks().volume().unwrap_or(0);
        Self { program, grid, warp_width, memory, shared: (0..blocks).map(|_| arrays(program)).collect() }
    }

    /// Whether the threads of a block share the elements.
    pub(super) fn is_shared(&self, array: simt_core::program::ArrayId) -> bool {
        self.program.array(array).space == ArraySpace::Shared
    }
}

/// What a thread sees.
pub(super) struct View<'v, 'p> {
    pub(super) world: &'v World<'p>,
    pub(super) own: &'v Own,
}

impl Environment for View<'_, '_> {
    fn variable(&self, var: VarId) -> Constant {
        let value = self.own.variables[var.0 as usize];
        value.unwrap_or_else(|| unreachable!("validated: variables are assigned before use"))
    }

    fn parameter(&self, param: ParamId) -> Constant {
        let ParamKind::Scalar(ty) = self.world.program.param(param).kind else {
            unreachable!("validated: a slice is no value")
        };
        Constant { ty, bits: self.world.memory[param.0 as usize][0] }
    }

    fn builtin(&self, builtin: Builtin) -> u32 {
        let (blocks, threads) = (self.world.grid.blocks(), self.world.grid.threads());
        let in_block = self.own.number % threads.volume().unwrap_or(1).max(1);
        let (block, thread) = (blocks.point(self.own.block), threads.point(in_block));
        let value = match builtin {
            Builtin::GlobalId => self.own.number,
            // Where nothing says how wide warps are, kernels that ask for them are not compared.
            Builtin::LaneId => self.world.warp_width.map_or(0, |width| in_block % width),
            Builtin::WarpId => self.world.warp_width.map_or(0, |width| in_block / width),
            Builtin::WarpWidth => self.world.warp_width.unwrap_or(0),
            Builtin::ThreadIdxX => thread.x,
            Builtin::ThreadIdxY => thread.y,
            Builtin::ThreadIdxZ => thread.z,
            Builtin::BlockIdxX => block.x,
            Builtin::BlockIdxY => block.y,
            Builtin::BlockIdxZ => block.z,
            Builtin::BlockDimX => threads.x,
            Builtin::BlockDimY => threads.y,
            Builtin::BlockDimZ => threads.z,
            Builtin::GridDimX => blocks.x,
            Builtin::GridDimY => blocks.y,
            Builtin::GridDimZ => blocks.z,
        };
        value as u32
    }

    fn length(&self, slice: Memory) -> u32 {
        match slice {
            Memory::Param(param) => self.world.memory[param.0 as usize].len() as u32,
            Memory::Array(array) => self.world.program.array(array).length,
        }
    }

    fn load(&self, slice: Memory, index: u32) -> Result<Constant, LoadFault> {
        let ty = self.world.program.element(slice).unwrap_or_else(|| unreachable!("validated: a value is no slice"));
        let index = index as usize;
        let bits = match slice {
            Memory::Param(param) => self.world.memory[param.0 as usize].get(index).copied().map(Some),
            Memory::Array(id) if self.world.is_shared(id) => {
                self.world.shared[self.own.block][id.0 as usize].get(index).copied()
            }
            Memory::Array(id) => self.own.arrays[id.0 as usize].get(index).copied(),
        };
        let bits = bits.ok_or(LoadFault::OutOfBounds)?.ok_or(LoadFault::Unwritten)?;
        Ok(Constant { ty, bits })
    }
}
