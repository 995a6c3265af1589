//! Programs of the host of the rules, run on a device.

use crate::gpu;
use crate::model::LIMITS;
use simt::device::{Device, DeviceStep, Event, GridStatus, LaunchedGrid, Stream};
use simt::environment::{Oracle, Question, Seeded};
use simt::prelude::*;
use simt_semantics::device::{Action, Command, Fate, HostProgram, Outcome, Ticket};
use std::collections::BTreeMap;

/// Each block does the actions that stand in the code from its place on: what, where, how much.
#[kernel]
fn play(code: &[u32], bytes: &mut [u8]) {
    let block = block_idx().x;
    let mut register = 0u8;
    let mut next = code[block] as usize;
    while next < code[block + 1] as usize {
        let at = code[next + 1] as usize;
        let amount = code[next + 2] as u8;
        match code[next] {
            0 => register = bytes[at],
            1 => bytes[at] = register.wrapping_add(amount),
            2 => bytes[at] = bytes[at].wrapping_add(amount),
            _ => panic!("this has no meaning"),
        }
        next += 3;
    }
}

/// The blocks of a grid as `play` has them.
fn encode(blocks: &[Vec<Action>]) -> Vec<u32> {
    let mut code = vec![0; blocks.len() + 1];
    for (block, actions) in blocks.iter().enumerate() {
        code[block] = code.len() as u32;
        for action in actions {
            code.extend(match *action {
                Action::Load(at) => [0, at as u32, 0],
                Action::Store { to, plus } => [1, to as u32, plus.into()],
                Action::Add { to, amount } => [2, to as u32, amount.into()],
                Action::Fault => [3, 0, 0],
            });
        }
    }
    code[blocks.len()] = code.len() as u32;
    code
}

/// What has happened on a device, and how it ended.
pub(crate) struct Ran {
    pub(crate) steps: Vec<DeviceStep>,
    pub(crate) tickets: Vec<Ticket>,
    pub(crate) outcome: Outcome,
}

/// Runs a program of the host on a device.
pub(crate) fn run(program: &HostProgram, seed: u64) -> Ran {
    let mut drawn = Seeded::new(!seed);
    let config = GpuConfig { concurrent_grids: LIMITS.concurrent_grids, ..gpu().config().clone() };
    let device = Device::new(Gpu::<Ipdom>::new(config)).with_seed(seed);
    let mut initial = vec![0_u8; LIMITS.memory];
    program.programs[0].initial.iter().for_each(|&(at, value)| initial[at] = value);
    let contexts: Vec<_> = (0..program.contexts)
        .map(|_| {
            let context = device.context().expect("nothing runs");
            let bytes = context.upload(&initial).expect("room");
            (context, bytes)
        })
        .collect();
    let streams: Vec<Stream<'_>> =
        program.streams.iter().map(|stream| contexts[stream.context].0.stream().expect("there")).collect();
    let mut events: BTreeMap<usize, Event<'_>> = BTreeMap::new();
    let (mut grids, mut tickets): (Vec<LaunchedGrid<'_>>, Vec<Ticket>) = Default::default();
    let mut next = vec![0; streams.len()];
    // A wait comes behind the record that it is for.
    while next.iter().zip(&program.streams).any(|(&next, stream)| next < stream.commands.len()) {
        for (number, stream) in program.streams.iter().enumerate() {
            let (context, bytes) = &contexts[stream.context];
            let Some(&command) = stream.commands.get(next[number]) else { continue };
            match command {
                Command::Launch { .. } => {
                    let ticket = (number, next[number]);
                    let blocks = program.blocks(ticket);
                    let (code, bytes) = (context.upload(&encode(blocks)).expect("room"), *bytes);
                    let grid = Grid::new(blocks.len(), 1);
                    let launched =
                        streams[number].launch(grid, move |memory| play(memory.slice(code), memory.slice_mut(bytes)));
                    grids.push(launched.expect("a grid"));
                    tickets.push(ticket);
                }
                Command::Record(point) => {
                    let event = context.event();
                    streams[number].record(&event).expect("of this context");
                    events.insert(point, event);
                }
                Command::Wait(point) => match events.get(&point) {
                    Some(event) => streams[number].wait(event).expect("of this context"),
                    None => continue,
                },
            }
            next[number] += 1;
        }
    }
    for ticket in &program.aborts {
        for _ in 0..drawn.pick(Question::Turn, 20) {
            device.step().expect("nothing runs");
        }
        let place = tickets.iter().position(|known| known == ticket).expect("it was launched");
        grids[place].abort().expect("nothing runs");
    }
    let _ = device.synchronize();
    let fate = |grid: &LaunchedGrid<'_>| match grid.status().expect("nothing runs") {
        GridStatus::Completed => Fate::Completed,
        GridStatus::Aborted => Fate::Aborted,
        GridStatus::Failed => Fate::Failed,
        other => panic!("{other:?}"),
    };
    let fates = tickets.iter().copied().zip(grids.iter().map(fate)).collect();
    let memories = contexts.iter().map(|(context, bytes)| context.read(*bytes).expect("written")).collect();
    Ran { steps: device.steps().expect("nothing runs"), tickets, outcome: Outcome { memories, fates } }
}
