//! Loads, stores, atomics and fences.

use super::emit::Emitter;
use super::modifiers::Modifiers;
use super::operands::{constant, unsigned};
use super::pairs::is_packed;
use crate::syntax::{Instruction, Operand as Written, OperandKind, Vector};
use crate::table::{self, Order};
use simt_core::ScalarType;
use simt_core::code::{Address, AddressSpace, Inst, Operand, Reg};
use simt_core::ops::AtomicOp;
use simt_core::program::{AtomicOrder, FenceScope, LoadAccess, ParamId, ParamKind, StoreAccess};

/// What is said of an access besides its place.
struct Access {
    space: AddressSpace,
    /// The space of an address in a register.
    addressed: AddressSpace,
    ty: ScalarType,
    order: Option<AtomicOrder>,
    /// Among whose threads it is atomic.
    scope: FenceScope,
    volatile: bool,
    vector: bool,
}

impl<'m> Emitter<'m, '_> {
    fn access(&mut self, instruction: &'m Instruction, modifiers: &mut Modifiers<'m>) -> Option<Access> {
        let ty = self.type_in(instruction, modifiers)?;
        let of_kernel = modifiers.has("param::entry");
        let space = Self::space(modifiers);
        // The address of a function's parameter is one of local memory (PTX ISA, `mov`); that of a kernel's says so.
        let is_own = space == AddressSpace::Param && self.owner.is_some() && !of_kernel;
        let addressed = if is_own { AddressSpace::Local } else { space };
        let order = modifiers.word(Order::from_text);
        let volatile = order == Some(Order::Volatile);
        let order = order.and_then(|order| match order {
            Order::Weak | Order::Volatile => None,
            Order::Relaxed => Some(AtomicOrder::Relaxed),
            Order::Acquire => Some(AtomicOrder::Acquire),
            Order::Release => Some(AtomicOrder::Release),
            Order::AcquireRelease => Some(AtomicOrder::AcqRel),
            Order::Sequential => Some(AtomicOrder::SeqCst),
        });
        let vector = modifiers.word(Vector::from_text).is_some();
        let scope = if modifiers.take("cta") { FenceScope::Block } else { FenceScope::Device };
        // Hints for caches change no value.
        modifiers.ignore(&["gpu", "sys", "cluster", "nc", "mmio", "noftz"]);
        modifiers.ignore_all(|word| word.starts_with("L1::") || word.starts_with("L2::"));
        Some(Access { space, addressed, ty, order, scope, volatile, vector })
    }

    /// The place that an operand in brackets means.
    fn place(&mut self, written: &'m Written, space: AddressSpace) -> Option<Address> {
        let OperandKind::Address { base, offset } = &written.kind else {
            self.problem(written.span, "this is no address", "write `[%rd1+8]`");
            return None;
        };
        let Ok(offset) = i32::try_from(*offset) else {
            self.problem(written.span, "the offset has more than 32 bits", "add it to the address before");
            return None;
        };
        let Some(base) = base else {
            return Some(Address { space, offset: 0, base: constant(i128::from(offset), ScalarType::U64) });
        };
        if let Some(reg) = self.named_register(&base.text) {
            let narrow = self.type_of(reg).bits() == 32;
            if narrow && !space.has_window() {
                let wide = self.temporary(ScalarType::U64);
                self.push(Inst::Cast { from: ScalarType::U32, to: ScalarType::U64, dst: wide, src: Operand::Reg(reg) });
                return Some(Address { space, offset, base: Operand::Reg(wide) });
            }
            return Some(Address { space, offset, base: Operand::Reg(reg) });
        }
        let Some(address) = self.address_of(&base.text) else {
            self.problem(base.span, format!("`{base}` is no register and no variable"), "declare it");
            return None;
        };
        // A variable has its space, even where the instruction names none.
        let own = match address {
            Operand::Symbol(symbol) => self.symbols[symbol.0 as usize].space,
            Operand::Reg(_) => AddressSpace::Local,
            _ => AddressSpace::Param,
        };
        Some(Address { space: own, offset, base: address })
    }

    /// The registers or values of a vector, or the only one.
    fn elements(written: &'m Written, vector: bool) -> &'m [Written] {
        match &written.kind {
            OperandKind::Vector(all) if vector => all,
            _ => std::slice::from_ref(written),
        }
    }

    pub(super) fn loaded(&mut self, instruction: &'m Instruction) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        let access = self.access(instruction, &mut modifiers)?;
        let operator = modifiers.one_of(&[
            ("ca", LoadAccess::Ca),
            ("cg", LoadAccess::Cg),
            ("cs", LoadAccess::Cs),
            ("lu", LoadAccess::Plain),
            ("cv", LoadAccess::Cv),
        ]);
        self.only(instruction, &modifiers)?;
        let operator = if access.volatile { LoadAccess::Volatile } else { operator.unwrap_or(LoadAccess::Plain) };
        let [dst, place] = &instruction.operands[..] else { return self.miscounted(instruction) };
        let elements = Self::elements(dst, access.vector);
        if access.space == AddressSpace::Param
            && let Some(passed) = self.passed_place(place, false)
        {
            return self.load_passed(instruction, passed, access.ty, elements);
        }
        let mut at = self.place(place, access.addressed)?;
        if let (Operand::ParamAddress(param), [dst]) = (at.base, elements)
            && self.is_whole(param, at.offset, access.ty)
        {
            let ty = access.ty;
            return self
                .write(dst, ty, |emitter, dst| emitter.push(Inst::Move { ty, dst, src: Operand::Param(param) }));
        }
        if let Operand::Reg(base) = at.base
            && elements.len() > 1
            && elements
                .iter()
                .any(|dst| matches!(&dst.kind, OperandKind::Name(name) if self.named_register(name) == Some(base)))
        {
            // The first element may be written over the address of the second.
            let kept = self.temporary(self.type_of(base));
            self.push(Inst::Move { ty: self.type_of(base), dst: kept, src: at.base });
            at.base = Operand::Reg(kept);
        }
        let first = at.offset;
        for (number, dst) in elements.iter().enumerate() {
            at.offset = first.wrapping_add((number as u32 * access.ty.bits() / 8) as i32);
            if elements.len() > 1 && matches!(dst.kind, OperandKind::Sink) {
                continue;
            }
            let to = self.width_of(dst, access.ty);
            self.write(dst, to, |emitter, dst| {
                let ty = access.ty;
                let Some(order) = access.order else {
                    return emitter.push(Inst::LoadAt { ty, to, dst, at, access: operator });
                };
                // A register that is wider gets the value from one that is not.
                let own = if to == ty { dst } else { emitter.temporary(ty) };
                let (op, dst_of, scope) = (AtomicOp::Load, Some(own), access.scope);
                emitter.push(Inst::AtomicAt { op, ty, dst: dst_of, at, first: None, second: None, order, scope });
                if own != dst {
                    emitter.push(Inst::Cast { from: ty, to, dst, src: Operand::Reg(own) });
                }
            })?;
        }
        Some(())
    }

    /// The type in which a register gets or has a value of memory: its own width, if that is more.
    fn width_of(&mut self, written: &Written, ty: ScalarType) -> ScalarType {
        let OperandKind::Name(name) = &written.kind else { return ty };
        let own = self.named_register(name).map(|reg| self.type_of(reg));
        match own {
            Some(own) if own.bits() > ty.bits() && !own.is_float() && ty.is_int() => unsigned(own.bits()),
            // A register has no sign of a narrow value.
            Some(own) if own.bits() == ty.bits() && ty.bits() < 32 && ty.is_int() => own,
            _ => ty,
        }
    }

    /// Whether an access reads a scalar parameter from beginning to end.
    fn is_whole(&self, param: ParamId, offset: i32, ty: ScalarType) -> bool {
        let variable = self.entry.and_then(|entry| entry.parameters.get(param.0 as usize));
        let own = variable.filter(|variable| variable.dimensions.is_empty() && variable.vector.is_none());
        let own = own.and_then(|variable| super::operands::scalar(variable.ty)).map(ParamKind::Scalar);
        offset == 0 && own == Some(ParamKind::Scalar(ty))
    }

    pub(super) fn stored(&mut self, instruction: &'m Instruction) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        let access = self.access(instruction, &mut modifiers)?;
        let operator = modifiers.one_of(&[
            ("wb", StoreAccess::Wb),
            ("cg", StoreAccess::Cg),
            ("cs", StoreAccess::Cs),
            ("wt", StoreAccess::Wt),
        ]);
        self.only(instruction, &modifiers)?;
        let operator = if access.volatile { StoreAccess::Volatile } else { operator.unwrap_or(StoreAccess::Plain) };
        let [place, value] = &instruction.operands[..] else { return self.miscounted(instruction) };
        let elements = Self::elements(value, access.vector);
        if access.space == AddressSpace::Param
            && let Some(passed) = self.passed_place(place, true)
        {
            return self.store_passed(instruction, passed, access.ty, elements);
        }
        let mut at = self.place(place, access.addressed)?;
        let first = at.offset;
        for (number, value) in elements.iter().enumerate() {
            at.offset = first.wrapping_add((number as u32 * access.ty.bits() / 8) as i32);
            let from = self.width_of(value, access.ty);
            let mut value = self.read(value, from)?;
            let ty = access.ty;
            let Some(order) = access.order else {
                self.push(Inst::StoreAt { ty, from, at, value, access: operator });
                continue;
            };
            if from != ty {
                let dst = self.temporary(ty);
                self.push(Inst::Cast { from, to: ty, dst, src: value });
                value = Operand::Reg(dst);
            }
            let (op, scope) = (AtomicOp::Store, access.scope);
            self.push(Inst::AtomicAt { op, ty, dst: None, at, first: Some(value), second: None, order, scope });
        }
        Some(())
    }

    /// `atom` and `red`.
    pub(super) fn atomic(&mut self, instruction: &'m Instruction, has_result: bool) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        let access = self.access(instruction, &mut modifiers)?;
        let op = modifiers.word(table::AtomicOp::from_text).and_then(|op| match op {
            table::AtomicOp::Add => Some(AtomicOp::Add),
            table::AtomicOp::Min => Some(AtomicOp::Min),
            table::AtomicOp::Max => Some(AtomicOp::Max),
            table::AtomicOp::And => Some(AtomicOp::And),
            table::AtomicOp::Or => Some(AtomicOp::Or),
            table::AtomicOp::Xor => Some(AtomicOp::Xor),
            table::AtomicOp::Exchange => Some(AtomicOp::Swap),
            table::AtomicOp::CompareAndSwap => Some(AtomicOp::CompareExchange),
            table::AtomicOp::Inc => Some(AtomicOp::Inc),
            table::AtomicOp::Dec => Some(AtomicOp::Dec),
            table::AtomicOp::Count => None,
        });
        self.only(instruction, &modifiers)?;
        let Some(op) = op else { return self.unsupported(instruction, "it has no such operation") };
        let (dst, place, values) = match &instruction.operands[..] {
            [dst, place, values @ ..] if has_result => (Some(dst), place, values),
            [place, values @ ..] => (None, place, values),
            _ => return self.miscounted(instruction),
        };
        let at = self.place(place, access.addressed)?;
        let ty = access.ty;
        if let ([value], true) = (values, is_packed(instruction)) {
            return self.atomic_pair(dst, at, op, &access, value);
        }
        let values = self.read_all(values, ty)?;
        if values.len() != op.operands() {
            return self.miscounted(instruction);
        }
        let (order, scope) = (access.order.unwrap_or(AtomicOrder::Relaxed), access.scope);
        let (first, second) = (values.first().copied(), values.get(1).copied());
        let emit = |emitter: &mut Self, dst: Option<Reg>| {
            emitter.push(Inst::AtomicAt { op, ty, dst, at, first, second, order, scope });
        };
        match dst.filter(|dst| !matches!(dst.kind, OperandKind::Sink)) {
            Some(dst) => self.write(dst, ty, |emitter, dst| emit(emitter, Some(dst))),
            None => {
                emit(self, None);
                Some(())
            }
        }
    }

    /// An atomic on two halves, each of which is one by itself (PTX ISA, `atom`).
    fn atomic_pair(
        &mut self,
        dst: Option<&'m Written>,
        at: Address,
        op: AtomicOp,
        access: &Access,
        value: &'m Written,
    ) -> Option<()> {
        let (ty, order, scope) = (access.ty, access.order.unwrap_or(AtomicOrder::Relaxed), access.scope);
        let word = self.read(value, ScalarType::U32)?;
        let old = [(false, 0), (true, 2)].map(|(upper, bytes)| {
            let (first, old) = (self.half(word, upper, ty), self.register(None, ty, true));
            let at = Address { offset: at.offset.wrapping_add(bytes), ..at };
            self.push(Inst::AtomicAt { op, ty, dst: Some(old), at, first: Some(first), second: None, order, scope });
            Operand::Reg(old)
        });
        match dst {
            Some(dst) => self.write(dst, ScalarType::U32, |emitter, dst| emitter.joined(dst, ty, old)),
            None => Some(()),
        }
    }

    /// `membar`, `fence`
    pub(super) fn fence(&mut self, instruction: &'m Instruction) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        let block = modifiers.take("cta");
        modifiers.ignore(&["gl", "sys", "gpu", "cluster", "sc", "acq_rel", "acquire", "release"]);
        self.only(instruction, &modifiers)?;
        self.push(Inst::Fence(if block { FenceScope::Block } else { FenceScope::Device }));
        Some(())
    }
}
