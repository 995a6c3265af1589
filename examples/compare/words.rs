//! Loads the two word files: the dictionary, and the misspelt words to look up in it.

use std::collections::{BTreeMap, BTreeSet};

use crate::input::{InputError, Source, quoted};

/// The longest word: its prefixes and the empty one must fit into the 32 bits of a search row.
pub(crate) const MAX_LETTERS: usize = 31;
/// The most different letters in a dictionary: the search keeps a table of them per misspelt word.
const MAX_ALPHABET: usize = 256;
const MAX_WORDS: usize = 1_000_000;
const MAX_MISSPELT: usize = 100_000;

/// A misspelt word, and the word that was meant where the file says so.
#[derive(Debug, PartialEq)]
pub(crate) struct Misspelt {
    pub(crate) word: String,
    pub(crate) meant: Option<String>,
}

/// The bundled dictionary.
pub(crate) fn bundled_dictionary() -> Source {
    Source::bundled("examples/data/words.txt", include_str!("../data/words.txt"))
}

/// The bundled misspelt words.
pub(crate) fn bundled_misspelt() -> Source {
    Source::bundled("examples/data/misspelt.txt", include_str!("../data/misspelt.txt"))
}

/// Reads a dictionary: one word a line, in any order, none twice; sorted on return.
pub(crate) fn read_dictionary(source: &Source) -> Result<Vec<String>, InputError> {
    let mut line_of = BTreeMap::new();
    let mut alphabet = BTreeSet::new();
    for (line, entry) in source.entries() {
        check_word(source, line, entry)?;
        if let Some(earlier) = line_of.insert(entry, line) {
            let word = quoted(entry);
            return Err(source.error_at(line, format!("{word} is in line {earlier} already; remove one of the two")));
        }
        alphabet.extend(entry.chars());
        if alphabet.len() > MAX_ALPHABET {
            return Err(source.error_at(line, format!("more than {MAX_ALPHABET} different letters, the limit")));
        }
        if line_of.len() > MAX_WORDS {
            return Err(source.error_at(line, format!("more than {MAX_WORDS} words, the limit")));
        }
    }
    if line_of.is_empty() {
        return Err(source.error("holds no words; expected one word a line"));
    }
    Ok(line_of.into_keys().map(str::to_owned).collect())
}

/// Reads misspelt words: a word a line, optionally followed by the word that was meant.
pub(crate) fn read_misspelt(source: &Source) -> Result<Vec<Misspelt>, InputError> {
    let mut misspelt = Vec::new();
    for (line, entry) in source.entries() {
        let (word, meant) = match entry.split_once(char::is_whitespace) {
            Some((word, meant)) => (word, Some(meant.trim_start())),
            None => (entry, None),
        };
        check_word(source, line, word)?;
        if let Some(meant) = meant {
            check_word(source, line, meant)?;
        }
        misspelt.push(Misspelt { word: word.to_owned(), meant: meant.map(str::to_owned) });
        if misspelt.len() > MAX_MISSPELT {
            return Err(source.error_at(line, format!("more than {MAX_MISSPELT} misspelt words, the limit")));
        }
    }
    if misspelt.is_empty() {
        return Err(source.error("holds no words; expected a misspelt word a line"));
    }
    Ok(misspelt)
}

fn check_word(source: &Source, line: usize, word: &str) -> Result<(), InputError> {
    if let Some(odd) = word.chars().find(|c| c.is_whitespace() || c.is_control()) {
        let (word, odd) = (quoted(word), odd.escape_debug());
        return Err(source.error_at(line, format!("{word} holds the character '{odd}'; expected a single word")));
    }
    let letters = word.chars().count();
    if letters > MAX_LETTERS {
        let word = quoted(word);
        return Err(source.error_at(line, format!("{word} has {letters} letters; expected at most {MAX_LETTERS}")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dictionary(text: &'static str) -> Result<Vec<String>, String> {
        read_dictionary(&Source::bundled("w", text)).map_err(|error| error.to_string())
    }

    fn misspelt(text: &'static str) -> Result<Vec<Misspelt>, String> {
        read_misspelt(&Source::bundled("m", text)).map_err(|error| error.to_string())
    }

    #[test]
    fn a_dictionary_comes_back_sorted() {
        assert_eq!(dictionary("# my words\npear\n\nApfel\nétude\n").unwrap(), ["Apfel", "pear", "étude"]);
    }

    #[test]
    fn a_misspelt_word_may_name_what_was_meant() {
        let words = misspelt("teh\tthe\nabilties").unwrap();
        assert_eq!(words[0], Misspelt { word: "teh".into(), meant: Some("the".into()) });
        assert_eq!(words[1], Misspelt { word: "abilties".into(), meant: None });
    }

    #[test]
    fn mistakes_are_reported_with_their_line() {
        assert_eq!(dictionary("a\nb\n\na\n").unwrap_err(), "w:4: `a` is in line 1 already; remove one of the two");
        assert_eq!(dictionary("to do").unwrap_err(), "w:1: `to do` holds the character ' '; expected a single word");
        let letters = ('\u{100}'..'\u{300}').map(|letter| format!("{letter}\n")).collect::<String>();
        assert_eq!(dictionary(letters.leak()).unwrap_err(), "w:257: more than 256 different letters, the limit");
        assert_eq!(dictionary("# none\n").unwrap_err(), "w: holds no words; expected one word a line");
        assert_eq!(
            dictionary("ok\nabcdefghijklmnopqrstuvwxyzabcdef").unwrap_err(),
            "w:2: `abcdefghijklmnopqrstuvwxyzabcdef` has 32 letters; expected at most 31"
        );
        assert_eq!(
            misspelt("teh the thee").unwrap_err(),
            "m:1: `the thee` holds the character ' '; expected a single word"
        );
    }

    #[test]
    fn the_bundled_files_are_well_formed() {
        let words = read_dictionary(&bundled_dictionary()).unwrap();
        let misspelt = read_misspelt(&bundled_misspelt()).unwrap();
        assert!(words.len() > 60_000 && misspelt.len() > 1_000);
        for Misspelt { word, meant } in &misspelt {
            assert!(words.binary_search(word).is_err(), "{word}");
            assert!(words.binary_search(meant.as_ref().unwrap()).is_ok(), "{word}");
        }
    }
}
