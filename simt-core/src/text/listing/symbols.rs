//! A symbol's declaration as text.

use super::names::Names;
use crate::code::{Symbol, SymbolId};

/// The line that declares a symbol, with what stands for its number.
pub(super) fn symbol(names: &Names, symbol: &Symbol, number: &str, index: usize) -> String {
    let size = if symbol.dynamic { "dynamic".to_string() } else { symbol.size.to_string() };
    let name = names.symbol(SymbolId(index as u32));
    let mut text = format!(".{} {number}{name}: {size} align {}", symbol.space.name(), symbol.align);
    if let Some(init) = &symbol.init {
        let bytes: String = init.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        text.push_str(&format!(" = \"{bytes}\""));
        for address in &init.addresses {
            let generic = if address.generic { "generic " } else { "" };
            let plus = if address.plus == 0 { String::new() } else { format!("{:+}", address.plus) };
            text.push_str(&format!(", at {} {generic}&{}{plus}", address.at, names.symbol(address.symbol)));
        }
    }
    text
}
