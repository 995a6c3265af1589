//! Operands of the lane operations that are too rare for the lanes' own table: which memory, which rows, which function.
//!
//! Data only: how lanes execute them stands in [`lanes`](crate::lanes).

use super::{Micro, Place};
use crate::memory::device::device_size;
use crate::memory::environment::Target as ModelledTarget;
use simt_core::ScalarType;
use simt_core::code::{AddressSpace, Pc};
use simt_core::ops::{AtomicMeaning, AtomicOp, NumericFn, NumericOp};
use simt_core::program::{AtomicOrder, FenceScope, LoadAccess, Message, StoreAccess};

/// An operation that a lane operation [`Extended`](super::LaneOp::Extended) names by its number in the plan.
#[derive(Clone, Debug)]
pub(crate) enum Extended {
    /// Arrays, atomics, messages.
    Access(Access),
    /// Numeric functions.
    Numeric(Numeric),
    /// Functions that never fault.
    Function(Function),
    /// Operations that some of the active lanes execute.
    Guarded(Box<Guarded>),
}

/// An operation on memory that is not a plain load or store of a slice.
#[derive(Clone, Debug)]
pub(crate) enum Access {
    /// Reads elements of an array.
    Load {
        /// The array's slot.
        slot: u16,
        /// The row of words that has the indices.
        index: u16,
        /// The row that gets the elements.
        dst: Place,
    },
    /// Writes elements of an array.
    Store {
        /// The array's slot.
        slot: u16,
        /// The row of words that has the indices.
        index: u16,
        /// The values.
        value: Place,
    },
    /// Reads, changes and writes elements, one lane after the other.
    Atomic(AtomicAccess),
    /// Memory by address.
    Address(Box<AddressAccess>),
    /// Reports an access by address that is to come.
    WatchedAddress(Box<WatchedAddress>),
    /// The same operation on memory that is modelled.
    Modelled(ModelledAccess),
    /// Memory by address that is modelled.
    ModelledAddress(Box<ModelledAddress>),
    /// Orders accesses of memory that is modelled.
    Fence,
    /// Reports an access that is to come.
    Watched(WatchedAccess),
    /// Reports a fence.
    WatchedFence(FenceScope),
    /// Prints a line for each lane, which gets the number of its values where there is a place for it.
    Print(Text, Option<Place>),
    /// Ends the launch.
    Panic(Text),
}

/// The operations of a guarded instruction.
#[derive(Clone, Debug)]
pub(crate) struct Guarded {
    /// The predicate, and the value of it that executes them.
    pub(crate) predicate: u16,
    pub(crate) when: bool,
    pub(crate) micros: Box<[Micro]>,
    /// Its number among those of the plan.
    pub(crate) number: u32,
}

/// An access of memory by address.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AddressAccess {
    pub(crate) kind: AddressKind,
    pub(crate) space: AddressSpace,
    /// Type of the value in memory.
    pub(crate) ty: ScalarType,
    /// Type of the register.
    pub(crate) register: ScalarType,
    /// The addresses without the offset: words or wide words.
    pub(crate) base: Place,
    pub(crate) offset: i32,
}

/// The kind of access.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AddressKind {
    Load { dst: Place },
    Store { value: Place },
    Atomic { op: AtomicOp, meaning: AtomicMeaning, operands: [Option<Place>; 2], dst: Option<Place> },
}

/// An access by address that is to come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WatchedAddress {
    /// The instruction.
    pub(crate) pc: Pc,
    pub(crate) access: AddressAccess,
    pub(crate) kind: WatchedKind,
    pub(crate) volatile: bool,
}

/// A message and where its values lie.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) message: Message,
    pub(crate) values: Vec<(ScalarType, Place)>,
}

/// An atomic operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AtomicAccess {
    pub(crate) op: AtomicOp,
    /// The change of an element.
    pub(crate) meaning: AtomicMeaning,
    pub(crate) target: Target,
    /// The slot.
    pub(crate) slot: u16,
    /// The indices.
    pub(crate) index: Place,
    /// The operands that the operation has.
    pub(crate) operands: [Option<Place>; 2],
    /// The row that gets the elements' old values.
    pub(crate) dst: Option<Place>,
}

/// The kind of memory of the elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Bytes,
    Words,
    Wides,
    Array,
}

