//! What the file of a name says of it: the definition of a user's struct or enum, and imports.
//!
//! With it, a field or a variant that there is not is one mistake, and not one of each of the places where rustc misses it; and
//! variants are known by their names alone. What is not certain is left to rustc: a name that is imported, or defined twice.

use proc_macro2::{Ident, Span};
use std::cell::RefCell;
use std::fs;
use std::path::PathBuf;
use syn::{Data, DeriveInput, Fields, ItemUse, Member, Path};

thread_local! {
    /// The file that was read last: a compiler reads one after the other.
    static LAST: RefCell<Option<(PathBuf, String)>> = const { RefCell::new(None) };
}

/// What is wrong with a field of a literal `P { x: 1.0 }`.
pub(crate) fn missing_field(path: &Path, member: &Member) -> Option<String> {
    let (name, Member::Named(field)) = (path.get_ident()?, member) else { return None };
    let Data::Struct(data) = definition(name)?.data else { return None };
    missing(&format!("struct `{name}`"), &data.fields, field)
}

/// What is wrong with the name of a variant.
pub(crate) fn missing_variant(ty: &Path, variant: &Ident) -> Option<String> {
    let name = ty.get_ident()?;
    let Data::Enum(data) = definition(name)?.data else { return None };
    if data.variants.iter().any(|known| known.ident == *variant) {
        return None;
    }
    let known: Vec<String> = data.variants.iter().map(|known| format!("`{}`", known.ident)).collect();
    Some(format!("enum `{name}` has no variant named `{variant}`: it has {}", known.join(", ")))
}

/// The variants of an enum.
pub(crate) fn variants(name: &Ident) -> Option<Vec<String>> {
    let Data::Enum(data) = definition(name)?.data else { return None };
    Some(data.variants.iter().map(|variant| variant.ident.to_string()).collect())
}

/// The imports of the module where a name stands, and of those around it.
pub(crate) fn uses(name: &Ident) -> Vec<ItemUse> {
    let line = name.span().start().line;
    read(name, |text| uses_around(text, line)).unwrap_or_default()
}

/// Whether the file has a struct of the name, wherever in it, or one whose fields are numbered.
pub(crate) fn has_struct(name: &Ident, numbered: bool) -> bool {
    has(name, &["struct "], |rest| {
        !numbered || rest.find(['(', '{', ';']).is_some_and(|open| rest[open..].starts_with('('))
    })
}

/// Whether the file has a type of the name, wherever in it.
pub(crate) fn has_type(name: &Ident) -> bool {
    has(name, &["struct ", "enum ", "union ", "type "], |_| true)
}

/// Whether one of these words stands in the file before the name, and behind it what a caller looks for.
fn has(name: &Ident, words: &[&str], behind: impl Fn(&str) -> bool) -> bool {
    let text_of = name.to_string();
    let declares = |text: &str, word: &str| {
        text.match_indices(word).any(|(place, word)| {
            let rest = text[place + word.len()..].trim_start().strip_prefix(&text_of);
            rest.is_some_and(|rest| {
                !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_') && behind(rest)
            })
        })
    };
    read(name, |text| words.iter().any(|word| declares(text, word))).unwrap_or_default()
}

fn missing(of: &str, fields: &Fields, field: &Ident) -> Option<String> {
    let Fields::Named(fields) = fields else { return None };
    let known: Vec<&Ident> = fields.named.iter().filter_map(|known| known.ident.as_ref()).collect();
    if known.contains(&field) {
        return None;
    }
    let known: Vec<String> = known.iter().map(|known| format!("`{known}`")).collect();
    Some(format!("{of} has no field named `{field}`: it has {}", known.join(", ")))
}

/// The definition of a name in the file where it stands.
fn definition(name: &Ident) -> Option<DeriveInput> {
    read(name, |text| parsed(text, &name.to_string())).flatten()
}

/// What the file where a name stands says.
pub(crate) fn read<R>(name: &Ident, of: impl FnOnce(&str) -> R) -> Option<R> {
    let path = Span::local_file(&name.span())?;
    LAST.with_borrow_mut(|last| {
        if last.as_ref().is_none_or(|(known, _)| *known != path) {
            *last = Some((path.clone(), fs::read_to_string(&path).ok()?));
        }
        last.as_ref().map(|(_, text)| of(text))
    })
}

