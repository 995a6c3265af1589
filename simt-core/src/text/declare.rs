//! Declarations: the kernel's line, functions, registers, arrays.

use super::cursor::{Cursor, Name, Read, scalar};
use super::error::{Place, Problem};
use super::lexer::Kind;
use super::markers_name;
use super::operand::literal;
use super::symbols::{Pending, alignment};
use crate::code::{AddressSpace, Markers, Pc, Reg, Register, RegisterRole, Symbol, SymbolId};
use crate::program::{Array, ArrayId, ArraySpace, FunctionId, LaunchBounds, Memory, Param, ParamId, ParamKind};
use crate::scalar::ScalarType;
use crate::source::Span;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a declaration belongs to: the kernel, or a function.
pub(super) type Owner = Option<FunctionId>;

/// What a text declares.
#[derive(Debug, Default)]
pub(super) struct Declared {
    pub(super) name: Cow<'static, str>,
    pub(super) params: Vec<Param>,
    pub(super) markers: Option<Markers>,
    pub(super) launch_bounds: Option<LaunchBounds>,
    pub(super) functions: Vec<Function>,
    pub(super) registers: Numbered<Register>,
    pub(super) arrays: Numbered<Array>,
    pub(super) symbols: Numbered<Symbol>,
    pub(super) symbol_names: BTreeMap<Name, SymbolId>,
    /// The addresses in initialisers, by the numbers of their symbols: what they name may come later.
    pub(super) initial_addresses: Vec<(u32, Pending)>,
    /// Slices, arrays and scalar parameters by name.
    pub(super) memory: BTreeMap<Name, Memory>,
    /// Registers by name, of each function.
    pub(super) named: BTreeMap<(Owner, Name), Reg>,
    /// Registers by the number that stands for a name.
    pub(super) unnamed: BTreeMap<u32, Reg>,
    pub(super) labels: BTreeMap<(Owner, String), Pc>,
}

/// A function whose instructions are being counted.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) recursive: bool,
    pub(super) entry: u32,
}

/// Things with numbers, which are given in any order.
#[derive(Debug)]
pub(super) struct Numbered<T> {
    items: BTreeMap<u32, (T, u32, Place)>,
    next: u32,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Self { items: BTreeMap::new(), next: 0 }
    }
}

impl<T> Numbered<T> {
    /// Adds an item, under a number if one is given, on a line.
    pub(super) fn add(&mut self, number: Option<u32>, item: T, line: u32, place: Place) -> Read<u32> {
        let number = number.unwrap_or(self.next);
        if self.items.insert(number, (item, line, place)).is_some() {
            return Err(Problem::new(place, format!("number {number} is taken"), "a number that no other has"));
        }
        self.next = number.saturating_add(1);
        Ok(number)
    }

    pub(super) fn get(&self, number: u32) -> Option<&T> {
        self.items.get(&number).map(|(item, ..)| item)
    }

    /// The items in the order of their numbers.
    ///
    /// # Errors
    /// The line and place of the first whose number leaves a gap.
    pub(super) fn finish(self) -> Result<Vec<T>, (u32, Problem)> {
        let mut items = Vec::new();
        for (number, (item, line, place)) in self.items {
            if number as usize != items.len() {
                let what = format!("there is no number {} before {number}", items.len());
                return Err((line, Problem::new(place, what, "numbers without gaps, or none at all")));
            }
            items.push(item);
        }
        Ok(items)
    }
}

/// A place on a line as a span.
pub(super) const fn span(line: u32, place: Place) -> Span {
    Span::new(line, place.start, line, place.end)
}

impl Declared {
    /// `kernel name(a: f32, x: &mut [u32])`, behind the first word.
    pub(super) fn kernel(&mut self, cursor: &mut Cursor<'_>, line: u32) -> Read<()> {
        self.name = cursor.text("the name of the kernel")?.into();
        cursor.sign('(')?;
        while !cursor.is_sign(')') {
            let start = cursor.place();
            let param = param(cursor, line)?;
            let id = ParamId(self.params.len() as u32);
            let earlier = self.params.iter().filter(|other| other.name == param.name).count();
            let name = Name { text: param.name.to_string(), number: earlier as u32 + 1 };
            self.memory_name(name, Memory::Param(id), cursor.since(start))?;
            self.params.push(param);
            if !cursor.take(',') && !cursor.is_sign(')') {
                return cursor.unexpected("`,` or `)`");
            }
        }
        cursor.sign(')')
    }

    /// Whether the launch gives the length of an array.
    pub(super) fn is_dynamic(&self, array: ArrayId) -> bool {
        self.arrays.get(array.0).is_some_and(|array| array.dynamic)
    }

    fn memory_name(&mut self, name: Name, memory: Memory, place: Place) -> Read<()> {
        self.is_free(&name, place)?;
        self.memory.insert(name, memory);
        Ok(())
    }

