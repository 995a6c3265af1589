//! A launch, as pages show it.

use crate::recording::{Instruction, InstructionKind};
use crate::{Recorder, Recording};
use simt_runtime::Policy;
use simt_runtime::{Gpu, GpuConfig, Grid, KernelCall, LaunchError, LineReport, Report};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A launch that has run: its report or its error, and what was recorded of it.
#[derive(Clone, Debug)]
pub struct Run {
    /// Its name on pages, where several runs stand side by side.
    pub name: String,
    /// Name of the policy.
    pub policy: String,
    /// The machine.
    pub machine: GpuConfig,
    /// The figures; the text of the error, if the launch has failed.
    pub outcome: Result<Report, String>,
    /// What was recorded, if anything was.
    pub recording: Option<Recording>,
}

impl Run {
    /// Launches a kernel and records it. A launch that fails is a run, too, whose steps lead to the error.
    ///
    /// ```
    /// use simt::prelude::*;
    /// use simt_view::{Recorder, Run, page};
    ///
    /// #[kernel]
    /// fn countdown(x: &mut [u32]) {
    ///     let i = global_id();
    ///     while x[i] > 0 {
    ///         x[i] -= 1;
    ///     }
    /// }
    ///
    /// let mut runs = Vec::new();
    /// for_each_policy!(P => {
    ///     let mut x: Vec<u32> = (0..64).collect();
    ///     runs.push(Run::launch(&Gpu::<P>::default(), Grid::new(2, 32), countdown(&mut x), Recorder::new()));
    /// });
    /// let html = page("A countdown", &runs);
    /// assert!(html.contains("while x[i]"));
    /// ```
    pub fn launch<P: Policy>(gpu: &Gpu<P>, grid: Grid, call: KernelCall<'_>, mut recorder: Recorder) -> Self {
        let outcome = gpu.launch_watched(grid, call, &mut recorder);
        Self::new(P::name(), gpu.config().clone(), outcome.as_ref(), &recorder)
    }

    /// A launch under a policy, on a machine, that a recorder has watched: its report or its error.
    pub fn new(policy: &str, machine: GpuConfig, outcome: Result<&Report, &LaunchError>, recorder: &Recorder) -> Self {
        let mut recording = recorder.recording(policy, machine.warp_width);
        if let Err(error) = outcome {
            recorder.failed(error, &mut recording);
        }
        let outcome = outcome.cloned().map_err(ToString::to_string);
        // Of a launch that was refused nothing has run.
        let recording = (!recording.listing.instructions.is_empty()).then_some(recording);
        Self { name: policy.to_string(), policy: policy.to_string(), machine, outcome, recording }
    }

    /// A run of which there is only a report, of a launch on a machine.
    pub fn of_report(report: Report, machine: GpuConfig) -> Self {
        let policy = report.policy().to_string();
        Self { name: policy.clone(), policy, machine, outcome: Ok(report), recording: None }
    }

    /// The same, with another name on pages.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// The report, if the launch has not failed.
    pub fn report(&self) -> Option<&Report> {
        self.outcome.as_ref().ok()
    }

    /// The lines with their figures: of a launch that has failed, those that were counted until then, which are issues, lanes and
    /// branches.
    pub(crate) fn lines(&self) -> Cow<'_, [LineReport]> {
        match (self.report(), &self.recording) {
            (Some(report), _) => Cow::Borrowed(report.lines()),
            (None, Some(recording)) => Cow::Owned(counted(recording)),
            (None, None) => Cow::Borrowed(&[]),
        }
    }

    /// The kernel's name.
    pub(crate) fn kernel(&self) -> &str {
        let recorded = self.recording.as_ref().map_or("kernel", |recording| &recording.header.kernel);
        self.report().map_or(recorded, Report::kernel)
    }
}

/// The lines of a recording, with what was issued on them.
fn counted(recording: &Recording) -> Vec<LineReport> {
    let Recording { listing, counts, .. } = recording;
    let mut lines: BTreeMap<(u32, u32), LineReport> = BTreeMap::new();
    for (instruction, count) in listing.instructions.iter().zip(counts) {
        let Instruction { source, line, kind, .. } = *instruction;
        let of = lines.entry((source, line)).or_insert_with(|| LineReport {
            line,
            file: listing.sources[source as usize].file.clone(),
            text: listing.line(source, line).unwrap_or_default().trim().to_string(),
            ..LineReport::default()
        });
        if kind == InstructionKind::Marker {
            of.marker_issues += count.issues;
            continue;
        }
        of.issues += count.issues;
        of.thread_instructions += count.lanes;
        of.divergences += count.parted;
        if kind == InstructionKind::Branch {
            of.branches += count.issues;
        }
    }
    lines.into_values().filter(|line| line.issues + line.marker_issues > 0).collect()
}
