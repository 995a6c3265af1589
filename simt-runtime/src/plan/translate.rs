//! Translation of instructions to lane operations.

use super::rows::RowMap;
use super::select::{by_class, cast, compare, numeric, pick, power_of_two};
use super::{Extended, LaneOp, Micro, Origin, Place, PlanError, slot};
use crate::plan::Numeric;
use simt_core::code::{Code, Inst, Operand, Pc, Reg};
use simt_core::ops::{Args, BinaryOp, NumericOp, UnaryOp};
use simt_core::{Constant, Scalar, ScalarType};

/// Emits the lane operations of one instruction after the other.
pub(super) struct Translator<'c> {
    pub(super) code: &'c Code,
    pub(super) rows: RowMap,
    pub(super) micros: Vec<Micro>,
    pub(super) origins: Vec<Origin>,
    pub(super) extended: Vec<Extended>,
    /// Whether accesses of memory that other threads see become memory operations.
    pub(super) modelled: bool,
    /// Whether such accesses are reported before they are executed.
    pub(super) watched: bool,
    pub(super) pc: Pc,
    /// The instructions of guarded operations, by their numbers.
    pub(super) guards: Vec<Pc>,
    /// Rows for steps inside an instruction: two of words, two of wide words.
    scratch: [Option<Place>; 4],
}

pub(super) type Done = Result<(), PlanError>;

impl<'c> Translator<'c> {
    pub(super) fn new(code: &'c Code, rows: RowMap, modelled: bool, watched: bool) -> Self {
        Self {
            code,
            rows,
            micros: Vec::new(),
            origins: Vec::new(),
            extended: Vec::new(),
            modelled,
            watched,
            pc: Pc(0),
            guards: Vec::new(),
            scratch: [None; 4],
        }
    }

    /// The predicate that a branch reads.
    pub(super) fn predicate(&mut self, cond: Operand) -> Result<u16, PlanError> {
        self.row(cond, ScalarType::Bool)
    }

    pub(super) fn instruction(&mut self, pc: Pc) -> Done {
        self.pc = pc;
        let first = self.micros.len();
        self.operations(pc)?;
        self.code.guard(pc).into_iter().for_each(|guard| self.guarded(first, guard));
        Ok(())
    }

