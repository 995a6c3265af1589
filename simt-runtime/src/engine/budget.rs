//! What a launch may do before it is given up, and when to look whether it can end at all.
//!
//! Work is counted in units: one for each instruction that a warp issues, one for each lane of an atomic operation, which
//! lanes execute one after the other, and 64 for each line that is printed. It is counted once a turn.

use super::Turned;
use crate::config::GpuConfig;
use std::cell::Cell;
use std::time::{Duration, Instant};

/// How much work a block has done when it is first looked whether its warps go round in circles.
///
/// **Assumed:** most end earlier, and an error may take so long.
const FIRST_LOOK: u64 = 1 << 15;
/// A block is looked at again when it has done so many times as much.
const DISTANCE: u64 = 4;
/// A look may cost one in so many units of what the block has done. With the distances all looks take less than 2 %.
const SHARE: u64 = 64;
/// Barriers that open are progress of a kind: a block in which they do, and no thread ends, may do so many times as much as
/// one in which nothing happens.
const WITH_BARRIERS: u64 = 8;
/// So many blocks that run at a time may do as much more as one may.
///
/// **Assumed:** between one that fills a machine and does much, which must not be refused, and one that never ends, which
/// takes so much longer.
const BLOCKS: u64 = 8;
/// Longest turn of a launch with a time limit.
const TIMED_TURN: u64 = 1 << 16;

/// Why a launch is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spent {
    /// A block has done so much, and no thread of it has ended, nor has a barrier opened, unless it is said.
    WithoutProgress { work: u64, barriers: bool },
    /// All blocks together have done more than they may.
    Work(u64),
    /// It has taken longer than it may, in milliseconds.
    Time(u64),
}

/// What a launch has left.
#[derive(Debug)]
pub(crate) struct Budget {
    spent: Cell<u64>,
    work: Option<u64>,
    time: Option<(Instant, u64)>,
}

impl Budget {
    /// That of a launch that begins now.
    pub(crate) fn new(config: &GpuConfig) -> Self {
        let ends =
            |milliseconds| Some((Instant::now().checked_add(Duration::from_millis(milliseconds))?, milliseconds));
        Self { spent: Cell::new(0), work: config.work_limit, time: config.time_limit_ms.and_then(ends) }
    }

    /// Whether there is no limit for all blocks together: what they do need not be counted.
    pub(crate) fn is_unlimited(&self) -> bool {
        self.work.is_none() && self.time.is_none()
    }

    /// So much has been done. Why the launch must stop, if it must.
    #[inline]
    pub(crate) fn spend(&self, work: u64) -> Option<Spent> {
        let spent = self.spent.get().saturating_add(work);
        self.spent.set(spent);
        if let Some(limit) = self.work
            && spent > limit
        {
            return Some(Spent::Work(limit));
        }
        self.time.and_then(|(ends, limit)| (Instant::now() > ends).then_some(Spent::Time(limit)))
    }
}

/// What is to be done after a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    GoOn,
    /// To look whether the block can end, for at most so many instructions.
    Look(u64),
    GiveUp(Spent),
}

/// What a block has done since something happened in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch<'b> {
    budget: &'b Budget,
    limit: u64,
    /// Work since a thread of the block ended, and since a barrier opened, too.
    since: u64,
    idle: u64,
    /// Work at which it is looked at next.
    look: u64,
}

impl<'b> Watch<'b> {
    /// Of a block that begins.
    pub(crate) fn new(budget: &'b Budget, config: &GpuConfig) -> Self {
        let limit = config.progress_limit;
        Self { budget, limit, since: 0, idle: 0, look: Self::first(limit) }
    }

    /// Of several blocks that run at a time as one.
    pub(crate) fn of_blocks(budget: &'b Budget, config: &GpuConfig, blocks: usize) -> Self {
        let limit = config.progress_limit.saturating_mul(1 + blocks as u64 / BLOCKS);
        Self { limit, look: Self::first(limit), ..Self::new(budget, config) }
    }

    /// Where the limit is low, the first look is early.
    fn first(limit: u64) -> u64 {
        FIRST_LOOK.min(limit / SHARE).max(1)
    }

    /// A thread has ended.
    pub(crate) fn thread_ended(&mut self) {
        *self = Self { since: 0, idle: 0, look: Self::first(self.limit), ..*self };
    }

    /// A barrier has opened.
    pub(crate) fn barrier_opened(&mut self) {
        self.idle = 0;
    }

    /// Whether it has been looked at, and goes on.
    pub(crate) fn is_late(&self) -> bool {
        self.since >= FIRST_LOOK
    }

    /// How long a turn may be that ends when something is to be done.
    pub(crate) fn longest_turn(&self) -> u64 {
        let turn = self.look.min(self.limit).saturating_sub(self.since);
        let turn = self.budget.work.map_or(turn, |work| turn.min(work.saturating_sub(self.budget.spent.get())));
        if self.budget.time.is_some() { turn.min(TIMED_TURN) } else { turn }
    }

