//! Statements and blocks.

use super::cursor::Cursor;
use super::{DEEPEST, Parsed};
use crate::lex::Kind;
use crate::span::Span;
use crate::syntax::{Block, Linkage, Space, Statement, StatementKind};

impl Cursor<'_> {
    /// Statements between braces. What is wrong with one is noted, and the next is read.
    pub(super) fn block(&mut self, depth: usize) -> Parsed<Block> {
        let open = self.expect(Kind::OpenBrace, "`{`", "the body of a function stands between `{` and `}`")?.span();
        if depth >= DEEPEST {
            let message = format!("blocks in blocks are deeper than {DEEPEST}");
            let noted = self.problem(open, message, "one more", "use fewer braces: only registers need them");
            self.skip_block();
            return Err(noted);
        }
        let mut statements = Vec::new();
        // Behind a statement that is wrong its `;` may be left.
        let mut wrong = false;
        loop {
            match self.kind() {
                Kind::CloseBrace => {
                    let end = self.take().span();
                    return Ok(Block { statements, end });
                }
                Kind::End => {
                    let label = "opened here";
                    return Err(self.problem(open, "a `{` has no `}`", label, "close it where the function ends"));
                }
                Kind::Semicolon => self.lone_semicolon(std::mem::take(&mut wrong)),
                _ => {
                    let place = self.place_in_tokens();
                    // What is wrong with an instruction hides no name.
                    let instruction = matches!(self.kind(), Kind::Word | Kind::At);
                    wrong = self.statement(&mut statements, depth).is_err();
                    if wrong {
                        self.declares_all &= instruction;
                        self.recover();
                        if self.place_in_tokens() == place {
                            self.take();
                        }
                    }
                }
            }
        }
    }

    fn statement(&mut self, statements: &mut Vec<Statement>, depth: usize) -> Parsed<()> {
        let span = self.span();
        let kind = match self.kind() {
            Kind::OpenBrace => StatementKind::Block(self.block(depth + 1)?),
            Kind::Word if self.ahead(1).kind == Kind::Colon => {
                let label = self.name("a label")?;
                self.take();
                StatementKind::Label(label)
            }
            Kind::Word | Kind::At => StatementKind::Instruction(self.instruction()?),
            Kind::Dotted => return self.directive(statements, span),
            _ => {
                let help = "a statement is an instruction, a label, a directive such as `.reg`, or a block";
                return Err(self.expected("a statement", help));
            }
        };
        statements.push(Statement { kind, span });
        Ok(())
    }

    /// A statement that begins with a dot.
    fn directive(&mut self, statements: &mut Vec<Statement>, span: Span) -> Parsed<()> {
        let name = self.dotted().unwrap_or_default();
        let linkage = Linkage::from_text(name);
        let space = if linkage.is_some() { self.text_of(self.ahead(1)).get(1..).unwrap_or_default() } else { name };
        let kind = match Space::from_text(space) {
            Some(Space::Reg) if linkage.is_none() => {
                self.take();
                StatementKind::Registers(self.registers()?)
            }
            Some(space @ (Space::Param | Space::Global | Space::Shared | Space::Local | Space::Const)) => {
                self.take();
                if linkage.is_some() {
                    self.take();
                }
                let variables = self.variables(linkage.unwrap_or_default(), space, span)?;
                let variables = variables.into_iter().map(StatementKind::Variable);
                statements.extend(variables.map(|kind| Statement { kind, span }));
                return Ok(());
            }
            _ => self.other_directive(name)?,
        };
        statements.push(Statement { kind, span });
        Ok(())
    }

    fn other_directive(&mut self, name: &str) -> Parsed<StatementKind> {
        let known = ["loc", "pragma", "branchtargets", "calltargets", "callprototype"];
        if !known.contains(&name) {
            let help =
                "in a function stand `.reg`, `.local`, `.shared`, `.param`, `.loc`, `.pragma`, and lists of targets";
            return Err(self.expected("a statement", help));
        }
        self.take();
        Ok(match name {
            "loc" => StatementKind::Location(self.location()?),
            "pragma" => StatementKind::Pragma(self.pragma()?),
            "branchtargets" => {
                let names = self.names("a label")?;
                self.semicolon("`,` or ")?;
                StatementKind::BranchTargets(names)
            }
            "calltargets" => {
                let names = self.names("a function")?;
                self.semicolon("`,` or ")?;
                StatementKind::CallTargets(names)
            }
            _ => self.prototype()?,
        })
    }

    /// What stands behind `.callprototype`: results in parentheses, `_`, parameters in parentheses.
    fn prototype(&mut self) -> Parsed<StatementKind> {
        let returns = if self.kind() == Kind::OpenParenthesis { self.parameters(true)? } else { Vec::new() };
        if self.word() != Some("_") {
            let help = "a prototype is `.callprototype (results) _ (parameters);`";
            return Err(self.expected("`_`", help));
        }
        self.take();
        let parameters = if self.kind() == Kind::OpenParenthesis { self.parameters(true)? } else { Vec::new() };
        let no_return = self.eat_dotted("noreturn");
        self.semicolon("")?;
        Ok(StatementKind::CallPrototype { returns, parameters, no_return })
    }
}
