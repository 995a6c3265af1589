//! The second pass: instructions on memory by address.

use super::cursor::{Read, scalar};
use super::error::Problem;
use super::instruction::Mnemonic;
use super::operand::Reader;
use crate::code::{Address, AddressSpace, Inst, Operand};
use crate::ops::AtomicOp;
use crate::program::{AtomicOrder, FenceScope, LoadAccess, Memory, StoreAccess};
use crate::scalar::ScalarType;

/// The space of a name.
fn space(name: &str) -> Option<AddressSpace> {
    AddressSpace::ALL.iter().copied().find(|space| space.name() == name)
}

impl Reader<'_> {
    /// `ld.global.u32 %d, [%a+4]` and the like, if the instruction names a space.
    pub(super) fn by_address(&mut self, name: &Mnemonic<'_>) -> Read<Option<Inst>> {
        let second = name.parts.get(1).copied().unwrap_or_default();
        match (name.parts[0], space(second)) {
            ("ld", Some(space)) => {
                let (ty, to, access) = typed(name, LoadAccess::ALL, LoadAccess::Plain, LoadAccess::name)?;
                let dst = self.write()?;
                Ok(Some(Inst::LoadAt { ty, to, dst, at: self.at(space)?, access }))
            }
            ("st", Some(space)) => {
                let (ty, from, access) = typed(name, StoreAccess::ALL, StoreAccess::Plain, StoreAccess::name)?;
                let at = self.at(space)?;
                Ok(Some(Inst::StoreAt { ty, from, at, value: self.read(from)?, access }))
            }
            ("atom", Some(space)) => {
                let ty = name.ty(2)?;
                let op = name.row(3, AtomicOp::ALL, |op| op.name().into())?;
                let order = name.row(4, AtomicOrder::ALL, |order| order.name().to_ascii_lowercase())?;
                let of_block = name.parts.get(5) == Some(&"block");
                let scope = if of_block { FenceScope::Block } else { FenceScope::Device };
                name.only(5 + usize::from(of_block))?;
                let dst = if self.cursor.is_sign('%') { Some(self.write()?) } else { None };
                let at = self.at(space)?;
                let first = if op.operands() > 0 { Some(self.read(ty)?) } else { None };
                let second = if op.operands() > 1 { Some(self.read(ty)?) } else { None };
                Ok(Some(Inst::AtomicAt { op, ty, dst, at, first, second, order, scope }))
            }
            ("cvta", _) => {
                let to_generic = second != "to";
                let part = if to_generic { 1 } else { 2 };
                let space = name.row(part, AddressSpace::ALL, |space| space.name().into())?;
                name.only(part + 1)?;
                Ok(Some(Inst::ConvertAddress {
                    space,
                    to_generic,
                    dst: self.write()?,
                    src: self.read(ScalarType::U64)?,
                }))
            }
            ("isspacep", _) => {
                let space = name.row(1, AddressSpace::ALL, |space| space.name().into())?;
                name.only(2)?;
                Ok(Some(Inst::InSpace { space, dst: self.write()?, src: self.read(ScalarType::U64)? }))
            }
            _ => Ok(None),
        }
    }

    /// `[%a+4]`
    fn at(&mut self, space: AddressSpace) -> Read<Address> {
        self.comma()?;
        self.slot(|reader| {
            reader.cursor.sign('[')?;
            let base = reader.operand(ScalarType::U64)?;
            let place = reader.cursor.place();
            let negative = reader.cursor.is_sign('-');
            let offset = if negative || reader.cursor.is_sign('+') {
                reader.cursor.skip();
                let bytes = i64::from(reader.cursor.integer("a number of bytes")?);
                let offset = if negative { -bytes } else { bytes };
                i32::try_from(offset).map_err(|_| {
                    let what = format!("an offset of {offset} bytes is too far");
                    Problem::new(reader.cursor.since(place), what, "an `i32`; add more to the base")
                })?
            } else {
                0
            };
            reader.cursor.sign(']')?;
            Ok(Address { space, offset, base })
        })
    }

    /// `&tile`: the address of a symbol or parameter.
    pub(super) fn address_of(&mut self) -> Read<Operand> {
        let start = self.cursor.place();
        self.cursor.sign('&')?;
        let name = self.cursor.name("the name of a symbol or parameter")?;
        if let Some(&symbol) = self.declared.symbol_names.get(&name) {
            return Ok(Operand::Symbol(symbol));
        }
        let place = self.cursor.since(start);
        match self.declared.memory_named(&name, place)? {
            Memory::Param(param) => Ok(Operand::ParamAddress(param)),
            Memory::Array(_) => {
                let what = format!("`{}` is an array of elements, which has no address", name.text);
                Err(Problem::new(place, what, "memory that is declared by bytes, as `.shared tile: 256 align 4`"))
            }
        }
    }
}

/// The type in memory, that of the register, and the cache operator, behind the space.
fn typed<T: Copy>(
    name: &Mnemonic<'_>,
    rows: &[T],
    plain: T,
    text: fn(T) -> &'static str,
) -> Read<(ScalarType, ScalarType, T)> {
    let ty = name.ty(2)?;
    let other = name.parts.get(3).and_then(|part| scalar(part));
    let behind = 3 + usize::from(other.is_some());
    let access = if name.parts.len() > behind { name.row(behind, rows, |row| text(row).into())? } else { plain };
    name.only(behind + 1)?;
    Ok((ty, other.unwrap_or(ty), access))
}
