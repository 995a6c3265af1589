//! The definition of a user's struct or enum, where its file has one: a field or a variant that there is not is then one
//! mistake, and not one of each of the places where rustc misses it.
//!
//! What is not certain is left to rustc: a name that is imported, or defined twice.

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

/// The imports of the file where a name stands, wherever in it.
pub(crate) fn uses(name: &Ident) -> Vec<ItemUse> {
    let items = |text: &str| {
        let starts = text.match_indices("use ").filter(|(place, _)| {
            let before = text[..*place].trim_end_matches([' ', '\t']);
            before.is_empty() || before.ends_with(['\n', ';', '{', '}', ')']) || before.ends_with("pub")
        });
        let texts = starts.filter_map(|(place, _)| text[place..].find(';').map(|length| &text[place..=place + length]));
        texts.filter_map(|text| syn::parse_str(text).ok()).collect()
    };
    read(name, items).unwrap_or_default()
}

/// Whether the file where a name stands declares a type of that name.
pub(crate) fn declares(name: &Ident) -> bool {
    definition(name).is_some()
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
fn read<R>(name: &Ident, of: impl FnOnce(&str) -> R) -> Option<R> {
    let path = Span::local_file(&name.span())?;
    LAST.with_borrow_mut(|last| {
        if last.as_ref().is_none_or(|(known, _)| *known != path) {
            *last = Some((path.clone(), fs::read_to_string(&path).ok()?));
        }
        last.as_ref().map(|(_, text)| of(text))
    })
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
    // Of an enum, they are variants.
    let takes_all = |line: &str| {
        let module =
            line.split_once("::*").map(|(path, _)| path.rsplit([':', ' ', '{', ',']).next().unwrap_or_default());
        module.is_some_and(|module| !matches!(module, "prelude" | "super") && !module.starts_with(char::is_uppercase))
    };
    let imports = |line: &str| {
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
