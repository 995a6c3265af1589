//! Approximate search: for each misspelt word the closest dictionary word within two edits.
//!
//! An edit inserts, deletes or replaces a letter. The set of prefixes of the misspelt word that
//! the letters read so far can have become is one machine word per number of edits (S. Wu and
//! U. Manber, "Fast text searching allowing errors", CACM 35(10), 1992); a letter updates all
//! prefixes at once. The dictionary is a trie, and once no prefix is left its whole subtree is
//! skipped. Each thread takes its own path through the trie, which is what a warp likes least.

use simt::prelude::*;

use crate::trie::{NO_WORD, Trie};
use crate::words::{MAX_LETTERS, Misspelt};
use crate::workload::{Launch, Workload, grouped};

/// More edits than this, and there is no suggestion.
const MAX_EDITS: u32 = 2;
/// A row of prefixes for each number of edits, at each depth of the trie.
const ROWS: usize = (MAX_EDITS as usize + 1) * (MAX_LETTERS + 1);

/// Looks up all misspelt words in one dictionary.
pub(crate) struct Spelling {
    words: Vec<String>,
    misspelt: Vec<Misspelt>,
    trie: Trie,
    /// For each misspelt word and letter of the alphabet: bit `p` says that the word's `p`th
    /// letter, counted from 1, is that letter.
    masks: Vec<u32>,
    /// For each misspelt word its number of letters.
    length: Vec<u32>,
}

/// The closest word, in alphabetical order the first of several; [`NO_WORD`] if there is none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Suggestion {
    word: u32,
    edits: u32,
}

const NO_SUGGESTION: Suggestion = Suggestion { word: NO_WORD, edits: MAX_EDITS + 1 };

/// One thread looks up one misspelt word. `rows` is scratch space, laid out such that neighbouring
/// threads at the same depth touch neighbouring words.
#[kernel]
#[expect(clippy::too_many_arguments, reason = "a kernel takes each array on its own")]
fn suggest(
    letter: &[u32],
    depth: &[u32],
    skip: &[u32],
    word: &[u32],
    masks: &[u32],
    alphabet: usize,
    length: &[u32],
    rows: &mut [u32],
    found: &mut [u32],
    edits: &mut [u32],
) {
    let thread = global_id();
    let threads = length.len();
    if thread >= threads {
        return;
    }
    let end = length[thread];
    let prefixes = u32::MAX >> (31 - end);
    rows[thread] = 1;
    rows[threads + thread] = 0b11 & prefixes;
    rows[2 * threads + thread] = 0b111 & prefixes;
    let mut best = MAX_EDITS + 1;
    let mut best_word = NO_WORD;
    let mut node = 0;
    while node < letter.len() && best > 0 {
        let above = 3 * (depth[node] as usize - 1) * threads + thread;
        let exact = rows[above];
        let one = rows[above + threads];
        let two = rows[above + 2 * threads];
        let here = masks[thread * alphabet + letter[node] as usize];
        let next_exact = (exact << 1) & here;
        let next_one = (((one << 1) & here) | exact | ((exact | next_exact) << 1)) & prefixes;
        let next_two = (((two << 1) & here) | one | ((one | next_one) << 1)) & prefixes;
        // Only fewer edits than the best so far are of interest.
        let mut hopeful = next_two;
        if best == 2 {
            hopeful = next_one;
        }
        if best == 1 {
            hopeful = next_exact;
        }
        if hopeful == 0 {
            node = skip[node] as usize;
            continue;
        }
        if word[node] != NO_WORD && (hopeful >> end) & 1 == 1 {
            best_word = word[node];
            best = 2;
            if (next_one >> end) & 1 == 1 {
                best = 1;
            }
            if (next_exact >> end) & 1 == 1 {
                best = 0;
            }
        }
        let below = above + 3 * threads;
        rows[below] = next_exact;
        rows[below + threads] = next_one;
        rows[below + 2 * threads] = next_two;
        node += 1;
    }
    found[thread] = best_word;
    edits[thread] = best;
}

impl Spelling {
    /// Prepares the search; `words` in strictly ascending order.
    pub(crate) fn new(words: Vec<String>, misspelt: Vec<Misspelt>) -> Self {
        let trie = Trie::new(&words);
        let mut masks = vec![0; misspelt.len() * trie.alphabet.len()];
        for (row, Misspelt { word, .. }) in masks.chunks_mut(trie.alphabet.len()).zip(&misspelt) {
            for (letter, bit) in word.chars().zip(1..) {
                if let Some(&number) = trie.alphabet.get(&letter) {
                    row[number] |= 1_u32 << bit;
                }
            }
        }
        let length = misspelt.iter().map(|misspelt| misspelt.word.chars().count() as u32).collect();
        Self { words, misspelt, trie, masks, length }
    }

