//! The gallery under every reconvergence policy on machines with a clock.
//!
//! `cargo run --release --example machines` runs every kernel of the gallery under every policy on `GpuConfig::fung2009()`,
//! `fermi()`, `volta()`, `turing()` and `ampere()`. It prints instructions per cycle and where the cycles went, says whether the order of Fung et
//! al. (*Dynamic Warp Formation*, TACO 2009, Figure 13) appears, and draws bars in the manner of their Figures 14 and 15 and
//! time series in that of Figure 16. `--machine`, `--kernel` and `--policy` choose some of them.

mod answer;
mod choice;
mod figures;
// The kernels are the gallery's.
#[path = "../gallery/kernels/mod.rs"]
mod kernels;
mod means;
mod runs;
mod table;

use std::error::Error;
use std::path::PathBuf;
use std::{fs, io};

use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use simt::prelude::*;
use simt_view::Picture;

use choice::chosen;
use runs::{Machine, Results, Row, Run};

/// Runs the gallery's kernels under every reconvergence policy on machines with a clock.
#[derive(Parser)]
struct Options {
    /// Only these machines: fung2009, fermi, volta, turing, ampere
    #[arg(long, value_delimiter = ',')]
    machine: Vec<String>,
    /// Only these kernels: whole names, or parts of them
    #[arg(long, value_delimiter = ',')]
    kernel: Vec<String>,
    /// Only these policies: whole names, or parts of them
    #[arg(long, value_delimiter = ',')]
    policy: Vec<String>,
    /// Machines of so many cores: the gallery's grids are small
    #[arg(long)]
    cores: Option<usize>,
    /// At most so many blocks at a time on a core
    #[arg(long)]
    blocks: Option<usize>,
    /// The kernel of the time series
    #[arg(long, default_value = "lattice_boltzmann")]
    series: String,
    /// Where the pictures go
    #[arg(long, default_value = "target/machines")]
    output: PathBuf,
}

/// A kernel under a policy.
struct Pair {
    kernel: &'static str,
    policy: &'static str,
    launch: fn(GpuConfig) -> Result<Report, LaunchError>,
}

/// Cycles after which a launch will not end: ten times what the longest one takes.
const CYCLE_LIMIT: u64 = 8_000_000;

fn machine<P: Policy>(config: GpuConfig) -> Gpu<P> {
    // Examples are built with the feature `testing`, which would check every step.
    Gpu::new(config).with_checks(Checks::none()).with_step_limit(kernels::step_limit::<P>())
}

macro_rules! all_pairs {
    ($($kernel:ident)*) => {{
        let mut pairs = Vec::new();
        $(for_each_policy!(P => {
            pairs.push(Pair {
                kernel: stringify!($kernel),
                policy: P::name(),
                launch: |config| kernels::$kernel::run(&machine::<P>(config)),
            });
        });)*
        pairs
    }};
}

/// Every kernel of the gallery under every policy, kernel by kernel.
fn pairs() -> Vec<Pair> {
    kernels::with_kernels!(all_pairs)
}

/// The name of each machine, and its description.
fn machines(cores: Option<usize>, blocks: Option<usize>) -> Vec<(&'static str, GpuConfig)> {
    let all = [
        ("fung2009", GpuConfig::fung2009()),
        ("fermi", GpuConfig::fermi()),
        ("volta", GpuConfig::volta()),
        ("turing", GpuConfig::turing()),
        ("ampere", GpuConfig::ampere()),
    ];
    let limited = all.map(|(name, mut config)| {
        if let Some(clock) = &mut config.clock {
            clock.cycle_limit = CYCLE_LIMIT;
            // The same under every policy, and longer than some kernels of the gallery take.
            clock.launch_latency = 0;
            clock.cores = cores.unwrap_or(clock.cores);
            clock.blocks = blocks.unwrap_or(clock.blocks);
        }
        (name, config)
    });
    limited.into()
}

