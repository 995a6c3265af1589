//! Constant expressions: integers of 64 bits with the operators of C (PTX ISA, section 4.5).

use super::cursor::Cursor;
use super::{DEEPEST, Parsed};
use crate::lex::{Kind, Number, number};
use crate::span::Span;

/// A constant, and whether it is a `.u64`: others are a `.s64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Constant {
    bits: u64,
    unsigned: bool,
}

impl Constant {
    fn signed(value: i64) -> Constant {
        Constant { bits: value as u64, unsigned: false }
    }

    fn unsigned(bits: u64) -> Constant {
        Constant { bits, unsigned: true }
    }

    fn value(self) -> i128 {
        if self.unsigned { self.bits.into() } else { i128::from(self.bits as i64) }
    }
}

/// An operator between two constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Binary {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
}

impl Binary {
    /// How tightly it binds.
    fn precedence(self) -> u32 {
        match self {
            Binary::Mul | Binary::Div | Binary::Rem => 10,
            Binary::Add | Binary::Sub => 9,
            Binary::Shl | Binary::Shr => 8,
            Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => 7,
            Binary::Eq | Binary::Ne => 6,
            Binary::BitAnd => 5,
            Binary::BitXor => 4,
            Binary::BitOr => 3,
            Binary::And => 2,
            Binary::Or => 1,
        }
    }

    /// The result, which wraps; none of a division by zero.
    fn of(self, left: Constant, right: Constant) -> Option<Constant> {
        let unsigned = left.unsigned || right.unsigned;
        // Of two numbers of which one is unsigned, both are.
        let as_both = |of: Constant| Constant { unsigned, ..of }.value();
        let (a, b) = (as_both(left), as_both(right));
        let both = |value: i128| Constant { bits: value as u64, unsigned };
        let truth = |holds: bool| Constant::signed(holds.into());
        let count = u32::try_from(right.bits).unwrap_or(u32::MAX);
        Some(match self {
            Binary::Mul => both(i128::from(left.bits.wrapping_mul(right.bits))),
            Binary::Add => both(a + b),
            Binary::Sub => both(a - b),
            Binary::Div => both(a.checked_div(b)?),
            Binary::Rem => Constant::signed(a.checked_rem(b)? as i64),
            Binary::Shl => Constant { bits: left.bits.checked_shl(count).unwrap_or(0), ..left },
            Binary::Shr => Constant { bits: (left.value() >> count.min(64)) as u64, ..left },
            Binary::Lt => truth(a < b),
            Binary::Le => truth(a <= b),
            Binary::Gt => truth(a > b),
            Binary::Ge => truth(a >= b),
            Binary::Eq => truth(a == b),
            Binary::Ne => truth(a != b),
            Binary::BitAnd => Constant::unsigned(left.bits & right.bits),
            Binary::BitXor => Constant::unsigned(left.bits ^ right.bits),
            Binary::BitOr => Constant::unsigned(left.bits | right.bits),
            Binary::And => truth(left.bits != 0 && right.bits != 0),
            Binary::Or => truth(left.bits != 0 || right.bits != 0),
        })
    }
}

