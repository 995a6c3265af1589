//! House rules about words: what comments, pages and messages call things, and how the tables of deviations are written.
//!
//! Prose is comments and string literals of Rust files, and the pages in Markdown. Not prose are code between backticks,
//! fenced blocks, targets of links, and strings without a space.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Prose that may have a word which is not allowed elsewhere.
const ALLOWED: &[(&str, &str)] = &[
    // Tables of the forbidden words themselves.
    ("GLOSSARY.md", "*"),
    ("tests/tidy/glossary.rs", "*"),
    // The macro recognises the words of other languages, to say what they are called here.
    ("simt-macros/src/foreign/c.rs", "*"),
    ("simt-macros/src/foreign/cuda.rs", "*"),
    ("simt-macros/src/foreign/mod.rs", "*"),
    ("simt-macros/src/foreign/numbers.rs", "*"),
    // The title of a paper.
    ("simt-runtime/src/scheduler/mod.rs", "Cache-Conscious Wavefront Scheduling"),
];

/// Words for people. `whose` is none: English has no other word for the genitive.
const PERSONS: [&str; 7] = ["who", "whom", "whoever", "nobody", "somebody", "everybody", "anybody"];

/// A line of prose: its file, its number from 1, its text without code.
struct Line {
    path: String,
    number: usize,
    text: String,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Page,
    Doc,
    Comment,
    String,
}

/// The Rust files and the pages, from the root, with `/`.
fn paths() -> Vec<String> {
    let skipped = ["target", ".git", "output", "snapshots"];
    let mut found = Vec::new();
    let mut folders = vec![root().to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder can be read") {
            let path = entry.expect("an entry can be read").path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if skipped.contains(&name) {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|kind| kind == "rs" || kind == "md") {
                let parts = path.strip_prefix(root()).expect("below the root").iter();
                found.push(parts.map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/"));
            }
        }
    }
    found.sort();
    assert!(found.len() > 100, "the walk finds the project");
    found
}

/// Cuts Rust into the lines of its comments and string literals. Knows as much of the syntax as that needs.
fn prose_of_rust(path: &str, text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut push = |number: usize, kind: Kind, text: &str| {
        for (below, text) in text.split('\n').enumerate() {
            lines.push(Line { path: path.to_string(), number: number + below, text: text.to_string(), kind });
        }
    };
    let (mut at, mut number) = (0, 1);
    while at < text.len() {
        let rest = &text[at..];
        let hashes = rest.strip_prefix('r').map(|rest| rest.len() - rest.trim_start_matches('#').len());
        let word = at > 0 && text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let length = if rest.starts_with("//") {
            let length = rest.find('\n').unwrap_or(rest.len());
            let doc = rest.starts_with("//!") || (rest.starts_with("///") && !rest.starts_with("////"));
            let kind = if doc { Kind::Doc } else { Kind::Comment };
            push(number, kind, rest[..length].trim_start_matches(['/', '!']));
            length
        } else if let Some(hashes) = hashes.filter(|hashes| !word && rest[1 + hashes..].starts_with('"')) {
            let end = format!("\"{}", "#".repeat(hashes));
            let from = hashes + 2;
            let length = rest[from..].find(&end).map_or(rest.len(), |length| from + length + end.len());
            push(number, Kind::String, &rest[from..length - end.len()]);
            length
        } else if let Some(quoted) = rest.strip_prefix('"') {
            let mut escaped = false;
            let length = quoted.find(|c| {
                let end = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                end
            });
            let length = length.map_or(rest.len(), |length| length + 2);
            push(number, Kind::String, &rest[1..length - 1]);
            length
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\") {
            // A character, which may be a quote; `'\''` has one more behind the escape.
            2 + rest[2..].chars().next().map_or(0, char::len_utf8)
        } else {
            rest.chars().next().map_or(1, char::len_utf8)
        };
        number += text[at..at + length].matches('\n').count();
        at += length;
    }
    lines
}

/// A line without what stands between backticks, and without the targets of links.
fn without_code(text: &str) -> String {
    let text = text.split('`').step_by(2).collect::<Vec<_>>().join("`");
    let mut links = text.split("](");
    let first = links.next().unwrap_or_default().to_string();
    links.fold(first, |text, link| text + "]" + link.split_once(')').map_or(link, |(_, behind)| behind))
}

/// The prose of a file, its fenced blocks and what stands between backticks left out.
fn prose_of(path: &str) -> Vec<Line> {
    let text = fs::read_to_string(root().join(path)).expect("the file can be read");
    let page = |(at, text): (usize, &str)| Line {
        path: path.to_string(),
        number: at + 1,
        text: text.to_string(),
        kind: Kind::Page,
    };
    let lines =
        if path.ends_with(".rs") { prose_of_rust(path, &text) } else { text.lines().enumerate().map(page).collect() };
    prose_of_lines(lines)
}

