//! Host and device together: which moves there are, and what each leads to.

use super::host::{Command, Fate, HostProgram, HostState, Ticket};
use super::memory::{MemoryManager, Operation};
use super::rules::DeviceRules;
use super::state::{ContextInput, ContextOutput, DeviceInput, DeviceLimits, DeviceOutput, DeviceState};

/// A move: what is left open.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DeviceMove {
    /// (start) of a grid, which a message asks for.
    Start(Ticket),
    /// (abort) of a grid that has started, or the host does not start it.
    Abort(Ticket),
    /// (issue) of a block of a grid to a multiprocessor.
    Issue {
        /// The index of the grid.
        grid: u32,
        /// The index of the block.
        block: usize,
        /// The multiprocessor.
        processor: usize,
    },
    /// (exec): a block does its next action.
    Exec {
        /// The index of the grid.
        grid: u32,
        /// The index of the block.
        block: usize,
    },
    /// A store is performed.
    Perform(Operation),
    /// *evictL1*: a multiprocessor's cache loses an address.
    Evict {
        /// The multiprocessor.
        processor: usize,
        /// The physical address.
        at: usize,
    },
    /// (compl) of a grid, and of its context.
    Complete(u32),
}

impl DeviceMove {
    /// Whether a run has ended though the move is possible: an abort is, at any time, and what is not aborted ends, too.
    pub(super) fn is_optional(&self) -> bool {
        matches!(self, Self::Abort(_) | Self::Evict { .. })
    }
}

/// A state of host and device.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DeviceRun {
    /// The device.
    pub device: DeviceState,
    /// The host.
    pub host: HostState,
}

/// A program of the host on a machine, by some rules.
pub struct DeviceSystem<'s, R> {
    pub(super) limits: DeviceLimits,
    pub(super) program: &'s HostProgram,
    rules: &'s R,
}

impl<'s, R: DeviceRules> DeviceSystem<'s, R> {
    /// The system.
    pub fn new(limits: DeviceLimits, program: &'s HostProgram, rules: &'s R) -> Self {
        Self { limits, program, rules }
    }

    /// The state in which all contexts are there, the programs loaded, and the first messages sent.
    pub fn initial(&self) -> DeviceRun {
        let memory = MemoryManager::new(self.limits.processors);
        let device = DeviceState { memory, ..DeviceState::default() };
        let mut run = DeviceRun { device, host: HostState::new(self.program.streams.len()) };
        for context in 0..self.program.contexts {
            run.device.inputs.push(DeviceInput::Create);
            let load = |program: &_| DeviceInput::Load(Clone::clone(program), context);
            run.device.inputs.extend(self.program.programs.iter().map(load));
        }
        self.settle(&mut run);
        run
    }

    /// The moves from a state.
    pub fn moves(&self, run: &DeviceRun) -> Vec<DeviceMove> {
        self.successors(run).into_iter().map(|(by, _)| by).collect()
    }

    /// The moves from a state, with what they lead to.
    pub(super) fn successors(&self, run: &DeviceRun) -> Vec<(DeviceMove, DeviceRun)> {
        let device = &run.device;
        let mut moves = Vec::new();
        for context in &device.contexts {
            moves.extend(context.inputs.iter().filter_map(|input| match input {
                ContextInput::Start { ticket, .. } => Some(DeviceMove::Start(*ticket)),
                ContextInput::Abort(_) => None,
            }));
            for grid in &context.grids {
                moves.push(DeviceMove::Complete(grid.index));
                moves.extend((0..grid.blocks.len()).map(|block| DeviceMove::Exec { grid: grid.index, block }));
            }
        }
        let issue = |(grid, block, processor)| DeviceMove::Issue { grid, block, processor };
        moves.extend(self.rules.issue_blocks(&self.limits, device).into_iter().map(issue));
        moves.extend(device.memory.in_flight.iter().cloned().map(DeviceMove::Perform));
        for (processor, lines) in device.memory.l1.iter().enumerate() {
            moves.extend(lines.keys().map(|&at| DeviceMove::Evict { processor, at }));
        }
        moves.extend(self.program.aborts.iter().map(|&ticket| DeviceMove::Abort(ticket)));
        moves.into_iter().filter_map(|by| self.step(run, &by).map(|after| (by, after))).collect()
    }

