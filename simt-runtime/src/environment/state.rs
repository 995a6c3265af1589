//! The memories and caches of the device: the report's η (CUDA report, section 4.3).

use super::cache::{Cache, Geometry};
use super::language::Level;
use super::space::{Bytes, RegisterFile, SharedMemory, StateSpace};
use super::stuck::Stuck;

/// Sizes of the device: the constants of the report's section 3.2 as far as memory has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sizes {
    /// Multiprocessors (*NumProcessors*).
    pub processors: usize,
    /// Bytes of a line, which is also the largest request (*MaxMemOpSize*): a power of two up to 128.
    pub line_bytes: usize,
    /// The cache of a multiprocessor.
    pub l1: Geometry,
    /// The cache of the device.
    pub l2: Geometry,
    /// Banks of shared memory (*SharedMemBanks*).
    pub banks: usize,
    /// Bytes of global memory.
    pub global: usize,
    /// Bytes of constant memory.
    pub constant: usize,
    /// Bytes of local memory, of all threads together.
    pub local: usize,
    /// Bytes of shared memory of a multiprocessor.
    pub shared: usize,
    /// Registers of a multiprocessor.
    pub registers: usize,
}

impl Sizes {
    /// A small device, for scenarios: two multiprocessors with caches of so many lines of 8 bytes, fully associative.
    pub const fn small(l1: usize, l2: usize) -> Self {
        Self {
            processors: 2,
            line_bytes: 8,
            l1: Geometry { sets: 1, ways: l1 },
            l2: Geometry { sets: 1, ways: l2 },
            banks: 4,
            global: 64,
            constant: 16,
            local: 32,
            shared: 32,
            registers: 8,
        }
    }
}

/// The memories of one multiprocessor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Processor {
    /// Shared memory.
    pub shared: SharedMemory,
    /// The L1 cache.
    pub l1: Cache,
    /// The registers.
    pub registers: RegisterFile,
}

/// The memories and caches.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) line_bytes: usize,
    pub(super) global: Bytes,
    pub(super) local: Bytes,
    pub(super) constant: Bytes,
    pub(super) l2: Cache,
    pub(super) processors: Vec<Processor>,
}

impl State {
    /// Memory full of zeros, and empty caches. Global memory starts at address 0, local memory behind it, and constant
    /// memory behind that; each ends with a line.
    pub fn new(sizes: &Sizes) -> Self {
        let line = sizes.line_bytes.clamp(1, 128);
        let rounded = |size: usize| size.div_ceil(line) * line;
        let global = Bytes::new(0, rounded(sizes.global));
        let local = Bytes::new(global.end(), rounded(sizes.local));
        let constant = Bytes::new(local.end(), rounded(sizes.constant));
        let processor = || Processor {
            shared: SharedMemory::new(sizes.shared, sizes.banks),
            l1: Cache::new(sizes.l1, line),
            registers: RegisterFile::new(sizes.registers),
        };
        let processors = (0..sizes.processors.max(1)).map(|_| processor()).collect();
        Self { line_bytes: line, global, local, constant, l2: Cache::new(sizes.l2, line), processors }
    }

    /// Bytes of a line.
    pub fn line_bytes(&self) -> usize {
        self.line_bytes
    }

    /// Where global, local or constant memory starts; 0 of shared memory.
    pub fn start_of(&self, space: StateSpace) -> u64 {
        match space {
            StateSpace::Global | StateSpace::Shared => 0,
            StateSpace::Local => self.global.end(),
            StateSpace::Const => self.local.end(),
        }
    }

    /// The L2 cache.
    pub fn l2(&self) -> &Cache {
        &self.l2
    }

    /// The multiprocessors.
    pub fn processors(&self) -> &[Processor] {
        &self.processors
    }

    /// Memory behind the caches, as far as it belongs to the device and not to a multiprocessor.
    pub fn device(&self, space: StateSpace) -> Option<&Bytes> {
        match space {
            StateSpace::Global => Some(&self.global),
            StateSpace::Local => Some(&self.local),
            StateSpace::Const => Some(&self.constant),
            StateSpace::Shared => None,
        }
    }

    /// As `device`, for writes of the host: past the caches.
    pub fn device_mut(&mut self, space: StateSpace) -> Option<&mut Bytes> {
        match space {
            StateSpace::Global => Some(&mut self.global),
            StateSpace::Local => Some(&mut self.local),
            StateSpace::Const => Some(&mut self.constant),
            StateSpace::Shared => None,
        }
    }

    pub(super) fn processor(&self, processor: usize) -> Result<&Processor, Stuck> {
        self.processors.get(processor).ok_or(Stuck::NoProcessor { processor })
    }

    /// A multiprocessor, mutable.
    ///
    /// # Errors
    /// If there is none of the number.
    pub fn processor_mut(&mut self, processor: usize) -> Result<&mut Processor, Stuck> {
        self.processors.get_mut(processor).ok_or(Stuck::NoProcessor { processor })
    }

    pub(super) fn cache(&self, level: Level, processor: usize) -> Result<&Cache, Stuck> {
        match level {
            Level::L1 => self.processor(processor).map(|processor| &processor.l1),
            Level::L2 => Ok(&self.l2),
        }
    }

    pub(super) fn cache_mut(&mut self, level: Level, processor: usize) -> Result<&mut Cache, Stuck> {
        match level {
            Level::L1 => self.processor_mut(processor).map(|processor| &mut processor.l1),
            Level::L2 => Ok(&mut self.l2),
        }
    }

    /// Reads memory behind the caches, or shared memory (the report's *read_device* and *read_shared*).
    pub(super) fn read(&self, space: StateSpace, processor: usize, address: u64, size: usize) -> Result<&[u8], Stuck> {
        let bytes = match self.device(space) {
            Some(bytes) => bytes,
            None => &self.processor(processor)?.shared.bytes,
        };
        bytes.get(address, size).ok_or(Stuck::OutOfSpace { space, address, size })
    }

    /// The bytes of such a request that have no value, bit 0 the first.
    pub(super) fn valueless(&self, space: StateSpace, processor: usize, address: u64, size: usize) -> u128 {
        let shared = || self.processors.get(processor).map(|processor| &processor.shared.bytes);
        self.device(space).or_else(shared).map_or(0, |bytes| bytes.valueless(address, size))
    }

    /// Writes memory behind the caches, or shared memory (the report's *write_device* and *write_shared*).
    pub(super) fn write(
        &mut self,
        space: StateSpace,
        processor: usize,
        address: u64,
        value: &[u8],
        mask: u128,
    ) -> Result<(), Stuck> {
        let size = value.len();
        let bytes = match space {
            StateSpace::Const => return Err(Stuck::ConstantWrite { address }),
            StateSpace::Global => &mut self.global,
            StateSpace::Local => &mut self.local,
            StateSpace::Shared => &mut self.processor_mut(processor)?.shared.bytes,
        };
        bytes.set(address, value, mask).ok_or(Stuck::OutOfSpace { space, address, size })
    }
}
