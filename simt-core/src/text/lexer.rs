//! A line of assembly as tokens.

use super::error::{Place, Problem};

/// A piece of a line, with its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) place: Place,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// A letter or `_`, then letters, digits and `_`.
    Word(String),
    /// A digit and what looks like the rest of a number. Without a sign.
    Number(String),
    /// A text in quotes, its escapes resolved.
    Quoted(String),
    /// One of `@ % ! . , : [ ] ( ) & # + -`.
    Sign(char),
}

const SIGNS: &str = "@%!.,:[]()&#+-=";

/// The tokens of a line, without its comment.
///
/// # Errors
/// A character that begins no token; a text in quotes that is not closed or has an unknown escape.
pub(super) fn tokens(line: &str) -> Result<Vec<Token>, Problem> {
    let chars: Vec<char> = line.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        let start = at;
        let kind = match c {
            ';' => break,
            '/' if chars.get(at + 1) == Some(&'/') => break,
            c if c.is_whitespace() => {
                at += 1;
                continue;
            }
            '"' => Kind::Quoted(quoted(&chars, &mut at)?),
            c if c.is_ascii_digit() => Kind::Number(number(&chars, &mut at)),
            c if c.is_alphabetic() || c == '_' => {
                while chars.get(at).is_some_and(|&c| c.is_alphanumeric() || c == '_') {
                    at += 1;
                }
                Kind::Word(chars[start..at].iter().collect())
            }
            c if SIGNS.contains(c) => {
                at += 1;
                Kind::Sign(c)
            }
            c => {
                let what = format!("`{}` means nothing here", c.escape_debug());
                return Err(Problem::new(place(start, start + 1), what, "an instruction, or a comment behind `;`"));
            }
        };
        tokens.push(Token { kind, place: place(start, at) });
    }
    Ok(tokens)
}

const fn place(start: usize, end: usize) -> Place {
    Place { start: start as u32 + 1, end: end as u32 + 1 }
}

/// Digits, letters and `_`; a point with a digit behind it, once; a sign behind the `e` of an exponent.
fn number(chars: &[char], at: &mut usize) -> String {
    let start = *at;
    let is_digit = |index: usize| chars.get(index).is_some_and(char::is_ascii_digit);
    // `0x1e+2` and the bits of a float have no exponent.
    let plain = !(chars[start] == '0' && matches!(chars.get(start + 1), Some('x' | 'b' | 'o' | 'f' | 'd')));
    let mut points = 0;
    while let Some(&c) = chars.get(*at) {
        let exponent = plain && *at > start && matches!(chars[*at - 1], 'e' | 'E') && matches!(c, '+' | '-');
        let point = plain && c == '.' && points == 0 && is_digit(*at + 1);
        if !(c.is_alphanumeric() || c == '_' || point || exponent && is_digit(*at + 1)) {
            break;
        }
        points += u32::from(point);
        *at += 1;
    }
    chars[start..*at].iter().collect()
}

fn quoted(chars: &[char], at: &mut usize) -> Result<String, Problem> {
    let start = *at;
    *at += 1;
    let mut text = String::new();
    loop {
        let Some(&c) = chars.get(*at) else {
            let what = "the text in quotes does not end on its line";
            return Err(Problem::new(place(start, chars.len()), what, "`\"`; write `\\n` for a line break"));
        };
        *at += 1;
        match c {
            '"' => return Ok(text),
            '\\' => {
                let escape = *at - 1;
                let value = match chars.get(*at) {
                    Some('n') => Some('\n'),
                    Some('t') => Some('\t'),
                    Some('r') => Some('\r'),
                    Some('0') => Some('\0'),
                    Some(&c @ ('"' | '\\' | '\'')) => Some(c),
                    Some('u') => unicode(chars, at),
                    _ => None,
                };
                let Some(value) = value else {
                    let what = "there is no such escape";
                    let end = (escape + 2).min(chars.len());
                    return Err(Problem::new(
                        place(escape, end),
                        what,
                        "`\\\"`, `\\\\`, `\\n`, `\\t`, `\\r` or `\\u{7e}`",
                    ));
                };
                *at += 1;
                text.push(value);
            }
            c => text.push(c),
        }
    }
}

/// The character of `u{..}`; `at` stands on its `}` then.
fn unicode(chars: &[char], at: &mut usize) -> Option<char> {
    let open = *at + 1;
    let close = open + chars.get(open..)?.iter().take(8).position(|&c| c == '}')?;
    let digits: String = chars.get(open..close)?.strip_prefix(&['{'])?.iter().collect();
    let digits = digits.chars().all(|c| c.is_ascii_hexdigit()).then_some(digits)?;
    *at = close;
    char::from_u32(u32::from_str_radix(&digits, 16).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::literal;
    use proptest::prelude::*;

    fn kinds(line: &str) -> Vec<Kind> {
        tokens(line).expect("tokens").into_iter().map(|token| token.kind).collect()
    }

    #[test]
    fn a_line_is_cut_where_a_reader_would() {
        let word = |text: &str| Kind::Word(text.into());
        let number = |text: &str| Kind::Number(text.into());
        assert_eq!(kinds("add.u32 ; x"), [word("add"), Kind::Sign('.'), word("u32")]);
        assert_eq!(
            kinds("%x.2.len // y"),
            [Kind::Sign('%'), word("x"), Kind::Sign('.'), number("2"), Kind::Sign('.'), word("len"),]
        );
        assert_eq!(kinds("-1.5e-3"), [Kind::Sign('-'), number("1.5e-3")]);
        assert_eq!(kinds("0x1e-3"), [number("0x1e"), Kind::Sign('-'), number("3")]);
        assert_eq!(kinds("@12"), [Kind::Sign('@'), number("12")]);
        assert_eq!(kinds(r#" "a;//\u{7e}\"" "#), [Kind::Quoted("a;//~\"".into())]);
    }

    #[test]
    fn columns_count_characters() {
        let tokens = tokens("  Größe: %ü").expect("tokens");
        let places: Vec<_> = tokens.iter().map(|token| (token.place.start, token.place.end)).collect();
        assert_eq!(places, [(3, 8), (8, 9), (10, 11), (11, 12)]);
        for (line, start, end) in [("a $", 3, 4), ("a \"bc", 3, 6), (r#" "\q""#, 3, 5)] {
            let problem = super::tokens(line).expect_err("no tokens");
            assert_eq!((problem.place.start, problem.place.end), (start, end), "{line}");
        }
    }

    proptest! {
        #[test]
        fn a_quoted_text_is_read_as_it_is_written(text in ".*") {
            prop_assert_eq!(kinds(&literal::quoted(&text)), [Kind::Quoted(text)]);
        }

        #[test]
        fn any_line_has_tokens_or_a_problem(line in "[ -~ä\\\\\"u{}]{0,40}") {
            let _ = tokens(&line);
        }
    }
}
