//! The paths of Rust source that begin at `crate`, `self` or `super`, as far as a test of imports needs them.

use std::iter::Peekable;

/// A path as it resolves from the crate's root, and where it begins.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) line: usize,
    pub(crate) path: Vec<String>,
    /// Whether it begins with `$crate`: such a path is read where the macro is used.
    pub(crate) of_macro: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    /// `::`
    Path,
    Mark(char),
}

/// The words that a path of the crate itself begins with.
const OWN: &[&str] = &["crate", "self", "super"];

/// The paths of its own crate that the source of a module has, but for what stands in `#[cfg(test)] mod`s.
///
/// `module` are the modules that the file is in, from the root.
pub(crate) fn paths(source: &str, module: &[&str]) -> Vec<Found> {
    found(source, module, OWN)
}

/// The paths that begin at another crate, its name first, but for what stands in `#[cfg(test)] mod`s.
pub(crate) fn paths_of(source: &str, other: &str) -> Vec<Found> {
    let mut found = found(source, &[], &[other]);
    // `use other::{self as name}` hides what it names.
    found.iter_mut().filter(|found| found.path.len() < 2).for_each(|found| found.path.push("*".to_string()));
    found
}

fn found(source: &str, module: &[&str], roots: &[&str]) -> Vec<Found> {
    let tokens = tokens(source);
    let mut found = Vec::new();
    // The modules that are open, each with the number of braces around it.
    let mut open: Vec<(String, usize)> = Vec::new();
    let mut braces = 0;
    let mut index = 0;
    while index < tokens.len() {
        let (line, token) = &tokens[index];
        match token {
            Token::Word(word) if word == "mod" && is_word(&tokens, index + 1) && is(&tokens, index + 2, '{') => {
                if is_of_tests(&tokens, index) {
                    index = behind(&tokens, index + 2);
                    continue;
                }
                let Token::Word(name) = &tokens[index + 1].1 else { unreachable!("it is a word") };
                open.push((name.clone(), braces));
            }
            Token::Word(word) if roots.contains(&word.as_str()) => {
                let first = index == 0 || tokens[index - 1].1 != Token::Path;
                if first && tokens.get(index + 1).is_some_and(|(_, next)| *next == Token::Path) {
                    let inside = open.iter().map(|(name, _)| name.as_str());
                    let here: Vec<String> = module.iter().copied().chain(inside).map(str::to_string).collect();
                    let of_macro = index > 0 && tokens[index - 1].1 == Token::Mark('$');
                    let mut tails = Vec::new();
                    tree(&tokens, &mut index, &mut Vec::new(), &mut tails);
                    let resolved =
                        tails.into_iter().map(|tail| Found { line: *line, path: resolve(&here, tail), of_macro });
                    found.extend(resolved);
                    continue;
                }
            }
            Token::Mark('{') => braces += 1,
            Token::Mark('}') => {
                braces -= 1;
                if open.last().is_some_and(|&(_, around)| around == braces) {
                    open.pop();
                }
            }
            _ => {}
        }
        index += 1;
    }
    found
}

fn is(tokens: &[(usize, Token)], index: usize, mark: char) -> bool {
    tokens.get(index).is_some_and(|(_, token)| *token == Token::Mark(mark))
}

fn is_word(tokens: &[(usize, Token)], index: usize) -> bool {
    tokens.get(index).is_some_and(|(_, token)| matches!(token, Token::Word(_)))
}

/// Whether `#[cfg(test)]` stands before the `mod` at an index.
fn is_of_tests(tokens: &[(usize, Token)], index: usize) -> bool {
    let attribute = ["#", "[", "cfg", "(", "test", ")", "]"];
    let texts = tokens[..index].iter().rev().take(attribute.len()).map(|(_, token)| match token {
        Token::Word(word) => word.clone(),
        Token::Path => "::".to_string(),
        Token::Mark(mark) => mark.to_string(),
    });
    texts.eq(attribute.iter().rev().map(|part| (*part).to_string()))
}

/// The index behind the braces that open at one.
fn behind(tokens: &[(usize, Token)], open: usize) -> usize {
    let mut depth = 0_usize;
    for (index, (_, token)) in tokens.iter().enumerate().skip(open) {
        match token {
            Token::Mark('{') => depth += 1,
            Token::Mark('}') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return index + 1;
        }
    }
    tokens.len()
}

/// Reads a path, or the tree of a `use`, from an index on; each of its leaves goes to `leaves`.
fn tree(tokens: &[(usize, Token)], index: &mut usize, stem: &mut Vec<String>, leaves: &mut Vec<Vec<String>>) {
    let depth = stem.len();
    loop {
        match tokens.get(*index).map(|(_, token)| token) {
            Some(Token::Word(word)) => {
                stem.push(word.clone());
                *index += 1;
            }
            Some(Token::Mark('*')) => {
                stem.push("*".to_string());
                *index += 1;
            }
            Some(Token::Mark('{')) => {
                *index += 1;
                while *index < tokens.len() && !is(tokens, *index, '}') {
                    if is_word(tokens, *index) || is(tokens, *index, '*') || is(tokens, *index, '{') {
                        tree(tokens, index, stem, leaves);
                    } else {
                        *index += 1;
                    }
                    // `as name` changes nothing of what is named.
                    if tokens.get(*index).is_some_and(|(_, token)| *token == Token::Word("as".to_string())) {
                        *index += 2;
                    }
                }
                *index += 1;
                stem.truncate(depth);
                return;
            }
            _ => {}
        }
        if tokens.get(*index).is_some_and(|(_, token)| *token == Token::Path) {
            *index += 1;
            // `Type::<T>::name`: what is behind belongs to the type.
            if is(tokens, *index, '<') {
                break;
            }
        } else {
            break;
        }
    }
    leaves.push(stem.clone());
    stem.truncate(depth);
}

