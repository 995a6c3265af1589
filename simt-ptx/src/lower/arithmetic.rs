//! Sums, products, quotients, and functions of floats.

use super::emit::Emitter;
use super::modifiers::Modifiers;
use super::operands::{as_bits, scalar, unsigned};
use super::pairs::is_packed;
use super::rounding::Rounding;
use crate::syntax::{Instruction, Operand as Written, Type};
use simt_core::ScalarType;
use simt_core::code::{Inst, Operand, Reg};
use simt_core::ops::{Args, BinaryOp, MachineOp, NumericOp, UnaryOp};

impl<'m> Emitter<'m, '_> {
    /// Operands of one type.
    pub(super) fn read_all(&mut self, operands: &'m [Written], ty: ScalarType) -> Option<Vec<Operand>> {
        operands.iter().map(|operand| self.read(operand, ty)).collect()
    }

    /// An operation on values of one type, `op d, a, b, ..`, with the roundings of floats.
    pub(super) fn operation(
        &mut self,
        instruction: &'m Instruction,
        ty: ScalarType,
        rounding: Rounding,
        emit: impl Fn(&mut Self, Reg, &[Operand]),
    ) -> Option<()> {
        let [dst, operands @ ..] = &instruction.operands[..] else { return self.miscounted(instruction) };
        if is_packed(instruction) {
            return self.on_pairs(dst, operands, ty, rounding, emit);
        }
        let mut values = Vec::with_capacity(operands.len());
        for (number, operand) in operands.iter().enumerate() {
            // Of a sum of mixed floats, the last term has the type of the result.
            let short = Self::short_type(instruction, ty).filter(|_| number + 1 < operands.len());
            let value = match short {
                Some(short) => {
                    let value = self.read(operand, short)?;
                    self.widened_half(value, short)
                }
                None => self.read(operand, ty)?,
            };
            values.push(self.flushed(value, ty, rounding));
        }
        self.write(dst, ty, |emitter, dst| {
            emit(emitter, dst, &values);
            emitter.rounded(dst, ty, rounding);
        })
    }

    /// The type of the shorter floats of a sum of mixed ones.
    fn short_type(instruction: &'m Instruction, ty: ScalarType) -> Option<ScalarType> {
        let types = instruction.modifiers.iter().filter_map(|name| Type::from_text(&name.text));
        types.skip(1).find_map(scalar).filter(|short| short.is_half() && ty == ScalarType::F32)
    }

    pub(super) fn miscounted<T>(&mut self, instruction: &Instruction) -> Option<T> {
        let message = format!("`{}` has not these operands", instruction.full_name());
        self.problem(instruction.name_span(), message, "see the PTX ISA for the instruction's operands");
        None
    }

    /// `add`, `sub`, with `.sat` of integers and with carries.
    pub(super) fn sum(&mut self, instruction: &'m Instruction, subtract: bool, carried: bool) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        let ty = self.type_in(instruction, &modifiers)?;
        let carries = modifiers.take("cc");
        if ty.is_float() {
            let rounding = Self::rounding(&mut modifiers);
            self.only(instruction, &modifiers)?;
            let op = if subtract { BinaryOp::Sub } else { BinaryOp::Add };
            let directed = rounding.directed("add", ty);
            return self.operation(instruction, ty, rounding, |emitter, dst, values| match directed {
                Some(op) => {
                    let mut addend = values[1];
                    if subtract {
                        let opposite = emitter.temporary(ty);
                        emitter.push(Inst::Unary { op: UnaryOp::Neg, ty, dst: opposite, src: addend });
                        addend = Operand::Reg(opposite);
                    }
                    emitter.push(Inst::Machine { op, dst, args: Args::Two([values[0], addend]) });
                }
                None => emitter.binary(op, ty, dst, values),
            });
        }
        let saturates = modifiers.take("sat");
        self.only(instruction, &modifiers)?;
        if carries || carried {
            return self.with_carry(instruction, unsigned(ty.bits()), subtract, (carries, carried));
        }
        self.operation(instruction, ty, Rounding::default(), |emitter, dst, values| {
            let (plain, saturating) = if subtract {
                (BinaryOp::Sub, NumericOp::SaturatingSub)
            } else {
                (BinaryOp::Add, NumericOp::SaturatingAdd)
            };
            if saturates {
                emitter.numeric(saturating, ty, dst, values);
            } else {
                emitter.binary(plain, ty, dst, values);
            }
        })
    }

    /// The carry of a function: one flag for all of its instructions.
    fn carry(&mut self) -> Reg {
        let owner = self.owner;
        if let Some(&carry) = self.carry.get(&owner) {
            return carry;
        }
        let carry = self.register(Some("carry"), ScalarType::Bool, false);
        self.carry.insert(owner, carry);
        carry
    }

    fn with_carry(
        &mut self,
        instruction: &'m Instruction,
        ty: ScalarType,
        subtract: bool,
        carries: (bool, bool),
    ) -> Option<()> {
        let [dst, a, b] = &instruction.operands[..] else { return self.miscounted(instruction) };
        let values = [self.read(a, ty)?, self.read(b, ty)?];
        self.carried_sum(dst, ty, subtract, carries, values)
    }

    /// A sum or difference that writes the carry, and reads it.
    fn carried_sum(
        &mut self,
        dst: &'m Written,
        ty: ScalarType,
        subtract: bool,
        (carries, carried): (bool, bool),
        [left, right]: [Operand; 2],
    ) -> Option<()> {
        let wide = ty.bits() == 64;
        let (sum, flag) = match (subtract, wide) {
            (false, false) => (MachineOp::AddCarryU32, MachineOp::CarryOfAddU32),
            (false, true) => (MachineOp::AddCarryU64, MachineOp::CarryOfAddU64),
            (true, false) => (MachineOp::SubBorrowU32, MachineOp::BorrowOfSubU32),
            (true, true) => (MachineOp::SubBorrowU64, MachineOp::BorrowOfSubU64),
        };
        let carry = self.carry();
        self.write(dst, ty, |emitter, dst| {
            let into = if carried { Operand::Reg(carry) } else { Operand::Const(simt_core::Constant::of(false)) };
            let args = Args::Three([left, right, into]);
            let out = emitter.temporary(ScalarType::Bool);
            if carries {
                emitter.push(Inst::Machine { op: flag, dst: out, args });
            }
            emitter.push(Inst::Machine { op: sum, dst, args });
            if carries {
                emitter.push(Inst::Move { ty: ScalarType::Bool, dst: carry, src: Operand::Reg(out) });
            }
        })
    }

    /// `mad.lo.cc` and its siblings: a half of a product, and a sum with carries.
    pub(super) fn product_with_carry(&mut self, instruction: &'m Instruction, high: bool, carried: bool) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        let ty = self.type_in(instruction, &modifiers)?;
        let carries = modifiers.take("cc");
        modifiers.ignore(&["lo", "hi"]);
        self.only(instruction, &modifiers)?;
        let word = unsigned(ty.bits());
        let [dst, a, b, c] = &instruction.operands[..] else { return self.miscounted(instruction) };
        let (a, b, c) = (self.read(a, ty)?, self.read(b, ty)?, self.read(c, word)?);
        let product = self.register(None, word, true);
        let op = match ty {
            ScalarType::U32 => MachineOp::MulHiU32,
            ScalarType::I32 => MachineOp::MulHiI32,
            ScalarType::U64 => MachineOp::MulHiU64,
            _ => MachineOp::MulHiI64,
        };
        if high {
            self.push(Inst::Machine { op, dst: product, args: Args::Two([a, b]) });
        } else {
            self.binary(BinaryOp::Mul, ty, product, &[a, b]);
        }
        self.carried_sum(dst, word, false, (carries, carried), [Operand::Reg(product), c])
    }

    /// `mul`, `mad`, of the low or high half or of twice the width, and `fma`.
    pub(super) fn product(&mut self, instruction: &'m Instruction, adds: bool) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        let ty = self.type_in(instruction, &modifiers)?;
        if ty.is_float() {
            let rounding = Self::rounding(&mut modifiers);
            self.only(instruction, &modifiers)?;
            let directed = rounding.directed(if adds { "fma" } else { "mul" }, ty);
            return self.operation(instruction, ty, rounding, |emitter, dst, values| match directed {
                Some(op) => emitter.machine(op, dst, values),
                None if adds => emitter.numeric(NumericOp::MulAdd, ty, dst, values),
                None => emitter.binary(BinaryOp::Mul, ty, dst, values),
            });
        }
        modifiers.ignore(&["lo"]);
        let (high, wide, saturates) = (modifiers.take("hi"), modifiers.take("wide"), modifiers.take("sat"));
        self.only(instruction, &modifiers)?;
        if wide {
            return self.wide_product(instruction, ty, adds);
        }
        if high && ty.bits() == 16 {
            return self.high_half(instruction, ty);
        }
        let high_op = match ty {
            ScalarType::I32 => MachineOp::MulHiI32,
            ScalarType::U64 => MachineOp::MulHiU64,
            ScalarType::I64 => MachineOp::MulHiI64,
            _ => MachineOp::MulHiU32,
        };
        self.operation(instruction, ty, Rounding::default(), |emitter, dst, values| match (high, adds) {
            (false, false) => emitter.binary(BinaryOp::Mul, ty, dst, values),
            (false, true) => {
                emitter.push(Inst::MulAdd { ty, dst, left: values[0], right: values[1], addend: values[2] });
            }
            (true, _) => {
                let product = if adds { emitter.temporary(ty) } else { dst };
                emitter.push(Inst::Machine { op: high_op, dst: product, args: Args::Two([values[0], values[1]]) });
                let terms = [Operand::Reg(product), values.get(2).copied().unwrap_or(Operand::Reg(product))];
                match (adds, saturates) {
                    (false, _) => {}
                    (true, false) => emitter.binary(BinaryOp::Add, ty, dst, &terms),
                    (true, true) => emitter.numeric(NumericOp::SaturatingAdd, ty, dst, &terms),
                }
            }
        })
    }

    /// `mul.hi` and `mad.hi` of 16 bits: the product has 32.
    fn high_half(&mut self, instruction: &'m Instruction, ty: ScalarType) -> Option<()> {
        let wide = if ty.is_signed_int() { ScalarType::I32 } else { ScalarType::U32 };
        let [dst, a, b, addend @ ..] = &instruction.operands[..] else { return self.miscounted(instruction) };
        let values = [self.widened(a, ty, wide)?, self.widened(b, ty, wide)?];
        let addend = self.read_all(addend, ty)?;
        let product = self.temporary(wide);
        self.binary(BinaryOp::Mul, wide, product, &values);
        let half = super::operands::constant(16, ScalarType::U32);
        self.binary(BinaryOp::Shr, wide, product, &[Operand::Reg(product), half]);
        self.write(dst, ty, |emitter, dst| {
            let half = if addend.is_empty() { dst } else { emitter.temporary(ty) };
            emitter.push(Inst::Cast { from: wide, to: ty, dst: half, src: Operand::Reg(product) });
            if let [addend] = addend[..] {
                emitter.binary(BinaryOp::Add, ty, dst, &[Operand::Reg(half), addend]);
            }
        })
    }

    fn wide_product(&mut self, instruction: &'m Instruction, ty: ScalarType, adds: bool) -> Option<()> {
        let wide = match ty {
            ScalarType::U16 => ScalarType::U32,
            ScalarType::I16 => ScalarType::I32,
            ScalarType::U32 => ScalarType::U64,
            ScalarType::I32 => ScalarType::I64,
            _ => return self.unsupported(instruction, "a product of twice the width is at most of 64 bits"),
        };
        let (dst, a, b, c) = match &instruction.operands[..] {
            [dst, a, b] if !adds => (dst, a, b, None),
            [dst, a, b, c] if adds => (dst, a, b, Some(c)),
            _ => return self.miscounted(instruction),
        };
        let (a, b) = (self.widened(a, ty, wide)?, self.widened(b, ty, wide)?);
        let c = match c {
            Some(c) => Some(self.read(c, wide)?),
            None => None,
        };
        self.write(dst, wide, |emitter, dst| match c {
            Some(addend) => emitter.push(Inst::MulAdd { ty: wide, dst, left: a, right: b, addend }),
            None => emitter.binary(BinaryOp::Mul, wide, dst, &[a, b]),
        })
    }

    fn widened(&mut self, written: &'m Written, ty: ScalarType, wide: ScalarType) -> Option<Operand> {
        let value = self.read(written, ty)?;
        if let Operand::Const(constant) = value {
            let unused = 64 - ty.bits();
            let number = if ty.is_signed_int() {
                i128::from((constant.bits << unused) as i64 >> unused)
            } else {
                i128::from(constant.bits)
            };
            return Some(super::operands::constant(number, wide));
        }
        let dst = self.temporary(wide);
        self.push(Inst::Cast { from: ty, to: wide, dst, src: value });
        Some(Operand::Reg(dst))
    }

    /// `div`, `rem`
    pub(super) fn divided(&mut self, instruction: &'m Instruction, op: BinaryOp) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        let ty = self.type_in(instruction, &modifiers)?;
        let rounding = Self::rounding(&mut modifiers);
        self.only(instruction, &modifiers)?;
        let directed = rounding.directed("div", ty);
        self.operation(instruction, ty, rounding, |emitter, dst, values| match directed {
            Some(op) => emitter.machine(op, dst, values),
            None => emitter.binary(op, ty, dst, values),
        })
    }

    /// A function of one operand: `abs`, `sqrt`, `ex2`.
    pub(super) fn of_one(&mut self, instruction: &'m Instruction, op: NumericOp) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        let ty = self.type_in(instruction, &modifiers)?;
        let rounding = Self::rounding(&mut modifiers);
        self.only(instruction, &modifiers)?;
        let directed = match op {
            NumericOp::Recip => rounding.directed("rcp", ty),
            NumericOp::Sqrt => rounding.directed("sqrt", ty),
            _ => None,
        };
        self.operation(instruction, ty, rounding, |emitter, dst, values| match directed {
            Some(op) => emitter.machine(op, dst, values),
            None => emitter.numeric(op, ty, dst, values),
        })
    }

    /// `rsqrt`
    pub(super) fn reciprocal_root(&mut self, instruction: &'m Instruction) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        let ty = self.type_in(instruction, &modifiers)?;
        let rounding = Self::rounding(&mut modifiers);
        self.only(instruction, &modifiers)?;
        let op = if ty == ScalarType::F64 { MachineOp::ReciprocalRootF64 } else { MachineOp::ReciprocalRootF32 };
        self.operation(instruction, ty, rounding, |emitter, dst, values| {
            emitter.push(Inst::Machine { op, dst, args: Args::One([values[0]]) });
        })
    }

    /// `copysign d, a, b`: the number `b` with the sign of `a`, which a NaN has, too.
    pub(super) fn copied_sign(&mut self, instruction: &'m Instruction) -> Option<()> {
        let modifiers = Modifiers::of(instruction);
        let ty = self.type_in(instruction, &modifiers)?;
        self.only(instruction, &modifiers)?;
        let bits = unsigned(ty.bits());
        let sign = 1i128 << (ty.bits() - 1);
        self.operation(instruction, ty, Rounding::default(), |emitter, dst, values| {
            let [first, second] = [sign, sign - 1].map(|mask| super::operands::constant(mask, bits));
            let (signs, number) = (emitter.register(None, bits, true), emitter.register(None, bits, true));
            let [a, b] = [values[0], values[1]].map(as_bits);
            emitter.binary(BinaryOp::And, bits, signs, &[a, first]);
            emitter.binary(BinaryOp::And, bits, number, &[b, second]);
            emitter.binary(BinaryOp::Or, bits, dst, &[Operand::Reg(signs), Operand::Reg(number)]);
        })
    }

    /// `neg`
    pub(super) fn negated(&mut self, instruction: &'m Instruction) -> Option<()> {
        let mut modifiers = Modifiers::of(instruction);
        let ty = self.type_in(instruction, &modifiers)?;
        let rounding = Self::rounding(&mut modifiers);
        self.only(instruction, &modifiers)?;
        self.operation(instruction, ty, rounding, |emitter, dst, values| {
            emitter.push(Inst::Unary { op: UnaryOp::Neg, ty, dst, src: values[0] });
        })
    }

    pub(super) fn binary(&mut self, op: BinaryOp, ty: ScalarType, dst: Reg, values: &[Operand]) {
        self.push(Inst::Binary { op, ty, dst, left: values[0], right: values[1] });
    }

    /// An operation of the machine on as many values as it takes.
    pub(super) fn machine(&mut self, op: MachineOp, dst: Reg, values: &[Operand]) {
        let args = match *values {
            [] => return,
            [a] => Args::One([a]),
            [a, b] => Args::Two([a, b]),
            [a, b, c, ..] => Args::Three([a, b, c]),
        };
        self.push(Inst::Machine { op, dst, args });
    }

    pub(super) fn numeric(&mut self, op: NumericOp, ty: ScalarType, dst: Reg, values: &[Operand]) {
        let args = match *values {
            [a] => Args::One([a]),
            [a, b, ..] if op.args().len() == 2 => Args::Two([a, b]),
            [a, b, c, ..] => Args::Three([a, b, c]),
            [a, b] => Args::Two([a, b]),
            [] => return,
        };
        self.push(Inst::Numeric { op, ty, dst, args });
    }
}
