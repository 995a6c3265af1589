//! When the result of an instruction is there, and what it asks of memory.

use super::Core;
use super::shares::{Share, shares};
use crate::clock::device::Machine;
use crate::clock::flights::UNKNOWN;
use crate::clock::program::{Space, Timing};
use crate::config::MemoryTiming;
use crate::engine::Units;
use crate::hierarchy::{AccessKind, Cycle, Level, Request, Transaction, data_cache_passes};
use crate::policy::{LoadSplits, WarpPart};
use simt_core::LaneMask;
use simt_core::code::Pc;

/// The result of an instruction that has issued.
#[derive(Clone, Copy)]
pub(super) struct Latency {
    /// When it is there.
    pub(super) done: Cycle,
    /// Whether it comes from memory.
    pub(super) memory: bool,
    /// The access, if memory will say when.
    pub(super) ticket: Option<u32>,
}

impl<U: Units> Core<U> {
    /// When the result of an instruction that issues now is there; what it asks of memory is sent.
    pub(super) fn latency(
        &mut self,
        now: Cycle,
        slot: usize,
        pc: Pc,
        timing: &Timing,
        parts: &[WarpPart],
        machine: &mut Machine<'_, '_>,
    ) -> Latency {
        self.shares.clear();
        // What writes a register goes down the whole pipeline.
        let pipeline = if timing.dst.is_some() { Cycle::from(machine.clock.pipeline) } else { 0 };
        let computed = now + pipeline + Cycle::from(timing.op.latency);
        let plain = Latency { done: computed, memory: false, ticket: None };
        let Some(touch) = &timing.access else { return plain };
        let generic = if touch.space == Space::Generic { self.touch } else { None };
        let touch = generic.as_ref().unwrap_or(touch);
        if self.gather.is_empty() {
            // All lanes are guarded off.
            return plain;
        }
        // A store is on its way, and so is an atomic whose result is not used.
        let waits = touch.kind == AccessKind::Load || timing.dst.is_some();
        let loaded = |done, ticket| if waits { Latency { done, memory: true, ticket } } else { plain };
        if matches!(touch.space, Space::Shared | Space::Constant) && machine.alone() {
            let mut begin = now;
            if touch.space == Space::Shared {
                machine.tally.shared(pc, 1);
                let loads = touch.kind == AccessKind::Load;
                begin = self.memory.take_bank(now, machine.clock.shared_banks, self.gather.word(), loads);
            }
            return loaded(begin + pipeline + Cycle::from(machine.clock.shared_latency), None);
        }
        if matches!(touch.space, Space::Shared | Space::Constant) {
            let passes = self.traffic.passes.max(1);
            self.memory.take_shared(now, passes);
            if touch.space == Space::Shared {
                machine.tally.shared(pc, passes);
            }
            return loaded(now + pipeline + Cycle::from(machine.clock.shared_latency) + Cycle::from(passes) - 1, None);
        }
        let transactions = &self.traffic.transactions;
        machine.tally.requested(pc, transactions.len() as u64);
        let alone = machine.alone();
        let divides = machine.load_splits() != LoadSplits::Never;
        let hierarchy = match (&machine.clock.memory, &mut machine.hierarchy) {
            (MemoryTiming::Ideal { latency }, _) => return loaded(now + pipeline + Cycle::from(*latency), None),
            (MemoryTiming::Hierarchy(config), Some(hierarchy)) => {
                // The ports of the cache are what lanes that issue alone wait for.
                if !alone {
                    let banks = config.front();
                    let passes = banks.map_or(1, |cache| data_cache_passes(cache.ports, cache.sector, transactions));
                    self.memory.take_data(now, passes);
                }
                hierarchy
            }
            (_, None) => return plain,
        };
        let Some(resident) = &mut self.slots[slot] else { return plain };
        let place = (self.number, slot, resident.age);
        let request = |&Transaction { address, bytes, .. }: &Transaction, ticket: u32| Request {
            id: ticket.into(),
            core: self.number as u16,
            address,
            bytes,
            kind: touch.kind,
            operator: touch.operator,
            local: touch.space == Space::Local,
        };
        if divides && touch.kind == AccessKind::Load && transactions.len() > 1 {
            shares(transactions, |transaction| !hierarchy.holds(&request(transaction, 0)), &mut self.shares);
            for share in &mut self.shares {
                let part = parts.iter().map(|part| WarpPart { lanes: share.lanes, ..*part }).next();
                share.ticket = machine.tickets.open(place, part.as_slice(), timing.dst, waits, share.transactions);
            }
            if machine.watched {
                let all = self.shares.iter();
                self.sent.extend(
                    all.map(|share| (share.ticket, share.transactions, u32::from(share.late) * share.transactions)),
                );
            }
            for transaction in transactions {
                let theirs = |share: &&Share| !(share.lanes & LaneMask(transaction.lanes)).is_empty();
                let ticket = self.shares.iter().find(theirs).map_or(0, |share| share.ticket);
                self.memory.push(request(transaction, ticket));
            }
            self.memory.send(now, hierarchy);
            return loaded(UNKNOWN, None);
        }
        let ticket = machine.tickets.open(place, parts, timing.dst, waits, transactions.len() as u32);
        if !waits {
            parts.iter().for_each(|part| resident.clocks[part.warp].stores += 1);
        }
        if machine.watched {
            let misses = transactions.iter().filter(|transaction| !hierarchy.holds(&request(transaction, 0))).count();
            self.sent.push((ticket, transactions.len() as u32, misses as u32));
        }
        transactions.iter().for_each(|transaction| self.memory.push(request(transaction, ticket)));
        self.memory.send(now, hierarchy);
        loaded(UNKNOWN, Some(ticket))
    }
}
