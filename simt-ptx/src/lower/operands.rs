//! Operands as values of a type, and results.

use super::emit::Emitter;
use crate::scope::Meaning;
use crate::syntax::{Component, Float, Operand as Written, OperandKind, Type};
use simt_core::code::{Inst, Operand, Reg};
use simt_core::ops::{BinaryOp, UnaryOp};
use simt_core::program::Builtin;
use simt_core::{Constant, ScalarType};

/// The type of values that machines compute as the type of PTX; none of packed ones and handles.
pub(super) fn scalar(ty: Type) -> Option<ScalarType> {
    Some(match ty {
        Type::Pred => ScalarType::Bool,
        Type::B8 | Type::U8 => ScalarType::U8,
        Type::S8 => ScalarType::I8,
        Type::B16 | Type::U16 => ScalarType::U16,
        Type::S16 => ScalarType::I16,
        Type::F16 => ScalarType::F16,
        Type::Bf16 => ScalarType::Bf16,
        Type::B32 | Type::U32 | Type::F16x2 | Type::Bf16x2 | Type::U16x2 | Type::S16x2 => ScalarType::U32,
        Type::S32 => ScalarType::I32,
        Type::B64 | Type::U64 | Type::F32x2 => ScalarType::U64,
        Type::S64 => ScalarType::I64,
        Type::F32 => ScalarType::F32,
        Type::F64 => ScalarType::F64,
        Type::B128 | Type::Texref | Type::Samplerref | Type::Surfref => return None,
    })
}

/// The unsigned type of so many bits.
pub(super) fn unsigned(bits: u32) -> ScalarType {
    match bits {
        1 => ScalarType::Bool,
        8 => ScalarType::U8,
        16 => ScalarType::U16,
        32 => ScalarType::U32,
        _ => ScalarType::U64,
    }
}

/// A float of a constant as its bits; a register holds those.
pub(super) fn as_bits(value: Operand) -> Operand {
    match value {
        Operand::Const(constant) => Operand::Const(Constant { ty: unsigned(constant.ty.bits()), ..constant }),
        value => value,
    }
}

/// A constant of a type.
pub(super) fn constant(value: i128, ty: ScalarType) -> Operand {
    let bits = value as u64 & (u64::MAX >> (64 - ty.bits()));
    Operand::Const(Constant { ty, bits })
}

impl Emitter<'_, '_> {
    /// An operand as a value of a type.
    pub(super) fn read(&mut self, written: &Written, ty: ScalarType) -> Option<Operand> {
        match &written.kind {
            OperandKind::Integer(value) if ty == ScalarType::Bool => Some(constant(i128::from(*value != 0), ty)),
            OperandKind::Integer(value) if !ty.is_float() => Some(constant(*value, ty)),
            OperandKind::Integer(value) => Some(float(*value as f64, ty)),
            OperandKind::Float(Float::Single(bits)) => Some(match ty {
                ScalarType::F64 => float(f64::from(f32::from_bits(*bits)), ty),
                ty => constant(i128::from(*bits), ty),
            }),
            OperandKind::Float(Float::Double(bits)) => Some(match ty {
                ScalarType::F32 => float(f64::from_bits(*bits), ty),
                ty => constant(i128::from(*bits), ty),
            }),
            OperandKind::Not(name) => {
                let reg = self.named_register(name).filter(|&reg| self.type_of(reg) == ScalarType::Bool);
                let Some(reg) = reg else { return self.wrong(written, ty) };
                let dst = self.temporary(ScalarType::Bool);
                self.push(Inst::Unary { op: UnaryOp::Not, ty: ScalarType::Bool, dst, src: Operand::Reg(reg) });
                Some(Operand::Reg(dst))
            }
            OperandKind::Name(name) => self.read_name(written, name, ty),
            // The fourth dimension is not used (PTX ISA, `%tid`).
            OperandKind::Component(_, Component::W) => Some(constant(0, ty)),
            OperandKind::Component(name, component) => {
                let builtin = along(name, *component);
                let Some(builtin) = builtin else { return self.wrong(written, ty) };
                self.special(builtin, ty)
            }
            OperandKind::Sum(name, offset) => {
                let base = self.address_of(name).or_else(|| self.wrong(written, ty))?;
                let dst = self.temporary(ScalarType::U64);
                let right = constant(i128::from(*offset), ScalarType::U64);
                self.push(Inst::Binary { op: BinaryOp::Add, ty: ScalarType::U64, dst, left: base, right });
                self.narrowed(Operand::Reg(dst), ty)
            }
            _ => self.wrong(written, ty),
        }
    }

