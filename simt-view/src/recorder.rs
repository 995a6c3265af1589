//! The observer that records a launch.

use crate::recording::{
    Count, Event, EventKind, Failed, Header, Held, Lanes, Listing, Mask, Recording, State, Step, Track,
};
use simt_core::LaneMask;
use simt_core::code::{Code, Pc};
use simt_runtime::{ClockEvent, LaunchError, Moment, Observer, WarpId};
use simt_runtime::{StatePart, ThreadMask, WarpPart};
use std::collections::HashMap;
use std::hash::Hash;

/// Which warps are recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Sample {
    #[default]
    All,
    Warp(WarpId),
    Block(usize),
    EveryBlock(usize),
}

/// Records a launch: how often each instruction was issued, and, of the warps or blocks that are sampled, every issue with
/// where all lanes were and what the policy held.
///
/// What is kept of a launch is bounded, however long it is: the first issues, and as many events of the clock.
///
/// ```
/// use simt::prelude::*;
/// use simt_view::Recorder;
///
/// #[kernel]
/// fn odd(x: &mut [u32]) {
///     let i = global_id();
///     if i % 2 == 1 {
///         x[i] = 7;
///     }
/// }
///
/// let mut x = [0; 64];
/// let mut recorder = Recorder::new().of_warp(0, 1);
/// let gpu = Gpu::<Ipdom>::default();
/// gpu.launch_observed(Grid::new(1, 64), odd(&mut x), &mut recorder)?;
/// let recording = recorder.recording("Ipdom", 32);
/// // One warp's steps, and the counts of both.
/// assert_eq!(recording.tracks.len(), 1);
/// assert_eq!(recording.counts[0].issues, 2);
/// assert!(recording.steps.iter().any(|step| step.taken.is_some_and(|taken| taken.0 == 0x5555_5555)));
/// # Ok::<(), LaunchError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Recorder {
    sample: Sample,
    limit: usize,
    recording: Recording,
    /// The track of what issues next, if it is recorded.
    track: Option<u32>,
    /// Whether what issues next is sampled: of what there is no room for, it is counted how much there is.
    sampled: bool,
    /// Whether a policy has formed what issues next from several warps: the block.
    formed: Option<usize>,
    warp: WarpId,
    /// The warps that issue next.
    parts: Vec<WarpPart>,
    state: Option<u32>,
    tracks: HashMap<(usize, Option<usize>), u32>,
    lanes: Numbers<Lanes>,
    states: Numbers<State>,
    /// Accesses that memory has not answered, by the machine's numbers, which are used again.
    accesses: HashMap<u32, (u64, u64)>,
    accesses_begun: u64,
    /// The last step, until the clock has told its cycle.
    issued: Option<usize>,
}

/// Values, each once, with its number.
#[derive(Clone, Debug)]
struct Numbers<T>(HashMap<T, u32>);

impl<T: Clone + Eq + Hash> Numbers<T> {
    /// The number of a value, which is listed if it is new.
    fn of(&mut self, value: T, list: &mut Vec<T>) -> u32 {
        let next = list.len() as u32;
        *self.0.entry(value).or_insert_with_key(|value| {
            list.push(value.clone());
            next
        })
    }
}

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl Default for Recorder {
    fn default() -> Self {
        Self::new()
    }
}

impl Recorder {
    /// How many steps are kept unless another limit is given: 2^16. A step is a run of instructions of one group of lanes; with
    /// its state it takes some 300 bytes, and less where states come again.
    pub const LIMIT: usize = 1 << 16;

    /// Records all warps, up to [`LIMIT`](Self::LIMIT) steps.
    pub fn new() -> Self {
        Self {
            sample: Sample::All,
            limit: Self::LIMIT,
            recording: Recording::default(),
            track: None,
            sampled: false,
            formed: None,
            warp: WarpId { block: 0, warp: 0 },
            parts: Vec::new(),
            state: None,
            tracks: HashMap::new(),
            lanes: Numbers::default(),
            states: Numbers::default(),
            accesses: HashMap::new(),
            accesses_begun: 0,
            issued: None,
        }
    }

    /// The same, of one warp only. Under a policy that regroups threads, of its block.
    #[must_use]
    pub fn of_warp(self, block: usize, warp: usize) -> Self {
        Self { sample: Sample::Warp(WarpId { block, warp }), ..self }
    }

    /// The same, of one block only.
    #[must_use]
    pub fn of_block(self, block: usize) -> Self {
        Self { sample: Sample::Block(block), ..self }
    }

    /// The same, of each block whose number is a multiple of `blocks`.
    #[must_use]
    pub fn of_every_block(self, blocks: usize) -> Self {
        Self { sample: Sample::EveryBlock(blocks.max(1)), ..self }
    }

    /// The same, with another limit on the steps, and on the events of a clock, that are kept.
    #[must_use]
    pub fn with_limit(self, steps: usize) -> Self {
        Self { limit: steps.min(u32::MAX as usize), ..self }
    }

