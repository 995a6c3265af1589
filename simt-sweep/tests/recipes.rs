//! The recipes of the crate's page, as they stand there, where their tools are installed: CI has the toolchain only.

use crate::{called, shown, text};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tempfile::TempDir;

const STUDY: &str = env!("CARGO_BIN_EXE_many");
/// Points of the study.
const POINTS: usize = 2000;

fn recipe(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../recipes").join(name)
}

/// Whether a command is there and ends well; what it prints is its version.
fn is_there(program: &str, words: &[&str]) -> bool {
    let called = Command::new(program).args(words).stdin(Stdio::null()).output();
    let version = called.ok().filter(|output| output.status.success()).map(|output| text(&output.stdout));
    match &version {
        Some(version) => eprintln!("with {}", version.lines().next().unwrap_or_default()),
        None => eprintln!("{program} is not there: its recipe is not tested"),
    }
    version.is_some()
}

/// Runs a recipe, and looks at what it has left.
fn leaves_all(command: &mut Command, folder: &TempDir) {
    let output = command.stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{command:?}: {}{}", text(&output.stdout), text(&output.stderr));
    let (code, table, problems) = called("many", &["merge", "--folder", shown(folder.path())]);
    assert_eq!((code, problems.as_str()), (Some(0), ""));
    assert_eq!(table.lines().count(), POINTS + 1);
}

#[test]
fn gnu_parallel_runs_a_study() {
    // There are other programs of this name.
    let version = Command::new("parallel").arg("--version").output();
    if !version.is_ok_and(|output| text(&output.stdout).starts_with("GNU parallel")) {
        eprintln!("GNU parallel is not there: its recipe is not tested");
        return;
    }
    let folder = TempDir::new().unwrap();
    leaves_all(Command::new("sh").arg(recipe("parallel.sh")).arg(STUDY).arg(folder.path()), &folder);
}

#[test]
fn dask_runs_a_study() {
    if is_there("python3", &["-c", "import distributed; print('Dask', distributed.__version__)"]) {
        let folder = TempDir::new().unwrap();
        leaves_all(Command::new("python3").arg(recipe("dask_study.py")).arg(STUDY).arg(folder.path()), &folder);
    }
}

/// `recipes/one-node-slurm.sh start` makes one.
#[test]
fn slurm_runs_a_study() {
    if is_there("sinfo", &["--noheader", "--states=idle,mixed,allocated"]) {
        let folder = TempDir::new().unwrap();
        let mut command = Command::new("sbatch");
        command.args(["--wait", "--array=1-8", "--output=/dev/null", "--chdir", shown(folder.path())]);
        leaves_all(command.arg(recipe("slurm.sh")).arg(STUDY).arg(folder.path()), &folder);
    }
}

/// The page has the scripts as they are, so that what is tested is what is printed; their options are those of the program.
#[test]
fn recipes_use_options_that_there_are() {
    let (_, help, _) = called("many", &["run", "--help"]);
    for name in ["parallel.sh", "slurm.sh", "dask_study.py", "hyperqueue.sh"] {
        let script = std::fs::read_to_string(recipe(name)).unwrap();
        for option in ["--folder", "--quiet", "--threads"] {
            assert!(script.contains(option) && help.contains(option), "{name}: {option}");
        }
        assert!(script.contains("--shard") || script.contains("\"--ids\""), "{name}");
    }
}
