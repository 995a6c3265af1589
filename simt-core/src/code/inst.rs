//! Instructions of the flat form.

use super::address::{Operand, Pc, Reg, TableId, ValuesId};
use super::marker::Marker;
use super::spaces::{Address, AddressSpace};
use crate::ops::{Args, AtomicOp, BinaryOp, CompareOp, MachineOp, NumericOp, UnaryOp};
use crate::program::{
    AtomicOrder, BarrierOp, CollectiveOp, FenceScope, FunctionId, LoadAccess, Memory, MessageId, StoreAccess,
};
use crate::scalar::ScalarType;

/// Which statement a jump comes from. Only token policies make a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JumpKind {
    /// Back to the head of a loop: `jmp`.
    Plain,
    /// From the end of an `if`'s arm past the other arm: `join`. Not counted as an instruction: the while-language has none
    /// there, and stack machines end a path by a flag on its last instruction (`.S`), not by a jump.
    Join,
    /// `break`: `brk`.
    Break,
    /// `continue`: `cont`.
    Continue,
}

/// An instruction. Types are those of the operands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Inst {
    /// `mov`
    Move {
        /// Type of the value.
        ty: ScalarType,
        /// Destination.
        dst: Reg,
        /// Source.
        src: Operand,
    },
    /// A unary operation.
    Unary {
        /// The operation.
        op: UnaryOp,
        /// Type of operand and result.
        ty: ScalarType,
        /// Destination.
        dst: Reg,
        /// Operand.
        src: Operand,
    },
    /// A binary operation.
    Binary {
        /// The operation.
        op: BinaryOp,
        /// Type of the left operand and the result.
        ty: ScalarType,
        /// Destination.
        dst: Reg,
        /// Left operand.
        left: Operand,
        /// Right operand; for a shift, a `u32` count.
        right: Operand,
    },
    /// `a * b + c` of integers, as every GPU has it in one instruction (PTX `mad.lo`). Floats are never fused: it would
    /// change their rounding.
    MulAdd {
        /// Type of operands and result.
        ty: ScalarType,
        /// Destination.
        dst: Reg,
        /// First factor.
        left: Operand,
        /// Second factor.
        right: Operand,
        /// What is added to the product.
        addend: Operand,
    },
    /// A comparison; its destination is a `bool`.
    Compare {
        /// The comparison.
        op: CompareOp,
        /// Type of the operands.
        ty: ScalarType,
        /// Destination.
        dst: Reg,
        /// Left operand.
        left: Operand,
        /// Right operand.
        right: Operand,
    },
    /// A conversion as by `as`.
    Cast {
        /// Type of the source.
        from: ScalarType,
        /// Type of the destination.
        to: ScalarType,
        /// Destination.
        dst: Reg,
        /// Source.
        src: Operand,
    },
    /// A numeric method.
    Numeric {
        /// The method.
        op: NumericOp,
        /// Type of the first operand.
        ty: ScalarType,
        /// Destination.
        dst: Reg,
        /// Operands.
        args: Args<Operand>,
    },
    /// An operation that GPUs have in one instruction and std's numbers do not.
    Machine {
        /// The operation, which has its types.
        op: MachineOp,
        /// Destination.
        dst: Reg,
        /// Operands.
        args: Args<Operand>,
    },
    /// One of two values (PTX `selp`).
    Select {
        /// Type of the values.
        ty: ScalarType,
        /// Destination.
        dst: Reg,
        /// A `bool`.
        cond: Operand,
        /// The value if it holds.
        then: Operand,
        /// The value if not.
        otherwise: Operand,
    },
    /// Reads an element of a slice or array.
    Load {
        /// Type of the element.
        ty: ScalarType,
        /// Destination.
        dst: Reg,
        /// The slice or array.
        slice: Memory,
        /// Which element.
        index: Operand,
        /// Cache operator.
        access: LoadAccess,
    },
    /// Writes an element of a slice or array.
    Store {
        /// Type of the element.
        ty: ScalarType,
        /// The slice or array.
        slice: Memory,
        /// Which element.
        index: Operand,
        /// The value.
        value: Operand,
        /// Cache operator.
        access: StoreAccess,
    },
    /// An atomic operation on an element (PTX `atom`).
    Atomic {
        /// The operation.
        op: AtomicOp,
        /// Type of the element.
        ty: ScalarType,
        /// The register that gets the old value.
        dst: Option<Reg>,
        /// The slice or array.
        slice: Memory,
        /// Which element.
        index: Operand,
        /// First operand, if the operation has one; of a compare-exchange, the value expected.
        first: Option<Operand>,
        /// Second operand: the new value of a compare-exchange.
        second: Option<Operand>,
        /// Its order.
        order: AtomicOrder,
    },
    /// Reads memory by address (PTX `ld`).
    LoadAt {
        /// Type of the value in memory.
        ty: ScalarType,
        /// Type of the register: that of memory, or an integer type at least as wide, to which the value is extended as by `as`.
        to: ScalarType,
        /// Destination.
        dst: Reg,
        /// Where.
        at: Address,
        /// Cache operator.
        access: LoadAccess,
    },
    /// Writes memory by address (PTX `st`).
    StoreAt {
        /// Type of the value in memory.
        ty: ScalarType,
        /// Type of the operand: that of memory, or an integer type at least as wide, of whose value the low bits are written.
        from: ScalarType,
        /// Where.
        at: Address,
        /// The value.
        value: Operand,
        /// Cache operator.
        access: StoreAccess,
    },
    /// An atomic operation on memory by address (PTX `atom`).
    AtomicAt {
        /// The operation.
        op: AtomicOp,
        /// Type of the value in memory.
        ty: ScalarType,
        /// The register that gets the old value.
        dst: Option<Reg>,
        /// Where.
        at: Address,
        /// First operand, as of [`Inst::Atomic`].
        first: Option<Operand>,
        /// Second operand, as of [`Inst::Atomic`].
        second: Option<Operand>,
        /// Its order.
        order: AtomicOrder,
        /// Among whose threads it is one, and ordered: those of its block, or all. Memory shows it to all at once, either way.
        scope: FenceScope,
    },
    /// An address of a space as a generic one, or back (PTX `cvta`); both are a `u64`.
    ConvertAddress {
        /// The space.
        space: AddressSpace,
        /// Whether the result is the generic one.
        to_generic: bool,
        /// Destination.
        dst: Reg,
        /// Source.
        src: Operand,
    },
    /// Whether a generic address, a `u64`, lies in a space; the destination is a `bool` (PTX `isspacep`).
    InSpace {
        /// The space.
        space: AddressSpace,
        /// Destination.
        dst: Reg,
        /// The address.
        src: Operand,
    },
    /// Orders memory accesses (PTX `membar`).
    Fence(FenceScope),
    /// Adds a line to what the launch prints.
    Print {
        /// Gets how many values the text shows, of a format string how many it takes, as CUDA's `printf` returns it.
        dst: Option<Reg>,
        /// The text.
        message: MessageId,
        /// Its values.
        values: ValuesId,
    },
    /// Ends the launch with a message.
    Panic {
        /// The text.
        message: MessageId,
        /// Its values.
        values: ValuesId,
    },
    /// An operation of several lanes of the warp (PTX `vote`, `shfl`, `match`, `redux`, `bar.warp.sync`, `activemask`).
    Collective {
        /// The operation.
        op: CollectiveOp,
        /// Type of the operand of a shuffle, a match or a reduction; of other operations, of the result.
        ty: ScalarType,
        /// The register that gets the result.
        dst: Option<Reg>,
        /// The lanes named, a `u64`; without, all that have not exited.
        mask: Option<Operand>,
        /// First operand.
        value: Option<Operand>,
        /// Second operand of a shuffle: a lane number or a distance, a `u32`.
        lane: Option<Operand>,
    },
    /// A barrier of the threads of the block (PTX `bar`).
    Barrier {
        /// The operation.
        op: BarrierOp,
        /// The register that gets a reduction's result.
        dst: Option<Reg>,
        /// Which barrier, a `u32`; without, 0.
        index: Option<Operand>,
        /// How many threads, a `u32`; without, all that have not exited.
        threads: Option<Operand>,
        /// What a reduction reduces, a `bool`.
        value: Option<Operand>,
    },
    /// Threads whose condition equals `when` go to the target, the others to the next instruction.
    Branch {
        /// The condition, a `bool`.
        cond: Operand,
        /// Value of the condition that takes the branch.
        when: bool,
        /// Where the taken path goes.
        target: Pc,
        /// Whether the taken path leaves a loop by its condition: those threads wait for the brk token.
        leaves: bool,
    },
    /// All active threads go to the target.
    Jump {
        /// Its target.
        target: Pc,
        /// The kind of statement that it comes from.
        kind: JumpKind,
    },
    /// Each thread goes to the entry of a table that its index, a `u32`, says, or to the last one if the table is shorter
    /// (PTX `brx`).
    ///
    /// Threads of one target go there; if there are others, they execute the instruction again (CUDA report, section 5.4.1,
    /// rule target). It counts as executed by a thread only when the thread leaves it.
    Indirect {
        /// The index.
        index: Operand,
        /// The targets.
        table: TableId,
    },
    /// Goes to the entry of a function. If the function may be active already, the caller's registers are kept first.
    Call {
        /// The function.
        function: FunctionId,
        /// Its entry.
        target: Pc,
    },
    /// Returns from a function, each thread behind its own call.
    Return,
    /// Ends the thread (`return`, or the end of the kernel).
    Exit,
    /// A marker.
    Marker(Marker),
}