    /// A turn is over: an instruction of it counts so much.
    #[inline]
    pub(super) fn turned(&mut self, turned: Turned, issue: u64) -> Next {
        if turned.ended {
            self.thread_ended();
        }
        if turned.opened {
            self.barrier_opened();
        }
        self.worked(issue.saturating_mul(turned.issued).saturating_add(turned.serial))
    }

    /// So much has been done.
    #[inline]
    pub(crate) fn worked(&mut self, work: u64) -> Next {
        self.since = self.since.saturating_add(work);
        self.idle = self.idle.saturating_add(work);
        if let Some(spent) = self.budget.spend(work) {
            return Next::GiveUp(spent);
        }
        if self.since < self.look && self.idle <= self.limit {
            return Next::GoOn;
        }
        self.looks()
    }

    #[cold]
    fn looks(&mut self) -> Next {
        if self.idle > self.limit {
            return Next::GiveUp(Spent::WithoutProgress { work: self.idle, barriers: false });
        }
        if self.since > self.limit.saturating_mul(WITH_BARRIERS) {
            return Next::GiveUp(Spent::WithoutProgress { work: self.since, barriers: true });
        }
        self.look = self.since.saturating_mul(DISTANCE).min(self.next_limit());
        Next::Look(self.since / SHARE)
    }

    /// The limit that is not reached yet.
    fn next_limit(&self) -> u64 {
        if self.since < self.limit {
            self.limit.saturating_add(1)
        } else {
            self.limit.saturating_mul(WITH_BARRIERS).saturating_add(1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a block is looked at for, that does so much in turns of some units; `end` tells the watch how each of them ends.
    fn looks(config: &GpuConfig, work: u64, turn: u64, end: fn(&mut Watch<'_>)) -> Vec<u64> {
        let budget = Budget::new(config);
        let mut watch = Watch::new(&budget, config);
        let mut efforts = Vec::new();
        for _ in 0..work / turn {
            match watch.worked(turn) {
                Next::GoOn => {}
                Next::Look(effort) => efforts.push(effort),
                Next::GiveUp(spent) => panic!("{spent:?}"),
            }
            end(&mut watch);
        }
        efforts
    }

    #[test]
    fn looking_takes_less_than_a_fiftieth_of_the_work() {
        let config = GpuConfig { progress_limit: 1 << 40, ..GpuConfig::functional() };
        for turn in [1, 20, 4096] {
            for work in [1 << 15, 1 << 17, 1 << 20, 1 << 23] {
                let efforts = looks(&config, work, turn, |_| {});
                assert!(efforts.iter().sum::<u64>() <= work / 45, "{efforts:?} of {work}");
                assert!(work < 1 << 17 || !efforts.is_empty());
            }
        }
    }

    #[test]
    fn it_is_work_that_is_counted_and_not_barriers_or_turns() {
        let config = GpuConfig::functional();
        // A hundred barriers of 32 warps that issue 10 instructions between two of them.
        assert!(looks(&config, 32_000, 10, |watch| watch.barrier_opened()).is_empty());
        assert_eq!(looks(&config, 1 << 20, 10, |watch| watch.barrier_opened()).len(), 3);
    }

    #[test]
    fn threads_that_end_are_progress() {
        let config = GpuConfig { progress_limit: 1000, ..GpuConfig::functional() };
        looks(&config, 1 << 20, 500, |watch| watch.thread_ended());
        looks(&config, 7999, 500, |watch| watch.barrier_opened());
        let budget = Budget::new(&config);
        let mut watch = Watch::new(&budget, &config);
        watch.worked(600);
        assert_eq!(watch.worked(600), Next::GiveUp(Spent::WithoutProgress { work: 1200, barriers: false }));
        let mut watch = Watch::new(&budget, &config);
        let next =
            (0..20).map(|_| (watch.worked(600), watch.barrier_opened()).0).find(|next| matches!(next, Next::GiveUp(_)));
        assert_eq!(next, Some(Next::GiveUp(Spent::WithoutProgress { work: 8400, barriers: true })));
    }

    #[test]
    fn a_launch_has_what_all_its_blocks_have_together() {
        let config = GpuConfig { work_limit: Some(1000), ..GpuConfig::functional() };
        let budget = Budget::new(&config);
        for block in 0..10 {
            let mut watch = Watch::new(&budget, &config);
            assert_eq!(watch.longest_turn(), 1000 - 100 * block);
            assert_eq!(watch.worked(100), Next::GoOn);
        }
        let mut watch = Watch::new(&budget, &config);
        assert_eq!((watch.longest_turn(), watch.worked(1)), (0, Next::GiveUp(Spent::Work(1000))));
    }
}
