//! Codes and texts.

use simt::prelude::*;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The remainders of all bytes (CRC-32, reversed polynomial 0xedb88320).
const REMAINDERS: [u32; 256] = {
    let mut all = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut remainder = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            remainder = if remainder & 1 == 1 { remainder >> 1 ^ 0xedb8_8320 } else { remainder >> 1 };
            bit += 1;
        }
        all[byte] = remainder;
        byte += 1;
    }
    all
};

/// A node of a tree of codes: where it goes on for a 0 and for a 1, or a letter, if it goes nowhere.
#[derive(Clone, Copy, Debug, KernelData, PartialEq, Eq)]
pub(crate) struct Tree {
    next: [u16; 2],
    letter: u8,
}

#[device]
impl Tree {
    fn letter(&self) -> Option<u8> {
        if self.next == [0, 0] { Some(self.letter) } else { None }
    }
}

/// The states of a machine that reads a decimal number.
#[derive(Clone, Copy, Debug, Default, KernelData, PartialEq, Eq)]
pub(crate) enum Reading {
    #[default]
    Start,
    Sign,
    Whole,
    Point,
    Fraction,
    Failed,
}

#[device]
impl Reading {
    fn next(self, byte: u8) -> Self {
        use Reading::*;
        match (self, byte) {
            (Start, b'+' | b'-') => Sign,
            (Start | Sign | Whole, b'0'..=b'9') => Whole,
            (Whole, b'.') => Point,
            (Point | Fraction, digit) if digit.is_ascii_digit() => Fraction,
            _ => Failed,
        }
    }

    fn accepts(self) -> bool {
        matches!(self, Reading::Whole | Reading::Fraction)
    }
}

