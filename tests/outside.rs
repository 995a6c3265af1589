//! A crate outside of the workspace that depends on `simt` by path: what a user has.
//!
//! It is written under `target/outside`, gets the workspace's lock file, so that what was downloaded for this build is
//! enough for it, and runs the README's test.

use std::fs;
use std::path::Path;
use std::process::Command;

const MANIFEST: &str = r#"[package]
name = "user"
version = "0.1.0"
edition = "2024"

[dependencies]
simt = { path = 'ROOT' }

[workspace]

[profile.dev]
debug = false
"#;

/// A user's own lints are strict, and the kernel stands in a module.
const LIBRARY: &str = r"//! A user's crate.
#![deny(warnings, missing_docs, unused, clippy::all)]

#[cfg(test)]
mod first;
";

#[test]
fn a_users_crate_runs_the_readmes_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder").join("outside");
    let user = target.join("user");
    fs::create_dir_all(user.join("src")).expect("the crate's folder");
    let write = |name: &str, text: &str| {
        // Kept as it is if it is right, so that nothing is built again.
        let path = user.join(name);
        if fs::read_to_string(&path).ok().as_deref() != Some(text) {
            fs::write(path, text).expect("a file of the crate");
        }
    };
    let read = |name: &str| fs::read_to_string(root.join(name)).expect("a file of the project");
    write("Cargo.toml", &MANIFEST.replace("ROOT", &root.display().to_string()));
    write("src/lib.rs", LIBRARY);
    write("src/first.rs", &read("tests/kernels/readme.rs"));
    fs::write(user.join("Cargo.lock"), read("Cargo.lock")).expect("the lock file");

    let cargo = Command::new(env!("CARGO"))
        .args(["test", "--offline", "--quiet", "--", "--nocapture"])
        .current_dir(&user)
        .env("CARGO_TARGET_DIR", target.join("target"))
        .env_remove("RUSTFLAGS")
        .output()
        .expect("cargo runs");
    let (out, err) = (String::from_utf8_lossy(&cargo.stdout), String::from_utf8_lossy(&cargo.stderr));
    assert!(cargo.status.success(), "{out}\n{err}");
    assert!(out.contains("1 passed"), "{out}\n{err}");
    // The report was printed, and it names the user's file.
    assert!(out.contains("kernel collatz under Ipdom") && out.contains("src/first.rs"), "{out}");
}
