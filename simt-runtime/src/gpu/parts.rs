//! A launch in parts, which run on several threads of the host.
//!
//! The blocks are cut into as many parts on every machine. Each part sees the slices as the launch found them, and what it has
//! written itself; what parts have changed is joined in their order. So results and reports are the same for every number of
//! threads. Of a part that fails nothing is kept, and the launch runs again in order: its error is that of blocks that run one
//! after the other. On one thread, a launch runs in order at once in which nothing depends on what other blocks write.

use super::pool;
use crate::engine::{Budget, Launch, Stopped};
use crate::memory::{Helps, Memory, PartChanges, launcher};
use crate::observe::Statistics;
use std::cell::Cell;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Parts of a launch.
///
/// **Assumed:** enough that threads which end early find another part, few enough that joining them costs nothing.
const PARTS: usize = 64;

/// A launch of fewer threads runs in order.
///
/// **Assumed:** it takes about as long as starting threads of the host.
const LEAST: usize = 1 << 12;

/// The most bytes of slices that each thread of the host copies, and the most that all of them do, if they are more than one.
const COPIED: usize = 1 << 28;
const COPIED_BY_ALL: usize = 1 << 29;

/// Runs a part.
pub(super) type Run<'r> = dyn Fn(&Launch<'_>, &mut Memory<'_>, &mut Statistics) -> Result<(), Box<Stopped>> + Sync + 'r;

/// Runs a launch in parts, if it can be and none fails. Otherwise nothing has happened.
pub(super) fn run(
    launch: &Launch<'_>,
    memory: &mut Memory<'_>,
    statistics: &mut Statistics,
    threads: usize,
    run: &Run<'_>,
) -> bool {
    if !is_possible(launch) {
        return false;
    }
    let Some(apart) = launch.plan.apart() else { return false };
    // PERF: a thread alone need not copy what it writes, nor join it.
    if apart.is_unseen && pool::at_most(threads) == 1 {
        return false;
    }
    let Some(base) = memory.base(&apart.joins).filter(|base| base.writable_bytes() <= COPIED) else { return false };
    let parts = launch.blocks.min(PARTS);
    let (plan, config, counts) = (launch.plan, launch.config, statistics.counts());
    let (grid, blocks, of_block, policy) = (launch.grid, launch.blocks, launch.threads, launch.policy);
    let width = config.warp_width;
    let warps = launch.warps();
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let ended: Mutex<Vec<Option<(PartChanges, Statistics)>>> = Mutex::new((0..parts).map(|_| None).collect());
    let launcher = launcher();
    let worker = || {
        // A policy may launch, too.
        let _helps = Helps::with(launcher);
        let mut own = None;
        let (part, budget, spare) = (0..0, Budget::new(config), Cell::default());
        let mut launch = Launch { plan, grid, blocks, part, threads: of_block, config, policy, budget, spare };
        while !failed.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= parts {
                break;
            }
            let memory = own.get_or_insert_with(|| base.of_part(&plan.code.arrays, width, warps));
            launch.part = blocks_of(number, parts, blocks);
            memory.begin_part(base, &(launch.part.start * of_block..launch.part.end * of_block));
            let mut statistics = Statistics::new(counts, plan);
            // A policy that panics does so again in order, in the caller's thread.
            let ran = catch_unwind(AssertUnwindSafe(|| run(&launch, memory, &mut statistics)));
            if !matches!(ran, Ok(Ok(()))) {
                return failed.store(true, Ordering::Relaxed);
            }
            let changes = memory.take_changes(base, width);
            ended.lock().unwrap_or_else(PoisonError::into_inner)[number] = Some((changes, statistics));
        }
    };
    let threads = threads.min(COPIED_BY_ALL / base.writable_bytes().max(1)).min(parts);
    pool::run(threads, &worker);
    let ended: Option<Vec<_>> = ended.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().collect();
    let Some(ended) = ended else { return false };
    memory.apply(ended.into_iter().map(|(changes, counted)| {
        statistics.add(&counted);
        changes
    }));
    true
}

/// Whether blocks of the launch can run beside each other, and are worth it.
fn is_possible(launch: &Launch<'_>) -> bool {
    let config = launch.config;
    launch.blocks > 1
        && launch.blocks.saturating_mul(launch.threads) >= LEAST
        // What a launch may do is counted in order.
        && config.work_limit.is_none()
        && config.time_limit_ms.is_none()
}

/// The blocks of a part: of two parts neither has more than one more.
fn blocks_of(part: usize, parts: usize, blocks: usize) -> Range<usize> {
    let first = |part: usize| (part as u128 * blocks as u128 / parts as u128) as usize;
    first(part)..first(part + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_block_is_in_one_part() {
        for (parts, blocks) in [(1, 1), (2, 2), (64, 64), (64, 65), (64, 1000), (7, 12)] {
            let all: Vec<_> = (0..parts).flat_map(|part| blocks_of(part, parts, blocks)).collect();
            assert!(all.into_iter().eq(0..blocks), "{parts} {blocks}");
        }
    }
}
