//! What an instruction is made of, left to right as it is written: its mnemonic, then its slots.
//!
//! The listing prints slots, the assembler fills them, validation checks them: each instruction is described here once.

use super::{Address, BarrierReg, Code, Inst, JumpKind, Marker, Operand, Pc, Reg, TableId, ValuesId};
use crate::program::{BarrierOp, CollectiveOp, FenceScope, FunctionId, LoadAccess, Memory, MessageId, StoreAccess};
use crate::scalar::ScalarType;
use smallvec::{SmallVec, smallvec};

/// One part of an instruction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Slot {
    /// A register that is written, and the type of its new value.
    Write(Reg, ScalarType),
    /// What is read, and as which type.
    Read(Operand, ScalarType),
    /// An element of a slice or array: `x[i]`.
    Element(Memory, Operand, ScalarType, Use),
    /// Memory by address, its base and offset: `[%a+4]`.
    Address(Address),
    /// An address.
    Target(Pc),
    /// A table of addresses.
    Table(TableId),
    /// A convergence barrier.
    Barrier(BarrierReg),
    /// A function.
    Function(FunctionId),
    /// A text.
    Message(MessageId),
    /// A value that the text before it shows, its type written in front.
    Shown(Operand, ScalarType),
    /// `_`: an operand that is left out, though another follows.
    Nothing,
}

/// What is done with an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    Load,
    Store,
    Atomic,
}

/// The parts of one instruction.
pub(crate) type Slots = SmallVec<[Slot; 5]>;

impl CollectiveOp {
    /// Type of the result, when operands that may have several types are of type `moved`; none of an operation without one.
    pub const fn result(self, moved: ScalarType) -> Option<ScalarType> {
        match self {
            Self::SyncWarp => None,
            Self::Ballot | Self::ActiveMask | Self::MatchAny | Self::MatchAll => Some(ScalarType::U64),
            Self::Any | Self::All | Self::Uniform => Some(ScalarType::Bool),
            Self::Shuffle
            | Self::ShuffleUp
            | Self::ShuffleDown
            | Self::ShuffleXor
            | Self::ReduceAdd
            | Self::ReduceMin
            | Self::ReduceMax
            | Self::ReduceAnd
            | Self::ReduceOr
            | Self::ReduceXor => Some(moved),
        }
    }
}

impl BarrierOp {
    /// Type of the result of a reduction.
    pub(crate) const fn result(self) -> Option<ScalarType> {
        match self {
            Self::Sync | Self::Arrive | Self::Grid => None,
            Self::And | Self::Or => Some(ScalarType::Bool),
            Self::Count => Some(ScalarType::U32),
        }
    }
}

impl Inst {
    /// The instruction's name with its types.
    pub(crate) fn mnemonic(&self) -> String {
        let not = |name: &str, when| if when { name.to_string() } else { format!("{name}.not") };
        match *self {
            Self::Move { ty, .. } => format!("mov.{ty}"),
            Self::Unary { op, ty, .. } => format!("{}.{ty}", op.name()),
            Self::Binary { op, ty, .. } => format!("{}.{ty}", op.name()),
            Self::MulAdd { ty, .. } => format!("mad.{ty}"),
            Self::Compare { op, ty, .. } => format!("{}.{ty}", op.name()),
            Self::Numeric { op, ty, .. } => format!("{}.{ty}", op.name()),
            Self::Machine { op, .. } => op.name().into(),
            Self::Cast { from, to, .. } => format!("cvt.{to}.{from}"),
            Self::Select { ty, .. } => format!("sel.{ty}"),
            Self::Load { ty, access: LoadAccess::Plain, .. } => format!("ld.{ty}"),
            Self::Load { ty, access, .. } => format!("ld.{ty}.{}", access.name()),
            Self::Store { ty, access: StoreAccess::Plain, .. } => format!("st.{ty}"),
            Self::Store { ty, access, .. } => format!("st.{ty}.{}", access.name()),
            Self::Atomic { op, ty, order, .. } => {
                format!("atom.{ty}.{}.{}", op.name(), order.name().to_ascii_lowercase())
            }
            Self::LoadAt { ty, to, at, access, .. } => format!("ld.{}", by_address(at, ty, to, access.name())),
            Self::StoreAt { ty, from, at, access, .. } => format!("st.{}", by_address(at, ty, from, access.name())),
            Self::AtomicAt { op, ty, at, order, scope, .. } => {
                let scope = if scope == FenceScope::Block { ".block" } else { "" };
                format!("atom.{}.{ty}.{}.{}{scope}", at.space.name(), op.name(), order.name().to_ascii_lowercase())
            }
            Self::ConvertAddress { space, to_generic: true, .. } => format!("cvta.{}", space.name()),
            Self::ConvertAddress { space, to_generic: false, .. } => format!("cvta.to.{}", space.name()),
            Self::InSpace { space, .. } => format!("isspacep.{}", space.name()),
            Self::Fence(scope) => scope.name().into(),
            Self::Print { .. } => "print".into(),
            Self::Panic { .. } => "panic".into(),
            Self::Collective { op, ty, mask, .. } => {
                let mask = if mask.is_some() { ".mask" } else { "" };
                let ty = if op.is_typed() { format!(".{ty}") } else { String::new() };
                format!("{}{mask}{ty}", op.name())
            }
            Self::Barrier { op, .. } => format!("bar.{}", op.name()),
            Self::Branch { when, leaves: false, .. } => not("bra", when),
            Self::Branch { when, leaves: true, .. } => not("brk", when),
            Self::Jump { kind, .. } => match kind {
                JumpKind::Plain => "jmp",
                JumpKind::Join => "join",
                JumpKind::Break => "brk",
                JumpKind::Continue => "cont",
            }
            .into(),
            Self::Indirect { .. } => "brx".into(),
            Self::Call { .. } => "call".into(),
            Self::Return => "ret".into(),
            Self::Exit => "exit".into(),
            Self::Marker(marker) => marker.mnemonic().into(),
        }
    }
}

