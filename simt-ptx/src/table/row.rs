//! What a row of the table has.

use crate::syntax::Type;

/// A form of an opcode: its modifiers, its operands, and what it becomes.
///
/// An opcode may have several rows; an instruction is of the first that has all its modifiers and takes as many operands.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// What stands in front of the first dot.
    pub name: &'static str,
    /// Its modifiers, in the order in which the manual writes them.
    pub slots: &'static [Slot],
    /// Its operands.
    pub operands: &'static [Shape],
    /// What it becomes.
    pub becomes: Becomes,
}

pub(super) const fn row(
    name: &'static str,
    slots: &'static [Slot],
    operands: &'static [Shape],
    becomes: Becomes,
) -> Row {
    Row { name, slots, operands, becomes }
}

/// A place for a modifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// One of these must be there.
    Is(&'static [&'static str]),
    /// One of these may be there.
    May(&'static [&'static str]),
    /// One of these types must be there.
    Type(&'static [Type]),
    /// Any others, in the order of the text. Only rows that are out of scope have it, at the end.
    Rest,
}

/// What an operand must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A register that is written, or `_`.
    To(Of),
    /// The same, which may be wider than the type.
    ToWider(Of),
    /// Registers that are written: as many as the modifier `.v2`, `.v4` or `.v8` says, each of which may be wider.
    ToVector(Of),
    /// A register that is written, or that and a predicate: `d|p`.
    ToPair(Of),
    /// A register or a constant.
    From(Of),
    /// The same; the register may be wider than the type.
    FromWider(Of),
    /// Registers or constants: as many as the modifier `.v2`, `.v4` or `.v8` says, each of which may be wider.
    FromVector(Of),
    /// A constant.
    Constant(Of),
    /// A predicate, or its opposite: `!p`.
    Predicate,
    /// What `mov` writes: a register, or several that are filled with parts.
    MoveTo,
    /// What `mov` reads: a register, a part of one, a constant, the address of a name, or several registers that are joined.
    MoveFrom,
    /// Memory of the space that a modifier says.
    Address,
    /// A label.
    Label,
    /// The label of a list of labels.
    Targets,
    /// All operands of a call.
    Call,
    /// All operands, whatever they are. Only rows that are out of scope have it.
    Anything,
}

/// Of which type an operand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// That of a type modifier, counted from 0.
    Type(usize),
    /// Of twice its width.
    Wide(usize),
    /// This one.
    Is(Type),
}

/// What an instruction becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Becomes {
    /// An operation on one value.
    Unary(Unary),
    /// An operation on two values.
    Binary(Binary),
    /// An operation on three values or more.
    Ternary(Ternary),
    /// One that reads or writes the carry flag; the modifier `.cc` says that it writes it.
    Carry(Carry),
    /// A copy; of several registers to one, or the other way, with vectors.
    Move,
    /// A comparison to predicates, with the modifiers' comparison and boolean operation.
    Compare,
    /// A comparison to a register: all ones or 1.0 where it holds.
    CompareValue,
    /// One of two values by a predicate.
    Select,
    /// One of two values by the sign of a third.
    SelectBySign,
    /// Whether a float is of the modifier's kind.
    TestFloat,
    /// From the second type to the first.
    Convert,
    /// Two floats to one register of two halves.
    ConvertPair,
    /// An address of the modifier's space to a generic one.
    ToGeneric,
    /// A generic address to one of the modifier's space.
    FromGeneric,
    /// Whether a generic address is one of the modifier's space.
    IsSpace,
    /// From memory.
    Load,
    /// To memory.
    Store,
    /// A read and a write of memory as one, with the old value.
    Atomic,
    /// The same without the old value.
    Reduce,
    /// A fence.
    Fence,
    /// A jump.
    Branch,
    /// A jump to one of a list.
    BranchIndexed,
    /// A call.
    Call,
    /// Back to the caller.
    Return,
    /// The end of the thread.
    Exit,
    /// The end of the launch, as an error.
    Trap,
    /// A barrier of the block.
    Barrier,
    /// The same without waiting.
    BarrierArrive,
    /// A barrier of the block with a count, an `and` or an `or` of a predicate.
    BarrierReduce,
    /// A barrier of lanes of a warp.
    WarpBarrier,
    /// A vote of lanes.
    Vote,
    /// Values from other lanes.
    Shuffle,
    /// Which lanes have the same value.
    Match,
    /// A reduction over lanes.
    WarpReduce,
    /// The mask of active lanes.
    ActiveMask,
    /// One lane of several.
    Elect,
    /// A pause.
    Sleep,
    /// No effect on results: hints to caches, events for profilers.
    Nothing,
    /// Out of scope, and why.
    Unsupported(&'static str),
}

/// Operations on one value.
#[expect(missing_docs, reason = "each is the opcode of its name")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    Abs,
    Neg,
    Not,
    Cnot,
    Popc,
    Clz,
    Brev,
    Bfind,
    Rcp,
    Sqrt,
    Rsqrt,
    Sin,
    Cos,
    Ex2,
    Lg2,
    Tanh,
}

/// Operations on two values.
#[expect(missing_docs, reason = "each is the opcode of its name")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    Add,
    Sub,
    MulLo,
    MulHi,
    MulWide,
    Mul24Lo,
    Mul24Hi,
    Div,
    Rem,
    Min,
    Max,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    CopySign,
    BitMask,
    SignExtend,
}

/// Operations on three values or more.
#[expect(missing_docs, reason = "each is the opcode of its name")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ternary {
    MadLo,
    MadHi,
    MadWide,
    Mad24Lo,
    Mad24Hi,
    Fma,
    Min3,
    Max3,
    Sad,
    BitExtract,
    BitInsert,
    FindNth,
    Lookup3,
    Permute,
    FunnelLeft,
    FunnelRight,
    Dot4,
    Dot2,
    AbsDiff4,
    AbsDiff4Add,
}

/// Operations with the carry flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carry {
    /// A sum that writes the flag.
    Add,
    /// A sum that reads it.
    AddC,
    /// A difference that writes it.
    Sub,
    /// A difference that reads it.
    SubC,
    /// The low half of a product and a sum, which writes it.
    MadLo,
    /// The high half.
    MadHi,
    /// The low half of a product and a sum, which reads it.
    MadCLo,
    /// The high half.
    MadCHi,
}
