//! Meanings of operations on bits, for all widths: values lie in the low bits of a `u64`.

/// The bits `at` to `at + length - 1` of a value of `width` bits; behind the sign, `sign` (PTX `bfe`).
pub(super) fn extracted(value: u64, width: u32, at: u32, length: u32, signed: bool) -> u64 {
    let (at, length) = (at & 0xff, length & 0xff);
    let bit = |number: u32| if number < width { value >> number & 1 } else { 0 };
    let sign = if signed && length > 0 { bit((at + length - 1).min(width - 1)) } else { 0 };
    (0..width).rev().fold(0, |result, number| {
        let inside = number < length && at + number < width;
        result << 1 | if inside { bit(at + number) } else { sign }
    })
}

/// A value in which `length` bits from `at` on are the lowest ones of `field` (PTX `bfi`).
pub(super) fn inserted(field: u64, value: u64, width: u32, at: u32, length: u32) -> u64 {
    let (at, length) = (at & 0xff, length & 0xff);
    (0..length.min(width))
        .filter(|number| at + number < width)
        .fold(value, |result, number| (result & !(1 << (at + number))) | (field >> number & 1) << (at + number))
}

/// The number of the highest bit that is set, or of a negative value that is not (PTX `bfind`); without any, all ones.
pub(super) fn highest(value: i64, width: u32, signed: bool) -> u32 {
    let value = if signed && value < 0 { !value } else { value } as u64 & (u64::MAX >> (64 - width));
    63u32.wrapping_sub(value.leading_zeros())
}

/// The distance of that bit from the highest one (`bfind.shiftamt`); without any, all ones.
pub(super) fn distance(value: i64, width: u32, signed: bool) -> u32 {
    match highest(value, width, signed) {
        u32::MAX => u32::MAX,
        number => width - 1 - number,
    }
}

/// Bytes of two words, chosen by the four lowest digits of the selector; the highest bit of a digit stands for the byte's sign
/// in place of the byte (PTX `prmt`).
pub(super) fn permuted(low: u32, high: u32, selector: u32) -> u32 {
    let bytes = u64::from(high) << 32 | u64::from(low);
    (0..4).rev().fold(0, |result, digit| {
        let chosen = selector >> (4 * digit);
        let byte = (bytes >> (8 * (chosen & 7))) as u8;
        let byte = if chosen & 8 == 0 { byte } else { ((byte as i8) >> 7) as u8 };
        result << 8 | u32::from(byte)
    })
}

/// The selector that a mode of `prmt` stands for, by the two lowest bits of what it is given.
pub(super) fn selector(of: [u32; 4], given: u32) -> u32 {
    of[(given & 3) as usize]
}

/// Forward four bytes (`prmt.f4e`).
pub(super) const FORWARD: [u32; 4] = [0x3210, 0x4321, 0x5432, 0x6543];
/// Backward four bytes (`prmt.b4e`).
pub(super) const BACKWARD: [u32; 4] = [0x5670, 0x6701, 0x7012, 0x0123];
/// One byte four times (`prmt.rc8`).
pub(super) const REPEATED_BYTE: [u32; 4] = [0x0000, 0x1111, 0x2222, 0x3333];
/// Bytes up to one, clamped on the left (`prmt.ecl`).
pub(super) const CLAMPED_LEFT: [u32; 4] = [0x3210, 0x3211, 0x3222, 0x3333];
/// Bytes from one on, clamped on the right (`prmt.ecr`).
pub(super) const CLAMPED_RIGHT: [u32; 4] = [0x0000, 0x1110, 0x2210, 0x3210];
/// One half twice (`prmt.rc16`).
pub(super) const REPEATED_HALF: [u32; 4] = [0x1010, 0x3232, 0x1010, 0x3232];

/// The high word of two words that are shifted left (PTX `shf.l`), by at most 32.
pub(super) fn funnel_left(low: u32, high: u32, by: u32) -> u32 {
    (((u64::from(high) << 32 | u64::from(low)) << by) >> 32) as u32
}

/// The low word of two words that are shifted right (PTX `shf.r`), by at most 32.
pub(super) fn funnel_right(low: u32, high: u32, by: u32) -> u32 {
    ((u64::from(high) << 32 | u64::from(low)) >> by) as u32
}

