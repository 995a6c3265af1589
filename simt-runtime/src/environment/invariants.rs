//! The invariants of every state of the memory environment.

use super::language::{Op, Stm};
use super::line::Line;
use super::operation::{Operation, Shape};
use super::system::Environment;
use std::collections::BTreeSet;

/// An invariant of the memory environment that does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BrokenInvariant {
    /// Two lines of one cache have one address.
    #[error("two lines of a cache have the address {address:#x}")]
    TwoLines {
        /// The address.
        address: u64,
    },
    /// An L1 cache has dirty data of global memory.
    #[error("the L1 cache of multiprocessor {processor} has dirty global data")]
    DirtyGlobal {
        /// The multiprocessor.
        processor: usize,
    },
    /// A bank is locked, but not by an atomic operation in flight.
    #[error("bank {bank} of multiprocessor {processor} is locked by no operation")]
    LockedByNobody {
        /// The multiprocessor.
        processor: usize,
        /// The bank.
        bank: usize,
    },
    /// A line is pinned by an operation that has ended.
    #[error("a line is pinned by operation {operation}, which has ended")]
    PinnedByNobody {
        /// The operation.
        operation: u64,
    },
    /// A register is blocked, but by no operation in flight.
    #[error("register {register} of multiprocessor {processor} is blocked by no operation")]
    BlockedByNobody {
        /// The multiprocessor.
        processor: usize,
        /// The register.
        register: u32,
    },
}

impl Environment {
    /// Whether one line has each address, no L1 cache has dirty global data, and locks, pins and blocked registers are those
    /// of operations in flight.
    ///
    /// # Errors
    /// The first that does not hold.
    pub fn check(&self) -> Result<(), BrokenInvariant> {
        let state = &self.state;
        let l1s = state.processors.iter().map(|processor| &processor.l1);
        for cache in l1s.chain([&state.l2]) {
            let mut seen = BTreeSet::new();
            for line in cache.lines() {
                if let Some(address) = line.address().filter(|&address| !seen.insert(address)) {
                    return Err(BrokenInvariant::TwoLines { address });
                }
                if let Some(&operation) = line.pins().iter().find(|&&pin| !self.is_in_flight(pin)) {
                    return Err(BrokenInvariant::PinnedByNobody { operation });
                }
            }
        }
        for (number, processor) in state.processors.iter().enumerate() {
            let global = |line: &Line| line.address().is_some_and(|address| state.global.contains(address));
            if processor.l1.lines().iter().any(|line| line.is_dirty() && global(line)) {
                return Err(BrokenInvariant::DirtyGlobal { processor: number });
            }
            for (bank, lock) in processor.shared.locks().iter().enumerate() {
                let held = |id: &u64| self.operations().iter().any(|one| one.id == *id && may_hold_banks(one));
                if lock.is_some_and(|id| !held(&id)) {
                    return Err(BrokenInvariant::LockedByNobody { processor: number, bank });
                }
            }
            for register in processor.registers.blocked() {
                let blocks = |one: &&Operation| one.processor == number && one.registers.contains(&register);
                if !self.operations().iter().any(|one| blocks(&one)) {
                    return Err(BrokenInvariant::BlockedByNobody { processor: number, register });
                }
            }
        }
        Ok(())
    }
}

/// Whether an operation has still to unlock banks.
fn may_hold_banks(operation: &Operation) -> bool {
    let unlocks = |(block, next): &(super::language::Block, usize)| block[*next..].contains(&Stm::Op(Op::Unlock));
    matches!(operation.shape, Shape::Atomic { .. }) && operation.program.0.iter().any(unlocks)
}
