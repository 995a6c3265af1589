//! Launches that were given up, as text.

use super::super::{Deadlock, Livelock, LivelockProof, SourcePlace, StepLimit, Wait};
use super::{called_here, printed, snippet, thread_place};
use simt_core::LaneMask;
use std::collections::BTreeSet;

pub(super) fn step_limit(stop: &StepLimit) -> String {
    let many = if stop.limit == 1 { "" } else { "s" };
    let title = format!("a warp issued {} instruction{many} and had not ended", stop.limit);
    let help = "if the loop is only long, raise the limit with `gpu.with_step_limit(n)`; if it waits for another lane of \
                its warp, that lane may be waiting for it";
    not_ended(stop, "step-limit", &title, help)
}

pub(super) fn cycle_limit(stop: &StepLimit) -> String {
    let title = format!("the launch has not ended after {} cycles", stop.limit);
    let help = "if it is only long, raise `clock.cycle_limit`; if threads wait for others, a launch without a clock may find \
                out which threads wait for which";
    not_ended(stop, "cycle-limit", &title, help)
}

pub(super) fn work_limit(stop: &StepLimit) -> String {
    let title = format!("the launch has done {} units of work and has not ended", stop.limit);
    let help = "a unit is an instruction of a warp, or a lane of an atomic operation; if the launch is only long, raise the limit \
                with `gpu.with_work_limit(n)`";
    not_ended(stop, "work-limit", &title, help)
}

pub(super) fn time_limit(stop: &StepLimit) -> String {
    let title = format!("the launch has not ended after {} ms", stop.limit);
    let help = "if it is only long, raise the limit with `gpu.with_time_limit_ms(n)`";
    not_ended(stop, "time-limit", &title, help)
}

/// Where the lanes of a warp are that has not ended in time.
fn not_ended(stop: &StepLimit, id: &str, title: &str, help: &str) -> String {
    let mut seen: Vec<(SourcePlace, LaneMask)> = Vec::new();
    for (mask, place) in &stop.splits {
        match seen.iter_mut().find(|(known, _)| known.span.line == place.span.line && known.source == place.source) {
            Some((_, lanes)) => *lanes |= *mask,
            None => seen.push((place.clone(), *mask)),
        }
    }
    let mut places: Vec<_> = seen
        .into_iter()
        .enumerate()
        .map(|(number, (place, mask))| {
            let what = if number == 0 { "running" } else { "waiting" };
            (place, format!("{what}: lanes {}", mask.digits(stop.warp_width)))
        })
        .collect();
    places.extend(called_here(&stop.called));
    let mut notes = vec![
        format!("in kernel `{}`: block {}, warp {}, under {}", stop.kernel, stop.block, stop.warp, stop.policy),
        format!("lowest running lane: {}", thread_place(&stop.thread)),
    ];
    notes.extend(printed(&stop.prints));
    snippet(id, title, &places, &notes, help)
}

pub(super) fn livelock(livelock: &Livelock) -> String {
    let width = livelock.warp_width;
    let mut labels = Labels::new(width);
    // What is given up may as well be a long computation.
    let is_proved = !matches!(livelock.proof, LivelockProof::GivenUp { .. });
    let spinning = if is_proved { "spin here" } else { "were here at last" };
    livelock.spins.iter().for_each(|spin| labels.add(&spin.place, spin.warp, spin.lanes, spinning));
    livelock.waits.iter().for_each(|(warp, lanes, place)| labels.add(place, *warp, *lanes, "wait to go on here"));
    let mut places = labels.shown(|what, lanes| format!("{what}: {lanes}"));
    places.extend(called_here(&livelock.called));
    let Livelock { kernel, block, policy, .. } = livelock;
    let mut notes = vec![format!("in kernel `{kernel}`: block {block}, under {policy}")];
    let reads: BTreeSet<String> = livelock.spins.iter().flat_map(|spin| &spin.reads).map(ToString::to_string).collect();
    if !reads.is_empty() {
        let shown: Vec<String> = reads.into_iter().take(LISTED).collect();
        let lanes = if is_proved { "the lanes that spin" } else { "of late these lanes" };
        notes.push(format!("{lanes} read that {}", shown.join(", ")));
    }
    notes.push(proof(livelock.proof));
    notes.push(match &livelock.ends_under[..] {
        [] => "no other policy was seen to end it (`ends_under_limit`)".to_string(),
        names => ends_under(names),
    });
    notes.extend(printed(&livelock.prints));
    if let LivelockProof::GivenUp { work, .. } = livelock.proof {
        let title = format!("no thread of the block has ended for {work} units of work");
        let help = "if the loop is only long, raise the limit with `gpu.with_progress_limit(n)`; if it waits for other threads, \
                    they do not do what it waits for, or not in the order in which this machine runs them";
        return snippet("no-progress", &title, &places, &notes, help);
    }
    let blocks = "blocks may run one after the other, so a block cannot wait for a later one, but in a kernel that calls \
                  `sync_grid()`: its blocks run at the same time";
    let lanes = "the lanes that spin are waited for by those that they wait for: let the lane that has got what it wanted do its work \
                 inside the loop, before the lanes meet";
    let help = match (&livelock.waits[..], &livelock.ends_under[..]) {
        ([], _) => format!("no thread is left that could change what the lanes wait for; {blocks}"),
        (_, []) => format!("{lanes}; if they wait for another block: {blocks}"),
        _ => lanes.to_string(),
    };
    snippet("livelock", "lanes spin for ever", &places, &notes, &help)
}

