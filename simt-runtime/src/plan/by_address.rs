//! Translation of instructions on memory by address, and of guards.

use super::select::by_class;
use super::translate::{Done, Translator, row_of};
use super::{
    Access, AddressAccess, AddressKind, Extended, Guarded, LaneOp, Micro, ModelledAddress, ModelledKind, PlanError,
    WatchedAddress, WatchedKind,
};
use simt_core::code::{Address, AddressSpace, Guard, Inst, Operand, Pc, Reg};
use simt_core::ops::{AtomicOp, atomic_meaning};
use simt_core::program::{LoadAccess, StoreAccess};
use simt_core::{Constant, ScalarType};

/// Whether other threads see what lies in a space, and can write it.
pub(super) const fn is_seen(space: AddressSpace) -> bool {
    matches!(space, AddressSpace::Generic | AddressSpace::Global | AddressSpace::Shared)
}

impl Translator<'_> {
    /// The operation of an access by address, if the instruction is one.
    pub(super) fn by_address(&mut self, inst: &Inst) -> Result<Option<AddressAccess>, PlanError> {
        let (kind, ty, register, at) = match *inst {
            Inst::LoadAt { ty, to, dst, at, .. } => (AddressKind::Load { dst: self.rows.register(dst).0 }, ty, to, at),
            Inst::StoreAt { ty, from, at, value, .. } => {
                (AddressKind::Store { value: self.place(value, from)? }, ty, from, at)
            }
            Inst::AtomicAt { op, ty, dst, at, first, second, .. } => {
                let mut operand = |operand: Option<_>| operand.map(|operand| self.place(operand, ty)).transpose();
                let operands = [operand(first)?, operand(second)?];
                let dst = dst.map(|dst| self.rows.register(dst).0);
                (AddressKind::Atomic { op, meaning: atomic_meaning(op, ty), operands, dst }, ty, ty, at)
            }
            _ => return Ok(None),
        };
        let Address { space, offset, base } = at;
        let base = self.place(base, self.address_type(base))?;
        Ok(Some(AddressAccess { kind, space, ty, register, base, offset }))
    }

    /// The report of an access by address to a launch that looks for races.
    pub(super) fn watched_address(&mut self, inst: &Inst, pc: Pc) -> Result<Option<Extended>, PlanError> {
        let Some(access) = self.by_address(inst)? else { return Ok(None) };
        let kind = match (*inst, access.kind) {
            (Inst::AtomicAt { op, order, scope, .. }, _) => {
                WatchedKind::Atomic { order, scope, reads: op != AtomicOp::Store, writes: op != AtomicOp::Load }
            }
            (_, AddressKind::Store { value }) => WatchedKind::Store { value },
            _ => WatchedKind::Load,
        };
        let volatile = matches!(
            inst,
            Inst::LoadAt { access: LoadAccess::Volatile, .. } | Inst::StoreAt { access: StoreAccess::Volatile, .. }
        );
        Ok(Some(Extended::Access(Access::WatchedAddress(Box::new(WatchedAddress { pc, access, kind, volatile })))))
    }

    /// An access by address of memory that is modelled.
    pub(super) fn modelled_address(&mut self, inst: &Inst) -> Result<Option<Extended>, PlanError> {
        let Some(by_address) = self.by_address(inst)? else { return Ok(None) };
        let kind = match (*inst, by_address.kind) {
            (Inst::LoadAt { access, .. }, AddressKind::Load { dst }) => ModelledKind::Load { dst, access },
            (Inst::StoreAt { access, .. }, AddressKind::Store { value }) => ModelledKind::Store { value, access },
            (Inst::AtomicAt { order, .. }, AddressKind::Atomic { op, operands, dst, .. }) => {
                ModelledKind::Atomic { op, order, operands, dst }
            }
            _ => return Ok(None),
        };
        let modelled = ModelledAddress { access: by_address, kind };
        Ok(Some(Extended::Access(Access::ModelledAddress(Box::new(modelled)))))
    }

    /// The type of a base: an address of 32 bits is a word.
    fn address_type(&self, base: Operand) -> ScalarType {
        match base {
            Operand::Reg(Reg(reg)) => self.code.registers[reg as usize].ty,
            Operand::Const(constant) => constant.ty,
            _ => ScalarType::U64,
        }
    }

    /// An address of a space made generic, or the other way round: the windows lie so that a sum does it.
    pub(super) fn convert_address(&mut self, space: AddressSpace, to_generic: bool, dst: Reg, src: Operand) -> Done {
        let src = self.row(src, ScalarType::U64)?;
        if space.window() == 0 {
            self.write(LaneOp::Move64, dst, src, src);
            return Ok(());
        }
        let window = self.wide(space.window())?;
        self.write(if to_generic { LaneOp::Add64 } else { LaneOp::Sub64 }, dst, src, window);
        Ok(())
    }

    /// Whether a generic address is of a space: within its window, or of global memory outside of all.
    pub(super) fn in_space(&mut self, space: AddressSpace, dst: Reg, src: Operand) -> Done {
        let src = self.row(src, ScalarType::U64)?;
        let (first, last) = if space == AddressSpace::Global {
            (AddressSpace::Shared.window(), AddressSpace::Param.window() + AddressSpace::WINDOW)
        } else {
            (space.window(), space.window() + AddressSpace::WINDOW)
        };
        let (first, size) = (self.wide(first)?, self.wide(last - first)?);
        let within = self.scratch(0, ScalarType::U64)?;
        self.push(Micro { op: LaneOp::Sub64, local: true, dst: within, a: src, b: first });
        if space == AddressSpace::Global {
            self.write(LaneOp::LeU64, dst, size, within);
        } else {
            self.write(LaneOp::LtU64, dst, within, size);
        }
        Ok(())
    }

    fn wide(&mut self, bits: u64) -> Result<u16, PlanError> {
        self.row(Operand::Const(Constant { ty: ScalarType::U64, bits }), ScalarType::U64)
    }

    /// The operations that were emitted since there were `first` become one, which some of the active lanes execute.
    pub(super) fn guarded(&mut self, first: usize, Guard { reg, when }: Guard) {
        let micros: Box<[Micro]> = self.micros.drain(first..).collect();
        let index = self.origins.drain(first..).rev().find_map(|origin| origin.index);
        let predicate = row_of(self.rows.register(reg).0);
        let number = self.guards.len() as u32;
        self.guards.push(self.pc);
        self.extend_with(Extended::Guarded(Box::new(Guarded { predicate, when, micros, number })), index);
    }

    /// A move between registers of one class.
    pub(super) fn moved(&mut self, ty: ScalarType, dst: Reg, src: Operand) -> Done {
        let op = by_class(ty, LaneOp::Move32, LaneOp::Move64, LaneOp::PredicateMove);
        let src = self.row(src, ty)?;
        self.write(op, dst, src, src);
        Ok(())
    }
}
