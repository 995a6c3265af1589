//! Faults as text.

use super::super::{BarrierProblem, Fault, FaultKind, SourcePlace, ThreadPlace, element_name};
use super::{called_here, printed, race, snippet, thread_place};
use crate::memory::AddressProblem;
use simt_core::ops::ArithmeticFault;
use std::borrow::Cow;

/// The texts of a kind of fault.
pub(super) struct Words {
    id: &'static str,
    title: String,
    /// The label at the place where it happened.
    label: String,
    help: String,
}

pub(super) fn words(id: &'static str, title: String, label: impl Into<String>, help: impl Into<String>) -> Words {
    Words { id, title, label: label.into(), help: help.into() }
}

pub(super) fn render(fault: &Fault) -> String {
    let Words { id, title, label, help } = in_words(fault);
    let here = SourcePlace { span: fault.span, source: fault.source.clone() };
    let mut places = vec![(here, label)];
    if let FaultKind::Unwritten { declared, .. } = &fault.kind {
        places.push((declared.clone(), "declared here".to_string()));
    }
    if let FaultKind::Race(race) = &fault.kind {
        places.push((race.earlier_place.clone(), race::earlier(race)));
    }
    places.extend(called_here(&fault.called));
    let calls = chain(&fault.calls);
    let mut notes = vec![
        format!("in {calls}kernel `{}`: {}", fault.kernel, thread_place(&fault.thread)),
        format!("active lanes {} under {}", fault.active.digits(fault.warp_width), fault.policy),
    ];
    if let FaultKind::Address(bad) = &fault.kind {
        notes.extend(bad.notes());
    }
    if let FaultKind::Race(race) = &fault.kind {
        notes.splice(1..1, race::notes(race));
    }
    if let FaultKind::Unwritten { in_flight: false, .. } = fault.kind {
        notes.extend(returned(fault));
    }
    notes.extend(printed(&fault.prints));
    snippet(id, &title, &places, &notes, &help)
}

/// An element that all threads share is read in a function: it may be one that all threads of a block are to call, as
/// `block::sum`, and some cannot any more.
fn returned(fault: &Fault) -> Option<String> {
    let function = fault.calls.last().filter(|_| fault.returned > 0 && !fault.is_own)?;
    let threads = if fault.returned == 1 { "1 thread" } else { &format!("{} threads", fault.returned) };
    Some(format!(
        "{threads} of the block had ended by then: if `{function}` is for all threads of a block, they must call it, too"
    ))
}

