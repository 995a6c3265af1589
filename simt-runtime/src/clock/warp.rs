//! The cycles in which a warp's lanes and registers are free, and the account of its cycles.

use super::figures::{Stall, Stalls};
use super::flights::{Flights, UNKNOWN};
use super::scoreboard::Scoreboard;
use crate::hierarchy::Cycle;
use simt_core::LaneMask;
use smallvec::SmallVec;

/// A warp of the program on a core.
#[derive(Debug, Default)]
pub(crate) struct WarpClock {
    /// Lanes whose instruction is under way, of which it is known when they come back.
    flights: Flights,
    /// The others, with the event by which they are free: an access, or the acknowledgement of all stores.
    delayed: SmallVec<[(Option<u32>, LaneMask); 4]>,
    pub(crate) registers: Scoreboard,
    /// Stores that are not acknowledged.
    pub(crate) stores: u32,
    account: Account,
}

impl WarpClock {
    pub(crate) fn new(registers: Scoreboard) -> Self {
        Self { registers, ..Self::default() }
    }

    /// A warp that comes to the core.
    pub(crate) fn begin(&mut self, now: Cycle) {
        self.flights.clear();
        self.delayed.clear();
        self.registers.clear();
        self.stores = 0;
        let spans = self.account.spans.take();
        self.account =
            Account { since: now, issued: now, after: Stall::NotSelected, until: now, spans, ..Account::default() };
    }

    /// Keeps from now on the spans of cycles by reason, for [`spans`](Self::spans).
    pub(crate) fn watch(&mut self) {
        self.account.spans.get_or_insert_default().clear();
    }

    /// The spans of cycles that have been accounted for since they were taken last, in order: why, and from when until when.
    pub(crate) fn spans(&mut self) -> impl Iterator<Item = (Stall, Cycle, Cycle)> {
        self.account.spans.as_mut().into_iter().flat_map(|spans| spans.drain(..))
    }

    /// Lanes are busy until a cycle; if it is not known, until the ticket is answered.
    pub(crate) fn fly(&mut self, lanes: LaneMask, until: Cycle, ticket: Option<u32>) {
        if until == UNKNOWN {
            self.delayed.push((ticket, lanes));
        } else {
            self.flights.insert(lanes, until);
        }
    }

    /// The lanes that have come back by now.
    #[inline]
    pub(crate) fn land(&mut self, now: Cycle) -> LaneMask {
        self.flights.land(now)
    }

    /// Whether lanes have an instruction under way.
    pub(crate) fn is_under_way(&self) -> bool {
        !self.flights.is_empty() || !self.delayed.is_empty()
    }

    /// The cycle in which the next lanes come back.
    #[inline]
    pub(crate) fn lands(&self) -> Cycle {
        self.flights.next()
    }

    /// The lanes that wait for memory.
    pub(crate) fn loading(&self, now: Cycle) -> LaneMask {
        self.delayed.iter().fold(self.registers.loading(now), |all, &(_, lanes)| all | lanes)
    }

    /// A ticket is answered: lanes come back, and the register has its value.
    pub(crate) fn answer(&mut self, ticket: u32, now: Cycle, register: Option<u32>) {
        while self.arrive(Some(ticket), now) {}
        if let Some(register) = register {
            self.registers.answer(ticket, now, register);
        }
        self.account.resume(now, Stall::Memory);
    }

    /// A store is acknowledged. With the last one, lanes come back that wait at a fence.
    pub(crate) fn acknowledge(&mut self, now: Cycle) {
        self.stores = self.stores.saturating_sub(1);
        if self.stores == 0 {
            while self.arrive(None, now) {
                self.account.resume(now, Stall::Memory);
            }
        }
    }

    /// Lets lanes come back that wait for an event. Returns whether there were some.
    fn arrive(&mut self, event: Option<u32>, now: Cycle) -> bool {
        let place = self.delayed.iter().position(|&(ticket, _)| ticket == event);
        let lanes = place.map(|place| self.delayed.swap_remove(place).1);
        lanes.into_iter().for_each(|lanes| self.flights.insert(lanes, now));
        lanes.is_some()
    }

