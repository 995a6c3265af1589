//! Numbers: integers of four bases, floats by their bits and in decimal.

use crate::syntax::Float;

/// A number without its sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    /// An integer. Whether it has the suffix `U` matters only in constant expressions of several numbers.
    Integer(u64),
    Float(Float),
}

/// Reads a token that begins with a digit or a dot.
///
/// # Errors
///
/// What is wrong with it, as a sentence that begins with a verb.
pub(crate) fn number(text: &str) -> Result<Number, &'static str> {
    let (first, rest) = text.split_at_checked(2).unwrap_or((text, ""));
    match first {
        "0f" | "0F" => bits(rest, 8, "has not the eight hexadecimal digits of a float's bits")
            .map(|bits| Number::Float(Float::Single(u32::try_from(bits).unwrap_or_default()))),
        "0d" | "0D" => bits(rest, 16, "has not the sixteen hexadecimal digits of a double's bits")
            .map(|bits| Number::Float(Float::Double(bits))),
        "0x" | "0X" => integer(rest, 16, "is no hexadecimal integer"),
        "0b" | "0B" => integer(rest, 2, "is no binary integer"),
        _ if text.contains(['.', 'e', 'E']) => {
            let value = text.parse::<f64>().map_err(|_| "is no number")?;
            Ok(Number::Float(Float::Double(value.to_bits())))
        }
        _ if text.len() > 1 && text.starts_with('0') && text != "0U" => integer(&text[1..], 8, "is no octal integer"),
        _ => integer(text, 10, "is no number"),
    }
}

fn integer(digits: &str, base: u32, wrong: &'static str) -> Result<Number, &'static str> {
    let digits = digits.strip_suffix('U').unwrap_or(digits);
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(base)) {
        return Err(wrong);
    }
    u64::from_str_radix(digits, base).map(Number::Integer).map_err(|_| "does not fit 64 bits")
}

fn bits(digits: &str, count: usize, wrong: &'static str) -> Result<u64, &'static str> {
    if digits.len() != count || !digits.chars().all(|digit| digit.is_ascii_hexdigit()) {
        return Err(wrong);
    }
    u64::from_str_radix(digits, 16).map_err(|_| wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_all_bases() {
        let integers = [
            ("0", 0),
            ("0U", 0),
            ("12", 12),
            ("12U", 12),
            ("017", 15),
            ("017U", 15),
            ("0b101", 5),
            ("0x1fU", 31),
            ("0XFFFFFFFFFFFFFFFF", u64::MAX),
            ("18446744073709551615", u64::MAX),
        ];
        for (text, value) in integers {
            assert_eq!(number(text), Ok(Number::Integer(value)), "{text}");
        }
        assert_eq!(number("0f3F800000"), Ok(Number::Float(Float::Single(0x3f80_0000))));
        assert_eq!(number("0dbff0000000000000"), Ok(Number::Float(Float::Double(0xbff0_0000_0000_0000))));
        for (text, value) in [("1.5", 1.5), (".25", 0.25), ("2.", 2.0), ("1e3", 1000.0), ("1.5E-1", 0.15)] {
            assert_eq!(number(text), Ok(Number::Float(Float::Double(f64::to_bits(value)))), "{text}");
        }
    }

    #[test]
    fn what_is_no_number_says_why() {
        for (text, why) in [
            ("089", "is no octal integer"),
            ("0b12", "is no binary integer"),
            ("0x", "is no hexadecimal integer"),
            ("12abc", "is no number"),
            ("18446744073709551616", "does not fit 64 bits"),
            ("0f3F8", "has not the eight hexadecimal digits of a float's bits"),
            ("0d3F800000", "has not the sixteen hexadecimal digits of a double's bits"),
            ("0f3F80000+", "has not the eight hexadecimal digits of a float's bits"),
        ] {
            assert_eq!(number(text), Err(why), "{text}");
        }
    }
}
