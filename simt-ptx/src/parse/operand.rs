//! Operands.

use super::cursor::Cursor;
use super::initializer::negated;
use super::{Noted, Parsed};
use crate::lex::{Kind, Number};
use crate::span::Span;
use crate::syntax::{Component, Name, Operand, OperandKind};

/// How deep operands nest: a vector in the brackets of a texture.
const DEEPEST_OPERAND: usize = 4;

const HELP: &str = "an operand is a register, a number, a name, `[address]`, `{vector}`, `(list)` or `_`";

impl Cursor<'_> {
    /// The operands up to the `;`, which is taken. Those of a call may be lists.
    pub(super) fn operands(&mut self, call: bool) -> Parsed<Vec<Operand>> {
        let mut operands = Vec::new();
        if self.eat(Kind::Semicolon) {
            return Ok(operands);
        }
        // An instruction without operands, and without its `;`, ends its line, too.
        // Of a call the first operand may stand on the next line.
        let (here, next) = (self.token(), self.ahead(1));
        let begins = match here.kind {
            Kind::At | Kind::Dotted => true,
            Kind::Word => next.kind == Kind::Colon || next.kind == Kind::Dotted && here.touches(&next),
            _ => false,
        };
        if here.first && begins || here.kind == Kind::CloseBrace {
            self.semicolon("an operand or ")?;
            return Ok(operands);
        }
        loop {
            operands.push(if call && self.kind() == Kind::OpenParenthesis { self.list()? } else { self.operand(0)? });
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.semicolon("`,` or ")?;
        Ok(operands)
    }

    /// Arguments or results of a call.
    fn list(&mut self) -> Parsed<Operand> {
        let start = self.span();
        let kind = OperandKind::List(self.several(0, Kind::CloseParenthesis, "`)`")?);
        Ok(Operand { kind, span: start.to(self.last_span()) })
    }

    fn operand(&mut self, depth: usize) -> Parsed<Operand> {
        let start = self.span();
        let operand = self.single(depth)?;
        if !self.eat(Kind::Bar) {
            return Ok(operand);
        }
        let second = self.single(depth)?;
        for half in [&operand, &second] {
            if !matches!(half.kind, OperandKind::Name(_) | OperandKind::Sink) {
                let help = "on each side of `|` stands a register or `_`";
                return Err(self.problem(half.span, "expected a register beside `|`", "expected a register", help));
            }
        }
        let span = start.to(self.last_span());
        Ok(Operand { kind: OperandKind::Pair(Box::new(operand), Box::new(second)), span })
    }

    fn single(&mut self, depth: usize) -> Parsed<Operand> {
        let start = self.span();
        let kind = match self.kind() {
            Kind::Word => self.named()?,
            Kind::Not if self.ahead(1).kind == Kind::Word => {
                self.take();
                OperandKind::Not(self.name("a predicate behind `!`")?.text)
            }
            Kind::Number => match crate::lex::number(self.here()) {
                Ok(Number::Integer(_)) => OperandKind::Integer(self.signed("an operand")?),
                _ => match self.number("an operand")? {
                    Number::Float(float) => OperandKind::Float(float),
                    Number::Integer(value) => OperandKind::Integer(value.into()),
                },
            },
            Kind::Minus => self.minus(start)?,
            Kind::Not | Kind::Tilde | Kind::OpenParenthesis => OperandKind::Integer(self.expression("a number")?),
            Kind::OpenBracket => self.brackets(depth)?,
            Kind::OpenBrace => OperandKind::Vector(self.several(depth, Kind::CloseBrace, "`}`")?),
            _ => return Err(self.expected("an operand", HELP)),
        };
        Ok(Operand { kind, span: start.to(self.last_span()) })
    }

    /// A name, with what touches it: `%tid.x`, `table+8`.
    fn named(&mut self) -> Parsed<OperandKind> {
        let token = self.take();
        let name = self.text_of(token).to_string();
        if name == "_" {
            return Ok(OperandKind::Sink);
        }
        match self.kind() {
            Kind::Dotted if token.touches(&self.token()) => match self.dotted().and_then(Component::from_text) {
                Some(component) => {
                    self.take();
                    Ok(OperandKind::Component(name, component))
                }
                None => {
                    let help = "parts of vectors are `.x`, `.y`, `.z` and `.w`";
                    Err(self.expected("`.x`, `.y`, `.z` or `.w`", help))
                }
            },
            Kind::OpenBracket => {
                let help = "write `[name+offset]`, with the offset in bytes";
                Err(self.expected("`,` or `;`", help))
            }
            Kind::Plus | Kind::Minus => Ok(OperandKind::Sum(name, self.offset()?)),
            _ => Ok(OperandKind::Name(name)),
        }
    }

    fn minus(&mut self, span: Span) -> Parsed<OperandKind> {
        let number = self.ahead(1);
        if matches!(crate::lex::number(self.text_of(number)), Ok(Number::Float(_))) {
            self.take();
            return match self.number("a number")? {
                Number::Float(float) => Ok(OperandKind::Float(negated(float))),
                Number::Integer(_) => Err(self.not_whole(span, "a float")),
            };
        }
        Ok(OperandKind::Integer(self.signed("a number")?))
    }

    /// `[` and what belongs to it.
    fn brackets(&mut self, depth: usize) -> Parsed<OperandKind> {
        let close = |cursor: &mut Self| {
            let help = "an address is `[register]`, `[name]`, `[name+8]` or `[16]`";
            cursor.expect(Kind::CloseBracket, "`]`", help).map(drop)
        };
        let (next, behind) = (self.ahead(1), self.ahead(2));
        // Textures and bulk copies have several operands in their brackets.
        if next.kind == Kind::OpenBrace || behind.kind == Kind::Comma {
            return Ok(OperandKind::Brackets(self.several(depth, Kind::CloseBracket, "`]`")?));
        }
        self.take();
        if matches!(self.kind(), Kind::Number | Kind::Minus | Kind::Tilde | Kind::OpenParenthesis) {
            let span = self.span();
            let offset = self.signed("an address")?;
            let offset = i64::try_from(offset).map_err(|_| -> Noted {
                self.problem(span, format!("{offset} is no address"), "at most 2^63 - 1", "write a smaller number")
            })?;
            close(self)?;
            return Ok(OperandKind::Address { base: None, offset });
        }
        let base: Name = self.name("a register or the name of a variable")?;
        let offset = self.offset()?;
        close(self)?;
        Ok(OperandKind::Address { base: Some(base), offset })
    }

    /// Operands between commas, with what opens and closes them.
    fn several(&mut self, depth: usize, close: Kind, closing: &str) -> Parsed<Vec<Operand>> {
        let open = self.take().span();
        if depth >= DEEPEST_OPERAND {
            self.skip_block();
            let message = format!("operands in operands are deeper than {DEEPEST_OPERAND}");
            return Err(self.problem(open, message, "one more", "write registers or numbers here"));
        }
        let operands = self.until(depth, close, closing);
        if operands.is_err() {
            // Else its end would be taken for that of the block.
            while !matches!(self.kind(), Kind::Semicolon | Kind::End) && self.take().kind != close {}
        }
        operands
    }

    fn until(&mut self, depth: usize, close: Kind, closing: &str) -> Parsed<Vec<Operand>> {
        let mut operands = Vec::new();
        while self.kind() != close {
            operands.push(self.operand(depth + 1)?);
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.expect(close, &format!("`,` or {closing}"), "operands stand between commas")?;
        Ok(operands)
    }
}
