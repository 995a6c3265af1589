//! Operands and instructions.

use super::commas;
use crate::syntax::{Float, Guard, Instruction, Operand, OperandKind};
use std::fmt;

impl fmt::Display for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Float::Single(bits) => write!(f, "0f{bits:08X}"),
            Float::Double(bits) => write!(f, "0d{bits:016X}"),
        }
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let enclosed = |f: &mut fmt::Formatter<'_>, open: &str, operands: &[Operand], close: &str| {
            f.write_str(open)?;
            commas(f, operands)?;
            f.write_str(close)
        };
        match &self.kind {
            OperandKind::Name(name) => f.write_str(name),
            OperandKind::Component(name, component) => write!(f, "{name}.{}", component.text()),
            OperandKind::Sum(name, offset) => write!(f, "{name}+{offset}"),
            OperandKind::Not(name) => write!(f, "!{name}"),
            OperandKind::Integer(value) => write!(f, "{value}"),
            OperandKind::Float(float) => write!(f, "{float}"),
            OperandKind::Address { base: None, offset } => write!(f, "[{offset}]"),
            OperandKind::Address { base: Some(base), offset: 0 } => write!(f, "[{base}]"),
            OperandKind::Address { base: Some(base), offset } => write!(f, "[{base}+{offset}]"),
            OperandKind::Brackets(operands) => enclosed(f, "[", operands, "]"),
            OperandKind::Vector(operands) => enclosed(f, "{", operands, "}"),
            OperandKind::Sink => f.write_str("_"),
            OperandKind::Pair(first, second) => write!(f, "{first}|{second}"),
            OperandKind::List(operands) => enclosed(f, "(", operands, ")"),
        }
    }
}

impl fmt::Display for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}{}", if self.negated { "!" } else { "" }, self.register)
    }
}

impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(guard) = &self.guard {
            write!(f, "{guard} ")?;
        }
        f.write_str(&self.opcode.text)?;
        self.modifiers.iter().try_for_each(|modifier| write!(f, ".{modifier}"))?;
        if !self.operands.is_empty() {
            f.write_str(" ")?;
            commas(f, &self.operands)?;
        }
        f.write_str(";")
    }
}
