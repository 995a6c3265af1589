//! Which crate is built from what, and which names of others it may write.

use super::paths::paths_of;
use super::{Text, assert_none, names, root, rust_files};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// The tables of a `Cargo.toml` with the names that stand left of `=` in each. Enough of TOML for the files here.
fn tables(manifest: &str) -> BTreeMap<String, BTreeSet<String>> {
    let text = fs::read_to_string(root().join(manifest)).expect("the manifest is there");
    let mut tables: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut table = String::new();
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[') {
            table = name.trim_matches(['[', ']']).to_string();
            // `[dependencies.name]` is a dependency, too.
            if let Some((parent, child)) = table.split_once("dependencies.") {
                tables.entry(format!("{parent}dependencies")).or_default().insert(child.to_string());
            }
        } else if let Some((key, _)) = line.split_once('=') {
            let name = key.trim().split('.').next().unwrap_or_default().trim_matches('"');
            tables.entry(table.clone()).or_default().insert(name.to_string());
        }
    }
    tables
}

/// The libraries that each crate is built from. A new one is a decision: it goes in here with the commit that needs it.
#[test]
fn each_crate_depends_on_what_it_may() {
    let allowed: [(&str, &[&str]); 11] = [
        (
            "Cargo.toml",
            &["simt-core", "simt-macros", "simt-ptx", "simt-runtime", "simt-semantics", "simt-testing", "simt-view"],
        ),
        ("simt-testing/Cargo.toml", &["simt-core", "simt-runtime"]),
        ("simt-semantics/Cargo.toml", &["petgraph", "simt-core", "thiserror"]),
        ("simt-macros/Cargo.toml", &["proc-macro2", "quote", "syn"]),
        ("simt-core/Cargo.toml", &["half", "libm", "petgraph", "smallvec", "thiserror"]),
        ("simt-cli/Cargo.toml", &["clap", "serde_json", "simt", "simt-ptx", "simt-sweep", "simt-view"]),
        (
            "simt-view/Cargo.toml",
            &[
                "crc32fast",
                "csv",
                "layout-rs",
                "maud",
                "plotters",
                "resvg",
                "serde",
                "serde_json",
                "simt-core",
                "simt-runtime",
            ],
        ),
        ("studies/Cargo.toml", &["clap", "indicatif", "plotters", "rapidfuzz", "serde", "serde_json", "simt"]),
        ("simt-ptx/Cargo.toml", &["annotate-snippets", "logos", "simt-core"]),
        (
            "simt-sweep/Cargo.toml",
            &[
                "clap",
                "csv",
                "indicatif",
                "plotters",
                "rayon",
                "serde",
                "serde_json",
                "sha2",
                "simt",
                "strsim",
                "thiserror",
            ],
        ),
        (
            "simt-runtime/Cargo.toml",
            &[
                "annotate-snippets",
                "bytemuck",
                "foldhash",
                "multiversion",
                "rayon-core",
                "serde",
                "simt-core",
                "smallvec",
                "thiserror",
                "toml",
            ],
        ),
    ];
    for (manifest, allowed) in allowed {
        let tables = tables(manifest);
        assert_eq!(tables.get("dependencies"), Some(&names(allowed)), "[dependencies] of {manifest}");
        let tables: Vec<&String> = tables.keys().filter(|table| table.ends_with("dependencies")).collect();
        let known = ["dependencies", "dev-dependencies", "workspace.dependencies"];
        assert!(tables.iter().all(|table| known.contains(&table.as_str())), "{manifest} has {tables:?}");
    }
    // What serves data, not launches, and types of other crates, are not in the default build.
    for (manifest, optional) in [
        ("Cargo.toml", "simt-ptx"),
        ("Cargo.toml", "simt-semantics"),
        ("Cargo.toml", "simt-testing"),
        ("Cargo.toml", "simt-view"),
        ("simt-runtime/Cargo.toml", "rayon-core"),
        ("simt-runtime/Cargo.toml", "serde"),
        ("simt-runtime/Cargo.toml", "toml"),
        ("simt-core/Cargo.toml", "half"),
        ("simt-view/Cargo.toml", "resvg"),
    ] {
        let manifest = fs::read_to_string(root().join(manifest)).expect("the manifest is there");
        let mut lines = manifest.lines().filter(|line| line.starts_with(&format!("{optional} =")));
        assert!(lines.any(|line| line.contains("optional = true")), "{optional} is not optional");
    }
    for manifest in ["simt-core/Cargo.toml", "simt-runtime/Cargo.toml"] {
        assert!(tables(manifest).get("features").is_some_and(|features| !features.contains("default")), "{manifest}");
    }
    let face = fs::read_to_string(root().join("Cargo.toml")).expect("the manifest is there");
    assert!(face.lines().any(|line| line == r#"default = ["parallel"]"#), "what is on by default is another decision");
}

/// One direction, no way back: the macros know only syntax, the core no machine, the machine no syntax.
#[test]
fn no_crate_names_one_that_it_must_not_know() {
    let forbidden: [(&str, &[&str]); 8] = [
        ("simt-view/src/", &["simt_macros", "simt_semantics", "simt_testing", "simt::"]),
        ("simt-macros/src/", &["simt_core", "simt_runtime", "simt_semantics", "simt_testing"]),
        ("simt-testing/", &["simt_macros", "simt_semantics", "simt::"]),
        ("simt-core/", &["simt_runtime", "simt_macros", "simt_semantics", "simt::"]),
        ("simt-ptx/", &["simt_runtime", "simt_macros", "simt_semantics", "simt::"]),
        ("simt-semantics/", &["simt_runtime", "simt_macros", "simt::"]),
        ("simt-runtime/", &["simt_macros", "simt::", "syn::", "proc_macro"]),
        // Its tests may: they compare the engine with it.
        ("simt-runtime/src/", &["simt_semantics", "simt_testing"]),
    ];
    let mut broken = Vec::new();
    for Text { path, text } in rust_files() {
        for (_, names) in forbidden.iter().filter(|(folder, _)| path.starts_with(folder)) {
            for (number, line) in text.lines().enumerate() {
                let code = line.split("//").next().unwrap_or_default();
                // The docs of the face's feature, and the ids of errors, name the face.
                let code = code.replace("\"simt::{id}\"", "");
                broken.extend(
                    names
                        .iter()
                        .filter(|name| code.contains(*name))
                        .map(|name| format!("{path}:{}: {name}", number + 1)),
                );
            }
        }
    }
    assert_none("a crate names one that it must not know", &broken);
}

/// The literal semantics knows nothing of what it is there to check: of the core it sees programs, operations and values.
#[test]
fn the_semantics_knows_nothing_of_what_it_checks() {
    let seen = names(&["ops", "program", "Constant", "LaneMask", "ScalarType", "Span"]);
    let mut broken = Vec::new();
    for Text { path, text } in rust_files() {
        let Some(file) = path.strip_prefix("simt-semantics/src/") else { continue };
        for found in paths_of(&text, "simt_core") {
            let named = &found.path[1];
            broken.extend((!seen.contains(named)).then(|| format!("{file}:{}: simt_core::{named}", found.line)));
        }
        // The way to code that needs no import.
        let lowers = text.lines().filter(|line| !line.trim_start().starts_with("//") && line.contains(".code("));
        broken.extend(lowers.map(|line| format!("{file}: {}", line.trim())));
    }
    assert_none("the literal semantics uses what it checks", &broken);
}

/// What the order of the rooms does not say: lanes know no policy, and three rooms know no other.
#[test]
fn lanes_know_no_policy() {
    let forbidden: [(&str, &[&str]); 4] = [
        ("simt-runtime/src/lanes/", &["crate::policy"]),
        ("simt-runtime/src/environment/", &["crate::grid"]),
        ("simt-runtime/src/hierarchy/", &["crate::grid", "crate::environment"]),
        ("simt-runtime/src/policy/", &["crate::environment", "crate::hierarchy", "crate::scheduler"]),
    ];
    let mut broken = Vec::new();
    for Text { path, text } in rust_files() {
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let code: String = code.collect::<Vec<_>>().join("\n");
        for (_, names) in forbidden.iter().filter(|(folder, _)| path.starts_with(folder)) {
            broken.extend(names.iter().filter(|name| code.contains(*name)).map(|name| format!("{path}: {name}")));
        }
    }
    assert_none("a part of the machine knows one that it must not", &broken);
}
