//! Messages as format strings, both ways: `"at {}: {1:>8.3}"`.
//!
//! A place for a value is written as in Rust: `{}` for the next value, `{2}` for the third, and behind a colon
//! `[<^>][+][#][0][width][.precision][? x X b o e]`. `{{` and `}}` are braces. Of the address of a text in memory `{:s}` shows
//! the text, and `{:f}` what C's `printf` makes of it and of the arguments at the address that is the next value.

use super::literal::quoted;
use crate::program::{Align, Form, Message, Piece, Style, specification};

const FORMS: [(&str, Form); 9] = [
    ("", Form::Display),
    ("?", Form::Debug),
    ("x", Form::LowerHex),
    ("X", Form::UpperHex),
    ("b", Form::Binary),
    ("o", Form::Octal),
    ("e", Form::LowerExp),
    ("s", Form::Text),
    ("f", Form::Format),
];

const ALIGNS: [(char, Align); 3] = [('<', Align::Left), ('^', Align::Center), ('>', Align::Right)];

/// The message as a format string, in quotes.
pub(super) fn written(message: &Message) -> String {
    let mut text = String::new();
    let mut next = 0;
    for piece in &message.pieces {
        match piece {
            Piece::Text(piece) => text.push_str(&piece.replace('{', "{{").replace('}', "}}")),
            Piece::Value { arg, style } => {
                let style = specification(*style);
                let number = if *arg == next { String::new() } else { arg.to_string() };
                let colon = if style.is_empty() { "" } else { ":" };
                text.push_str(&format!("{{{number}{colon}{style}}}"));
                next += u32::from(*arg == next);
            }
        }
    }
    quoted(&text)
}

/// The message of a format string, without its quotes.
///
/// # Errors
/// What is wrong with it.
pub(super) fn parsed(text: &str) -> Result<Message, String> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut next = 0;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '{' | '}' if chars.peek() == Some(&c) => {
                chars.next();
                plain.push(c);
            }
            '{' => {
                let mut place = String::new();
                loop {
                    match chars.next() {
                        Some('}') => break,
                        Some(c) => place.push(c),
                        None => return Err("a `{` is not closed; write `{{` for a brace".into()),
                    }
                }
                if !plain.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut plain).into()));
                }
                pieces.push(value(&place, &mut next)?);
            }
            '}' => return Err("a `}` is not opened; write `}}` for a brace".into()),
            c => plain.push(c),
        }
    }
    if !plain.is_empty() {
        pieces.push(Piece::Text(plain.into()));
    }
    Ok(Message { pieces })
}

fn value(place: &str, next: &mut u32) -> Result<Piece, String> {
    let (number, style) = place.split_once(':').unwrap_or((place, ""));
    let wrong = || format!("`{{{place}}}` is no place for a value; write `{{}}`, `{{2}}` or `{{:>8.3}}`");
    let arg = if number.is_empty() {
        *next += 1;
        *next - 1
    } else {
        decimal(number).ok_or_else(wrong)?
    };
    Ok(Piece::Value { arg, style: style_of(style).ok_or_else(wrong)? })
}

fn decimal<T: std::str::FromStr>(text: &str) -> Option<T> {
    let digits = !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    digits.then(|| text.parse().ok())?
}

fn style_of(text: &str) -> Option<Style> {
    let align = ALIGNS.iter().find(|(c, _)| text.starts_with(*c)).map(|&(_, align)| align);
    let rest = if align.is_some() { &text[1..] } else { text };
    let flag = |rest: &mut &str, c| {
        let stripped = rest.strip_prefix(c);
        *rest = stripped.unwrap_or(rest);
        stripped.is_some()
    };
    let mut rest = rest;
    let (plus, alternate, zeros) = (flag(&mut rest, '+'), flag(&mut rest, '#'), flag(&mut rest, '0'));
    let (sizes, form) =
        FORMS.iter().rev().find_map(|&(name, form)| rest.strip_suffix(name).map(|sizes| (sizes, form)))?;
    let (width, precision) = match sizes.split_once('.') {
        Some((width, precision)) => (width, Some(decimal(precision)?)),
        None => (sizes, None),
    };
    let width = if width.is_empty() { 0 } else { decimal(width)? };
    Some(Style { width, precision, zeros, plus, alternate, form, align })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn styles() -> impl Strategy<Value = Style> {
        let align = proptest::option::of(proptest::sample::select(ALIGNS.map(|(_, align)| align).to_vec()));
        let form = proptest::sample::select(FORMS.map(|(_, form)| form).to_vec());
        let flags = any::<(bool, bool, bool)>();
        (any::<u16>(), any::<Option<u16>>(), flags, form, align).prop_map(
            |(width, precision, (zeros, plus, alternate), form, align)| Style {
                width,
                precision,
                zeros,
                plus,
                alternate,
                form,
                align,
            },
        )
    }

    proptest! {
        #[test]
        fn a_message_is_read_as_it_is_written(
            values in proptest::collection::vec((".{1,9}", 0u32..4, styles()), 0..5)
        ) {
            let pieces = values.into_iter().flat_map(|(text, arg, style)| {
                [Piece::Text(text.into()), Piece::Value { arg, style }]
            });
            let message = Message { pieces: pieces.collect() };
            let text = written(&message);
            // The quotes and their escapes are the lexer's.
            if !text.contains('\\') {
                prop_assert_eq!(parsed(&text[1..text.len() - 1]), Ok(message));
            }
        }

        #[test]
        fn no_text_is_too_odd(text in "[{}:0-9<>.#+x?a]{0,16}") {
            if let Ok(message) = parsed(&text) {
                let again = written(&message);
                prop_assert_eq!(parsed(&again[1..again.len() - 1]), Ok(message));
            }
        }
    }

    #[test]
    fn values_count_as_in_rust() {
        let args = |text: &str| -> Vec<u32> {
            let pieces = parsed(text).expect("a format string").pieces;
            let arg = |piece: &Piece| if let Piece::Value { arg, .. } = piece { Some(*arg) } else { None };
            pieces.iter().filter_map(arg).collect()
        };
        assert_eq!(args("{} {{}} {1:x} {:?} {0}"), [0, 1, 1, 0]);
        assert!(parsed("{").is_err() && parsed("}").is_err() && parsed("{x}").is_err() && parsed("{:5q}").is_err());
    }
}
