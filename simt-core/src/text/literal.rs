//! Constants, names and quoted texts, both ways.

use crate::ops::evaluate_cast;
use crate::scalar::{Constant, Scalar, ScalarType, widen};

/// A constant so that [`constant`] reads the same bits. Its type is not written.
///
/// An infinity or NaN has a sign in front, which tells it from a parameter of that name; a NaN that is not Rust's `NAN` is
/// written as its bits, as in PTX: `0f7fc00001`, `0d...`, and of 16 bits `0h...`.
pub(super) fn literal(constant: Constant) -> String {
    let value = match constant.ty {
        ScalarType::F32 => f64::from(f32::from_bits64(constant.bits)),
        ScalarType::F64 => f64::from_bits64(constant.bits),
        ScalarType::F16 | ScalarType::Bf16 => f64::from(widen(constant)),
        _ => return constant.to_string(),
    };
    match value {
        _ if value.is_finite() => constant.to_string(),
        _ if value.is_infinite() => format!("{value:+}"),
        _ if constant.bits == of_float(f64::NAN, constant.ty) => "+NaN".into(),
        _ => {
            let (prefix, digits) = as_bits(constant.ty);
            format!("{prefix}{:0digits$x}", constant.bits)
        }
    }
}

/// What stands before the bits of a float, and how many digits they have.
fn as_bits(ty: ScalarType) -> (&'static str, usize) {
    match ty.bits() {
        16 => ("0h", 4),
        32 => ("0f", 8),
        _ => ("0d", 16),
    }
}

/// The bits of the nearest float of a type.
fn of_float(value: f64, ty: ScalarType) -> u64 {
    evaluate_cast(Constant::of(value), ty).bits
}

/// The constant of a type that a text says; the text may begin with a sign.
///
/// # Errors
/// What was expected instead.
pub(super) fn constant(text: &str, ty: ScalarType) -> Result<Constant, String> {
    let bits = match ty {
        ScalarType::Bool => match text {
            "true" => Some(1),
            "false" => Some(0),
            _ => None,
        },
        _ if ty.is_float() => float(text, ty),
        _ => int(text, ty),
    };
    bits.map(|bits| Constant { ty, bits }).ok_or_else(|| expected(ty))
}

fn expected(ty: ScalarType) -> String {
    match ty {
        ScalarType::Bool => "a `bool`: `true` or `false`".into(),
        _ if ty.is_float() => format!("an `{ty}` as Rust writes it, `+inf`, `-inf` or `+NaN`"),
        _ => {
            let (least, greatest) = range(ty);
            let article = if ty.is_signed_int() { "an" } else { "a" };
            format!("{article} `{ty}`, from {least} to {greatest}")
        }
    }
}

fn range(ty: ScalarType) -> (i128, i128) {
    let bits = ty.bits();
    if ty.is_signed_int() { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}

fn int(text: &str, ty: ScalarType) -> Option<u64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = digits.replace('_', "");
    let (radix, digits) = match digits.get(..2) {
        Some("0x") => (16, &digits[2..]),
        Some("0b") => (2, &digits[2..]),
        Some("0o") => (8, &digits[2..]),
        _ => (10, &digits[..]),
    };
    // Rust's parser takes a sign, which has been taken already.
    let value = digits.starts_with(|c: char| c.is_ascii_alphanumeric()).then_some(digits)?;
    let value = i128::from_str_radix(value, radix).ok()?;
    let value = if negative { -value } else { value };
    let (least, greatest) = range(ty);
    let mask = u64::MAX >> (64 - ty.bits());
    (least..=greatest).contains(&value).then_some(value as u64 & mask)
}

fn float(text: &str, ty: ScalarType) -> Option<u64> {
    let (prefix, digits) = as_bits(ty);
    if let Some(bits) = text.strip_prefix(prefix) {
        let exact = bits.len() == digits && bits.chars().all(|c| c.is_ascii_hexdigit());
        return exact.then(|| u64::from_str_radix(bits, 16).ok())?;
    }
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let signed = |magnitude: f64| if negative { -magnitude } else { magnitude };
    match unsigned {
        "inf" => return Some(of_float(signed(f64::INFINITY), ty)),
        "NaN" | "nan" if !negative => return Some(of_float(f64::NAN, ty)),
        _ => {}
    }
    let digits = unsigned.replace('_', "");
    let digits = digits.starts_with(|c: char| c.is_ascii_digit()).then_some(digits)?;
    // Read as its own type: twice rounded is not once rounded. What has 16 bits is the nearest of the nearest `f64`.
    let value = if ty == ScalarType::F32 { digits.parse::<f32>().ok()?.into() } else { digits.parse::<f64>().ok()? };
    let bits = of_float(signed(value), ty);
    let is_finite = bits & !of_float(-0.0, ty) < of_float(f64::INFINITY, ty);
    is_finite.then_some(bits)
}

