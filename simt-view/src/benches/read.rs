//! What criterion and benches have kept: a folder for each bench, in it one for each baseline.

use super::BenchError;
use super::reports::{FILE, Kept, NEW, VERSION};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

/// A bench over its baselines.
#[derive(Clone, Debug, PartialEq)]
pub struct Bench {
    /// Its group.
    pub group: String,
    /// Its name in the group; empty if it is the only one.
    pub name: String,
    /// What was measured, by baseline: those first that were measured first.
    pub baselines: Vec<Measured>,
}

/// What was measured of a bench for a baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Name of the baseline.
    pub baseline: String,
    /// When.
    pub at: SystemTime,
    /// The estimate, and the ends of its confidence interval: nanoseconds, unless the bench measures something else.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The figures of the report that the bench has left, by the names of [`FIGURES`](simt_runtime::figures::FIGURES).
    pub figures: Option<BTreeMap<String, f64>>,
}

/// Of criterion's `benchmark.json`.
#[derive(Deserialize)]
struct Id {
    group_id: String,
    function_id: Option<String>,
    value_str: Option<String>,
}

/// Of its `estimates.json`.
#[derive(Deserialize)]
struct Estimates {
    mean: Estimate,
    slope: Option<Estimate>,
}

#[derive(Deserialize)]
struct Estimate {
    confidence_interval: Interval,
    point_estimate: f64,
}

#[derive(Deserialize)]
struct Interval {
    lower_bound: f64,
    upper_bound: f64,
}

/// All benches in criterion's folder, in the order of their names.
///
/// What criterion calls `new` is left out where it is what is kept under the name of a baseline.
///
/// # Errors
/// If there are none, or a file is missing, or is not what criterion or a bench writes.
pub fn read(folder: &Path) -> Result<Vec<Bench>, BenchError> {
    let mut benches = BTreeMap::new();
    search(folder, 0, &mut benches)?;
    if benches.is_empty() {
        return Err(BenchError::new(folder, "criterion has kept nothing here: run `cargo bench` first"));
    }
    let all = benches.into_iter().map(|((group, name), mut baselines)| {
        let same =
            |new: &Measured, other: &Measured| (new.value, new.low, new.high) == (other.value, other.low, other.high);
        let kept = baselines.iter().any(|one: &Measured| {
            one.baseline != NEW && baselines.iter().any(|new| new.baseline == NEW && same(new, one))
        });
        baselines.retain(|measured| !kept || measured.baseline != NEW);
        Bench { group, name, baselines }
    });
    let mut all: Vec<Bench> = all.collect();
    let names = order(&all);
    for bench in &mut all {
        bench.baselines.sort_by_key(|measured| names.iter().position(|name| *name == measured.baseline));
    }
    Ok(all)
}

/// The names of baselines: those first that were measured first.
pub(super) fn order(benches: &[Bench]) -> Vec<String> {
    let mut last = BTreeMap::<&str, SystemTime>::new();
    for measured in benches.iter().flat_map(|bench| &bench.baselines) {
        let at = last.entry(&measured.baseline).or_insert(measured.at);
        *at = measured.at.max(*at);
    }
    let mut names: Vec<_> = last.into_iter().collect();
    names.sort_by_key(|&(name, at)| (at, name));
    names.into_iter().map(|(name, _)| name.to_string()).collect()
}

/// The same benches with these baselines only, in this order.
///
/// # Errors
/// If no bench has one of them.
pub fn with_baselines(folder: &Path, benches: Vec<Bench>, baselines: &[String]) -> Result<Vec<Bench>, BenchError> {
    let known = order(&benches);
    if let Some(unknown) = baselines.iter().find(|name| !known.contains(name)) {
        let reason = format!("no bench has the baseline `{unknown}`; there are {}", known.join(", "));
        return Err(BenchError::new(folder, reason));
    }
    let of = |bench: Bench| {
        let find = |name: &String| bench.baselines.iter().find(|measured| measured.baseline == *name).cloned();
        Bench { baselines: baselines.iter().filter_map(find).collect(), ..bench }
    };
    Ok(benches.into_iter().map(of).filter(|bench| !bench.baselines.is_empty()).collect())
}

/// By group and name.
type Found = BTreeMap<(String, String), Vec<Measured>>;

/// Group, function, value, baseline.
const DEPTH: usize = 4;

fn search(folder: &Path, depth: usize, found: &mut Found) -> Result<(), BenchError> {
    let unreadable = |error: std::io::Error| BenchError::new(folder, format_args!("cannot be read: {error}"));
    let mut folders = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        // A link may lead back.
        if entry.file_type().map_err(unreadable)?.is_dir() {
            folders.push(entry.path());
        }
    }
    folders.sort();
    for folder in folders {
        let has = |name: &str| folder.join(name).is_file();
        match (has("benchmark.json"), has("estimates.json"), has(FILE)) {
            (true, true, left) => {
                let (id, measured) = measured(&folder, left)?;
                found.entry(id).or_default().push(measured);
            }
            (true, false, _) => return Err(missing(&folder, "estimates.json")),
            // How far a baseline is from another has estimates, too, and no bench.
            (false, true, false) if folder.file_name().is_some_and(|name| name == "change") => {}
            (false, true, _) | (false, _, true) => return Err(missing(&folder, "benchmark.json")),
            (false, false, false) if depth < DEPTH => search(&folder, depth + 1, found)?,
            (false, false, false) => {}
        }
    }
    Ok(())
}

fn missing(folder: &Path, file: &str) -> BenchError {
    let reason = "is missing beside what else is kept of a bench, which was stopped or edited: run it again, or remove the folder";
    BenchError::new(&folder.join(file), reason)
}

/// What is in the folder of a baseline.
fn measured(folder: &Path, left: bool) -> Result<((String, String), Measured), BenchError> {
    let (_, id): (_, Id) = parsed(&folder.join("benchmark.json"))?;
    let (at, estimates): (_, Estimates) = parsed(&folder.join("estimates.json"))?;
    let Estimate { confidence_interval: Interval { lower_bound: low, upper_bound: high }, point_estimate: value } =
        estimates.slope.unwrap_or(estimates.mean);
    let mut figures = None;
    if left {
        let file = folder.join(FILE);
        let (_, kept): (_, Kept) = parsed(&file)?;
        if kept.simt_bench != VERSION {
            let reason = format!("version {} of its form; this library reads version {VERSION}", kept.simt_bench);
            return Err(BenchError::new(&file, reason));
        }
        figures = Some(kept.figures);
    }
    let baseline = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let name = [id.function_id, id.value_str].into_iter().flatten().collect::<Vec<_>>().join(", ");
    Ok(((id.group_id, name), Measured { baseline, at, value, low, high, figures }))
}

/// What a file of JSON says, and when it was written.
fn parsed<T: DeserializeOwned>(file: &Path) -> Result<(SystemTime, T), BenchError> {
    let text =
        fs::read_to_string(file).map_err(|error| BenchError::new(file, format_args!("cannot be read: {error}")))?;
    let at = file.metadata().and_then(|about| about.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
    let value = serde_json::from_str(&text)
        .map_err(|error| BenchError::new(file, format_args!("is not what criterion or a bench writes: {error}")))?;
    Ok((at, value))
}
