//! Messages: the text of a printed line or an assertion, with places for values.

use super::printf::{self, ReadByte};
use crate::scalar::{Constant, Scalar, ScalarType, widen};
use std::borrow::Cow;
use std::fmt;

/// A text with places for values.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Message {
    /// Its parts, in order.
    pub pieces: Vec<Piece>,
}

/// A part of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Text as it is.
    Text(Cow<'static, str>),
    /// A value.
    Value {
        /// Which of the statement's values.
        arg: u32,
        /// How it is shown.
        style: Style,
    },
}

/// How a value is shown: the parts of Rust's format specification that make sense for a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Style {
    /// Least width.
    pub width: u16,
    /// Digits behind the point of a float.
    pub precision: Option<u16>,
    /// `0`: zeros instead of blanks.
    pub zeros: bool,
    /// `+`: a sign, always.
    pub plus: bool,
    /// `#`: a prefix.
    pub alternate: bool,
    /// `?`, `x`, `X`, `b`, `o`, `e`; a blank for `{}`.
    pub form: Form,
    /// `<`, `^`, `>`; none if not said.
    pub align: Option<Align>,
}

/// The notation of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Form {
    /// `{}`
    #[default]
    Display,
    /// `{:?}`
    Debug,
    /// `{:x}`
    LowerHex,
    /// `{:X}`
    UpperHex,
    /// `{:b}`
    Binary,
    /// `{:o}`
    Octal,
    /// `{:e}`
    LowerExp,
    /// `{:s}`: the text in memory at the address that the value is, up to a zero. Only code has it.
    Text,
    /// `{:f}`: what C's `printf` makes of the format string at that address, and of the arguments at the address that the value
    /// behind it is. Only code has it.
    Format,
}

/// Where a value stands in a field that is wider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Align {
    /// `<`
    Left,
    /// `^`
    Center,
    /// `>`
    Right,
}

impl Message {
    /// The text with its values. A value that is not there shows as `?`, as does what lies in memory.
    pub fn render(&self, args: &[Constant]) -> String {
        self.render_with(args, &mut |_| None).0
    }

    /// The text with its values, of which some may be addresses of memory that is read byte by byte, and how many values it
    /// shows: of a format string how many arguments it takes, -1 if there is none.
    pub fn render_with(&self, args: &[Constant], read: ReadByte<'_>) -> (String, i32) {
        let (mut rendered, mut shown) = (String::new(), 0);
        for piece in &self.pieces {
            let (arg, style) = match piece {
                Piece::Text(text) => {
                    rendered += text;
                    continue;
                }
                Piece::Value { arg, style } => (*arg as usize, style),
            };
            let (text, count) = match (style.form, args.get(arg), args.get(arg + 1)) {
                (Form::Text, Some(at), _) => (printf::text(at.bits, read), 1),
                (Form::Format, Some(at), Some(arguments)) => printf::formatted(at.bits, arguments.bits, read),
                (Form::Format, ..) | (_, None, _) => ("?".to_string(), 1),
                (_, Some(value), _) => (style.render(*value), 1),
            };
            rendered += &text;
            shown += count;
        }
        (rendered, shown)
    }

    /// Whether it shows what lies in memory.
    pub fn reads_memory(&self) -> bool {
        let reads = |style: &Style| matches!(style.form, Form::Text | Form::Format);
        self.pieces.iter().any(|piece| matches!(piece, Piece::Value { style, .. } if reads(style)))
    }
}

impl Style {
    fn render(self, value: Constant) -> String {
        let text = self.digits(value);
        let missing = usize::from(self.width).saturating_sub(text.chars().count());
        if missing == 0 {
            return text;
        }
        if self.zeros && value.ty != ScalarType::Bool {
            let sign = text.len() - text.trim_start_matches(['-', '+']).len();
            let prefix = if self.alternate && self.shows_bits() { 2 } else { 0 };
            let (head, tail) = text.split_at((sign + prefix).min(text.len()));
            return format!("{head}{}{tail}", "0".repeat(missing));
        }
        let left = match self.align {
            Some(Align::Left) => 0,
            Some(Align::Center) => missing / 2,
            None if value.ty == ScalarType::Bool => 0,
            Some(Align::Right) | None => missing,
        };
        format!("{}{text}{}", " ".repeat(left), " ".repeat(missing - left))
    }

    fn shows_bits(self) -> bool {
        matches!(self.form, Form::LowerHex | Form::UpperHex | Form::Binary | Form::Octal)
    }

    /// The value with its sign and prefix.
    fn digits(self, value: Constant) -> String {
        let bits = value.bits;
        let text = match (self.form, self.alternate) {
            (Form::LowerHex, false) => format!("{bits:x}"),
            (Form::LowerHex, true) => format!("{bits:#x}"),
            (Form::UpperHex, false) => format!("{bits:X}"),
            (Form::UpperHex, true) => format!("{bits:#X}"),
            (Form::Binary, false) => format!("{bits:b}"),
            (Form::Binary, true) => format!("{bits:#b}"),
            (Form::Octal, false) => format!("{bits:o}"),
            (Form::Octal, true) => format!("{bits:#o}"),
            (Form::Display | Form::Debug | Form::LowerExp, _) => self.number(value),
            (Form::Text | Form::Format, _) => "?".to_string(),
        };
        let takes_sign = value.ty != ScalarType::Bool && text != "NaN" && !text.starts_with('-');
        if self.plus && takes_sign { format!("+{text}") } else { text }
    }