    fn read_name(&mut self, written: &Written, name: &str, ty: ScalarType) -> Option<Operand> {
        if let Some(reg) = self.named_register(name) {
            let own = self.type_of(reg);
            if own.bits() != ty.bits() {
                return self.wrong(written, ty);
            }
            return Some(self.as_type(Operand::Reg(reg), own, ty));
        }
        if let Some(builtin) = special(name) {
            return self.special(builtin, ty);
        }
        if let Some(value) = self.of_machine(name) {
            return self.narrowed(value, ty);
        }
        if let Some(reason) = not_filled(name) {
            return self.unsupported_name(name, reason, written.span);
        }
        match self.address_of(name) {
            Some(address) if ty.bits() == 64 => Some(address),
            Some(address) => self.narrowed(address, ty),
            None => self.wrong(written, ty),
        }
    }

    /// A value of a register as one of another type of its width.
    pub(super) fn as_type(&mut self, value: Operand, own: ScalarType, ty: ScalarType) -> Operand {
        let extends = |ty: ScalarType| ty.bits() < 32 && ty.is_signed_int();
        if extends(own) == extends(ty) {
            return value;
        }
        let dst = self.temporary(ty);
        self.push(Inst::Cast { from: own, to: ty, dst, src: value });
        Operand::Reg(dst)
    }

    /// The low bits of a `u64`, as a value of an integer type.
    fn narrowed(&mut self, value: Operand, ty: ScalarType) -> Option<Operand> {
        if ty.bits() == 64 {
            return Some(value);
        }
        let to = unsigned(ty.bits());
        let dst = self.temporary(to);
        self.push(Inst::Cast { from: ScalarType::U64, to, dst, src: value });
        Some(self.as_type(Operand::Reg(dst), to, ty))
    }

    /// A special register, which has 32 bits.
    fn special(&mut self, builtin: Builtin, ty: ScalarType) -> Option<Operand> {
        let dst = self.temporary(ScalarType::Usize);
        self.push(Inst::Move { ty: ScalarType::Usize, dst, src: Operand::Builtin(builtin) });
        let to = unsigned(ty.bits());
        if to.bits() == 32 && !ty.is_float() {
            let moved = self.register(None, ScalarType::U32, true);
            if let Some(Inst::Move { dst, .. }) = self.insts.last_mut() {
                *dst = moved;
            }
            return Some(Operand::Reg(moved));
        }
        let cast = self.temporary(to);
        self.push(Inst::Cast { from: ScalarType::Usize, to, dst: cast, src: Operand::Reg(dst) });
        Some(self.as_type(Operand::Reg(cast), to, ty))
    }

    fn wrong<T>(&mut self, written: &Written, ty: ScalarType) -> Option<T> {
        let help = "write a register that is as wide, a number, or a special register that the machine has";
        self.problem(written.span, format!("this is no value of {} bits that kernels here have", ty.bits()), help);
        None
    }

    /// Lets a result of a type be written to an operand: a register, or `_`.
    pub(super) fn write(&mut self, written: &Written, ty: ScalarType, emit: impl FnOnce(&mut Self, Reg)) -> Option<()> {
        let dst = match &written.kind {
            OperandKind::Sink => {
                let unused = self.temporary(ty);
                emit(self, unused);
                return Some(());
            }
            OperandKind::Name(name) => self.named_register(name),
            _ => None,
        };
        let Some(dst) = dst else {
            let found = match &written.kind {
                OperandKind::Name(name) if matches!(self.scopes.find(name), Some(Meaning::Variable { .. })) => {
                    "a variable"
                }
                _ => "no register",
            };
            self.problem(
                written.span,
                format!("the result goes to a register, and this is {found}"),
                "declare a register",
            );
            return None;
        };
        let own = self.type_of(dst);
        if own.bits() == ty.bits() {
            let extends = |ty: ScalarType| ty.bits() < 32 && ty.is_signed_int();
            if extends(own) == extends(ty) {
                emit(self, dst);
                return Some(());
            }
        } else if own.bits() < ty.bits()
            || own.is_float()
            || ty.is_float()
            || own == ScalarType::Bool
            || ty == ScalarType::Bool
        {
            return self.wrong(written, ty);
        }
        let narrow = self.temporary(ty);
        emit(self, narrow);
        self.push(Inst::Cast { from: ty, to: own, dst, src: Operand::Reg(narrow) });
        Some(())
    }
}