/// The policies that end what this one does not.
fn ends_under(policies: &[&str]) -> String {
    format!("it ends under {}", policies.join(", "))
}

/// The statement about a block that does not end.
fn proof(proof: LivelockProof) -> String {
    match proof {
        LivelockProof::EverySchedule => "proved for every order in which the warps of the block get their turns: each comes \
                                         back to where it was, and finds memory as it was"
            .to_string(),
        LivelockProof::OneAfterTheOther => {
            "proved for warps that run one after the other, as those of a kernel without barriers, atomics and volatile \
             accesses do: the warp comes back to where it was; a later warp cannot change what it reads"
                .to_string()
        }
        LivelockProof::ThisPolicy => "proved for this policy, which decides on the order of all threads of the block: all is as \
                                      it was, registers, memory and the policy's state"
            .to_string(),
        LivelockProof::GivenUp { barriers, .. } => {
            let but = if barriers { "barriers opened meanwhile" } else { "nor has a barrier opened" };
            format!(
                "{but}; that it never ends is not proved: it was not seen to come back to where it was; a unit of work is an \
                 instruction of a warp, or a lane of an atomic operation; with a clock each counts 16 times, on the memory \
                 environment an instruction 256"
            )
        }
    }
}

/// Most warps that are listed one by one.
const LISTED: usize = 4;

