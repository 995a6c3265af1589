//! The second pass: operands, with what the text declares.

use super::cursor::{Cursor, Name, Read, Register};
use super::declare::{Declared, Owner};
use super::error::{Place, Problem};
use super::lexer::Kind;
use super::literal::constant;
use crate::code::{BarrierReg, Operand, Pc, Reg};
use crate::program::{Builtin, FunctionId, Memory, ParamId, ParamKind};
use crate::scalar::Constant;
use crate::scalar::ScalarType;

/// One instruction being read: its tokens, and where its parts stood.
pub(super) struct Reader<'t> {
    pub(super) cursor: Cursor<'t>,
    pub(super) declared: &'t Declared,
    pub(super) owner: Owner,
    /// The place of each slot, in the order in which slots are written.
    pub(super) slots: Vec<Place>,
    /// Whether a part was read, so that a comma comes before the next.
    pub(super) begun: bool,
}

impl Reader<'_> {
    /// Reads a part and notes where it stood.
    pub(super) fn slot<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        let start = self.cursor.place();
        let value = read(self)?;
        self.slots.push(self.cursor.since(start));
        Ok(value)
    }

    /// The comma between two parts: none before the first.
    pub(super) fn comma(&mut self) -> Read<()> {
        if std::mem::replace(&mut self.begun, true) { self.cursor.comma() } else { Ok(()) }
    }

    /// The register that is written.
    pub(super) fn write(&mut self) -> Read<Reg> {
        self.comma()?;
        self.slot(Self::register)
    }

    fn register(&mut self) -> Read<Reg> {
        let start = self.cursor.place();
        if !self.cursor.is_sign('%') {
            return self.cursor.unexpected("a register: `%name`");
        }
        let register = self.cursor.register()?;
        let place = self.cursor.since(start);
        let (found, text) = match register {
            Register::Number(number) => (self.declared.unnamed.get(&number), number.to_string()),
            Register::Named { function, name } => {
                let owner = match &function {
                    Some(function) => Some(self.declared.function_named(function, place)?),
                    None => self.owner,
                };
                let text = if name.number == 1 { name.text.clone() } else { format!("{}.{}", name.text, name.number) };
                (self.declared.named.get(&(owner, name)), text)
            }
        };
        match found {
            Some(&reg) => Ok(reg),
            None => {
                let expected = "a register that a `.reg` line declares";
                Err(Problem::new(place, format!("there is no register `%{text}`"), expected))
            }
        }
    }

    /// A predicate, behind its `@`.
    pub(super) fn predicate(&mut self) -> Read<Operand> {
        Ok(Operand::Reg(self.slot(Self::register)?))
    }

    /// What is read, as a type.
    pub(super) fn read(&mut self, ty: ScalarType) -> Read<Operand> {
        self.comma()?;
        self.slot(|reader| reader.operand(ty))
    }

    /// A value that is shown, its type in front.
    pub(super) fn shown(&mut self) -> Read<(ScalarType, Operand)> {
        self.comma()?;
        self.slot(|reader| {
            let ty = reader.cursor.ty()?;
            Ok((ty, reader.operand(ty)?))
        })
    }

    pub(super) fn operand(&mut self, ty: ScalarType) -> Read<Operand> {
        let cursor = &mut self.cursor;
        match (cursor.peek(), cursor.peek_second()) {
            (Some(Kind::Sign('%')), _) => Ok(Operand::Reg(self.register()?)),
            (Some(Kind::Sign('&')), _) => self.address_of(),
            (Some(Kind::Sign('+' | '-') | Kind::Number(_)), _) => literal(&mut self.cursor, ty).map(Operand::Const),
            (Some(Kind::Word(word)), _) if word == "true" || word == "false" => {
                literal(&mut self.cursor, ty).map(Operand::Const)
            }
            (Some(Kind::Word(_)), Some(Kind::Sign('('))) => self.builtin(),
            (Some(Kind::Word(_) | Kind::Quoted(_)), _) => self.param(),
            _ => cursor.unexpected(format!("a value: a register, a parameter, or a `{ty}`")),
        }
    }

    /// `global_id()`, `thread_idx().x`
    fn builtin(&mut self) -> Read<Operand> {
        let start = self.cursor.place();
        let mut text = format!("{}()", self.cursor.word("a special register")?);
        self.cursor.sign('(')?;
        self.cursor.sign(')')?;
        if self.cursor.take('.') {
            text = format!("{text}.{}", self.cursor.word("`x`, `y` or `z`")?);
        }
        let found = Builtin::ALL.iter().copied().find(|builtin| builtin.name() == text);
        found.map(Operand::Builtin).ok_or_else(|| {
            let names: Vec<_> = Builtin::ALL.iter().map(|builtin| builtin.name()).collect();
            let what = format!("there is no special register `{text}`");
            Problem::new(self.cursor.since(start), what, names.join(", "))
        })
    }

    /// A scalar parameter, or the length of a slice.
    fn param(&mut self) -> Read<Operand> {
        let start = self.cursor.place();
        let name = self.cursor.name("the name of a parameter")?;
        let memory = self.declared.memory_named(&name, self.cursor.since(start))?;
        let is_length = self.cursor.take('.');
        if is_length {
            if !self.cursor.keyword("len") {
                return self.cursor.unexpected("`len()`");
            }
            self.cursor.sign('(')?;
            self.cursor.sign(')')?;
        }
        let place = self.cursor.since(start);
        let wrong =
            |what: &str, expected: &str| Err(Problem::new(place, format!("`{}` is {what}", name.text), expected));
        match memory {
            Memory::Array(array) if is_length && self.declared.is_dynamic(array) => Ok(Operand::Len(memory)),
            Memory::Array(_) if is_length => wrong("an array", "its length as a number"),
            Memory::Array(_) => wrong("an array", "a value; `ld` reads an element"),
            Memory::Param(param) => match (is_length, self.declared.kind(param)) {
                (true, ParamKind::Scalar(_) | ParamKind::Bytes { .. }) => wrong("no slice", "a slice before `.len()`"),
                (false, ParamKind::Bytes { .. }) => wrong("bytes", "its address, with `&` in front"),
                (true, _) => Ok(Operand::Len(memory)),
                (false, ParamKind::Scalar(_)) => Ok(Operand::Param(param)),
                (false, _) => wrong("a slice", "a value; `ld` reads an element"),
            },
        }
    }

    /// `x[i]`
    pub(super) fn element(&mut self) -> Read<(Memory, Operand)> {
        self.comma()?;
        self.slot(|reader| {
            let start = reader.cursor.place();
            let name = reader.cursor.name("an element: `x[i]`")?;
            let memory = reader.declared.memory_named(&name, reader.cursor.since(start))?;
            reader.cursor.sign('[')?;
            let index = reader.operand(ScalarType::Usize)?;
            reader.cursor.sign(']')?;
            Ok((memory, index))
        })
    }

    /// An address or a label.
    pub(super) fn target(&mut self) -> Read<Pc> {
        self.comma()?;
        self.slot(Self::address)
    }

    pub(super) fn address(&mut self) -> Read<Pc> {
        let place = self.cursor.place();
        if self.cursor.take('@') {
            return Ok(Pc(self.cursor.integer("an address: `@12`")?));
        }
        let label = self.cursor.text("an address, `@12`, or a label")?;
        match self.declared.labels.get(&(self.owner, label.clone())) {
            Some(&pc) => Ok(pc),
            None => {
                let elsewhere = self.declared.labels.keys().any(|(_, other)| *other == label);
                let hint = if elsewhere { "a label of this function" } else { "a label that stands before some line" };
                Err(Problem::new(place, format!("there is no label `{label}` here"), hint))
            }
        }
    }

    /// `[@4, @9, L]`
    pub(super) fn table(&mut self) -> Read<Vec<Pc>> {
        self.comma()?;
        self.slot(|reader| {
            reader.cursor.sign('[')?;
            let mut targets = vec![reader.address()?];
            while reader.cursor.take(',') {
                targets.push(reader.address()?);
            }
            reader.cursor.sign(']')?;
            Ok(targets)
        })
    }

    /// `B0`
    pub(super) fn barrier(&mut self) -> Read<BarrierReg> {
        self.comma()?;
        match self.barrier_next() {
            Some(barrier) => self.slot(|reader| {
                reader.cursor.skip();
                Ok(barrier)
            }),
            None => self.cursor.unexpected("a convergence barrier: `B0` to `B15`"),
        }
    }

    /// The convergence barrier that stands next.
    pub(super) fn barrier_next(&self) -> Option<BarrierReg> {
        let Some(Kind::Word(word)) = self.cursor.peek() else { return None };
        let number = word.strip_prefix('B')?;
        let plain = number.chars().all(|c| c.is_ascii_digit()) && (number == "0" || !number.starts_with('0'));
        plain.then(|| number.parse().ok())?.map(BarrierReg)
    }

    /// A function's name.
    pub(super) fn function(&mut self) -> Read<FunctionId> {
        self.comma()?;
        self.slot(|reader| {
            let start = reader.cursor.place();
            let name = reader.cursor.function()?;
            reader.declared.function_named(&name, reader.cursor.since(start))
        })
    }

    /// A text in quotes, by what it is made into.
    pub(super) fn quoted<T>(&mut self, read: impl FnOnce(&str) -> Result<T, String>) -> Read<T> {
        self.comma()?;
        self.slot(|reader| {
            let place = reader.cursor.place();
            let Some(Kind::Quoted(text)) = reader.cursor.peek() else {
                return reader.cursor.unexpected("a text in quotes");
            };
            reader.cursor.skip();
            read(text).map_err(|what| Problem::new(place, what, "a text as for Rust's `format!`"))
        })
    }

    /// `_`, if it is next.
    pub(super) fn nothing(&mut self) -> Read<bool> {
        let next = if self.begun { self.cursor.peek_second() } else { self.cursor.peek() };
        if !matches!(next, Some(Kind::Word(word)) if word == "_") {
            return Ok(false);
        }
        self.comma()?;
        self.slot(|reader| {
            reader.cursor.skip();
            Ok(true)
        })
    }
}

