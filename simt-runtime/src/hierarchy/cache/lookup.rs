//! The lookup of a request, and the further course of the access.

use super::super::level::{AccessKind, CacheOperator, Cycle, Request};
use super::config::WritePolicy;
use super::mshr::Waiting;
use super::unit::{Lack, Unit};

/// How a cache treats a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Path {
    /// It keeps the line.
    Keep {
        /// Whether the line is the first to go.
        first: bool,
        /// Whether a hit drops it.
        last: bool,
    },
    /// The request goes to the next level; a line that is here is evicted, and written back if it is dirty.
    Past,
    /// The request goes to the next level; a line that is here stays.
    Through,
    /// The request goes to the next level and changes the line here, which is made if it is not there.
    Update {
        /// Whether the line is the first to go.
        first: bool,
    },
}

/// The path of a request in a cache: of a core, or `shared` by all.
fn path(shared: bool, write: WritePolicy, kind: AccessKind, operator: CacheOperator, local: bool) -> Path {
    use CacheOperator::{Cached, Global, LastUse, Streaming, Volatile, WriteThrough};
    let keep = Path::Keep {
        first: matches!(operator, Streaming | LastUse) || (local && operator == Global),
        last: !shared && local && operator == LastUse && kind == AccessKind::Load,
    };
    match (shared, kind, operator) {
        (true, AccessKind::Store, WriteThrough) => Path::Through,
        (true, ..) | (false, AccessKind::Load, Cached | Streaming | LastUse | WriteThrough) => keep,
        (false, AccessKind::Atomic, _) => Path::Past,
        (false, AccessKind::Store, _) if write == WritePolicy::WriteThrough => {
            Path::Update { first: matches!(operator, Streaming | LastUse) }
        }
        (false, AccessKind::Store, Cached | Streaming | LastUse) if local || write == WritePolicy::WriteBack => keep,
        (false, _, Global) if local => keep,
        (false, _, Cached | Global | Streaming | LastUse | Volatile | WriteThrough) => Path::Past,
    }
}

/// Whether a cache of a core, with this policy, keeps what such a request asks for.
pub(in super::super) fn kept_in_front(
    write: WritePolicy,
    kind: AccessKind,
    operator: CacheOperator,
    local: bool,
) -> bool {
    matches!(path(false, write, kind, operator, local), Path::Keep { .. })
}

impl Unit {
    /// Whether a load would hit now.
    pub(super) fn holds(&self, request: &Request) -> bool {
        if !matches!(self.path(request), Path::Keep { .. }) {
            return false;
        }
        let (touched, _) = self.sectors(request);
        self.lines.find(request.address >> self.config.line.trailing_zeros()).is_some_and(|slot| {
            let line = self.lines.line(slot);
            touched & !line.valid == 0 && !line.mshr.is_some_and(|mshr| self.mshrs.entry(mshr).dropped)
        })
    }

    /// Looks a request up; returns for how many cycles that occupies the ports. If the access lacks something, nothing has
    /// changed.
    pub(super) fn look_up(&mut self, now: Cycle, request: &Request) -> Result<u32, Lack> {
        let number = request.address >> self.config.line.trailing_zeros();
        match self.path(request) {
            Path::Past => self.past(now, request, number)?,
            Path::Through => self.through(now, request)?,
            Path::Update { first } => self.update(now, request, number, first)?,
            Path::Keep { first, last } => {
                self.keep(now, request, number, first, last)?;
                if request.kind == AccessKind::Atomic {
                    return Ok(self.config.atomic_cycles);
                }
            }
        }
        Ok(1)
    }

    fn path(&self, request: &Request) -> Path {
        let Request { kind, operator, local, .. } = *request;
        path(self.shared, self.config.write, kind, operator, local)
    }

    /// The sectors of the line that a request touches, and those of them that it covers.
    fn sectors(&self, request: &Request) -> (u32, u32) {
        let (line, sector) = (self.config.line, self.config.sector);
        let from = (request.address & u64::from(line - 1)) as u32;
        let to = (from + request.bytes).min(line);
        let mask = |from: u32, to: u32| if from < to { ones(to - from) << from } else { 0 };
        let shift = sector.trailing_zeros();
        let up = |bytes: u32| (bytes + sector - 1) >> shift;
        (mask(from >> shift, up(to)), mask(up(from), to >> shift))
    }

