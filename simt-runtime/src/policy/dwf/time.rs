//! With a clock: the work of the mechanism's memories in each cycle, and the threads on the way to them (TACO'09, sections
//! 4.2 to 4.5).
//!
//! A *scheduler's cycle* is as long as a warp issues (section 4.4.1). The scheduler takes the last one of each thread's
//! latency: threads that come in it are in table, pool and heap when it ends, if there is a port for them, and then a warp
//! is chosen.

use super::config::DwfTable;
use super::pool::Update;
use crate::policy::{PolicyConfig, WarpPart};
use simt_core::LaneMask;

/// Threads that have issued, and the way into the pool.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Returning {
    pub(super) now: u64,
    pub(super) issue: u64,
    /// Threads on their way to the pool. PERF: each update with a part that was missing when it was looked at, which most often
    /// shows that it is not there yet.
    pub(super) updates: Vec<(WarpPart, Update)>,
    /// Whether those have come to the pool of which the next choice is.
    pub(super) came: bool,
    pub(super) ports: Option<Ports>,
    /// The cycle by which threads of one home lane have read their registers.
    pub(super) registers: u64,
}

impl Returning {
    pub(super) fn new(config: &PolicyConfig) -> Option<Self> {
        let issue = config.timing?.issue_cycles;
        let ports = config.dwf.table.map(|table| Ports::new(table, config.dwf.pool.is_some()));
        Some(Self { now: 0, issue, updates: Vec::new(), came: false, ports, registers: 0 })
    }

    /// Threads go to the pool.
    pub(super) fn sends(&mut self, update: Update) {
        let none = WarpPart { warp: 0, lanes: LaneMask::EMPTY };
        let first = update.threads.parts().next().unwrap_or(none);
        self.updates.push((first, update));
        self.came = false;
    }
}

/// The ports of table and pool. The table takes so many updates a cycle; the pool has a bank for each SIMD lane, which takes
/// one thread a cycle (section 7).
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ports {
    updates: usize,
    banks: bool,
    /// The current cycle, the updates taken in it, and the banks that are written in it.
    cycle: u64,
    taken: usize,
    lanes: LaneMask,
}

impl Ports {
    pub(super) fn new(DwfTable { ports, .. }: DwfTable, banks: bool) -> Self {
        Self { updates: ports, banks, cycle: 0, taken: 0, lanes: LaneMask::EMPTY }
    }

    fn begin(&mut self, cycle: u64) {
        (self.cycle, self.taken, self.lanes) = (cycle, 0, LaneMask::EMPTY);
    }

    /// An update of those lanes comes in a scheduler's cycle that begins now. Returns whether it is taken in it.
    pub(super) fn take(&mut self, now: u64, issue: u64, lanes: LaneMask) -> bool {
        if self.cycle < now {
            self.begin(now);
        }
        if self.taken >= self.updates || self.banks && !(self.lanes & lanes).is_empty() {
            self.begin(self.cycle + 1);
        }
        if self.cycle >= now + issue {
            return false;
        }
        self.taken += 1;
        self.lanes |= lanes;
        true
    }

    /// The cycle in which an update that was not taken can be.
    pub(super) fn free(&self, issue: u64) -> u64 {
        (self.cycle + 1).saturating_sub(issue)
    }
}

/// A memory that makes so many accesses in a scheduler's cycle, one after the other.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Accesses {
    each: u64,
    issue: u64,
    /// The time at which it has made its accesses: in parts of a cycle, `each` of which are a cycle, and `issue` of which an
    /// access
    /// takes.
    free: u64,
}

impl Accesses {
    pub(super) fn new(each: u64, issue: u64) -> Self {
        Self { each, issue, free: 0 }
    }

    /// Adds accesses. Returns the cycle in which they begin.
    pub(super) fn take(&mut self, now: u64, accesses: u64) -> u64 {
        let begin = self.free.max(now.saturating_mul(self.each));
        self.free = begin.saturating_add(accesses.saturating_mul(self.issue));
        begin / self.each
    }

    /// The cycle by which all accesses are made.
    pub(super) fn done(&self) -> u64 {
        self.free.div_ceil(self.each)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ports(banks: bool) -> Ports {
        Ports::new(DwfTable { entries: 64, ways: 4, ports: 2 }, banks)
    }

    /// How many updates of the same lanes are taken at once, and when the next one is.
    fn taken(mut ports: Ports, issue: u64, lanes: LaneMask) -> (usize, u64) {
        let at_once = (0..100).take_while(|_| ports.take(10, issue, lanes)).count();
        let free = ports.free(issue);
        assert!(!ports.take(free - 1, issue, lanes) && ports.take(free, issue, lanes));
        (at_once, free)
    }

    #[test]
    fn two_updates_a_cycle_unless_they_write_to_one_bank() {
        assert_eq!(taken(ports(false), 4, LaneMask(0b11)), (8, 11));
        assert_eq!(taken(ports(true), 4, LaneMask(0b11)), (4, 11));
        assert_eq!(taken(ports(false), 1, LaneMask(0b11)), (2, 11));
        assert_eq!(taken(ports(true), 1, LaneMask(0b11)), (1, 11));
        let mut sides = ports(true);
        assert!(sides.take(0, 1, LaneMask(0b01)) && sides.take(0, 1, LaneMask(0b10)));
        assert!(!sides.take(0, 1, LaneMask(0b100)));
        assert!(sides.take(1, 1, LaneMask(0b1)));
    }

    #[test]
    fn accesses_follow_each_other() {
        // Eight in four cycles: two a cycle.
        let mut memory = Accesses::new(8, 4);
        assert_eq!((memory.take(10, 1), memory.done()), (10, 11));
        assert_eq!((memory.take(10, 1), memory.done()), (10, 11));
        assert_eq!((memory.take(10, 3), memory.done()), (11, 13));
        assert_eq!((memory.take(10, 0), memory.done()), (12, 13));
        assert_eq!((memory.take(20, 2), memory.done()), (20, 21));
        // Two in four: one takes two cycles.
        let mut memory = Accesses::new(2, 4);
        assert_eq!((memory.take(10, 3), memory.done()), (10, 16));
    }
}
