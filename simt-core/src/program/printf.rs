//! Texts in memory, and what C's `printf` makes of a format string and arguments there.
//!
//! Conversions, flags, widths and precisions are those of the CUDA C++ Programming Guide, "Formatted Output", where arguments lie
//! as `vprintf` of PTX gets them: each at a multiple of its size, integers of 4 bytes but for `l` and `ll`, floats of 8. What is
//! no conversion stays as it is written, and what is not in memory shows as `?`.

/// The longest text that is read, in bytes.
const LONGEST: u64 = 1 << 16;
/// The widest field, and the most digits of a number.
const WIDEST: usize = 1 << 10;

/// Reads a byte of memory; none if it is not there, or nothing has written it.
pub type ReadByte<'a> = &'a mut dyn FnMut(u64) -> Option<u8>;

/// The bytes of a text that ends with a zero.
fn bytes(at: u64, read: ReadByte<'_>) -> Vec<u8> {
    let mut text = Vec::new();
    for place in 0..LONGEST {
        match read(at.wrapping_add(place)) {
            Some(0) => return text,
            Some(byte) => text.push(byte),
            None => {
                text.push(b'?');
                return text;
            }
        }
    }
    text
}

/// The text at an address, up to the zero behind it.
pub(super) fn text(at: u64, read: ReadByte<'_>) -> String {
    String::from_utf8_lossy(&bytes(at, read)).into_owned()
}

/// Arguments, one behind the other.
struct Arguments {
    next: u64,
    /// How many have been taken.
    taken: u32,
}

impl Arguments {
    /// The next argument of so many bytes.
    fn take(&mut self, size: u64, read: ReadByte<'_>) -> Option<u64> {
        let at = self.next.checked_next_multiple_of(size)?;
        self.next = at.wrapping_add(size);
        self.taken += 1;
        (0..size).rev().try_fold(0, |bits, byte| Some(bits << 8 | u64::from(read(at.wrapping_add(byte))?)))
    }
}

/// What stands between `%` and the letter of a conversion.
#[derive(Clone, Copy, Default)]
struct Field {
    left: bool,
    plus: bool,
    blank: bool,
    alternate: bool,
    zeros: bool,
    width: usize,
    precision: Option<usize>,
    /// How many bytes an integer has.
    bytes: u64,
}

impl Field {
    /// A number of digits with its sign or prefix, in its width.
    fn number(self, prefix: &str, digits: &str, zeros: bool) -> String {
        let length = prefix.len() + digits.len();
        let missing = self.width.saturating_sub(length);
        if zeros && self.zeros && !self.left {
            return format!("{prefix}{}{digits}", "0".repeat(missing));
        }
        self.padded(format!("{prefix}{digits}"))
    }

    fn padded(self, text: String) -> String {
        let missing = " ".repeat(self.width.saturating_sub(text.chars().count()));
        if self.left { text + &missing } else { missing + &text }
    }

    fn sign(self, negative: bool) -> &'static str {
        match (negative, self.plus, self.blank) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }

    fn integer(self, kind: u8, bits: u64) -> String {
        let unused = 64 - 8 * self.bytes as u32;
        let (signed, bits) = ((bits << unused) as i64 >> unused, bits << unused >> unused);
        let (prefix, mut digits) = match kind {
            b'd' | b'i' => (self.sign(signed < 0), signed.unsigned_abs().to_string()),
            b'o' => (if self.alternate { "0" } else { "" }, format!("{bits:o}")),
            b'x' => (if self.alternate && bits != 0 { "0x" } else { "" }, format!("{bits:x}")),
            b'X' => (if self.alternate && bits != 0 { "0X" } else { "" }, format!("{bits:X}")),
            _ => ("", bits.to_string()),
        };
        if let Some(least) = self.precision {
            digits = "0".repeat(least.saturating_sub(digits.len())) + &digits;
        }
        self.number(prefix, &digits, self.precision.is_none())
    }

    fn float(self, kind: u8, value: f64) -> String {
        let (lower, sign) = (kind.to_ascii_lowercase(), self.sign(value.is_sign_negative() && !value.is_nan()));
        let magnitude = value.abs();
        let digits = match lower {
            _ if value.is_nan() => "nan".to_string(),
            _ if value.is_infinite() => "inf".to_string(),
            b'e' => exponential(magnitude, self.precision.unwrap_or(6)),
            b'g' => shortest(magnitude, self.precision.unwrap_or(6), self.alternate),
            _ => format!("{magnitude:.*}", self.precision.unwrap_or(6)),
        };
        let digits = if kind.is_ascii_uppercase() { digits.to_uppercase() } else { digits };
        self.number(sign, &digits, value.is_finite())
    }
}

