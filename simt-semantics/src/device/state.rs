//! The domains: programs, blocks, grids, contexts, devices, and the messages between them.

use super::host::Ticket;
use super::memory::MemoryManager;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// What a block does with global memory. Addresses are virtual.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// The block's register gets the byte at the address.
    Load(usize),
    /// The byte at the address becomes the register, which is 0 at first, and so much.
    Store {
        /// The address.
        to: usize,
        /// What is added, modulo 256.
        plus: u8,
    },
    /// An atomic addition whose result is not used.
    Add {
        /// The address.
        to: usize,
        /// What is added, modulo 256.
        amount: u8,
    },
    /// Something that has no meaning, as an access outside of memory.
    Fault,
}

/// A program: what it declares, and of each entry point the blocks, each with its actions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct DeviceProgram {
    /// The virtual addresses that have a value before any thread runs.
    pub initial: Vec<(usize, u8)>,
    /// The entry points.
    pub entries: Vec<Vec<Vec<Action>>>,
}

/// A program that is loaded. Copies of a state have one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadedProgram(pub Rc<DeviceProgram>);

// What is equal has equal hashes; and the programs of all states of a run are the same.
impl Hash for LoadedProgram {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// The constants of the machine (3.2) that matter here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DeviceLimits {
    /// Multiprocessors.
    pub processors: usize,
    /// Blocks that a multiprocessor holds.
    pub resident_blocks: usize,
    /// Grids of a context that run at a time.
    pub concurrent_grids: usize,
    /// Bytes of a context's memory.
    pub memory: usize,
}

impl DeviceLimits {
    /// A machine whose runs can be explored: two multiprocessors of two blocks, two grids, 8 bytes.
    pub fn small() -> Self {
        Self { processors: 2, resident_blocks: 2, concurrent_grids: 2, memory: 8 }
    }
}

/// β: a block (5.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlockState {
    /// It has no multiprocessor yet.
    Unscheduled,
    /// It runs.
    Active {
        /// Where.
        processor: usize,
        /// The action that it does next.
        next: usize,
        /// Its register.
        register: u8,
    },
    /// It has done all its actions.
    Completed,
}

/// γ: a grid (5.6).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GridState {
    /// Its index, which is never used again.
    pub index: u32,
    /// Whether it is completed: it is active if not.
    pub completed: bool,
    /// The entry point that it executes.
    pub entry: usize,
    /// The blocks by their indices.
    pub blocks: Vec<BlockState>,
    /// The host's name for it.
    pub ticket: Ticket,
}

/// ζ: a context (5.7).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ContextState {
    /// Its index, which is never used again.
    pub index: usize,
    /// *vms*: the physical address of its first byte.
    pub base: usize,
    /// *pm*: the program of each grid.
    pub program_map: BTreeMap<u32, usize>,
    /// The programs that are loaded, by their indices.
    pub programs: Vec<LoadedProgram>,
    /// Messages from the host.
    pub inputs: Vec<ContextInput>,
    /// Messages to the host.
    pub outputs: Vec<ContextOutput>,
    /// Its grids.
    pub grids: Vec<GridState>,
    /// Whether a grid of it has failed. Ours.
    pub lost: bool,
}

/// ∆: the device (5.8).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct DeviceState {
    /// *mm*: the memory manager.
    pub memory: MemoryManager,
    /// Messages from the host.
    pub inputs: Vec<DeviceInput>,
    /// Messages to the host.
    pub outputs: Vec<DeviceOutput>,
    /// The contexts.
    pub contexts: Vec<ContextState>,
    /// The index of the next grid.
    pub next_grid: u32,
    /// The index of the next context.
    pub next_context: usize,
}

/// *cin* (5.7.2).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ContextInput {
    /// A grid is to execute an entry point of a program.
    Start {
        /// The index of the program.
        program: usize,
        /// The entry point.
        entry: usize,
        /// The host's name for the grid.
        ticket: Ticket,
    },
    /// A grid is to be aborted.
    Abort(u32),
}

/// *cout* (5.7.2).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ContextOutput {
    /// A grid has started.
    Started(u32, Ticket),
    /// A grid is completed.
    Completed(u32),
    /// A grid has failed. Ours.
    Failed(u32),
}

/// *din* (5.8.2).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DeviceInput {
    /// A program is to be loaded into a context.
    Load(DeviceProgram, usize),
    /// A context is to be made.
    Create,
    /// A context is to be destroyed.
    Destroy(usize),
    /// A message for a context.
    Context(ContextInput, usize),
}

/// *dout* (5.8.2).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DeviceOutput {
    /// A context is there.
    Created(usize),
    /// A program is loaded: its index, and that of the context.
    Loaded(usize, usize),
    /// A message of a context.
    Context(ContextOutput, usize),
}

impl ContextState {
    /// *vms* of an address; ⊥ if the context has it not.
    pub fn physical(&self, address: usize, limits: &DeviceLimits) -> Option<usize> {
        (address < limits.memory).then_some(self.base + address)
    }

    /// The actions of a block of a grid.
    pub fn actions(&self, grid: &GridState, block: usize) -> &[Action] {
        let program = self.program_map.get(&grid.index).and_then(|&program| self.programs.get(program));
        let blocks = program.and_then(|program| program.0.entries.get(grid.entry));
        blocks.and_then(|blocks| blocks.get(block)).map_or(&[], Vec::as_slice)
    }
}

impl DeviceState {
    /// The places of a grid: of its context, and in that.
    pub fn find(&self, grid: u32) -> Option<(usize, usize)> {
        self.contexts.iter().enumerate().find_map(|(context, state)| {
            state.grids.iter().position(|known| known.index == grid).map(|place| (context, place))
        })
    }

    /// A context by its index.
    pub fn context(&self, index: usize) -> Option<&ContextState> {
        self.contexts.iter().find(|context| context.index == index)
    }

    /// A context by its index, to be changed.
    pub fn context_mut(&mut self, index: usize) -> Option<&mut ContextState> {
        self.contexts.iter_mut().find(|context| context.index == index)
    }

    /// Blocks that a multiprocessor holds.
    pub fn residents(&self, processor: usize) -> usize {
        let blocks = self.contexts.iter().flat_map(|context| &context.grids).flat_map(|grid| &grid.blocks);
        blocks.filter(|block| matches!(block, BlockState::Active { processor: at, .. } if *at == processor)).count()
    }
}
