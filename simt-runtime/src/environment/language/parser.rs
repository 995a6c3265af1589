//! The parser of memory programs.

use super::{Condition, Level, Op, Stm};

/// How deep `if`s and conditions may nest: a parser that calls itself must end before its stack does.
const DEPTH: usize = 64;

/// A text that is no memory program, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct SyntaxError {
    /// Its line, from 1.
    pub line: usize,
    /// Its column in characters, from 1.
    pub column: usize,
    /// The problem.
    pub message: String,
}

/// A word or one other character, and where it stands. The last one is empty: the end of the text.
#[derive(Clone, Copy)]
struct Token<'t> {
    text: &'t str,
    line: usize,
    column: usize,
}

fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let (mut line, mut column) = (1, 1);
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = if is_word(first) { rest.find(|c| !is_word(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let (text, behind) = rest.split_at(length);
        if !first.is_whitespace() {
            tokens.push(Token { text, line, column });
        }
        if first == '\n' {
            (line, column) = (line + 1, 1);
        } else {
            column += text.chars().count();
        }
        rest = behind;
    }
    tokens.push(Token { text: "", line, column });
    tokens
}

struct Parser<'t> {
    tokens: Vec<Token<'t>>,
    next: usize,
}

type Parsed<T> = Result<T, SyntaxError>;

pub(super) fn parse(source: &str) -> Parsed<Vec<Stm>> {
    let mut parser = Parser { tokens: tokens(source), next: 0 };
    let statements = parser.statements(0)?;
    match parser.peek() {
        "" => Ok(statements),
        _ => Err(parser.error("there is no `{` that this closes".to_string())),
    }
}

impl<'t> Parser<'t> {
    fn peek(&self) -> &'t str {
        self.tokens[self.next].text
    }

    fn advance(&mut self) {
        self.next = (self.next + 1).min(self.tokens.len() - 1);
    }

    /// An error at the next token.
    fn error(&self, message: String) -> SyntaxError {
        let Token { line, column, .. } = self.tokens[self.next];
        SyntaxError { line, column, message }
    }

    fn expect(&mut self, wanted: &str) -> Parsed<()> {
        match self.peek() {
            text if text == wanted => {
                self.advance();
                Ok(())
            }
            "" => Err(self.error(format!("`{wanted}` is expected, and the text ends"))),
            text => Err(self.error(format!("`{wanted}` is expected, not `{text}`"))),
        }
    }

    /// Statements up to a closing brace or the end of the text.
    fn statements(&mut self, depth: usize) -> Parsed<Vec<Stm>> {
        let mut statements = Vec::new();
        while !matches!(self.peek(), "" | "}") {
            statements.push(self.statement(depth)?);
        }
        Ok(statements)
    }

    fn statement(&mut self, depth: usize) -> Parsed<Stm> {
        let statement = match self.peek() {
            ";" => Stm::Skip,
            "yield" => Stm::Yield,
            "end" => Stm::End,
            "if" => return self.branch(depth),
            name => match Op::ALL.iter().find(|op| op.name() == name) {
                Some(&op) => Stm::Op(op),
                None => return Err(self.error(format!("`{name}` is no operation of memory programs"))),
            },
        };
        if statement != Stm::Skip {
            self.advance();
        }
        self.expect(";")?;
        Ok(statement)
    }

    fn branch(&mut self, depth: usize) -> Parsed<Stm> {
        if depth == DEPTH {
            return Err(self.error(format!("`if`s nest deeper than {DEPTH}")));
        }
        self.advance();
        self.expect("(")?;
        let cond = self.either(0)?;
        self.expect(")")?;
        let then = self.braced(depth)?;
        let otherwise = if self.peek() == "else" {
            self.advance();
            self.braced(depth)?
        } else {
            Vec::new()
        };
        Ok(Stm::If { cond, then: then.into(), otherwise: otherwise.into() })
    }

    fn braced(&mut self, depth: usize) -> Parsed<Vec<Stm>> {
        self.expect("{")?;
        let statements = self.statements(depth + 1)?;
        self.expect("}")?;
        Ok(statements)
    }

    fn either(&mut self, depth: usize) -> Parsed<Condition> {
        let mut left = self.both(depth)?;
        while self.peek() == "or" {
            self.advance();
            left = Condition::Or(Box::new(left), Box::new(self.both(depth)?));
        }
        Ok(left)
    }

    fn both(&mut self, depth: usize) -> Parsed<Condition> {
        let mut left = self.single(depth)?;
        while self.peek() == "and" {
            self.advance();
            left = Condition::And(Box::new(left), Box::new(self.single(depth)?));
        }
        Ok(left)
    }

    fn single(&mut self, depth: usize) -> Parsed<Condition> {
        if depth == DEPTH {
            return Err(self.error(format!("conditions nest deeper than {DEPTH}")));
        }
        let condition = match self.peek() {
            "true" => Condition::Constant(true),
            "false" => Condition::Constant(false),
            "isCachedL1" => Condition::IsCached(Level::L1),
            "isCachedL2" => Condition::IsCached(Level::L2),
            "!" => {
                self.advance();
                return Ok(Condition::Not(Box::new(self.single(depth + 1)?)));
            }
            "(" => {
                self.advance();
                let inner = self.either(depth + 1)?;
                self.expect(")")?;
                return Ok(inner);
            }
            "" => return Err(self.error("a condition is expected, and the text ends".to_string())),
            other => return Err(self.error(format!("`{other}` is no condition"))),
        };
        self.advance();
        Ok(condition)
    }
}
