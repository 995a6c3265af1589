//! A launch on the memory environment: blocks on several multiprocessors, their warps in any order.
//!
//! The oracle says where a block goes, which warp runs next and for how long, and what memory does in between. The report
//! lets warps of all multiprocessors make a step at once (sections 5.7 and 5.8); they share nothing but memory, whose
//! operations are interleaved anyway.

use super::together;
use crate::engine::{Block, Init, Launch, Next, Start, Stopped, Units, Watch, Why};
use crate::environment::{EnvironmentConfig, MemoryModel, Question, Stuck};
use crate::memory::environment::{Home, Modelled};
use crate::memory::{BlockMemory, Memory};
use crate::observe::Observer;

/// What an instruction counts on the memory environment, in units of work.
///
/// **Assumed:** it takes the host so many times as long as one on ideal memory.
const ISSUE: u64 = 256;

/// A block that runs.
struct Seated<U> {
    block: Block<U>,
    /// Where its first warp runs.
    home: Home,
    /// What it has to itself, while another block runs.
    own: BlockMemory,
}

/// All blocks, as many at a time as there is room for.
pub(crate) fn run<S: Start, O: Observer>(
    launch: &Launch<'_>,
    start: &S,
    memory: &mut Memory<'_>,
    observer: &mut O,
) -> Result<(), Box<Stopped>> {
    let MemoryModel::Environment(environment) = &launch.config.memory else { return Ok(()) };
    let init = Init::new(launch.plan, launch.grid, launch.config.warp_width);
    observer.launched(&launch.plan.code);
    let mut blocks = 0..launch.blocks;
    let mut watch = Watch::new(&launch.budget, launch.config);
    let mut seated: Vec<Seated<S::Units>> = Vec::new();
    loop {
        while !blocks.is_empty()
            && let Some((processor, seat)) = free_seat(&seated, environment, memory)
        {
            let Some(number) = blocks.next() else { break };
            let home = Home { processor, seat, warp: 0, number: (number * launch.warps()) as u64 };
            let rows = (0..launch.warps()).map(|_| launch.registers(&init, memory)).collect();
            let mut own = memory.of_block(&launch.plan.code.arrays, launch.config.warp_width, launch.warps());
            own.begin(number);
            seated.push(Seated { block: start.block(launch, &init, number, rows), home, own });
        }
        if seated.is_empty() {
            return Ok(());
        }
        let units = S::Units::count(launch.warps());
        let all = (0..seated.len()).flat_map(|place| (0..units).map(move |unit| (place, unit)));
        let runnable: Vec<(usize, usize)> = all.filter(|&(place, unit)| seated[place].block.units.runs(unit)).collect();
        if runnable.is_empty() {
            let mut blocks: Vec<_> = seated.iter_mut().map(|seated| &mut seated.block).collect();
            match together::open(&mut blocks) {
                Ok(()) => {
                    memory.meet_as_grid();
                    watch.barrier_opened();
                }
                Err(place) => return Err(seated[place].block.deadlocked()),
            }
            continue;
        }
        let chosen = |modelled: &mut Modelled| {
            (modelled.ask(Question::Warp, runnable.len()), modelled.ask(Question::Turn, environment.turn))
        };
        let (chosen, turn) = memory.modelled.as_deref_mut().map_or((0, 0), chosen);
        let (place, unit) = runnable[chosen];
        run_turn(launch, &mut seated[place], (unit, turn as u64), &mut watch, memory, observer)?;
        between(&mut seated[place].block, memory, Modelled::pass)?;
        if seated[place].block.has_ended() {
            let Seated { mut block, home, .. } = seated.swap_remove(place);
            between(&mut block, memory, |modelled| modelled.leave(home))?;
            block.end(observer);
        }
    }
}

/// Something that memory does while no warp runs.
fn between<U: Units>(
    block: &mut Block<U>,
    memory: &mut Memory<'_>,
    something: impl FnOnce(&mut Modelled) -> Result<(), Stuck>,
) -> Result<(), Box<Stopped>> {
    let done = memory.modelled.as_deref_mut().map_or(Ok(()), something);
    done.map_err(|stuck| block.stopped(0, Why::Memory(stuck)))
}

/// A unit runs for some instructions.
fn run_turn<U: Units, O: Observer>(
    launch: &Launch<'_>,
    Seated { block, home, own }: &mut Seated<U>,
    (unit, turn): (usize, u64),
    watch: &mut Watch<'_>,
    memory: &mut Memory<'_>,
    observer: &mut O,
) -> Result<(), Box<Stopped>> {
    memory.exchange(block.number, own);
    if let Some(modelled) = memory.modelled.as_deref_mut() {
        modelled.enter(*home);
    }
    let turned = block.turn(unit, turn, launch, memory, observer)?;
    // Here nothing proves that a warp spins without end: the same configuration may go on otherwise the next time.
    if let Next::GiveUp(spent) = watch.turned(turned, ISSUE) {
        return Err(block.given_up(spent, launch, memory, observer));
    }
    memory.exchange(block.number, own);
    let stuck = memory.stuck().cloned();
    stuck.map_or(Ok(()), |stuck| Err(block.stopped(unit, Why::Memory(stuck))))
}

/// A place for a block, if there is one: on any multiprocessor that has room.
fn free_seat<U>(seated: &[Seated<U>], config: &EnvironmentConfig, memory: &mut Memory<'_>) -> Option<(usize, usize)> {
    let taken =
        |processor, seat| seated.iter().any(|block| (block.home.processor, block.home.seat) == (processor, seat));
    let seat =
        |processor| (0..config.resident_blocks).find(|&seat| !taken(processor, seat)).map(|seat| (processor, seat));
    let free: Vec<(usize, usize)> = (0..config.processors).filter_map(seat).collect();
    let modelled = memory.modelled.as_deref_mut()?;
    let chosen = modelled.ask(Question::Processor, free.len());
    free.get(chosen).copied()
}
