//! Variables, registers, and what variables begin with.

use super::{commas, linkage};
use crate::syntax::{Initializer, RegisterName, Registers, Variable};
use std::fmt;

impl fmt::Display for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        linkage(f, self.linkage)?;
        write!(f, ".{} ", self.space.text())?;
        if !self.attributes.is_empty() {
            f.write_str(".attribute(")?;
            for (at, attribute) in self.attributes.iter().enumerate() {
                write!(f, "{}.{attribute}", if at == 0 { "" } else { ", " })?;
            }
            f.write_str(") ")?;
        }
        if let Some(align) = self.align {
            write!(f, ".align {align} ")?;
        }
        if let Some(vector) = self.vector {
            write!(f, ".{} ", vector.text())?;
        }
        write!(f, ".{} ", self.ty.text())?;
        if let Some(pointer) = &self.pointer {
            f.write_str(".ptr ")?;
            if let Some(space) = pointer.space {
                write!(f, ".{} ", space.text())?;
            }
            if let Some(align) = pointer.align {
                write!(f, ".align {align} ")?;
            }
        }
        write!(f, "{}", self.name)?;
        for dimension in &self.dimensions {
            match dimension {
                Some(length) => write!(f, "[{length}]")?,
                None => f.write_str("[]")?,
            }
        }
        self.initializer.as_ref().map_or(Ok(()), |value| write!(f, " = {value}"))
    }
}

impl fmt::Display for Initializer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Initializer::List(list) => {
                f.write_str("{")?;
                commas(f, list)?;
                f.write_str("}")
            }
            Initializer::Integer(value, _) => write!(f, "{value}"),
            Initializer::Float(float, _) => write!(f, "{float}"),
            Initializer::Symbol { name, generic, offset, byte } => {
                let mut text = if *generic { format!("generic({name})") } else { name.to_string() };
                if *offset != 0 {
                    text += &format!("+{offset}");
                }
                match byte {
                    Some(byte) => write!(f, "{:#x}({text})", 0xff_u64 << (8 * u32::from(*byte))),
                    None => f.write_str(&text),
                }
            }
        }
    }
}

impl fmt::Display for RegisterName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        self.count.map_or(Ok(()), |count| write!(f, "<{count}>"))
    }
}

impl fmt::Display for Registers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(".reg ")?;
        if let Some(vector) = self.vector {
            write!(f, ".{} ", vector.text())?;
        }
        write!(f, ".{} ", self.ty.text())?;
        commas(f, &self.names)
    }
}
