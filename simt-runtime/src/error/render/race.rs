//! Races as text.

use super::super::{Race, ThreadPlace};
use super::fault::{Words, words};
use super::thread_place;
use crate::memory::Nearest;

/// What was done to the element.
fn done(write: bool, atomic: bool) -> &'static str {
    match (write, atomic) {
        (false, false) => "read",
        (true, false) => "written",
        (false, true) => "read by an atomic",
        (true, true) => "changed by an atomic",
    }
}

/// What one or another has done.
fn done_by(write: bool, atomic: bool, of: &str) -> String {
    format!("{} {} {of}", done(write, atomic), if atomic { "of" } else { "by" })
}

/// What things are called that order accesses: in Rust, or in PTX.
struct Terms {
    warp: &'static str,
    block: &'static str,
    arrive: &'static str,
    fence: &'static str,
    flag: &'static str,
    /// What lets blocks go on that have all come there.
    grid: &'static str,
    /// A flag, for threads of two blocks.
    far_flag: &'static str,
}

const RUST: Terms = Terms {
    warp: "`sync_warp()`",
    block: "`sync_threads()`",
    arrive: "`arrive_barrier(i, n)`",
    fence: "call `fence_block()`",
    flag: "an atomic that the one stores with `Release` and the other loads with `Acquire`: `Relaxed` orders nothing",
    grid: "behind `sync_grid()`, or in a launch of its own",
    far_flag: "it stores to an atomic with `Release` or behind `fence_device()`, and the other loads that with `Acquire` or before \
               `fence_device()`; for other threads of their blocks `sync_threads()` comes before that and behind it; alone it and `fence_block()` order no other blocks",
};

const PTX: Terms = Terms {
    warp: "`bar.warp.sync`",
    block: "`bar.sync`",
    arrive: "`bar.arrive`",
    fence: "execute `membar.cta`",
    flag: "that the one stores by `st.release` or behind a `fence`, and the other loads by `ld.acquire` or with a `fence` behind \
           it: relaxed and volatile accesses alone order nothing",
    grid: "in a launch of its own",
    far_flag: "it stores to a flag by `st.release` or behind `membar.gl`, and the other loads that by `ld.acquire` or before \
               `membar.gl`; for other threads of their blocks `bar.sync` comes before that and behind it; alone it and `membar.cta` order no other blocks",
};

/// What lets an access be, of which the other is an atomic.
const BOTH_ATOMICS: &str =
    "let both be atomics: a load may be `ld.relaxed` or `ld.volatile`, a store `st.relaxed` or `st.volatile`";

/// A race of threads of two blocks.
fn between_blocks(race: &Race, element: &str, label: String) -> Words {
    let Terms { grid, far_flag, .. } = if race.by_address { PTX } else { RUST };
    let title = if race.write && race.earlier_write && race.atomic == race.earlier_atomic {
        format!("{element} is written by threads of two blocks, which nothing orders")
    } else {
        let earlier = done_by(race.earlier_write, race.earlier_atomic, "a thread of one block");
        let now = done_by(race.write, race.atomic, "one of another");
        format!("{element} is {earlier} and {now}, which nothing orders")
    };
    let atomics =
        if race.atomic || race.earlier_atomic { BOTH_ATOMICS } else { "where both change one, use an atomic" };
    let help = format!(
        "blocks run in any order, and side by side: let each have elements of its own; {atomics}; or access it {grid}; or let the \
         first thread hand it over: {far_flag}"
    );
    words("race", title, label, help)
}

/// What has been accessed.
fn element(race: &Race) -> String {
    let Race { name, index, .. } = race;
    match &race.lies_in {
        Some(whose) => whose.byte(*index as u64),
        None if race.by_address => format!("the byte at {index:#x} of {name} memory"),
        None => format!("`{name}[{index}]`"),
    }
}

pub(super) fn in_words(race: &Race) -> Words {
    let Race { write, value, earlier_write, same_warp, same_issue, earlier_arrived, .. } = race;
    let Terms { warp, block, arrive, fence, flag, .. } = if race.by_address { PTX } else { RUST };
    let element = element(race);
    let is_mixed = race.atomic || race.earlier_atomic;
    let both = if *earlier_write && *write && !is_mixed {
        "written by two".to_string()
    } else {
        let earlier = done_by(*earlier_write, race.earlier_atomic, "one");
        format!("{earlier} and {}", done_by(*write, race.atomic, "another"))
    };
    let atomics = if race.volatile {
        "lanes that exchange values by volatile accesses rely on running in step; a flag is stored by `st.relaxed` and loaded by \
         `ld.relaxed`"
            .to_string()
    } else if is_mixed {
        format!("or {BOTH_ATOMICS}")
    } else {
        "where both change the element, use an atomic".to_string()
    };
    let flag = if race.relaxed && !race.volatile {
        format!(", or let a lock or flag order them, {flag}")
    } else {
        String::new()
    };
    let value = value.map_or(String::new(), |value| format!(": {value}"));
    let label = format!("{element} {} here{value}", done(*write, race.atomic));
    if !race.same_block {
        return between_blocks(race, &element, label);
    }
    let of_block = |why: &str| format!("{element} is {both} of the threads of a block, {why}");
    if *same_issue {
        return words(
            "race",
            format!("lanes of one warp write different values to {element} at once"),
            label,
            "which of them stays depends on which lanes issue together: let one lane write, or make the elements atomics",
        );
    }
    if race.earlier_returned {
        return words(
            "race",
            of_block("and the barrier between the two did not wait for the first, which had returned"),
            label,
            "barriers wait for threads that have not returned: let the thread return behind the barrier, not before it",
        );
    }
    if *same_warp {
        return words(
            "warp-synchrony",
            format!("{element} is {both} of the lanes of one warp, with no {warp} between the two"),
            label,
            format!(
                "the lanes of a warp need not run in step: let them meet at {warp} between the two accesses, or at {block} if \
                 threads of other warps access it, too{flag}; {atomics}"
            ),
        );
    }
    if *earlier_arrived {
        return words(
            "race",
            of_block(&format!("and {arrive} alone does not order the two")),
            label,
            format!(
                "a thread that comes to a barrier without waiting there hands on what is before a fence: {fence} before \
                 {arrive}, and let the other thread wait at that barrier between the two accesses"
            ),
        );
    }
    words(
        "race",
        of_block("with no barrier between the two"),
        label,
        format!("let the threads meet at {block} between the two accesses{flag}; {atomics}"),
    )
}

/// The label at the place of the access that came first.
pub(super) fn earlier(race: &Race) -> String {
    let Race { earlier_thread, earlier_write, earlier_value, same_warp, .. } = race;
    let ThreadPlace { warp, lane, .. } = earlier_thread;
    let warp = if *same_warp { String::new() } else { format!(" of warp {warp}") };
    let block = if race.same_block { String::new() } else { format!(" of block {}", earlier_thread.block) };
    let value = earlier_value.map_or("it".to_string(), |value| value.to_string());
    let did = match (earlier_write, race.earlier_atomic) {
        (false, _) => "read",
        (true, false) => "wrote",
        (true, true) => "changed",
    };
    let atomic = if race.earlier_atomic { "an atomic of " } else { "" };
    format!("{atomic}lane {lane}{warp}{block} {did} {value} here")
}

/// The thread that came first, and where the memory comes from: lines of notes.
pub(super) fn notes(race: &Race) -> Vec<String> {
    let first = format!("the first was {}", thread_place(&race.earlier_thread));
    std::iter::once(first).chain(race.lies_in.iter().flat_map(Nearest::origin)).collect()
}
