//! Rule 8: what code declares by bytes.

use super::{Check, Mistake};
use crate::code::{AddressSpace, Code, Symbol};
use crate::program::ParamKind;

/// The largest alignment of a symbol, and of a parameter.
///
/// **Assumed:** more than any type has.
const ALIGNMENT: u32 = 1 << 16;

/// Checks all symbols, and the parameters that are bytes.
pub(super) fn check(code: &Code) -> Check {
    for symbol in &code.symbols {
        let mistake = |what: &str, expected: &'static str| {
            Err(Mistake::declared(symbol.span, format!("symbol `{}`: {what}", symbol.name), expected))
        };
        if !is_alignment(symbol.align) {
            return mistake("its alignment is no power of two, or too large", "a power of two of at most 65536");
        }
        match symbol.space {
            AddressSpace::Generic | AddressSpace::Param => {
                return mistake("no symbol is declared in this space", "global, shared, local or constant memory");
            }
            AddressSpace::Shared | AddressSpace::Local if symbol.init.is_some() => {
                return mistake("only global and constant memory has values at first", "no initialiser");
            }
            _ if symbol.dynamic && symbol.space != AddressSpace::Shared => {
                return mistake("a launch says only how much shared memory there is", "a size");
            }
            _ if symbol.size == 0 && !symbol.dynamic => return mistake("it has no bytes", "a size of at least 1"),
            _ => {}
        }
        match symbol.function.map(|id| code.functions.get(id.0 as usize)) {
            Some(None) => return mistake("it belongs to no function", "the number of a function"),
            Some(Some(function)) if function.recursive && symbol.space == AddressSpace::Local => {
                return mistake(
                    "each activation of a recursive function would need local memory of its own, which this machine does not \
                     have yet",
                    "local memory of the kernel, or of a function that does not call itself",
                );
            }
            _ => {}
        }
        initialiser(code, symbol)?;
    }
    for param in &code.params {
        if let ParamKind::Bytes { size, align } = param.kind
            && (size == 0 || !is_alignment(align))
        {
            let what = format!("parameter `{}` has no bytes, or an alignment that it cannot have", param.name);
            return Err(Mistake::declared(param.span, what, "at least one byte, and a power of two of at most 65536"));
        }
    }
    Ok(())
}

fn is_alignment(align: u32) -> bool {
    align.is_power_of_two() && align <= ALIGNMENT
}

fn initialiser(code: &Code, symbol: &Symbol) -> Check {
    let Some(init) = &symbol.init else { return Ok(()) };
    let mistake = |what: String, expected: &'static str| {
        Err(Mistake::declared(symbol.span, format!("symbol `{}`: {what}", symbol.name), expected))
    };
    if init.bytes.len() > symbol.size as usize {
        return mistake(format!("{} bytes do not fit in {}", init.bytes.len(), symbol.size), "as many bytes as it has");
    }
    for address in &init.addresses {
        if u64::from(address.at) + 8 > u64::from(symbol.size) {
            return mistake(
                format!("an address at {} does not fit in {}", address.at, symbol.size),
                "8 bytes within it",
            );
        }
        let space = code.symbols.get(address.symbol.0 as usize).map(|symbol| symbol.space);
        if !matches!(space, Some(AddressSpace::Global | AddressSpace::Const)) {
            let what = "it holds the address of what has none before the launch".to_string();
            return mistake(what, "symbols of global and constant memory");
        }
    }
    Ok(())
}
