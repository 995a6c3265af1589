//! What a buffer holds before the launch, and files of numbers.

use crate::failure::Failure;
use crate::values::{Values, bits, size};
use simt::core::{Scalar, ScalarType};
use std::path::Path;

/// Bytes that a buffer may have: a quarter of what the device has.
const MOST: usize = 1 << 30;

/// The words that are no files.
const WORDS: &str = "iota, zero, ones, rand:SEED, a file that ends in .csv or .bin";

/// The values of `iota`, `rand:7`, `x.csv` and so on.
pub(crate) fn of_word(ty: ScalarType, count: usize, word: &str) -> Result<Values, Failure> {
    let number = |value: u64| match ty {
        ScalarType::F32 => (value as f32).to_bits64(),
        ScalarType::F64 => (value as f64).to_bits64(),
        // Counting in a narrow type begins anew behind its greatest number.
        _ => value,
    };
    let made = |bits: &mut dyn Iterator<Item = u64>| {
        Values::from_bits(ty, bits).ok_or_else(|| Failure::usage(format!("no buffer has elements of {}", ty.name())))
    };
    match word.split_once(':').unwrap_or((word, "")) {
        ("iota", "") => made(&mut (0..count as u64).map(number)),
        ("zero", "") => made(&mut (0..count).map(|_| 0)),
        ("ones", "") => made(&mut (0..count).map(|_| number(1))),
        ("rand", seed) => {
            let seed: u64 = seed
                .parse()
                .map_err(|_| Failure::usage(format!("`{word}` needs a seed that is a whole number: write rand:7")))?;
            made(&mut random(seed).take(count).map(|word| match ty {
                ScalarType::F32 => ((word >> 40) as f32 / (1_u64 << 24) as f32).to_bits64(),
                ScalarType::F64 => ((word >> 11) as f64 / (1_u64 << 53) as f64).to_bits64(),
                _ => word % 100,
            }))
        }
        _ if ending(word).is_none() => Err(Failure::usage(format!("`{word}` is none of {WORDS}"))),
        _ => of_file(ty, count, word),
    }
}

/// The sequence of SplitMix64.
fn random(seed: u64) -> impl Iterator<Item = u64> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    })
}

/// Whether a file's name says that it holds bytes; none if it says nothing.
fn ending(path: &str) -> Option<bool> {
    match Path::new(path).extension().and_then(|ending| ending.to_str()) {
        Some("bin") => Some(true),
        Some("csv") => Some(false),
        _ => None,
    }
}

fn is_binary(path: &str) -> Result<bool, Failure> {
    ending(path).ok_or_else(|| {
        Failure::usage(format!(
            "`{path}` says not how numbers are written there: name a file that ends in .csv or .bin"
        ))
    })
}

/// The numbers of a file, as many as are wanted.
pub(crate) fn of_file(ty: ScalarType, count: usize, path: &str) -> Result<Values, Failure> {
    let binary = is_binary(path)?;
    let bytes = std::fs::read(path).map_err(|error| Failure::unread(path, &error))?;
    let found = if binary { of_bytes(ty, &bytes) } else { of_text(ty, path, &bytes)? };
    if found.len() != count || binary && bytes.len() != count * size(ty) {
        let holds = if binary { format!("{} bytes", bytes.len()) } else { format!("{} numbers", found.len()) };
        return Err(Failure::file(format!(
            "{path} holds {holds}, and {count} elements of {} are wanted: give the count that fits, or another file",
            ty.name()
        )));
    }
    Values::from_bits(ty, found.into_iter())
        .ok_or_else(|| Failure::usage(format!("no buffer has elements of {}", ty.name())))
}

fn of_bytes(ty: ScalarType, bytes: &[u8]) -> Vec<u64> {
    let value = |bytes: &[u8]| bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
    bytes.chunks_exact(size(ty)).map(value).collect()
}

fn of_text(ty: ScalarType, path: &str, bytes: &[u8]) -> Result<Vec<u64>, Failure> {
    let text = std::str::from_utf8(bytes).map_err(|_| {
        Failure::no_text(path, "give numbers in UTF-8, or name it .bin if it holds the bytes of numbers")
    })?;
    let mut found = Vec::new();
    for (line, text) in text.lines().enumerate() {
        for field in text.split([',', ';', ' ', '\t']).map(str::trim).filter(|field| !field.is_empty()) {
            found.push(bits(ty, field).map_err(|error| Failure::file(format!("{path}:{}: {error}", line + 1)))?);
        }
    }
    Ok(found)
}

/// Writes numbers to a file: one a line, or their bytes.
pub(crate) fn save(values: &Values, path: &str) -> Result<(), Failure> {
    let bytes = match is_binary(path)? {
        true => values.bytes(),
        false => values.texts().into_iter().flat_map(|text| (text + "\n").into_bytes()).collect(),
    };
    std::fs::write(path, bytes)
        .map_err(|error| Failure::file(format!("cannot write {path}: {error}; name one in a folder that is there")))
}

/// How many elements a text says a buffer has.
pub(crate) fn count(ty: ScalarType, text: &str) -> Result<usize, Failure> {
    let count: usize = text.parse().map_err(|_| {
        Failure::usage(format!("`{text}` is no count of elements: write a whole number such as {}:1024", ty.name()))
    })?;
    if count == 0 || count.saturating_mul(size(ty)) > MOST {
        return Err(Failure::usage(format!(
            "a buffer of {count} elements cannot be: write 1 to {} of {}",
            MOST / size(ty),
            ty.name()
        )));
    }
    Ok(count)
}

/// Checks that a file can be written to by its name.
pub(crate) fn writable(path: &str) -> Result<(), Failure> {
    is_binary(path).map(drop)
}