    /// That no parameter, array or symbol has a name yet.
    pub(super) fn is_free(&self, name: &Name, place: Place) -> Read<()> {
        if !self.memory.contains_key(name) && !self.symbol_names.contains_key(name) {
            return Ok(());
        }
        let what = format!("`{}` is declared already", name.text);
        Err(Problem::new(place, what, "a name that no other parameter, array or symbol has, or a number: `x.2`"))
    }

    /// `func name recursive`, behind the first word, at an address.
    pub(super) fn function(&mut self, cursor: &mut Cursor<'_>, entry: u32) -> Read<FunctionId> {
        let start = cursor.place();
        let name = cursor.function()?;
        if self.functions.iter().any(|function| function.name == name) {
            let what = format!("there is a function `{name}` already");
            return Err(Problem::new(cursor.since(start), what, "another name"));
        }
        let recursive = cursor.keyword("recursive");
        self.functions.push(Function { name, recursive, entry });
        Ok(FunctionId(self.functions.len() as u32 - 1))
    }

    /// A line that begins with a point, behind it.
    pub(super) fn directive(&mut self, cursor: &mut Cursor<'_>, owner: Owner, line: u32) -> Read<()> {
        let place = cursor.place();
        let expected = "`.markers`, `.launch_bounds`, `.reg`, `.shared`, `.local`, `.global` or `.const`";
        match cursor.word(expected)? {
            "markers" => self.markers(cursor, place),
            "launch_bounds" => {
                let threads = cursor.integer("the most threads of a block")?;
                self.launch_bounds = Some(LaunchBounds { threads, span: span(line, place) });
                Ok(())
            }
            "reg" => self.registers(cursor, owner, line),
            "shared" => self.array(cursor, ArraySpace::Shared, owner, line),
            "local" => self.array(cursor, ArraySpace::Local, owner, line),
            "global" => self.global(cursor, AddressSpace::Global, owner, line),
            "const" => self.global(cursor, AddressSpace::Const, owner, line),
            other => Err(Problem::new(place, format!("there is no directive `.{other}`"), expected)),
        }
    }

    fn markers(&mut self, cursor: &mut Cursor<'_>, place: Place) -> Read<()> {
        if self.markers.is_some() {
            return Err(Problem::new(place, "the family of markers was named already", "one `.markers` line"));
        }
        let start = cursor.place();
        let names: Vec<_> = Markers::ALL.iter().map(|&markers| markers_name(markers)).collect();
        let expected = format!("a family of markers: {}", names.join(", "));
        let mut text = cursor.word(&expected)?.to_string();
        while cursor.take('-') {
            text = format!("{text}-{}", cursor.word(&expected)?);
        }
        let found = Markers::ALL.iter().copied().find(|&markers| markers_name(markers) == text);
        self.markers = Some(found.ok_or_else(|| {
            Problem::new(cursor.since(start), format!("there is no family of markers `{text}`"), expected)
        })?);
        Ok(())
    }

    /// `.reg u32 %a, %b, once bool %c`, behind the first word.
    fn registers(&mut self, cursor: &mut Cursor<'_>, function: Owner, line: u32) -> Read<()> {
        let mut kind: Option<(bool, bool, bool, RegisterRole, ScalarType)> = None;
        loop {
            let number = number(cursor)?;
            if !cursor.is_sign('%') {
                let once = cursor.keyword("once");
                let untyped = cursor.keyword("untyped");
                let zeroed = cursor.keyword("zeroed");
                let passing = cursor.keyword("passing");
                let role = if passing { RegisterRole::Passing } else { RegisterRole::Frame };
                kind = Some((once, untyped, zeroed, role, cursor.ty()?));
            }
            let Some((written_once, untyped, zeroed, role, ty)) = kind else {
                return cursor.unexpected("a type, then registers: `.reg u32 %a, %b, bool %c`");
            };
            let start = cursor.place();
            cursor.sign('%')?;
            let label = if matches!(cursor.peek(), Some(Kind::Number(_))) {
                Err(cursor.integer("a name, or a number below 4294967296")?)
            } else {
                Ok(cursor.name("the name of a register")?)
            };
            let place = cursor.since(start);
            let name = label.as_ref().ok().map(|name| Cow::Owned(name.text.clone()));
            let register = Register { name, ty, written_once, untyped, zeroed, function, role };
            let reg = Reg(self.registers.add(number, register, line, place)?);
            let earlier = match label {
                Ok(name) => self.named.insert((function, name), reg),
                Err(number) => self.unnamed.insert(number, reg),
            };
            if earlier.is_some() {
                return Err(Problem::new(place, "this register is declared already", "a name that no other has"));
            }
            if !cursor.take(',') {
                return Ok(());
            }
        }
    }