    fn through(&mut self, now: Cycle, request: &Request) -> Result<(), Lack> {
        self.may_pass()?;
        self.room(1)?;
        let valid = self.lines.find(request.address >> self.config.line.trailing_zeros());
        self.pass(now, request, valid.map_or(0, |slot| self.lines.line(slot).valid));
        Ok(())
    }

    /// Sends a request past this level, which has these sectors of its line.
    fn pass(&mut self, now: Cycle, request: &Request, valid: u32) {
        let (touched, _) = self.sectors(request);
        self.figures.passed += 1;
        self.figures.looked_up(request, touched, touched & !valid);
        let sectors = u64::from(touched.count_ones());
        match request.kind {
            AccessKind::Load => self.figures.sectors_read += sectors,
            AccessKind::Store => self.figures.sectors_written += sectors,
            AccessKind::Atomic => {}
        }
        self.send_past(now, request);
    }

    /// A store that goes to the next level, and that changes the line here.
    fn update(&mut self, now: Cycle, request: &Request, number: u64, first: bool) -> Result<(), Lack> {
        self.may_pass()?;
        let found = self.lines.find(number);
        let slot = match found {
            Some(slot) => slot,
            None => self.lines.victim(number).ok_or(Lack::Line)?,
        };
        let line = self.lines.line(slot);
        if found.is_some() && line.mshr.is_some_and(|mshr| self.mshrs.entry(mshr).dropped) {
            return Err(Lack::Line);
        }
        self.room(1 + usize::from(found.is_none() && line.dirty != 0))?;
        if found.is_some() {
            self.lines.touch(slot, first);
        } else {
            if self.lines.used(slot) {
                self.evict(now, slot, request);
            }
            self.lines.install(slot, number, first);
        }
        let (_, covered) = self.sectors(request);
        self.pass(now, request, self.lines.line(slot).valid);
        self.lines.line_mut(slot).valid |= covered;
        Ok(())
    }

    fn may_pass(&self) -> Result<(), Lack> {
        if self.passes.len() < self.config.passes as usize { Ok(()) } else { Err(Lack::Mshr) }
    }

    fn past(&mut self, now: Cycle, request: &Request, number: u64) -> Result<(), Lack> {
        self.may_pass()?;
        let slot = self.lines.find(number);
        let dirty = slot.is_some_and(|slot| self.lines.line(slot).dirty != 0);
        self.room(1 + usize::from(dirty))?;
        let valid = slot.map_or(0, |slot| self.lines.line(slot).valid);
        if let Some(slot) = slot {
            match self.lines.line(slot).mshr {
                Some(mshr) => {
                    // Sectors that are to be written back have to be here first.
                    if dirty || self.mshrs.writes(mshr) {
                        return Err(Lack::Line);
                    }
                    self.mshrs.entry_mut(mshr).dropped = true;
                }
                None => {
                    self.evict(now, slot, request);
                    self.lines.remove(slot);
                }
            }
        }
        self.pass(now, request, valid);
        Ok(())
    }

