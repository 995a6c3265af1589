//! Memories: state spaces, shared memory with its banks, registers (CUDA report, section 4.3).

use super::line::{OperationId, first_bytes};
use super::stuck::Stuck;
use std::fmt;

/// The addressable memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StateSpace {
    /// Global memory: of all threads, cached in L1 and L2.
    Global,
    /// Local memory: of one thread, cached in L1 and L2.
    Local,
    /// Constant memory: read only on the device.
    Const,
    /// Shared memory: of a block; not cached.
    Shared,
}

impl fmt::Display for StateSpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Global => "global",
            Self::Local => "local",
            Self::Const => "constant",
            Self::Shared => "shared",
        })
    }
}

/// Bytes from an address on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bytes {
    base: u64,
    bytes: Vec<u8>,
    /// A bit for each byte that has no value; nothing as long as all have one.
    valueless: Vec<u64>,
}

/// Bits of a word of marks.
const BITS: usize = 64;

impl Bytes {
    /// A space of so many zeros from an address on.
    pub(super) fn new(base: u64, size: usize) -> Self {
        Self { base, bytes: vec![0; size], valueless: Vec::new() }
    }

    /// The address behind the last byte.
    pub(super) fn end(&self) -> u64 {
        self.base + self.bytes.len() as u64
    }

    /// Whether an address lies here.
    pub fn contains(&self, address: u64) -> bool {
        (self.base..self.end()).contains(&address)
    }

    /// Bytes, if all of them lie here.
    pub fn get(&self, address: u64, size: usize) -> Option<&[u8]> {
        let start = usize::try_from(address.checked_sub(self.base)?).ok()?;
        self.bytes.get(start..start.checked_add(size)?)
    }

    /// The bytes of a request that have no value, bit 0 the first; none of those that do not lie here.
    pub(super) fn valueless(&self, address: u64, size: usize) -> u128 {
        let Some(start) = address.checked_sub(self.base).filter(|_| !self.valueless.is_empty()) else { return 0 };
        let word = |number: usize| u128::from(self.valueless.get(number).copied().unwrap_or(0));
        let (first, shift) = (start as usize / BITS, start as usize % BITS);
        let low = (word(first) | word(first + 1) << BITS) >> shift;
        let high = if shift == 0 { 0 } else { word(first + 2) << (2 * BITS - shift) };
        (low | high) & first_bytes(size)
    }

    /// Takes the values from the bytes of the mask, bit 0 the first, as far as they lie here: what nothing has written since has
    /// no value. The report's bytes all have one (section 4.3).
    pub fn forget(&mut self, address: u64, mask: u128) {
        if self.valueless.is_empty() {
            self.valueless = vec![0; self.bytes.len().div_ceil(BITS)];
        }
        self.mark(address, mask, |word, bits| *word |= bits);
    }

    /// Changes the marks of the bytes of a mask.
    fn mark(&mut self, address: u64, mask: u128, change: impl Fn(&mut u64, u64)) {
        let Some(start) = address.checked_sub(self.base) else { return };
        let (first, shift) = (start as usize / BITS, start as usize % BITS);
        let high = if shift == 0 { 0 } else { mask >> (2 * BITS - shift) };
        let words = [(mask << shift) as u64, (mask << shift >> BITS) as u64, high as u64];
        for (word, bits) in self.valueless.iter_mut().skip(first).zip(words) {
            change(word, bits);
        }
    }

    /// Writes the bytes of the mask, if all of the request lies here.
    pub fn set(&mut self, address: u64, bytes: &[u8], mask: u128) -> Option<()> {
        let start = usize::try_from(address.checked_sub(self.base)?).ok()?;
        let old = self.bytes.get_mut(start..start.checked_add(bytes.len())?)?;
        for (place, (old, &new)) in old.iter_mut().zip(bytes).enumerate() {
            // A mask has as many bits as a request has bytes at most.
            if mask.checked_shr(place as u32).is_some_and(|mask| mask & 1 != 0) {
                *old = new;
            }
        }
        self.mark(address, mask & first_bytes(bytes.len()), |word, bits| *word &= !bits);
        Some(())
    }
}

/// The shared memory of a multiprocessor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SharedMemory {
    pub(super) bytes: Bytes,
    /// The operation that has locked each bank.
    locks: Vec<Option<OperationId>>,
}

impl SharedMemory {
    pub(super) fn new(size: usize, banks: usize) -> Self {
        Self { bytes: Bytes::new(0, size), locks: vec![None; banks.max(1)] }
    }

    /// The bytes.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// The bytes, mutable.
    pub fn bytes_mut(&mut self) -> &mut Bytes {
        &mut self.bytes
    }

    /// The operation that has locked each bank.
    pub fn locks(&self) -> &[Option<OperationId>] {
        &self.locks
    }

    /// The banks of a request: words of 32 bits lie in successive banks.
    fn banks(&self, address: u64, size: usize) -> impl Iterator<Item = usize> + use<> {
        let banks = self.locks.len() as u64;
        let last = address.saturating_add(size.max(1) as u64 - 1) / 4;
        (address / 4..=last).take(banks as usize).map(move |word| (word % banks) as usize)
    }

    /// Locks all banks of a request, or none if one is locked.
    pub(super) fn lock(&mut self, address: u64, size: usize, operation: OperationId) -> bool {
        let free = self.banks(address, size).all(|bank| self.locks[bank].is_none());
        if free {
            self.banks(address, size).for_each(|bank| self.locks[bank] = Some(operation));
        }
        free
    }

    pub(super) fn unlock(&mut self, address: u64, size: usize) {
        self.banks(address, size).for_each(|bank| self.locks[bank] = None);
    }
}

/// A register: a whole word whatever its type, and whether some operation has still to read or write it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Register {
    /// The register's value.
    pub value: u64,
    /// Whether it is blocked.
    pub blocked: bool,
}

/// The registers of a multiprocessor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RegisterFile(Vec<Register>);

impl RegisterFile {
    pub(super) fn new(size: usize) -> Self {
        Self(vec![Register::default(); size])
    }

    /// A register.
    pub fn get(&self, register: u32) -> Option<Register> {
        self.0.get(register as usize).copied()
    }

    pub(super) fn get_mut(&mut self, register: u32) -> Result<&mut Register, Stuck> {
        self.0.get_mut(register as usize).ok_or(Stuck::NoRegister { register })
    }

    /// The registers that are blocked.
    pub fn blocked(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.0).filter(|(_, register)| register.blocked).map(|(number, _)| number)
    }
}
