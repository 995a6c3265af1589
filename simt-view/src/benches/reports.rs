//! Reports of benches, in criterion's folders.

use super::{BenchError, page, read};
use crate::write_whole;
use serde::{Deserialize, Serialize};
use simt_runtime::Report;
use simt_runtime::figures::FIGURES;
use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The file of a report, beside criterion's.
pub(super) const FILE: &str = "simt.json";

/// The version of its form.
pub(super) const VERSION: u32 = 1;

/// A report as it is kept.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Kept {
    pub(super) simt_bench: u32,
    pub(super) kernel: String,
    pub(super) policy: String,
    pub(super) warp_width: usize,
    /// By the names of [`FIGURES`].
    pub(super) figures: BTreeMap<String, f64>,
}

/// Where the benches of a process leave the reports of their kernels: beside what criterion keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BenchReports {
    folder: PathBuf,
    /// The baselines by which criterion keeps what it measures; none, if it does not measure.
    baselines: Vec<String>,
}

impl BenchReports {
    /// As criterion understands the arguments and the environment of this process. Where it only tries or lists benches, as in
    /// `cargo test`, no reports are left.
    pub fn from_args() -> Self {
        let args: Vec<String> = env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
        let folder = folder(|name| env::var_os(name), &env::current_exe().unwrap_or_default());
        Self { folder, baselines: baselines(&args) }
    }

    /// The same, where criterion was given another folder: `Criterion::output_directory`.
    #[must_use]
    pub fn in_folder(self, folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), ..self }
    }

    /// The same, where criterion was given a baseline in code: `Criterion::save_baseline`.
    #[must_use]
    pub fn for_baseline(self, baseline: impl Into<String>) -> Self {
        Self { baselines: vec![NEW.to_string(), baseline.into()], ..self }
    }

    /// Leaves the report of a bench, which has up to three names: of its group, its function and its value.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn leave(&self, id: &[&str], report: &Report) -> Result<(), BenchError> {
        let figures = FIGURES.iter().filter_map(|figure| Some((figure.name.to_string(), figure.of(report)?)));
        let kept = Kept {
            simt_bench: VERSION,
            kernel: report.kernel().to_string(),
            policy: report.policy().to_string(),
            warp_width: report.warp_width(),
            figures: figures.filter(|(_, value)| value.is_finite()).collect(),
        };
        let text =
            serde_json::to_string_pretty(&kept).unwrap_or_else(|error| unreachable!("only texts are keys: {error}"));
        let bench = id.iter().fold(self.folder.clone(), |folder, name| folder.join(folder_name(name)));
        for baseline in &self.baselines {
            let folder = bench.join(baseline);
            let file = folder.join(FILE);
            fs::create_dir_all(&folder)
                .and_then(|()| write_whole(&file, &text))
                .map_err(|error| BenchError::new(&file, format_args!("cannot be written: {error}")))?;
        }
        Ok(())
    }

    /// Writes the page of all benches in the folder, `simt.html`, and returns its path; none where no reports are left.
    ///
    /// # Errors
    /// What is wrong with what is there, or that it cannot be written.
    pub fn write_page(&self) -> Result<Option<PathBuf>, BenchError> {
        if self.baselines.is_empty() {
            return Ok(None);
        }
        let file = self.folder.join("simt.html");
        let html = page("Benches", &read(&self.folder)?);
        write_whole(&file, &html)
            .map_err(|error| BenchError::new(&file, format_args!("cannot be written: {error}")))?;
        Ok(Some(file))
    }
}

/// The baseline that criterion calls what it has measured last.
pub(super) const NEW: &str = "new";

/// Criterion's folder: `CRITERION_HOME`, or that in the target folder.
fn folder(variable: impl Fn(&str) -> Option<OsString>, executable: &Path) -> PathBuf {
    if let Some(home) = variable("CRITERION_HOME") {
        return PathBuf::from(home);
    }
    let target = variable("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.or_else(|| crate::left::target_folder(executable));
    target.unwrap_or_else(|| PathBuf::from("target")).join("criterion")
}

/// The baselines that are written, by criterion's arguments.
fn baselines(args: &[String]) -> Vec<String> {
    let value = |long: &str, short: &str| {
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            if arg == long || (!short.is_empty() && arg == short) {
                return args.next().cloned();
            }
            let joined = arg.strip_prefix(long).and_then(|rest| rest.strip_prefix('='));
            let close =
                arg.strip_prefix(short).filter(|rest| !short.is_empty() && !arg.starts_with("--") && !rest.is_empty());
            if let Some(value) = joined.or(close.map(|rest| rest.strip_prefix('=').unwrap_or(rest))) {
                return Some(value.to_string());
            }
        }
        None
    };
    let has = |name: &str| args.iter().any(|arg| arg == name) || value(name, "").is_some();
    let measures = has("--bench")
        && !["--test", "--list", "--profile-time", "--load-baseline", "--discard-baseline"].map(has).contains(&true);
    if !measures {
        return Vec::new();
    }
    let compares = value("--baseline", "-b").is_some() || value("--baseline-lenient", "").is_some();
    let saved = value("--save-baseline", "-s").unwrap_or_else(|| "base".to_string());
    std::iter::once(NEW.to_string()).chain((!compares).then_some(saved)).collect()
}

/// The name of the folder that criterion has for a name.
fn folder_name(name: &str) -> String {
    let safe: String = name.chars().map(|c| if "?\"/\\*<>:|^".contains(c) { '_' } else { c }).collect();
    let cut = &safe[..safe.floor_char_boundary(64)];
    if cfg!(windows) { cut.trim_end().to_lowercase() } else { cut.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_mean_what_they_mean_to_criterion() {
        let of = |args: &str| baselines(&args.split_whitespace().map(str::to_string).collect::<Vec<_>>()).join(" ");
        assert_eq!(of("--bench"), "new base");
        for args in
            ["--bench --save-baseline 1a2b", "--save-baseline=1a2b --bench", "-s 1a2b --bench", "-s1a2b x --bench"]
        {
            assert_eq!(of(args), "new 1a2b", "{args}");
        }
        for args in ["--bench --baseline 1a2b", "--bench -b=1a2b", "--baseline-lenient 1a2b --bench"] {
            assert_eq!(of(args), "new", "{args}");
        }
        for args in ["", "--test --bench", "--bench --list", "--bench --discard-baseline", "--bench --profile-time=5"] {
            assert_eq!(of(args), "", "{args}");
        }
    }

    #[test]
    fn folders_are_criterions() {
        assert_eq!(folder_name("a/b: <c>|\"^\\*?"), "a_b_ _c_______");
        assert_eq!(folder_name(&"ä".repeat(40)), "ä".repeat(32));
        let of = |set: &str| folder(|name| (name == set).then(|| OsString::from("x")), Path::new("/nowhere/a"));
        assert_eq!(
            ["CRITERION_HOME", "CARGO_TARGET_DIR", ""].map(of),
            ["x", "x/criterion", "target/criterion"].map(PathBuf::from)
        );
    }
}
