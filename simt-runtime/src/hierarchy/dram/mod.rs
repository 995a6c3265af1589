//! A memory module behind its controller.
//!
//! The controller gives one command a memory cycle: activate (a row is opened), read, write, precharge (the row is closed).
//! Rows stay open until another of their bank is wanted. When a command may be given:
//!
//! | command | not before |
//! |---|---|
//! | activate | tRC after the bank's last activate, tRP after its precharge, tRRD after the last activate of any bank |
//! | read | tRCD after the activate, tWTR after the data of the last write; its data come tCL later |
//! | write | tRCD after the activate; its data come tWL later, and at least `turnaround` after those of a read |
//! | precharge | tRAS after the activate, tRTP after a read, tWR after the data of a write |
//!
//! Data occupy the bus for `ceil(bytes / bus)` cycles and follow each other without overlap. A request that comes in memory
//! cycle `d` is seen in `d + 1`; its reply comes with the end of its data. An atomic that comes this far is a read and a
//! write after it. Addresses run through a row, then through the same row of the next bank.
//!
//! FR-FCFS (Rixner et al. 2000) gives in each cycle, of the commands that are possible, a read or write if there is one, and
//! the one for the oldest request. A row is not closed while a request wants it. As a read after a write has to wait for tWTR,
//! requests of one direction go together by themselves. FCFS gives commands for the oldest request only.
//!
//! Refresh is left out, and so is the order of accesses to the same address: time is modelled here, not values.

mod bank;
mod config;

use std::collections::VecDeque;

use super::divisor::Divisor;
use super::figures::HierarchyFigures;
use super::kinds::{List, Make, Standing};
use super::level::{AccessKind, Cycle, Full, Level, NEVER, Reply, Request, event};
use bank::{Bank, Command, Entry, Wish};
pub use config::{DramConfig, DramFigures, MemoryOrder};

/// A command that could be given.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    /// The first memory cycle in which it may be given, then its rank: the least comes first.
    order: (u64, u64),
    /// The bank, and which of its commands it is.
    bank: usize,
    wish: usize,
}