    fn number(self, value: Constant) -> String {
        let (bits, precision) = (value.bits, self.precision.map(usize::from));
        match value.ty {
            ScalarType::Bool => value.to_string().chars().take(precision.unwrap_or(usize::MAX)).collect(),
            ScalarType::F32 => self.float(f32::from_bits64(bits), precision),
            ScalarType::F16 | ScalarType::Bf16 => self.float(widen(value), precision),
            ScalarType::F64 => self.float(f64::from_bits64(bits), precision),
            ScalarType::I8 => self.integer(i8::from_bits64(bits), precision),
            ScalarType::I16 => self.integer(i16::from_bits64(bits), precision),
            ScalarType::I32 | ScalarType::Isize => self.integer(i32::from_bits64(bits), precision),
            ScalarType::I64 => self.integer(i64::from_bits64(bits), precision),
            _ => self.integer(bits, precision),
        }
    }

    fn float(self, value: impl fmt::Display + fmt::Debug + fmt::LowerExp, precision: Option<usize>) -> String {
        match (self.form, precision) {
            (Form::LowerExp, Some(precision)) => format!("{value:.precision$e}"),
            (Form::LowerExp, None) => format!("{value:e}"),
            (Form::Debug, Some(precision)) => format!("{value:.precision$?}"),
            (Form::Debug, None) => format!("{value:?}"),
            (_, Some(precision)) => format!("{value:.precision$}"),
            (_, None) => value.to_string(),
        }
    }

    /// An integer has no digits behind a point, unless it is shown with an exponent.
    fn integer(self, value: impl fmt::Display + fmt::LowerExp, precision: Option<usize>) -> String {
        match (self.form, precision) {
            (Form::LowerExp, Some(precision)) => format!("{value:.precision$e}"),
            (Form::LowerExp, None) => format!("{value:e}"),
            _ => value.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each style is that of the format string beside it, which says what it shows.
    macro_rules! check {
        ($($style:expr => $format:literal: $($value:expr),*;)*) => {$($(
            assert_eq!($style.render(Constant::of($value)), format!($format, $value), "{}", $format);
        )*)*};
    }

    const PLAIN: Style = Style {
        width: 0,
        precision: None,
        zeros: false,
        plus: false,
        alternate: false,
        form: Form::Display,
        align: None,
    };

    #[test]
    fn values_are_shown_as_std_shows_them() {
        check! {
            PLAIN => "{}": 7u8, -7i64, u64::MAX, true, 0.1f32, 1e21f64, -0.0f32, f64::NAN, f32::INFINITY;
            Style { form: Form::Debug, ..PLAIN } => "{:?}": -7i8, false, 1.0f32, 1e16f64, 1e-7f32, f32::NAN;
            Style { form: Form::LowerExp, ..PLAIN } => "{:e}": 1500u16, -1_500_000i32, u64::MAX, 0.00015f32, 0.0f64;
            Style { form: Form::LowerExp, precision: Some(1), ..PLAIN } => "{:.1e}": 1555u16, -15i8, 0.00155f32;
            Style { form: Form::LowerHex, ..PLAIN } => "{:x}": -1i16, 255u64;
            Style { form: Form::Octal, alternate: true, ..PLAIN } => "{:#o}": 8i8, 0u32;
            Style { precision: Some(2), ..PLAIN } => "{:.2}": 2.0f32 / 3.0, -1e9f64, 5u8, true, f32::NAN;
            Style { precision: Some(2), form: Form::Debug, ..PLAIN } => "{:.2?}": 2.0f32 / 3.0, 5i8;
            Style { plus: true, ..PLAIN } => "{:+}": 5i32, -5i32, 0u8, 1.5f32, f64::NAN, f32::INFINITY, true;
        }
    }

    #[test]
    fn values_stand_in_fields_as_in_std() {
        check! {
            Style { width: 6, ..PLAIN } => "{:6}": 5u8, true, -1.5f32, 1_234_567u32, f64::INFINITY;
            Style { width: 6, align: Some(Align::Left), ..PLAIN } => "{:<6}": 5u8, true, -1.5f32;
            Style { width: 6, align: Some(Align::Center), ..PLAIN } => "{:^6}": 5u8, true, -1.5f32;
            Style { width: 6, align: Some(Align::Right), ..PLAIN } => "{:>6}": 5u8, true;
            Style { width: 6, zeros: true, ..PLAIN } => "{:06}": 5u8, -5i8, 1.5f32, false;
            Style { width: 6, zeros: true, alternate: true, ..PLAIN } => "{:#06}": 0.5f32, 7u8;
            Style { width: 9, zeros: true, plus: true, precision: Some(2), ..PLAIN } => "{:+09.2}": 0.5f64, -0.5f32;
            Style { width: 8, zeros: true, alternate: true, form: Form::UpperHex, ..PLAIN } => "{:#08X}": 171u8, 0u32;
            Style { width: 4, align: Some(Align::Left), form: Form::Binary, ..PLAIN } => "{:<4b}": 2u8, 200u8;
        }
    }

    #[test]
    fn a_message_is_its_pieces_and_a_value_that_is_missing_shows() {
        let value = |arg| Piece::Value { arg, style: PLAIN };
        let message = Message { pieces: vec![value(1), Piece::Text(" and ".into()), value(0), value(2)] };
        assert_eq!(message.render(&[Constant::of(1u8), Constant::of(false)]), "false and 1?");
    }
}
