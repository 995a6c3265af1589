//! The cases in which no rule applies: those that the report writes as ⊥.

use super::language::Op;
use super::space::StateSpace;

/// Why a memory program is stuck (CUDA report, section 4.4.2: a sanity check that finds faulty memory programs).
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Stuck {
    /// A line is reserved for an address that has one.
    #[error("`reserve` of address {address:#x}: it is cached already (CUDA report, section 4.2.2)")]
    AlreadyCached {
        /// The address.
        address: u64,
    },
    /// An operation needs a line, and there is none of the address.
    #[error("`{operation}` of address {address:#x}: it is not cached (CUDA report, section 4.2.2)")]
    NotCached {
        /// The operation on the cache.
        operation: &'static str,
        /// The address.
        address: u64,
    },
    /// A request does not lie in one line.
    #[error("`{operation}` of {size} bytes at {address:#x}: lines have {line} bytes, and a request must lie in one")]
    AcrossLines {
        /// The operation on the cache.
        operation: &'static str,
        /// First address.
        address: u64,
        /// Bytes.
        size: usize,
        /// Bytes of a line.
        line: usize,
    },
    /// A line is filled with less than a line.
    #[error(
        "`update` with {size} bytes at {address:#x}: a line is filled as a whole, {line} bytes at a multiple of it"
    )]
    PartialFill {
        /// First address.
        address: u64,
        /// Bytes.
        size: usize,
        /// Bytes of a line.
        line: usize,
    },
    /// The state of the memory operation does not have what the program asks of it.
    #[error(
        "`{operation}` in a memory operation {shape}: its state has not what that needs (CUDA report, section 4.4)"
    )]
    WrongState {
        /// The operation of the program.
        operation: Op,
        /// The shape of the memory operation.
        shape: &'static str,
    },
    /// A query of a cache by a memory operation that is not cached.
    #[error("a query of a cache in a memory operation {shape} (CUDA report, section 4.4.2)")]
    NoCacheOperator {
        /// The shape of the memory operation.
        shape: &'static str,
    },
    /// Some byte of a request does not lie in the state space that it names.
    #[error("{size} bytes at {address:#x} do not lie in {space} memory (CUDA report, section 4.3)")]
    OutOfSpace {
        /// The state space.
        space: StateSpace,
        /// First address.
        address: u64,
        /// Bytes.
        size: usize,
    },
    /// The device writes constant memory.
    #[error("a write of constant memory at {address:#x}: only the host writes it (CUDA report, section 4.3)")]
    ConstantWrite {
        /// First address.
        address: u64,
    },
    /// Registers are written, but the operation has no decomposition function.
    #[error("`writeToRegs` without a decomposition function (CUDA report, section 4.4.3)")]
    NoDecomposition,
    /// There is no such register, or no such part of the value.
    #[error("register {register} or the value for it does not exist")]
    NoRegister {
        /// The register's address.
        register: u32,
    },
    /// There is no such multiprocessor.
    #[error("there is no multiprocessor {processor}")]
    NoProcessor {
        /// Its number.
        processor: usize,
    },
    /// A program ran off its end.
    #[error("the memory program ends without `end;` (CUDA report, section 4.6: rules step and end)")]
    NoEnd,
    /// No operation can ever go on.
    #[error("{operations} memory operations wait for each other: a cache has no line that could be evicted")]
    Starved {
        /// How many are in flight.
        operations: usize,
    },
}
