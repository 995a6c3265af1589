//! What a lookup finds, and what becomes of the access.

use super::super::config::WritePolicy;
use super::super::level::{AccessKind, CacheOperator, Cycle, Request};
use super::mshr::Waiting;
use super::unit::{Lack, Role, Unit};

/// How a cache treats a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Path {
    /// It keeps the line.
    Keep {
        /// The line is the first to go.
        first: bool,
        /// A hit drops it.
        last: bool,
    },
    /// The next level has it; a line that is here goes, written back if it is dirty.
    Past,
    /// The next level has it; a line that is here stays.
    Through,
}

/// The path of a request in a cache of a level.
fn path(role: Role, write: WritePolicy, kind: AccessKind, operator: CacheOperator, local: bool) -> Path {
    use CacheOperator::{Cached, LastUse, SecondLevel, Streaming, Volatile, WriteThrough};
    let keep = Path::Keep {
        first: matches!(operator, Streaming | LastUse) || (local && operator == SecondLevel),
        last: role == Role::First && local && operator == LastUse && kind == AccessKind::Load,
    };
    match (role, kind, operator) {
        (Role::Second, AccessKind::Store, WriteThrough) => Path::Through,
        (Role::Second, ..) | (Role::First, AccessKind::Load, Cached | Streaming | LastUse | WriteThrough) => keep,
        (Role::First, AccessKind::Atomic, _) => Path::Past,
        (Role::First, AccessKind::Store, Cached | Streaming | LastUse) if local || write == WritePolicy::WriteBack => {
            keep
        }
        (Role::First, _, SecondLevel) if local => keep,
        (Role::First, _, Cached | SecondLevel | Streaming | LastUse | Volatile | WriteThrough) => Path::Past,
    }
}

/// Whether the first level, with this policy, keeps what such a request asks for.
pub(in super::super) fn first_level_keeps(
    write: WritePolicy,
    kind: AccessKind,
    operator: CacheOperator,
    local: bool,
) -> bool {
    matches!(path(Role::First, write, kind, operator, local), Path::Keep { .. })
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

    /// Looks a request up: for how many cycles that occupies the ports. If the access lacks something, nothing has changed.
    pub(super) fn look_up(&mut self, now: Cycle, request: &Request) -> Result<u32, Lack> {
        let number = request.address >> self.config.line.trailing_zeros();
        match self.path(request) {
            Path::Past => self.past(now, request, number)?,
            Path::Through => self.through(now, request)?,
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
        path(self.role, self.config.write, kind, operator, local)
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
        self.figures.passed += 1;
        self.send_past(now, request);
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
        if let Some(slot) = slot {
            match self.lines.line(slot).mshr {
                Some(mshr) => {
                    // What is to be written back has to be here first.
                    if dirty || self.mshrs.entry(mshr).waiting.iter().any(|waiting| waiting.writes != 0) {
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
        self.figures.passed += 1;
        self.send_past(now, request);
        Ok(())
    }

    fn keep(&mut self, now: Cycle, request: &Request, number: u64, first: bool, last: bool) -> Result<(), Lack> {
        let (touched, covered) = self.sectors(request);
        // A store that covers a sector needs nothing of what was there; an atomic does.
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
            if entry.waiting.len() >= self.config.merges as usize {
                return Err(Lack::Merge);
            }
            let missing = needs & !(self.lines.line(slot).valid | entry.asked);
            self.room(usize::from(missing != 0))?;
            if missing == 0 {
                self.figures.pending_hits += 1;
            } else {
                self.figures.misses += 1;
                self.fetch(now, request, number, mshr, missing);
            }
            self.lines.touch(slot, first);
            self.mshrs.entry_mut(mshr).waiting.push(waiting);
            return Ok(());
        }
        let mshr = if needs == 0 { None } else { Some(self.mshrs.peek().ok_or(Lack::Mshr)?) };
        let slot = match found {
            Some(slot) => {
                self.room(1)?;
                self.lines.touch(slot, first);
                slot
            }
            None => {
                let slot = self.lines.victim(number).ok_or(Lack::Line)?;
                self.room(usize::from(mshr.is_some()) + usize::from(self.lines.line(slot).dirty != 0))?;
                if self.lines.used(slot) {
                    self.evict(now, slot, request);
                }
                self.lines.install(slot, number, first);
                slot
            }
        };
        self.figures.misses += 1;
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
                self.mshrs.entry_mut(mshr).waiting.push(waiting);
            }
        }
        Ok(())
    }

    fn write(&mut self, slot: usize, sectors: u32) {
        let line = self.lines.line_mut(slot);
        line.valid |= sectors;
        line.dirty |= sectors;
    }

    /// Asks for sectors, and for those between them.
    fn fetch(&mut self, now: Cycle, request: &Request, number: u64, mshr: u16, missing: u32) {
        let (from, to) = (missing.trailing_zeros(), 32 - missing.leading_zeros());
        let sectors = ones(to - from) << from;
        let sector = self.config.sector;
        self.mshrs.entry_mut(mshr).asked |= sectors;
        let address = number * u64::from(self.config.line) + u64::from(from * sector);
        self.send_fill(now, request, mshr, address, (to - from) * sector, sectors);
    }

    /// The line of a slot goes, for a request's sake.
    fn evict(&mut self, now: Cycle, slot: usize, request: &Request) {
        self.figures.evictions += 1;
        let dirty = self.lines.line(slot).dirty;
        if dirty == 0 {
            return;
        }
        let sector = self.config.sector;
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
                local: false,
            },
        );
    }
}

fn ones(count: u32) -> u32 {
    if count >= 32 { u32::MAX } else { (1 << count) - 1 }
}
