//! Types of the standard library that kernels have not, and what to write instead.

use crate::defined;
use proc_macro2::Ident;
use syn::{ItemUse, Path, PathSegment, UseTree};

/// Types of the standard library that have memory of their own, or share it with the host.
const TYPES: &[(&str, &str)] = &[
    ("Vec", GROWS),
    ("VecDeque", GROWS),
    ("LinkedList", GROWS),
    ("BinaryHeap", GROWS),
    ("String", "a kernel has no strings: write numbers, or bytes in a `&[u8]`"),
    ("HashMap", TABLE),
    ("HashSet", TABLE),
    ("BTreeMap", TABLE),
    ("BTreeSet", TABLE),
    ("Rc", SHARED),
    ("Arc", SHARED),
    ("RefCell", OWN),
    ("Cell", OWN),
    ("Box", HEAP),
    ("Cow", "a kernel copies its values: write the type of the value, or `&[T]`"),
    ("Mutex", LOCK),
    ("RwLock", LOCK),
];

const GROWS: &str = "pass `&[T]`, or `&mut [T]` to write to it, as `&v` and `&mut v` of the host, or write an array, \
                     `let mut a = [0; 16];`";
const TABLE: &str =
    "a kernel has no tables that grow: write an array, or a slice of keys in which a hash says where to look";
const SHARED: &str =
    "all threads share what is passed as a slice: write `&[T]`, or `&[AtomicU32]` for what they change";
const OWN: &str = "a kernel's variables are its own: write `let mut`";
const HEAP: &str =
    "a kernel has no heap: write the value itself, and where one leads to another the index of an element of a slice";
const LOCK: &str = "threads share atomics: write `&[AtomicU32]` or `&AtomicU32`, and `x.fetch_add(value, Relaxed)`";

/// Words that more often name a type of the user's: they are those of the standard library only where the file says so.
const MOSTLY_OWN: [&str; 1] = ["Cell"];

/// Whether a name is one of these types', as far as it tells.
pub(super) fn is_named(name: &Ident) -> bool {
    TYPES.iter().any(|row| name == row.0)
}

/// The help for a path to a type of that name, if the type is the standard library's.
pub(super) fn help(path: &Path, name: &Ident) -> Option<String> {
    let row = TYPES.iter().find(|row| name == row.0)?;
    (!is_own(path, name)).then(|| of_std(row))
}

fn of_std((name, advice): &(&str, &str)) -> String {
    format!("std's `{name}` is not a type of the kernel language: {advice}; a type of your own is `self::{name}`")
}

/// Whether a type is one of the user's: by its path, or because its file declares it, wherever in it, or imports it from
/// elsewhere.
fn is_own(path: &Path, name: &Ident) -> bool {
    let of_crate = |first: &PathSegment| ["self", "crate", "super"].iter().any(|word| first.ident == word);
    if path.segments.first().is_some_and(of_crate) || defined::has_type(name) {
        return true;
    }
    // `HashMap::new`, and not `collections::HashMap::new`.
    if path.segments.first().is_none_or(|first| first.ident != *name) {
        return false;
    }
    let imports = defined::uses(name);
    let mut imports = imports.iter().filter(|import| brings_in(&import.tree, name)).peekable();
    let is_unknown = imports.peek().is_none();
    if is_unknown { MOSTLY_OWN.iter().any(|word| name == word) } else { !imports.any(is_of_std) }
}

fn is_of_std(import: &ItemUse) -> bool {
    match &import.tree {
        UseTree::Path(path) => ["std", "core", "alloc"].iter().any(|word| path.ident == word),
        _ => false,
    }
}

/// Whether a tree has a name that it ends in; of `a::*` nothing is known.
fn brings_in(tree: &UseTree, name: &Ident) -> bool {
    match tree {
        UseTree::Path(path) => brings_in(&path.tree, name),
        UseTree::Group(group) => group.items.iter().any(|item| brings_in(item, name)),
        UseTree::Name(last) => last.ident == *name,
        UseTree::Rename(last) => last.rename == *name,
        UseTree::Glob(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{kernel, messages};
    use quote::format_ident;
    use syn::parse_quote;

    #[test]
    fn each_type_of_std_is_told_what_to_write() {
        for row in TYPES {
            let (name, expected) = (row.0, of_std(row));
            let path = if MOSTLY_OWN.contains(&name) { format!("std::{name}") } else { name.to_owned() };
            for text in [format!("fn k(x: &mut [{path}]) {{}}"), format!("fn k(n: u32) {{ let a = {path}::new(n); }}")]
            {
                assert_eq!(messages(kernel(&text)), [&*expected], "{text}");
                let own = text.replace(&path, &format!("self::{name}"));
                assert!(messages(kernel(&own)).is_empty(), "{own}");
            }
        }
    }

    #[test]
    fn a_word_that_is_mostly_the_users_is_taken_for_theirs() {
        for name in MOSTLY_OWN {
            let text = format!("fn k(x: &mut [{name}]) {{ let a = {name}::new(3); }}");
            assert!(messages(kernel(&text)).is_empty(), "{text}");
        }
    }

    #[test]
    fn what_an_option_or_a_tuple_has_in_it_is_told_what_to_write() {
        let mut found = messages(kernel("fn k(x: Option<Box<u32>>, y: (u32, Result<u32, String>)) {}"));
        found.extend(messages(kernel("fn k(n: u32) { let a: Option<Vec<u32>> = None; }")));
        assert_eq!(found.len(), 3, "{found:?}");
        for (message, name) in found.iter().zip(["Box", "String", "Vec"]) {
            assert!(message.starts_with(&format!("std's `{name}` is not")), "{message}");
        }
    }

    #[test]
    fn an_import_brings_in_the_names_that_it_ends_in() {
        let import: ItemUse = parse_quote!(
            use std::{
                cell::{self, Cell},
                rc::Rc as Shared,
                sync::*,
            };
        );
        assert!(is_of_std(&import));
        let found =
            ["Cell", "Shared", "Rc", "sync", "Arc"].map(|name| brings_in(&import.tree, &format_ident!("{name}")));
        assert_eq!(found, [true, true, false, false, false]);
        assert!(!is_of_std(&parse_quote!(
            use crate::grid::Cell;
        )));
    }
}
