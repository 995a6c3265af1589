//! Modules: the header, and what stands behind it.

use super::Parsed;
use super::cursor::Cursor;
use crate::lex::Kind;
use crate::span::Span;
use crate::syntax::{FunctionKind, Header, Item, ItemKind, Linkage, Module, Name, Space};

const ITEMS: &str =
    "a module has `.entry`, `.func`, `.global`, `.const`, `.shared`, `.file`, `.section`, `.alias` and `.pragma`";

impl Cursor<'_> {
    /// The whole text. What is wrong is noted; then the module has what could be read.
    pub(super) fn module(&mut self) -> Module {
        let header = self.header();
        let mut items = Vec::new();
        let mut wrong = !self.problems.is_empty();
        while self.kind() != Kind::End {
            if self.kind() == Kind::Semicolon {
                self.lone_semicolon(std::mem::take(&mut wrong));
                continue;
            }
            let place = self.place_in_tokens();
            wrong = self.item(&mut items).is_err();
            if wrong {
                self.declares_all = false;
                self.next_item();
                if self.place_in_tokens() == place {
                    self.take();
                }
            }
        }
        Module { header, items }
    }

    fn header(&mut self) -> Header {
        let span = self.span();
        let nothing = Header { version: (0, 0), version_span: span, targets: Vec::new(), address_size: None };
        self.rest_of_header(span).unwrap_or_else(|_| {
            self.next_item();
            nothing
        })
    }

    fn rest_of_header(&mut self, version_span: Span) -> Parsed<Header> {
        if !self.eat_dotted("version") {
            let help = "a module begins with `.version 8.0`, `.target sm_75` and `.address_size 64`";
            return Err(self.expected("`.version`", help));
        }
        let version = self.version()?;
        if !self.eat_dotted("target") {
            return Err(self.expected("`.target`", "behind `.version` stands `.target sm_75`"));
        }
        let targets = self.names("a target")?;
        let address_size =
            if self.eat_dotted("address_size") { Some(self.small("the size of an address")?) } else { None };
        Ok(Header { version, version_span, targets, address_size })
    }

    fn version(&mut self) -> Parsed<(u32, u32)> {
        let split = |text: &str| {
            let (major, minor) = text.split_once('.')?;
            Some((major.parse().ok()?, minor.parse().ok()?))
        };
        match (self.kind() == Kind::Number).then(|| split(self.here())).flatten() {
            Some(version) => {
                self.take();
                Ok(version)
            }
            None => {
                Err(self.expected("a version", "a version is two numbers with a point between them: `.version 8.0`"))
            }
        }
    }

    fn item(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        let span = self.span();
        let mut linkage = Linkage::Internal;
        while let Some(found) = self.dotted().and_then(Linkage::from_text) {
            if linkage != Linkage::Internal {
                let help = "one of `.visible`, `.extern`, `.weak` and `.common` stands in front of it";
                return Err(self.expected("a variable or a function", help));
            }
            self.take();
            linkage = found;
        }
        let Some(name) = self.dotted() else { return Err(self.expected("a directive", ITEMS)) };
        let kind = match name {
            "entry" | "func" => {
                self.take();
                let kind = if name == "entry" { FunctionKind::Entry } else { FunctionKind::Func };
                ItemKind::Function(self.function(kind, linkage, span)?)
            }
            "global" | "const" | "shared" | "local" | "tex" | "param" => {
                self.take();
                let space = Space::from_text(name).unwrap_or(Space::Global);
                let variables = self.variables(linkage, space, span)?;
                items.extend(variables.into_iter().map(|variable| Item { kind: ItemKind::Variable(variable), span }));
                return Ok(());
            }
            _ => self.other_item(name)?,
        };
        items.push(Item { kind, span });
        Ok(())
    }

    fn other_item(&mut self, name: &str) -> Parsed<ItemKind> {
        let known = ["reg", "file", "section", "alias", "pragma"];
        if !known.contains(&name) {
            return Err(self.expected("a directive of a module", ITEMS));
        }
        self.take();
        Ok(match name {
            "reg" => ItemKind::Registers(self.registers()?),
            "file" => ItemKind::File(self.source_file()?),
            "section" => ItemKind::Section(self.section()?),
            "pragma" => ItemKind::Pragma(self.pragma()?),
            _ => {
                let name: Name = self.name("the name of a function")?;
                self.expect(Kind::Comma, "`,`", "an alias is `.alias name, function;`")?;
                let of = self.name("the name of a function")?;
                self.semicolon("")?;
                ItemKind::Alias { name, of }
            }
        })
    }

    /// Goes to where an item begins: a directive of a module that is the first of its line, or behind a `;` or a block.
    fn next_item(&mut self) {
        let begins = ["entry", "func", "global", "const", "shared", "file", "section", "alias", "pragma"];
        let mut first = false;
        loop {
            let token = self.token();
            let name = self.dotted().unwrap_or_default();
            if token.kind == Kind::End
                || (first || token.first) && (begins.contains(&name) || Linkage::from_text(name).is_some())
            {
                return;
            }
            match token.kind {
                Kind::OpenBrace => self.skip_braces(),
                _ => drop(self.take()),
            }
            first = matches!(token.kind, Kind::Semicolon | Kind::OpenBrace | Kind::CloseBrace);
        }
    }
}
