//! Format strings: the part of `std::fmt`'s syntax that makes sense for numbers.
//!
//! ```text
//! hole  ::=  { [name | number] [: spec] }
//! spec  ::=  [< | ^ | >] [+] [#] [0] [width] [. precision] [? | x | X | b | o | e]
//! ```

use std::iter::Peekable;
use std::str::Chars;

/// A part of a format string.
#[derive(Debug, PartialEq)]
pub(crate) enum Part {
    Text(String),
    Hole { argument: Argument, spec: Spec },
}

/// The argument that a hole shows.
#[derive(Debug, PartialEq)]
pub(crate) enum Argument {
    /// The next one: `{}`.
    Next,
    Number(usize),
    Name(String),
}

/// How a hole shows its argument.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Spec {
    pub(crate) align: Option<char>,
    pub(crate) plus: bool,
    pub(crate) alternate: bool,
    pub(crate) zeros: bool,
    pub(crate) width: u16,
    pub(crate) precision: Option<u16>,
    pub(crate) form: Option<char>,
}

/// The parts of a format string, or its mistake.
pub(crate) fn parse(text: &str) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    let mut plain = String::new();
    let mut chars = text.chars().peekable();
    while let Some(next) = chars.next() {
        match next {
            '{' | '}' if chars.next_if_eq(&next).is_some() => plain.push(next),
            '{' => {
                if !plain.is_empty() {
                    parts.push(Part::Text(std::mem::take(&mut plain)));
                }
                parts.push(hole(&mut chars)?);
            }
            '}' => return Err("this text has a `}` without a `{`: write `}}` for a brace".to_owned()),
            next => plain.push(next),
        }
    }
    if !plain.is_empty() {
        parts.push(Part::Text(plain));
    }
    Ok(parts)
}

fn hole(chars: &mut Peekable<Chars<'_>>) -> Result<Part, String> {
    let inside: String = std::iter::from_fn(|| chars.next_if(|&next| next != '}' && next != '{')).collect();
    if chars.next() != Some('}') {
        return Err("this text has a `{` without a `}`: write `{{` for a brace".to_owned());
    }
    let (argument, spec) = inside.split_once(':').unwrap_or((&inside, ""));
    let argument = argument.trim();
    let argument = if argument.is_empty() {
        Argument::Next
    } else if argument.bytes().all(|digit| digit.is_ascii_digit()) {
        Argument::Number(argument.parse().map_err(|_| format!("there is no argument {argument}"))?)
    } else if argument.chars().all(|char| char.is_alphanumeric() || char == '_') {
        Argument::Name(argument.to_owned())
    } else {
        return Err(format!("`{{{argument}}}` is no name: give the value behind the text, `\"{{}}\", {argument}`"));
    };
    Ok(Part::Hole { argument, spec: self::spec(spec.trim_end())? })
}

fn spec(text: &str) -> Result<Spec, String> {
    let mut spec = Spec::default();
    let mut chars = text.chars().peekable();
    let mut after_first = text.chars();
    after_first.next();
    if after_first.next().is_some_and(|align| "<^>".contains(align)) {
        if !text.starts_with(' ') {
            return Err(format!("a kernel fills with blanks or zeros only: `{{:{text}}}` asks for something else"));
        }
        chars.next();
    }
    spec.align = chars.next_if(|&next| "<^>".contains(next));
    spec.plus = chars.next_if_eq(&'+').is_some();
    spec.alternate = chars.next_if_eq(&'#').is_some();
    spec.zeros = chars.next_if_eq(&'0').is_some();
    spec.width = number(&mut chars)?.unwrap_or(0);
    if chars.next_if_eq(&'.').is_some() {
        let Some(precision) = number(&mut chars)? else {
            return Err("the precision is a number: write `{:.2}`".to_owned());
        };
        spec.precision = Some(precision);
    }
    spec.form = chars.next_if(|&next| "?xXboe".contains(next));
    match chars.next() {
        None => Ok(spec),
        Some('$') => Err("a width or precision is a number in a kernel: write `{:8.2}`".to_owned()),
        Some(_) => Err(format!(
            "`{{:{text}}}` is not known to kernels: they have a width, `.2`, `+`, `#`, `0`, `<`, `^`, `>`, and \
             `x`, `X`, `b`, `o`, `e`, `?`"
        )),
    }
}

fn number(chars: &mut Peekable<Chars<'_>>) -> Result<Option<u16>, String> {
    let digits: String = std::iter::from_fn(|| chars.next_if(char::is_ascii_digit)).collect();
    if digits.is_empty() {
        return Ok(None);
    }
    digits.parse().map(Some).map_err(|_| format!("{digits} is too large for a width or a precision"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(argument: Argument, spec: Spec) -> Part {
        Part::Hole { argument, spec }
    }

    fn text(text: &str) -> Part {
        Part::Text(text.to_owned())
    }

    #[test]
    fn text_and_holes_alternate() {
        let plain = Spec::default;
        assert_eq!(parse(""), Ok(vec![]));
        assert_eq!(parse("a {{b}}"), Ok(vec![text("a {b}")]));
        assert_eq!(
            parse("{}, {1}{x }"),
            Ok(vec![
                show(Argument::Next, plain()),
                text(", "),
                show(Argument::Number(1), plain()),
                show(Argument::Name("x".to_owned()), plain()),
            ])
        );
    }

    #[test]
    fn specs_are_read_from_left_to_right() {
        let full = Spec {
            align: Some('^'),
            plus: true,
            alternate: true,
            zeros: true,
            width: 12,
            precision: Some(3),
            form: Some('e'),
        };
        assert_eq!(parse("{:^+#012.3e}"), Ok(vec![show(Argument::Next, full)]));
        assert_eq!(
            parse("{n: >4}"),
            Ok(vec![show(Argument::Name("n".to_owned()), Spec { align: Some('>'), width: 4, ..Spec::default() })])
        );
        assert!(parse("{:x?}").is_err());
    }

    #[track_caller]
    fn rejects(format: &str, start: &str) {
        let message = parse(format).expect_err("a mistake");
        assert!(message.starts_with(start), "{message}");
    }

    #[test]
    fn what_is_wrong_is_said() {
        rejects("a } b", "this text has a `}` without");
        rejects("{ b", "this text has a `{` without");
        rejects("{ {} }", "this text has a `{` without");
        rejects("{x.y}", "`{x.y}` is no name");
        rejects("{a + 1}", "`{a + 1}` is no name");
        rejects("{99999999999999999999999}", "there is no argument");
        rejects("{:*>4}", "a kernel fills with blanks");
        rejects("{:1$}", "a width or precision is a number");
        rejects("{:.*}", "the precision is a number");
        rejects("{:99999}", "99999 is too large");
        rejects("{:p}", "`{:p}` is not known");
    }
}