fn in_words(fault: &Fault) -> Words {
    let width = fault.warp_width;
    match &fault.kind {
        FaultKind::OutOfBounds { slice, index, length, write } => words(
            "out-of-bounds",
            format!("index {index} is out of bounds of `{slice}`, whose length is {length}"),
            format!("`{}` {} here", element_name(slice, *index, 1), if *write { "written" } else { "read" }),
            match fault.given {
                Some(bytes) => given_help(slice, bytes, *length),
                None if fault.is_array => array_help(slice, *index, *length),
                None => bounds_help(slice, *index, *length, &fault.thread),
            },
        ),
        FaultKind::Address(bad) => words(
            address_id(bad.problem),
            bad.title(),
            if bad.write { "written here" } else { "read here" },
            bad.help(),
        ),
        FaultKind::DivisionByZero { dividend } => words(
            "division-by-zero",
            format!("{dividend} is divided by zero"),
            "the divisor is 0 here",
            "test the divisor first: `if d != 0 { n / d } else { .. }`",
        ),
        FaultKind::RemainderByZero { dividend } => words(
            "division-by-zero",
            format!("the remainder of {dividend} by zero is taken"),
            "the divisor is 0 here",
            "test the divisor first: `if d != 0 { n % d } else { .. }`",
        ),
        FaultKind::Overflow { attempt, operation, ty } => words(
            "overflow",
            format!("attempt to {attempt} with overflow: `{operation}` of `{ty}`"),
            if attempt.starts_with("shift") {
                format!("the count is not below {}, the bits of `{ty}`", ty.bits())
            } else {
                format!("the result is no `{ty}`")
            },
            if attempt.starts_with("shift") {
                "`checked_shl` and `checked_shr` tell whether the count is below; by the count's low bits shift `wrapping_shl` \
                 and `wrapping_shr`"
            } else {
                "if it is meant, say so by a method: `wrapping_add`, `saturating_add`, `checked_add` and the like; if not, test \
                 the values first, or take a larger type"
            },
        ),
        FaultKind::NoResult { method, receiver, arguments, reason } => words(
            "no-result",
            // In Rust's reading a sign binds less than a method.
            match receiver.strip_prefix('-') {
                Some(_) => format!("`({receiver}).{method}({})` has no result", arguments.join(", ")),
                None => format!("`{receiver}.{method}({})` has no result", arguments.join(", ")),
            },
            reason.to_string(),
            match reason {
                ArithmeticFault::Logarithm => "test the number first: `if n > 0 { .. }`",
                ArithmeticFault::SquareRoot => "test the number first: `if n >= 0 { .. }`",
                ArithmeticFault::ClampBounds => "the first bound must not be above the second, and neither a NaN",
                ArithmeticFault::DivisionByZero | ArithmeticFault::RemainderByZero => "test the divisor first",
                ArithmeticFault::Overflow => "test the numbers first",
            },
        ),
        FaultKind::Unwritten { array, index, in_flight, by_block, .. } => {
            let element = element_name(array, *index, fault.row);
            let (why, help) = match by_block {
                _ if *in_flight => (
                    "before what a thread of this block has stored there has come to memory",
                    "let the threads meet at `sync_threads()` between the two; a thread that only comes to a barrier, with \
                     `arrive_barrier(i, n)`, calls `fence_block()` before that"
                        .to_string(),
                ),
                _ if fault.is_own => (
                    "but this thread has not written it",
                    format!("the array is declared without values: write `{element}` before, or declare it with values, `[0; N]`"),
                ),
                Some(block) => (
                    "but no thread of this block has written it",
                    format!(
                        "block {block} had written it, but each block has a `{array}` of its own, in which there is nothing at \
                         first: write the element before it is read"
                    ),
                ),
                None => (
                    "but no thread of this block has written it",
                    format!(
                        "there is nothing in a `#[shared]` array at first: write `{element}`, and let the threads that read it wait \
                         for the one that writes it with `sync_threads()`"
                    ),
                ),
            };
            let comma = if *in_flight { "" } else { "," };
            words("unwritten", format!("`{element}` is read{comma} {why}"), format!("`{element}` read here"), help)
        }
        FaultKind::Race(race) => {
            let SourcePlace { span, source } = &race.earlier_place;
            race::in_words(race, fault.row, *span == fault.span && *source == fault.source)
        }
        FaultKind::Panic { message } => words("panic", message.clone(), "this thread ended the launch here", ""),
        FaultKind::CallDepth { limit } => words(
            "call-depth",
            format!("calls nest deeper than {limit}"),
            "this call is one too many",
            "does the recursion come to an end for every argument? If it is only deep, raise the limit with \
             `gpu.with_call_depth(n)`",
        ),
        FaultKind::CallMemory { limit } => words(
            "call-memory",
            format!("calls keep more than {limit} bytes for their callers"),
            "this call is one too many",
            "each call of a recursive function keeps the caller's variables and local arrays, eight bytes for each value: make \
             the arrays smaller, let one array serve all calls by passing it, or raise the config's `local_memory`",
        ),
        FaultKind::NotNamed { operation, named } => words(
            "not-named",
            format!("a lane takes part in `{operation}` without being named in its mask"),
            format!("the mask names lanes {}", named.digits(width)),
            "only the lanes that a mask names may come here: branch on them, or name this lane too",
        ),
        FaultKind::AbsentLane { operation, lane, present } => words(
            "absent-lane",
            format!("`{operation}` asks for the value of lane {lane}, which does not take part"),
            format!("lanes {} take part", present.digits(width)),
            "a lane that has returned, is not named, or has no thread because the block's last warp is not full, has no value to give: \
             keep it in, or ask another",
        ),
        FaultKind::Barrier { problem } => barrier(problem),
    }
}

fn address_id(problem: AddressProblem) -> &'static str {
    match problem {
        AddressProblem::Wild => "wild-address",
        AddressProblem::OutOfBounds => "out-of-bounds",
        AddressProblem::Misaligned => "misaligned",
        AddressProblem::Freed => "freed",
        AddressProblem::Unwritten { .. } | AddressProblem::InFlight => "unwritten",
        AddressProblem::ReadOnly => "read-only",
    }
}

