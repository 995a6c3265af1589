//! The crossbar between cores and partitions.
//!
//! A switch in each direction. Requests wait at their core's port by partition; the request network gives them to their
//! partition with the addresses of that partition alone, in which the interleaved bytes lie side by side. A request enters a
//! partition only if there is room for its reply, so that replies always flow.

mod config;
mod switch;

use super::divisor::Divisor;
use super::figures::HierarchyFigures;
use super::kinds::{AnyLevel, List, Make, Standing};
use super::level::{AccessKind, Cycle, Full, Level, NEVER, Reply, Request, event};
use super::slab::Slab;
use super::times::{Times, ones};
pub use config::{CrossbarConfig, CrossbarFigures};
use switch::Switch;

/// Replies that wait for the port of one core find room: cores take them as they come.
const ALL: u32 = u32::MAX >> 1;

/// The data that is kept of a request until its reply comes.
#[derive(Clone, Copy, Debug)]
struct Flight {
    id: u64,
    core: u16,
    flits: u32,
}

/// A crossbar in front of partitions.
#[derive(Clone, Debug)]
pub(crate) struct Crossbar<N> {
    config: CrossbarConfig,
    name: String,
    interleave: Divisor,
    count: Divisor,
    requests: Switch<Request>,
    replies: Switch<Reply>,
    partitions: Vec<N>,
    flights: Slab<Flight>,
    /// For each partition, the requests whose replies have not left it.
    inside: Vec<u32>,
    /// The cycle in which each partition does something by itself.
    due: Times,
    /// The cycle in which the next request comes to each partition; never if it could not enter.
    entering: Times,
    /// Partitions that a request could not enter.
    refused: u128,
    /// The cycle in which the next reply comes to each core.
    leaving: Times,
    soonest: Cycle,
    buffer: Vec<Reply>,
}

impl Make for Crossbar<AnyLevel> {
    type Config = CrossbarConfig;

    fn make(config: &CrossbarConfig, list: &List<'_>) -> Self {
        Self::new(config, list.standing(), |_| AnyLevel::of(&list.next(true)))
    }
}

impl<N: Level> Crossbar<N> {
    /// A crossbar for so many cores, at most 128, and partitions that the function makes.
    pub(super) fn new(config: &CrossbarConfig, standing: Standing, partition: impl Fn(u32) -> N) -> Self {
        let (cores, name) = (standing.cores, standing.name);
        let partitions: Vec<N> = (0..config.partitions).map(partition).collect();
        let count = partitions.len();
        Self {
            interleave: Divisor::new(u64::from(config.interleave)),
            count: Divisor::new(count as u64),
            requests: Switch::new(cores, count, config.latency, config.queue, config.output_queue),
            replies: Switch::new(count, cores, config.latency, ALL, ALL),
            partitions,
            flights: Slab::with_capacity(64),
            inside: vec![0; count],
            due: Times::new(count),
            entering: Times::new(count),
            refused: 0,
            leaving: Times::new(cores),
            soonest: NEVER,
            config: config.clone(),
            name,
            buffer: Vec::new(),
        }
    }

    /// The partition of an address, and the address there.
    fn place(&self, address: u64) -> (usize, u64) {
        let (block, offset) = self.interleave.split(address);
        let (turn, partition) = self.count.split(block);
        (partition as usize, self.interleave.times(turn) + offset)
    }

    fn step(&mut self, now: Cycle, done: &mut Vec<Reply>) {
        // Partitions that may have room again.
        let mut moved = 0u128;
        for number in ones(self.due.take(now)) {
            moved |= 1 << number;
            let partition = &mut self.partitions[number];
            partition.advance(now, &mut self.buffer);
            self.due.set(number, partition.next_event().unwrap_or(NEVER));
            for reply in self.buffer.drain(..) {
                let Flight { id, core, flits } = self.flights.remove(reply.id as u32);
                self.replies.push(now, number, usize::from(core), flits, Reply { id, ..reply });
            }
        }
        if self.replies.choice() <= now {
            let Self { replies, inside, leaving, .. } = self;
            replies.choose(now, |partition, core, at| {
                inside[partition] -= 1;
                moved |= 1 << partition;
                leaving.lower(core, at);
            });
        }
        if self.requests.choice() <= now {
            let Self { requests, entering, refused, .. } = self;
            requests.choose(now, |_, partition, at| {
                if *refused >> partition & 1 == 0 {
                    entering.lower(partition, at);
                }
            });
        }
        for number in ones(self.entering.take(now) | moved & self.refused) {
            self.enter(number, now);
        }
        for core in ones(self.leaving.take(now)) {
            let next = loop {
                let Some(&(at, reply)) = self.replies.arrival(core) else { break NEVER };
                if at > now {
                    break at;
                }
                self.replies.pop(now, core);
                done.push(Reply { at, ..reply });
            };
            self.leaving.set(core, next);
        }
        let soonest = self.due.soonest().min(self.entering.soonest()).min(self.leaving.soonest());
        self.soonest = soonest.min(self.requests.choice()).min(self.replies.choice());
    }

    /// Moves requests that have come into their partition.
    fn enter(&mut self, number: usize, now: Cycle) {
        let partition = &mut self.partitions[number];
        self.refused &= !(1 << number);
        let next = loop {
            let Some(&(at, request)) = self.requests.arrival(number) else { break NEVER };
            if at > now {
                break at;
            }
            if self.inside[number] >= self.config.replies || !partition.may_have_room(request.core) {
                self.refused |= 1 << number;
                break NEVER;
            }
            let data = if request.kind == AccessKind::Store { 0 } else { request.bytes };
            let flight = Flight { id: request.id, core: request.core, flits: self.config.flits(data) };
            let id = self.flights.insert(flight);
            if partition.offer(now, Request { id: u64::from(id), ..request }).is_err() {
                self.flights.remove(id);
                self.refused |= 1 << number;
                break NEVER;
            }
            self.inside[number] += 1;
            self.requests.pop(now, number);
        };
        self.entering.set(number, next);
        self.due.set(number, partition.next_event().unwrap_or(NEVER));
    }
}

impl<N: Level> Level for Crossbar<N> {
    fn offer(&mut self, now: Cycle, request: Request) -> Result<(), Full> {
        let core = usize::from(request.core);
        if !self.requests.has_room(core) {
            return Err(Full);
        }
        let (partition, address) = self.place(request.address);
        let data = if request.kind == AccessKind::Load { 0 } else { request.bytes };
        let flits = self.config.flits(data);
        self.requests.push(now, core, partition, flits, Request { address, ..request });
        self.soonest = self.soonest.min(self.requests.choice());
        Ok(())
    }

    fn full(&self) -> u128 {
        self.requests.full()
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
        self.requests.flush();
        self.replies.flush();
        self.partitions.iter_mut().for_each(N::flush);
        self.soonest = NEVER;
    }

    fn outstanding(&self) -> usize {
        let partitions: usize = self.partitions.iter().map(N::outstanding).sum();
        partitions + self.requests.underway() + self.replies.underway()
    }

    fn count(&self, sum: &mut HierarchyFigures) {
        let ((requests, request_flits), (replies, reply_flits)) = (self.requests.carried, self.replies.carried);
        sum.add(&self.name, CrossbarFigures { requests, request_flits, replies, reply_flits });
        self.partitions.iter().for_each(|partition| partition.count(sum));
    }

    fn fill(&mut self, level: usize, address: u64) {
        let (partition, address) = self.place(address);
        self.partitions[partition].fill(level, address);
    }
}