fn float(value: f64, ty: ScalarType) -> Operand {
    match ty {
        ScalarType::F32 => constant(i128::from((value as f32).to_bits()), ty),
        _ => constant(i128::from(value.to_bits()), ty),
    }
}

fn along(name: &str, component: Component) -> Option<Builtin> {
    use Builtin::{
        BlockDimX, BlockDimY, BlockDimZ, BlockIdxX, BlockIdxY, BlockIdxZ, GridDimX, GridDimY, GridDimZ, ThreadIdxX,
        ThreadIdxY, ThreadIdxZ,
    };
    let all = match name {
        "%tid" => [ThreadIdxX, ThreadIdxY, ThreadIdxZ],
        "%ntid" => [BlockDimX, BlockDimY, BlockDimZ],
        "%ctaid" => [BlockIdxX, BlockIdxY, BlockIdxZ],
        "%nctaid" => [GridDimX, GridDimY, GridDimZ],
        _ => return None,
    };
    all.get(component.index() as usize).copied()
}

/// Why the machine does not fill a special register, if it does not.
fn not_filled(name: &str) -> Option<&'static str> {
    Some(match name {
        "%clock" | "%clock_hi" | "%clock64" | "%globaltimer" | "%globaltimer_lo" | "%globaltimer_hi" => {
            "time: without a clock a launch has none, and with one its cycles are in the report and not for kernels to read; \
             remove it"
        }
        "%smid" | "%nsmid" | "%nwarpid" => {
            "multiprocessors: without a clock a launch has none, and with one their figures are in the report; remove it"
        }
        "%gridid" => "numbers of launches: pass one as a parameter",
        "%total_smem_size" | "%aggr_smem_size" | "%dynamic_smem_size" => {
            "the size of shared memory: pass it as a parameter"
        }
        _ => return None,
    })
}

fn special(name: &str) -> Option<Builtin> {
    Some(match name {
        "%laneid" => Builtin::LaneId,
        "%warpid" => Builtin::WarpId,
        "WARP_SZ" => Builtin::WarpWidth,
        _ => return None,
    })
}

impl Emitter<'_, '_> {
    /// A special register that is computed of others, as a `u64`.
    fn of_machine(&mut self, name: &str) -> Option<Operand> {
        let (all, shift): (i128, i128) = match name {
            // Lanes below and above this one.
            "%lanemask_eq" => (1, 0),
            "%lanemask_lt" | "%lanemask_ge" => (-1, 0),
            "%lanemask_le" | "%lanemask_gt" => (-1, 1),
            _ => return None,
        };
        let wide = ScalarType::U64;
        let (lane, count, mask) =
            (self.temporary(ScalarType::Usize), self.temporary(ScalarType::U32), self.temporary(wide));
        self.push(Inst::Move { ty: ScalarType::Usize, dst: lane, src: Operand::Builtin(Builtin::LaneId) });
        self.push(Inst::Cast { from: ScalarType::Usize, to: ScalarType::U32, dst: count, src: Operand::Reg(lane) });
        if shift > 0 {
            let (ty, left) = (ScalarType::U32, Operand::Reg(count));
            self.push(Inst::Binary { op: BinaryOp::Add, ty, dst: count, left, right: constant(shift, ty) });
        }
        let (left, right) = (constant(all, wide), Operand::Reg(count));
        self.push(Inst::Binary { op: BinaryOp::Shl, ty: wide, dst: mask, left, right });
        if matches!(name, "%lanemask_lt" | "%lanemask_le") {
            self.push(Inst::Unary { op: UnaryOp::Not, ty: wide, dst: mask, src: Operand::Reg(mask) });
        }
        Some(Operand::Reg(mask))
    }
}
