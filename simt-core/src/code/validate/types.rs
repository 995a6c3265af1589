//! Rules 3 to 6, 8 and 9: names, types, memory.

use super::{Check, Mistake};
use crate::code::shape::{Slot, Use};
use crate::code::{Address, AddressSpace, BarrierReg, Code, Inst, Marker, Operand, Pc, Reg, RegisterRole};
use crate::ops::{has_atomic, has_atomic_at, is_castable};
use crate::program::{Array, FunctionId, Memory, ParamId, ParamKind, Piece};
use crate::scalar::{Constant, ScalarType};

/// How many convergence barriers a warp has (as Turing and later).
const BARRIERS: u8 = 16;

/// Checks all instructions.
pub(super) fn check(code: &Code) -> Check {
    let mut checker = Checker { code, writers: vec![None; code.registers.len()] };
    for index in 0..code.insts.len() {
        checker.instruction(Pc(index as u32))?;
    }
    checker.saved_barriers()
}

struct Checker<'c> {
    code: &'c Code,
    /// For each register an instruction that writes it.
    writers: Vec<Option<Pc>>,
}

impl Checker<'_> {
    fn instruction(&mut self, pc: Pc) -> Check {
        let inst = self.code.inst(pc);
        let here = self.code.function_at(pc).map(|(id, _)| id);
        for (number, slot) in self.code.slots(inst).iter().enumerate() {
            let wrong = |(what, expected): (String, String)| Mistake::slot(pc, number, what, expected);
            match *slot {
                Slot::Write(reg, ty) => {
                    self.register(reg, ty, here, true).map_err(wrong)?;
                    self.once(reg, pc).map_err(wrong)?;
                }
                Slot::Read(operand, ty) | Slot::Shown(operand, ty) => self.operand(operand, ty, here).map_err(wrong)?,
                Slot::Element(memory, index, ty, use_) => {
                    self.element(memory, ty, use_).map_err(wrong)?;
                    self.operand(index, ScalarType::Usize, here).map_err(wrong)?;
                }
                Slot::Address(at) => self.address(inst, at, here).map_err(wrong)?,
                Slot::Barrier(BarrierReg(barrier)) if barrier >= BARRIERS => {
                    let what = format!("there is no convergence barrier B{barrier}");
                    return Err(wrong((what, format!("B0 to B{}", BARRIERS - 1))));
                }
                Slot::Target(_)
                | Slot::Table(_)
                | Slot::Barrier(_)
                | Slot::Function(_)
                | Slot::Message(_)
                | Slot::Nothing => {}
            }
        }
        self.guard(pc, here).map_err(|(what, expected)| Mistake::at(pc, what, expected))?;
        self.continues(pc).map_err(|(what, expected)| Mistake::at(pc, what, expected))?;
        self.operation(inst).map_err(|(what, expected)| Mistake::at(pc, what, expected))
    }

    /// Whether the instruction may be a part of the one in front of it.
    fn continues(&self, pc: Pc) -> Result<(), (String, String)> {
        if !self.code.continues(pc) {
            return Ok(());
        }
        let alone = |inst: &Inst| {
            inst.is_control()
                || inst.is_marker()
                || matches!(inst, Inst::Print { .. } | Inst::Panic { .. } | Inst::Fence(_))
        };
        if alone(self.code.inst(pc)) {
            return Err((
                "this is no part of another instruction".into(),
                "an operation, or an access of memory".into(),
            ));
        }
        let before = pc.index().checked_sub(1).map(|before| &self.code.insts[before]);
        // Barriers and what lanes do together always go on to the next instruction.
        let goes_on =
            |inst: &Inst| !inst.is_control() || matches!(inst, Inst::Collective { .. } | Inst::Barrier { .. });
        if !before.is_some_and(goes_on) || self.code.function_at(pc).is_some_and(|(_, function)| function.entry == pc) {
            return Err(("there is no instruction that it is a part of".into(), "an operation in front of it".into()));
        }
        Ok(())
    }

    /// Whether the instruction may have its guard.
    fn guard(&self, pc: Pc, here: Option<FunctionId>) -> Result<(), (String, String)> {
        let Some(guard) = self.code.guard(pc) else { return Ok(()) };
        self.register(guard.reg, ScalarType::Bool, here, false)?;
        let inst = self.code.inst(pc);
        if inst.is_control() {
            return Err(("a control instruction has no guard".into(), "a branch around it".into()));
        }
        match inst.destination().map(|dst| self.code.registers[dst.0 as usize].written_once) {
            Some(true) => Err((
                "a guarded instruction writes a register that is `once`".into(),
                "a register that may be written again, as it may keep what it had".into(),
            )),
            _ => Ok(()),
        }
    }

    /// Whether an instruction may access memory there, and the base is an address.
    fn address(&self, inst: &Inst, at: Address, here: Option<FunctionId>) -> Result<(), (String, String)> {
        let reads = matches!(inst, Inst::LoadAt { .. });
        if !reads && matches!(at.space, AddressSpace::Const | AddressSpace::Param) {
            return Err((format!("{} memory is only read", at.space.name()), "`ld`, or another space".into()));
        }
        if matches!(inst, Inst::AtomicAt { .. }) && at.space == AddressSpace::Local {
            return Err(("local memory has no atomics: no other thread sees it".into(), "another space".into()));
        }
        let narrow = match at.base {
            Operand::Reg(reg) => self.code.registers.get(reg.0 as usize).map(|register| register.ty),
            Operand::Const(constant) => Some(constant.ty),
            Operand::Param(param) => match self.param(param)? {
                ParamKind::Scalar(ty) => Some(ty),
                _ => None,
            },
            _ => None,
        };
        let ty =
            if narrow == Some(ScalarType::U32) && at.space.has_window() { ScalarType::U32 } else { ScalarType::U64 };
        self.operand(at.base, ty, here)?;
        match self.address_of(at.base)? {
            Some(space) if space != at.space => Err((
                format!("this is an address of {} memory", space.name()),
                format!("an address of {} memory, or `cvta` first", at.space.name()),
            )),
            _ => Ok(()),
        }
    }

    /// The space of a symbol or parameter whose address an operand is.
    fn address_of(&self, operand: Operand) -> Result<Option<AddressSpace>, (String, String)> {
        match operand {
            Operand::Symbol(symbol) => match self.code.symbols.get(symbol.0 as usize) {
                Some(symbol) => Ok(Some(symbol.space)),
                None => Err(("there is no such symbol".into(), "the number of a symbol".into())),
            },
            Operand::ParamAddress(param) => match self.param(param)? {
                ParamKind::Scalar(_) | ParamKind::Bytes { .. } => Ok(Some(AddressSpace::Param)),
                _ => Err(("a slice has no address".into(), "a scalar parameter, or one of bytes".into())),
            },
            _ => Ok(None),
        }
    }

    /// Whether the operation is defined on its types, and has its parts.
    fn operation(&self, inst: &Inst) -> Result<(), (String, String)> {
        let undefined = |defined: bool, expected: &str| {
            let what = || format!("`{}` is not defined", inst.mnemonic());
            if defined { Ok(()) } else { Err((what(), expected.to_string())) }
        };
        match *inst {
            Inst::Unary { op, ty, .. } => undefined(op.accepts(ty), "a type that has the operation"),
            Inst::Binary { op, ty, .. } => undefined(op.accepts(ty), "a type that has the operation"),
            Inst::Numeric { op, ty, args, .. } => {
                undefined(op.accepts(ty), "a type that has the operation")?;
                undefined(args.as_slice().len() == op.args().len(), "the operation's operands")
            }
            Inst::Machine { op, args, .. } => {
                undefined(args.as_slice().len() == op.args().len(), "the operation's operands")
            }
            Inst::MulAdd { ty, .. } => undefined(ty.is_int(), "an integer type"),
            Inst::Cast { from, to, .. } => undefined(is_castable(from, to), "types between which Rust casts"),
            Inst::LoadAt { ty, to: register, .. } | Inst::StoreAt { ty, from: register, .. } => {
                undefined(ty != ScalarType::Bool, "a type that has bytes: load a `u8`, and compare")?;
                let wider = ty.is_int() && register.is_int() && register.bits() >= ty.bits();
                undefined(ty == register || wider, "the type in memory, or an integer type at least as wide")
            }
            Inst::AtomicAt { ty: ScalarType::Bool, .. } => undefined(false, "a type that has bytes"),
            Inst::ConvertAddress { space, .. } | Inst::InSpace { space, .. } => {
                undefined(space != AddressSpace::Generic, "a space")
            }
            Inst::Atomic { op, ty, first, second, .. } | Inst::AtomicAt { op, ty, first, second, .. } => {
                let by_address = matches!(inst, Inst::AtomicAt { .. });
                let has = if by_address { has_atomic_at(op, ty) } else { has_atomic(op, ty) };
                undefined(has, "a type whose atomics have the operation")?;
                let operands = usize::from(first.is_some()) + usize::from(second.is_some());
                undefined(
                    operands == op.operands() && (second.is_none() || first.is_some()),
                    "the operation's operands",
                )
            }
            Inst::Collective { op, ty, dst, value, lane, .. } => {
                let operands = usize::from(value.is_some()) + usize::from(lane.is_some());
                undefined(
                    operands == op.operands() && (lane.is_none() || value.is_some()),
                    "the operation's operands",
                )?;
                undefined(dst.is_none() || op.result(ty).is_some(), "no result")?;
                undefined(!op.is_typed() || op.accepts(ty), "a type that has the operation")
            }
            Inst::Barrier { op, dst, value, .. } => {
                let reduces = op.result().is_some();
                undefined(dst.is_some() == reduces && value.is_some() == reduces, "a reduction with value and result")
            }
            Inst::Print { message, values, .. } | Inst::Panic { message, values } => {
                let Some(message) = self.code.messages.get(message.0 as usize) else {
                    return Err(("there is no such message".into(), "the number of a message".into()));
                };
                let Some(values) = self.code.values.get(values.0 as usize) else {
                    return Err(("there are no such values".into(), "the number of a list of values".into()));
                };
                let args = message.pieces.iter().filter_map(|piece| match piece {
                    Piece::Value { arg, .. } => Some(*arg),
                    Piece::Text(_) => None,
                });
                match args.max() {
                    Some(last) if last as usize >= values.len() => {
                        let what = format!("the text shows value {last}, counted from 0");
                        Err((what, format!("more than the {} values that are there", values.len())))
                    }
                    _ => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    fn register(
        &self,
        reg: Reg,
        ty: ScalarType,
        here: Option<FunctionId>,
        written: bool,
    ) -> Result<(), (String, String)> {
        let Some(register) = self.code.registers.get(reg.0 as usize) else {
            return Err((format!("there is no register {}", reg.0), "the number of a register".into()));
        };
        if !register.holds(ty) {
            return Err((format!("the register is of type {}", register.ty), format!("`{ty}`")));
        }
        let parameter = |function: FunctionId| {
            written && self.code.functions.get(function.0 as usize).is_some_and(|function| !function.recursive)
        };
        let mine = register.function == here;
        if mine || register.role == RegisterRole::Passing || register.function.is_some_and(parameter) {
            return Ok(());
        }
        let expected = "one of this function's, one that passes values, or to write a parameter";
        Err(("the register is another function's".into(), expected.into()))
    }

    fn once(&mut self, reg: Reg, pc: Pc) -> Result<(), (String, String)> {
        let index = reg.0 as usize;
        let earlier = self.writers[index].replace(pc);
        match earlier {
            Some(earlier) if self.code.registers[index].written_once => {
                let what = format!("the register is `once`, and {earlier} writes it, too");
                Err((what, "a register that is not `once`".into()))
            }
            _ => Ok(()),
        }
    }

    fn operand(&self, operand: Operand, ty: ScalarType, here: Option<FunctionId>) -> Result<(), (String, String)> {
        let found = match operand {
            Operand::Reg(reg) => return self.register(reg, ty, here, false),
            Operand::Const(Constant { ty, bits }) => {
                if bits > u64::MAX >> (64 - ty.bits()) {
                    return Err((format!("the constant has bits beyond {ty}"), "bits of its type".into()));
                }
                ty
            }
            Operand::Param(param) => match self.param(param)? {
                ParamKind::Scalar(ty) => ty,
                ParamKind::Bytes { .. } => return Err(("the parameter is bytes".into(), "its address".into())),
                _ => return Err(("the parameter is a slice".into(), format!("`{ty}`"))),
            },
            Operand::Len(Memory::Param(param)) => match self.param(param)? {
                ParamKind::Scalar(_) | ParamKind::Bytes { .. } => {
                    return Err(("the parameter is no slice".into(), "a slice".into()));
                }
                _ => ScalarType::Usize,
            },
            Operand::Len(Memory::Array(array)) => match self.code.arrays.get(array.0 as usize) {
                Some(Array { dynamic: true, .. }) => ScalarType::Usize,
                _ => return Err(("there is no such array".into(), "an array whose length the launch gives".into())),
            },
            Operand::Builtin(_) => ScalarType::Usize,
            Operand::Symbol(_) | Operand::ParamAddress(_) => match self.address_of(operand)? {
                Some(space) if ty == ScalarType::U32 && space.has_window() => ScalarType::U32,
                _ => ScalarType::U64,
            },
        };
        if found == ty { Ok(()) } else { Err((format!("this is of type {found}"), format!("`{ty}`"))) }
    }

    fn param(&self, param: ParamId) -> Result<ParamKind, (String, String)> {
        let param = self.code.params.get(param.0 as usize).map(|param| param.kind);
        param.ok_or_else(|| ("there is no such parameter".into(), "the number of a parameter".into()))
    }

    fn element(&self, memory: Memory, ty: ScalarType, use_: Use) -> Result<(), (String, String)> {
        let (element, atomic, writable) = match memory {
            Memory::Param(param) => match self.param(param)? {
                ParamKind::Scalar(_) | ParamKind::Bytes { .. } => {
                    return Err(("the parameter is no slice".into(), "a slice or array".into()));
                }
                ParamKind::Slice { element, writable } => (element, false, writable),
                ParamKind::Constant { element } => (element, false, false),
                ParamKind::Atomic { element } => (element, true, true),
            },
            Memory::Array(array) => match self.code.arrays.get(array.0 as usize) {
                Some(array) => (array.element, array.atomic, true),
                None => return Err(("there is no such array".into(), "the number of an array".into())),
            },
        };
        if element != ty {
            return Err((format!("its elements are of type {element}"), format!("elements of type {ty}")));
        }
        match (use_, atomic) {
            (Use::Store, false) if !writable => Err(("this slice is read-only".into(), "a `&mut` slice".into())),
            (Use::Atomic, true) | (Use::Load | Use::Store, false) => Ok(()),
            (Use::Atomic, false) => Err(("its elements are no atomics".into(), "a slice or array of atomics".into())),
            (_, true) => Err(("its elements are atomics".into(), "`atom` to read and write them".into())),
        }
    }

    /// Rule 9: a machine without convergence barriers has nothing to save.
    fn saved_barriers(&self) -> Check {
        let mut saved = vec![false; self.code.registers.len()];
        for inst in &self.code.insts {
            if let Inst::Marker(Marker::BarrierSave { dst, .. }) = *inst {
                saved[dst.0 as usize] = true;
            }
        }
        for (index, inst) in self.code.insts.iter().enumerate() {
            let reads =
                self.code.reads(Pc(index as u32)).any(|o| matches!(o, Operand::Reg(reg) if saved[reg.0 as usize]));
            if reads && !matches!(inst, Inst::Marker(Marker::BarrierRestore { .. })) {
                let what = "a register that holds a saved convergence barrier is read";
                return Err(Mistake::at(Pc(index as u32), what, "`bmov` alone to read it"));
            }
        }
        Ok(())
    }
}
