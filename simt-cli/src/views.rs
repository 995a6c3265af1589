//! `--page`, `--stepper`, `--trace`, `--pictures`, `--recording`, and the page of benches: what is written to look at.

use crate::failure::Failure;
use crate::outputs::{Target, check_folder};
use clap::Args;
use simt::{GpuConfig, Grid, KernelCall, LaunchError, Report};
use simt_sweep::PolicyChoice;
use simt_view::benches::{self, BenchError};
use simt_view::{Picture, PictureError, Recorder, Run, page, stepper, trace};
use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// What is to be written of the launches, and what is recorded for that.
#[derive(Args, Debug)]
pub(crate) struct Views {
    /// Writes a page: the source with heat by line, histograms, control flow, limits; all policies side by side
    #[arg(long, value_name = "FILE.html")]
    page: Option<PathBuf>,
    /// Writes a page to step through the launch, issue by issue, under two policies at a time
    #[arg(long, value_name = "FILE.html")]
    stepper: Option<PathBuf>,
    /// Writes a trace for Perfetto (ui.perfetto.dev)
    #[arg(long, value_name = "FILE.json")]
    trace: Option<PathBuf>,
    /// Writes pictures for papers as SVG, with their data as CSV, into a folder, which is made if it is not there
    #[arg(long, value_name = "FOLDER")]
    pictures: Option<PathBuf>,
    /// Writes what was recorded, of one policy
    #[arg(long, value_name = "FILE")]
    recording: Option<PathBuf>,
    /// Which warps are recorded: all, warp:BLOCK,WARP, block:BLOCK, every:BLOCKS
    #[arg(long, value_name = "WHICH", default_value = "all", value_parser = sample)]
    record: Sample,
    /// How many steps are recorded at most
    #[arg(long, value_name = "NUMBER", default_value_t = Recorder::LIMIT, value_parser = limit)]
    record_limit: usize,
}

/// Which warps are recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sample {
    All,
    Warp(usize, usize),
    Block(usize),
    EveryBlock(usize),
}

fn sample(text: &str) -> Result<Sample, String> {
    let number = |text: &str| text.parse::<usize>().ok();
    let sample = match text.split_once(':') {
        None if text == "all" => Some(Sample::All),
        Some(("warp", place)) => {
            place.split_once(',').and_then(|(block, warp)| Some(Sample::Warp(number(block)?, number(warp)?)))
        }
        Some(("block", block)) => number(block).map(Sample::Block),
        Some(("every", blocks)) => number(blocks).filter(|&blocks| blocks > 0).map(Sample::EveryBlock),
        _ => None,
    };
    sample.ok_or_else(|| "write all, warp:BLOCK,WARP, block:BLOCK or every:BLOCKS, such as warp:0,1".to_string())
}

fn limit(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| "write a whole number above 0: without a step there is nothing to see".to_string())
}

impl Sample {
    /// Checks that a grid has what is to be recorded.
    fn check(self, grid: Grid, warp_width: usize) -> Result<(), Failure> {
        // Grids that cannot be counted are refused by the launch.
        let (Some(blocks), Some(threads)) = (grid.blocks().volume(), grid.threads().volume()) else { return Ok(()) };
        let warps = threads.div_ceil(warp_width.max(1));
        let numbers = |count: usize, what: &str| match count {
            0 => format!("no {what}s"),
            1 => format!("one {what}, whose number is 0"),
            _ => format!("{count} {what}s, whose numbers are 0 to {}", count - 1),
        };
        let (given, block, warp) = match self {
            Self::All | Self::EveryBlock(_) => return Ok(()),
            Self::Block(block) => (format!("block:{block}"), block, 0),
            Self::Warp(block, warp) => (format!("warp:{block},{warp}"), block, warp),
        };
        let has = if block >= blocks {
            format!("the grid has {}", numbers(blocks, "block"))
        } else if warp >= warps {
            format!("a block of this grid has {}", numbers(warps, "warp"))
        } else {
            return Ok(());
        };
        Err(Failure::usage(format!("--record {given}: {has}")))
    }
}

impl Views {
    /// Records of launches of a grid under so many policies, on a machine with warps of that width.
    pub(crate) fn begin(&self, policies: usize, grid: Grid, warp_width: usize) -> Result<Recorded<'_>, Failure> {
        self.record.check(grid, warp_width)?;
        if let Some(folder) = &self.pictures {
            check_folder("--pictures", folder)?;
        }
        if self.recording.is_some() && policies > 1 {
            return Err(Failure::usage(format!(
                "--recording: each of {policies} policies would write that file; name one whole policy, such as --policy Ipdom"
            )));
        }
        Ok(Recorded { views: self, runs: RefCell::default() })
    }

    /// The files that are to be written.
    pub(crate) fn files(&self) -> impl Iterator<Item = Target<'_>> {
        let Self { page, stepper, trace, recording, .. } = self;
        let files = [("--page", page), ("--stepper", stepper), ("--trace", trace), ("--recording", recording)];
        files
            .into_iter()
            .filter_map(|(option, file)| Some(Target { option: option.to_string(), file: file.as_deref()? }))
    }

    /// Whether anything is to be written.
    fn any(&self) -> bool {
        let Self { page, stepper, trace, pictures, recording, .. } = self;
        [page, stepper, trace, pictures, recording].into_iter().any(Option::is_some)
    }

    fn recorder(&self) -> Recorder {
        let recorder = Recorder::new().with_limit(self.record_limit);
        match self.record {
            Sample::All => recorder,
            Sample::Warp(block, warp) => recorder.of_warp(block, warp),
            Sample::Block(block) => recorder.of_block(block),
            Sample::EveryBlock(blocks) => recorder.of_every_block(blocks),
        }
    }
}