/// A float with an exponent of two digits at least.
fn exponential(value: f64, precision: usize) -> String {
    let text = format!("{value:.precision$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |exponent| ('-', exponent));
    format!("{digits}e{sign}{exponent:0>2}")
}

/// `%g`: with an exponent if that is below -4 or not below the precision, without the zeros at the end.
fn shortest(value: f64, precision: usize, keeps_zeros: bool) -> String {
    let precision = precision.max(1);
    let text = exponential(value, precision - 1);
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "+00"));
    let number: i32 = exponent.parse().unwrap_or(0);
    let trimmed = |digits: &str| match digits.contains('.') && !keeps_zeros {
        true => digits.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => digits.to_string(),
    };
    if number < -4 || number >= precision as i32 {
        return format!("{}e{exponent}", trimmed(digits));
    }
    let behind = (precision as i32 - 1 - number).max(0) as usize;
    trimmed(&format!("{value:.behind$}"))
}

/// A number in a format string, as far as there is one.
fn digits(format: &[u8], at: &mut usize) -> Option<usize> {
    let start = *at;
    let mut number = 0usize;
    while let Some(digit) = format.get(*at).filter(|byte| byte.is_ascii_digit()) {
        number = (10 * number + usize::from(digit - b'0')).min(WIDEST);
        *at += 1;
    }
    (*at > start).then_some(number)
}

/// What `printf` writes, of a format string and the arguments at another address, and what CUDA's returns: how many arguments
/// it has taken, or -1 without a format string.
pub(super) fn formatted(format: u64, arguments: u64, read: ReadByte<'_>) -> (String, i32) {
    if format == 0 {
        return (String::new(), -1);
    }
    let format = bytes(format, read);
    let mut arguments = Arguments { next: arguments, taken: 0 };
    let mut written: Vec<u8> = Vec::new();
    let mut at = 0;
    while let Some(&byte) = format.get(at) {
        at += 1;
        if byte != b'%' {
            written.push(byte);
            continue;
        }
        let start = at;
        let field = field(&format, &mut at, &mut arguments, read);
        let kind = format.get(at).copied().unwrap_or(0);
        at += 1;
        let text = match kind {
            b'%' => Some("%".to_string()),
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' => {
                arguments.take(field.bytes.max(4), read).map(|bits| field.integer(kind, bits))
            }
            b'p' => arguments.take(8, read).map(|bits| field.padded(format!("{bits:#x}"))),
            b'c' => arguments.take(4, read).map(|bits| field.padded(char::from(bits as u8).to_string())),
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => {
                arguments.take(8, read).map(|bits| field.float(kind, f64::from_bits(bits)))
            }
            b's' => arguments.take(8, read).map(|place| {
                let text = text(place, read);
                field.padded(text.chars().take(field.precision.unwrap_or(usize::MAX)).collect())
            }),
            _ => {
                // No conversion.
                at = at.min(format.len());
                written.extend(&format[start - 1..at]);
                continue;
            }
        };
        written.extend(text.unwrap_or_else(|| "?".to_string()).bytes());
    }
    (String::from_utf8_lossy(&written).into_owned(), arguments.taken as i32)
}