    /// What has been recorded of a launch under a policy, with warps of that width.
    pub fn recording(&self, policy: &str, warp_width: usize) -> Recording {
        let mut recording = self.recording.clone();
        recording.header.policy = policy.to_string();
        recording.header.warp_width = warp_width;
        recording
    }

    /// Notes where the launch failed: with what was recorded last, and, if it was at an instruction, in a step that ends there.
    pub(crate) fn failed(&self, error: &LaunchError, recording: &mut Recording) {
        let Some(track) = self.track else { return };
        recording.header.failed = Some(Failed { track, step: self.step_of(error, track, recording) });
    }

    /// The step whose last instruction could not be executed. What was issued with it, of no branch between, was not told.
    fn step_of(&self, error: &LaunchError, track: u32, recording: &mut Recording) -> Option<u32> {
        let (at, lane, state) = (error.pc()?.0, error.thread()?, self.state?);
        let number = recording.steps.len() as u32;
        let has = |warp: u32, mask: Mask| warp as usize == lane.warp && mask.0 >> lane.lane & 1 == 1;
        // A machine with a clock tells of an instruction when it issues, and then executes it.
        if let Some(last) = recording.steps.last()
            && (last.track, last.state) == (track, state)
            && (last.at..last.at + last.instructions).contains(&at)
            && recording.lanes[last.lanes as usize].iter().any(|&(warp, mask)| has(warp, mask))
        {
            return Some(number - 1);
        }
        let splits = &recording.states[state as usize].splits;
        let from = splits.iter().filter(|&&(pc, warp, lanes)| pc <= at && has(warp, lanes));
        let (from, _, _) = *from.max_by_key(|(pc, ..)| *pc)?;
        let formed = Some(Self::kept(&self.parts))
            .filter(|parts| self.formed.is_some() && parts.iter().any(|&(warp, lanes)| has(warp, lanes)));
        // What was formed last may be of another step: then of those at the address, the thread's own warp.
        let group = splits.iter().filter(|&&(pc, warp, lanes)| pc == from && has(warp, lanes));
        let parts = formed.unwrap_or_else(|| group.map(|&(_, warp, lanes)| (warp, lanes)).collect());
        let instructions = at - from + 1;
        let active: u64 = parts.iter().map(|(_, lanes)| u64::from(lanes.0.count_ones())).sum();
        for count in recording.counts.get_mut(from as usize..=at as usize)? {
            count.issues += 1;
            count.lanes += active;
        }
        let lanes = recording.lanes.iter().position(|known| *known == parts).unwrap_or_else(|| {
            recording.lanes.push(parts);
            recording.lanes.len() - 1
        });
        recording.header.kept += u64::from(instructions);
        recording.steps.push(Step {
            track,
            at: from,
            instructions,
            lanes: lanes as u32,
            taken: None,
            state,
            cycle: None,
        });
        Some(number)
    }

    /// Whether a warp is sampled; without one, whether any of the block is.
    fn samples(&self, block: usize, warp: Option<usize>) -> bool {
        match self.sample {
            Sample::All => true,
            Sample::Warp(sampled) => sampled.block == block && warp.is_none_or(|warp| warp == sampled.warp),
            Sample::Block(sampled) => sampled == block,
            Sample::EveryBlock(step) => block.is_multiple_of(step),
        }
    }

    /// What issues next is of a warp, or of a block whose threads are regrouped.
    fn turn(&mut self, block: usize, warp: Option<usize>) {
        let full = self.recording.steps.len() >= self.limit;
        self.track = self.tracks.get(&(block, warp)).copied();
        self.sampled = self.track.is_some() || self.samples(block, warp);
        if self.track.is_none() && self.sampled && !full {
            let number = self.recording.tracks.len() as u32;
            let track = Track { block: block as u64, warp: warp.map(|warp| warp as u32), last: None };
            self.recording.tracks.push(track);
            self.tracks.insert((block, warp), number);
            self.track = Some(number);
        }
    }

    /// A set of lanes as it is kept.
    fn kept(parts: &[WarpPart]) -> Lanes {
        parts.iter().map(|part| (part.warp as u32, Mask(part.lanes.0))).collect()
    }

    fn event(&mut self, cycle: u64, core: usize, block: u64, what: EventKind) {
        if self.recording.events.len() < self.limit {
            self.recording.events.push(Event { cycle, core: core as u32, block, what });
        } else {
            self.recording.header.dropped_events += 1;
        }
    }
}

impl Observer for Recorder {
    fn launched(&mut self, code: &Code) {
        let Self { sample, limit, .. } = *self;
        *self = Self { sample, limit, ..Self::new() };
        self.recording = Recording {
            header: Header { kernel: code.name.to_string(), ..Header::default() },
            listing: Listing::of(code),
            counts: vec![Count::default(); code.insts.len()],
            ..Recording::default()
        };
    }

    fn warp(&mut self, warp: WarpId) {
        self.formed = None;
        self.warp = warp;
        self.turn(warp.block, Some(warp.warp));
    }

    fn formed(&mut self, block: usize, threads: &ThreadMask) {
        if self.formed != Some(block) {
            self.formed = Some(block);
            self.turn(block, None);
        }
        self.parts.clear();
        self.parts.extend(threads.parts());
    }

