//! Declarations of memory by bytes: `.global table: 16 align 8 = "0001", at 8 generic &other+4`.

use super::cursor::{Cursor, Name, Read};
use super::declare::{Declared, Owner, number, span};
use super::error::{Place, Problem};
use super::lexer::Kind;
use crate::code::{AddressSpace, InitialAddress, Initialiser, Symbol, SymbolId};

/// An address in an initialiser whose symbol is still a name.
#[derive(Debug)]
pub(super) struct Pending {
    name: Name,
    address: InitialAddress,
    line: u32,
    place: Place,
}

impl Declared {
    /// `.global counter: 4 align 4`, behind the first word.
    pub(super) fn global(
        &mut self,
        cursor: &mut Cursor<'_>,
        space: AddressSpace,
        function: Owner,
        line: u32,
    ) -> Read<()> {
        let number = number(cursor)?;
        let start = cursor.place();
        let name = cursor.name("the name of a symbol")?;
        let place = cursor.since(start);
        cursor.sign(':')?;
        self.symbol(cursor, (number, name, place), space, function, line)
    }

    /// `256 align 4`, behind the name and its colon; `dynamic align 4` of shared memory whose size the launch says.
    pub(super) fn symbol(
        &mut self,
        cursor: &mut Cursor<'_>,
        (number, name, place): (Option<u32>, Name, Place),
        space: AddressSpace,
        function: Owner,
        line: u32,
    ) -> Read<()> {
        let dynamic = space == AddressSpace::Shared && cursor.keyword("dynamic");
        let size = if dynamic { 0 } else { cursor.integer("a number of bytes, or `[` and the type of elements")? };
        let align = alignment(cursor)?;
        let mut pending = Vec::new();
        let init = if cursor.take('=') { Some(initialiser(cursor, line, &mut pending)?) } else { None };
        let span = span(line, place);
        let symbol = Symbol { name: name.text.clone().into(), space, size, align, dynamic, init, function, span };
        self.is_free(&name, place)?;
        let number = self.symbols.add(number, symbol, line, place)?;
        self.symbol_names.insert(name, SymbolId(number));
        self.initial_addresses.extend(pending.into_iter().map(|pending| (number, pending)));
        Ok(())
    }

    /// All symbols, in the order of their numbers.
    ///
    /// # Errors
    /// The line and place of a number that leaves a gap, or of an address of what is not declared.
    pub(super) fn finish_symbols(&mut self) -> Result<Vec<Symbol>, (u32, Problem)> {
        let mut symbols = std::mem::take(&mut self.symbols).finish()?;
        for (number, Pending { name, address, line, place }) in self.initial_addresses.drain(..) {
            let Some(&symbol) = self.symbol_names.get(&name) else {
                let what = format!("there is no symbol `{}`", name.text);
                return Err((line, Problem::new(place, what, "a symbol that `.global` or `.const` declares")));
            };
            let init = symbols.get_mut(number as usize).and_then(|symbol| symbol.init.as_mut());
            init.into_iter().for_each(|init| init.addresses.push(InitialAddress { symbol, ..address }));
        }
        Ok(symbols)
    }
}

/// `align 8`
pub(super) fn alignment(cursor: &mut Cursor<'_>) -> Read<u32> {
    if cursor.keyword("align") {
        cursor.integer("a power of two")
    } else {
        cursor.unexpected("`align` and a power of two")
    }
}

/// `"00ff", at 8 &other, at 16 generic &other+4`
fn initialiser(cursor: &mut Cursor<'_>, line: u32, pending: &mut Vec<Pending>) -> Read<Initialiser> {
    let start = cursor.place();
    let Some(Kind::Quoted(text)) = cursor.peek() else {
        return cursor.unexpected("bytes as hexadecimal digits in quotes");
    };
    let Some(bytes) = bytes(text) else {
        return Err(Problem::new(start, "these are no bytes", "two hexadecimal digits for each: \"00ff\""));
    };
    cursor.skip();
    while cursor.take(',') {
        if !cursor.keyword("at") {
            return cursor.unexpected("`at` and where the address is written");
        }
        let at = cursor.integer("a number of bytes from the beginning")?;
        let generic = cursor.keyword("generic");
        let start = cursor.place();
        cursor.sign('&')?;
        let name = cursor.name("the name of a symbol")?;
        let negative = cursor.is_sign('-');
        let mut plus = 0;
        if negative || cursor.is_sign('+') {
            cursor.skip();
            let bytes = i64::from(cursor.integer("a number of bytes")?);
            plus = i32::try_from(if negative { -bytes } else { bytes })
                .map_err(|_| Problem::new(cursor.since(start), "this is too far from the symbol", "an `i32`"))?;
        }
        let address = InitialAddress { at, symbol: SymbolId(0), plus, generic };
        pending.push(Pending { name, address, line, place: cursor.since(start) });
    }
    Ok(Initialiser { bytes, addresses: Vec::new() })
}

/// The bytes of hexadecimal digits.
fn bytes(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect();
    let digits = digits.filter(|digits| digits.len().is_multiple_of(2))?;
    Some(digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}