/// The rest of a mnemonic: the space, the type in memory, that of the register if it is another, the cache operator.
fn by_address(at: Address, ty: ScalarType, register: ScalarType, access: &str) -> String {
    let register = if register == ty { String::new() } else { format!(".{register}") };
    let point = if access.is_empty() { "" } else { "." };
    format!("{}.{ty}{register}{point}{access}", at.space.name())
}

impl Marker {
    const fn mnemonic(self) -> &'static str {
        match self {
            Self::PushSync(_) => "ssy",
            Self::PushBreak(_) => "prebrk",
            Self::PushContinue(_) => "precont",
            Self::PushCall(_) => "preret",
            Self::Pop => "sync",
            Self::BarrierSet { .. } => "bssy",
            Self::BarrierSync(_) => "bsync",
            Self::BarrierBreak { when: true, .. } => "break",
            Self::BarrierBreak { when: false, .. } => "break.not",
            Self::BarrierSave { .. } | Self::BarrierRestore { .. } => "bmov",
            Self::Yield => "yield",
            Self::WarpSync(_) => "warpsync",
        }
    }

    /// Whether it pushes or pops a token.
    pub(crate) const fn is_token(self) -> bool {
        matches!(self, Self::PushSync(_) | Self::PushBreak(_) | Self::PushContinue(_) | Self::PushCall(_) | Self::Pop)
    }

    fn slots(self) -> Slots {
        match self {
            Self::PushSync(target) | Self::PushBreak(target) | Self::PushContinue(target) | Self::PushCall(target) => {
                smallvec![Slot::Target(target)]
            }
            Self::Pop | Self::Yield => smallvec![],
            Self::BarrierSet { barrier, target } => smallvec![Slot::Barrier(barrier), Slot::Target(target)],
            Self::BarrierSync(barrier) => smallvec![Slot::Barrier(barrier)],
            Self::BarrierBreak { barrier, cond, .. } => {
                let cond = cond.map(|cond| Slot::Read(cond, ScalarType::Bool));
                cond.into_iter().chain([Slot::Barrier(barrier)]).collect()
            }
            Self::BarrierSave { dst, barrier } => {
                smallvec![Slot::Write(dst, ScalarType::U64), Slot::Barrier(barrier)]
            }
            Self::BarrierRestore { barrier, src } => {
                smallvec![Slot::Barrier(barrier), Slot::Read(src, ScalarType::U64)]
            }
            Self::WarpSync(mask) => smallvec![Slot::Read(mask, ScalarType::U64)],
        }
    }
}

impl Code {
    /// The values of a message, each with its type.
    fn shown_slots(&self, values: ValuesId) -> impl Iterator<Item = Slot> {
        let values = self.values.get(values.0 as usize).map_or(&[][..], Vec::as_slice);
        values.iter().map(|&(ty, value)| Slot::Shown(value, ty))
    }

