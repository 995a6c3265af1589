//! Caches: one, or one a core, in front of a next level.
//!
//! A request is looked up in the cycle in which it is offered if a port is free, and waits in a queue otherwise. A hit is
//! answered `hit_latency` later; a miss takes an MSHR and a line of its set, and its request is ready for the next level
//! `miss_latency` later. An access that misses on a line that is underway waits with it: a pending hit (TACO'09, footnote
//! 13). A reply of the next level is passed on in its cycle. An access that lacks something (an MSHR, room in it, a line,
//! room in the queue to the next level) blocks those behind it until something is freed; replies never wait, so every access
//! ends. A line is reserved when it is missed and stays until it has come (Habermaier 2011, section 4.2).

mod lookup;
mod mshr;
mod unit;

use super::config::CacheConfig;
use super::figures::HierarchyFigures;
use super::level::{Cycle, Full, Level, NEVER, Reply, Request, event};
use super::times::{Times, ones};
pub(super) use lookup::first_level_keeps;
pub(super) use unit::Role;
use unit::Unit;

/// Caches in front of a next level, at most 128; without any, requests go straight there.
#[derive(Clone, Debug)]
pub(crate) struct Cache<N> {
    /// One, or one for each core.
    units: Vec<Unit>,
    /// The cycle in which each does something by itself.
    due: Times,
    role: Role,
    next: N,
    /// The caches that wait for room in the next level, as a mask.
    stuck: u128,
    replies: Vec<Reply>,
}

impl<N: Level> Cache<N> {
    /// So many caches in front of one next level. If there are several, a request is for the cache of its core.
    pub(super) fn new(config: &CacheConfig, role: Role, count: usize, next: N) -> Self {
        let count = if config.is_there() { count } else { 0 };
        let units: Vec<Unit> = (0..count).map(|number| Unit::new(config, role, number as u16)).collect();
        Self { units, due: Times::new(count), role, next, stuck: 0, replies: Vec::new() }
    }

    /// Whether a load would hit now, if it were looked up.
    pub(super) fn holds(&self, request: &Request) -> bool {
        let number = if self.units.len() == 1 { 0 } else { usize::from(request.core) };
        self.units.get(number).is_some_and(|unit| unit.holds(request))
    }

    pub(super) fn next_mut(&mut self) -> &mut N {
        &mut self.next
    }

    /// Puts a line of memory into the only cache in front of the next level, as if it had been fetched; a line that is
    /// evicted for it is not written back.
    pub(super) fn fill(&mut self, address: u64) {
        if let Some(unit) = self.units.first_mut() {
            unit.fill(address);
        }
    }

    /// Bytes of a line, and of all lines of one cache; `None` without a cache.
    pub(super) fn size(&self) -> Option<(u64, u64)> {
        self.units.first().map(Unit::size)
    }

    #[cfg(test)]
    pub(super) fn next(&self) -> &N {
        &self.next
    }

    /// Does the work that is due in a cycle.
    fn step(&mut self, now: Cycle, done: &mut Vec<Reply>) {
        let mut ripe = self.due.ripe(now);
        if self.next.next_event().is_some_and(|at| at <= now) {
            self.next.advance(now, &mut self.replies);
            for reply in self.replies.drain(..) {
                if let Some(number) = Unit::addressee(reply.id) {
                    self.units[number].receive(now, &reply, done);
                    ripe |= 1 << number;
                }
            }
            for number in ones(self.stuck) {
                ripe |= u128::from(self.next.may_have_room(self.units[number].waits_for())) << number;
            }
        }
        for number in ones(ripe) {
            let unit = &mut self.units[number];
            self.stuck &= !(1 << number);
            self.stuck |= u128::from(unit.step(now, &mut self.next, done)) << number;
            self.due.set(number, unit.due());
        }
        self.due.settle(now);
    }

    fn soonest(&self) -> Cycle {
        self.due.soonest().min(self.next.next_event().unwrap_or(NEVER))
    }
}

impl<N: Level> Level for Cache<N> {
    fn offer(&mut self, now: Cycle, request: Request) -> Result<(), Full> {
        let number = match self.units.len() {
            0 => return self.next.offer(now, request),
            1 => 0,
            _ => usize::from(request.core),
        };
        self.units[number].offer(now, request)?;
        self.due.set(number, self.units[number].due());
        Ok(())
    }

    fn may_have_room(&self, core: u16) -> bool {
        !self.units.is_empty() || self.next.may_have_room(core)
    }

    fn next_event(&self) -> Option<Cycle> {
        event(self.soonest())
    }

    fn advance(&mut self, now: Cycle, done: &mut Vec<Reply>) {
        if self.units.is_empty() {
            return self.next.advance(now, done);
        }
        loop {
            let at = self.soonest();
            if at > now {
                break;
            }
            self.step(at, done);
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
        let figures = match self.role {
            Role::First => &mut sum.l1,
            Role::Second => &mut sum.l2,
        };
        self.units.iter().for_each(|unit| figures.add(&unit.figures));
        self.next.count(sum);
    }
}