fn prose_of_lines(lines: Vec<Line>) -> Vec<Line> {
    let mut fenced = false;
    let mut prose = Vec::new();
    for mut line in lines {
        if line.kind == Kind::String && !line.text.trim().contains(' ') {
            continue;
        }
        if line.kind != Kind::String && line.text.trim_start().starts_with("```") {
            fenced = !fenced;
            continue;
        }
        // A fence that is never closed ends with its comment.
        fenced &= line.kind != Kind::Comment;
        if !fenced || line.kind == Kind::String {
            line.text = without_code(&line.text);
            prose.push(line);
        }
    }
    prose
}

/// All prose that is held to the rules, which is read once for all of them.
fn prose() -> &'static [Line] {
    static PROSE: LazyLock<Vec<Line>> = LazyLock::new(|| {
        let held = |path: &String| !ALLOWED.contains(&(path.as_str(), "*"));
        paths().into_iter().filter(held).flat_map(|path| prose_of(&path)).collect()
    });
    &PROSE
}

/// The first of the words that stands in a text, whatever its case, alone or with an `s` behind it.
fn first_word<T>(text: &str, words: &[T], name: impl Fn(&T) -> &str) -> Option<usize> {
    let text = text.to_lowercase();
    words.iter().position(|word| has_word(&text, name(word)))
}

/// Where a word stands in a text of lower case, alone or with an `s` behind it.
fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let inside = |c: char| c.is_alphanumeric() || c == '_';
        let behind = &text[at + word.len()..];
        let behind = behind.strip_prefix('s').unwrap_or(behind);
        !text[..at].ends_with(inside) && !behind.starts_with(inside)
    })
}

/// The rows of the glossary: its names, and the words that are not used.
fn glossary() -> Vec<(String, Vec<String>)> {
    let text = fs::read_to_string(root().join("GLOSSARY.md")).expect("the glossary is there");
    let (_, table) = text.split_once("| name | meaning | not |\n|---|---|---|\n").expect("its table begins so");
    let words = |cell: &str| {
        let words = cell.split(',').map(|word| word.trim().to_lowercase());
        words.filter(|word| !word.is_empty()).collect::<Vec<_>>()
    };
    let rows = table.lines().take_while(|line| line.starts_with('|')).map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        assert_eq!(cells.len(), 3, "a row of the glossary has three cells: {line}");
        (cells[0].to_string(), words(cells[2]))
    });
    rows.collect()
}

#[track_caller]
fn assert_none(rule: &str, broken: &[String]) {
    assert!(broken.is_empty(), "{rule}:\n{}", broken.join("\n"));
}

fn broken(lines: &[Line], breaks: impl Fn(&Line) -> Option<String>) -> Vec<String> {
    let allowed = |line: &Line| ALLOWED.iter().any(|(path, text)| line.path == *path && line.text.contains(text));
    let lines = lines.iter().filter(|line| !allowed(line));
    let place = |line: &Line, what: String| format!("{}:{}: {what}: {}", line.path, line.number, line.text.trim());
    lines.filter_map(|line| breaks(line).map(|what| place(line, what))).collect()
}

/// One name for each concept: a synonym makes the reader look for a difference that is not there.
#[test]
fn the_glossarys_words_are_used_and_no_others() {
    let rows = glossary();
    assert!(rows.len() > 30, "the glossary is read");
    let names: BTreeSet<&str> = rows.iter().flat_map(|(names, _)| names.split(", ")).collect();
    let words: Vec<(&str, &str)> =
        rows.iter().flat_map(|(name, not)| not.iter().map(move |word| (word.as_str(), name.as_str()))).collect();
    for (word, name) in &words {
        assert!(!names.contains(word), "the glossary has `{word}` as a name, and forbids it for `{name}`");
    }
    let broken = broken(prose(), |line| {
        let (word, name) = words[first_word(&line.text, &words, |(word, _)| word)?];
        Some(format!("`{word}`, which GLOSSARY.md calls `{name}`"))
    });
    assert_none("a word that the glossary does not have", &broken);
}

/// Lanes, threads, warps and blocks are things: "who has no room" makes the reader look for a person.
#[test]
fn lanes_and_threads_are_no_persons() {
    let broken = broken(prose(), |line| {
        let word = PERSONS[first_word(&line.text, &PERSONS, |word| word)?];
        Some(format!("`{word}`; say `which`, or the noun"))
    });
    assert_none("prose speaks of persons", &broken);
}

/// The first line of a doc comment is read in lists, without the code: "Gives" tells less there than "Returns" or a noun.
#[test]
fn doc_comments_do_not_give() {
    let broken = broken(prose(), |line| {
        let first = line.text.split_whitespace().next().unwrap_or_default();
        let gives = line.kind == Kind::Doc && ["Gives", "Give"].contains(&first);
        gives.then(|| "say `Returns`, or what it is".to_string())
    });
    assert_none("a doc comment begins with `Gives`", &broken);
}

