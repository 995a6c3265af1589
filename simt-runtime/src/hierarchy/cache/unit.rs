//! One cache: its queues, its ports, and its work in each cycle. The result of a lookup is in [`lookup`](super::lookup).

use std::collections::VecDeque;

use super::super::kinds::Standing;
use super::super::level::{Cycle, Full, Level, NEVER, Reply, Request};
use super::super::lines::Lines;
use super::super::slab::Slab;
use super::config::CacheConfig;
use super::figures::CacheFigures;
use super::mshr::{Mshr, Mshrs};

/// What the access at the head of the queue lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lack {
    Mshr,
    Merge,
    Line,
    Queue,
    /// Any place in the queue, whatever comes from the next level.
    Place,
}

/// The prefix of ids of requests to the next level.
const FILL: u64 = 0;
const PASS: u64 = 1;
const WRITE_BACK: u64 = 2;

/// A cache of one core, or a slice of one that all share.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    pub(super) config: CacheConfig,
    /// Whether all cores share it.
    pub(super) shared: bool,
    /// The number of its level.
    level: usize,
    /// Its number in the level, which its ids carry.
    number: u16,
    pub(super) lines: Lines,
    pub(super) mshrs: Mshrs,
    /// The ids of requests that pass by.
    pub(super) passes: Slab<u64>,
    input: VecDeque<Request>,
    /// Requests to the next level, with the cycle in which they are ready.
    output: VecDeque<(Cycle, Request)>,
    /// Replies of hits.
    hits: VecDeque<(Cycle, u64)>,
    /// The cycle of the last lookup, and how many there were.
    port: (Cycle, u32),
    /// The cycle since which the head of the queue has waited for a resource, and which it lacked last.
    blocked: Option<(Cycle, Lack)>,
    /// Whether a resource has been freed that the head of the queue may have lacked.
    freed: bool,
    /// Whether the next level was full.
    stuck: bool,
    pub(super) figures: CacheFigures,
}

impl Unit {
    pub(super) fn new(config: &CacheConfig, standing: &Standing, number: u16) -> Self {
        Self {
            lines: Lines::new(config),
            mshrs: Mshrs::new(config.mshrs),
            passes: Slab::with_capacity(config.passes as usize),
            input: VecDeque::with_capacity(config.queue as usize),
            output: VecDeque::with_capacity(config.miss_queue as usize),
            hits: VecDeque::with_capacity(config.hit_latency.saturating_mul(config.ports).min(1024) as usize),
            port: (0, 0),
            blocked: None,
            freed: false,
            stuck: false,
            figures: CacheFigures::default(),
            config: config.clone(),
            shared: standing.shared,
            level: standing.number,
            number,
        }
    }

    pub(super) fn offer(&mut self, now: Cycle, request: Request) -> Result<(), Full> {
        if self.input.is_empty() && self.port_is_free(now) {
            match self.access(now, &request) {
                Ok(()) => return Ok(()),
                Err(lack) => self.block(now, lack),
            }
        } else if !self.has_room() {
            return Err(Full);
        }
        self.input.push_back(request);
        Ok(())
    }

    /// Whether a request would be accepted.
    pub(super) fn has_room(&self) -> bool {
        self.input.is_empty() || self.input.len() < self.config.queue as usize
    }

    /// The cycle in which it does something by itself. Requests that wait for room in the next level are not counted.
    pub(super) fn due(&self) -> Cycle {
        let hit = self.hits.front().map_or(NEVER, |&(at, _)| at);
        let send = self.output.front().map_or(NEVER, |&(ready, _)| if self.stuck { NEVER } else { ready });
        let look = if self.input.is_empty() || self.blocked.is_some() { NEVER } else { self.port.0 + 1 };
        hit.min(send).min(look)
    }

    /// The core whose request waits for room in the next level.
    pub(super) fn waits_for(&self) -> u16 {
        self.output.front().map_or(0, |(_, request)| request.core)
    }

    /// Does the work that is due in a cycle, after the replies of the next level. Returns whether it then waits for room
    /// there.
    pub(super) fn step<N: Level>(&mut self, now: Cycle, next: &mut N, done: &mut Vec<Reply>) -> bool {
        while let Some(&(at, id)) = self.hits.front() {
            if at > now {
                break;
            }
            self.hits.pop_front();
            done.push(Reply { id, at, served: self.level });
        }
        self.stuck = false;
        while let Some(&(ready, request)) = self.output.front() {
            if ready > now {
                break;
            }
            if next.offer(now, request).is_err() {
                self.stuck = true;
                break;
            }
            self.output.pop_front();
            self.freed |= self.blocked.is_some_and(|(_, lack)| matches!(lack, Lack::Queue | Lack::Place));
        }
        if self.blocked.is_some() && !self.freed {
            return self.stuck;
        }
        self.freed = false;
        while let Some(&request) = self.input.front() {
            if !self.port_is_free(now) {
                break;
            }
            if let Err(lack) = self.access(now, &request) {
                self.block(now, lack);
                break;
            }
            self.input.pop_front();
        }
        self.stuck
    }

