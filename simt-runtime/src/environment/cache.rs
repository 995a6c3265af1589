//! Caches: the operations of the CUDA report's section 4.2.2, the same for L1 and L2.

use super::line::{EvictionClass, Line, OperationId, first_bytes};
use super::oracle::{Oracle, Question, ask};
use super::stuck::Stuck;
use std::ops::Range;

/// How large a cache is, and which lines an address may have.
///
/// The report leaves `eligible` open and calls its sizes numbers of lines. Here the lines of an address are the ways of its
/// set: one set makes a fully associative cache, one way a direct-mapped one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Geometry {
    /// Sets, at least 1.
    pub sets: usize,
    /// Lines of a set, at least 1.
    pub ways: usize,
}

/// The outcome of an operation that may have to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome<T> {
    /// It has succeeded.
    Done(T),
    /// It is deferred: the memory program yields and tries again.
    Deferred,
}

/// The result of an operation on a cache.
pub type Attempt<T> = Result<Outcome<T>, Stuck>;

/// A cache.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cache {
    geometry: Geometry,
    line_bytes: usize,
    lines: Vec<Line>,
}

impl Cache {
    /// An empty cache of lines of so many bytes, a power of two up to 128.
    pub fn new(geometry: Geometry, line_bytes: usize) -> Self {
        let geometry = Geometry { sets: geometry.sets.max(1), ways: geometry.ways.max(1) };
        Self { geometry, line_bytes, lines: vec![Line::default(); geometry.sets.saturating_mul(geometry.ways)] }
    }

