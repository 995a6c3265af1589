//! What a program of the host must give, whatever runs when: which grids are before which, races, and the results of a program
//! without any.

use super::host::{Command, Fate, HostProgram, Ticket};
use super::runs::Outcome;
use super::state::{Action, DeviceLimits};
use std::collections::{BTreeMap, BTreeSet};

/// The bytes of a context that a block reads, stores to, and adds to.
#[derive(Default)]
struct Accesses {
    loads: BTreeSet<usize>,
    stores: BTreeSet<usize>,
    adds: BTreeSet<usize>,
}

impl Accesses {
    fn of(actions: &[Action]) -> Self {
        let mut accesses = Self::default();
        for action in actions {
            match *action {
                Action::Load(at) => accesses.loads.insert(at),
                Action::Store { to, .. } => accesses.stores.insert(to),
                Action::Add { to, .. } => accesses.adds.insert(to),
                Action::Fault => false,
            };
        }
        accesses
    }

    /// Whether the order of two blocks matters. That of additions does not.
    fn conflicts(&self, other: &Self) -> bool {
        let one_way = |this: &Self, that: &Self| {
            let all = |at: &usize| that.loads.contains(at) || that.stores.contains(at) || that.adds.contains(at);
            this.stores.iter().any(all) || this.adds.iter().any(|at| that.loads.contains(at))
        };
        one_way(self, other) || one_way(other, self)
    }
}

impl HostProgram {
    /// The grids by stream, and in it by command.
    pub fn tickets(&self) -> impl Iterator<Item = Ticket> {
        let streams = self.streams.iter().enumerate();
        streams.flat_map(|(stream, of)| {
            let commands = of.commands.iter().enumerate();
            let grids = commands.filter(|(_, command)| matches!(command, Command::Launch { .. }));
            grids.map(move |(command, _)| (stream, command))
        })
    }

    /// The blocks of a grid, with their actions.
    pub fn blocks(&self, ticket: Ticket) -> &[Vec<Action>] {
        let command = self.streams.get(ticket.0).and_then(|stream| stream.commands.get(ticket.1));
        let Some(&Command::Launch { program, entry }) = command else { return &[] };
        let program = self.programs.get(program);
        program.and_then(|program| program.entries.get(entry)).map_or(&[], Vec::as_slice)
    }

    /// Of each grid those that must have ended before it starts.
    pub fn before(&self) -> BTreeMap<Ticket, BTreeSet<Ticket>> {
        let (mut before, mut recorded) = (BTreeMap::new(), BTreeMap::new());
        // What is known of points grows, until nothing more follows.
        loop {
            let known = (before.clone(), recorded.clone());
            for (number, stream) in self.streams.iter().enumerate() {
                let mut all: BTreeSet<Ticket> = BTreeSet::new();
                for (command, what) in stream.commands.iter().enumerate() {
                    match what {
                        Command::Launch { .. } => {
                            before.insert((number, command), all.clone());
                            all.insert((number, command));
                        }
                        Command::Record(point) => {
                            recorded.insert(*point, all.clone());
                        }
                        Command::Wait(point) => all.extend(recorded.get(point).into_iter().flatten()),
                    }
                }
            }
            if (before.clone(), recorded.clone()) == known {
                return before;
            }
        }
    }

    /// Whether the order of grids, or of blocks of one, matters where nothing says what it is.
    pub fn has_race(&self) -> bool {
        let before = self.before();
        let context = |ticket: Ticket| self.streams[ticket.0].context;
        let blocks: Vec<(Ticket, Accesses)> = self
            .tickets()
            .flat_map(|ticket| self.blocks(ticket).iter().map(move |block| (ticket, Accesses::of(block))))
            .collect();
        blocks.iter().enumerate().any(|(number, (one, mine))| {
            blocks[..number].iter().any(|(other, theirs)| {
                let ordered = before[one].contains(other) || before[other].contains(one);
                !ordered && context(*one) == context(*other) && mine.conflicts(theirs)
            })
        })
    }

    /// The result of all runs of a program that has no race, in which no grid fails and none is aborted; of another none.
    pub fn result(&self, limits: &DeviceLimits) -> Option<Outcome> {
        let wrong = |action: &Action| match *action {
            Action::Fault => true,
            Action::Load(at) | Action::Store { to: at, .. } | Action::Add { to: at, .. } => at >= limits.memory,
        };
        let mut actions = self.tickets().flat_map(|ticket| self.blocks(ticket)).flatten();
        if !self.aborts.is_empty() || actions.any(wrong) || self.has_race() {
            return None;
        }
        let mut memories = vec![vec![0_u8; limits.memory]; self.contexts];
        for &(at, value) in self.programs.iter().flat_map(|program| &program.initial) {
            memories.iter_mut().filter_map(|memory| memory.get_mut(at)).for_each(|byte| *byte = value);
        }
        let before = self.before();
        let mut order: Vec<Ticket> = self.tickets().collect();
        // A grid has more grids before it than each of those has.
        order.sort_by_key(|ticket| before[ticket].len());
        for &ticket in &order {
            let memory = memories.get_mut(self.streams[ticket.0].context)?;
            for block in self.blocks(ticket) {
                let mut register = 0_u8;
                for action in block {
                    match *action {
                        Action::Load(at) => register = memory[at],
                        Action::Store { to, plus } => memory[to] = register.wrapping_add(plus),
                        Action::Add { to, amount } => memory[to] = memory[to].wrapping_add(amount),
                        Action::Fault => {}
                    }
                }
            }
        }
        Some(Outcome { memories, fates: order.into_iter().map(|ticket| (ticket, Fate::Completed)).collect() })
    }
}