    fn operations(&mut self, pc: Pc) -> Done {
        let inst = self.code.inst(pc);
        if let Some(watched) = self.watched(inst, pc)? {
            self.extend_by(watched);
        }
        if let Some(access) = self.access(inst)? {
            self.extend_by(access);
            return Ok(());
        }
        if let Some(function) = self.function(inst)? {
            self.extend_by(function);
            return Ok(());
        }
        match *inst {
            Inst::Move { ty, dst, src } => self.moved(ty, dst, src)?,
            Inst::ConvertAddress { space, to_generic, dst, src } => {
                self.convert_address(space, to_generic, dst, src)?;
            }
            Inst::InSpace { space, dst, src } => self.in_space(space, dst, src)?,
            Inst::Unary { op, ty, dst, src } => self.unary(op, ty, dst, src)?,
            Inst::Binary { op, ty, dst, left, right } => self.binary(op, ty, dst, left, right)?,
            Inst::MulAdd { ty, dst, left, right, addend } => {
                let (a, b, c) = (self.row(left, ty)?, self.row(right, ty)?, self.row(addend, ty)?);
                let wide = ty.bits() == 64;
                let (mul, add) = if wide { (LaneOp::Mul64, LaneOp::Add64) } else { (LaneOp::Mul32, LaneOp::Add32) };
                let product = self.scratch(0, if wide { ScalarType::U64 } else { ScalarType::U32 })?;
                self.push(Micro { op: mul, local: true, dst: product, a, b });
                self.write(add, dst, product, c);
                self.extend(ty.machine(), dst);
            }
            Inst::Compare { op, ty, dst, left, right } => {
                let (left, right) = (self.row(left, ty)?, self.row(right, ty)?);
                let (op, swapped) = compare(op, ty.machine());
                let (a, b) = if swapped { (right, left) } else { (left, right) };
                self.write(op, dst, a, b);
            }
            Inst::Cast { from, to, dst, src } => {
                let src = self.row(src, from)?;
                self.write(cast(from.machine(), to.machine()), dst, src, src);
            }
            Inst::Numeric { op, ty, dst, args } => self.numeric(op, ty, dst, args)?,
            Inst::Load { ty, dst, slice, index, .. } => {
                let index = self.row(index, ScalarType::Usize)?;
                let op = match ty.machine() {
                    ScalarType::U8 => LaneOp::LoadU8,
                    ScalarType::I8 => LaneOp::LoadI8,
                    ScalarType::U16 | ScalarType::F16 | ScalarType::Bf16 => LaneOp::LoadU16,
                    ScalarType::I16 => LaneOp::LoadI16,
                    ScalarType::Bool => LaneOp::LoadBool,
                    ScalarType::U64 | ScalarType::I64 | ScalarType::F64 => LaneOp::Load64,
                    ScalarType::U32 | ScalarType::I32 | ScalarType::F32 | ScalarType::Usize | ScalarType::Isize => {
                        LaneOp::Load32
                    }
                };
                self.write(op, dst, index, slot(self.code, slice));
            }
            Inst::Store { ty, slice, index, value, .. } => {
                let index = self.row(index, ScalarType::Usize)?;
                let value = self.row(value, ty)?;
                let op = match ty.machine() {
                    ScalarType::F32 => LaneOp::StoreF32,
                    ScalarType::F64 => LaneOp::StoreF64,
                    ScalarType::Bool => LaneOp::StoreBool,
                    ScalarType::U8 | ScalarType::I8 => LaneOp::Store8,
                    ScalarType::U16 | ScalarType::I16 | ScalarType::F16 | ScalarType::Bf16 => LaneOp::Store16,
                    ScalarType::U64 | ScalarType::I64 => LaneOp::Store64,
                    ScalarType::U32 | ScalarType::I32 | ScalarType::Usize | ScalarType::Isize => LaneOp::Store32,
                };
                self.push(Micro { op, local: false, dst: value, a: index, b: slot(self.code, slice) });
            }
            Inst::Select { ty, dst, cond, then, otherwise } => {
                let (cond, a, b) = (self.row(cond, ScalarType::Bool)?, self.row(then, ty)?, self.row(otherwise, ty)?);
                self.push(Micro { op: LaneOp::Selector, local: true, dst: 0, a: cond, b: 0 });
                self.write(by_class(ty, LaneOp::Select32, LaneOp::Select64, LaneOp::PredicateSelect), dst, a, b);
            }
            Inst::Machine { .. }
            | Inst::Atomic { .. }
            | Inst::LoadAt { .. }
            | Inst::StoreAt { .. }
            | Inst::AtomicAt { .. }
            | Inst::Fence(_)
            | Inst::Print { .. }
            | Inst::Panic { .. }
            | Inst::Branch { .. }
            | Inst::Jump { .. }
            | Inst::Indirect { .. }
            | Inst::Call { .. }
            | Inst::Return
            | Inst::Collective { .. }
            | Inst::Barrier { .. }
            | Inst::Exit
            | Inst::Marker(_) => {}
        }
        Ok(())
    }

    fn unary(&mut self, op: UnaryOp, ty: ScalarType, dst: Reg, src: Operand) -> Done {
        let a = self.row(src, ty)?;
        match (op, ty.machine()) {
            (UnaryOp::Neg, ScalarType::F32) => self.write(LaneOp::NegF32, dst, a, a),
            (UnaryOp::Neg, ScalarType::F64) => self.write(LaneOp::NegF64, dst, a, a),
            (UnaryOp::Neg, machine) => {
                let zero = self.row(Operand::Const(Constant { ty, bits: 0 }), ty)?;
                self.write(by_class(machine, LaneOp::Sub32, LaneOp::Sub64, LaneOp::PredicateNot), dst, zero, a);
                self.extend(machine, dst);
            }
            (UnaryOp::Not, machine) => {
                self.write(by_class(machine, LaneOp::Not32, LaneOp::Not64, LaneOp::PredicateNot), dst, a, a);
                self.extend(machine, dst);
            }
        }
        Ok(())
    }

