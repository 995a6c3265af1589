//! The dictionary as a trie in flat arrays, which a kernel can walk without a stack of nodes.
//!
//! Nodes stand in preorder, so the node after a node is its first child if it has one, and leaving
//! out a whole subtree is one jump: to `skip`. A node is a letter at a depth.

use std::collections::BTreeMap;

/// In [`Trie::word`]: no word ends here.
pub(crate) const NO_WORD: u32 = u32::MAX;

/// A dictionary by shared prefixes; all arrays are indexed by node.
#[derive(Debug, Default)]
pub(crate) struct Trie {
    /// The node's letter, as its number in [`Trie::alphabet`].
    pub(crate) letter: Vec<u32>,
    /// How many letters lead to the node, itself included.
    pub(crate) depth: Vec<u32>,
    /// The first node after the node's subtree.
    pub(crate) skip: Vec<u32>,
    /// The word that ends at the node, or [`NO_WORD`].
    pub(crate) word: Vec<u32>,
    /// The letters of all words, numbered.
    pub(crate) alphabet: BTreeMap<char, usize>,
}

impl Trie {
    /// Builds the trie of words in strictly ascending order.
    pub(crate) fn new(words: &[String]) -> Self {
        let mut alphabet: BTreeMap<_, _> =
            words.iter().flat_map(|word| word.chars()).map(|letter| (letter, 0)).collect();
        alphabet.values_mut().zip(0..).for_each(|(number, i)| *number = i);
        let mut trie = Self { alphabet, ..Self::default() };
        let mut path: Vec<(char, usize)> = Vec::new();
        for (number, word) in (0..).zip(words) {
            let shared = path.iter().zip(word.chars()).take_while(|((a, _), b)| a == b).count();
            for (_, node) in path.drain(shared..) {
                trie.skip[node] = as_u32(trie.letter.len());
            }
            for (depth, letter) in (1..).zip(word.chars()).skip(shared) {
                path.push((letter, trie.letter.len()));
                trie.letter.push(as_u32(trie.alphabet[&letter]));
                trie.depth.push(depth);
                trie.skip.push(0);
                trie.word.push(NO_WORD);
            }
            *trie.word.last_mut().expect("words are not empty") = number;
        }
        for (_, node) in path {
            trie.skip[node] = as_u32(trie.letter.len());
        }
        trie
    }
}

fn as_u32(n: usize) -> u32 {
    u32::try_from(n).expect("a file of 64 MiB makes fewer nodes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_shared_and_subtrees_can_be_skipped() {
        let trie = Trie::new(&["ab", "abc", "ad", "b"].map(str::to_owned));
        // a -> (b -> c, d), b
        assert_eq!(trie.letter, [0, 1, 2, 3, 1]);
        assert_eq!(trie.depth, [1, 2, 3, 2, 1]);
        assert_eq!(trie.skip, [4, 3, 3, 4, 5]);
        assert_eq!(trie.word, [NO_WORD, 0, 1, 2, 3]);
    }

    #[test]
    fn the_alphabet_is_that_of_the_words() {
        let trie = Trie::new(&["ab".to_owned(), "ßa".to_owned()]);
        assert_eq!(trie.alphabet, BTreeMap::from([('a', 0), ('b', 1), ('ß', 2)]));
    }
}
