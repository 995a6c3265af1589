//! Memory operations: a program, its implicit state, and its place in an order (CUDA report, sections 4.4.1 and 4.6).

use super::language::{Block, Program, Stm};
use super::line::{OperationId, first_bytes};
use super::space::StateSpace;
use simt_core::ScalarType;
use simt_core::ops::AtomicOp;

/// The data of a memory operation: the four shapes of the report's implicit state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A request to global, local or constant memory.
    Device {
        /// First address.
        address: u64,
        /// Which memory.
        space: StateSpace,
        /// Whether it has a cache operator; which one only chose the program.
        cached: bool,
        /// The bytes to store, or those that have been loaded; as long as the request.
        value: Vec<u8>,
        /// Which bytes are stored, bit 0 the first: what lanes of a warp store into one line need not be neighbours. Of those
        /// that have been loaded, which have a value.
        mask: u128,
    },
    /// Requests to shared memory that have no bank conflict.
    Shared {
        /// First address of each.
        addresses: Vec<u64>,
        /// The bytes to store, or those that have been loaded; as long as each request.
        values: Vec<Vec<u8>>,
        /// For each, which of the bytes that have been loaded have a value, bit 0 the first.
        masks: Vec<u128>,
    },
    /// An atomic operation.
    Atomic {
        /// First address.
        address: u64,
        /// Which memory: global or shared.
        space: StateSpace,
        /// The operation.
        op: AtomicOp,
        /// To elements of this type.
        ty: ScalarType,
        /// The old value, once it has been read: the report's *vout*.
        old: u64,
        /// First operand; then the new value.
        first: u64,
        /// Second operand.
        second: u64,
        /// The line that memory had, on its way to L2 (hole H1).
        line: Vec<u8>,
        /// Which bytes of that line have a value, bit 0 the first.
        mask: u128,
    },
    /// A register gets a value; there is nothing else.
    Register,
}

impl Shape {
    /// A load of device memory with a cache operator.
    pub fn load(space: StateSpace, address: u64, size: usize) -> Self {
        Self::Device { address, space, cached: space != StateSpace::Const, value: vec![0; size], mask: !0 }
    }

    /// A store to device memory with a cache operator.
    pub fn store(space: StateSpace, address: u64, value: Vec<u8>) -> Self {
        Self::Device { address, space, cached: space != StateSpace::Const, value, mask: !0 }
    }

    /// Requests to shared memory, each with the bytes to store, or as many to be loaded.
    pub fn shared(addresses: Vec<u64>, values: Vec<Vec<u8>>) -> Self {
        let masks = vec![!0; values.len()];
        Self::Shared { addresses, values, masks }
    }

    /// An atomic operation.
    pub fn atomic(space: StateSpace, address: u64, op: AtomicOp, ty: ScalarType, operands: [u64; 2]) -> Self {
        let [first, second] = operands;
        Self::Atomic { address, space, op, ty, old: 0, first, second, line: Vec::new(), mask: !0 }
    }

    /// Its name in messages.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Device { cached: true, .. } => "on device memory",
            Self::Device { cached: false, .. } => "on device memory without a cache operator",
            Self::Shared { .. } => "on shared memory",
            Self::Atomic { space: StateSpace::Shared, .. } => "that is an atomic on shared memory",
            Self::Atomic { .. } => "that is an atomic on global memory",
            Self::Register => "on registers",
        }
    }
}

/// Bytes of an element.
pub(super) fn size_of(ty: ScalarType) -> usize {
    ty.bits().div_ceil(8) as usize
}

/// One step of a decomposition function: a register and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Piece {
    /// Bytes of the value that was loaded, zero-extended.
    Loaded {
        /// The register.
        register: u32,
        /// Which of several requests; 0 if there is one.
        part: usize,
        /// The first byte.
        offset: usize,
        /// How many, up to 8.
        size: usize,
    },
    /// 1 if all these bytes have a value, else 0.
    HasValue {
        /// The register.
        register: u32,
        /// Which of several requests; 0 if there is one.
        part: usize,
        /// The first byte.
        offset: usize,
        /// How many, up to 8.
        size: usize,
    },
    /// A value that was computed.
    Computed {
        /// The register.
        register: u32,
        /// The value.
        value: u64,
    },
}