    fn numeric(&mut self, op: NumericOp, ty: ScalarType, dst: Reg, args: Args<Operand>) -> Done {
        let mut places = [None; 3];
        for ((place, slot), &arg) in places.iter_mut().zip(op.args()).zip(args.as_slice()) {
            *place = Some(self.place(arg, slot.of(ty))?);
        }
        let result = op.result().of(ty).machine();
        if let Some(lane_op) = numeric(op, ty.machine()) {
            let row = |number: usize| places[number].map_or(0, row_of);
            if places[2].is_some() {
                self.push(Micro { op: LaneOp::Addend, local: true, dst: 0, a: row(2), b: 0 });
            }
            self.write(lane_op, dst, row(0), row(1));
            self.extend(result, dst);
        } else {
            let (dst, _) = self.rows.register(dst);
            self.extend_by(Extended::Numeric(Numeric::new(op, ty, dst, places)));
        }
        Ok(())
    }

    fn binary(&mut self, op: BinaryOp, ty: ScalarType, dst: Reg, left: Operand, right: Operand) -> Done {
        let machine = ty.machine();
        if op.is_shift() {
            return self.shift(op, machine, dst, left, right);
        }
        if let Operand::Const(Constant { bits, .. }) = right
            && machine.is_int()
            && matches!(op, BinaryOp::Div | BinaryOp::Rem)
            && let Some(exponent) = power_of_two(bits, machine)
        {
            return self.divide_by_power(op, machine, dst, left, exponent);
        }
        let (a, b) = (self.row(left, ty)?, self.row(right, ty)?);
        let wide = machine.bits() == 64;
        let signed = machine.is_signed_int();
        use LaneOp::*;
        let lane_op = match (op, machine) {
            (BinaryOp::Add, ScalarType::F32) => AddF32,
            (BinaryOp::Add, ScalarType::F64) => AddF64,
            (BinaryOp::Sub, ScalarType::F32) => SubF32,
            (BinaryOp::Sub, ScalarType::F64) => SubF64,
            (BinaryOp::Mul, ScalarType::F32) => MulF32,
            (BinaryOp::Mul, ScalarType::F64) => MulF64,
            (BinaryOp::Div, ScalarType::F32) => DivF32,
            (BinaryOp::Div, ScalarType::F64) => DivF64,
            (BinaryOp::Rem, ScalarType::F32) => RemF32,
            (BinaryOp::Rem, ScalarType::F64) => RemF64,
            (BinaryOp::And, ScalarType::Bool) => PredicateAnd,
            (BinaryOp::Or, ScalarType::Bool) => PredicateOr,
            (BinaryOp::Xor, ScalarType::Bool) => PredicateXor,
            (BinaryOp::Add, _) => {
                if wide {
                    Add64
                } else {
                    Add32
                }
            }
            (BinaryOp::Sub, _) => {
                if wide {
                    Sub64
                } else {
                    Sub32
                }
            }
            (BinaryOp::Mul, _) => {
                if wide {
                    Mul64
                } else {
                    Mul32
                }
            }
            (BinaryOp::And, _) => {
                if wide {
                    And64
                } else {
                    And32
                }
            }
            (BinaryOp::Or, _) => {
                if wide {
                    Or64
                } else {
                    Or32
                }
            }
            (BinaryOp::Xor, _) => {
                if wide {
                    Xor64
                } else {
                    Xor32
                }
            }
            (BinaryOp::Div, _) => pick(wide, signed, [DivU32, DivI32, DivU64, DivI64]),
            (BinaryOp::Rem, _) => pick(wide, signed, [RemU32, RemI32, RemU64, RemI64]),
            (BinaryOp::Shl | BinaryOp::Shr, _) => unreachable!("shifts are translated apart"),
        };
        self.write(lane_op, dst, a, b);
        self.extend(machine, dst);
        Ok(())
    }

