//! Names under which the listing shows registers and memory: no two the same.

use crate::code::{Code, Pc, Reg, Register, SymbolId};
use crate::program::{FunctionId, Memory, ParamId};
use crate::text::literal::{function_name, name};
use std::collections::BTreeMap;

/// What everything with a name is called.
pub(super) struct Names {
    params: Vec<String>,
    arrays: Vec<String>,
    symbols: Vec<String>,
    functions: Vec<String>,
    registers: Vec<(Option<FunctionId>, String)>,
    /// Whether addresses are shown as labels.
    labels: bool,
}

impl Names {
    /// A name that another had before is numbered: `x.2`. Parameters, arrays and symbols share one space of names; each function's
    /// registers have their own, and a register without a name has its number.
    pub(super) fn of<'c>(code: &'c Code) -> Self {
        let mut memory = Counter::default();
        let mut registers: BTreeMap<Option<FunctionId>, Counter<'c>> = BTreeMap::new();
        let call = |(number, register): (usize, &'c Register)| {
            let text = match register.name.as_deref() {
                Some(name) if !name.is_empty() => registers.entry(register.function).or_default().unique(name),
                _ => number.to_string(),
            };
            (register.function, text)
        };
        let called = code.registers.iter().enumerate().map(call).collect();
        Self {
            params: code.params.iter().map(|param| memory.unique(&param.name)).collect(),
            arrays: code.arrays.iter().map(|array| memory.unique(&array.name)).collect(),
            symbols: code.symbols.iter().map(|symbol| memory.unique(&symbol.name)).collect(),
            functions: code.functions.iter().map(|function| function_name(&function.name)).collect(),
            registers: called,
            labels: false,
        }
    }

    /// The same, with labels instead of addresses.
    pub(super) fn with_labels(self) -> Self {
        Self { labels: true, ..self }
    }

    pub(super) fn address(&self, pc: Pc) -> String {
        if self.labels { format!("L{}", pc.0) } else { pc.to_string() }
    }

    pub(super) fn param(&self, param: ParamId) -> &str {
        self.params.get(param.0 as usize).map_or("?", String::as_str)
    }

    pub(super) fn array(&self, index: usize) -> &str {
        &self.arrays[index]
    }

    pub(super) fn symbol(&self, symbol: SymbolId) -> &str {
        self.symbols.get(symbol.0 as usize).map_or("?", String::as_str)
    }

    pub(super) fn memory(&self, memory: Memory) -> &str {
        match memory {
            Memory::Param(param) => self.param(param),
            Memory::Array(array) => self.arrays.get(array.0 as usize).map_or("?", String::as_str),
        }
    }

    pub(super) fn function(&self, function: FunctionId) -> &str {
        self.functions.get(function.0 as usize).map_or("?", String::as_str)
    }

    /// A register as an instruction of a function names it: with the function that has it in front, if that is another
    /// one. A number needs no function.
    pub(super) fn register(&self, reg: Reg, here: Option<FunctionId>) -> String {
        match self.registers.get(reg.0 as usize) {
            Some((Some(function), text))
                if Some(*function) != here && !text.starts_with(|c: char| c.is_ascii_digit()) =>
            {
                format!("%{}.{text}", self.function(*function))
            }
            Some((_, text)) => format!("%{text}"),
            None => "%?".into(),
        }
    }
}

/// How often each name was there.
#[derive(Default)]
struct Counter<'c>(BTreeMap<&'c str, usize>);

impl<'c> Counter<'c> {
    fn unique(&mut self, text: &'c str) -> String {
        let count = self.0.entry(text).or_default();
        *count += 1;
        if *count == 1 { name(text) } else { format!("{}.{count}", name(text)) }
    }
}
