//! Traces for Perfetto, in the JSON format of Chrome's tracing: cores are processes, warps threads, and a cycle a microsecond.

use crate::Run;
use crate::recording::{EventKind, InstructionKind, Lanes, Mask, Recording, Step};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, HashMap};

/// Cycles of an interval that IPC is counted in.
const INTERVAL: u64 = 64;

/// An event of a trace.
#[derive(Serialize)]
struct Event {
    name: String,
    cat: &'static str,
    ph: &'static str,
    ts: u64,
    pid: u64,
    tid: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    dur: Option<u64>,
    /// Of instant events how far they reach; of others nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    s: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    args: Value,
}

/// A span on a thread, before it is known where the next begins.
struct Span {
    ts: u64,
    end: u64,
    name: String,
    cat: &'static str,
    args: Value,
}

/// The trace of recorded runs as JSON, to be opened in <https://ui.perfetto.dev>: what each warp issues and waits for, where its
/// lanes part and meet, and its accesses to memory; as counters, active lanes and outstanding misses of each core, and IPC.
///
/// On a machine without a clock, time is the number of the issue, and all is on one core.
pub fn trace(runs: &[Run]) -> String {
    let mut events = Vec::new();
    // Each run has its own processes.
    let mut first = 1;
    for run in runs {
        if let Some(recording) = &run.recording {
            let mut one =
                OfRun { recording, first, events: &mut events, spans: BTreeMap::new(), cores: HashMap::new() };
            let cores = one.all();
            one.names(&run.name, cores);
            first += cores;
        }
    }
    let mut other = Map::new();
    other.insert("timeUnit".into(), "a microsecond is a cycle, or an issue on a machine without a clock".into());
    let left_out: u64 =
        runs.iter().filter_map(|run| run.recording.as_ref()).map(|recording| recording.header.dropped_events).sum();
    other.insert("eventsLeftOut".into(), left_out.into());
    json!({ "displayTimeUnit": "ns", "otherData": other, "traceEvents": events }).to_string()
}

/// The events of a run.
struct OfRun<'r> {
    recording: &'r Recording,
    /// The number of its first process.
    first: u64,
    events: &'r mut Vec<Event>,
    /// By process and thread.
    spans: BTreeMap<(u64, u64), Vec<Span>>,
    /// The core of each block.
    cores: HashMap<u64, u64>,
}