    fn shift(&mut self, op: BinaryOp, machine: ScalarType, dst: Reg, left: Operand, count: Operand) -> Done {
        let (a, mut b) = (self.row(left, machine)?, self.row(count, ScalarType::U32)?);
        if machine.bits() < 32 {
            // Rows are 32 bits wide; the count is reduced to the type's own width first.
            let low = self.constant(machine.bits() - 1)?;
            let reduced = self.scratch(0, ScalarType::U32)?;
            self.push(Micro { op: LaneOp::And32, local: true, dst: reduced, a: b, b: low });
            b = reduced;
        }
        let wide = machine.bits() == 64;
        let left = op == BinaryOp::Shl;
        let signed = machine.is_signed_int();
        let lane_op = match (left, wide) {
            (true, false) => LaneOp::Shl32,
            (true, true) => LaneOp::Shl64,
            (false, _) => pick(wide, signed, [LaneOp::ShrU32, LaneOp::ShrI32, LaneOp::ShrU64, LaneOp::ShrI64]),
        };
        self.write(lane_op, dst, a, b);
        self.extend(machine, dst);
        Ok(())
    }

    /// Brings a narrow integer's row back to its extended form after an operation on 32 bits.
    fn extend(&mut self, machine: ScalarType, dst: Reg) {
        let op = match machine {
            ScalarType::U8 => LaneOp::Narrow32U8,
            ScalarType::U16 => LaneOp::Narrow32U16,
            ScalarType::I8 => LaneOp::Narrow32I8,
            ScalarType::I16 => LaneOp::Narrow32I16,
            ScalarType::U32
            | ScalarType::U64
            | ScalarType::I32
            | ScalarType::I64
            | ScalarType::F32
            | ScalarType::F64
            | ScalarType::F16
            | ScalarType::Bf16
            | ScalarType::Bool
            | ScalarType::Usize
            | ScalarType::Isize => return,
        };
        let (place, _) = self.rows.register(dst);
        self.write(op, dst, row_of(place), 0);
    }

    pub(super) fn write(&mut self, op: LaneOp, dst: Reg, a: u16, b: u16) {
        let (place, local) = self.rows.register(dst);
        self.push(Micro { op, local, dst: row_of(place), a, b });
    }

    pub(super) fn push(&mut self, micro: Micro) {
        self.push_access(micro, micro.op.accesses_memory().then_some(Place::Word(micro.a)));
    }

    fn push_access(&mut self, micro: Micro, index: Option<Place>) {
        self.micros.push(micro);
        self.origins.push(Origin { pc: self.pc, index });
    }

    /// The place of an operand.
    pub(super) fn place(&mut self, operand: Operand, ty: ScalarType) -> Result<Place, PlanError> {
        self.rows.operand(operand, ty)
    }

    /// An operation of its own kind.
    pub(super) fn extend_by(&mut self, operation: Extended) {
        let index = operation.index();
        self.extend_with(operation, index);
    }

    /// An operation of its own kind that accesses memory at these indices.
    pub(super) fn extend_with(&mut self, operation: Extended, index: Option<Place>) {
        let number = self.extended.len();
        self.extended.push(operation);
        let micro = Micro { op: LaneOp::Extended, local: false, dst: 0, a: number as u16, b: (number >> 16) as u16 };
        self.push_access(micro, index);
    }

    pub(super) fn row(&mut self, operand: Operand, ty: ScalarType) -> Result<u16, PlanError> {
        self.rows.operand(operand, ty).map(row_of)
    }

    pub(super) fn constant(&mut self, value: u32) -> Result<u16, PlanError> {
        self.row(Operand::Const(Constant::of(value)), ScalarType::U32)
    }

    pub(super) fn typed_constant(&mut self, bits: u64, ty: ScalarType) -> Result<u16, PlanError> {
        let bits = if ty.bits() == 64 { bits } else { u64::from(u32::from_bits64(bits)) };
        self.row(Operand::Const(Constant { ty, bits }), ty)
    }

    pub(super) fn scratch(&mut self, number: usize, ty: ScalarType) -> Result<u16, PlanError> {
        let slot = number + if ty.bits() == 64 { 2 } else { 0 };
        let place = match self.scratch[slot] {
            Some(place) => place,
            None => *self.scratch[slot].insert(self.rows.fresh(ty)?),
        };
        Ok(row_of(place))
    }
}

pub(super) fn row_of(place: Place) -> u16 {
    match place {
        Place::Word(row) | Place::Wide(row) | Place::Predicate(row) => row,
    }
}