kernels! {
    // The next bit, the highest of a byte first.
    #[device]
    fn next_bit(bytes: &[u8], at: &mut usize) -> Option<bool> {
        if *at / 8 == bytes.len() {
            return None;
        }
        let bit = bytes[*at / 8] >> (7 - *at % 8) & 1;
        *at += 1;
        Some(bit == 1)
    }

    // Four letters for three bytes (base64).
    fn base64(text: &[u8], out: &mut [[u8; 4]]) {
        let i = global_id();
        let letter = |number: u8| ALPHABET[(number & 63) as usize];
        let text = &text[3 * i..(3 * i + 3).min(text.len())];
        let a = text[0];
        let b = if text.len() > 1 { text[1] } else { 0 };
        let c = if text.len() > 2 { text[2] } else { 0 };
        out[i] = [letter(a >> 2), letter(a << 4 | b >> 4), letter(b << 2 | c >> 6), letter(c)];
        for k in text.len() + 1..4 {
            out[i][k] = b'=';
        }
    }

    // The check sums of lines (CRC-32).
    fn crc(text: &[u8], lines: &[(u32, u32)], out: &mut [u32]) {
        let i = global_id();
        let (from, to) = lines[i];
        let line = &text[from as usize..to as usize];
        out[i] = !line.iter().fold(!0, |sum: u32, &byte| REMAINDERS[(sum as u8 ^ byte) as usize] ^ sum >> 8);
    }

    // Codes of different lengths, a stream for each thread (Huffman).
    fn huffman(tree: &[Tree], bytes: &[u8], out: &mut [[u8; 8]]) {
        let i = global_id();
        let bytes = &bytes[4 * i..4 * i + 4];
        let mut at = 0;
        let mut written = 0;
        let mut node = tree[0];
        while let Some(bit) = next_bit(bytes, &mut at) {
            node = tree[node.next[bit as usize] as usize];
            if let Some(letter) = node.letter() {
                if written == 8 {
                    break;
                }
                out[i][written] = letter;
                written += 1;
                node = tree[0];
            }
        }
    }

    // Which words are decimal numbers: a machine with states.
    fn numbers(words: &[[u8; 6]], out: &mut [bool]) {
        let i = global_id();
        let mut state = Reading::default();
        let word = words[i];
        for byte in word {
            if byte == b' ' {
                break;
            }
            state = state.next(byte);
        }
        out[i] = state.accepts();
    }

    // How many letters differ (Levenshtein), with one row of the table.
    fn distance(word: &[u8], others: &[[u8; 6]], out: &mut [u32]) {
        let i = global_id();
        let mut row = [0, 1, 2, 3, 4, 5, 6];
        for (a, &letter) in word.iter().enumerate() {
            let mut diagonal = std::mem::replace(&mut row[0], a as u32 + 1);
            for (b, &other) in others[i].iter().enumerate() {
                let changed = diagonal + u32::from(letter != other);
                diagonal = row[b + 1];
                row[b + 1] = changed.min(row[b] + 1).min(diagonal + 1);
            }
        }
        out[i] = row[6];
    }

    // The longest match of each suffix of a query, by the text's sorted suffixes (MUMmer).
    fn suffixes(text: &[u8], sorted: &[u32], query: &[u8], out: &mut [(u32, u32)]) {
        let i = global_id();
        let wanted = &query[i..];
        let common = |at: u32| {
            let suffix = &text[at as usize..];
            let len = suffix.len().min(wanted.len());
            (0..len).position(|k| suffix[k] != wanted[k]).unwrap_or(len)
        };
        let (mut low, mut high) = (0, sorted.len());
        while low < high {
            let middle = low + (high - low) / 2;
            let same = common(sorted[middle]);
            let suffix = &text[sorted[middle] as usize + same..];
            if same < wanted.len() && (suffix.is_empty() || suffix[0] < wanted[same]) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let near = &sorted[low.saturating_sub(1)..(low + 1).min(sorted.len())];
        out[i] = near
            .iter()
            .map(|&at| (common(at) as u32, at))
            .fold((0, 0), |best, found| if best < found { found } else { best });
    }
}

#[test]
fn bytes_become_letters() {
    let mut out = vec![[0; 4]; 4];
    agree!(Grid::new(1, 4), base64(b"lights, one"; out));
    assert_eq!(out.concat(), b"bGlnaHRzLCBvbmU=");
    agree!(Grid::new(1, 4), base64(b"light work"; out));
    assert_eq!(out.concat(), b"bGlnaHQgd29yaw==");
}

#[test]
fn lines_have_check_sums() {
    let lines = [(0, 9), (9, 9), (9, 10), (3, 20), (0, 27)];
    let mut out = vec![0; 5];
    agree!(Grid::new(1, 5), crc(b"123456789a line of letters.", &lines; out));
    // The check value of the catalogues, and that of nothing.
    assert_eq!(out[..3], [0xcbf4_3926, 0, 0xe8b7_be43]);
}

#[test]
fn codes_are_read() {
    let inner = |zero, one| Tree { next: [zero, one], letter: 0 };
    let leaf = |letter| Tree { next: [0, 0], letter };
    // e: 0, t: 10, a: 110, x: 111
    let tree = [inner(1, 2), leaf(b'e'), inner(3, 4), leaf(b't'), inner(5, 6), leaf(b'a'), leaf(b'x')];
    let bytes = [0b1011_0101, 0b1010_0000, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x55, 0xaa, 0x33, 0xcc];
    let mut out = vec![[b' '; 8]; 3];
    agree!(Grid::new(1, 3), huffman(&tree, &bytes; out));
    assert_eq!(out[..2], [*b"tatateee", *b"xxxxxxxx"]);
}

#[test]
fn numbers_are_recognized() {
    let words = [*b"12    ", *b"-3.5  ", *b"+.5   ", *b"4.    ", *b"1234.5", *b"1-2   ", *b"      ", *b"+7    "];
    let mut out = vec![false; 8];
    agree!(Grid::new(1, 8), numbers(&words; out));
    assert_eq!(out, [true, true, false, false, true, false, false, true]);
}

#[test]
fn words_differ() {
    let others = [*b"kitten", *b"sittin", *b"mitten", *b"nettik", *b"smitte"];
    let mut out = vec![0; 5];
    agree!(Grid::new(1, 5), distance(b"kitten", &others; out));
    assert_eq!(out, [0, 2, 1, 4, 3]);
}

#[test]
fn suffixes_match() {
    let (text, query) = (b"gattacagattagaca", b"tagattacat");
    let mut sorted: Vec<u32> = (0..16).collect();
    sorted.sort_by_key(|&at| &text[at as usize..]);
    let mut out = vec![(0, 0); 10];
    agree!(Grid::new(1, 10), suffixes(text, &sorted, query; out));
    for (i, (length, at)) in out.into_iter().enumerate() {
        let common = |at: usize| text[at..].iter().zip(&query[i..]).take_while(|(a, b)| a == b).count();
        assert_eq!(Some(length as usize), (0..16).map(common).max());
        assert_eq!(common(at as usize), length as usize);
    }
}
