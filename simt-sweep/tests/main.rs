//! Programs of sweeps, called as people and schedulers call them.

mod anywhere;
mod asked;
mod killed;
mod recipes;
mod rough;

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// A program of this package: `rough`, `many` or `caches`.
fn program(name: &str) -> Command {
    let path = match name {
        "rough" => env!("CARGO_BIN_EXE_rough"),
        "many" => env!("CARGO_BIN_EXE_many"),
        _ => env!("CARGO_BIN_EXE_caches"),
    };
    let mut command = Command::new(path);
    command.stdin(Stdio::null());
    command
}

/// What a program did, as text: exit code, standard output, standard error.
fn called(name: &str, words: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = program(name).args(words).output().expect("it starts");
    (status.code(), text(&stdout), text(&stderr))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn shown(path: &Path) -> &str {
    path.to_str().expect("a temporary folder has a name of letters")
}

/// The processes that a run has started, where the system says so.
fn workers(of: u32) -> Vec<String> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let stats = entries.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
    // `pid (name) state parent ..`: the names here have no brackets.
    let is_of =
        |stat: &String| stat.split(") ").nth(1).and_then(|rest| rest.split(' ').nth(1)) == Some(&of.to_string());
    stats.filter(is_of).filter_map(|stat| stat.split(' ').next().map(str::to_string)).collect()
}