    /// The warp issues from now until `end`; then it waits for that reason until `until`. Its cycles since it issued last are
    /// added to `waited`.
    #[inline]
    pub(crate) fn issues(
        &mut self,
        now: Cycle,
        end: Cycle,
        (after, until): (Stall, Cycle),
        held: Stall,
        waited: &mut Stalls,
    ) {
        if std::mem::take(&mut self.account.some) {
            waited.merge(&std::mem::take(&mut self.account.cycles));
        }
        self.account.spend(now, held).into_iter().for_each(|(stall, cycles)| waited.add(stall, cycles));
        // Another of its parts may be issuing still.
        self.account.issued = self.account.issued.max(end);
        (self.account.after, self.account.until) = (after, until);
    }

    /// The warp waits from now on.
    pub(crate) fn waits(&mut self, now: Cycle, after: Stall, until: Cycle, held: Stall) {
        self.account.settle(now, held);
        (self.account.after, self.account.until) = (after, until);
    }

    /// The warp has issued, and waits for others of its block from then on; or it has ended.
    pub(crate) fn stays(&mut self, now: Cycle, after: Stall, held: Stall) {
        if (self.account.after, self.account.until) != (after, UNKNOWN) {
            self.waits(now, after, UNKNOWN, held);
        }
    }

    /// Accounts the cycles from now on, which would be `held`, to a reason, until a cycle.
    pub(crate) fn held_up(&mut self, now: Cycle, why: Stall, until: Cycle, held: Stall) {
        let account = &mut self.account;
        if account.issued <= now && account.until <= now {
            self.waits(now, why, until, held);
        } else if account.after == why {
            account.until = account.until.max(until);
        }
    }

    /// The event that the warp waited for has come.
    pub(crate) fn resumes(&mut self, now: Cycle, after: Stall) {
        self.account.resume(now, after);
    }

    /// Whether memory is what it waits for.
    pub(crate) fn waits_for_memory(&self, now: Cycle) -> bool {
        self.account.after == Stall::Memory && self.account.until > now
    }

    /// The warp leaves the core; accounts for its last cycles.
    pub(crate) fn ends(&mut self, now: Cycle, held: Stall) -> Stalls {
        self.account.settle(now, held);
        self.account.some = false;
        std::mem::take(&mut self.account.cycles)
    }
}

/// The reason of a warp's cycles since `since`: until `issued` it issues, until `until` it waits for something, and then it
/// could issue.
#[derive(Clone, Debug, Default)]
struct Account {
    since: Cycle,
    issued: Cycle,
    after: Stall,
    until: Cycle,
    /// The cycles since the warp issued last, as far as they have been accounted for, and whether there are some.
    cycles: Stalls,
    some: bool,
    /// The same by the span, if they are watched.
    spans: Option<Vec<(Stall, Cycle, Cycle)>>,
}

impl Account {
    fn resume(&mut self, now: Cycle, after: Stall) {
        if self.until == UNKNOWN && self.after == after {
            self.until = now;
        }
    }

    /// Accounts for the cycles up to now; what is left when the wait is over is `held`.
    fn settle(&mut self, now: Cycle, held: Stall) {
        self.some = true;
        self.spend(now, held).into_iter().for_each(|(stall, cycles)| self.cycles.add(stall, cycles));
    }

