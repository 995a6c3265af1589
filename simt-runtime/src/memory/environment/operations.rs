//! Accesses of lanes as memory operations.

use super::{IN_FLIGHT, LANES, Modelled};
use crate::environment::{Operation, OperationId, Piece, Priority, ProgramName, Shape, SilentRule, StateSpace, Stuck};
use crate::memory::device::device_size;
use simt_core::ops::AtomicOp;
use simt_core::program::{AtomicOrder, LoadAccess, StoreAccess};
use simt_core::{LaneMask, ScalarType};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// The target of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A slice, by its slot.
    Slice(usize),
    /// A shared array, by its number.
    Array(usize),
    /// An allocation of global memory, by its number.
    Allocation(usize),
    /// The window of shared memory.
    Window,
}

/// The bytes of one lane, and its value for each operand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    pub(crate) lane: usize,
    /// In the state space.
    pub(crate) address: u64,
    pub(crate) values: [u64; 2],
}

/// The lanes that take part.
pub(crate) type Cells = SmallVec<[Cell; LANES]>;

impl Modelled {
    /// Where a target of the block that runs begins, if it is modelled.
    pub(crate) fn start(&self, target: Target) -> (StateSpace, u64) {
        let known = |starts: &[Option<u64>], number: usize| starts.get(number).copied().flatten().unwrap_or(0);
        match target {
            Target::Slice(slot) => (StateSpace::Global, known(&self.slices, slot)),
            Target::Allocation(number) => (StateSpace::Global, self.allocations.get(number).copied().unwrap_or(0)),
            Target::Array(array) => (StateSpace::Shared, self.seat(self.home) + known(&self.arrays, array)),
            Target::Window => (StateSpace::Shared, self.seat(self.home)),
        }
    }

    /// The place of an operation among those of its threads.
    fn priority(&mut self, space: StateSpace, cells: &[Cell], size: usize, volatile: bool) -> Priority {
        self.sequence += 1;
        let mut bytes: Vec<(StateSpace, u64, u64)> = Vec::new();
        if self.own_order {
            let mut starts: Vec<u64> = cells.iter().map(|cell| cell.address).collect();
            starts.sort_unstable();
            for start in starts {
                match bytes.last_mut() {
                    Some(last) if start <= last.2 => last.2 = start + size as u64,
                    _ => bytes.push((space, start, start + size as u64)),
                }
            }
        }
        let lanes = cells.iter().fold(0, |lanes, cell| lanes | 1 << cell.lane);
        Priority { warp: self.home.number, lanes, sequence: self.sequence, volatile, bytes }
    }

    /// The register of a lane. The next is for whether what the lane loads has a value.
    fn register(&self, lane: usize) -> u32 {
        (2 * ((self.home.seat * self.warps + self.home.warp) * LANES + lane)) as u32
    }

    fn issue(
        &mut self,
        name: ProgramName,
        shape: Shape,
        priority: Priority,
        results: Option<Vec<Piece>>,
    ) -> Result<OperationId, Stuck> {
        while self.environment.operations().len() >= IN_FLIGHT {
            let oldest = self.environment.operations()[0].id;
            self.environment.complete(&[oldest], &mut self.oracle)?;
        }
        let operation = Operation::new(self.home.processor, self.programs.get(name), shape).with_priority(priority);
        self.environment.issue(match results {
            Some(results) => operation.with_results(results),
            None => operation,
        })
    }

    /// The values that the registers of lanes have got, or the registers so far behind them.
    fn results(&self, cells: &[Cell], behind: u32) -> [u64; LANES] {
        let mut results = [0; LANES];
        let registers = self.environment.state.processors().get(self.home.processor).map(|one| &one.registers);
        for cell in cells {
            let register = registers.and_then(|registers| registers.get(self.register(cell.lane) + behind));
            results[cell.lane] = register.map_or(0, |register| register.value);
        }
        results
    }

    /// Loads for each lane. Returns the values by lane, and the lanes that have found no value.
    pub(crate) fn load(
        &mut self,
        space: StateSpace,
        ty: ScalarType,
        access: LoadAccess,
        cells: &Cells,
    ) -> Result<([u64; LANES], LaneMask), Stuck> {
        let size = device_size(ty);
        let volatile = access == LoadAccess::Volatile;
        let name = ProgramName::of_load(space, access);
        let mut issued = Vec::new();
        for group in self.groups(space, cells) {
            let priority = self.priority(space, &group, size, volatile);
            let line = self.environment.state.line_bytes();
            let base = group[0].address - group[0].address % line as u64;
            let pieces = group.iter().enumerate().flat_map(|(number, cell)| {
                let register = self.register(cell.lane);
                let shared = space == StateSpace::Shared;
                let (part, offset) = if shared { (number, 0) } else { (0, (cell.address - base) as usize) };
                let value = Piece::Loaded { register, part, offset, size };
                [value, Piece::HasValue { register: register + 1, part, offset, size }]
            });
            let pieces = pieces.collect();
            let shape = if space == StateSpace::Shared {
                let addresses = group.iter().map(|cell| cell.address).collect();
                Shape::shared(addresses, vec![vec![0; size]; group.len()])
            } else {
                Shape::load(space, base, line)
            };
            issued.push(self.issue(name, shape, priority, Some(pieces))?);
        }
        self.environment.complete(&issued, &mut self.oracle)?;
        let has = self.results(cells, 1);
        let nothing = cells.iter().filter(|cell| has[cell.lane] == 0).map(|cell| LaneMask::lane(cell.lane));
        Ok((self.results(cells, 0), nothing.fold(LaneMask::EMPTY, |lanes, lane| lanes | lane)))
    }

