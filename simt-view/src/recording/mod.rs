//! What a launch did, step by step, as data: what a [`Recorder`](crate::Recorder) has kept.
//!
//! * `listing`: the code that ran; `steps`: what was issued, and where the lanes were; `events`: what a clock told;
//! * `file`: the format on disk; `check`: whether the parts of what was read fit together.

mod check;
mod events;
mod file;
mod listing;
mod steps;

pub use events::{Event, EventKind};
pub use file::RecordingError;
pub(crate) use file::json as file_json;
pub use listing::{Block, Instruction, InstructionKind, Listing, SourceText};
pub use steps::{Count, Held, Lanes, Mask, State, Step, Track};

use serde::{Deserialize, Serialize};

/// A recorded launch.
///
/// What is counted by instruction ([`counts`](Self::counts)) is of the whole launch; steps and events are of the warps or blocks
/// that were sampled, up to a limit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// What it is a recording of.
    pub header: Header,
    /// The code that ran.
    pub listing: Listing,
    /// By address, how often each instruction was issued.
    pub counts: Vec<Count>,
    /// The warps, or blocks whose threads are regrouped, whose steps were kept.
    pub tracks: Vec<Track>,
    /// Sets of lanes that issued together, each once.
    pub lanes: Vec<Lanes>,
    /// Where lanes were, and what the policy held, each once.
    pub states: Vec<State>,
    /// What was issued, in order: runs of instructions of one group of lanes.
    pub steps: Vec<Step>,
    /// What the clock told, in order; empty on a machine without one.
    pub events: Vec<Event>,
}

/// What a recording is of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Name of the kernel.
    pub kernel: String,
    /// Name of the policy.
    pub policy: String,
    /// Lanes of a warp.
    pub warp_width: usize,
    /// Issues that were kept.
    pub kept: u64,
    /// Issues of sampled warps or blocks that came when there was no room any more.
    pub dropped: u64,
    /// Events that came when there was no room any more.
    pub dropped_events: u64,
    /// Where the launch failed, if it did in what was kept.
    pub failed: Option<Failed>,
}

/// Where a launch failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failed {
    /// The number of the warp or block, among the tracks.
    pub track: u32,
    /// The number of the step whose last instruction could not be executed, if it was one.
    pub step: Option<u32>,
}

impl Recording {
    /// The issues of a track, or of all: instruction by instruction, with the step that each is of.
    pub fn issues(&self, track: Option<u32>) -> impl Iterator<Item = (u32, &Step)> {
        let steps = self.steps.iter().filter(move |step| track.is_none_or(|track| step.track == track));
        steps.flat_map(|step| (step.at..step.at + step.instructions).map(move |pc| (pc, step)))
    }
}
