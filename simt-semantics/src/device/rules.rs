//! The rules of grids, contexts and devices, one function each.
//!
//! They are methods of a trait with their meaning as default, so that a test can break one of them and see whether it is
//! noticed. [`CudaReport`] is the semantics. A function that returns whether its rule applies has changed nothing if not.

use super::host::{HostState, Ticket};
use super::memory::{MemoryManager, Operation};
use super::state::{
    Action, BlockState, ContextInput, ContextOutput, ContextState, DeviceLimits, DeviceOutput, DeviceProgram,
    DeviceState, GridState, LoadedProgram,
};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The rules. Those of the report, with its holes decided, are the default.
pub trait DeviceRules {
    /// (exec) of grids (5.6), with the block as small as can be: an active block does its next action. An action that has no
    /// meaning is what the grid fails by. Does not apply while the block waits for a store of its own to the address.
    fn rule_grid_exec(&self, limits: &DeviceLimits, device: &mut DeviceState, grid: u32, block: usize) -> bool {
        let Some((context, place)) = device.find(grid) else { return false };
        let state = &device.contexts[context];
        let of_grid = &state.grids[place];
        let Some(&BlockState::Active { processor, next, register }) = of_grid.blocks.get(block) else { return false };
        let action = state.actions(of_grid, block).get(next).copied();
        let address = match action {
            Some(Action::Load(at) | Action::Store { to: at, .. } | Action::Add { to: at, .. }) => {
                state.physical(at, limits)
            }
            Some(Action::Fault) | None => None,
        };
        let memory = &mut device.memory;
        if address.is_some_and(|at| memory.is_in_flight(grid, block, at)) {
            return false;
        }
        let register = match (action, address) {
            (None, _) => register,
            (Some(Action::Load(_)), Some(at)) => memory.load(processor, at),
            (Some(Action::Store { plus, .. }), Some(to)) => {
                let value = register.wrapping_add(plus);
                memory.issue(Operation { grid, block, action: next, processor, to, value });
                register
            }
            (Some(Action::Add { amount, .. }), Some(to)) => {
                memory.add(grid, processor, to, amount);
                register
            }
            (Some(_), _) => {
                self.rule_fail(device, grid);
                return true;
            }
        };
        let context = &mut device.contexts[context];
        let all = context.actions(&context.grids[place], block).len();
        let after = BlockState::Active { processor, next: next + 1, register };
        context.grids[place].blocks[block] = if next + 1 < all { after } else { BlockState::Completed };
        true
    }

    /// (compl) of grids (5.6): all its blocks are completed. Applies once.
    fn rule_grid_compl(&self, grid: &mut GridState) -> bool {
        let applies = !grid.completed && grid.blocks.iter().all(|block| *block == BlockState::Completed);
        grid.completed |= applies;
        applies
    }

    /// *issueBlocks* (5.7.1): the blocks that are not scheduled yet, each with a multiprocessor that has room.
    fn issue_blocks(&self, limits: &DeviceLimits, device: &DeviceState) -> Vec<(u32, usize, usize)> {
        let room = |&processor: &usize| device.residents(processor) < limits.resident_blocks;
        let free: Vec<usize> = (0..limits.processors).filter(room).collect();
        let grids = device.contexts.iter().flat_map(|context| &context.grids);
        let waiting = grids.flat_map(|grid| {
            let blocks = grid.blocks.iter().enumerate().filter(|(_, block)| **block == BlockState::Unscheduled);
            blocks.map(|(block, _)| (grid.index, block))
        });
        waiting.flat_map(|(grid, block)| free.iter().map(move |&processor| (grid, block, processor))).collect()
    }

    /// (issue) (5.7.3): a block gets a multiprocessor.
    fn rule_issue(&self, device: &mut DeviceState, grid: u32, block: usize, processor: usize) -> bool {
        let Some((context, place)) = device.find(grid) else { return false };
        let context = &mut device.contexts[context];
        let all = context.actions(&context.grids[place], block).len();
        let Some(state) = context.grids[place].blocks.get_mut(block) else { return false };
        let applies = *state == BlockState::Unscheduled;
        if applies {
            let active = BlockState::Active { processor, next: 0, register: 0 };
            *state = if all == 0 { BlockState::Completed } else { active };
        }
        applies
    }

    /// Whether a completed grid is to be told of: no operation of it is in flight (H11).
    fn is_drained(&self, memory: &MemoryManager, grid: u32) -> bool {
        !memory.has_in_flight(grid)
    }

    /// (compl) of contexts (5.7.3): a completed grid is removed, and the host told.
    fn rule_context_compl(&self, device: &mut DeviceState, grid: u32) -> bool {
        let Some((context, place)) = device.find(grid) else { return false };
        let applies = device.contexts[context].grids[place].completed && self.is_drained(&device.memory, grid);
        if applies {
            let context = &mut device.contexts[context];
            context.grids.remove(place);
            context.outputs.push(ContextOutput::Completed(grid));
            device.memory.keep(grid);
        }
        applies
    }

    /// Whether a context has a place for another grid: `NumConKernels` (2.3.1, H17).
    fn has_place(&self, limits: &DeviceLimits, context: &ContextState) -> bool {
        context.grids.len() < limits.concurrent_grids
    }

