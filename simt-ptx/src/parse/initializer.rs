//! What variables hold in the beginning.

use super::cursor::Cursor;
use super::{DEEPEST, Parsed};
use crate::lex::{Kind, Number, number};
use crate::span::Span;
use crate::syntax::{Float, Initializer};

impl Cursor<'_> {
    /// What a variable begins with, in `depth` lists.
    pub(super) fn initializer(&mut self, depth: usize) -> Parsed<Initializer> {
        let span = self.span();
        match self.kind() {
            Kind::OpenBrace if depth >= DEEPEST => {
                let message = format!("lists in lists are deeper than {DEEPEST}");
                let noted = self.problem(span, message, "one more", "use one list");
                Err(noted)
            }
            Kind::OpenBrace => {
                self.take();
                let mut list = Vec::new();
                while self.kind() != Kind::CloseBrace {
                    list.push(self.initializer(depth + 1)?);
                    if !self.eat(Kind::Comma) {
                        break;
                    }
                }
                self.expect(Kind::CloseBrace, "`,` or `}`", "elements stand between commas; a list ends with `}`")?;
                Ok(Initializer::List(list))
            }
            Kind::Word => {
                let generic = self.word() == Some("generic") && self.ahead(1).kind == Kind::OpenParenthesis;
                if generic {
                    self.take();
                }
                self.symbol(generic, None, generic)
            }
            Kind::Number if self.ahead(1).kind == Kind::OpenParenthesis => {
                let mask = self.integer("a mask")?;
                let byte = (0..8).find(|byte| mask == 0xff << (8 * byte));
                if byte.is_none() {
                    let help = "a mask has one byte of ones: `0xff(name)`, `0xff00(name)`";
                    return Err(self.problem(span, format!("{mask:#x} is no mask of an address"), "", help));
                }
                self.symbol(false, byte, true)
            }
            _ => self.value(span),
        }
    }

    /// A name with what is added to it, between parentheses behind `generic` and masks.
    fn symbol(&mut self, generic: bool, byte: Option<u8>, parentheses: bool) -> Parsed<Initializer> {
        if parentheses {
            self.take();
        }
        let (mut generic, mut inner) = (generic, false);
        if byte.is_some() && self.word() == Some("generic") && self.ahead(1).kind == Kind::OpenParenthesis {
            self.take();
            self.take();
            (generic, inner) = (true, true);
        }
        let name = self.name("the name of a variable or function")?;
        if inner {
            self.expect(Kind::CloseParenthesis, "`)`", "close what was opened before")?;
        }
        // `generic(name)+8` and `0xff(name+8)` are what compilers write.
        let mut offset = self.offset()?;
        if parentheses {
            self.expect(Kind::CloseParenthesis, "`)`", "close what was opened before")?;
            if offset == 0 && byte.is_none() {
                offset = self.offset()?;
            }
        }
        Ok(Initializer::Symbol { name, generic, offset, byte })
    }

    /// A number with its sign.
    fn value(&mut self, span: Span) -> Parsed<Initializer> {
        let what = "a number, the name of a variable, or `{`";
        if matches!(self.kind(), Kind::Minus | Kind::Number | Kind::Tilde | Kind::Not | Kind::OpenParenthesis) {
            let negative = self.kind() == Kind::Minus;
            let behind = self.ahead(usize::from(negative));
            let float = matches!(number(self.text_of(behind)), Ok(Number::Float(_)));
            if float {
                if negative {
                    self.take();
                }
                if let Number::Float(float) = self.number(what)? {
                    return Ok(Initializer::Float(if negative { negated(float) } else { float }, span));
                }
            }
            return Ok(Initializer::Integer(self.signed(what)?, span));
        }
        Err(self.expected(
            what,
            "an initializer is a number, a name, `name+8`, `generic(name)`, or a list of them in braces",
        ))
    }
}

/// The float with its sign changed.
pub(super) fn negated(float: Float) -> Float {
    match float {
        Float::Single(bits) => Float::Single(bits ^ 1 << 31),
        Float::Double(bits) => Float::Double(bits ^ 1 << 63),
    }
}
