//! Texts at random: the assembler does not panic, and what it takes for code is code.
//!
//! `SIMT_FUZZ_TRIES` says how many texts of each kind; 20 000 if it is not set.

use super::by_address::BY_ADDRESS;
use super::control::{HANOI, IRREDUCIBLE};
use super::every::{EVERY, TOKENS};
use super::families::FAR;
use super::{check_printed, parsed};
use simt_core::code::{Code, Markers};

/// Numbers that look random (SplitMix64, Steele et al. 2014).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    fn of<'t, T: ?Sized>(&mut self, items: &[&'t T]) -> &'t T {
        items[self.below(items.len())]
    }
}

fn tries() -> u64 {
    std::env::var("SIMT_FUZZ_TRIES").ok().and_then(|tries| tries.parse().ok()).unwrap_or(20_000)
}

/// Texts that are right, hand-written and as the listing prints them.
fn texts() -> Vec<String> {
    let far = format!("{FAR}exit");
    let written = [EVERY, TOKENS, BY_ADDRESS, IRREDUCIBLE, &far].into_iter().chain(HANOI);
    written.flat_map(|text| [text.to_string(), parsed(text).to_string()]).collect()
}

/// Cuts a text into words, numbers, signs and blanks.
fn pieces(text: &str) -> Vec<&str> {
    let kind = |c: char| if c.is_alphanumeric() || c == '_' { 1 } else { 0 };
    let mut pieces = Vec::new();
    let mut start = 0;
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    for pair in chars.windows(2) {
        let ((_, before), (at, after)) = (pair[0], pair[1]);
        if kind(before) != kind(after) || kind(after) == 0 {
            pieces.push(&text[start..at]);
            start = at;
        }
    }
    pieces.push(&text[start..]);
    pieces
}

/// What a try found: whether the text is code. It must not panic, and code must be valid in every family.
fn check(text: &str) -> bool {
    let Ok(code) = Code::parse(text) else { return false };
    check_printed(&code);
    for &markers in Markers::ALL {
        let other = code.for_markers(markers);
        assert_eq!(other.markers, markers);
        if let Err(error) = other.clone().into_inner().validate() {
            panic!("{error}\n{other}\nfrom\n{text}");
        }
    }
    true
}

#[test]
fn texts_with_a_few_changes() {
    let texts = texts();
    let texts: Vec<Vec<&str>> = texts.iter().map(|text| pieces(text)).collect();
    let words: Vec<&str> = texts.iter().flatten().copied().filter(|piece| !piece.trim().is_empty()).collect();
    let mut numbers = Numbers(1);
    let mut taken = 0;
    for _ in 0..tries() {
        let mut text = texts[numbers.below(texts.len())].clone();
        for _ in 0..=numbers.below(4) {
            let (at, other) = (numbers.below(text.len()), numbers.below(text.len()));
            match numbers.below(6) {
                0 => text[at] = numbers.of(&words),
                1 => text.insert(at, numbers.of(&words)),
                2 => drop(text.remove(at)),
                3 => text.swap(at, other),
                4 => text[at] = text[other],
                // A line that comes again, or goes.
                _ => {
                    let line: Vec<_> = text.iter().skip(at).copied().take_while(|piece| *piece != "\n").collect();
                    let end = at + line.len();
                    if numbers.below(2) == 0 {
                        text.splice(other..other, line.into_iter().chain(["\n"]));
                    } else {
                        text.drain(at..end.min(text.len()));
                    }
                }
            }
            if text.is_empty() {
                text.push("kernel");
            }
        }
        taken += u64::from(check(&text.concat()));
    }
    // Changes of comments and numbers leave code; without any this would test errors only.
    assert!(taken > tries() / 20, "{taken} of {} are code", tries());
}

/// Lines that fit each other often enough.
const LINES: [&str; 40] = [
    "mov.u32 %a, 1",
    "mov.u32 %b, %a",
    "add.u32 %a, %a, n",
    "lt.u32 %p, %a, n",
    "mov.bool %p, true",
    "bra %p, A",
    "bra.not %p, B",
    "@%p bra C",
    "@!%p exit",
    "@%p ret",
    "@%p cont A",
    "jmp A",
    "jmp C",
    "join B",
    "brk C",
    "brk %p, C",
    "cont B",
    "brx %a, [A, B]",
    "brx 1, [C, A, A]",
    "call f",
    "call g",
    "exit",
    "ret",
    "A:",
    "B:",
    "C:",
    "ssy A",
    "ssy B",
    "prebrk C",
    "precont B",
    "preret A",
    "sync",
    "func f",
    "func g",
    ".reg u32 %b",
    ".reg passing u32 %c",
    "mov.u32 %f.c, 2",
    "st.u32 x[0], %f.c",
    "panic \"{}\", u32 %a",
    ".markers none",
];

#[test]
fn lines_in_any_order() {
    let mut numbers = Numbers(2);
    let mut taken = 0;
    for _ in 0..tries() {
        let mut text = String::from("kernel k(n: u32, x: &mut [u32])\n.reg u32 %a, bool %p\n");
        for _ in 0..1 + numbers.below(9) {
            text.push_str(numbers.of(&LINES));
            text.push('\n');
        }
        text.push_str("exit\n");
        taken += u64::from(check(&text));
    }
    assert!(taken > tries() / 100, "{taken} of {} are code", tries());
}

/// Small control-flow graphs, so that most are code: all labels are there, and all registers are written.
#[test]
fn jumps_to_anywhere() {
    let jumps =
        ["bra %p, L", "bra.not %p, L", "jmp L", "brk %p, L", "brk L", "cont L", "join L", "ssy L", "sync", "exit"];
    let mut numbers = Numbers(3);
    let mut taken = 0;
    for _ in 0..tries() {
        let len = 2 + numbers.below(7);
        let mut text = String::from("kernel k()\n.reg bool %p\nmov.bool %p, true\n");
        if numbers.below(3) > 0 {
            text.push_str(".markers none\n");
        }
        for line in 0..len {
            let target = format!("L{}", numbers.below(len + 1));
            text.push_str(&format!("L{line}: {}\n", numbers.of(&jumps).replace('L', &target)));
        }
        text.push_str(&format!("L{len}: exit\n"));
        taken += u64::from(check(&text));
    }
    assert!(taken > tries() / 3, "{taken} of {} are code", tries());
}

#[test]
fn words_in_any_order() {
    let texts = texts();
    let words: Vec<&str> = texts.iter().flat_map(|text| pieces(text)).collect();
    let mut numbers = Numbers(4);
    for _ in 0..tries() {
        let mut text = String::from(["", "kernel k()\n", "kernel k(n: u32, x: &mut [u32])\n"][numbers.below(3)]);
        for _ in 0..numbers.below(40) {
            text.push_str(numbers.of(&words));
        }
        check(&text);
    }
}

#[test]
fn characters_in_any_order() {
    let chars: Vec<char> = "kernel()[]{}@%!.,:;&#+-/\\\"'\n\t \u{0}\u{7f}éΘ0129axBL_".chars().collect();
    let mut numbers = Numbers(5);
    for _ in 0..tries() {
        let length = numbers.below(60);
        let text: String = (0..length).map(|_| chars[numbers.below(chars.len())]).collect();
        check(&text);
        check(&format!("kernel k()\n{text}\nexit"));
    }
}
