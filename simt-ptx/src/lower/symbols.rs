//! Variables as symbols, with what they hold in the beginning.

use super::emit::Emitter;
use crate::scope::Meaning;
use crate::syntax::{Float, Initializer, Linkage, Space, Type, Variable};
use simt_core::code::{AddressSpace, InitialAddress, Initialiser, Operand, Symbol, SymbolId};
use simt_core::program::ParamId;
use simt_core::source::Span;

/// What the memory is called whose size the launch gives, if several variables without a size are there.
const DYNAMIC: &str = "dynamic";

impl<'m> Emitter<'m, '_> {
    /// The address of what a name means, in its space; none if it is no variable and no function.
    pub(super) fn address_of(&mut self, name: &str) -> Option<Operand> {
        let (variable, of_function, scope) = match self.scopes.find(name)? {
            Meaning::Variable { variable, of_function, scope } => (variable, of_function, scope),
            Meaning::Function(function) => return self.function_address(function),
            Meaning::Register { .. } | Meaning::Special(_) => return None,
        };
        if let Some(address) = self.on_stack(variable) {
            return Some(address);
        }
        if !of_function {
            return self.symbol(&format!("{scope}:{name}"), variable).map(Operand::Symbol);
        }
        if self.owner.is_some() {
            let is_passed = self.function?.parameters.iter().any(|own| std::ptr::eq(own, variable));
            return if is_passed { self.parameter_address(variable) } else { None };
        }
        let entry = self.entry?;
        let number = entry.parameters.iter().position(|variable| variable.name.text == name)?;
        Some(Operand::ParamAddress(ParamId(number as u32)))
    }

    /// New local memory of each thread.
    pub(super) fn local_symbol(&mut self, name: &str, size: u32, align: u32, span: Span) -> SymbolId {
        let function = self.owner;
        self.symbols.push(Symbol {
            name: name.to_string().into(),
            space: AddressSpace::Local,
            size,
            align,
            dynamic: false,
            init: None,
            function,
            span,
        });
        SymbolId(self.symbols.len() as u32 - 1)
    }

    fn symbol(&mut self, key: &str, variable: &'m Variable) -> Option<SymbolId> {
        let space = match variable.space {
            Space::Global => AddressSpace::Global,
            Space::Shared => AddressSpace::Shared,
            Space::Local => AddressSpace::Local,
            Space::Const => AddressSpace::Const,
            Space::Param | Space::Reg | Space::Tex => return None,
        };
        let dynamic = space == AddressSpace::Shared && variable.bytes().is_none_or(|bytes| bytes == 0);
        let key = if dynamic { DYNAMIC } else { key };
        if let Some(&known) = self.symbol_numbers.get(key) {
            if let Some(symbol) = self.symbols.get_mut(known.0 as usize).filter(|_| dynamic) {
                symbol.align = symbol.align.max(variable.alignment());
                if symbol.name != variable.name.text.as_str() {
                    symbol.name = DYNAMIC.into();
                }
            }
            return Some(known);
        }
        let elsewhere = variable.linkage == Linkage::Extern && !dynamic;
        let size = if dynamic { Some(0) } else { variable.bytes().and_then(|bytes| u32::try_from(bytes).ok()) };
        let Some(size) = size.filter(|_| !elsewhere) else {
            self.problem(
                variable.name.span,
                format!("`{}` has no size, or stands in another module", variable.name),
                "give it a size of at most 4 GB in this module; only shared memory may get its size at the launch",
            );
            return None;
        };
        let id = SymbolId(self.symbols.len() as u32);
        self.symbol_numbers.insert(key.to_string(), id);
        let span = self.declared(variable.name.span);
        let is_local = space == AddressSpace::Local;
        self.symbols.push(Symbol {
            name: variable.name.text.clone().into(),
            space,
            size,
            align: variable.alignment().max(1),
            dynamic,
            init: None,
            function: self.owner.filter(|_| is_local),
            span,
        });
        if let Some(initializer) = &variable.initializer {
            let mut init = Initialiser { bytes: vec![0; size as usize], addresses: Vec::new() };
            self.initial(initializer, variable.ty, &mut 0, &mut init);
            self.symbols[id.0 as usize].init = Some(init);
        }
        Some(id)
    }

    /// Writes what a variable holds in the beginning, from a byte on.
    fn initial(&mut self, initializer: &'m Initializer, ty: Type, at: &mut usize, init: &mut Initialiser) {
        let bytes = ty.bytes() as usize;
        let mut put = |at: &mut usize, value: u64| {
            for (number, byte) in value.to_le_bytes().into_iter().enumerate().take(bytes) {
                if let Some(place) = init.bytes.get_mut(*at + number) {
                    *place = byte;
                }
            }
            *at += bytes;
        };
        match initializer {
            Initializer::List(all) => {
                for element in all {
                    self.initial(element, ty, at, init);
                }
            }
            Initializer::Integer(value, _) => put(at, *value as u64),
            Initializer::Float(Float::Single(bits), _) if ty == Type::F64 => {
                put(at, f64::from(f32::from_bits(*bits)).to_bits());
            }
            Initializer::Float(Float::Single(bits), _) => put(at, u64::from(*bits)),
            Initializer::Float(Float::Double(bits), _) if ty == Type::F32 => {
                put(at, u64::from((f64::from_bits(*bits) as f32).to_bits()));
            }
            Initializer::Float(Float::Double(bits), _) => put(at, *bits),
            Initializer::Symbol { name, generic, offset, byte } => {
                match (self.address_of(&name.text), byte) {
                    (Some(Operand::Const(function)), byte) if bytes == 8 || byte.is_some() => {
                        let address = function.bits.wrapping_add_signed(*offset);
                        return put(at, address >> (8 * byte.unwrap_or(0)));
                    }
                    (Some(Operand::Symbol(symbol)), None) if bytes == 8 => {
                        let (generic, plus) = (*generic, *offset as i32);
                        init.addresses.push(InitialAddress { at: *at as u32, symbol, plus, generic });
                    }
                    _ => {
                        let message = format!("the address of `{name}` cannot stand here");
                        self.problem(
                            name.span,
                            message,
                            "write 8 bytes with the address of a function, or of a variable of global or constant memory",
                        );
                    }
                }
                *at += bytes;
            }
        }
    }
}
