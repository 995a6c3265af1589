//! The host: streams of grids, and events between them. The report leaves it out (5.9); this is CUDA's.
//!
//! Of a stream one command after the other is done: a grid starts when the one before it has ended, a point is reached when
//! all before it has ended, and to wait for a point is to go on once it is reached.

use super::state::ContextOutput;
use super::state::DeviceProgram;
use std::collections::{BTreeMap, BTreeSet};

/// The host's name for a grid: the stream, and the number of the command.
pub type Ticket = (usize, usize);

/// What is in a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// A grid.
    Launch {
        /// The index of the program.
        program: usize,
        /// The entry point.
        entry: usize,
    },
    /// A point, of which each has its own number: an event that records.
    Record(usize),
    /// What follows waits for a point.
    Wait(usize),
}

/// A stream of a context.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct HostStream {
    /// The index of the context.
    pub context: usize,
    /// What is done in it, in order.
    pub commands: Vec<Command>,
}

/// A program of the host: what it asks of the device.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct HostProgram {
    /// How many contexts there are.
    pub contexts: usize,
    /// The programs that are loaded into each of them.
    pub programs: Vec<DeviceProgram>,
    /// The streams.
    pub streams: Vec<HostStream>,
    /// The grids that are aborted, at any time.
    pub aborts: Vec<Ticket>,
}

impl HostProgram {
    /// A program with so many contexts, in which nothing is done.
    pub fn of_contexts(contexts: usize) -> Self {
        Self { contexts, ..Self::default() }
    }
}

/// How a grid ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fate {
    /// All its blocks are completed.
    Completed,
    /// It was aborted, or never started.
    Aborted,
    /// It has failed, and its context is lost.
    Failed,
}

/// The state of the host.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct HostState {
    /// Of each stream the number of its next command.
    pub next: Vec<usize>,
    /// Of each stream the grid that has not ended.
    pub running: Vec<Option<Ticket>>,
    /// The points that have been reached.
    pub happened: BTreeSet<usize>,
    /// The indices of the grids that have started and not ended.
    pub started: BTreeMap<u32, Ticket>,
    /// How grids have ended.
    pub fates: BTreeMap<Ticket, Fate>,
}

impl HostState {
    /// Of a program of so many streams, before anything is done.
    pub fn new(streams: usize) -> Self {
        Self { next: vec![0; streams], running: vec![None; streams], ..Self::default() }
    }

    /// A grid has ended: its stream goes on.
    pub fn end(&mut self, ticket: Ticket, fate: Fate) {
        self.fates.entry(ticket).or_insert(fate);
        self.started.retain(|_, known| *known != ticket);
        if let Some(running) = self.running.get_mut(ticket.0)
            && *running == Some(ticket)
        {
            *running = None;
        }
    }

    /// A message of a context has come.
    pub fn hear(&mut self, message: &ContextOutput) {
        match message {
            ContextOutput::Started(index, ticket) => {
                self.started.insert(*index, *ticket);
            }
            ContextOutput::Completed(index) | ContextOutput::Failed(index) => {
                let completed = matches!(message, ContextOutput::Completed(_));
                if let Some(&ticket) = self.started.get(index) {
                    self.end(ticket, if completed { Fate::Completed } else { Fate::Failed });
                }
            }
        }
    }

    /// A context is lost or destroyed: nothing more is done in its streams, and its grids have ended.
    pub fn lose(&mut self, program: &HostProgram, context: usize) {
        for (number, stream) in program.streams.iter().enumerate().filter(|(_, stream)| stream.context == context) {
            for (command, what) in stream.commands.iter().enumerate() {
                if matches!(what, Command::Launch { .. }) {
                    self.end((number, command), Fate::Aborted);
                }
            }
            self.next[number] = stream.commands.len();
        }
    }
}
