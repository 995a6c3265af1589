//! An argument as `--arg` has it.

use crate::contents;
use crate::failure::Failure;
use crate::fields::Fields;
use crate::values::{self, Values};
use simt::core::ScalarType;

/// What an argument may be.
pub(crate) const FORMS: &str = "a number (5, u32:5, f32:0.5), a buffer (buf:f32:1024=iota, out:f32:1024>y.csv), or a struct \
                                (struct:u32:5,buf:f32:1024=iota, bytes:0a000000)";

/// An argument.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Given {
    /// A number, with its type if that is said.
    Number { ty: Option<ScalarType>, text: String },
    /// A buffer of the device's memory.
    Buffer(Buffer),
    /// The bytes of a struct that is passed by value.
    Bytes(Vec<u8>),
    /// The fields of one.
    Struct(Fields),
}

/// A buffer, and what becomes of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Buffer {
    pub(crate) ty: ScalarType,
    pub(crate) count: usize,
    /// What it holds before the launch; nothing has been written otherwise.
    pub(crate) values: Option<Values>,
    /// What is done with it after the launch, if anything is.
    pub(crate) output: Option<Output>,
}

/// What is done with a buffer after the launch; printed if neither.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Output {
    /// The file that it is written to.
    pub(crate) save: Option<String>,
    /// What it is compared with, from which file, and how far each may be off.
    pub(crate) expected: Option<(Values, String, f64)>,
}

/// Reads an argument, and the files that it names.
pub(crate) fn parse(text: &str) -> Result<Given, Failure> {
    let (head, rest) = text.split_once(':').unwrap_or(("", text));
    match head {
        "" => Ok(Given::Number { ty: None, text: rest.to_string() }),
        "buf" => Ok(Given::Buffer(buffer(rest, false)?)),
        "out" => Ok(Given::Buffer(buffer(rest, true)?)),
        "bytes" => hex(rest).map(Given::Bytes),
        "struct" => Fields::parse(rest).map(Given::Struct),
        name => match of_name(name) {
            Some(ty) => Ok(Given::Number { ty: Some(ty), text: rest.to_string() }),
            None => Err(Failure::usage(format!("`{name}` begins no argument: write {FORMS}"))),
        },
    }
}

/// The type of a number.
fn of_name(name: &str) -> Option<ScalarType> {
    if name == "bool" { Some(ScalarType::Bool) } else { values::type_named(name) }
}

fn buffer(text: &str, out: bool) -> Result<Buffer, Failure> {
    let word = if out { "out" } else { "buf" };
    let (name, rest) = text.split_once(':').ok_or_else(|| {
        Failure::usage(format!("`{word}:{text}` has no count of elements: write {word}:f32:1024, with type and count"))
    })?;
    let ty = values::type_named(name)
        .ok_or_else(|| Failure::usage(format!("`{name}` is no type of elements: write {}", values::TYPES)))?;
    let end = rest.find(['=', '>', '~']).unwrap_or(rest.len());
    let count = contents::count(ty, &rest[..end])?;
    let (before, after) = match rest[end..].find(['>', '~']) {
        Some(at) => rest[end..].split_at(at),
        None => (&rest[end..], ""),
    };
    let values = before.strip_prefix('=').map(|word| contents::of_word(ty, count, word)).transpose()?;
    if !out && !after.is_empty() {
        return Err(Failure::usage(format!("`{after}` says what is done with an output: write out: in place of buf:")));
    }
    let output = if out { Some(output(after, ty, count)?) } else { None };
    Ok(Buffer { ty, count, values, output })
}

/// What `>FILE`, `~FILE:TOLERANCE`, or one behind the other, say.
fn output(text: &str, ty: ScalarType, count: usize) -> Result<Output, Failure> {
    let (save, expected) = text.split_once('~').map_or((text, None), |(save, expected)| (save, Some(expected)));
    let save = save.strip_prefix('>').map(str::to_string);
    if let Some(save) = &save {
        contents::writable(save)?;
    }
    let expected = expected.map(|expected| {
        let (file, tolerance) = match expected.rsplit_once(':') {
            Some((file, tolerance)) => {
                let tolerance = tolerance.parse::<f64>().ok().filter(|tolerance| *tolerance >= 0.0);
                (
                    file,
                    tolerance.ok_or_else(|| {
                        Failure::usage(format!(
                            "`{expected}` ends in no tolerance: write ~{file}:1e-6, or ~{file} for equal"
                        ))
                    })?,
                )
            }
            None => (expected, 0.0),
        };
        Ok((contents::of_file(ty, count, file)?, file.to_string(), tolerance))
    });
    Ok(Output { save, expected: expected.transpose()? })
}

