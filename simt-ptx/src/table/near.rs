//! Words that a mistyped one may have been meant to be.

/// How many steps there are from one word to the other: letters put in, left out, or replaced, and neighbours swapped.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<u8>, Vec<u8>) = (a.bytes().collect(), b.bytes().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            let steps = [
                rows[i - 1][j] + 1,
                row[j - 1] + 1,
                rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]),
                if swap { rows[i - 2][j - 2] + 1 } else { usize::MAX },
            ];
            row.push(steps.into_iter().min().unwrap_or(usize::MAX));
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

/// The three nearest of some words, nearest first; none if all are far, or if the word is longer than any.
pub(super) fn words(word: &str, all: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    const LONGEST: usize = 32;
    if word.len() > LONGEST {
        return Vec::new();
    }
    let most = 1 + word.len() / 4;
    let mut near: Vec<(usize, &'static str)> =
        all.map(|other| (distance(word, other), other)).filter(|(steps, _)| *steps <= most).collect();
    near.sort_unstable();
    near.dedup();
    // Itself is known, but not where it stands: what is like it does not help.
    if near.first().is_some_and(|(steps, _)| *steps == 0) {
        return Vec::new();
    }
    near.into_iter().map(|(_, word)| word).take(3).collect()
}

/// The opcodes that are near one; for opcodes of other machines and of old PTX what they are called here.
pub(super) fn opcodes(word: &str, all: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    const CALLED: &[(&str, &str)] = &[
        ("return", "ret"),
        ("jmp", "bra"),
        ("branch", "bra"),
        ("br", "bra"),
        ("move", "mov"),
        ("load", "ld"),
        ("store", "st"),
        ("shr_u", "shr"),
        ("sll", "shl"),
        ("srl", "shr"),
        ("cmp", "setp"),
        ("syncthreads", "bar"),
        ("ffma", "fma"),
        ("fadd", "add"),
        ("fmul", "mul"),
        ("iadd", "add"),
        ("imad", "mad"),
        ("popcnt", "popc"),
        ("nop", "mov"),
    ];
    match CALLED.iter().find(|(other, _)| *other == word) {
        Some((_, here)) => vec![here],
        None => words(word, all),
    }
}