/// The flags, the width, the precision and the size of a conversion.
fn field(format: &[u8], at: &mut usize, arguments: &mut Arguments, read: ReadByte<'_>) -> Field {
    let mut field = Field { bytes: 4, ..Field::default() };
    while let Some(byte) = format.get(*at) {
        match byte {
            b'-' => field.left = true,
            b'+' => field.plus = true,
            b' ' => field.blank = true,
            b'#' => field.alternate = true,
            b'0' => field.zeros = true,
            _ => break,
        }
        *at += 1;
    }
    let mut star = |at: &mut usize, read: ReadByte<'_>| {
        let is_star = format.get(*at) == Some(&b'*');
        *at += usize::from(is_star);
        if is_star { Some(arguments.take(4, read).unwrap_or(0) as u32 as i32) } else { None }
    };
    match star(at, read) {
        Some(width) => {
            field.left |= width < 0;
            field.width = (width.unsigned_abs() as usize).min(WIDEST);
        }
        None => field.width = digits(format, at).unwrap_or(0),
    }
    if format.get(*at) == Some(&b'.') {
        *at += 1;
        field.precision = match star(at, read) {
            Some(precision) => usize::try_from(precision).ok().map(|precision| precision.min(WIDEST)),
            None => Some(digits(format, at).unwrap_or(0)),
        };
    }
    while let Some(size) = format.get(*at).filter(|size| b"hlzjt".contains(size)) {
        field.bytes = match size {
            b'h' if field.bytes == 2 => 1,
            b'h' => 2,
            _ => 8,
        };
        *at += 1;
    }
    field
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is printed of a format string at 1000 and arguments at 2000; texts lie at 3000.
    fn printed(format: &str, arguments: &[u8]) -> String {
        counted(format, arguments).0
    }

    fn counted(format: &str, arguments: &[u8]) -> (String, i32) {
        let mut read = |at: u64| {
            let of = |bytes: &[u8], start: u64| bytes.get(usize::try_from(at - start).ok()?).copied();
            match at {
                1000..2000 => of(format.as_bytes(), 1000).or(Some(0).filter(|_| at - 1000 == format.len() as u64)),
                2000..3000 => of(arguments, 2000),
                _ => of(b"warp\0lane\0", 3000),
            }
        };
        formatted(1000, 2000, &mut read)
    }

    /// Arguments, each at a multiple of its size.
    fn laid(values: &[(u64, usize)]) -> Vec<u8> {
        let mut bytes: Vec<u8> = Vec::new();
        for &(value, size) in values {
            bytes.resize(bytes.len().next_multiple_of(size), 0xaa);
            bytes.extend(&value.to_le_bytes()[..size]);
        }
        bytes
    }

    #[test]
    fn numbers_are_shown_as_c_shows_them() {
        let minus = (-42i64 as u64, 4);
        for (format, values, expected) in [
            ("%d|%5d|%-5d|%05d|%+d", vec![minus; 5], "-42|  -42|-42  |-0042|-42"),
            ("%i % d %+d %.3d", vec![(7, 4); 4], "7  7 +7 007"),
            ("%u %x %X %#x %o %#o", vec![(255, 4); 6], "255 ff FF 0xff 377 0377"),
            ("%lld %d %lu %u", vec![(-1i64 as u64, 8), (5, 4), (1 << 40, 8), (6, 4)], "-1 5 1099511627776 6"),
            ("%hhd %hu", vec![(0x1ff, 4), (0x1ffff, 4)], "-1 65535"),
            ("%*d|%-*d|%.*f", vec![(5, 4), (7, 4), (3, 4), (7, 4), (1, 4), (2.25f64.to_bits(), 8)], "    7|7  |2.2"),
            ("%c%c%%", vec![(104, 4), (105, 4)], "hi%"),
            ("%p", vec![(0x7f00_1234, 8)], "0x7f001234"),
        ] {
            assert_eq!(printed(format, &laid(&values)), expected, "{format}");
        }
    }

    #[test]
    fn floats_are_shown_as_c_shows_them() {
        for (format, value, expected) in [
            ("%f", 1.5f64, "1.500000"),
            ("%.2f", -2.675, "-2.67"),
            ("%8.3f|", 2.34159, "   2.342|"),
            ("%-8.1f|", 2.34159, "2.3     |"),
            ("%08.2f", -2.34159, "-0002.34"),
            ("%+.0f", 2.5, "+2"),
            ("%e", 12345.678, "1.234568e+04"),
            ("%.1E", 0.00012, "1.2E-04"),
            ("%g", 0.0001, "0.0001"),
            ("%g", 0.00001, "1e-05"),
            ("%g", 1e6, "1e+06"),
            ("%g", 123456.0, "123456"),
            ("%.3G", 1234567.0, "1.23E+06"),
            ("%f", f64::INFINITY, "inf"),
            ("%5.1F", f64::NAN, "  NAN"),
            ("%05f", f64::NEG_INFINITY, " -inf"),
        ] {
            assert_eq!(printed(format, &laid(&[(value.to_bits(), 8)])), expected, "{format}");
        }
    }

    #[test]
    fn arguments_are_counted() {
        for (format, count) in [("none, 100%%", 0), ("%d %5.1f %p", 3), ("%*d|%.*f", 4), ("%y %", 0)] {
            assert_eq!(counted(format, &[0; 64]).1, count, "{format}");
        }
        assert_eq!(formatted(0, 2000, &mut |_| None), (String::new(), -1));
    }

    #[test]
    fn texts_and_what_is_not_there() {
        assert_eq!(
            printed("<%s> <%6s> <%-6.2s>", &laid(&[(3000, 8), (3005, 8), (3000, 8)])),
            "<warp> <  lane> <wa    >"
        );
        assert_eq!(printed("%d %d", &laid(&[(7, 4)])), "7 ?");
        assert_eq!(printed("100%", &[]), "100%");
        assert_eq!(printed("%y %5", &[]), "%y %5");
        assert_eq!(printed("%s", &laid(&[(5000, 8)])), "?");
        assert_eq!(printed("%99999999999999d", &laid(&[(7, 4)])).len(), WIDEST);
    }
}
