//! What the tests share: places for levels on their own, and a level without inner life.

use super::super::cache::CacheFigures;
pub(super) use super::super::contract::{figures, load, serve_alone};
use super::super::dram::DramFigures;
use super::super::figures::HierarchyFigures;
use super::super::kinds::Standing;
use super::super::level::{AccessKind, Cycle, Full, Level, Reply, Request, event};

/// A store of core 0.
pub(super) fn store(id: u64, address: u64, bytes: u32) -> Request {
    Request { kind: AccessKind::Store, ..load(id, address, bytes) }
}

/// What the caches of a level have counted.
pub(super) fn cache_figures<L: Level>(level: &L, name: &str) -> CacheFigures {
    *figures(level).cache(name).expect("it has the caches")
}

/// What the memory modules have counted.
pub(super) fn dram_figures<L: Level>(level: &L) -> DramFigures {
    *figures(level).dram().expect("it has memory")
}

/// The place of caches that are tested alone: number 0, one for each of so many cores.
pub(super) fn of_cores(cores: usize) -> Standing {
    Standing { name: "l1".into(), number: 0, shared: false, cores }
}

/// The place of a level behind the crossbar: number 1.
pub(super) fn of_all(name: &str) -> Standing {
    Standing { name: name.into(), number: 1, shared: true, cores: 1 }
}

/// The number of a level without inner life.
pub(super) const FLAT: usize = 9;

/// A next level without inner life: it answers after a fixed time, has room for so many, and remembers what was asked.
#[derive(Clone, Debug)]
pub(super) struct Flat {
    pub(super) latency: Cycle,
    pub(super) room: usize,
    pub(super) underway: std::collections::VecDeque<Reply>,
    pub(super) asked: Vec<Request>,
}

impl Flat {
    pub(super) fn new(latency: Cycle, room: usize) -> Self {
        Self { latency, room, underway: Default::default(), asked: Vec::new() }
    }
}

impl Level for Flat {
    fn offer(&mut self, now: Cycle, request: Request) -> Result<(), Full> {
        if self.underway.len() >= self.room {
            return Err(Full);
        }
        self.underway.push_back(Reply { id: request.id, at: now + self.latency, served: FLAT });
        self.asked.push(request);
        Ok(())
    }

    fn next_event(&self) -> Option<Cycle> {
        self.underway.front().and_then(|reply| event(reply.at))
    }

    fn advance(&mut self, now: Cycle, done: &mut Vec<Reply>) {
        while let Some(&reply) = self.underway.front()
            && reply.at <= now
        {
            self.underway.pop_front();
            done.push(reply);
        }
    }

    fn flush(&mut self) {}

    fn outstanding(&self) -> usize {
        self.underway.len()
    }

    fn count(&self, _: &mut HierarchyFigures) {}
}
