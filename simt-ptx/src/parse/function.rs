//! Kernels and functions.

use super::Parsed;
use super::cursor::Cursor;
use crate::lex::Kind;
use crate::span::Span;
use crate::syntax::{Directive, Function, FunctionKind, Linkage, Name, Space, Variable};

/// What may stand between the parameters of a function and its body, without the dot.
const DIRECTIVES: &[&str] = &[
    "abi_preserve",
    "abi_preserve_control",
    "blocksareclusters",
    "explicitcluster",
    "maxclusterrank",
    "maxnctapersm",
    "maxnreg",
    "maxntid",
    "minnctapersm",
    "noreturn",
    "pragma",
    "reqnctapercluster",
    "reqntid",
    "unified",
];

impl Cursor<'_> {
    /// What stands behind `.entry` or `.func`.
    pub(super) fn function(&mut self, kind: FunctionKind, linkage: Linkage, span: Span) -> Parsed<Function> {
        // `.func .attribute(...) (results) name` is what unified functions have.
        if self.eat_dotted("attribute") && self.kind() == Kind::OpenParenthesis {
            while !matches!(self.kind(), Kind::CloseParenthesis | Kind::End | Kind::OpenBrace) {
                self.take();
            }
            self.eat(Kind::CloseParenthesis);
        }
        let returns = self.kind() == Kind::OpenParenthesis && kind == FunctionKind::Func;
        let returns = if returns { self.parameters(false)? } else { Vec::new() };
        let name =
            self.name(if kind == FunctionKind::Entry { "the name of a kernel" } else { "the name of a function" })?;
        let parameters = if self.kind() == Kind::OpenParenthesis { self.parameters(false)? } else { Vec::new() };
        let directives = self.function_directives()?;
        let body = match self.kind() {
            Kind::OpenBrace => Some(self.block(0)?),
            Kind::Semicolon => {
                self.take();
                None
            }
            _ => {
                let help = "behind the parameters stand directives such as `.maxntid`, then the body in braces, or `;`";
                return Err(self.expected("`{`, `;` or a directive", help));
            }
        };
        Ok(Function { kind, linkage, name, returns, parameters, directives, body, span })
    }

    fn function_directives(&mut self) -> Parsed<Vec<Directive>> {
        let mut directives = Vec::new();
        while let Some(text) = self.dotted().filter(|text| DIRECTIVES.contains(text)) {
            let name = Name::new(text, self.take().span());
            let (mut values, mut texts) = (Vec::new(), Vec::new());
            if text == "pragma" {
                texts = self.pragma()?;
            } else if self.kind() == Kind::Number {
                values.push(self.small("a number")?);
                while self.eat(Kind::Comma) {
                    values.push(self.small("a number")?);
                }
            }
            directives.push(Directive { name, values, texts });
        }
        Ok(directives)
    }

    /// Parameters between parentheses; those of prototypes may be called `_`.
    pub(super) fn parameters(&mut self, sinks: bool) -> Parsed<Vec<Variable>> {
        self.expect(Kind::OpenParenthesis, "`(`", "parameters stand between parentheses")?;
        let mut parameters = Vec::new();
        while self.kind() != Kind::CloseParenthesis {
            let span = self.span();
            let space = match self.dotted() {
                Some("param") => Space::Param,
                Some("reg") => Space::Reg,
                _ => return Err(self.expected("`.param` or `.reg`", "a parameter is `.param .u64 name`")),
            };
            self.take();
            parameters.push(self.parameter(space, span, sinks)?);
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.expect(Kind::CloseParenthesis, "`,` or `)`", "parameters stand between commas")?;
        Ok(parameters)
    }
}
