//! Blocks that wait for each other at the barrier of the grid: all of them run, in turns.
//!
//! In a turn of a block each of its warps has a turn. Blocks may wait for each other in other ways, too, as all are there.

use super::turns::Lengths;
use crate::engine::{Block, Init, Launch, Next, Start, Stopped, Turn, Units, Watch};
use crate::environment::MemoryModel;
use crate::memory::environment::Home;
use crate::memory::{BlockMemory, Memory};
use crate::observe::Observer;

/// A block that has not ended.
struct Present<U> {
    block: Block<U>,
    /// What it has to itself, while another block runs.
    own: BlockMemory,
    lengths: Lengths,
    /// Where it runs, on the memory environment.
    home: Option<Home>,
}

/// Opens the barrier of the grid if all blocks wait there, and the launch goes on.
///
/// # Errors
/// The place of a block that waits for something else.
pub(super) fn open<U: Units>(blocks: &mut [&mut Block<U>]) -> Result<(), usize> {
    match blocks.iter().position(|block| !block.waits_for_grid()) {
        Some(place) => Err(place),
        None => {
            blocks.iter_mut().for_each(|block| block.open_grid());
            Ok(())
        }
    }
}

/// All blocks, until all have ended.
pub(super) fn run<S: Start, O: Observer>(
    launch: &Launch<'_>,
    start: &S,
    init: &Init<'_>,
    memory: &mut Memory<'_>,
    observer: &mut O,
) -> Result<(), Box<Stopped>> {
    let mut watch = Watch::of_blocks(&launch.budget, launch.config, launch.blocks);
    let mut present: Vec<Present<S::Units>> =
        (0..launch.blocks).map(|number| begin(launch, start, init, memory, number)).collect();
    while !present.is_empty() {
        let mut ran = false;
        for one in &mut present {
            enter(one, memory);
            ran |= round(launch, one, &mut watch, memory, observer)?;
            memory.exchange(one.block.number, &mut one.own);
        }
        let (ended, left): (Vec<_>, Vec<_>) = present.into_iter().partition(|one| one.block.has_ended());
        for Present { block, home, .. } in ended {
            if let (Some(modelled), Some(home)) = (memory.modelled.as_deref_mut(), home) {
                let left = modelled.leave(home);
                modelled.note(left);
            }
            ran = true;
            block.end(observer);
        }
        present = left;
        if ran {
            continue;
        }
        let mut blocks: Vec<_> = present.iter_mut().map(|one| &mut one.block).collect();
        match open(&mut blocks) {
            Ok(()) => {
                memory.meet_as_grid();
                watch.barrier_opened();
            }
            Err(place) => {
                enter(&mut present[place], memory);
                return Err(present[place].block.deadlocked());
            }
        }
    }
    Ok(())
}

/// A block whose threads stand at the entry.
fn begin<S: Start>(
    launch: &Launch<'_>,
    start: &S,
    init: &Init<'_>,
    memory: &Memory<'_>,
    number: usize,
) -> Present<S::Units> {
    let rows = (0..launch.warps()).map(|_| launch.registers(init, memory)).collect();
    let mut own = memory.of_block(&launch.plan.code.arrays, launch.config.warp_width, launch.warps());
    own.begin(number);
    let regroups = <S::Units as Units>::REGROUPS;
    let lengths = if regroups { Lengths::of_block() } else { Lengths::drawn(launch.config.seed, number) };
    let home = match &launch.config.memory {
        MemoryModel::Environment(environment) => Some(Home {
            processor: number % environment.processors,
            seat: number / environment.processors,
            warp: 0,
            number: (number * launch.warps()) as u64,
        }),
        MemoryModel::Ideal => None,
    };
    Present { block: start.block(launch, init, number, rows), own, lengths, home }
}

/// What a block has to itself takes its place.
fn enter<U: Units>(one: &mut Present<U>, memory: &mut Memory<'_>) {
    memory.exchange(one.block.number, &mut one.own);
    if let (Some(modelled), Some(home)) = (memory.modelled.as_deref_mut(), one.home) {
        modelled.enter(home);
    }
}

/// A turn for each unit of a block. Returns whether one ran.
fn round<U: Units, O: Observer>(
    launch: &Launch<'_>,
    Present { block, lengths, .. }: &mut Present<U>,
    watch: &mut Watch<'_>,
    memory: &mut Memory<'_>,
    observer: &mut O,
) -> Result<bool, Box<Stopped>> {
    let mut ran = false;
    for unit in 0..U::count(block.units.warps().len()) {
        if !block.units.runs(unit) {
            continue;
        }
        let turned = block.turn(unit, lengths.next(watch), launch, memory, observer)?;
        if turned.turn == Turn::Stuck {
            break;
        }
        ran = true;
        lengths.printed(turned.serial);
        // Nothing proves that a block never ends which others may let go on.
        if let Next::GiveUp(spent) = watch.turned(turned, 1) {
            return Err(block.given_up(spent, launch, memory, observer));
        }
        if turned.turn == Turn::Ended && block.has_ended() {
            break;
        }
    }
    Ok(ran)
}