/// The launches that have run.
pub(crate) struct Recorded<'v> {
    views: &'v Views,
    runs: RefCell<Vec<Run>>,
}

impl Recorded<'_> {
    /// Launches, and keeps what there will be to see of it.
    pub(crate) fn launch(
        &self,
        policy: PolicyChoice,
        machine: &GpuConfig,
        threads: Option<usize>,
        grid: Grid,
        call: KernelCall<'_>,
    ) -> Result<Report, LaunchError> {
        if !self.views.any() {
            return policy.launch(machine.clone(), threads, grid, call);
        }
        let mut recorder = self.views.recorder();
        let result = policy.launch_watched(machine.clone(), threads, grid, call, &mut recorder);
        self.runs.borrow_mut().push(Run::new(policy.name(), machine.clone(), result.as_ref(), &recorder));
        result
    }

    /// Writes what is wanted.
    pub(crate) fn write(&self, kernel: &str) -> Result<(), Failure> {
        let Views { page: to_page, stepper: to_stepper, trace: to_trace, pictures, recording, .. } = self.views;
        let runs = self.runs.borrow();
        if let Some(file) = to_page {
            write("--page", file, &page(kernel, &runs))?;
        }
        if let Some(file) = to_stepper {
            write("--stepper", file, &stepper(kernel, &runs))?;
        }
        if let Some(file) = to_trace {
            write("--trace", file, &trace(&runs))?;
        }
        if let Some(folder) = pictures {
            draw(folder, &runs).map_err(|error| Failure::file(format!("--pictures: {error}")))?;
        }
        if let (Some(file), Some(recorded)) = (recording, runs.first().and_then(|run| run.recording.as_ref())) {
            write("--recording", file, &recorded.write())?;
        }
        Ok(())
    }
}

fn write(option: &str, file: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(file, text).map_err(|error| {
        Failure::file(format!(
            "{option}: cannot write {}: {error}; give a file in a folder that is there",
            file.display()
        ))
    })
}

fn draw(folder: &Path, runs: &[Run]) -> Result<(), PictureError> {
    Picture::histogram(runs)?.write(folder, "lanes-histogram")?;
    if runs.iter().any(|run| run.report().is_some_and(|report| report.clock().is_some())) {
        Picture::cycles(runs)?.write(folder, "cycles")?;
        Picture::issue_slots(runs)?.write(folder, "issue-slots")?;
    }
    for (number, run) in runs.iter().enumerate() {
        if let Some(recording) = run.recording.as_ref().filter(|recording| !recording.tracks.is_empty()) {
            // Names of policies have brackets, which names of files should not.
            Picture::lanes(recording, 0)?.write(folder, &format!("lanes-{}", number + 1))?;
        }
    }
    Ok(())
}

/// Writes the page of benches over baselines, and says where it is.
pub(crate) fn benches(folder: &Path, baselines: &[String], output: Option<&Path>) -> Result<String, Failure> {
    let wrong = |error: BenchError| Failure::file(error.to_string());
    let mut all = benches::read(folder).map_err(wrong)?;
    if !baselines.is_empty() {
        all = benches::with_baselines(folder, all, baselines)
            .map_err(|error| Failure::usage(format!("--baselines: {error}")))?;
    }
    let file = output.map_or_else(|| folder.join("simt.html"), Path::to_path_buf);
    write("--output", &file, &benches::page("Benches", &all))?;
    Ok(format!("{}\n", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_recorded_must_be_there() {
        let grid = Grid::new(2, 40);
        let said = |sample: Sample, grid| sample.check(grid, 32).map_err(|error| error.to_string());
        for there in [Sample::All, Sample::EveryBlock(9), Sample::Block(1), Sample::Warp(1, 1)] {
            assert_eq!(said(there, grid), Ok(()));
        }
        let error = |text: &str| Err(text.to_string());
        assert_eq!(
            said(Sample::Block(2), grid),
            error("--record block:2: the grid has 2 blocks, whose numbers are 0 to 1")
        );
        assert_eq!(
            said(Sample::Warp(0, 2), grid),
            error("--record warp:0,2: a block of this grid has 2 warps, whose numbers are 0 to 1")
        );
        assert_eq!(said(Sample::Block(0), Grid::new(0, 1)), error("--record block:0: the grid has no blocks"));
        assert_eq!(
            said(Sample::Warp(7, 0), Grid::new(1, 1)),
            error("--record warp:7,0: the grid has one block, whose number is 0")
        );
    }

    #[test]
    fn samples_are_read() {
        assert_eq!(sample("warp:3,1"), Ok(Sample::Warp(3, 1)));
        assert_eq!(
            [sample("all"), sample("block:7"), sample("every:10")],
            [Ok(Sample::All), Ok(Sample::Block(7)), Ok(Sample::EveryBlock(10))]
        );
        for wrong in ["", "warp:3", "every:0", "block:", "some"] {
            assert!(sample(wrong).is_err(), "{wrong}");
        }
    }
}