impl Declared {
    pub(super) fn function_named(&self, name: &str, place: Place) -> Read<FunctionId> {
        match self.functions.iter().position(|function| function.name == name) {
            Some(index) => Ok(FunctionId(index as u32)),
            None => {
                let what = format!("there is no function `{name}`");
                Err(Problem::new(place, what, "a function that a `func` line begins"))
            }
        }
    }

    pub(super) fn memory_named(&self, name: &Name, place: Place) -> Read<Memory> {
        match self.memory.get(name) {
            Some(&memory) => Ok(memory),
            None => {
                let number = if name.number == 1 { String::new() } else { format!(".{}", name.number) };
                let what = format!("there is no parameter or array `{}{number}`", name.text);
                Err(Problem::new(
                    place,
                    what,
                    "a parameter of the kernel, or an array that `.shared` or `.local` declares",
                ))
            }
        }
    }

    fn kind(&self, param: ParamId) -> ParamKind {
        self.params.get(param.0 as usize).map_or(ParamKind::Scalar(ScalarType::U32), |param| param.kind)
    }
}

/// A number, or a truth value.
pub(super) fn literal(cursor: &mut Cursor<'_>, ty: ScalarType) -> Read<Constant> {
    let start = cursor.place();
    let mut text = String::new();
    if let Some(Kind::Sign(sign @ ('+' | '-'))) = cursor.peek() {
        cursor.skip();
        text.push(*sign);
    }
    match cursor.peek() {
        Some(Kind::Number(digits) | Kind::Word(digits)) => text.push_str(digits),
        _ => return cursor.unexpected("a number"),
    }
    cursor.skip();
    let place = cursor.since(start);
    let wrong = |expected| Problem::new(place, format!("`{text}` is no `{ty}`"), expected);
    constant(&text, ty).map_err(wrong)
}