    /// The state behind a move; none if it is not possible. Messages are passed on, and the host does what it can, at once.
    pub fn step(&self, run: &DeviceRun, by: &DeviceMove) -> Option<DeviceRun> {
        let mut after = run.clone();
        let DeviceRun { device, host } = &mut after;
        let applies = match by {
            DeviceMove::Start(ticket) => {
                let context = self.program.streams.get(ticket.0)?.context;
                self.rules.rule_start(&self.limits, device, context, *ticket)
            }
            DeviceMove::Abort(ticket) => {
                let commands = &self.program.streams.get(ticket.0)?.commands;
                let is_grid = matches!(commands.get(ticket.1)?, Command::Launch { .. });
                let applies = is_grid && !host.fates.contains_key(ticket);
                self.abort(&mut after, *ticket);
                applies
            }
            &DeviceMove::Issue { grid, block, processor } => {
                self.rules.issue_blocks(&self.limits, device).contains(&(grid, block, processor))
                    && self.rules.rule_issue(device, grid, block, processor)
            }
            &DeviceMove::Exec { grid, block } => self.rules.rule_grid_exec(&self.limits, device, grid, block),
            DeviceMove::Perform(operation) => self.rules.rule_perform(&mut device.memory, operation),
            &DeviceMove::Evict { processor, at } => {
                let has = device.memory.l1.get(processor).is_some_and(|lines| lines.contains_key(&at));
                device.memory.evict(processor, at);
                has
            }
            &DeviceMove::Complete(grid) => {
                let (context, place) = device.find(grid)?;
                self.rules.rule_grid_compl(&mut device.contexts[context].grids[place]);
                self.rules.rule_context_compl(device, grid)
            }
        };
        self.settle(&mut after);
        applies.then_some(after)
    }

    /// The host aborts a grid: by a message if it has started, and else by not starting it.
    fn abort(&self, run: &mut DeviceRun, ticket: Ticket) {
        let context = self.program.streams[ticket.0].context;
        let started = run.host.started.iter().find(|(_, known)| **known == ticket).map(|(&index, _)| index);
        if let Some(state) = run.device.context_mut(context) {
            state.inputs.retain(|input| !matches!(input, ContextInput::Start { ticket: of, .. } if *of == ticket));
        }
        if let Some(index) = started {
            run.device.inputs.push(DeviceInput::Context(ContextInput::Abort(index), context));
        }
        run.host.end(ticket, Fate::Aborted);
    }

    /// Passes messages on, and does what the host can do, until nothing is left of either.
    fn settle(&self, run: &mut DeviceRun) {
        let mut goes_on = true;
        while goes_on {
            goes_on = self.pass_inputs(&mut run.device) | self.pass_outputs(run);
            for stream in 0..self.program.streams.len() {
                goes_on |= self.go_on(run, stream);
            }
        }
    }

    /// (create), (load), (destroy), (cin), and (abort), which answers nothing. Returns whether there was something to do.
    fn pass_inputs(&self, device: &mut DeviceState) -> bool {
        let inputs = std::mem::take(&mut device.inputs);
        let any = !inputs.is_empty();
        for input in inputs {
            match input {
                DeviceInput::Create => self.rules.rule_create(&self.limits, device),
                DeviceInput::Load(program, context) => {
                    self.rules.rule_load(&self.limits, device, program, context);
                }
                DeviceInput::Destroy(context) => {
                    self.rules.rule_destroy(device, context);
                }
                DeviceInput::Context(ContextInput::Abort(grid), _) => {
                    self.rules.rule_abort(device, grid);
                }
                DeviceInput::Context(input, context) => {
                    device.context_mut(context).into_iter().for_each(|state| state.inputs.push(input.clone()));
                }
            }
        }
        any
    }

    /// (cout), and (out): the host hears what there is to hear. Returns whether there was something.
    fn pass_outputs(&self, run: &mut DeviceRun) -> bool {
        let DeviceRun { device, host } = run;
        for context in &mut device.contexts {
            let of_context = std::mem::take(&mut context.outputs);
            device.outputs.extend(of_context.into_iter().map(|output| DeviceOutput::Context(output, context.index)));
        }
        let outputs = std::mem::take(&mut device.outputs);
        let any = !outputs.is_empty();
        for output in outputs {
            if let DeviceOutput::Context(message, context) = output {
                host.hear(&message);
                if matches!(message, ContextOutput::Failed(_)) {
                    host.lose(self.program, context);
                }
            }
        }
        any
    }

    /// The host does what it can in a stream. Returns whether there was something.
    fn go_on(&self, run: &mut DeviceRun, number: usize) -> bool {
        let DeviceRun { device, host } = run;
        let stream = &self.program.streams[number];
        let context = stream.context;
        let first = host.next[number];
        while let Some(command) = stream.commands.get(host.next[number]) {
            let ticket = (number, host.next[number]);
            let goes_on = match *command {
                // One that was aborted before is not started.
                Command::Launch { .. } if host.fates.contains_key(&ticket) => true,
                Command::Launch { program, entry } if self.rules.may_launch(host, number) => {
                    let start = ContextInput::Start { program, entry, ticket };
                    device.inputs.push(DeviceInput::Context(start, context));
                    host.running[number] = Some(ticket);
                    true
                }
                Command::Record(point) if self.rules.may_launch(host, number) => host.happened.insert(point),
                Command::Wait(point) => self.rules.has_happened(host, point),
                Command::Launch { .. } | Command::Record(_) => false,
            };
            if !goes_on {
                break;
            }
            host.next[number] += 1;
        }
        host.next[number] != first
    }
}
