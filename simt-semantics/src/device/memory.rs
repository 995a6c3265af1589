//! The memory manager, over an environment that is as small as the device needs it: bytes, L1 caches, stores in flight.

use std::collections::{BTreeMap, BTreeSet};

/// A store in flight. Its number is made of what it is of, and so never used again (H10).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Operation {
    /// The index of its grid.
    pub grid: u32,
    /// The index of its block.
    pub block: usize,
    /// The number of the action.
    pub action: usize,
    /// The multiprocessor that it comes from.
    pub processor: usize,
    /// The physical address.
    pub to: usize,
    /// The byte.
    pub value: u8,
}

/// A byte that a grid has written. Ours: it is what a grid that fails is undone by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Written {
    /// The index of the grid.
    pub grid: u32,
    /// The physical address.
    pub to: usize,
    /// The byte before.
    pub before: u8,
    /// The byte behind it.
    pub after: u8,
}

/// *mm*: memory, and what is in flight (5.8.1).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct MemoryManager {
    /// Global memory by physical addresses; what is not there is 0.
    pub global: BTreeMap<usize, u8>,
    /// The L1 cache of each multiprocessor: its lines are clean, as global stores leave none behind.
    pub l1: Vec<BTreeMap<usize, u8>>,
    /// The stores in flight.
    pub in_flight: BTreeSet<Operation>,
    /// What grids that have not ended have written, in order.
    pub written: Vec<Written>,
}

impl MemoryManager {
    /// Memory of a machine with so many multiprocessors.
    pub fn new(processors: usize) -> Self {
        Self { l1: vec![BTreeMap::new(); processors], ..Self::default() }
    }

    /// The byte at a physical address.
    pub fn get(&self, at: usize) -> u8 {
        self.global.get(&at).copied().unwrap_or(0)
    }

    /// A load: of the L1 cache if it has the line, which may be stale; if not, of memory, and the cache has it then
    /// (listing 4.2).
    pub fn load(&mut self, processor: usize, at: usize) -> u8 {
        let value = self.get(at);
        self.l1.get_mut(processor).map_or(value, |lines| *lines.entry(at).or_insert(value))
    }

    /// *memOp* of a store: it is in flight.
    pub fn issue(&mut self, operation: Operation) {
        self.in_flight.insert(operation);
    }

    /// A store is performed: L1 loses the line, memory has the byte (listing 4.1).
    pub fn perform(&mut self, operation: &Operation) {
        if self.in_flight.remove(operation) {
            let Operation { grid, processor, to, value, .. } = *operation;
            self.write(grid, processor, to, value);
        }
    }

    /// An atomic addition, in one micro step (listing 4.4).
    pub fn add(&mut self, grid: u32, processor: usize, at: usize, amount: u8) {
        self.write(grid, processor, at, self.get(at).wrapping_add(amount));
    }

    fn write(&mut self, grid: u32, processor: usize, to: usize, after: u8) {
        self.evict(processor, to);
        self.written.push(Written { grid, to, before: self.get(to), after });
        self.global.insert(to, after);
    }

    /// The silent rule *evictL1*, of a clean line.
    pub fn evict(&mut self, processor: usize, at: usize) {
        self.l1.get_mut(processor).and_then(|lines| lines.remove(&at));
    }

    /// The silent rule *flush*, of all L1 caches. No line is dirty, and none is waited for (H3).
    pub fn flush(&mut self) {
        self.l1.iter_mut().for_each(BTreeMap::clear);
    }

    /// Whether operations of a grid are in flight.
    pub fn has_in_flight(&self, grid: u32) -> bool {
        self.in_flight.iter().any(|operation| operation.grid == grid)
    }

    /// Whether a store of a block to an address is in flight.
    pub fn is_in_flight(&self, grid: u32, block: usize, to: usize) -> bool {
        self.in_flight.iter().any(|known| (known.grid, known.block, known.to) == (grid, block, to))
    }

    /// Bytes that a grid has written, and no other grid has changed since, are what they were; what of it is in flight never
    /// comes.
    pub fn undo(&mut self, grid: u32) {
        self.in_flight.retain(|operation| operation.grid != grid);
        let (of_grid, rest): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.written).into_iter().partition(|written| written.grid == grid);
        self.written = rest;
        for Written { to, before, after, .. } in of_grid.into_iter().rev() {
            if self.get(to) == after {
                self.global.insert(to, before);
            }
        }
        self.flush();
    }

    /// A grid has ended: what it has written stays.
    pub fn keep(&mut self, grid: u32) {
        self.written.retain(|written| written.grid != grid);
    }
}
