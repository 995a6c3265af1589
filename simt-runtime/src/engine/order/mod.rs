//! In which order the blocks of a launch run, and the units of a block.
//!
//! Blocks run one after the other in the order of their numbers. The warps of a block do so, too, unless the kernel has
//! barriers or atomics, with which they can wait for each other: then they take turns, in the order of their numbers. How
//! long a turn is, is drawn, so that it does not resonate with what the warps do; the order is the same every time. On the
//! memory environment, blocks run on several `multiprocessors` in any order. Blocks whose threads wait for each other at the
//! barrier of the grid run `together`, in turns.

mod multiprocessors;
mod together;
mod turns;

pub(crate) use multiprocessors::run as run_on_multiprocessors;

use super::{Block, Init, Launch, Next, Start, Stopped, Turn, Turned, Units, Unknown, Watch};
use crate::memory::Memory;
use crate::observe::Observer;
use turns::Lengths;

/// All blocks, one after the other.
pub(crate) fn run<S: Start, O: Observer>(
    launch: &Launch<'_>,
    start: &S,
    memory: &mut Memory<'_>,
    observer: &mut O,
) -> Result<(), Box<Stopped>> {
    let init = Init::new(launch.plan, launch.grid, launch.config.warp_width);
    observer.launched(&launch.plan.code);
    if launch.plan.meets_as_grid() {
        return together::run(launch, start, &init, memory, observer);
    }
    let mut rows = launch.spare.take();
    if !launch.plan.is_cooperative()
        && let Some(mut block) =
            start.one_by_one(launch, || rows.pop().unwrap_or_else(|| launch.registers(&init, memory)))
    {
        let first = || Lengths::of_one().next(&Watch::new(&launch.budget, launch.config));
        let first = launch.budget.is_unlimited().then(first);
        for number in launch.part.clone() {
            memory.begin_block(number);
            block.number = number;
            init.block(number, &mut block.units.warps_mut()[0].registers);
            for warp in 0..launch.warps() {
                start.begin_warp(launch, &init, &mut block, warp, observer);
                memory.begin_threads();
                run_alone(launch, &mut block, first, memory, observer)?;
            }
        }
        block.units.tell(observer);
        launch.spare.set(block.into_registers());
        return Ok(());
    }
    if rows.is_empty() {
        rows = (0..launch.warps()).map(|_| launch.registers(&init, memory)).collect();
    }
    let mut last: Option<Block<S::Units>> = None;
    for number in launch.part.clone() {
        memory.begin_block(number);
        let again = last.as_mut().is_some_and(|block| start.begin_block(launch, &init, block, number, observer));
        let mut block = match last.take() {
            Some(block) if again => block,
            last => {
                let rows = last.map_or_else(|| std::mem::take(&mut rows), |block| block.end(observer));
                start.block(launch, &init, number, rows)
            }
        };
        let lengths = if S::Units::REGROUPS { Lengths::of_block() } else { Lengths::drawn(launch.config.seed, number) };
        run_block(launch, &mut block, lengths, None, memory, observer)?;
        last = Some(block);
    }
    launch.spare.set(last.map_or(rows, |block| block.end(observer)));
    Ok(())
}

/// Runs a warp of a block until all its threads have ended, while the others do not run. Its first turn is so long, if what is
/// done in it need not be counted.
#[inline(always)]
fn run_alone<U: Units, O: Observer>(
    launch: &Launch<'_>,
    block: &mut Block<U>,
    first: Option<u64>,
    memory: &mut Memory<'_>,
    observer: &mut O,
) -> Result<(), Box<Stopped>> {
    let turned = match first {
        Some(length) => match block.first_turn(length, launch, memory, observer)? {
            None => return Ok(()),
            turned => turned,
        },
        None => None,
    };
    run_block(launch, block, Lengths::of_one(), turned, memory, observer)
}

/// Runs a block until all its threads have ended: its units take turns. The first unit may have had one.
fn run_block<U: Units, O: Observer>(
    launch: &Launch<'_>,
    block: &mut Block<U>,
    mut lengths: Lengths,
    mut first: Option<Turned>,
    memory: &mut Memory<'_>,
    observer: &mut O,
) -> Result<(), Box<Stopped>> {
    let mut watch = Watch::new(&launch.budget, launch.config);
    let mut look = None;
    loop {
        let mut ran = false;
        for unit in 0..U::count(block.units.warps().len()) {
            if first.is_none() && !block.units.runs(unit) {
                continue;
            }
            let turned = match (first.take(), look.take()) {
                (Some(turned), _) => turned,
                (None, Some(effort)) if block.runs_alone(unit) => {
                    block.turn_compared(unit, effort, launch, memory, observer)?
                }
                _ => block.turn(unit, lengths.next(&watch), launch, memory, observer)?,
            };
            if turned.turn == Turn::Stuck {
                break;
            }
            ran = true;
            lengths.printed(turned.serial);
            match watch.turned(turned, 1) {
                Next::GiveUp(spent) => return Err(block.given_up(spent, launch, memory, observer)),
                _ if turned.turn == Turn::Ended && block.has_ended() => return Ok(()),
                Next::GoOn => {}
                Next::Look(effort) => match block.never_ends(effort, launch, memory) {
                    Ok((circles, proof)) => return Err(block.livelock(circles, proof)),
                    Err(Unknown::Changes) => look = Some(effort),
                    Err(Unknown::Arrives | Unknown::TooLong) => {}
                },
            }
        }
        if !ran {
            return Err(block.deadlocked());
        }
    }
}