    /// Stores a value for each lane. Of lanes that store to one element, one wins.
    pub(crate) fn store(
        &mut self,
        space: StateSpace,
        ty: ScalarType,
        access: StoreAccess,
        mut cells: Cells,
    ) -> Result<(), Stuck> {
        let size = device_size(ty);
        self.shuffle(&mut cells);
        let volatile = access == StoreAccess::Volatile;
        let name = ProgramName::of_store(space, access);
        for group in self.groups(space, &cells) {
            let priority = self.priority(space, &group, size, volatile);
            let bytes = |cell: &Cell| cell.values[0].to_le_bytes();
            let shape = if space == StateSpace::Shared {
                let values = group.iter().map(|cell| bytes(cell)[..size].to_vec());
                Shape::shared(group.iter().map(|cell| cell.address).collect(), values.collect())
            } else {
                let line = self.environment.state.line_bytes();
                let base = group[0].address - group[0].address % line as u64;
                let (mut value, mut mask) = (vec![0; line], 0);
                for cell in &group {
                    let offset = (cell.address - base) as usize;
                    value[offset..offset + size].copy_from_slice(&bytes(cell)[..size]);
                    mask |= ((1 << size) - 1) << offset;
                }
                Shape::Device { address: base, space, cached: true, value, mask }
            };
            self.issue(name, shape, priority, None)?;
        }
        Ok(())
    }

    /// Executes an atomic operation for each lane, in any order. Returns the old values by lane, if they are wanted.
    pub(crate) fn atomic(
        &mut self,
        space: StateSpace,
        ty: ScalarType,
        (op, order): (AtomicOp, AtomicOrder),
        mut cells: Cells,
        wanted: bool,
    ) -> Result<[u64; LANES], Stuck> {
        let size = device_size(ty);
        let releases = matches!(order, AtomicOrder::Release | AtomicOrder::AcqRel | AtomicOrder::SeqCst);
        let acquires = matches!(order, AtomicOrder::Acquire | AtomicOrder::AcqRel | AtomicOrder::SeqCst);
        if releases {
            let all = cells.iter().fold(0, |lanes, cell| lanes | 1 << cell.lane);
            self.fence(LaneMask(all))?;
        }
        self.shuffle(&mut cells);
        let name = if space == StateSpace::Shared { ProgramName::AtomShared } else { ProgramName::AtomGlobal };
        let mut issued = Vec::new();
        for cell in &cells {
            let priority = self.priority(space, &[*cell], size, true);
            let piece = Piece::Loaded { register: self.register(cell.lane), part: 0, offset: 0, size };
            let shape = Shape::atomic(space, cell.address, op, ty, cell.values);
            // One that nothing wants would come when the lane's register is a later load's.
            let results = if wanted { vec![piece] } else { Vec::new() };
            issued.push(self.issue(name, shape, priority, Some(results))?);
        }
        if wanted || acquires {
            self.environment.complete(&issued, &mut self.oracle)?;
        }
        if acquires {
            let rule = SilentRule::Flush { processor: self.home.processor };
            self.environment.silent(rule, &mut self.oracle)?;
        }
        Ok(self.results(&cells, 0))
    }

    /// The lanes that one operation serves: of global memory those in one line, of shared memory those without a bank
    /// conflict.
    fn groups(&self, space: StateSpace, cells: &[Cell]) -> Vec<Vec<Cell>> {
        let mut groups: BTreeMap<u64, Vec<Cell>> = BTreeMap::new();
        // For each bank, the words that have been asked of it.
        let mut words: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        for &cell in cells {
            let group = if space == StateSpace::Shared {
                let word = cell.address / 4;
                let asked = words.entry(word % self.banks as u64).or_default();
                let place = asked.iter().position(|&one| one == word).unwrap_or_else(|| {
                    asked.push(word);
                    asked.len() - 1
                });
                place as u64
            } else {
                cell.address / self.environment.state.line_bytes() as u64
            };
            groups.entry(group).or_default().push(cell);
        }
        groups.into_values().collect()
    }
}
