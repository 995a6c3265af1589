//! A cache line (CUDA report, section 4.2.1).
//!
//! The report's line is valid or not as a whole, and a write replaces all of it. Ours knows of each byte whether it is there
//! and whether it is dirty, so that stores of a few bytes leave the others alone (hole H4). As long as every request is of
//! whole lines the two are the same. It knows as well which bytes have no value, as nothing has written them: the report's
//! memory is full of values.

/// The number of a memory operation, never used again (CUDA report: *MemOpIdx*).
pub type OperationId = u64;

/// Which lines are evicted before others. The class *last* of the patent is left out, as in the report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EvictionClass {
    /// Before all of class `Normal`.
    First,
    /// The rest.
    #[default]
    Normal,
}

/// The state of a line, derived from its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineState {
    /// It has no address.
    Unused,
    /// It has an address and no data.
    Reserved,
    /// Stores have written some of its bytes; the others are not there.
    Partial,
    /// All there, and as in the level above.
    Clean,
    /// All there, and the level above does not have them yet.
    Dirty,
}

/// A cache line; `Line::default()` is the report's *init*.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Line {
    pub(super) address: Option<u64>,
    /// The line is empty as long as there is no address.
    pub(super) data: Vec<u8>,
    /// The bytes that are there.
    pub(super) present: u128,
    /// The bytes that the level above does not have.
    pub(super) dirty: u128,
    /// The bytes that are there and have no value.
    pub(super) valueless: u128,
    /// The operations that wait for the line, each once, in order.
    pub(super) pins: Vec<OperationId>,
    pub(super) class: EvictionClass,
}

/// The first `size` bytes of a line as a mask.
pub(super) fn first_bytes(size: usize) -> u128 {
    if size >= 128 { !0 } else { (1 << size) - 1 }
}

impl Line {
    /// A line of an address, without data.
    pub(super) fn reserved(address: u64, size: usize) -> Self {
        Self { address: Some(address), data: vec![0; size], ..Self::default() }
    }

    /// The address of its first byte.
    pub fn address(&self) -> Option<u64> {
        self.address
    }

    /// The line's bytes; those that are not there have no meaning.
    pub fn data(&self) -> &[u8] {
        &self.data
    }

    /// The memory operations that have pinned it.
    pub fn pins(&self) -> &[OperationId] {
        &self.pins
    }

    /// Its eviction class.
    pub fn class(&self) -> EvictionClass {
        self.class
    }

    /// Whether all its bytes are there.
    pub fn is_valid(&self) -> bool {
        self.address.is_some() && self.present == first_bytes(self.data.len())
    }

    /// Whether some of the line's bytes differ from the level above.
    pub fn is_dirty(&self) -> bool {
        self.dirty != 0
    }

    /// Whether some memory operation waits for it.
    pub fn is_pinned(&self) -> bool {
        !self.pins.is_empty()
    }

    /// The state of the line.
    pub fn state(&self) -> LineState {
        match (self.address, self.present) {
            (None, _) => LineState::Unused,
            (_, 0) => LineState::Reserved,
            _ if !self.is_valid() => LineState::Partial,
            _ if self.is_dirty() => LineState::Dirty,
            _ => LineState::Clean,
        }
    }

    /// Notes an operation that waits; none is noted twice.
    pub(super) fn pin(&mut self, operation: OperationId) {
        if let Err(place) = self.pins.binary_search(&operation) {
            self.pins.insert(place, operation);
        }
    }

    pub(super) fn unpin(&mut self, operation: OperationId) {
        self.pins.retain(|&pin| pin != operation);
    }

    /// Stores the bytes of the mask, from `offset` on. If the line has these values already, nothing changes: a clean line
    /// stays clean (the report assumes such hardware).
    pub(super) fn write(&mut self, offset: usize, bytes: &[u8], mask: u128) {
        let mask = (mask & first_bytes(bytes.len())) << offset;
        let is_meant = |byte: &usize| mask >> byte & 1 != 0;
        let same = |byte: usize| self.data.get(byte) == bytes.get(byte - offset);
        if mask & (!self.present | self.valueless) == 0 && (0..self.data.len()).filter(is_meant).all(same) {
            return;
        }
        for byte in (0..self.data.len()).filter(is_meant) {
            self.data[byte] = bytes[byte - offset];
        }
        self.present |= mask;
        self.dirty |= mask;
        self.valueless &= !mask;
    }

    /// Fills the bytes that are not there with data of the level above, of which those of the mask have values. Bytes that are
    /// there are newer.
    pub(super) fn fill(&mut self, bytes: &[u8], mask: u128) {
        self.valueless |= !mask & !self.present & first_bytes(self.data.len());
        for (byte, (old, &new)) in self.data.iter_mut().zip(bytes).enumerate() {
            if self.present >> byte & 1 == 0 {
                *old = new;
            }
        }
        self.present = first_bytes(self.data.len());
    }
}