/// The imports of the module that a line is in, and of those around it. The text is read as it is mostly written: one item a line,
/// a module's braces on lines of their own.
fn uses_around(text: &str, line: usize) -> Vec<ItemUse> {
    // For each brace that is open, whether it is a module's, and how many imports stood before it.
    let (mut open, mut found): (Vec<(bool, usize)>, Vec<String>) = (Vec::new(), Vec::new());
    let (mut around, mut pending) = (None, String::new());
    for (number, written) in text.lines().enumerate() {
        if number + 1 == line {
            around = Some(open.clone());
        }
        let written = written.split("//").next().unwrap_or_default().trim();
        let item =
            ["pub ", "pub(crate) ", "pub(super) "].iter().find_map(|of| written.strip_prefix(of)).unwrap_or(written);
        let in_modules = open.iter().all(|(is_module, _)| *is_module);
        if !pending.is_empty() || in_modules && item.starts_with("use ") {
            pending += item;
            if item.ends_with(';') {
                found.push(std::mem::take(&mut pending));
            }
            continue;
        }
        for letter in written.chars() {
            match letter {
                '{' => open.push((item.starts_with("mod "), found.len())),
                // What a module imports is seen in it only, unless the line is there.
                '}' => {
                    let closed = open.pop();
                    let is_elsewhere = around.as_ref().is_none_or(|around| open.len() >= around.len());
                    if let Some((true, before)) = closed.filter(|_| is_elsewhere) {
                        found.truncate(before);
                    }
                }
                _ => {}
            }
        }
        if around.as_ref().is_some_and(|around| open.len() < around.len()) {
            break;
        }
    }
    found.iter().filter_map(|text| syn::parse_str(text).ok()).collect()
}

/// The one definition in a text, if the name cannot mean another.
fn parsed(text: &str, name: &str) -> Option<DeriveInput> {
    let mut starts = text.match_indices(name).filter_map(|(place, _)| {
        let behind = &text[place + name.len()..];
        let keyword = ["struct", "enum"].iter().find(|word| text[..place].trim_end().ends_with(**word))?;
        let is_whole = !behind.starts_with(|next: char| next.is_alphanumeric() || next == '_');
        is_whole.then(|| text[..place].trim_end().len() - keyword.len())
    });
    let (Some(start), None) = (starts.next(), starts.next()) else { return None };
    // What a `*` behind an enum brings in are variants, which define no type.
    let takes_all = |line: &str| {
        let module =
            line.split_once("::*").map(|(path, _)| path.rsplit([':', ' ', '{', ',']).next().unwrap_or_default());
        module.is_some_and(|module| !matches!(module, "prelude" | "super") && !module.starts_with(char::is_uppercase))
    };
    let imports = |line: &str| {
        let line = line.split("//").next().unwrap_or_default();
        let is_import = line.trim_start().starts_with("use ") || line.contains(" use ");
        is_import && (takes_all(line) || line.contains(name) && !line.contains(&format!("{name}::")))
    };
    if text.lines().any(imports) {
        return None;
    }
    let open = start + text[start..].find(['{', ';'])?;
    let mut depth = 0_usize;
    let length = text[open..].find(|next| {
        match next {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    })?;
    syn::parse_str(&text[start..=open + length]).ok()
}

#[cfg(test)]
mod tests {
    use super::parsed;
    use quote::ToTokens;

    #[test]
    fn the_imports_of_the_modules_around_a_line_are_found() {
        let text = "use a::b;\nmod c {\n    use d::E::*;\n    fn f() {\n        use g::H;\n    }\n}\nmod i {\n    \
                    pub use j::{\n        K,\n        L,\n    };\n    fn m() {}\n    mod n {\n        use o::P;\n    }\n}\nuse q::R;";
        let found = |line| {
            super::uses_around(text, line).iter().map(|item| item.to_token_stream().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(found(4), ["use a :: b ;", "use d :: E :: * ;"]);
        assert_eq!(found(13), ["use a :: b ;", "use j :: { K , L , } ;"]);
        assert_eq!(found(1), ["use a :: b ;", "use q :: R ;"]);
    }

    #[test]
    fn the_definition_of_a_name_is_found_where_it_is_certain() {
        let found = |text: &str| parsed(text, "P").is_some();
        assert!(found(
            "use simt::prelude::*;\nmod a { #[derive(Clone)] pub struct P { x: f32, y: [u8; 2] } } struct Px;"
        ));
        assert!(found("enum P { A(f32), B { c: u32 } } fn f(p: P) {}"));
        assert!(!found("struct P { x: f32 } mod b { struct P { y: f32 } }"));
        assert!(!found("use a::P;\nmod b { struct P { x: f32 } }"));
        assert!(!found("use a::*;\nmod b { struct P { x: f32 } }"));
        assert!(!found("struct Px { x: f32 }"));
        assert!(found("use P::*;\nenum P { A(f32) }"));
        assert!(found("enum P { A(f32), B }\nfn f() { use P::{A, B}; }"));
        assert!(!found("use a::{P, b};\nenum P { A(f32), B }"));
    }
}
