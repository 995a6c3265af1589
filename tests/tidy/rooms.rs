//! The rooms of the crates: modules at the root, in an order in which each may import only those above it.

use super::paths::{Found, paths};
use super::{Text, assert_none, root, rust_files};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// The rooms of a crate, each with what is above it; a new one is a decision about where it stands.
struct House {
    /// The folder of the crate's source.
    source: &'static str,
    /// Its modules at the root. Each may import those before it.
    rooms: &'static [&'static str],
}

const CORE: House = House {
    source: "simt-core/src/",
    rooms: &["source", "mask", "scalar", "ops", "program", "build", "graph", "code", "analysis", "lower", "text"],
};

const SEMANTICS: House = House {
    source: "simt-semantics/src/",
    rooms: &[
        "place",
        "choice",
        "device",
        "fault",
        "setting",
        "memory",
        "effect",
        "collective",
        "coverage",
        "warp",
        "enable",
        "rules",
        "thread",
        "interleaved",
        "stackless",
        "run",
        "projection",
        "lemmas",
        "theorem",
        "explore",
        "instances",
    ],
};

const RUNTIME: House = House {
    source: "simt-runtime/src/",
    rooms: &[
        "grid",
        "environment",
        "hierarchy",
        "scheduler",
        "policy",
        "config",
        "memory",
        "plan",
        "lanes",
        "observe",
        "engine",
        "clock",
        "report",
        "error",
        "gpu",
        "device",
    ],
};

const PTX: House = House {
    source: "simt-ptx/src/",
    rooms: &["span", "syntax", "lex", "problem", "table", "parse", "print", "scope", "check", "lower"],
};

const HOUSES: &[House] = &[CORE, SEMANTICS, RUNTIME, PTX];

/// The modules from the root down to a file's own: `a/b.rs` and `a/b/mod.rs` are `a::b`.
fn module(path: &str) -> Vec<&str> {
    let path = path.strip_suffix(".rs").unwrap_or(path);
    path.strip_suffix("/mod").unwrap_or(path).split('/').collect()
}

/// Whether a file is one of tests: `tests.rs`, `half_tests.rs`, and what is below `tests/`.
fn is_of_tests(module: &[&str]) -> bool {
    module.iter().any(|name| *name == "tests" || name.ends_with("_tests"))
}

/// The macros that a crate exports, which stand at its root, each with the room that defines it.
fn exported_macros(house: &House, files: &[Text]) -> BTreeMap<String, String> {
    let mut macros = BTreeMap::new();
    for Text { path, text } in files {
        let Some(file) = path.strip_prefix(house.source) else { continue };
        for exported in text.split("#[macro_export]").skip(1) {
            let name =
                exported.trim_start().strip_prefix("macro_rules! ").and_then(|rest| rest.split([' ', '{']).next());
            macros.extend(name.map(|name| (name.to_string(), module(file)[0].to_string())));
        }
    }
    macros
}

/// What is wrong with a path that a room's file has.
fn mistake(rooms: &[&str], macros: &BTreeMap<String, String>, room: &str, found: &Found) -> Option<String> {
    let name = found.path.first()?;
    let name = macros.get(name).unwrap_or(name);
    let at = |name: &str| rooms.iter().position(|known| *known == name);
    match (at(room), at(name)) {
        // A file of a room that the table lacks, which is said once.
        (None, _) => None,
        (Some(from), Some(to)) => (to > from).then(|| format!("{room} -> {name}, which is below it")),
        // An exported macro is read by other crates, which see the root.
        (Some(_), None) if found.of_macro => None,
        (Some(_), None) => Some(format!("{room} -> crate::{name}, which is no room: name the room that has it")),
    }
}

/// Where the imports of a house go the wrong way.
fn mistakes(house: &House, files: &[Text]) -> Vec<String> {
    let macros = exported_macros(house, files);
    let mut broken = Vec::new();
    for Text { path, text } in files {
        let mut known = BTreeSet::new();
        let Some(file) = path.strip_prefix(house.source) else { continue };
        let module = module(file);
        // The root is the crate's face: it names them all.
        if module == ["lib"] || is_of_tests(&module) {
            continue;
        }
        for found in paths(text, &module) {
            let mistake = mistake(house.rooms, &macros, module[0], &found);
            // Names of one `use` come from one room.
            let mistake = mistake.map(|mistake| format!("{path}:{}: {mistake}", found.line));
            broken.extend(mistake.filter(|mistake| known.insert(mistake.clone())));
        }
    }
    broken
}

#[test]
fn rooms_import_only_rooms_above_them() {
    let files = rust_files();
    let broken: Vec<String> = HOUSES.iter().flat_map(|house| mistakes(house, &files)).collect();
    assert_none("a room imports one that is not above it", &broken);
}

#[test]
fn the_tables_have_every_room() {
    for house in HOUSES {
        let entries = fs::read_dir(root().join(house.source)).expect("a crate has source");
        let found: BTreeSet<String> = entries
            .map(|entry| entry.expect("an entry can be read").path())
            .filter_map(|path| path.file_stem().map(|name| name.to_string_lossy().into_owned()))
            .filter(|name| name != "lib")
            .collect();
        let known: BTreeSet<String> = house.rooms.iter().map(|name| (*name).to_string()).collect();
        assert_eq!(found, known, "the rooms of {} are not those of its table", house.source);
    }
}

/// The test of imports finds what it is there for.
#[test]
fn an_import_that_goes_the_wrong_way_is_found() {
    let house = House { source: "house/src/", rooms: &["attic", "parlour", "cellar"] };
    let file = |path: &str, text: &str| Text { path: format!("house/src/{path}"), text: text.to_string() };
    let files = [
        file("lib.rs", "pub use crate::cellar::Coal;"),
        file("attic/mod.rs", "use super::parlour::Chair;\nfn f() { crate::attic::g() }"),
        file("attic/box.rs", "use super::g;\nuse crate::{attic::h,\n    cellar::{Coal, Wine}};"),
        file(
            "parlour.rs",
            "use crate::Coal;\nuse crate::attic::Box;\n#[cfg(test)]\nmod tests { use crate::cellar::Coal; }",
        ),
        file("parlour/tests.rs", "use crate::cellar::Coal;"),
        file("cellar.rs", "use crate::parlour::Chair;"),
    ];
    let expected = [
        "house/src/attic/mod.rs:1: attic -> parlour, which is below it",
        "house/src/attic/box.rs:2: attic -> cellar, which is below it",
        "house/src/parlour.rs:1: parlour -> crate::Coal, which is no room: name the room that has it",
    ];
    assert_eq!(mistakes(&house, &files), expected);
}