impl OfRun<'_> {
    /// The thread of a warp.
    fn thread(block: u64, warp: u32) -> u64 {
        block * 64 + u64::from(warp) + 1
    }

    fn process(&self, block: u64) -> u64 {
        self.first + self.cores.get(&block).copied().unwrap_or(0)
    }

    /// Adds all events. Returns how many cores there are.
    fn all(&mut self) -> u64 {
        let recording = self.recording;
        for event in &recording.events {
            self.cores.insert(event.block, event.core.into());
        }
        if recording.events.is_empty() {
            self.by_issue();
        } else {
            self.by_cycle();
        }
        self.partings();
        let spans = std::mem::take(&mut self.spans);
        for ((pid, tid), mut spans) in spans {
            spans.sort_by_key(|span| span.ts);
            let begins: Vec<u64> = spans.iter().skip(1).map(|span| span.ts).chain([u64::MAX]).collect();
            for (Span { ts, end, name, cat, args }, begin) in spans.into_iter().zip(begins) {
                // Spans of one thread must not overlap: lanes of a warp that issue while others still do cut those short.
                let dur = Some(end.min(begin).max(ts) - ts);
                self.events.push(Event { name, cat, ph: "X", ts, pid, tid, dur, s: None, id: None, args });
            }
        }
        self.cores.values().max().map_or(1, |core| core + 1)
    }

    fn span(&mut self, block: u64, warp: u32, span: Span) {
        let place = (self.process(block), Self::thread(block, warp));
        self.spans.entry(place).or_default().push(span);
    }

    fn point(&mut self, name: &str, cat: &'static str, ts: u64, block: u64, warp: u32, args: Value) {
        let (pid, tid) = (self.process(block), Self::thread(block, warp));
        let name = name.to_string();
        self.events.push(Event { name, cat, ph: "i", ts, pid, tid, dur: None, s: Some("t"), id: None, args });
    }

    fn counter(&mut self, name: &str, pid: u64, ts: u64, value: f64) {
        let args = json!({ name: value });
        let name = name.to_string();
        self.events.push(Event { name, cat: "counter", ph: "C", ts, pid, tid: 0, dur: None, s: None, id: None, args });
    }

    /// What an issue is called, and what is to be known of it.
    fn issue(&self, pc: u32, mask: Mask) -> (String, Value) {
        let listing = &self.recording.listing;
        let instruction = &listing.instructions[pc as usize];
        let source = listing.line(instruction.source, instruction.line).unwrap_or_default().trim();
        let digits: String =
            (0..self.recording.header.warp_width).map(|lane| if mask.0 >> lane & 1 == 1 { '1' } else { '0' }).collect();
        let args = json!({ "address": pc, "line": instruction.line, "source": source, "lanes": digits, "active": mask.0.count_ones() });
        (instruction.text.clone(), args)
    }

    /// On a machine without a clock: the steps, one after the other.
    fn by_issue(&mut self) {
        let recording = self.recording;
        for (ts, (pc, step)) in (0..).zip(recording.issues(None)) {
            let block = recording.tracks[step.track as usize].block;
            let mut active = 0;
            for &(warp, mask) in &recording.lanes[step.lanes as usize] {
                let (name, args) = self.issue(pc, mask);
                active += mask.0.count_ones();
                self.span(block, warp, Span { ts, end: ts + 1, name, cat: "issue", args });
                self.barrier(pc, ts, block, warp);
            }
            self.counter("active lanes", self.first, ts, active.into());
        }
    }

    fn by_cycle(&mut self) {
        let recording = self.recording;
        let mut missing: HashMap<u64, u64> = HashMap::new();
        let mut missed: HashMap<u64, u64> = HashMap::new();
        let mut executed: BTreeMap<u64, u64> = BTreeMap::new();
        for event in &recording.events {
            let (ts, block) = (event.cycle, event.block);
            let pid = self.process(block);
            match &event.what {
                EventKind::Placed => self.point("block comes", "block", ts, block, 0, json!({ "block": block })),
                EventKind::Left => self.point("block leaves", "block", ts, block, 0, json!({ "block": block })),
                EventKind::Issued { pc, lanes, until } => {
                    let active: u32 = lanes.iter().map(|(_, mask)| mask.0.count_ones()).sum();
                    for &(warp, mask) in lanes {
                        let (name, args) = self.issue(*pc, mask);
                        self.span(block, warp, Span { ts, end: *until, name, cat: "issue", args });
                        self.barrier(*pc, ts, block, warp);
                    }
                    self.counter("active lanes", pid, ts, active.into());
                    if recording.listing.instructions[*pc as usize].kind != InstructionKind::Marker {
                        *executed.entry(ts / INTERVAL).or_default() += u64::from(active);
                    }
                }
                EventKind::Waited { warp, since, why } => {
                    let span =
                        Span { ts: *since, end: ts, name: why.clone(), cat: "stall", args: json!({ "cause": why }) };
                    self.span(block, *warp, span);
                }
                EventKind::Requested { pc, lanes, access, transactions, misses } => {
                    let warp = lanes.first().map_or(0, |&(warp, _)| warp);
                    let args = json!({ "address": pc, "transactions": transactions, "misses": misses });
                    self.access("b", ts, (block, warp), *access, *misses, args);
                    if *misses > 0 {
                        missed.insert(*access, u64::from(warp));
                        let count = missing.entry(pid).or_default();
                        *count += 1;
                        let count = *count;
                        self.counter("outstanding misses", pid, ts, count as f64);
                    }
                }
                EventKind::Answered { access } => {
                    let warp = missed.remove(access);
                    self.access(
                        "e",
                        ts,
                        (block, warp.unwrap_or(0) as u32),
                        *access,
                        u32::from(warp.is_some()),
                        json!({}),
                    );
                    if warp.is_some() {
                        let count = missing.entry(pid).or_default();
                        *count = count.saturating_sub(1);
                        let count = *count;
                        self.counter("outstanding misses", pid, ts, count as f64);
                    }
                }
            }
        }
        for (interval, threads) in executed {
            self.counter("IPC", self.first, interval * INTERVAL, threads as f64 / INTERVAL as f64);
        }
    }

    /// The begin or end of an access, which overlaps what its warp issues meanwhile.
    fn access(&mut self, ph: &'static str, ts: u64, (block, warp): (u64, u32), access: u64, misses: u32, args: Value) {
        let (pid, tid) = (self.process(block), Self::thread(block, warp));
        let name = if misses > 0 { "cache miss" } else { "access" }.to_string();
        let id = Some(format!("{}.{access}", self.first));
        self.events.push(Event { name, cat: "memory", ph, ts, pid, tid, dur: None, s: None, id, args });
    }

    fn barrier(&mut self, pc: u32, ts: u64, block: u64, warp: u32) {
        if self.recording.listing.instructions[pc as usize].kind == InstructionKind::Barrier {
            self.point("barrier", "barrier", ts, block, warp, json!({ "address": pc }));
        }
    }

    /// Where lanes part and meet.
    fn partings(&mut self) {
        let recording = self.recording;
        let mut last: HashMap<(u64, u32), Mask> = HashMap::new();
        let mut issue = 0;
        for step in &recording.steps {
            let Step { at, instructions, lanes, taken, cycle, .. } = *step;
            let block = recording.tracks[step.track as usize].block;
            let (begin, end) = (cycle.unwrap_or(issue), cycle.unwrap_or(issue + u64::from(instructions) - 1));
            issue += u64::from(instructions);
            let lanes: &Lanes = &recording.lanes[lanes as usize];
            let all = lanes.iter().fold(0, |all, (_, mask)| all | mask.0);
            for &(warp, mask) in lanes {
                let before = last.insert((block, warp), mask);
                if before.is_some_and(|before| before != mask && before.0 & !mask.0 == 0) {
                    let args = json!({ "address": at, "active": mask.0.count_ones() });
                    self.point("reconvergence", "reconvergence", begin, block, warp, args);
                }
                if taken.is_some_and(|taken| taken.0 != 0 && taken.0 != all) {
                    let args = json!({ "address": at + instructions - 1 });
                    self.point("divergence", "divergence", end, block, warp, args);
                }
            }
        }
    }

    /// The names of processes and threads.
    fn names(&mut self, run: &str, cores: u64) {
        let name = |pid, tid, what: &str, name: String| Event {
            name: what.to_string(),
            cat: "__metadata",
            ph: "M",
            ts: 0,
            pid,
            tid,
            dur: None,
            s: None,
            id: None,
            args: json!({ "name": name }),
        };
        let mut threads: Vec<(u64, u64)> =
            self.events.iter().filter(|event| event.tid > 0).map(|event| (event.pid, event.tid)).collect();
        threads.sort_unstable();
        threads.dedup();
        for core in 0..cores {
            let pid = self.first + core;
            // The first has the machine's counters, if any.
            if core == 0 || threads.iter().any(|&(of, _)| of == pid) {
                self.events.push(name(pid, 0, "process_name", format!("{run}: core {core}")));
            }
        }
        for (pid, tid) in threads.into_iter().filter(|&(pid, _)| pid >= self.first) {
            let (block, warp) = ((tid - 1) / 64, (tid - 1) % 64);
            self.events.push(name(pid, tid, "thread_name", format!("block {block}, warp {warp}")));
        }
    }
}