    /// All lines, set after set.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    pub(super) fn line_mut(&mut self, line: usize) -> Option<&mut Line> {
        self.lines.get_mut(line)
    }

    /// The address of the line that a byte is in.
    pub(super) fn base(&self, address: u64) -> u64 {
        address - address % self.line_bytes as u64
    }

    /// The lines that may hold an address (the report's *eligible*).
    fn eligible(&self, address: u64) -> Range<usize> {
        let set = (address / self.line_bytes as u64 % self.geometry.sets as u64) as usize;
        set * self.geometry.ways..(set + 1) * self.geometry.ways
    }

    fn position(&self, address: u64) -> Option<usize> {
        let base = self.base(address);
        self.eligible(address).find(|&line| self.lines[line].address == Some(base))
    }

    /// The line of an address, if there is one.
    pub fn line(&self, address: u64) -> Option<&Line> {
        self.position(address).map(|line| &self.lines[line])
    }

    /// Whether a load of an address will find it here, now or when the line has been filled. A line that stores have written
    /// in part, and that no operation fills, does not count (hole H4).
    pub fn is_cached(&self, address: u64) -> bool {
        self.line(address).is_some_and(|line| line.is_valid() || line.present == 0 || line.is_pinned())
    }

    /// Whether the policy lets a line go: never a dirty or pinned one, and one of class `normal` only if its set has none
    /// of class `first` that could go.
    pub fn can_evict(&self, line: usize) -> bool {
        let free = |line: &Line| line.address.is_some() && !line.is_dirty() && !line.is_pinned();
        let first = |line: &Line| free(line) && line.class == EvictionClass::First;
        let set = line / self.geometry.ways * self.geometry.ways;
        match self.lines.get(line) {
            Some(one) if one.class == EvictionClass::Normal => {
                free(one) && !self.lines[set..set + self.geometry.ways].iter().any(first)
            }
            Some(one) => free(one),
            None => false,
        }
    }

    /// Reserves a line, pinned by the operation if one is given.
    ///
    /// # Errors
    /// If the address is cached.
    pub fn reserve(&mut self, address: u64, pin: Option<OperationId>, oracle: &mut dyn Oracle) -> Attempt<()> {
        if self.is_cached(address) {
            return Err(Stuck::AlreadyCached { address });
        }
        Ok(match self.take(address, oracle) {
            Some(line) => {
                pin.into_iter().for_each(|pin| line.pin(pin));
                Outcome::Done(())
            }
            None => Outcome::Deferred,
        })
    }

    /// The line of an address, or one that is given to it; `None` if all eligible lines must stay.
    fn take(&mut self, address: u64, oracle: &mut dyn Oracle) -> Option<&mut Line> {
        let line = match self.position(address) {
            Some(line) => line,
            None => {
                let eligible = self.eligible(address);
                let line = match eligible.clone().find(|&line| self.lines[line].address.is_none()) {
                    Some(unused) => unused,
                    None => {
                        let victims: Vec<usize> = eligible.filter(|&line| self.can_evict(line)).collect();
                        *victims.get(ask(oracle, Question::Victim, victims.len()))?
                    }
                };
                self.lines[line] = Line::reserved(self.base(address), self.line_bytes);
                line
            }
        };
        self.lines.get_mut(line)
    }

    fn offset(&self, operation: &'static str, address: u64, size: usize) -> Result<usize, Stuck> {
        let offset = (address - self.base(address)) as usize;
        let line = self.line_bytes;
        if size > line - offset {
            return Err(Stuck::AcrossLines { operation, address, size, line });
        }
        Ok(offset)
    }

    /// Reads bytes of a line, and unpins it; if they are still to come, pins it and waits.
    ///
    /// # Errors
    /// If the address is not cached, or the request does not lie in one line.
    pub fn read(&mut self, address: u64, size: usize, operation: OperationId) -> Attempt<Vec<u8>> {
        let offset = self.offset("read", address, size)?;
        let line = match self.position(address).filter(|_| self.is_cached(address)) {
            Some(line) => &mut self.lines[line],
            None => return Err(Stuck::NotCached { operation: "read", address }),
        };
        Ok(if line.is_valid() {
            line.unpin(operation);
            Outcome::Done(line.data[offset..offset + size].to_vec())
        } else {
            line.pin(operation);
            Outcome::Deferred
        })
    }

    /// Writes what a program stores: the bytes of the mask, bit 0 the first. If there is no line, one is reserved without a
    /// pin.
    ///
    /// # Errors
    /// If the request does not lie in one line.
    pub fn write(&mut self, address: u64, bytes: &[u8], mask: u128, oracle: &mut dyn Oracle) -> Attempt<()> {
        let offset = self.offset("write", address, bytes.len())?;
        Ok(match self.take(address, oracle) {
            Some(line) => {
                line.write(offset, bytes, mask);
                Outcome::Done(())
            }
            None => Outcome::Deferred,
        })
    }

    /// The bytes of a request that have no value, bit 0 the first, as far as the line of the address has them.
    pub(super) fn valueless(&self, address: u64, size: usize) -> u128 {
        let line = self.line(address);
        line.map_or(0, |line| line.valueless >> (address - self.base(address)) & first_bytes(size))
    }

    /// Fills a line with the data of the level above, of which the bytes of the mask have values. Bytes that have been written
    /// meanwhile stay. Pins stay.
    ///
    /// # Errors
    /// If there is no line, or the bytes are not a line's.
    pub fn update(&mut self, address: u64, bytes: &[u8], mask: u128) -> Result<(), Stuck> {
        if address != self.base(address) || bytes.len() != self.line_bytes {
            return Err(Stuck::PartialFill { address, size: bytes.len(), line: self.line_bytes });
        }
        let line = self.position(address).ok_or(Stuck::NotCached { operation: "update", address })?;
        self.lines[line].fill(bytes, mask);
        Ok(())
    }

    /// Empties the line of an address, whatever its class, if it is clean and unpinned.
    pub fn evict(&mut self, address: u64) -> Outcome<()> {
        self.remove(address, |line| line.is_dirty() || line.is_pinned())
    }

    /// Empties the line of an address if it is unpinned. Dirty data is lost.
    pub fn discard(&mut self, address: u64) -> Outcome<()> {
        self.remove(address, Line::is_pinned)
    }

    fn remove(&mut self, address: u64, must_stay: impl Fn(&Line) -> bool) -> Outcome<()> {
        match self.position(address) {
            Some(line) if must_stay(&self.lines[line]) => Outcome::Deferred,
            Some(line) => {
                self.lines[line] = Line::default();
                Outcome::Done(())
            }
            None => Outcome::Done(()),
        }
    }

    /// Sets the eviction class of a line.
    ///
    /// # Errors
    /// If the address has no line.
    pub fn classify(&mut self, address: u64, class: EvictionClass) -> Result<(), Stuck> {
        let line = self.position(address).ok_or(Stuck::NotCached { operation: "classify", address })?;
        self.lines[line].class = class;
        Ok(())
    }
}
