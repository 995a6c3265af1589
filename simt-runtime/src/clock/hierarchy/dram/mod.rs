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
//! the one for the oldest request. A row is not closed while someone wants it. As a read after a write has to wait for tWTR,
//! requests of one direction go together by themselves. FCFS gives commands for the oldest request only.
//!
//! Refresh is left out, and so is the order of accesses to the same address: time is modelled here, not values.

mod bank;

use std::collections::VecDeque;

use super::config::{DramConfig, MemoryOrder};
use super::figures::{DramFigures, HierarchyFigures};
use super::level::{AccessKind, Cycle, Full, Level, NEVER, Reply, Request, Served, event};
use bank::{Bank, Command, Entry};

/// A command that a bank could be given.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    /// The first memory cycle in which it may be given.
    at: u64,
    /// The age of the request that it is for.
    age: u64,
    bank: usize,
    command: Command,
}

impl Candidate {
    /// What comes first: what is possible first, then reads and writes of open rows, then what is for the oldest request.
    fn order(&self) -> (u64, bool, u64) {
        (self.at, !matches!(self.command, Command::Column(_)), self.age)
    }
}

/// A command as it was given: memory cycle, bank, and what.
#[cfg(test)]
pub(super) type Given = (u64, usize, &'static str);

/// A memory module.
#[derive(Clone, Debug)]
pub(crate) struct Dram {
    config: DramConfig,
    banks: Vec<Bank>,
    /// Banks with requests.
    wanted: u64,
    /// Requests at the controller.
    queued: usize,
    /// Counts requests.
    age: u64,
    /// The command that is given next.
    plan: Option<Candidate>,
    /// The first memory cycle in which any bank can be activated, read, and the bus is free.
    activate: u64,
    read: u64,
    bus: u64,
    /// Whether the bus carried a read's data last.
    reading: bool,
    /// When the replies that are on their way come.
    replies: VecDeque<Reply>,
    figures: DramFigures,
    #[cfg(test)]
    pub(super) given: Vec<Given>,
}

impl Dram {
    pub(super) fn new(config: &DramConfig) -> Self {
        Self {
            banks: (0..config.banks).map(|_| Bank::with_room(config.queue as usize)).collect(),
            wanted: 0,
            queued: 0,
            age: 0,
            plan: None,
            activate: 0,
            read: 0,
            bus: 0,
            reading: false,
            replies: VecDeque::with_capacity(config.queue as usize),
            figures: DramFigures::default(),
            config: config.clone(),
            #[cfg(test)]
            given: Vec::new(),
        }
    }

    /// The best command for a bank with requests that may be given in `from` or later.
    fn candidate(&self, number: usize, from: u64) -> Candidate {
        let bank = &self.banks[number];
        let of = |at: u64, age: u64, command| Candidate { at: at.max(from), age, bank: number, command };
        let column = |place: usize| {
            let entry = bank.entry(place);
            of(self.column(bank, entry.write), entry.age, Command::Column(place))
        };
        let age = bank.oldest().map_or(0, |oldest| oldest.age);
        match bank.ready() {
            (Some(read), Some(write)) => {
                let (read, write) = (column(read), column(write));
                if write.order() < read.order() { write } else { read }
            }
            (Some(place), None) | (None, Some(place)) => column(place),
            (None, None) if bank.open.is_none() => of(bank.activate.max(self.activate), age, Command::Activate),
            (None, None) => of(bank.precharge, age, Command::Precharge),
        }
    }

    /// When a row that is open can be read or written.
    fn column(&self, bank: &Bank, write: bool) -> u64 {
        let DramConfig { t_cl, t_wl, turnaround, .. } = self.config;
        if write {
            let bus = self.bus + if self.reading { u64::from(turnaround) } else { 0 };
            bank.column.max(bus.saturating_sub(u64::from(t_wl)))
        } else {
            bank.column.max(self.read).max(self.bus.saturating_sub(u64::from(t_cl)))
        }
    }

    /// The command that is given next, in `from` or later.
    fn choose(&self, from: u64) -> Option<Candidate> {
        let all = ones(self.wanted);
        match self.config.order {
            MemoryOrder::FrFcfs => all.map(|number| self.candidate(number, from)).min_by_key(Candidate::order),
            MemoryOrder::Fcfs => {
                let age = |&number: &usize| self.banks[number].oldest().map_or(u64::MAX, |entry| entry.age);
                all.min_by_key(age).map(|number| self.candidate(number, from))
            }
        }
    }

    fn give(&mut self, Candidate { at, bank: number, command, .. }: Candidate) {
        let DramConfig { order, t_cl, t_rp, t_rc, t_ras, t_rcd, t_rrd, t_wl, t_wr, t_wtr, t_rtp, .. } = self.config;
        let after = |cycles: u32| at + u64::from(cycles);
        let bank = &mut self.banks[number];
        #[cfg(test)]
        self.given.push((
            at,
            number,
            match command {
                Command::Activate => "ACT",
                Command::Precharge => "PRE",
                Command::Column(place) => {
                    if bank.entry(place).write {
                        "WR"
                    } else {
                        "RD"
                    }
                }
            },
        ));
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
            Command::Column(place) => {
                let entry = bank.serve(place, order);
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
                    self.replies.push_back(Reply { id: entry.id, at, served: Served::Dram });
                }
            }
        }
    }

    fn command_due(&self) -> Cycle {
        self.plan.map_or(NEVER, |plan| self.config.to_core(plan.at))
    }
}

impl Level for Dram {
    fn offer(&mut self, now: Cycle, request: Request) -> Result<(), Full> {
        if self.queued >= self.config.queue as usize {
            return Err(Full);
        }
        let banks = u64::from(self.config.banks);
        let line = request.address / u64::from(self.config.row);
        let number = (line % banks) as usize;
        let entry = Entry {
            age: self.age,
            id: request.id,
            row: line / banks,
            bytes: request.bytes,
            write: request.kind == AccessKind::Store,
            atomic: request.kind == AccessKind::Atomic,
            activated: false,
            answer: true,
        };
        self.banks[number].push(entry, self.config.order);
        self.wanted |= 1 << number;
        self.age += 1;
        self.queued += 1;
        let from = self.config.to_memory(now) + 1;
        self.plan = match (self.plan, self.config.order) {
            (Some(plan), MemoryOrder::Fcfs) => Some(plan),
            (Some(plan), MemoryOrder::FrFcfs) if plan.bank != number => {
                let new = self.candidate(number, from);
                Some(if new.order() < plan.order() { new } else { plan })
            }
            _ => self.choose(from),
        };
        Ok(())
    }

    fn next_event(&self) -> Option<Cycle> {
        let reply = self.replies.front().map_or(NEVER, |reply| reply.at);
        event(reply.min(self.command_due()))
    }

    fn advance(&mut self, now: Cycle, done: &mut Vec<Reply>) {
        let limit = self.config.to_memory(now);
        while let Some(plan) = self.plan
            && plan.at <= limit
        {
            self.give(plan);
            self.plan = self.choose(plan.at + 1);
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
        self.plan = None;
        (self.activate, self.read, self.bus, self.reading) = (0, 0, 0, false);
    }

    fn outstanding(&self) -> usize {
        self.queued + self.replies.len()
    }

    fn count(&self, sum: &mut HierarchyFigures) {
        sum.dram.add(&self.figures);
    }
}

/// The places of the ones of a mask.
fn ones(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = (mask != 0).then(|| mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        place
    })
}