    /// `.shared tile: [f32 x 256]`, behind the first word; `[f32]` and `[[f32 x 3]]` if the launch gives the length;
    /// `.local a: [f32 x 64] unset` of one without values.
    fn array(&mut self, cursor: &mut Cursor<'_>, space: ArraySpace, function: Owner, line: u32) -> Read<()> {
        let number = number(cursor)?;
        let start = cursor.place();
        let name = cursor.name("the name of an array")?;
        let place = cursor.since(start);
        cursor.sign(':')?;
        if !cursor.is_sign('[') {
            let space = if space == ArraySpace::Shared { AddressSpace::Shared } else { AddressSpace::Local };
            return self.symbol(cursor, (number, name, place), space, function, line);
        }
        cursor.sign('[')?;
        let has_rows = cursor.take('[');
        let (element, atomic) = element(cursor)?;
        let dynamic = has_rows || space == ArraySpace::Shared && cursor.is_sign(']');
        let (mut length, mut row) = (0, 1);
        if !dynamic || has_rows {
            // `;` would begin a comment.
            if !cursor.keyword("x") {
                return cursor.unexpected("`x` and the length: `[f32 x 256]`");
            }
            let number = cursor.integer("the number of elements, below 4294967296")?;
            *if has_rows { &mut row } else { &mut length } = number;
        }
        if has_rows {
            cursor.sign(']')?;
        }
        cursor.sign(']')?;
        let unset = space == ArraySpace::Local && cursor.keyword("unset");
        let (name_text, span) = (name.text.clone().into(), span(line, place));
        let array = Array { name: name_text, element, length, dynamic, unset, row, space, atomic, function, span };
        let id = ArrayId(self.arrays.add(number, array, line, place)?);
        self.memory_name(name, Memory::Array(id), place)
    }
}

/// `#7`, the number of what follows.
pub(super) fn number(cursor: &mut Cursor<'_>) -> Read<Option<u32>> {
    if cursor.take('#') { cursor.integer("a number").map(Some) } else { Ok(None) }
}

/// `n: u32`, `x: &mut [u32]`, `hist: &[AtomicU32]`, `#[constant] c: &[f32]`, `#[constant] t: &[f32] = [1.0, 0.5]`
fn param(cursor: &mut Cursor<'_>, line: u32) -> Read<Param> {
    let constant = cursor.take('#');
    if constant {
        cursor.sign('[')?;
        if !cursor.keyword("constant") {
            return cursor.unexpected("`constant`");
        }
        cursor.sign(']')?;
    }
    let start = cursor.place();
    let name = cursor.text("the name of a parameter")?;
    let place = cursor.since(start);
    cursor.sign(':')?;
    let kind = if cursor.take('&') {
        let writable = !constant && cursor.keyword("mut");
        cursor.sign('[')?;
        let ty = cursor.place();
        let (element, atomic) = element(cursor)?;
        let kind = match (atomic, constant, writable) {
            (false, true, _) => ParamKind::Constant { element },
            (false, false, writable) => ParamKind::Slice { element, writable },
            (true, false, false) => ParamKind::Atomic { element },
            (true, ..) => {
                let what = "a slice of atomics is neither `mut` nor constant";
                return Err(Problem::new(cursor.since(ty), what, "`&[AtomicU32]`"));
            }
        };
        cursor.sign(']')?;
        kind
    } else if constant {
        return cursor.unexpected("a slice: `&[f32]`");
    } else if cursor.keyword("bytes") {
        let size = cursor.integer("the number of bytes")?;
        ParamKind::Bytes { size, align: alignment(cursor)? }
    } else {
        ParamKind::Scalar(cursor.ty()?)
    };
    let table = match kind {
        ParamKind::Constant { element } if cursor.take('=') => Some(table(cursor, element)?),
        _ => None,
    };
    Ok(Param { name: name.into(), kind, row: 1, table, span: span(line, place) })
}

/// `[1, 2, 3]`
fn table(cursor: &mut Cursor<'_>, element: ScalarType) -> Read<Arc<[u64]>> {
    cursor.sign('[')?;
    let mut bits = Vec::new();
    while !cursor.is_sign(']') {
        bits.push(literal(cursor, element)?.bits);
        if !cursor.take(',') && !cursor.is_sign(']') {
            return cursor.unexpected("`,` or `]`");
        }
    }
    cursor.sign(']')?;
    Ok(bits.into())
}

/// The type of elements, and whether they are atomics.
fn element(cursor: &mut Cursor<'_>) -> Read<(ScalarType, bool)> {
    if let Some(Kind::Word(word)) = cursor.peek()
        && let Some(value) = word.strip_prefix("Atomic")
        && let Some(ty) = scalar(&value.to_ascii_lowercase())
    {
        cursor.skip();
        return Ok((ty, true));
    }
    Ok((cursor.ty()?, false))
}