/// The place of a memory operation among those of its threads: what the report leaves to an abstract priority.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Priority {
    /// The warp, by a number that no other of the launch has (hole H10).
    pub warp: u64,
    /// Its lanes that take part, bit 0 the first.
    pub lanes: u64,
    /// How many operations of the warp came before.
    pub sequence: u64,
    /// Whether it keeps its order with all volatile operations of its threads.
    pub volatile: bool,
    /// Bytes, from and to, whose order it keeps with all operations of its threads. The report promises no such order
    /// (section 4.6), though its author's tests saw one.
    pub bytes: Vec<(StateSpace, u64, u64)>,
}

impl Priority {
    /// Whether it must go first.
    pub fn exceeds(&self, other: &Self) -> bool {
        let overlap = |bytes: &(StateSpace, u64, u64)| {
            other.bytes.iter().any(|other| bytes.0 == other.0 && bytes.1 < other.2 && other.1 < bytes.2)
        };
        self.warp == other.warp
            && self.lanes & other.lanes != 0
            && self.sequence < other.sequence
            && (self.volatile && other.volatile || self.bytes.iter().any(overlap))
    }
}

/// The rest of a program: blocks that were entered, each with the number of its next statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Continuation(pub(super) Vec<(Block, usize)>);

impl Continuation {
    /// A program from its beginning.
    pub fn new(program: &Program) -> Self {
        Self(vec![(program.0.clone(), 0)])
    }

    /// The next statement; none behind the last.
    pub fn next(&self) -> Option<&Stm> {
        self.0.iter().rev().find_map(|(block, next)| block.get(*next))
    }
}

/// A memory operation in flight.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Operation {
    /// Its number, never used again.
    pub id: OperationId,
    /// The multiprocessor of its threads.
    pub processor: usize,
    /// The rest of its program.
    pub program: Continuation,
    /// The operation's data.
    pub shape: Shape,
    /// The values of registers; empty if it only stores.
    pub decomposition: Option<Vec<Piece>>,
    /// The registers that it has blocked.
    pub registers: Vec<u32>,
    /// Its place in an order, if it has one.
    pub priority: Option<Priority>,
}

impl Operation {
    /// An operation without registers or a place in an order. It gets its number when it is issued.
    pub fn new(processor: usize, program: &Program, shape: Shape) -> Self {
        let program = Continuation::new(program);
        Self { id: 0, processor, program, shape, decomposition: None, registers: Vec::new(), priority: None }
    }

    /// As [`new`](Self::new), with a decomposition function, whose registers it blocks.
    #[must_use]
    pub fn with_results(mut self, pieces: Vec<Piece>) -> Self {
        let register = |piece: &Piece| match *piece {
            Piece::Loaded { register, .. } | Piece::HasValue { register, .. } | Piece::Computed { register, .. } => {
                register
            }
        };
        self.registers.extend(pieces.iter().map(register));
        self.decomposition = Some(pieces);
        self
    }

    /// The operation with a place in an order.
    #[must_use]
    pub fn with_priority(mut self, priority: Priority) -> Self {
        self.priority = Some(priority);
        self
    }

    /// Whether all bytes of a part of what it has loaded have a value.
    pub(super) fn has_value(&self, part: usize, offset: usize, size: usize) -> bool {
        let wanted = first_bytes(size);
        let mask = match &self.shape {
            Shape::Device { mask, .. } if part == 0 => Some(*mask),
            Shape::Shared { masks, .. } => masks.get(part).copied(),
            Shape::Device { .. } | Shape::Atomic { .. } | Shape::Register => None,
        };
        mask.is_some_and(|mask| mask >> offset & wanted == wanted)
    }

    /// A part of what it has loaded, zero-extended.
    pub(super) fn loaded(&self, part: usize, offset: usize, size: usize) -> Option<u64> {
        let bytes = match &self.shape {
            Shape::Device { value, .. } if part == 0 => value,
            Shape::Shared { values, .. } => values.get(part)?,
            Shape::Atomic { ty, old, .. } if (part, offset) == (0, 0) && size == size_of(*ty) => return Some(*old),
            Shape::Device { .. } | Shape::Atomic { .. } | Shape::Register => return None,
        };
        number(bytes.get(offset..offset.checked_add(size)?)?)
    }
}

/// Up to eight bytes as a number, the lowest first.
pub(super) fn number(bytes: &[u8]) -> Option<u64> {
    let mut wide = [0; 8];
    wide.get_mut(..bytes.len())?.copy_from_slice(bytes);
    Some(u64::from_le_bytes(wide))
}

/// All bytes of a request.
pub(super) fn all_bytes(size: usize) -> u128 {
    first_bytes(size)
}