/// A command as it was given: memory cycle, bank, and kind.
#[cfg(test)]
pub(super) type Given = (u64, usize, &'static str);

/// A memory module.
#[derive(Clone, Debug)]
pub(crate) struct Dram {
    config: DramConfig,
    standing: Standing,
    /// The bytes of a row, and how many banks there are.
    row: Divisor,
    number: Divisor,
    banks: Vec<Bank>,
    /// The commands that each bank could be given next.
    wishes: Vec<[Wish; 2]>,
    /// Banks with requests.
    wanted: u64,
    /// Requests at the controller.
    queued: usize,
    /// The sequence number of the next request.
    age: u64,
    /// The command that is given next, and the cycle of the cores for that.
    plan: Option<Candidate>,
    due: Cycle,
    /// The first memory cycle in which any bank can be activated, read, and the bus is free.
    activate: u64,
    read: u64,
    bus: u64,
    /// Whether the bus carried a read's data last.
    reading: bool,
    /// The cycles in which the replies that are on their way come.
    replies: VecDeque<Reply>,
    figures: DramFigures,
    #[cfg(test)]
    pub(super) given: Vec<Given>,
}

impl Make for Dram {
    type Config = DramConfig;

    fn make(config: &DramConfig, list: &List<'_>) -> Self {
        Self::new(config, list.standing())
    }
}

impl Dram {
    pub(super) fn new(config: &DramConfig, standing: Standing) -> Self {
        Self {
            row: Divisor::new(u64::from(config.row)),
            number: Divisor::new(u64::from(config.banks)),
            banks: (0..config.banks).map(|_| Bank::with_room(config.queue as usize)).collect(),
            wishes: vec![[Wish::NONE; 2]; config.banks as usize],
            wanted: 0,
            queued: 0,
            age: 0,
            plan: None,
            due: NEVER,
            activate: 0,
            read: 0,
            bus: 0,
            reading: false,
            replies: VecDeque::with_capacity(config.queue as usize),
            figures: DramFigures::default(),
            config: config.clone(),
            standing,
            #[cfg(test)]
            given: Vec::new(),
        }
    }

    /// The first cycle in which the module allows each command.
    fn floors(&self) -> [u64; 4] {
        let DramConfig { t_cl, t_wl, turnaround, .. } = self.config;
        let read = self.read.max(self.bus.saturating_sub(u64::from(t_cl)));
        let bus = self.bus + if self.reading { u64::from(turnaround) } else { 0 };
        [self.activate, 0, read, bus.saturating_sub(u64::from(t_wl))]
    }

    /// The best command for one of the banks of a mask that may be given in `from` or later.
    fn best(&self, banks: u64, from: u64) -> Option<Candidate> {
        let floors = self.floors();
        let mut best = Candidate { order: (u64::MAX, u64::MAX), bank: 0, wish: 0 };
        let mut consider = |bank, wish, &Wish { at, rank, command, .. }: &Wish| {
            let at = at.max(floors[command as usize]).max(from);
            if at < best.order.0 || at == best.order.0 && rank < best.order.1 {
                best = Candidate { order: (at, rank), bank, wish };
            }
        };
        let mut rest = banks;
        while rest != 0 {
            let bank = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let [first, second] = &self.wishes[bank];
            consider(bank, 0, first);
            // There is a second one only where both reads and writes want the open row.
            if second.at != u64::MAX {
                consider(bank, 1, second);
            }
        }
        (banks != 0).then_some(best)
    }

    /// The command that is given next, in `from` or later.
    fn choose(&self, from: u64) -> Option<Candidate> {
        let banks = match self.config.order {
            MemoryOrder::FrFcfs => self.wanted,
            MemoryOrder::Fcfs => {
                let age = |bank: &Bank| bank.oldest().map_or(u64::MAX, |entry| entry.age);
                let oldest = (0..self.banks.len()).min_by_key(|&number| age(&self.banks[number]));
                self.wanted & oldest.map_or(0, |number| 1 << number)
            }
        };
        self.best(banks, from)
    }

    fn give(&mut self, candidate: Candidate) {
        let Candidate { order: (at, _), bank: number, wish } = candidate;
        let Wish { command, place, .. } = self.wishes[number][wish];
        let DramConfig { order, t_cl, t_rp, t_rc, t_ras, t_rcd, t_rrd, t_wl, t_wr, t_wtr, t_rtp, .. } = self.config;
        let after = |cycles: u32| at + u64::from(cycles);
        let bank = &mut self.banks[number];
        #[cfg(test)]
        self.given.push((at, number, ["ACT", "PRE", "RD", "WR"][command as usize]));
        match command {
            Command::Activate => {
                bank.open(order);
                bank.column = after(t_rcd);
                bank.precharge = bank.precharge.max(after(t_ras));
                bank.activate = after(t_rc);
                self.activate = after(t_rrd);
                self.figures.activates += 1;
            }
            Command::Precharge => {
                bank.close();
                bank.activate = bank.activate.max(after(t_rp));
                self.figures.precharges += 1;
            }
            Command::Read | Command::Write => {
                let entry = bank.serve(place as usize, order);
                if bank.is_idle() {
                    self.wanted &= !(1 << number);
                }
                self.queued -= usize::from(!entry.atomic);
                let burst = self.config.burst(entry.bytes);
                let end = after(if entry.write { t_wl } else { t_cl }) + burst;
                self.bus = end;
                self.reading = !entry.write;
                self.figures.bytes += u64::from(entry.bytes);
                self.figures.busy_cycles += burst;
                *if entry.activated { &mut self.figures.row_misses } else { &mut self.figures.row_hits } += 1;
                if entry.write {
                    self.figures.writes += 1;
                    self.read = end + u64::from(t_wtr);
                    bank.precharge = bank.precharge.max(end + u64::from(t_wr));
                } else {
                    self.figures.reads += 1;
                    bank.precharge = bank.precharge.max(after(t_rtp));
                }
                if entry.answer {
                    let at = self.config.to_core(end) + Cycle::from(self.config.latency);
                    self.replies.push_back(Reply { id: entry.id, at, served: self.standing.number });
                }
            }
        }
        self.wishes[number] = self.banks[number].wishes();
    }

    fn plan(&mut self, plan: Option<Candidate>) {
        self.plan = plan;
        self.due = plan.map_or(NEVER, |plan| self.config.to_core(plan.order.0));
    }
}

impl Level for Dram {
    fn offer(&mut self, now: Cycle, request: Request) -> Result<(), Full> {
        if self.queued >= self.config.queue as usize {
            return Err(Full);
        }
        let (row, number) = self.number.split(self.row.split(request.address).0);
        let number = number as usize;
        let entry = Entry {
            age: self.age,
            id: request.id,
            row,
            bytes: request.bytes,
            write: request.kind == AccessKind::Store,
            atomic: request.kind == AccessKind::Atomic,
            activated: false,
            answer: true,
        };
        self.banks[number].push(entry, self.config.order);
        self.wishes[number] = self.banks[number].wishes();
        self.wanted |= 1 << number;
        self.age += 1;
        self.queued += 1;
        let from = self.config.to_memory(now) + 1;
        let plan = match (self.plan, self.config.order) {
            (Some(plan), MemoryOrder::Fcfs) => Some(plan),
            (Some(plan), MemoryOrder::FrFcfs) if plan.bank != number => {
                self.best(1 << number, from).filter(|new| new.order < plan.order).or(Some(plan))
            }
            _ => self.choose(from),
        };
        self.plan(plan);
        Ok(())
    }

    fn full(&self) -> u128 {
        if self.queued < self.config.queue as usize { 0 } else { u128::MAX }
    }

    fn next_event(&self) -> Option<Cycle> {
        let reply = self.replies.front().map_or(NEVER, |reply| reply.at);
        event(reply.min(self.due))
    }

    fn advance(&mut self, now: Cycle, done: &mut Vec<Reply>) {
        let limit = self.config.to_memory(now);
        let mut given = false;
        while let Some(plan) = self.plan
            && plan.order.0 <= limit
        {
            self.give(plan);
            self.plan = self.choose(plan.order.0 + 1);
            given = true;
        }
        if given {
            self.plan(self.plan);
        }
        while let Some(&reply) = self.replies.front()
            && reply.at <= now
        {
            self.replies.pop_front();
            done.push(reply);
        }
    }

    fn flush(&mut self) {
        self.banks.iter_mut().for_each(Bank::reset);
        self.age = 0;
        self.plan(None);
        (self.activate, self.read, self.bus, self.reading) = (0, 0, 0, false);
    }

    fn outstanding(&self) -> usize {
        self.queued + self.replies.len()
    }

    fn count(&self, sum: &mut HierarchyFigures) {
        sum.add(&self.standing.name, self.figures);
    }
}
