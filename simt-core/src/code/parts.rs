//! What an instruction reads, writes and names.

use super::address::{Operand, Pc, Reg};
use super::inst::{Inst, JumpKind};
use super::marker::Marker;
use super::spaces::Address;
use crate::program::Memory;

impl Inst {
    /// Whether the instruction ends a run: it decides where to go next, or waits. The others fall through.
    pub const fn is_control(&self) -> bool {
        matches!(
            self,
            Self::Branch { .. }
                | Self::Jump { .. }
                | Self::Indirect { .. }
                | Self::Call { .. }
                | Self::Return
                | Self::Exit
                | Self::Collective { .. }
                | Self::Barrier { .. }
                | Self::Marker(_)
        )
    }

    /// Whether control never comes to the next instruction from this one.
    pub const fn never_falls_through(&self) -> bool {
        matches!(self, Self::Jump { .. } | Self::Indirect { .. } | Self::Return | Self::Exit)
    }

    /// Whether the instruction counts as one of the program's: markers and joins do not.
    pub const fn is_counted(&self) -> bool {
        !matches!(self, Self::Marker(_) | Self::Jump { kind: JumpKind::Join, .. })
    }

    /// Whether the instruction is a marker.
    pub const fn is_marker(&self) -> bool {
        matches!(self, Self::Marker(_))
    }

    /// The register it writes.
    pub const fn destination(&self) -> Option<Reg> {
        match *self {
            Self::Move { dst, .. }
            | Self::Unary { dst, .. }
            | Self::Binary { dst, .. }
            | Self::MulAdd { dst, .. }
            | Self::Compare { dst, .. }
            | Self::Cast { dst, .. }
            | Self::Numeric { dst, .. }
            | Self::Machine { dst, .. }
            | Self::Select { dst, .. }
            | Self::Load { dst, .. }
            | Self::LoadAt { dst, .. }
            | Self::ConvertAddress { dst, .. }
            | Self::InSpace { dst, .. }
            | Self::Marker(Marker::BarrierSave { dst, .. }) => Some(dst),
            Self::Atomic { dst, .. }
            | Self::AtomicAt { dst, .. }
            | Self::Print { dst, .. }
            | Self::Collective { dst, .. }
            | Self::Barrier { dst, .. } => dst,
            Self::Store { .. }
            | Self::StoreAt { .. }
            | Self::Fence(_)
            | Self::Panic { .. }
            | Self::Branch { .. }
            | Self::Jump { .. }
            | Self::Indirect { .. }
            | Self::Call { .. }
            | Self::Return
            | Self::Exit
            | Self::Marker(_) => None,
        }
    }

    /// The slice or array of which it accesses an element.
    pub const fn memory(&self) -> Option<Memory> {
        match *self {
            Self::Load { slice, .. } | Self::Store { slice, .. } | Self::Atomic { slice, .. } => Some(slice),
            _ => None,
        }
    }

    /// Whether it reads or writes memory: elements, or by address.
    pub const fn accesses_memory(&self) -> bool {
        self.memory().is_some() || self.address().is_some()
    }

    /// Where it accesses memory by address, if it does.
    pub const fn address(&self) -> Option<Address> {
        match *self {
            Self::LoadAt { at, .. } | Self::StoreAt { at, .. } | Self::AtomicAt { at, .. } => Some(at),
            _ => None,
        }
    }

    /// What it reads, but for the values of a message and what its guard reads: see
    /// [`Code::operands`](super::Code::operands) and [`Code::reads`](super::Code::reads).
    pub fn operands(&self) -> impl Iterator<Item = Operand> + use<> {
        let operands = match *self {
            Self::Move { src, .. }
            | Self::Unary { src, .. }
            | Self::Cast { src, .. }
            | Self::ConvertAddress { src, .. }
            | Self::InSpace { src, .. }
            | Self::Marker(Marker::BarrierRestore { src, .. } | Marker::WarpSync(src)) => [Some(src), None, None],
            Self::Binary { left, right, .. } | Self::Compare { left, right, .. } => [Some(left), Some(right), None],
            Self::MulAdd { left, right, addend, .. } => [Some(left), Some(right), Some(addend)],
            Self::Numeric { args, .. } | Self::Machine { args, .. } => args.to_options(),
            Self::Select { cond, then, otherwise, .. } => [Some(cond), Some(then), Some(otherwise)],
            Self::Load { index, .. } | Self::Indirect { index, .. } => [Some(index), None, None],
            Self::Store { index, value, .. } => [Some(index), Some(value), None],
            Self::Atomic { index, first, second, .. } => [Some(index), first, second],
            Self::LoadAt { at, .. } => [Some(at.base), None, None],
            Self::StoreAt { at, value, .. } => [Some(at.base), Some(value), None],
            Self::AtomicAt { at, first, second, .. } => [Some(at.base), first, second],
            Self::Collective { mask, value, lane, .. } => [mask, value, lane],
            Self::Barrier { index, threads, value, .. } => [index, threads, value],
            Self::Branch { cond, .. } => [Some(cond), None, None],
            Self::Marker(Marker::BarrierBreak { cond, .. }) => [cond, None, None],
            Self::Fence(_)
            | Self::Print { .. }
            | Self::Panic { .. }
            | Self::Jump { .. }
            | Self::Call { .. }
            | Self::Return
            | Self::Exit
            | Self::Marker(_) => [None; 3],
        };
        operands.into_iter().flatten()
    }

    /// The address that it names, if it names one: where a branch, jump or call goes, or where a marker says that threads
    /// will go on. The targets of an indirect branch are in its table.
    pub const fn target(&self) -> Option<Pc> {
        match *self {
            Self::Branch { target, .. } | Self::Jump { target, .. } | Self::Call { target, .. } => Some(target),
            Self::Marker(marker) => marker.target(),
            _ => None,
        }
    }

    /// The address that it names, to be changed.
    pub(crate) fn target_mut(&mut self) -> Option<&mut Pc> {
        match self {
            Self::Branch { target, .. }
            | Self::Jump { target, .. }
            | Self::Call { target, .. }
            | Self::Marker(
                Marker::PushSync(target)
                | Marker::PushBreak(target)
                | Marker::PushContinue(target)
                | Marker::PushCall(target)
                | Marker::BarrierSet { target, .. },
            ) => Some(target),
            _ => None,
        }
    }
}