/// The different names, in their order.
fn names(all: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let mut names = Vec::new();
    for name in all {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let (pairs, machines) = (pairs(), machines(options.cores, options.blocks));
    let kernels = names(pairs.iter().map(|pair| pair.kernel));
    let policies = names(pairs.iter().map(|pair| pair.policy));
    let series = chosen("kernel", &kernels, &[options.series])?[0];
    let kernels = chosen("kernel", &kernels, &options.kernel)?;
    let policies = chosen("policy", &policies, &options.policy)?;
    let wanted = chosen("machine", &machines.iter().map(|&(name, _)| name).collect::<Vec<_>>(), &options.machine)?;
    fs::create_dir_all(&options.output)
        .map_err(|error| format!("{}: cannot be created: {error}", options.output.display()))?;

    let bar = progress((wanted.len() * kernels.len() * policies.len()) as u64);
    let mut text = String::new();
    let mut files = Vec::new();
    for (name, config) in machines.iter().filter(|(name, _)| wanted.contains(name)) {
        let machine = Machine::new(name, config);
        let mut rows: Vec<Row> = kernels.iter().map(|kernel| Row { kernel, runs: Vec::new() }).collect();
        for row in &mut rows {
            for pair in pairs.iter().filter(|pair| pair.kernel == row.kernel && policies.contains(&pair.policy)) {
                bar.set_message(format!("{} under {} on {name}", pair.kernel, pair.policy));
                row.runs.push(match (pair.launch)(config.clone()) {
                    Ok(report) => Ok(Run::of(&report, config).ok_or("the machine has no clock")?),
                    Err(error) => Err(kernels::unending(&error).ok_or(error)?),
                });
                bar.inc(1);
            }
        }
        let results = Results { machine, policies: policies.clone(), rows };
        text += &format!("{name}: {}\n\n{}\n\n", results.machine.words(), table::of_kernels(&results));
        text += &format!("{}\n{}\n", table::of_policies(&results), answer::order(&results));
        files.push((format!("{name}-ipc"), figures::ipc(&results)?));
        files.push((format!("{name}-occupancy"), figures::occupancy(&results)?));
        files.push((format!("{name}-{series}"), series_of(name, config, &pairs, series)?));
    }
    bar.finish_and_clear();
    for (name, picture) in &files {
        for file in picture.write(&options.output, name)? {
            text += &format!("{}\n", file.display());
        }
    }
    match io::Write::write_all(&mut io::stdout().lock(), text.as_bytes()) {
        // The reader of the output has closed it, as `head` does.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result?),
    }
}

/// A bar on stderr, if that is a terminal.
fn progress(runs: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{elapsed:>4} [{bar:30}] {pos}/{len} {msg}");
    ProgressBar::new(runs).with_style(style.expect("the template is well-formed").progress_chars("=> "))
}

/// How many samples a series has, about.
const SAMPLES: u64 = 120;

/// A kernel that has run with samples, once it is known how long it takes.
///
/// # Errors
/// If the kernel does not end.
fn sampled(
    config: &GpuConfig,
    launch: fn(GpuConfig) -> Result<Report, LaunchError>,
) -> Result<simt_view::Run, LaunchError> {
    let cycles = launch(config.clone())?.cycles().unwrap_or(0);
    let mut config = config.clone();
    if let Some(clock) = &mut config.clock {
        clock.sample = Some(cycles.div_ceil(SAMPLES).max(1));
    }
    Ok(simt_view::Run::of_report(launch(config.clone())?, config))
}

/// The time series of a kernel under the two policies that Figure 16 compares.
fn series_of(machine: &str, config: &GpuConfig, pairs: &[Pair], kernel: &str) -> Result<Picture, Box<dyn Error>> {
    let mut all = Vec::new();
    for policy in [Dwf::<Majority>::name(), Dwf::<PdomPriority>::name()] {
        let pair = pairs.iter().find(|pair| (pair.kernel, pair.policy) == (kernel, policy));
        let launch = pair.ok_or("no such policy")?.launch;
        all.push(sampled(config, launch)?);
    }
    Ok(Picture::samples(&format!("{kernel} on {machine}"), &all)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use simt::clock::Stall;

    #[test]
    fn every_kernel_meets_every_policy() {
        let pairs = pairs();
        let kernels = names(pairs.iter().map(|pair| pair.kernel));
        let mut policies = Vec::new();
        for_each_policy!(P => policies.push(P::name()));
        let found: Vec<_> = pairs.iter().map(|pair| (pair.kernel, pair.policy)).collect();
        let expected: Vec<_> =
            kernels.iter().flat_map(|&kernel| policies.iter().map(move |&policy| (kernel, policy))).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn figures_sum_up() -> Result<(), Box<dyn Error>> {
        let pairs = pairs();
        for (name, config) in machines(None, None) {
            let machine = Machine::new(name, &config);
            let clock = config.clock.as_ref().expect("a clock");
            for pair in pairs.iter().filter(|pair| ["saxpy", "scan", "ray_tracer"].contains(&pair.kernel)) {
                let what = format!("{} under {} on {name}", pair.kernel, pair.policy);
                let report = (pair.launch)(config.clone())?;
                let run = Run::of(&report, &config).expect("a clock");
                let slots = report.cycles().unwrap_or(0) * (clock.cores * clock.ports) as u64;
                // Parts of cycles are cut off, once a class and launch; the last issues may take longer than the launch.
                let (total, late) = (run.occupancy.total(), 3 * 4 * (clock.cores * clock.ports) as u64);
                assert!(slots < total + 50 && total <= slots + late, "{what}: {slots}, {:?}", run.occupancy);
                let on_core = Stall::ALL.iter().filter(|&&stall| stall != Stall::NoBlock);
                let shares: f64 = on_core.map(|&stall| run.stalls.share(stall)).sum();
                assert!((shares - 1.0).abs() < 1e-9, "{what}: {shares}");
                assert!(run.ipc > 0.0 && run.ipc <= machine.lanes as f64, "{what}: {}", run.ipc);
                assert!(run.bandwidth <= 1.0, "{what}: {}", run.bandwidth);
            }
        }
        Ok(())
    }

    #[test]
    fn a_series_is_drawn_of_both_policies() -> Result<(), Box<dyn Error>> {
        let (pairs, machines) = (pairs(), machines(Some(2), None));
        let picture = series_of("fung2009", &machines[0].1, &pairs, "saxpy")?;
        for policy in [Dwf::<Majority>::name(), Dwf::<PdomPriority>::name()] {
            let samples = picture.rows.iter().filter(|row| row[0] == policy).count() as u64;
            // A launch begins with a sample of its own.
            assert!((SAMPLES - 10..=SAMPLES + 10).contains(&samples), "{samples} of {policy}");
        }
        Ok(())
    }
}