    fn stands(&mut self, moment: &dyn Moment) {
        self.state = None;
        if let Some(block) = moment.block() {
            self.formed = Some(block);
            self.turn(block, None);
        }
        let Some(track) = self.track else { return };
        if self.recording.steps.len() >= self.limit {
            return;
        }
        let warp = self.recording.tracks[track as usize].warp;
        let number = |part: &WarpPart| warp.unwrap_or(part.warp as u32);
        let mut held = Vec::new();
        moment.state(&mut |part| held.push(of_part(part)));
        let state = State {
            splits: moment.splits().iter().map(|(pc, part)| (pc.0, number(part), Mask(part.lanes.0))).collect(),
            arrived: moment.arrived().iter().map(|part| (number(part), Mask(part.lanes.0))).collect(),
            held,
        };
        let state = self.states.of(state, &mut self.recording.states);
        self.state = Some(state);
        self.recording.tracks[track as usize].last = Some(state);
    }

    fn issued(&mut self, at: Pc, instructions: u32, mask: LaneMask) {
        let instructions = instructions.max(1);
        for count in &mut self.recording.counts[at.index()..][..instructions as usize] {
            count.issues += 1;
            count.lanes += mask.count() as u64;
        }
        self.issued = None;
        let Some(track) = self.track.filter(|_| self.recording.steps.len() < self.limit) else {
            self.recording.header.dropped += if self.sampled { u64::from(instructions) } else { 0 };
            return;
        };
        let whole = [WarpPart { warp: self.warp.warp, lanes: mask }];
        let parts = Self::kept(if self.formed.is_some() { &self.parts } else { &whole });
        let state = self.state.unwrap_or_else(|| {
            let splits = parts.iter().map(|&(warp, lanes)| (at.0, warp, lanes)).collect();
            self.states.of(State { splits, ..State::default() }, &mut self.recording.states)
        });
        let lanes = self.lanes.of(parts, &mut self.recording.lanes);
        self.issued = Some(self.recording.steps.len());
        self.recording.header.kept += u64::from(instructions);
        self.recording.steps.push(Step { track, at: at.0, instructions, lanes, taken: None, state, cycle: None });
    }

    fn branched(&mut self, at: Pc, taken: LaneMask, rest: LaneMask) {
        let count = &mut self.recording.counts[at.index()];
        count.taken += taken.count() as u64;
        count.took += u64::from(!taken.is_empty());
        count.parted += u64::from(!taken.is_empty() && !rest.is_empty());
        if let Some(step) = self.issued.and_then(|step| self.recording.steps.get_mut(step)) {
            step.taken = Some(Mask(taken.0));
        }
    }

    fn watches_clock(&self) -> bool {
        true
    }

    fn clock(&mut self, cycle: u64, event: ClockEvent<'_>) {
        match event {
            ClockEvent::Placed { core, block } if self.samples(block, None) => {
                self.event(cycle, core, block as u64, EventKind::Placed);
            }
            ClockEvent::Left { core, block } if self.samples(block, None) => {
                self.event(cycle, core, block as u64, EventKind::Left);
            }
            ClockEvent::Issued { core, block, pc, parts, until } if self.samples_some(block, parts) => {
                if let Some(step) = self.issued.take().and_then(|step| self.recording.steps.get_mut(step)) {
                    step.cycle = Some(cycle);
                }
                let lanes = Self::kept(parts);
                self.event(cycle, core, block as u64, EventKind::Issued { pc: pc.0, lanes, until });
            }
            ClockEvent::Waited { core, block, warp, since, why } if self.samples(block, Some(warp)) => {
                let why = why.to_string();
                self.event(cycle, core, block as u64, EventKind::Waited { warp: warp as u32, since, why });
            }
            ClockEvent::Requested { core, block, pc, parts, access, transactions, misses }
                if self.samples_some(block, parts) =>
            {
                let number = self.accesses_begun;
                self.accesses_begun += 1;
                self.accesses.insert(access, (number, block as u64));
                let lanes = Self::kept(parts);
                let what = EventKind::Requested { pc: pc.0, lanes, access: number, transactions, misses };
                self.event(cycle, core, block as u64, what);
            }
            ClockEvent::Answered { core, access } => {
                if let Some((access, block)) = self.accesses.remove(&access) {
                    self.event(cycle, core, block, EventKind::Answered { access });
                }
            }
            _ => {}
        }
    }
}

impl Recorder {
    /// Whether one of those that issue is sampled.
    fn samples_some(&self, block: usize, parts: &[WarpPart]) -> bool {
        parts.iter().any(|part| self.samples(block, Some(part.warp)))
    }
}

/// A part of a policy's state as it is kept.
fn of_part(part: StatePart) -> Held {
    let StatePart { of, kind, register, lanes, waiting, next, meet } = part;
    Held {
        of: of.to_string(),
        kind: kind.to_string(),
        register,
        lanes: Mask(lanes.0),
        waiting: waiting.map(|lanes| Mask(lanes.0)),
        next: next.map(|pc| pc.0),
        meet: meet.map(|pc| pc.0),
    }
}