/// A comment of one word needs a second reading: of what is it said?
#[test]
fn no_comment_is_one_word() {
    let found = one_word(prose()).map(|line| format!("{}:{}: {}", line.path, line.number, line.text.trim()));
    assert_none("a comment is one word", &found.collect::<Vec<_>>());
}

/// The comments that are one word and a full stop, and nothing above or below; of doc comments only pronouns, for
/// "Addition." is all that there is to say of a variant.
fn one_word(lines: &[Line]) -> impl Iterator<Item = &Line> {
    let next_to = |other: Option<&Line>, kind: Kind, number: usize| {
        other.is_some_and(|other| other.kind == kind && other.number == number)
    };
    let pronouns = ["All", "Both", "It", "Not", "Others", "So", "That", "Them", "These", "They", "This", "Those"];
    (0..lines.len()).filter_map(move |at| {
        let Line { number, kind, ref text, .. } = lines[at];
        let above = at.checked_sub(1).and_then(|at| lines.get(at));
        let alone = !next_to(above, kind, number - 1) && !next_to(lines.get(at + 1), kind, number + 1);
        let word = text.trim().strip_suffix('.').filter(|word| !word.contains(' '))?;
        let broken = alone && (kind == Kind::Comment || kind == Kind::Doc && pronouns.contains(&word));
        broken.then_some(&lines[at])
    })
}

/// Rows are read side by side: one that is longer has a note below its table.
#[test]
fn rows_of_deviations_are_short_and_name_tests_that_exist() {
    let pages: Vec<String> = paths().into_iter().filter(|path| path.starts_with("docs/deviations/")).collect();
    let read = |path: &str| fs::read_to_string(root().join(path)).expect("the file can be read");
    let code: String = paths().iter().filter(|path| path.ends_with(".rs")).map(|path| read(path)).collect();
    let names: BTreeSet<&str> = code.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let index = read("docs/deviations/README.md");
    let mut broken = Vec::new();
    for path in &pages {
        let name = path.rsplit('/').next().unwrap_or_default();
        if name != "README.md" && !index.contains(&format!("({name})")) {
            broken.push(format!("{path}: not in the index"));
        }
        let text = read(path);
        let rows = text.lines().enumerate().filter(|(_, line)| line.starts_with('|'));
        for (at, row) in rows {
            let length = row.chars().count();
            broken.extend((length > 300).then(|| format!("{path}:{}: {length} characters", at + 1)));
            let tests = row.trim_matches('|').rsplit('|').next().unwrap_or_default().split('`').skip(1).step_by(2);
            let tests = tests.filter(|name| name.contains('_') && !name.contains(' '));
            let missing = tests.filter(|name| !names.contains(name.rsplit("::").next().unwrap_or_default()));
            broken.extend(missing.map(|name| format!("{path}:{}: no test `{name}`", at + 1)));
        }
        let notes = text.split_once("\n## Notes").map_or("", |(_, notes)| notes);
        if text.contains(" (note) ") == notes.is_empty() {
            broken.push(format!("{path}: rows with a note, and notes, come together"));
        }
    }
    assert!(pages.len() > 10, "the pages are found");
    assert_none("a page of deviations", &broken);
}

/// The rules find what they are about, and leave code alone.
#[test]
fn rules_find_what_they_are_about() {
    let text = r###"
//! Gives a number.
let who = f("who", 'w', '"', "nobody waits", r#"and "somebody" spins"#); // Whoever comes.
/// Them.
// Not.
let b = 1;
let c = '\\''; // `nobody` and [a](crate::nobody), whose case is another.
/// ```
/// let nobody = 1; // who
/// ```
"###;
    let lines = prose_of_lines(prose_of_rust("file.rs", text));
    let shown: Vec<(usize, &str)> = lines.iter().map(|line| (line.number, line.text.trim())).collect();
    let expected = [
        (2, "Gives a number."),
        (3, "nobody waits"),
        (3, "and \"somebody\" spins"),
        (3, "Whoever comes."),
        (4, "Them."),
        (5, "Not."),
        (7, "` and [a], whose case is another."),
    ];
    assert_eq!(shown, expected);
    let persons = |line: &&Line| first_word(&line.text, &PERSONS, |word| word).is_some();
    assert_eq!(lines.iter().filter(persons).map(|line| line.number).collect::<Vec<_>>(), [3, 3, 3]);
    assert_eq!(one_word(&lines).map(|line| line.number).collect::<Vec<_>>(), [4, 5]);
    assert!(has_word("two wavefronts meet", "wavefront") && !has_word("a wavefrontal word", "wavefront"));
}
