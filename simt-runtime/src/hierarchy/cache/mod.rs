//! Caches in front of a next level: one a core in front of the crossbar, one in each partition behind it.
//!
//! A request is looked up in the cycle in which it is offered if a port is free, and waits in a queue otherwise. A hit is
//! answered `hit_latency` later; a miss takes an MSHR and a line of its set, and its request is ready for the next level
//! `miss_latency` later. An access that misses on a line that is underway waits with it: a pending hit (TACO'09, footnote 13). A reply
//! of the next level is passed on in its cycle. An access that lacks something (an MSHR, room in it, a line, room in the
//! queue to the next level) blocks those behind it until something is freed; replies never wait, so that it always ends.
//! A line is reserved when it is missed and stays until it has come (Habermaier 2011, section 4.2).

mod config;
mod figures;
mod lookup;
mod mshr;
mod unit;

use super::figures::HierarchyFigures;
use super::kinds::{AnyLevel, List, Make, Standing};
use super::level::{Cycle, Full, Level, NEVER, Reply, Request, event};
use super::times::{Times, ones};
pub use config::{CacheConfig, Replacement, WritePolicy};
pub use figures::CacheFigures;
pub(super) use lookup::kept_in_front;
use unit::Unit;

/// Caches in front of a next level, at most 128.
#[derive(Clone, Debug)]
pub(crate) struct Cache<N> {
    /// One, or one for each core.
    units: Vec<Unit>,
    /// The cycle in which each does something by itself.
    due: Times,
    standing: Standing,
    next: N,
    /// The caches that wait for room in the next level, as a mask, and those that have no room.
    stuck: u128,
    full: u128,
    /// The cycle in which something happens by itself, here or in the next level.
    soonest: Cycle,
    replies: Vec<Reply>,
}

impl Make for Cache<Box<AnyLevel>> {
    type Config = CacheConfig;

    fn make(config: &CacheConfig, list: &List<'_>) -> Self {
        Self::new(config, list.standing(), Box::new(AnyLevel::of(&list.next(list.shared))))
    }
}

impl<N: Level> Cache<N> {
    /// Caches in front of one next level. If there are several, a request is for that of its core.
    pub(super) fn new(config: &CacheConfig, standing: Standing, next: N) -> Self {
        let count = standing.cores;
        let units: Vec<Unit> = (0..count).map(|number| Unit::new(config, &standing, number as u16)).collect();
        Self { units, due: Times::new(count), standing, next, stuck: 0, full: 0, soonest: NEVER, replies: Vec::new() }
    }

    /// The number of the cache that a request of a core is for.
    fn number(&self, core: u16) -> usize {
        if self.units.len() == 1 { 0 } else { usize::from(core) }
    }

    #[cfg(test)]
    pub(super) fn next(&self) -> &N {
        &self.next
    }

    /// Does the work that is due in a cycle.
    fn step(&mut self, now: Cycle, done: &mut Vec<Reply>) {
        let mut ripe = self.due.take(now);
        if self.next.next_event().is_some_and(|at| at <= now) {
            self.next.advance(now, &mut self.replies);
            for reply in self.replies.drain(..) {
                if let Some(number) = Unit::addressee(reply.id) {
                    self.units[number].receive(now, &reply, done);
                    ripe |= 1 << number;
                }
            }
            if self.units.len() > 1 {
                // Each is for its core.
                ripe |= self.stuck & !self.next.full();
            } else if self.stuck != 0 {
                ripe |= u128::from(self.next.may_have_room(self.units[0].waits_for()));
            }
        }
        for number in ones(ripe) {
            let unit = &mut self.units[number];
            self.stuck &= !(1 << number);
            self.stuck |= u128::from(unit.step(now, &mut self.next, done)) << number;
            self.due.set(number, unit.due());
            self.fills(number);
        }
        self.soonest = self.due.soonest().min(self.next.next_event().unwrap_or(NEVER));
    }

    /// Notes whether a cache has room.
    fn fills(&mut self, number: usize) {
        self.full &= !(1 << number);
        self.full |= u128::from(!self.units[number].has_room()) << number;
    }
}

impl<N: Level> Level for Cache<N> {
    fn offer(&mut self, now: Cycle, request: Request) -> Result<(), Full> {
        let number = self.number(request.core);
        self.units[number].offer(now, request)?;
        let due = self.units[number].due();
        self.due.set(number, due);
        self.soonest = self.soonest.min(due);
        self.fills(number);
        Ok(())
    }

    fn full(&self) -> u128 {
        if self.units.len() == 1 && self.full != 0 { u128::MAX } else { self.full }
    }

    fn next_event(&self) -> Option<Cycle> {
        event(self.soonest)
    }

    fn advance(&mut self, now: Cycle, done: &mut Vec<Reply>) {
        while self.soonest <= now {
            self.step(self.soonest, done);
        }
    }

    fn flush(&mut self) {
        self.units.iter_mut().for_each(Unit::flush);
        self.next.flush();
    }

    fn outstanding(&self) -> usize {
        // Requests that wait here for the next level are counted there, too, once they have been offered: the sum counts
        // them twice, but is zero only if nothing is outstanding.
        self.units.iter().map(Unit::outstanding).sum::<usize>() + self.next.outstanding()
    }

    fn count(&self, sum: &mut HierarchyFigures) {
        let mut figures = CacheFigures::default();
        self.units.iter().for_each(|unit| figures.add(&unit.figures));
        sum.add(&self.standing.name, figures);
        self.next.count(sum);
    }

    fn holds(&self, load: &Request) -> bool {
        self.units[self.number(load.core)].holds(load)
    }

    fn fill(&mut self, level: usize, address: u64) {
        if level == self.standing.number {
            self.units[0].fill(address);
        } else {
            self.next.fill(level, address);
        }
    }
}