    fn port_is_free(&self, now: Cycle) -> bool {
        now > self.port.0 || (now == self.port.0 && self.port.1 < self.config.ports)
    }

    /// A lookup in a cycle with a free port. If the access lacks something, nothing has changed.
    fn access(&mut self, now: Cycle, request: &Request) -> Result<(), Lack> {
        let busy = self.look_up(now, request)?;
        if let Some((since, _)) = self.blocked.take() {
            self.figures.stall_cycles += now - since;
        }
        self.figures.accesses += 1;
        self.port = match (busy, now == self.port.0) {
            (1, true) => (now, self.port.1 + 1),
            (1, false) => (now, 1),
            (cycles, _) => (now + Cycle::from(cycles) - 1, self.config.ports),
        };
        Ok(())
    }

    fn block(&mut self, now: Cycle, lack: Lack) {
        if let Some((_, other)) = &mut self.blocked {
            *other = lack;
        } else {
            self.blocked = Some((now, lack));
            *match lack {
                Lack::Mshr => &mut self.figures.stalls_mshr,
                Lack::Merge => &mut self.figures.stalls_merge,
                Lack::Line => &mut self.figures.stalls_line,
                Lack::Queue | Lack::Place => &mut self.figures.stalls_queue,
            } += 1;
        }
    }

    pub(super) fn hit(&mut self, now: Cycle, id: u64) {
        self.hits.push_back((now + Cycle::from(self.config.hit_latency), id));
    }

    /// Whether so many requests to the next level find room, one of which does not depend on what comes from there.
    pub(super) fn room(&self, requests: usize) -> Result<(), Lack> {
        match (self.config.miss_queue as usize).saturating_sub(self.output.len()) {
            room if room >= requests => Ok(()),
            0 => Err(Lack::Place),
            _ => Err(Lack::Queue),
        }
    }

    fn send(&mut self, now: Cycle, request: Request) {
        self.output.push_back((now + Cycle::from(self.config.miss_latency), request));
    }

    fn id(&self, kind: u64, low: u64) -> u64 {
        kind << 62 | u64::from(self.number) << 46 | low
    }

    /// The unit that a reply of the next level is for; `None` for write-backs.
    pub(super) fn addressee(id: u64) -> Option<usize> {
        (id >> 62 != WRITE_BACK).then_some((id >> 46 & 0xffff) as usize)
    }

    pub(super) fn send_fill(
        &mut self,
        now: Cycle,
        request: &Request,
        mshr: u16,
        address: u64,
        bytes: u32,
        sectors: u32,
    ) {
        let id = self.id(FILL, u64::from(mshr) << 32 | u64::from(sectors));
        self.send(now, Request { id, address, bytes, kind: super::super::level::AccessKind::Load, ..*request });
    }

    pub(super) fn send_past(&mut self, now: Cycle, request: &Request) {
        let pass = self.passes.insert(request.id);
        self.send(now, Request { id: self.id(PASS, u64::from(pass)), ..*request });
    }

    pub(super) fn send_back(&mut self, now: Cycle, write: Request) {
        self.figures.write_backs += 1;
        self.send(now, Request { id: self.id(WRITE_BACK, 0), ..write });
    }

    /// A reply of the next level for this unit.
    pub(super) fn receive(&mut self, now: Cycle, reply: &Reply, done: &mut Vec<Reply>) {
        self.freed |= self.blocked.is_some_and(|(_, lack)| lack != Lack::Place);
        let low = reply.id & ((1 << 46) - 1);
        if reply.id >> 62 == PASS {
            let id = self.passes.remove(low as u32);
            done.push(Reply { id, at: now, served: reply.served });
            return;
        }
        let (number, sectors) = ((low >> 32) as u16, low as u32);
        let mshr = self.mshrs.entry_mut(number);
        mshr.asked &= !sectors;
        let Mshr { asked, slot, dropped, .. } = *mshr;
        let line = self.lines.line_mut(slot);
        line.valid |= sectors;
        self.mshrs.serve(number, |waiting| {
            let ready = waiting.needs & !line.valid == 0;
            if ready {
                line.valid |= waiting.writes;
                line.dirty |= waiting.writes;
                done.push(Reply { id: waiting.id, at: now, served: reply.served });
            }
            ready
        });
        if asked == 0 {
            line.mshr = None;
            if dropped {
                self.lines.remove(slot);
            }
            self.mshrs.release(number);
        }
    }

    /// The line of an address is here from now on, with all its bytes.
    pub(super) fn fill(&mut self, address: u64) {
        let number = address >> self.config.line.trailing_zeros();
        let slot = match self.lines.find(number) {
            Some(slot) => slot,
            None => {
                let Some(slot) = self.lines.victim(number) else { return };
                self.lines.install(slot, number, false);
                slot
            }
        };
        self.lines.line_mut(slot).valid = u32::MAX >> (32 - self.config.line / self.config.sector);
    }

    pub(super) fn outstanding(&self) -> usize {
        self.input.len() + self.output.len() + self.hits.len() + self.passes.len() + self.mshrs.waiting()
    }

    pub(super) fn flush(&mut self) {
        self.figures.write_backs += self.lines.clear();
        self.port = (0, 0);
    }
}