    /// The parts of an instruction. A value table that is not there counts as empty.
    pub(crate) fn slots(&self, inst: &Inst) -> Slots {
        use Slot::{Element, Nothing, Read, Target, Write};
        const BOOL: ScalarType = ScalarType::Bool;
        const U32: ScalarType = ScalarType::U32;
        match *inst {
            Inst::Move { ty, dst, src } | Inst::Unary { ty, dst, src, .. } => {
                smallvec![Write(dst, ty), Read(src, ty)]
            }
            Inst::Binary { op, ty, dst, left, right } => {
                let count = if op.is_shift() { U32 } else { ty };
                smallvec![Write(dst, ty), Read(left, ty), Read(right, count)]
            }
            Inst::MulAdd { ty, dst, left, right, addend } => {
                smallvec![Write(dst, ty), Read(left, ty), Read(right, ty), Read(addend, ty)]
            }
            Inst::Compare { ty, dst, left, right, .. } => {
                smallvec![Write(dst, BOOL), Read(left, ty), Read(right, ty)]
            }
            Inst::Cast { from, to, dst, src } => smallvec![Write(dst, to), Read(src, from)],
            Inst::Numeric { op, ty, dst, args } => {
                let types = op.args().iter().map(|slot| slot.of(ty)).chain(std::iter::repeat(ty));
                let read = args.as_slice().iter().zip(types).map(|(&arg, ty)| Read(arg, ty));
                [Write(dst, op.result().of(ty))].into_iter().chain(read).collect()
            }
            Inst::Machine { op, dst, args } => {
                let types = op.args().iter().copied().chain(std::iter::repeat(U32));
                let read = args.as_slice().iter().zip(types).map(|(&arg, ty)| Read(arg, ty));
                [Write(dst, op.result())].into_iter().chain(read).collect()
            }
            Inst::Select { ty, dst, cond, then, otherwise } => {
                smallvec![Write(dst, ty), Read(cond, BOOL), Read(then, ty), Read(otherwise, ty)]
            }
            Inst::Load { ty, dst, slice, index, .. } => {
                smallvec![Write(dst, ty), Element(slice, index, ty, Use::Load)]
            }
            Inst::Store { ty, slice, index, value, .. } => {
                smallvec![Element(slice, index, ty, Use::Store), Read(value, ty)]
            }
            Inst::Atomic { ty, dst, slice, index, first, second, .. } => {
                let written = dst.map(|dst| Write(dst, ty));
                let values = first.into_iter().chain(second).map(|value| Read(value, ty));
                written.into_iter().chain([Element(slice, index, ty, Use::Atomic)]).chain(values).collect()
            }
            Inst::LoadAt { to, dst, at, .. } => smallvec![Write(dst, to), Slot::Address(at)],
            Inst::StoreAt { from, at, value, .. } => smallvec![Slot::Address(at), Read(value, from)],
            Inst::AtomicAt { ty, dst, at, first, second, .. } => {
                let written = dst.map(|dst| Write(dst, ty));
                let values = first.into_iter().chain(second).map(|value| Read(value, ty));
                written.into_iter().chain([Slot::Address(at)]).chain(values).collect()
            }
            Inst::ConvertAddress { dst, src, .. } => {
                smallvec![Write(dst, ScalarType::U64), Read(src, ScalarType::U64)]
            }
            Inst::InSpace { dst, src, .. } => smallvec![Write(dst, BOOL), Read(src, ScalarType::U64)],
            Inst::Print { dst, message, values } => {
                let written = dst.map(|dst| Write(dst, U32));
                written.into_iter().chain([Slot::Message(message)]).chain(self.shown_slots(values)).collect()
            }
            Inst::Panic { message, values } => {
                [Slot::Message(message)].into_iter().chain(self.shown_slots(values)).collect()
            }
            Inst::Collective { op, ty, dst, mask, value, lane } => {
                let moved = if op.is_typed() { ty } else { BOOL };
                let parts = [
                    dst.map(|dst| Write(dst, op.result(ty).unwrap_or(ty))),
                    mask.map(|mask| Read(mask, ScalarType::U64)),
                    value.map(|value| Read(value, moved)),
                    lane.map(|lane| Read(lane, U32)),
                ];
                parts.into_iter().flatten().collect()
            }
            Inst::Barrier { op, dst, index, threads, value } => {
                let absent = (index.is_none() && threads.is_some()).then_some(Nothing);
                let parts = [
                    dst.map(|dst| Write(dst, op.result().unwrap_or(U32))),
                    value.map(|value| Read(value, BOOL)),
                    index.map(|index| Read(index, U32)).or(absent),
                    threads.map(|threads| Read(threads, U32)),
                ];
                parts.into_iter().flatten().collect()
            }
            Inst::Branch { cond, target, .. } => smallvec![Read(cond, BOOL), Target(target)],
            Inst::Jump { target, .. } => smallvec![Target(target)],
            Inst::Indirect { index, table } => smallvec![Read(index, U32), Slot::Table(table)],
            Inst::Call { function, .. } => smallvec![Slot::Function(function)],
            Inst::Fence(_) | Inst::Return | Inst::Exit => smallvec![],
            Inst::Marker(marker) => marker.slots(),
        }
    }
}