    /// Whether the device is a context's: no other has grids, as contexts are not preempted (2.3.1, H13).
    fn has_device(&self, device: &DeviceState, context: usize) -> bool {
        device.contexts.iter().all(|other| other.index == context || other.grids.is_empty())
    }

    /// The flush between dependent grids, whenever a grid starts (4.6, H3).
    fn flush(&self, memory: &mut MemoryManager) {
        memory.flush();
    }

    /// (start) (5.7.3): a grid is there, its blocks not scheduled yet.
    fn rule_start(&self, limits: &DeviceLimits, device: &mut DeviceState, context: usize, ticket: Ticket) -> bool {
        if !self.has_device(device, context) {
            return false;
        }
        let index = device.next_grid;
        let Some(state) = device.context_mut(context) else { return false };
        let asks = |input: &ContextInput| matches!(input, ContextInput::Start { ticket: of, .. } if *of == ticket);
        let Some(place) = state.inputs.iter().position(asks) else { return false };
        let ContextInput::Start { program, entry, .. } = state.inputs[place] else { return false };
        let known = state.programs.get(program).and_then(|program| program.0.entries.get(entry));
        let Some(blocks) = known.map(Vec::len).filter(|_| self.has_place(limits, state) && !state.lost) else {
            return false;
        };
        state.inputs.remove(place);
        state.program_map.insert(index, program);
        let blocks = vec![BlockState::Unscheduled; blocks];
        state.grids.push(GridState { index, completed: false, entry, blocks, ticket });
        state.outputs.push(ContextOutput::Started(index, ticket));
        device.next_grid += 1;
        self.flush(&mut device.memory);
        true
    }

    /// (abort) (5.7.3): the grid is gone, also from the program map. What of it is in flight is not aborted, and the host
    /// gets no answer.
    fn rule_abort(&self, device: &mut DeviceState, grid: u32) -> bool {
        let Some((context, place)) = device.find(grid) else { return false };
        let context = &mut device.contexts[context];
        context.grids.remove(place);
        context.program_map.remove(&grid);
        device.memory.keep(grid);
        true
    }

    /// A grid fails. Ours (H19): its context is lost with all its grids, and what it has written is undone.
    fn rule_fail(&self, device: &mut DeviceState, grid: u32) {
        self.undo(&mut device.memory, grid);
        let Some((context, _)) = device.find(grid) else { return };
        let others: Vec<u32> = device.contexts[context].grids.iter().map(|other| other.index).collect();
        for other in others {
            self.rule_abort(device, other);
        }
        let context = &mut device.contexts[context];
        context.lost = true;
        context.inputs.clear();
        context.outputs.push(ContextOutput::Failed(grid));
    }

    /// What a grid that fails has written is undone. Ours (H19).
    fn undo(&self, memory: &mut MemoryManager, grid: u32) {
        memory.undo(grid);
    }

    /// *newVM* (5.8.3): the physical address at which a new context's memory begins. No other context has it.
    fn new_vm(&self, limits: &DeviceLimits, context: usize) -> usize {
        context * limits.memory
    }

    /// (create) (5.8.3).
    fn rule_create(&self, limits: &DeviceLimits, device: &mut DeviceState) {
        let index = device.next_context;
        let base = self.new_vm(limits, index);
        device.contexts.push(ContextState {
            index,
            base,
            program_map: BTreeMap::new(),
            programs: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            grids: Vec::new(),
            lost: false,
        });
        device.next_context += 1;
        device.outputs.push(DeviceOutput::Created(index));
    }

    /// (destroy) (5.8.3): the context is gone, and its grids with it. What is in flight goes on.
    fn rule_destroy(&self, device: &mut DeviceState, context: usize) -> bool {
        let Some(place) = device.contexts.iter().position(|known| known.index == context) else { return false };
        let gone = device.contexts.remove(place);
        gone.grids.iter().for_each(|grid| device.memory.keep(grid.index));
        true
    }

    /// (load) (5.8.3): what the program declares has its values before any of its threads run.
    fn rule_load(
        &self,
        limits: &DeviceLimits,
        device: &mut DeviceState,
        program: DeviceProgram,
        context: usize,
    ) -> bool {
        let Some(place) = device.contexts.iter().position(|known| known.index == context) else { return false };
        let state = &mut device.contexts[place];
        for &(address, value) in &program.initial {
            if let Some(at) = state.physical(address, limits) {
                device.memory.global.insert(at, value);
            }
        }
        let index = state.programs.len();
        state.programs.push(LoadedProgram(Rc::new(program)));
        device.outputs.push(DeviceOutput::Loaded(index, context));
        true
    }

    /// The macro step of memory (4.6), with the operation as small as can be: a store is performed.
    fn rule_perform(&self, memory: &mut MemoryManager, operation: &Operation) -> bool {
        let applies = memory.in_flight.contains(operation);
        memory.perform(operation);
        applies
    }

    /// The host's: whether the next grid of a stream may start, as the one before has ended.
    fn may_launch(&self, host: &HostState, stream: usize) -> bool {
        host.running.get(stream).is_some_and(Option::is_none)
    }

    /// The host's: whether a point that an event has recorded has been reached.
    fn has_happened(&self, host: &HostState, point: usize) -> bool {
        host.happened.contains(&point)
    }
}

/// The rules as the report has them, with its holes decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CudaReport;

impl DeviceRules for CudaReport {}