/// The product of the low 24 bits of two integers, which are signed or not.
pub(super) fn product_of_24(a: u32, b: u32, signed: bool) -> i64 {
    let of = |value: u32| if signed { i64::from((value << 8) as i32 >> 8) } else { i64::from(value & 0x00ff_ffff) };
    of(a) * of(b)
}

/// The sum of the products of four pairs of bytes and another number (PTX `dp4a`).
pub(super) fn dot_of_bytes(a: u32, b: u32, c: u32, signed: [bool; 2]) -> u32 {
    let of = |value: u32, number: u32, signed: bool| {
        let byte = (value >> (8 * number)) as u8;
        if signed { i32::from(byte as i8) } else { i32::from(byte) }
    };
    (0..4).fold(c, |sum, number| sum.wrapping_add((of(a, number, signed[0]) * of(b, number, signed[1])) as u32))
}

/// The sum of the products of two halves of a word and the two lowest bytes of another one, and a third number (PTX `dp2a`).
pub(super) fn dot_of_halves(halves: u32, bytes: u32, c: u32, signed: [bool; 2]) -> u32 {
    (0..2).fold(c, |sum, number| {
        let half = (halves >> (16 * number)) as u16;
        let half = if signed[0] { i32::from(half as i16) } else { i32::from(half) };
        let byte = (bytes >> (8 * number)) as u8;
        let byte = if signed[1] { i32::from(byte as i8) } else { i32::from(byte) };
        sum.wrapping_add((half * byte) as u32)
    })
}

/// The distances of four pairs of bytes, the lowest first (PTX `vabsdiff4`).
pub(super) fn distances(a: u32, b: u32, signed: [bool; 2]) -> [u32; 4] {
    let of = |value: u32, number: u32, signed: bool| {
        let byte = (value >> (8 * number)) as u8;
        if signed { i32::from(byte as i8) } else { i32::from(byte) }
    };
    [0, 1, 2, 3].map(|number| of(a, number, signed[0]).abs_diff(of(b, number, signed[1])))
}

/// Of each place of three words the bit of a table that they are the number of, the first word's bit the highest (PTX `lop3`).
pub(super) fn looked_up(a: u32, b: u32, c: u32, table: u8) -> u32 {
    let chosen = |number: u32| {
        let of = |word: u32, bit: u32| if number >> bit & 1 == 1 { word } else { !word };
        of(a, 2) & of(b, 1) & of(c, 0)
    };
    (0..8).filter(|number| table >> number & 1 == 1).fold(0, |result, number| result | chosen(number))
}

/// So many low bits of a word, extended by zeros or by the highest of them (PTX `szext`).
pub(super) fn extended(value: u32, length: u32, clamp: bool, signed: bool) -> u32 {
    if clamp && length >= 32 {
        return value;
    }
    let unused = 32 - length % 32;
    if unused == 32 {
        0
    } else if signed {
        ((value << unused) as i32 >> unused) as u32
    } else {
        value << unused >> unused
    }
}

/// Ones from a number on, of a length: both modulo 32, or none from 32 on and all above (PTX `bmsk`).
pub(super) fn mask_of(at: u32, length: u32, clamp: bool) -> u32 {
    let above = |at: u32| u32::MAX.checked_shl(at).unwrap_or(0);
    if clamp { above(at) & !above(at.saturating_add(length)) } else { above(at % 32) & !above(at % 32 + length % 32) }
}

/// The number of a bit that is set: from a place on the `count`th one up, or down if it is negative; for 0 the place itself.
/// All ones if there is none (PTX `fns`).
pub(super) fn nth_set(mask: u32, from: u32, count: i32) -> u32 {
    let set = |place: &u32| mask >> place & 1 == 1;
    let nth = count.unsigned_abs().saturating_sub(1) as usize;
    let found = match count.signum() {
        _ if from > 31 => None,
        0 => Some(from).filter(set),
        1 => (from..32).filter(set).nth(nth),
        _ => (0..=from).rev().filter(set).nth(nth),
    };
    found.unwrap_or(u32::MAX)
}