/// An access.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ModelledAccess {
    pub(crate) kind: ModelledKind,
    /// The slot.
    pub(crate) slot: u16,
    pub(crate) target: ModelledTarget,
    /// Type of an element.
    pub(crate) ty: ScalarType,
    /// The indices.
    pub(crate) index: Place,
}

/// The kind of access.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ModelledKind {
    Load { dst: Place, access: LoadAccess },
    Store { value: Place, access: StoreAccess },
    Atomic { op: AtomicOp, order: AtomicOrder, operands: [Option<Place>; 2], dst: Option<Place> },
}

/// An access by address of memory that is modelled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ModelledAddress {
    pub(crate) access: AddressAccess,
    pub(crate) kind: ModelledKind,
}

/// An access that is to come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WatchedAccess {
    /// The instruction.
    pub(crate) pc: Pc,
    /// The slot.
    pub(crate) slot: u16,
    /// Whether that is an array of the block.
    pub(crate) shared: bool,
    /// Type of an element.
    pub(crate) ty: ScalarType,
    /// The indices.
    pub(crate) index: Place,
    pub(crate) kind: WatchedKind,
}

/// The kind of access.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WatchedKind {
    Load,
    Store { value: Place },
    Atomic { order: AtomicOrder, scope: FenceScope, reads: bool, writes: bool },
}

/// A numeric method on rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numeric {
    pub(crate) op: NumericOp,
    /// Type of the first operand.
    pub(crate) ty: ScalarType,
    pub(crate) function: Function,
}

/// A function on rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Function {
    /// Its meaning for one lane.
    pub(crate) meaning: NumericFn,
    pub(crate) args: [Option<Place>; 3],
    pub(crate) dst: Place,
    /// Unused bits of a word of the result, if its sign is to fill them.
    pub(crate) signs: u32,
}

impl Extended {
    /// Of an access, or what tells of one, where its indices are.
    pub(super) fn index(&self) -> Option<Place> {
        match *self {
            Self::Access(Access::Load { index, .. } | Access::Store { index, .. }) => Some(Place::Word(index)),
            Self::Access(ref access) if let Some(access) = access.address() => Some(access.base),
            Self::Access(
                Access::Atomic(AtomicAccess { index, .. })
                | Access::Modelled(ModelledAccess { index, .. })
                | Access::Watched(WatchedAccess { index, .. }),
            ) => Some(index),
            _ => None,
        }
    }
}

impl Access {
    /// The access by address that it is, if it is one.
    pub(crate) fn address(&self) -> Option<&AddressAccess> {
        match self {
            Self::Address(access) => Some(access),
            Self::ModelledAddress(modelled) => Some(&modelled.access),
            _ => None,
        }
    }
}

impl ModelledKind {
    /// The row that gets what memory holds.
    pub(crate) fn destination(&self) -> Option<Place> {
        match *self {
            Self::Load { dst, .. } => Some(dst),
            Self::Store { .. } => None,
            Self::Atomic { dst, .. } => dst,
        }
    }
}

impl AddressAccess {
    /// Bytes of the value.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        device_size(self.ty)
    }

    /// Whether it writes.
    pub(crate) fn writes(&self) -> bool {
        match self.kind {
            AddressKind::Load { .. } => false,
            AddressKind::Store { .. } => true,
            AddressKind::Atomic { op, .. } => op != AtomicOp::Load,
        }
    }
}

impl Numeric {
    /// The method on operands of which the first is of type `ty`, which has the method.
    pub(crate) fn new(op: NumericOp, ty: ScalarType, dst: Place, args: [Option<Place>; 3]) -> Self {
        let meaning = op.meaning(ty).unwrap_or_else(|| unreachable!("validated: {ty} has {}", op.name()));
        Self { op, ty, function: Function::new(meaning, op.result().of(ty), dst, args) }
    }
}

impl Function {
    /// The function with that meaning, whose result is of type `result`.
    pub(crate) fn new(meaning: NumericFn, result: ScalarType, dst: Place, args: [Option<Place>; 3]) -> Self {
        let signs = if result.is_signed_int() { 32u32.saturating_sub(result.bits()) } else { 0 };
        Self { meaning, args, dst, signs }
    }
}
