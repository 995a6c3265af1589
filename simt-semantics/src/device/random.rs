//! Random programs of the host.

use super::host::{Command, HostProgram, HostStream, Ticket};
use super::state::{Action, DeviceLimits, DeviceProgram};
use crate::choice::SeededOrder;
use std::collections::BTreeMap;

/// The bytes of a context that grids use, at most: few, so that they meet.
const BYTES: usize = 6;

/// A block of a grid.
type Block = (Ticket, usize);

/// The blocks that load a byte, and that write it.
#[derive(Default)]
struct Accessed {
    loads: Vec<Block>,
    stores: Vec<Block>,
}

impl HostProgram {
    /// A random program of one or two contexts, the same for the same seed. Two of three have no race. In some a grid fails, or
    /// is aborted.
    pub fn random(seed: u64, limits: &DeviceLimits) -> Self {
        let mut drawn = SeededOrder::new(seed);
        let racy = drawn.below(3) == 0;
        let mut program = Self::of_contexts(1 + drawn.below(2));
        program.streams = (0..1 + drawn.below(4))
            .map(|_| HostStream { context: drawn.below(program.contexts), commands: Vec::new() })
            .collect();
        let mut points = 0;
        let mut grids = 0;
        let mut recorded: Vec<(usize, usize)> = Vec::new();
        for _ in 0..3 + drawn.below(12) {
            let stream = drawn.below(program.streams.len());
            let context = program.streams[stream].context;
            let here: Vec<usize> = recorded.iter().filter(|(of, _)| *of == context).map(|&(_, point)| point).collect();
            let command = match drawn.below(4) {
                0 => {
                    recorded.push((context, points));
                    points += 1;
                    Command::Record(points - 1)
                }
                1 if !here.is_empty() => Command::Wait(here[drawn.below(here.len())]),
                _ => {
                    grids += 1;
                    Command::Launch { program: 0, entry: grids - 1 }
                }
            };
            program.streams[stream].commands.push(command);
        }
        let initial = (0..limits.memory).step_by(3).map(|at| (at, 100 + at as u8)).collect();
        program.programs = vec![DeviceProgram { initial, entries: program.entries(grids, racy, &mut drawn) }];
        let tickets: Vec<Ticket> = program.tickets().collect();
        if !tickets.is_empty() && drawn.below(6) == 0 {
            program.aborts.push(tickets[drawn.below(tickets.len())]);
        }
        if grids > 0 && drawn.below(6) == 0 {
            let entry = &mut program.programs[0].entries[drawn.below(grids)];
            if let Some(block) = entry.last_mut() {
                block.push(Action::Fault);
            }
        }
        program
    }

    /// The blocks of each grid.
    fn entries(&self, grids: usize, racy: bool, drawn: &mut SeededOrder) -> Vec<Vec<Vec<Action>>> {
        let before = self.before();
        let mut entries = vec![Vec::new(); grids];
        let mut accesses: BTreeMap<(usize, usize), Accessed> = BTreeMap::new();
        let mut order: Vec<Ticket> = self.tickets().collect();
        order.sort_by_key(|ticket| before[ticket].len());
        for ticket in order {
            let stream = &self.streams[ticket.0];
            let Command::Launch { entry, .. } = stream.commands[ticket.1] else { continue };
            for block in 0..[1, 1, 2, 3][drawn.below(4)] {
                let mut actions = Vec::new();
                for number in 0..2 + drawn.below(5) {
                    let (at, amount) = (drawn.below(BYTES), 1 + drawn.below(9) as u8);
                    let action = match (number % 2, drawn.below(3)) {
                        (0, _) => Action::Load(at),
                        (_, 0) => Action::Add { to: at, amount },
                        _ => Action::Store { to: at, plus: amount },
                    };
                    let before =
                        |&(other, of): &Block| before[&ticket].contains(&other) || (other, of) == (ticket, block);
                    let known = accesses.entry((stream.context, at)).or_default();
                    let loads = matches!(action, Action::Load(_));
                    if racy || known.stores.iter().all(before) && (loads || known.loads.iter().all(before)) {
                        actions.push(action);
                        if loads { &mut known.loads } else { &mut known.stores }.push((ticket, block));
                    }
                }
                entries[entry].push(actions);
            }
        }
        entries
    }
}
