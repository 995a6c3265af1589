//! Numbers, types, variables, parameters and registers.

use super::cursor::{Cursor, shortened};
use super::{DEEPEST, Noted, Parsed};
use crate::lex::{Kind, Number, number};
use crate::span::Span;
use crate::syntax::{Linkage, Name, Pointer, RegisterName, Registers, Space, Type, Variable, Vector};

impl Cursor<'_> {
    /// A number as it stands, without a sign.
    pub(super) fn number(&mut self, what: &str) -> Parsed<Number> {
        if self.kind() != Kind::Number {
            return Err(self.expected(what, "write a number here"));
        }
        let (text, span) = (self.here(), self.span());
        match number(text) {
            Ok(number) => {
                self.take();
                Ok(number)
            }
            Err(wrong) => {
                let message = format!("`{}` {wrong}", shortened(text));
                let help = "integers are `12`, `0x1f`, `017` or `0b101`, with `U` if unsigned; floats `0f3F800000`, \
                            `0d3FF0000000000000` or `1.0`";
                Err(self.problem(span, message, format!("expected {what}"), help))
            }
        }
    }

    /// A number that is no float and has no sign.
    pub(super) fn integer(&mut self, what: &str) -> Parsed<u64> {
        let span = self.span();
        match self.number(what)? {
            Number::Integer(value) => Ok(value),
            Number::Float(_) => Err(self.not_whole(span, what)),
        }
    }

    pub(super) fn not_whole(&mut self, span: Span, what: &str) -> Noted {
        let message = format!("expected {what}, found a float");
        self.problem(span, message, format!("expected {what}"), "write it without a point and without `0f` or `0d`")
    }

    /// A number of 32 bits without a sign.
    pub(super) fn small(&mut self, what: &str) -> Parsed<u32> {
        let span = self.span();
        let value = self.integer(what)?;
        u32::try_from(value).map_err(|_| {
            let message = format!("{value} is too much for {what}");
            self.problem(span, message, "at most 4294967295", "write a smaller number")
        })
    }

    /// A whole number with its sign, or what is computed of several: -2^63 to 2^64 - 1.
    pub(super) fn signed(&mut self, what: &str) -> Parsed<i128> {
        let span = self.span();
        let behind = usize::from(self.kind() == Kind::Minus);
        if self.ahead(behind).kind != Kind::Number || self.is_expression(behind + 1) {
            let begins = matches!(
                self.ahead(behind).kind,
                Kind::Number | Kind::Plus | Kind::Minus | Kind::Not | Kind::Tilde | Kind::OpenParenthesis
            );
            return if begins { self.expression(what) } else { self.integer(what).map(i128::from) };
        }
        let negative = self.eat(Kind::Minus);
        let value = i128::from(self.integer(what)?);
        let value = if negative { -value } else { value };
        if value < i128::from(i64::MIN) {
            let message = format!("{value} does not fit 64 bits");
            return Err(self.problem(span, message, "too small", "write a number from -2^63 to 2^64 - 1"));
        }
        Ok(value)
    }

    /// What is added to a name: `+8`, `+-8`; 0 if nothing is.
    pub(super) fn offset(&mut self) -> Parsed<i64> {
        if self.kind() == Kind::Minus {
            return Err(self.expected("`+`", "an offset is added: for one that is less than 0 write `+-8`"));
        }
        if !self.eat(Kind::Plus) {
            return Ok(0);
        }
        let span = self.span();
        let value = self.signed("what is added, a number")?;
        i64::try_from(value).map_err(|_| {
            let message = format!("{value} is too much to add to an address");
            self.problem(span, message, "at most 2^63 - 1", "write a smaller number")
        })
    }

    /// A type, with its dot.
    pub(super) fn type_name(&mut self, what: &str) -> Parsed<Type> {
        match self.dotted().and_then(Type::from_text) {
            Some(ty) => {
                self.take();
                Ok(ty)
            }
            None => {
                Err(self
                    .expected(what, "types are `.b32`, `.u32`, `.s32`, `.f32`, others of 8 to 64 bits, and `.pred`"))
            }
        }
    }

    fn vector(&mut self) -> Option<Vector> {
        let vector = self.dotted().and_then(Vector::from_text)?;
        self.take();
        Some(vector)
    }

    /// What stands behind a space: alignment, attributes, vector and type in any order that compilers write, `.ptr` and what
    /// belongs to it, the name, dimensions.
    fn variable(&mut self, linkage: Linkage, space: Space, span: Span, sinks: bool) -> Parsed<Variable> {
        let (mut align, mut attributes, mut vector) = (None, Vec::new(), None);
        loop {
            if self.eat_dotted("align") {
                align = Some(self.alignment()?);
            } else if self.eat_dotted("attribute") {
                attributes.extend(self.attributes()?);
            } else if let Some(found) = self.vector() {
                vector = Some(found);
            } else {
                break;
            }
        }
        let ty = self.type_name("the type of a variable")?;
        let pointer = if self.eat_dotted("ptr") { Some(self.pointer()?) } else { None };
        if self.eat_dotted("align") {
            align = Some(self.alignment()?);
        }
        let sink = sinks && self.word() == Some("_");
        let name = if sink { Name::new("_", self.take().span()) } else { self.name("the name of a variable")? };
        let dimensions = self.dimensions()?;
        Ok(Variable {
            linkage,
            space,
            attributes,
            align,
            vector,
            ty,
            pointer,
            name,
            dimensions,
            initializer: None,
            span,
        })
    }

    /// A parameter; those of prototypes may be called `_`.
    pub(super) fn parameter(&mut self, space: Space, span: Span, sinks: bool) -> Parsed<Variable> {
        self.variable(Linkage::Internal, space, span, sinks)
    }

    /// A variable with what it begins with, and its `;`; several may stand between commas.
    pub(super) fn variables(&mut self, linkage: Linkage, space: Space, span: Span) -> Parsed<Vec<Variable>> {
        let mut variables = vec![self.variable(linkage, space, span, false)?];
        loop {
            if self.eat(Kind::Equals) {
                let value = self.initializer(0)?;
                if let Some(last) = variables.last_mut() {
                    last.initializer = Some(value);
                }
            }
            if !self.eat(Kind::Comma) {
                break;
            }
            let name = self.name("the name of a variable")?;
            let dimensions = self.dimensions()?;
            let first = variables[0].clone();
            variables.push(Variable { name, dimensions, initializer: None, ..first });
        }
        self.semicolon("`,`, `=` or ")?;
        Ok(variables)
    }

    fn alignment(&mut self) -> Parsed<u32> {
        let span = self.span();
        let align = self.small("an alignment in bytes")?;
        if align.is_power_of_two() {
            return Ok(align);
        }
        let message = format!("{align} is no alignment");
        Err(self.problem(span, message, "expected a power of two", "write 1, 2, 4, 8, 16 or another power of two"))
    }

    fn attributes(&mut self) -> Parsed<Vec<Name>> {
        self.expect(Kind::OpenParenthesis, "`(`", "write `.attribute(.managed)`")?;
        let mut attributes = Vec::new();
        loop {
            let Some(text) = self.dotted() else {
                return Err(self.expected("an attribute with its dot", "write `.attribute(.managed)`"));
            };
            let span = self.take().span();
            let mut name = Name::new(text, span);
            if self.eat(Kind::OpenParenthesis) {
                let numbers = self.comma_numbers()?;
                self.expect(Kind::CloseParenthesis, "`)`", "close what was opened before")?;
                let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
                name.text += &format!("({})", numbers.join(", "));
            }
            attributes.push(name);
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.expect(Kind::CloseParenthesis, "`)`", "close what was opened before")?;
        Ok(attributes)
    }

    /// Numbers between commas.
    pub(super) fn comma_numbers(&mut self) -> Parsed<Vec<u64>> {
        let mut numbers = vec![self.integer("a number")?];
        while self.eat(Kind::Comma) {
            numbers.push(self.integer("a number")?);
        }
        Ok(numbers)
    }

    fn pointer(&mut self) -> Parsed<Pointer> {
        let space = self.dotted().and_then(Space::from_text);
        if space.is_some() {
            self.take();
        }
        let align = if self.eat_dotted("align") { Some(self.alignment()?) } else { None };
        Ok(Pointer { space, align })
    }

    /// The length of an array.
    fn length(&mut self) -> Parsed<u64> {
        let (what, span) = ("the length of an array", self.span());
        if !self.is_expression(1) && self.kind() != Kind::OpenParenthesis {
            return self.integer(what);
        }
        let length = self.signed(what)?;
        u64::try_from(length).map_err(|_| {
            let message = format!("{length} is no length of an array");
            self.problem(span, message, "less than 0", "write a number that is not negative")
        })
    }

    fn dimensions(&mut self) -> Parsed<Vec<Option<u64>>> {
        let mut dimensions = Vec::new();
        while self.eat(Kind::OpenBracket) {
            let open = self.kind() == Kind::CloseBracket;
            dimensions.push(if open { None } else { Some(self.length()?) });
            self.expect(Kind::CloseBracket, "`]`", "write `[]`, or `[N]` with a number")?;
            if dimensions.len() > DEEPEST {
                let span = self.last_span();
                let message = format!("an array has more than {DEEPEST} dimensions");
                return Err(self.problem(span, message, "one more", "use one dimension, and compute the index"));
            }
        }
        Ok(dimensions)
    }

    /// What stands behind `.reg`, with its `;`.
    pub(super) fn registers(&mut self) -> Parsed<Registers> {
        // Registers may be aligned, which means nothing here.
        if self.eat_dotted("align") {
            self.alignment()?;
        }
        let vector = self.vector();
        let ty = self.type_name("the type of registers")?;
        let mut names = Vec::new();
        loop {
            let name = self.name("the name of a register")?;
            let count = if self.eat(Kind::Less) {
                let count = self.small("a number of registers")?;
                self.expect(Kind::Greater, "`>`", "a row of registers is `%r<12>`")?;
                Some(count)
            } else {
                None
            };
            names.push(RegisterName { name, count });
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.semicolon("`,` or ")?;
        Ok(Registers { vector, ty, names })
    }
}