/// Whether a text is a word: a letter or `_`, then letters, digits and `_`.
fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_') && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// A name, quoted if it would be read as something else.
pub(super) fn name(text: &str) -> String {
    let taken = ["_", "true", "false"];
    if is_word(text) && !taken.contains(&text) { text.to_string() } else { quoted(text) }
}

/// The name of a function: a word that may have a number behind it, or quoted.
pub(super) fn function_name(text: &str) -> String {
    match text.rsplit_once('.') {
        Some((word, number)) if is_word(word) && is_ordinal(number) && number != "1" => text.to_string(),
        _ => name(text),
    }
}

/// Whether a text is a number without leading zeros.
pub(super) fn is_ordinal(text: &str) -> bool {
    text.starts_with(|c: char| ('1'..='9').contains(&c)) && text.len() < 9 && text.chars().all(|c| c.is_ascii_digit())
}

/// A text in quotes, on one line.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() || c == '\u{2028}' || c == '\u{2029}' => {
                out.push_str(&format!("\\u{{{:x}}}", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn types() -> impl Strategy<Value = ScalarType> {
        proptest::sample::select(ScalarType::ALL)
    }

    proptest! {
        #[test]
        fn a_constant_is_read_as_it_is_written(ty in types(), bits in any::<u64>()) {
            let bits = bits & (u64::MAX >> (64 - ty.bits()));
            let written = Constant { ty, bits };
            prop_assert_eq!(constant(&literal(written), ty), Ok(written));
        }

        #[test]
        fn no_text_is_a_constant_beyond_its_type(ty in types(), text in "[-+]?[0-9a-fhxobINn_.e+-]{0,12}") {
            if let Ok(read) = constant(&text, ty) {
                prop_assert!(read.bits <= u64::MAX >> (64 - ty.bits()));
                prop_assert_eq!(constant(&literal(read), ty), Ok(read));
            }
        }
    }

    #[track_caller]
    fn check<T: Scalar>(text: &str, value: T) {
        assert_eq!(constant(text, T::TYPE), Ok(Constant::of(value)), "{text}");
    }

    #[test]
    fn constants_are_written_as_in_rust() {
        check("0xff_ff", 0xffffu32);
        check("-0b101", -5i8);
        check("0o17", 15usize);
        check("+7", 7u64);
        check("18446744073709551615", u64::MAX);
        check("-9223372036854775808", i64::MIN);
        check("-0.0", -0.0f32);
        check("1", 1.0f64);
        check("1e-45", f32::from_bits(1));
        check("0.1", 0.1f32);
        check("-inf", f32::NEG_INFINITY);
        check("0f3f800000", 1.0f32);
        for (text, ty, bits) in [("1", ScalarType::F16, 0x3c00), ("65504", ScalarType::F16, 0x7bff)] {
            assert_eq!(constant(text, ty), Ok(Constant { ty, bits }), "{text}");
        }
        for (text, bits) in
            [("-0.1", 0xbdcd), ("3.4e38", 0x7f80), ("0h7f81", 0x7f81), ("-inf", 0xff80), ("+NaN", 0x7fc0)]
        {
            let ty = ScalarType::Bf16;
            assert_eq!(constant(text, ty), (text != "3.4e38").then_some(Constant { ty, bits }).ok_or(expected(ty)));
        }
        check("false", false);
    }

    #[test]
    fn what_is_expected_is_said() {
        assert_eq!(constant("256", ScalarType::U8), Err("a `u8`, from 0 to 255".into()));
        assert_eq!(constant("-129", ScalarType::I8), Err("an `i8`, from -128 to 127".into()));
        assert_eq!(constant("1", ScalarType::Bool), Err("a `bool`: `true` or `false`".into()));
        for wrong in ["", "-", "--1", "0x", "1u32", "1.0", "_"] {
            assert!(constant(wrong, ScalarType::U32).is_err(), "{wrong}");
        }
        for wrong in ["1e99", "0f7", "e5", ".5", "0d3f800000", "infinity", "0f+1234567"] {
            assert!(constant(wrong, ScalarType::F32).is_err(), "{wrong}");
        }
    }

    #[test]
    fn names_that_are_no_words_are_quoted() {
        assert_eq!(name("größe_2"), "größe_2");
        assert_eq!(name("a b"), "\"a b\"");
        assert_eq!(name("true"), "\"true\"");
        assert_eq!(name("2x"), "\"2x\"");
        assert_eq!(name(""), "\"\"");
        assert_eq!(function_name("f.2"), "f.2");
        assert_eq!(function_name("f::<u32>"), "\"f::<u32>\"");
        assert_eq!(quoted("a\"\\\n\u{7}"), "\"a\\\"\\\\\\n\\u{7}\"");
    }
}