fn resolve(here: &[String], path: Vec<String>) -> Vec<String> {
    let mut resolved = here.to_vec();
    let mut rest = path.into_iter().peekable();
    while let Some(word) = rest.next_if(|word| OWN.contains(&word.as_str())) {
        match word.as_str() {
            "crate" => resolved.clear(),
            "super" => drop(resolved.pop()),
            _ => {}
        }
    }
    // A `self` at the end of a tree names the stem.
    resolved.extend(rest.filter(|word| word != "self"));
    resolved
}

/// Words and marks with their lines, without comments, literals and lifetimes.
fn tokens(source: &str) -> Vec<(usize, Token)> {
    let mut tokens = Vec::new();
    let mut line = 1;
    let mut rest = source.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\n' => line += 1,
            '/' if rest.peek() == Some(&'/') => while rest.next_if(|&c| c != '\n').is_some() {},
            '/' if rest.peek() == Some(&'*') => block_comment(&mut rest, &mut line),
            '"' => string(&mut rest, &mut line),
            '\'' => quote(&mut rest),
            ':' if rest.next_if_eq(&':').is_some() => tokens.push((line, Token::Path)),
            c if c.is_alphabetic() || c == '_' => {
                let mut word = c.to_string();
                while let Some(c) = rest.next_if(|c| c.is_alphanumeric() || *c == '_') {
                    word.push(c);
                }
                let raw = ["r", "br", "cr"].contains(&word.as_str());
                if raw && matches!(rest.peek(), Some('"' | '#')) {
                    raw_string(&mut rest, &mut line);
                } else {
                    tokens.push((line, Token::Word(word)));
                }
            }
            c if !c.is_whitespace() => tokens.push((line, Token::Mark(c))),
            _ => {}
        }
    }
    tokens
}

fn block_comment(rest: &mut Peekable<impl Iterator<Item = char>>, line: &mut usize) {
    let mut depth = 0;
    let mut last = '/';
    for c in rest.by_ref() {
        *line += usize::from(c == '\n');
        match (last, c) {
            ('/', '*') => (depth, last) = (depth + 1, ' '),
            ('*', '/') => (depth, last) = (depth - 1, ' '),
            _ => last = c,
        }
        if depth == 0 {
            return;
        }
    }
}

fn string(rest: &mut Peekable<impl Iterator<Item = char>>, line: &mut usize) {
    while let Some(c) = rest.next() {
        *line += usize::from(c == '\n');
        match c {
            '\\' => *line += usize::from(rest.next() == Some('\n')),
            '"' => return,
            _ => {}
        }
    }
}

/// `r"..."`, `r#"..."#` from behind the `r`; `r#word` is a word.
fn raw_string(rest: &mut Peekable<impl Iterator<Item = char>>, line: &mut usize) {
    let mut hashes = 0;
    while rest.next_if_eq(&'#').is_some() {
        hashes += 1;
    }
    if rest.next_if_eq(&'"').is_none() {
        return;
    }
    let mut closing = None;
    for c in rest.by_ref() {
        *line += usize::from(c == '\n');
        closing = match (c, closing) {
            ('"', _) => Some(0),
            ('#', Some(seen)) => Some(seen + 1),
            _ => None,
        };
        if closing == Some(hashes) {
            return;
        }
    }
}

/// A character or a lifetime, from behind the quote.
fn quote(rest: &mut Peekable<impl Iterator<Item = char>>) {
    match rest.next() {
        Some('\\') => {
            rest.next();
            while rest.next().is_some_and(|c| c != '\'') {}
        }
        // `'a'` ends here; of a lifetime, what follows is a word of its own, which no path begins with.
        Some(_) => drop(rest.next_if_eq(&'\'')),
        None => {}
    }
}

#[test]
fn paths_are_found_where_they_stand() {
    let source = r##"
        //! crate::comment::X
        use crate::{a::{b, C as D, self}, e::*};
        use super::f::G;
        pub(crate) fn f(c: char) -> crate::h::I { if c == '"' || c == '\'' { super::super::j::k() } else { self::l::<u8>() } }
        /* crate::no /* crate::no */ */
        const S: &str = "crate::no \" crate::no";
        const R: &str = r#"crate::no " crate::no"#;
        fn g<'a>(x: &'a crate::m::N) { $crate::o!(x) }
        mod inner { use super::p; mod more { use super::super::q; } }
        #[cfg(test)]
        mod tests { use crate::no; mod inside { use crate::no; } }
        use crate::r;
    "##;
    let found = paths(source, &["room", "file"]);
    let texts: Vec<String> = found.iter().map(|found| format!("{} {}", found.line, found.path.join("::"))).collect();
    let expected = [
        "3 a::b",
        "3 a::C",
        "3 a",
        "3 e::*",
        "4 room::f::G",
        "5 h::I",
        "5 j::k",
        "5 room::file::l",
        "9 m::N",
        "9 o",
        "10 room::file::p",
        "10 room::file::q",
        "13 r",
    ];
    assert_eq!(texts, expected);
    assert!(found.iter().all(|found| found.of_macro == (found.path == ["o"])));
    let others = paths_of("use other::{a::B, c}; fn f() { crate::other::no() + other::d() }", "other");
    let others: Vec<String> = others.iter().map(|found| found.path.join("::")).collect();
    assert_eq!(others, ["other::a::B", "other::c", "other::d"]);
}