    fn keep(&mut self, now: Cycle, request: &Request, number: u64, first: bool, last: bool) -> Result<(), Lack> {
        let (touched, covered) = self.sectors(request);
        // A store that covers a sector needs none of its old bytes; an atomic does.
        let (needs, writes) = match request.kind {
            AccessKind::Load => (touched, 0),
            AccessKind::Store => (touched & !covered, touched),
            AccessKind::Atomic => (touched, touched),
        };
        let waiting = Waiting { id: request.id, needs, writes };
        let found = self.lines.find(number);
        let underway = found.and_then(|slot| self.lines.line(slot).mshr);
        if let Some(mshr) = underway
            && self.mshrs.entry(mshr).dropped
        {
            return Err(Lack::Line);
        }
        if let Some(slot) = found
            && needs & !self.lines.line(slot).valid == 0
        {
            self.figures.hits += 1;
            self.figures.looked_up(request, touched, touched & !self.lines.line(slot).valid);
            self.lines.touch(slot, first);
            self.write(slot, writes);
            if last && underway.is_none() {
                self.lines.remove(slot);
            }
            self.hit(now, request.id);
            return Ok(());
        }
        if let (Some(slot), Some(mshr)) = (found, underway) {
            let entry = self.mshrs.entry(mshr);
            if entry.waiting >= self.config.merges {
                return Err(Lack::Merge);
            }
            let here = self.lines.line(slot).valid | entry.asked;
            let missing = needs & !here;
            // What is missing may come meanwhile.
            self.room(self.fills(missing)).map_err(|_| Lack::Queue)?;
            self.figures.looked_up(request, touched, touched & !here);
            if missing == 0 {
                self.figures.pending_hits += 1;
            } else {
                self.figures.misses += 1;
                self.fetch(now, request, number, mshr, missing);
            }
            self.lines.touch(slot, first);
            self.mshrs.wait(mshr, waiting);
            return Ok(());
        }
        let mshr = if needs == 0 { None } else { Some(self.mshrs.peek().ok_or(Lack::Mshr)?) };
        let slot = match found {
            Some(slot) => {
                self.room(self.fills(needs & !self.lines.line(slot).valid))?;
                self.lines.touch(slot, first);
                slot
            }
            None => {
                let slot = self.lines.victim(number).ok_or(Lack::Line)?;
                let fills = self.fills(needs);
                let room = self.room(fills + usize::from(self.lines.line(slot).dirty != 0));
                // Another line may go then, which is not dirty.
                room.map_err(|lack| if fills == 0 { Lack::Queue } else { lack })?;
                if self.lines.used(slot) {
                    self.evict(now, slot, request);
                }
                self.lines.install(slot, number, first);
                slot
            }
        };
        self.figures.misses += 1;
        self.figures.looked_up(request, touched, touched & !self.lines.line(slot).valid);
        match mshr {
            None => {
                self.write(slot, writes);
                self.hit(now, request.id);
            }
            Some(mshr) => {
                self.mshrs.take(slot);
                self.lines.line_mut(slot).mshr = Some(mshr);
                let missing = needs & !self.lines.line(slot).valid;
                self.fetch(now, request, number, mshr, missing);
                self.mshrs.wait(mshr, waiting);
            }
        }
        Ok(())
    }

    fn write(&mut self, slot: usize, sectors: u32) {
        let line = self.lines.line_mut(slot);
        line.valid |= sectors;
        line.dirty |= sectors;
    }

    /// Requests that ask for sectors: one for each run of neighbours.
    fn fills(&self, missing: u32) -> usize {
        match runs(missing) {
            runs if runs < self.config.miss_queue => runs as usize,
            _ => usize::from(missing != 0),
        }
    }

    /// The sectors that each request asks for. If they form more runs than the queue to the next level can ever hold, the
    /// sectors between them are fetched, too; a place is left for a line that is evicted.
    fn fetched(&self, missing: u32) -> impl Iterator<Item = u32> + use<> {
        let mut rest = match runs(missing) < self.config.miss_queue {
            true => missing,
            false => ones(32 - missing.leading_zeros()) & !ones(missing.trailing_zeros()),
        };
        std::iter::from_fn(move || {
            let from = rest.trailing_zeros();
            let run = ones((rest >> from.min(31)).trailing_ones()) << from.min(31);
            rest &= !run;
            (run != 0).then_some(run)
        })
    }

    /// Asks for sectors.
    fn fetch(&mut self, now: Cycle, request: &Request, number: u64, mshr: u16, missing: u32) {
        let sector = self.config.sector;
        for run in self.fetched(missing) {
            let (from, count) = (run.trailing_zeros(), run.count_ones());
            self.mshrs.entry_mut(mshr).asked |= run;
            self.figures.sectors_read += u64::from(count);
            let address = number * u64::from(self.config.line) + u64::from(from * sector);
            self.send_fill(now, request, mshr, address, count * sector, run);
        }
    }

    /// Evicts the line of a slot to make room for a request.
    fn evict(&mut self, now: Cycle, slot: usize, request: &Request) {
        self.figures.evictions += 1;
        let dirty = self.lines.line(slot).dirty;
        if dirty == 0 {
            return;
        }
        let sector = self.config.sector;
        self.figures.sectors_written += u64::from(dirty.count_ones());
        let address =
            self.lines.number(slot) * u64::from(self.config.line) + u64::from(dirty.trailing_zeros() * sector);
        self.send_back(
            now,
            Request {
                id: 0,
                core: request.core,
                address,
                bytes: dirty.count_ones() * sector,
                kind: AccessKind::Store,
                operator: CacheOperator::Cached,
                // Of a core's cache that drops what else is written, only lines of local memory are dirty.
                local: !self.shared && self.config.write == WritePolicy::WriteEvict,
            },
        );
    }
}

/// How many runs of ones a mask has.
fn runs(mask: u32) -> u32 {
    (mask & !(mask << 1)).count_ones()
}

fn ones(count: u32) -> u32 {
    if count >= 32 { u32::MAX } else { (1 << count) - 1 }
}