    /// The same search as the kernel's, in plain Rust.
    fn suggest_one(&self, masks: &[u32], end: u32) -> Suggestion {
        let trie = &self.trie;
        let prefixes = u32::MAX >> (31 - end);
        let mut rows = [[0; 3]; ROWS / 3];
        rows[0] = [1, 0b11 & prefixes, 0b111 & prefixes];
        let mut best = NO_SUGGESTION;
        let mut node = 0;
        while node < trie.letter.len() && best.edits > 0 {
            let depth = trie.depth[node] as usize;
            let [exact, one, two] = rows[depth - 1];
            let here = masks[trie.letter[node] as usize];
            let next_exact = (exact << 1) & here;
            let next_one = ((one << 1) & here | exact | (exact | next_exact) << 1) & prefixes;
            let next_two = ((two << 1) & here | one | (one | next_one) << 1) & prefixes;
            let next = [next_exact, next_one, next_two];
            let hopeful = next[best.edits as usize - 1];
            if hopeful == 0 {
                node = trie.skip[node] as usize;
                continue;
            }
            let word = trie.word[node];
            if word != NO_WORD
                && let Some(edits) = (0..best.edits).find(|&edits| next[edits as usize] >> end & 1 == 1)
            {
                best = Suggestion { word, edits };
            }
            rows[depth] = next;
            node += 1;
        }
        best
    }
}

impl Workload for Spelling {
    type Item = Suggestion;
    const NAME: &'static str = "spelling";

    fn host(&self) -> Vec<Suggestion> {
        let masks = self.masks.chunks(self.trie.alphabet.len());
        masks.zip(&self.length).map(|(masks, &length)| self.suggest_one(masks, length)).collect()
    }

    fn device(&self, launch: &Launch<'_>) -> Result<(Vec<Suggestion>, Report), LaunchError> {
        let threads = self.misspelt.len();
        let mut rows = vec![0; ROWS * threads];
        let mut found = vec![0; threads];
        let mut edits = vec![0; threads];
        let Trie { letter, depth, skip, word, alphabet } = &self.trie;
        let call = suggest(
            letter,
            depth,
            skip,
            word,
            &self.masks,
            alphabet.len(),
            &self.length,
            &mut rows,
            &mut found,
            &mut edits,
        );
        let report = launch(Grid::covering(threads, 128), call)?;
        let suggestions = found.into_iter().zip(edits).map(|(word, edits)| Suggestion { word, edits });
        Ok((suggestions.collect(), report))
    }

    fn summary(&self, suggestions: &[Suggestion]) -> String {
        let found = suggestions.iter().filter(|suggestion| suggestion.word != NO_WORD).count();
        let known = self.misspelt.iter().filter(|misspelt| misspelt.meant.is_some()).count();
        let right = self.misspelt.iter().zip(suggestions).filter(|(misspelt, suggestion)| {
            misspelt.meant.is_some() && misspelt.meant.as_ref() == self.words.get(suggestion.word as usize)
        });
        let (queries, words) = (grouped(self.misspelt.len() as u64), grouped(self.words.len() as u64));
        let found = grouped(found as u64);
        let mut summary = format!("{queries} misspelt words, {words} in the dictionary; {found} suggestions");
        if known > 0 {
            summary += &format!(", {} as meant", grouped(right.count() as u64));
        }
        summary
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The textbook's edit distance, as an independent check.
    fn edit_distance(a: &str, b: &str) -> u32 {
        let mut row: Vec<u32> = (0..=b.chars().count() as u32).collect();
        for (i, x) in (1..).zip(a.chars()) {
            let mut diagonal = row[0];
            row[0] = i;
            for (j, y) in b.chars().enumerate() {
                let replaced = diagonal + u32::from(x != y);
                diagonal = row[j + 1];
                row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
            }
        }
        *row.last().unwrap()
    }

    fn search(words: &[&str], misspelt: &[&str]) -> Spelling {
        let misspelt = misspelt.iter().map(|&word| Misspelt { word: word.into(), meant: None });
        Spelling::new(words.iter().map(|&word| word.into()).collect(), misspelt.collect())
    }

    #[test]
    fn every_suggestion_is_what_comparing_with_every_word_gives() {
        let (dictionary, misspelt) = (crate::words::bundled_dictionary(), crate::words::bundled_misspelt());
        let words: Vec<_> = crate::words::read_dictionary(&dictionary).unwrap().into_iter().step_by(5).collect();
        let misspelt = crate::words::read_misspelt(&misspelt).unwrap().into_iter().step_by(31).collect();
        let spelling = Spelling::new(words, misspelt);
        for (Misspelt { word, .. }, suggestion) in spelling.misspelt.iter().zip(spelling.host()) {
            let edits = spelling.words.iter().map(|candidate| edit_distance(word, candidate));
            let (edits, number) = edits.zip(0..).min().unwrap();
            let expected = if edits <= MAX_EDITS { Suggestion { word: number, edits } } else { NO_SUGGESTION };
            assert_eq!(suggestion, expected, "{word}");
        }
    }

    #[test]
    fn the_longest_words_and_foreign_letters_work() {
        let long = "a".repeat(MAX_LETTERS);
        let spelling = search(&[&long, "été"], &[&long[2..], &long, "ete", "?", "éte"]);
        let edits: Vec<_> = spelling.host().iter().map(|suggestion| suggestion.edits).collect();
        assert_eq!(edits, [2, 0, 2, 3, 1]);
    }

    #[test]
    fn the_closest_word_wins_and_then_the_first() {
        let spelling = search(&["cart", "cat", "cats"], &["cta", "catt"]);
        let words: Vec<_> = spelling.host().iter().map(|suggestion| suggestion.word).collect();
        assert_eq!(words, [1, 0]);
    }
}
