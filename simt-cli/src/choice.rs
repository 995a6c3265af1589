//! Policies and machines by name.

use crate::failure::Failure;
use simt::observe::Observer;
use simt::prelude::*;
use std::path::Path;

/// A GPU of any policy behind a pointer.
pub(crate) trait Machine {
    /// Runs a kernel.
    fn launch(&self, grid: Grid, call: KernelCall<'_>) -> Result<Report, LaunchError>;
    /// The same, watched.
    fn launch_watched(&self, grid: Grid, call: KernelCall<'_>, by: &mut dyn Observer) -> Result<Report, LaunchError>;
}

impl<P: Policy> Machine for Gpu<P> {
    fn launch(&self, grid: Grid, call: KernelCall<'_>) -> Result<Report, LaunchError> {
        Self::launch(self, grid, call)
    }

    fn launch_watched(&self, grid: Grid, call: KernelCall<'_>, by: &mut dyn Observer) -> Result<Report, LaunchError> {
        Self::launch_watched(self, grid, call, by)
    }
}

/// A policy that `--policy` can name.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    /// Whether every thread that can go on does so after finitely many issues.
    pub(crate) fair: bool,
    pub(crate) machine: fn(GpuConfig, Option<usize>) -> Box<dyn Machine>,
}

fn machine<P: Policy + 'static>(config: GpuConfig, threads: Option<usize>) -> Box<dyn Machine> {
    let gpu = Gpu::<P>::new(config);
    Box::new(match threads {
        Some(threads) => gpu.with_threads(threads),
        None => gpu,
    })
}

/// Every policy.
pub(crate) fn policies() -> Vec<Row> {
    let mut rows = Vec::new();
    for_each_policy!(P => rows.push(Row { name: P::name(), fair: P::is_fair(), machine: machine::<P> }));
    rows
}

/// The policies that are wanted, in the order of the table: a word is a whole name, else a part of some; `all` is all.
pub(crate) fn chosen(words: &[String]) -> Result<Vec<Row>, Failure> {
    let all = policies();
    let mut wanted = vec![false; all.len()];
    for word in words {
        let given = word;
        let word = word.trim().to_lowercase();
        let exact = all.iter().position(|row| row.name.to_lowercase() == word);
        let fits = |number: usize, row: &Row| match exact {
            Some(exact) => number == exact,
            None => word == "all" || !word.is_empty() && row.name.to_lowercase().contains(&word),
        };
        let found: Vec<usize> = (0..all.len()).filter(|&number| fits(number, &all[number])).collect();
        if found.is_empty() {
            let names: Vec<&str> = all.iter().map(|row| row.name).collect();
            return Err(Failure::usage(format!(
                "--policy: there is no policy `{given}`; write `all`, or one of {}",
                names.join(", ")
            )));
        }
        found.into_iter().for_each(|number| wanted[number] = true);
    }
    Ok(all.into_iter().zip(wanted).filter(|&(_, wanted)| wanted).map(|(row, _)| row).collect())
}

/// A machine that `--machine` can name: name, what it is, and its numbers.
pub(crate) type Named = (&'static str, &'static str, fn() -> GpuConfig);

/// The machines that have a name.
pub(crate) const MACHINES: [Named; 6] = [
    ("functional", "no clock: counts issues and lanes only", GpuConfig::functional),
    ("fung2009", "that of Fung et al., Dynamic Warp Formation, TACO 2009", GpuConfig::fung2009),
    ("fermi", "GTX 480, as Habermaier's report on CUDA has it", GpuConfig::fermi),
    ("volta", "Volta", GpuConfig::volta),
    ("turing", "Turing", GpuConfig::turing),
    ("ampere", "Ampere", GpuConfig::ampere),
];

/// The machine of a name, or of a file of TOML.
pub(crate) fn config(word: &str) -> Result<GpuConfig, Failure> {
    if let Some((_, _, config)) = MACHINES.iter().find(|(name, ..)| name.eq_ignore_ascii_case(word)) {
        return Ok(config());
    }
    if Path::new(word).extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("toml")) {
        let names: Vec<&str> = MACHINES.iter().map(|&(name, ..)| name).collect();
        return Err(Failure::usage(format!(
            "--machine: there is no machine `{word}`; write one of {}, or a file that ends in .toml",
            names.join(", ")
        )));
    }
    let text = std::fs::read_to_string(word)
        .map_err(|error| Failure::file(format!("--machine: cannot read {word}: {error}; give a file that is there")))?;
    let config = GpuConfig::from_toml(&text).map_err(|error| {
        Failure::file(format!(
            "--machine: {word} is no machine: {error}\nfields that are not given are as in `functional`"
        ))
    })?;
    config.validate().map_err(|error| Failure::file(format!("--machine: {word}: {error}")))?;
    Ok(config)
}
