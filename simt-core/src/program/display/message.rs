//! Messages in print: the format string that one was written as.

use crate::program::{Align, Form, Message, Piece, Style};

/// The format string, in quotes; values that are shown in the order of the arguments have no numbers.
pub(super) fn format_string(message: &Message) -> String {
    let mut text = String::from('"');
    let mut next = 0;
    for piece in &message.pieces {
        match piece {
            Piece::Text(piece) => text += &piece.replace('{', "{{").replace('}', "}}").escape_debug().to_string(),
            Piece::Value { arg, style } => {
                let number = if *arg == next { String::new() } else { arg.to_string() };
                // A number that is written does not count.
                next += u32::from(number.is_empty());
                let style = specification(*style);
                let colon = if style.is_empty() { "" } else { ":" };
                text += &format!("{{{number}{colon}{style}}}");
            }
        }
    }
    text.push('"');
    text
}

/// What stands behind the colon.
pub(crate) fn specification(style: Style) -> String {
    let align = match style.align {
        None => "",
        Some(Align::Left) => "<",
        Some(Align::Center) => "^",
        Some(Align::Right) => ">",
    };
    let plus = if style.plus { "+" } else { "" };
    let alternate = if style.alternate { "#" } else { "" };
    let zeros = if style.zeros { "0" } else { "" };
    let width = if style.width > 0 { style.width.to_string() } else { String::new() };
    let precision = style.precision.map_or_else(String::new, |precision| format!(".{precision}"));
    let form = match style.form {
        Form::Display => "",
        Form::Debug => "?",
        Form::LowerHex => "x",
        Form::UpperHex => "X",
        Form::Binary => "b",
        Form::Octal => "o",
        Form::LowerExp => "e",
        Form::Text => "s",
        Form::Format => "f",
    };
    format!("{align}{plus}{alternate}{zeros}{width}{precision}{form}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(arg: u32, style: Style) -> Piece {
        Piece::Value { arg, style }
    }

    #[test]
    fn a_message_prints_as_it_was_written() {
        let plain = Style::default();
        let hex = Style { width: 8, zeros: true, alternate: true, form: Form::LowerHex, ..plain };
        let float = Style { width: 9, plus: true, precision: Some(3), align: Some(Align::Center), ..plain };
        let text = |text: &'static str| Piece::Text(text.into());
        let pieces = vec![text("{a\"\n"), value(0, plain), text(" "), value(0, hex), value(1, float), value(3, plain)];
        assert_eq!(format_string(&Message { pieces }), r#""{{a\"\n{} {0:#08x}{:^+9.3}{3}""#);
        assert_eq!(format_string(&Message::default()), "\"\"");
        let debug = vec![value(0, Style { form: Form::Debug, align: Some(Align::Left), width: 4, ..plain })];
        assert_eq!(format_string(&Message { pieces: debug }), "\"{:<4?}\"");
    }
}