impl Cursor<'_> {
    /// The operator that begins so many tokens ahead, and of how many tokens it is. Of `7%3` it is a part of one.
    fn binary_ahead(&self, at: usize) -> Option<(Binary, usize)> {
        let (first, second) = (self.ahead(at), self.ahead(at + 1));
        let next = if first.touches(&second) { second.kind } else { Kind::End };
        Some(match (first.kind, next) {
            (Kind::Less, Kind::Less) => (Binary::Shl, 2),
            (Kind::Greater, Kind::Greater) => (Binary::Shr, 2),
            (Kind::Less, Kind::Equals) => (Binary::Le, 2),
            (Kind::Greater, Kind::Equals) => (Binary::Ge, 2),
            (Kind::Equals, Kind::Equals) => (Binary::Eq, 2),
            (Kind::Not, Kind::Equals) => (Binary::Ne, 2),
            (Kind::Ampersand, Kind::Ampersand) => (Binary::And, 2),
            (Kind::Bar, Kind::Bar) => (Binary::Or, 2),
            (Kind::Less, _) => (Binary::Lt, 1),
            (Kind::Greater, _) => (Binary::Gt, 1),
            (Kind::Ampersand, _) => (Binary::BitAnd, 1),
            // Two results stand beside a bar, too.
            (Kind::Bar, _) if second.kind != Kind::Word => (Binary::BitOr, 1),
            (Kind::Caret, _) => (Binary::BitXor, 1),
            (Kind::Star, _) => (Binary::Mul, 1),
            // No token, as it begins a comment.
            (Kind::Unknown, _) if self.text_of(first) == "/" => (Binary::Div, 1),
            (Kind::Plus, _) => (Binary::Add, 1),
            (Kind::Minus, _) => (Binary::Sub, 1),
            (Kind::Word, _) => match self.text_of(first).strip_prefix('%')? {
                "" => (Binary::Rem, 1),
                // The number behind it is a part of the token.
                rest if rest.starts_with(|c: char| c.is_ascii_digit()) => (Binary::Rem, 0),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Whether the number that begins so many tokens ahead is an operand of something.
    pub(super) fn is_expression(&self, at: usize) -> bool {
        self.binary_ahead(at).is_some() || self.ahead(at).kind == Kind::Question
    }

    /// The value of a constant expression.
    pub(super) fn expression(&mut self, what: &str) -> Parsed<i128> {
        self.choice(what, 0).map(Constant::value)
    }

    /// `a ? b : c`
    fn choice(&mut self, what: &str, depth: usize) -> Parsed<Constant> {
        let first = self.binary(what, depth, 0)?;
        if !self.eat(Kind::Question) {
            return Ok(first);
        }
        let then = self.choice(what, depth + 1)?;
        self.expect(Kind::Colon, "`:`", "a choice is `condition ? value : value`")?;
        let otherwise = self.choice(what, depth + 1)?;
        let unsigned = then.unsigned || otherwise.unsigned;
        Ok(Constant { unsigned, ..if first.bits != 0 { then } else { otherwise } })
    }

    /// Operators that bind at least so tightly.
    fn binary(&mut self, what: &str, depth: usize, least: u32) -> Parsed<Constant> {
        let mut left = self.unary(what, depth)?;
        while let Some((operator, tokens)) = self.binary_ahead(0).filter(|(operator, _)| operator.precedence() >= least)
        {
            let span = self.span();
            for _ in 0..tokens {
                self.take();
            }
            let right = if tokens == 0 {
                let digits = self.here().trim_start_matches('%');
                self.literal(digits, what)?
            } else {
                self.binary(what, depth + 1, operator.precedence() + 1)?
            };
            let Some(result) = operator.of(left, right) else {
                return Err(self.problem(span, "a constant is divided by zero", "by zero", "write another number"));
            };
            left = result;
        }
        Ok(left)
    }

    /// A number, or an expression in parentheses, with what stands in front of it.
    fn unary(&mut self, what: &str, depth: usize) -> Parsed<Constant> {
        if depth >= DEEPEST {
            let message = format!("a constant expression is deeper than {DEEPEST}");
            return Err(self.problem(self.span(), message, "one more", "compute a part of it by hand"));
        }
        let mut operators: Vec<Kind> = Vec::new();
        while matches!(self.kind(), Kind::Plus | Kind::Minus | Kind::Not | Kind::Tilde) {
            operators.push(self.take().kind);
        }
        let mut value = match self.kind() {
            Kind::OpenParenthesis => self.parenthesised(what, depth)?,
            Kind::Number => self.literal(self.here(), what)?,
            _ => return Err(self.expected(what, "a constant is a number, or an expression of numbers")),
        };
        for operator in operators.into_iter().rev() {
            value = match operator {
                Kind::Minus => Constant { bits: value.bits.wrapping_neg(), ..value },
                Kind::Not => Constant::signed((value.bits == 0).into()),
                Kind::Tilde => Constant::unsigned(!value.bits),
                _ => value,
            };
        }
        Ok(value)
    }

    /// `(a + b)`, or a conversion of what stands behind it: `(.u64) a`.
    fn parenthesised(&mut self, what: &str, depth: usize) -> Parsed<Constant> {
        self.take();
        let converts = match self.dotted() {
            Some("u64") => Some(true),
            Some("s64") => Some(false),
            _ => None,
        };
        if converts.is_some() {
            self.take();
        }
        let close = "a constant in parentheses ends with `)`; conversions are `(.s64)` and `(.u64)`";
        let Some(unsigned) = converts else {
            let value = self.choice(what, depth + 1)?;
            self.expect(Kind::CloseParenthesis, "`)`", close)?;
            return Ok(value);
        };
        self.expect(Kind::CloseParenthesis, "`)`", close)?;
        let value = self.unary(what, depth + 1)?;
        Ok(Constant { unsigned, ..value })
    }

    /// The number that the token here is, or ends with.
    fn literal(&mut self, text: &str, what: &str) -> Parsed<Constant> {
        let span: Span = self.span();
        match number(text) {
            Ok(Number::Integer(bits)) => {
                let unsigned = text.ends_with('U') || bits > i64::MAX as u64;
                self.take();
                Ok(Constant { bits, unsigned })
            }
            Ok(Number::Float(_)) => Err(self.not_whole(span, what)),
            Err(_) => self.number(what).map(|_| Constant::signed(0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lex::lex;

    fn value(text: &str) -> Option<i128> {
        let tokens = lex(text);
        let mut cursor = Cursor::new(text, &tokens);
        let value = cursor.expression("a number").ok();
        value.filter(|_| cursor.kind() == Kind::End && cursor.into_problems().is_empty())
    }

    #[test]
    fn expressions_are_those_of_c() {
        for (text, expected) in [
            ("1 + 2 * 3", 7),
            ("(1 + 2) * 3", 9),
            ("10 - 4 - 3", 3),
            ("1 << 4 | 1", 17),
            ("0xff & ~0xf", 0xf0),
            ("7%4 + 7 % 5", 5),
            ("-7 / 2", -3),
            ("-7 % 2", -1),
            ("-8 >> 1", -4),
            ("-8U >> 1", (1 << 63) - 4),
            ("2 < 1 ? 5 : 6", 6),
            ("1 == 1 && 0 || 3 != 3", 0),
            ("!0 + !7", 1),
            ("~0", (1 << 64) - 1),
            ("(.s64) ~0", -1),
            ("(.u64) -1", (1 << 64) - 1),
            ("-1 < 0U", 0),
            ("3 ^ 5 & 6", 7),
            ("1 << 64", 0),
            ("1 ? 2 : 0 ? 3 : 4", 2),
            ("- - 5", 5),
            ("0x10*2>=32", 1),
        ] {
            assert_eq!(value(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_none() {
        for text in ["1 +", "(1", "1 / 0", "5 % (3 - 3)", "1 ? 2", "1.5 + 1", "(.f64) 1", "09 + 1", "%r1 + 1", "1 %r2"]
        {
            assert_eq!(value(text), None, "{text}");
        }
        let deep = "(".repeat(100_000);
        assert_eq!(value(&deep), None);
        let long = format!("1{}", " + 1".repeat(10_000));
        assert_eq!(value(&long), Some(10_001));
        let nested = "-".repeat(100_000) + "1";
        assert_eq!(value(&nested), Some(1));
    }
}
