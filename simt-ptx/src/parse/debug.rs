//! What compilers leave for debuggers: `.file`, `.loc`, `.section`.

use super::Parsed;
use super::cursor::Cursor;
use crate::lex::Kind;
use crate::syntax::{Location, Name, SourceFile};

impl Cursor<'_> {
    /// What stands behind `.file`.
    pub(super) fn source_file(&mut self) -> Parsed<SourceFile> {
        let number = self.small("the number of a file")?;
        let name = self.quoted()?;
        let stamp = if self.eat(Kind::Comma) {
            let time = self.integer("the time of the file's last change")?;
            self.expect(Kind::Comma, "`,`", "time and size of a file stand together")?;
            Some((time, self.integer("the size of the file")?))
        } else {
            None
        };
        // Some write a `;`, most do not.
        self.eat(Kind::Semicolon);
        Ok(SourceFile { number, name, stamp })
    }

    /// What stands behind `.loc`.
    pub(super) fn location(&mut self) -> Parsed<Location> {
        let (file, line, column) = self.place()?;
        let (mut function, mut inlined_at) = (None, None);
        while self.eat(Kind::Comma) {
            match self.word() {
                Some("function_name") => {
                    self.take();
                    // A label of a debug section, or the section's name.
                    let name = match self.dotted() {
                        Some(_) => {
                            let token = self.take();
                            Name::new(self.text_of(token), token.span())
                        }
                        None => self.name("the label of a function's name")?,
                    };
                    let offset = if self.eat(Kind::Plus) { self.integer("what is added to a label")? } else { 0 };
                    function = Some((name, offset));
                }
                Some("inlined_at") => {
                    self.take();
                    inlined_at = Some(self.place()?);
                }
                _ => {
                    let help = "behind the numbers of `.loc` stand `function_name` and `inlined_at`, each behind a `,`";
                    return Err(self.expected("`function_name` or `inlined_at`", help));
                }
            }
        }
        self.eat(Kind::Semicolon);
        Ok(Location { file, line, column, function, inlined_at })
    }

    fn place(&mut self) -> Parsed<(u32, u32, u32)> {
        Ok((self.small("the number of a file")?, self.small("a line")?, self.small("a column")?))
    }

    /// What stands behind `.section`: its name, and what is between its braces, which is left out.
    pub(super) fn section(&mut self) -> Parsed<Name> {
        let (what, help) = ("the name of a section", "a section is `.section .debug_info { ... }`");
        let token = match self.kind() {
            Kind::Dotted | Kind::Word => self.take(),
            _ => return Err(self.expected(what, help)),
        };
        let name = Name::new(self.text_of(token), token.span());
        if self.kind() != Kind::OpenBrace {
            return Err(self.expected("`{`", help));
        }
        self.skip_braces();
        Ok(name)
    }

    /// What stands behind `.pragma`, with its `;`.
    pub(super) fn pragma(&mut self) -> Parsed<Vec<String>> {
        let mut texts = vec![self.quoted()?];
        while self.eat(Kind::Comma) {
            texts.push(self.quoted()?);
        }
        self.semicolon("`,` or ")?;
        Ok(texts)
    }
}