fn barrier(problem: &BarrierProblem) -> Words {
    let (title, label, help) = match problem {
        BarrierProblem::NoSuchBarrier { index } => (
            format!("there is no barrier {index}"),
            "used here".to_string(),
            "a block has 16 barriers, numbered from 0; `sync_threads()` uses barrier 0",
        ),
        BarrierProblem::Threads { threads, warp_width } => (
            format!("a barrier cannot wait for {threads} threads"),
            format!("{threads} threads are asked for here"),
            if *threads == 0 {
                "a barrier waits for at least one warp"
            } else if (*threads as usize).is_multiple_of(*warp_width) {
                "a block does not have so many threads: the barrier would never open"
            } else {
                "threads arrive warp by warp: their number must be a multiple of the warp width"
            },
        ),
        BarrierProblem::NotUniform => (
            "lanes of one warp name different barriers, or different numbers of threads".to_string(),
            "this lane differs from those before it".to_string(),
            "a warp comes to a barrier as a whole: give it the same numbers in all lanes",
        ),
        BarrierProblem::OtherThreads { index, expected, threads } => {
            let count = |threads: &Option<u32>| threads.map_or("all".to_string(), |threads| threads.to_string());
            (
                format!(
                    "barrier {index} is to wait for {} threads here, but others wait there for {}",
                    count(threads),
                    count(expected)
                ),
                "not as others have it".to_string(),
                "all that meet at a barrier must give the same number of threads",
            )
        }
        BarrierProblem::OtherOperation { index, expected, operation } => (
            format!("`{operation}` at barrier {index}, where others are at `{expected}`"),
            format!("`{operation}` here"),
            "a reduction does not mix with other operations at one barrier: use another barrier",
        ),
    };
    words("barrier", title, label, help)
}

/// As `bounds_help`, of an array whose length the grid gives.
fn given_help(array: &str, bytes: usize, length: usize) -> String {
    let many = if length == 1 { "" } else { "s" };
    format!(
        "the grid gives each block {bytes} bytes for `{array}`, which has room for {length} element{many}: \
         `grid.with_shared_memory(bytes)`"
    )
}

/// As `bounds_help`, of an array whose length the kernel says.
fn array_help(array: &str, index: usize, length: usize) -> String {
    wrapped_help(index).unwrap_or_else(|| {
        format!(
            "the largest index is {}: test it before the access, or declare `{array}` longer",
            length.saturating_sub(1)
        )
    })
}

/// What helps if the index seems to have come about by subtracting.
fn wrapped_help(index: usize) -> Option<String> {
    let below = (u64::from(u32::MAX) + 1) as usize - index.min(u32::MAX as usize);
    let wrapped = index > u32::MAX as usize - (1 << 16);
    wrapped
        .then(|| format!("such an index has most often wrapped around below zero, by {below}: test before subtracting"))
}

/// The commonest mistake is a grid that is larger than the slice.
fn bounds_help(slice: &str, index: usize, length: usize, thread: &ThreadPlace) -> String {
    if index == thread.global_id {
        format!(
            "the grid has more threads than `{slice}` has elements: turn the others away first, \
             `if i >= {slice}.len() {{ return; }}`"
        )
    } else if let Some(help) = wrapped_help(index) {
        help
    } else if length == 0 {
        format!("`{slice}` is empty: was the right slice passed?")
    } else {
        format!("the largest index is {}: test it before the access, or pass a longer slice", length - 1)
    }
}

/// Most functions of a chain that are named one by one.
const CHAIN: usize = 6;

/// The functions that a thread is in, up to the kernel: `f`, called from `g` 3 times, called from ....
fn chain(calls: &[Cow<'static, str>]) -> String {
    let mut runs: Vec<(&str, usize)> = Vec::new();
    for name in calls {
        match runs.last_mut() {
            Some((last, count)) if last == name => *count += 1,
            _ => runs.push((name, 1)),
        }
    }
    let mut text = String::new();
    for (number, (name, count)) in runs.iter().enumerate() {
        if number == CHAIN {
            let rest: usize = runs[CHAIN..].iter().map(|(_, count)| count).sum();
            text.push_str(&format!("{rest} more, called from "));
            break;
        }
        let times = if *count == 1 { String::new() } else { format!(", {count} times") };
        text.push_str(&format!("`{name}`{times}, called from "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_of_calls_counts_repetitions() {
        let chain = |names: &[&'static str]| chain(&names.iter().map(|&name| name.into()).collect::<Vec<_>>());
        assert_eq!(chain(&[]), "");
        assert_eq!(chain(&["f", "f", "g"]), "`f`, 2 times, called from `g`, called from ");
        let deep = chain(&["a", "b", "a", "b", "a", "b", "a", "b"]);
        assert!(deep.ends_with("called from 2 more, called from "), "{deep}");
    }
}