fn hex(text: &str) -> Result<Vec<u8>, Failure> {
    let wrong = || {
        Failure::usage(format!("`{text}` is no row of bytes: write two hexadecimal digits for each, bytes:0a000000"))
    };
    let digits: Option<Vec<u8>> = text.chars().map(|digit| digit.to_digit(16).map(|digit| digit as u8)).collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0).ok_or_else(wrong)?;
    Ok(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

/// How far from what is expected a buffer is: none if it is near enough. Two NaNs are equal.
pub(crate) fn difference(found: &Values, expected: &Values, file: &str, tolerance: f64) -> Option<String> {
    let (texts, wanted) = (found.texts(), expected.texts());
    let pairs = || found.numbers().into_iter().zip(expected.numbers());
    let near = |(found, expected): (f64, f64)| (found - expected).abs() <= tolerance * expected.abs().max(1.0);
    // Texts tell apart what numbers of 64 bits may not.
    let differs: Vec<usize> = pairs()
        .enumerate()
        .filter(|&(at, pair)| texts[at] != wanted[at] && !(near(pair) && (tolerance > 0.0 || pair.0 == 0.0)))
        .map(|(at, _)| at)
        .collect();
    let &first = differs.first()?;
    Some(format!(
        "{} of {} elements differ from {file} by more than {tolerance}, first element {first}: it is {}, expected {}",
        differs.len(),
        texts.len(),
        texts[first],
        wanted[first]
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_numbers_buffers_and_bytes() {
        assert_eq!(parse("-5").unwrap(), Given::Number { ty: None, text: "-5".into() });
        assert_eq!(parse("f32:0.5").unwrap(), Given::Number { ty: Some(ScalarType::F32), text: "0.5".into() });
        assert_eq!(parse("bytes:0aff").unwrap(), Given::Bytes(vec![10, 255]));
        let Given::Buffer(buffer) = parse("out:i32:3=iota>y.csv").unwrap() else { panic!("it is a buffer") };
        assert_eq!((buffer.count, buffer.values), (3, Some(Values::I32(vec![0, 1, 2]))));
        assert_eq!(buffer.output.unwrap().save.as_deref(), Some("y.csv"));
        let Given::Buffer(buffer) = parse("buf:u8:4").unwrap() else { panic!("it is a buffer") };
        assert!(buffer.values.is_none() && buffer.output.is_none());
    }

    #[test]
    fn what_is_no_argument_says_what_to_write() {
        for (text, part) in [
            ("bfu:f32:8", "`bfu` begins no argument"),
            ("buf:f32", "has no count"),
            ("buf:float:8", "`float` is no type"),
            ("buf:f32:many", "`many` is no count"),
            ("buf:f32:0", "write 1 to"),
            ("buf:f32:99999999999999999999", "is no count"),
            ("buf:f32:8=", "is none of iota"),
            ("buf:f32:8=iota>x.csv", "write out: in place of buf:"),
            ("out:f32:8>x.txt", "name a file that ends in .csv or .bin"),
            ("out:f32:8~:1", "name a file that ends in .csv or .bin"),
            ("out:f32:8~x.csv:-1", "write ~x.csv:1e-6"),
            ("buf:f32:8=rand:x", "write rand:7"),
            ("bytes:0", "two hexadecimal digits"),
            ("bytes:ä", "two hexadecimal digits"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.to_string().contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn a_difference_is_relative_above_one() {
        let of = |value| Values::F64(vec![1.0, value]);
        assert_eq!(difference(&of(1000.5), &of(1000.0), "e", 1e-3), None);
        let text = difference(&of(1002.0), &of(1000.0), "e", 1e-3).unwrap();
        assert!(text.contains("1 of 2") && text.contains("element 1: it is 1002, expected 1000"), "{text}");
        assert_eq!(difference(&of(f64::NAN), &of(f64::NAN), "e", 0.0), None);
        assert_eq!(difference(&of(-0.0), &of(0.0), "e", 0.0), None);
        // Their nearest numbers of 64 bits are equal.
        let of = |value| Values::U64(vec![value]);
        assert!(difference(&of(u64::MAX), &of(u64::MAX - 1), "e", 0.0).is_some());
    }
}