    /// The cycles by reason that have not been accounted for up to now. They count as accounted for.
    #[inline(always)]
    fn spend(&mut self, now: Cycle, held: Stall) -> [(Stall, Cycle); 3] {
        let issued = self.issued.clamp(self.since, now);
        let waited = self.until.clamp(issued, now);
        let all = [(Stall::Issued, self.since, issued), (self.after, issued, waited), (held, waited, now)];
        if let Some(spans) = &mut self.spans {
            spans.extend(all.into_iter().filter(|(_, begin, end)| begin < end));
        }
        self.since = now;
        all.map(|(stall, begin, end)| (stall, end - begin))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cycle_has_one_reason() {
        let mut warp = WarpClock::default();
        let mut stalls = Stalls::default();
        let held = Stall::NotSelected;
        warp.begin(10);
        warp.issues(12, 16, (Stall::Execution, 20), held, &mut stalls);
        warp.issues(25, 29, (Stall::Memory, UNKNOWN), held, &mut stalls);
        assert!(warp.waits_for_memory(99));
        // A barrier opens, but the warp does not wait there.
        warp.resumes(50, Stall::Barrier);
        warp.answer(0, 100, None);
        warp.stays(104, Stall::Barrier, held);
        warp.stays(105, Stall::Barrier, held);
        warp.resumes(110, Stall::Barrier);
        stalls.merge(&warp.ends(111, held));
        let of = |stall| stalls.of(stall);
        assert_eq!([of(Stall::Issued), of(Stall::Execution), of(Stall::Memory), of(Stall::Barrier)], [8, 4, 71, 6]);
        assert_eq!(of(Stall::NotSelected), 2 + 5 + 4 + 1);
        assert_eq!(stalls.total(), 101);
    }

    #[test]
    fn lanes_come_back_when_their_time_has_come() {
        let mut warp = WarpClock::default();
        warp.fly(LaneMask(0b11), 7, None);
        warp.fly(LaneMask(0b100), UNKNOWN, Some(3));
        assert_eq!((warp.lands(), warp.land(6), warp.land(7)), (7, LaneMask::EMPTY, LaneMask(0b11)));
        warp.answer(2, 9, None);
        assert_eq!(warp.land(9), LaneMask::EMPTY);
        warp.answer(3, 9, None);
        assert_eq!(warp.land(9), LaneMask(0b100));
    }

    #[test]
    fn lanes_that_issued_later_may_come_back_before_others() {
        let mut warp = WarpClock::default();
        for (lane, until) in [(0, 9), (1, 5), (2, 9), (3, 7), (4, 5)] {
            warp.fly(LaneMask::lane(lane), until, None);
        }
        warp.fly(LaneMask::lane(5), UNKNOWN, Some(1));
        warp.answer(1, 6, None);
        let landed = [4, 5, 6, 8, 9].map(|now| (warp.lands(), warp.land(now).0));
        assert_eq!(landed, [(5, 0), (5, 0b1_0010), (6, 0b10_0000), (7, 0b1000), (9, 0b101)]);
        assert_eq!((warp.lands(), warp.is_under_way()), (UNKNOWN, false));
    }

    #[test]
    fn each_event_lets_its_own_lanes_come_back() {
        let mut warp = WarpClock { stores: 1, ..WarpClock::default() };
        for (lane, event) in [None, Some(1), None, Some(2), Some(3)].into_iter().enumerate() {
            warp.fly(LaneMask::lane(lane), UNKNOWN, event);
        }
        assert!(warp.is_under_way());
        let mut left = Vec::new();
        for event in [Some(2), None, Some(3), Some(1)] {
            match event {
                Some(ticket) => warp.answer(ticket, 5, None),
                None => warp.acknowledge(5),
            }
            left.push((warp.loading(5).0, warp.land(5).0));
        }
        assert_eq!(left, [(0b1_0111, 0b0_1000), (0b1_0010, 0b0_0101), (0b0_0010, 0b1_0000), (0, 0b0_0010)]);
        assert!(!warp.is_under_way());
    }

    #[test]
    fn a_fence_waits_for_the_last_store() {
        let mut warp = WarpClock { stores: 2, ..WarpClock::default() };
        warp.fly(LaneMask(0b1), UNKNOWN, None);
        warp.acknowledge(5);
        assert_eq!(warp.land(5), LaneMask::EMPTY);
        warp.acknowledge(6);
        assert_eq!(warp.land(6), LaneMask(0b1));
    }
}