pub(super) fn deadlock(deadlock: &Deadlock) -> String {
    let width = deadlock.warp_width;
    let title = match &deadlock.waits[..] {
        [first, rest @ ..] if rest.iter().all(|wait| wait.operation == first.operation) => {
            format!("threads wait at `{}` for others that never come", first.operation)
        }
        _ => "threads wait for each other at different places".to_string(),
    };
    let mut labels = Labels::new(width);
    deadlock.waits.iter().for_each(|wait| labels.add(&wait.place, wait.warp, wait.lanes, "wait here"));
    let mut notes =
        vec![format!("in kernel `{}`: block {}, under {}", deadlock.kernel, deadlock.block, deadlock.policy)];
    let mut exited = Vec::new();
    for (warp, lanes, place) in &deadlock.others {
        if place.span.is_known() {
            labels.add(place, *warp, *lanes, "are here");
        } else {
            exited.push(labels.lanes(*warp, *lanes));
        }
    }
    let mut places = labels.shown(|what, lanes| format!("{lanes} {what}"));
    places.extend(called_here(&deadlock.called));
    for wait in &deadlock.waits {
        if let Wait { barrier: Some(barrier), arrived: Some((arrived, expected)), .. } = wait {
            let note = format!("{arrived} of {expected} threads have come to barrier {barrier}");
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        if let Wait { operation: "sync_grid", arrived: Some((arrived, expected)), .. } = wait {
            let note = format!("{arrived} of the block's {expected} threads have come to the barrier of the grid");
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
    }
    let missing: Vec<_> =
        deadlock.waits.iter().filter(|wait| !wait.missing.is_empty()).map(|wait| missing(wait, width)).collect();
    notes.extend(missing.iter().take(LISTED).cloned());
    if missing.len() > LISTED {
        notes.push(format!("and so in {} more warps", missing.len() - LISTED));
    }
    if !exited.is_empty() {
        notes.push(format!("{} have returned", listed(&exited)));
    }
    if !deadlock.ends_under.is_empty() {
        notes.push(ends_under(&deadlock.ends_under));
    }
    snippet("deadlock", &title, &places, &notes, &deadlock.waits.first().map_or(String::new(), help))
}

/// Labels of source places: the lanes that are there, with all warps of one place in one label.
struct Labels {
    width: usize,
    places: Vec<(SourcePlace, Vec<String>, &'static str)>,
}

impl Labels {
    fn new(width: usize) -> Self {
        Self { width, places: Vec::new() }
    }

    fn lanes(&self, warp: usize, lanes: LaneMask) -> String {
        format!("lanes {} of warp {warp}", lanes.digits(self.width))
    }

    fn add(&mut self, place: &SourcePlace, warp: usize, lanes: LaneMask, what: &'static str) {
        let lanes = self.lanes(warp, lanes);
        match self.places.iter_mut().find(|(known, _, doing)| known == place && *doing == what) {
            Some((_, list, _)) => list.push(lanes),
            None => self.places.push((place.clone(), vec![lanes], what)),
        }
    }

    /// The labels, each made from what lanes do and which.
    fn shown(self, text: impl Fn(&str, String) -> String) -> Vec<(SourcePlace, String)> {
        self.places.into_iter().map(|(place, list, what)| (place, text(what, listed(&list)))).collect()
    }
}

fn listed(lanes: &[String]) -> String {
    let shown = lanes[..lanes.len().min(LISTED)].join(", ");
    match lanes.len().saturating_sub(LISTED) {
        0 => shown,
        more => format!("{shown} and of {more} more warps"),
    }
}

fn missing(wait: &Wait, width: usize) -> String {
    let at = match wait.barrier {
        Some(barrier) => format!("barrier {barrier}"),
        None => format!("`{}`", wait.operation),
    };
    let named = if wait.named.is_some() { "named " } else { "" };
    format!("{at} waits for the {named}lanes {} of warp {}", wait.missing.digits(width), wait.warp)
}

/// The help.
fn help(wait: &Wait) -> String {
    let operation = wait.operation;
    let call = operation.strip_suffix("_mask").unwrap_or(operation);
    let is_ptx = operation.contains('.');
    let is_barrier = match operation.strip_prefix("bar.") {
        Some(kind) => kind != "warp.sync",
        None => operation.ends_with("_barrier") || operation.starts_with("sync_") && call != "sync_warp",
    };
    let (parentheses, ballot) = if is_ptx { ("", "vote.sync.ballot") } else { ("()", "ballot") };
    match wait {
        Wait { barrier: Some(_), counted: true, .. } => format!(
            "as many threads as `{operation}` is given must come to the barrier: count those that do, warp by warp"
        ),
        Wait { barrier: Some(_), .. } => format!(
            "every thread of the block that has not returned must come to `{operation}{parentheses}`: move it out of the branch or \
             loop that some threads do not enter"
        ),
        Wait { operation: "sync_grid", arrived: Some(_), .. } => {
            "every thread of the grid that has not returned must come to `sync_grid()`: move it out of the branch or loop that \
             some threads do not enter"
                .to_string()
        }
        Wait { named: Some(_), .. } => format!(
            "every lane that the mask names must come to `{operation}` together: name only those that do, for instance by \
             the `{ballot}` of the condition that they branched on"
        ),
        _ if operation == "bsync" || operation == "warpsync" => format!(
            "every participant of the barrier must come to its `{operation}`, end, or leave it by `break` before"
        ),
        _ if is_barrier => format!(
            "every lane of the warp that has not returned must come to `{operation}` together: move it out of the branch or \
             loop that some lanes do not enter"
        ),
        _ if call == "sync_warp" => {
            "every lane of the warp that has not returned must come to `sync_warp()`: move it out of \
                                     the branch, or name the lanes with `sync_warp_mask(active_mask())`"
                .to_string()
        }
        _ if is_ptx => format!(
            "every lane of the warp that has not returned must come to `{operation}` together: move it out of the branch, \
             or let its mask name those that come (`activemask`)"
        ),
        _ => format!(
            "every lane of the warp that has not returned must come to `{operation}` together: move it out of the branch, \
             or name the lanes with `{call}_mask(active_mask(), ..)`"
        ),
    }
}
