//! An instruction of a unit on a core: what it changes besides registers and memory.

use crate::engine::{Block, Launch, Stopped, Turn, Units};
use crate::memory::Memory;
use crate::observe::Observer;

/// What an instruction changed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Step {
    /// Barriers have opened: what waited goes on.
    pub(crate) opened: bool,
    /// Threads have ended, or wait.
    pub(crate) fewer: bool,
    /// Threads have ended.
    pub(crate) ended: bool,
}

/// Executes the next instruction of what was chosen of a unit. Returns as well what was done lane by lane, in units of work.
#[inline(always)]
pub(super) fn step<U: Units, O: Observer>(
    block: &mut Block<U>,
    unit: usize,
    launch: &Launch<'_>,
    memory: &mut Memory<'_>,
    observer: &mut O,
) -> Result<(Step, u64), Box<Stopped>> {
    let live = block.live_warps();
    let turned = block.turn(unit, 0, launch, memory, observer)?;
    let mut opened = turned.opened;
    if U::REGROUPS {
        block.check(unit)?;
    }
    let fewer = turned.turn == Turn::Arrived || block.live_warps() < live;
    // Warps that wait do not wait for those that have ended.
    if fewer && !opened {
        opened = block.open(launch);
    }
    Ok((Step { opened, fewer, ended: turned.ended }, turned.serial))
}

/// Nothing of a block can issue and nothing is under way: lets some threads go on.
///
/// # Errors
/// If none can.
pub(super) fn unstick<U: Units, O: Observer>(
    block: &mut Block<U>,
    launch: &Launch<'_>,
    memory: &mut Memory<'_>,
    observer: &mut O,
) -> Result<(), Box<Stopped>> {
    let goes_on = if U::REGROUPS {
        // Warps that wait at collectives for threads which have ended meanwhile go on.
        block.turn(0, 0, launch, memory, observer)?.turn != Turn::Stuck
    } else {
        block.open(launch)
    };
    if goes_on { Ok(()) } else { Err(block.deadlocked()) }
}
