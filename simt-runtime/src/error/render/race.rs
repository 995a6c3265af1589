//! Races as text.

use super::super::{Race, ThreadPlace};
use super::fault::{Words, words};
use super::thread_place;

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

pub(super) fn in_words(race: &Race) -> Words {
    let Race { name, index, write, value, earlier_write, same_warp, same_issue, earlier_arrived, .. } = race;
    let element =
        if race.by_address { format!("the byte at {index:#x} of {name} memory") } else { format!("`{name}[{index}]`") };
    let is_mixed = race.atomic || race.earlier_atomic;
    let both = if *earlier_write && *write && !is_mixed {
        "written by two".to_string()
    } else {
        let earlier = done_by(*earlier_write, race.earlier_atomic, "one");
        format!("{earlier} and {}", done_by(*write, race.atomic, "another"))
    };
    let atomics = if is_mixed {
        "or let both be atomics: a load may be `ld.relaxed` or `ld.volatile`"
    } else {
        "where both change the element, use an atomic"
    };
    let value = value.map_or(String::new(), |value| format!(": {value}"));
    let label = format!("{element} {} here{value}", done(*write, race.atomic));
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
            format!(
                "{element} is {both} of the threads of a block, and the barrier between the two did not wait for the first, which \
                 had returned"
            ),
            label,
            "barriers wait for threads that have not returned: let the thread return behind the barrier, not before it",
        );
    }
    if *same_warp {
        return words(
            "warp-synchrony",
            format!("{element} is {both} of the lanes of one warp, with no `sync_warp()` between the two"),
            label,
            format!(
                "the lanes of a warp need not run in step: let them meet at `sync_warp()` between the two accesses, or at \
                 `sync_threads()` if threads of other warps access it, too; {atomics}"
            ),
        );
    }
    if *earlier_arrived {
        return words(
            "race",
            format!(
                "{element} is {both} of the threads of a block, and `arrive_barrier(i, n)` alone does not order the two"
            ),
            label,
            "a thread that comes to a barrier without waiting there hands on what is before a fence: call `fence_block()` \
             before `arrive_barrier(i, n)`, and let the other thread wait at that barrier between the two accesses",
        );
    }
    let help = if race.relaxed {
        format!(
            "let the threads meet at `sync_threads()` between the two accesses, or let a flag order them, an atomic that the \
             one stores with `Release` and the other loads with `Acquire`: `Relaxed` orders nothing; {atomics}"
        )
    } else {
        format!("let the threads meet at `sync_threads()` between the two accesses; {atomics}")
    };
    words(
        "race",
        format!("{element} is {both} of the threads of a block, with no barrier between the two"),
        label,
        help,
    )
}

/// The label at the place of the access that came first.
pub(super) fn earlier(race: &Race) -> String {
    let Race { earlier_thread, earlier_write, earlier_value, same_warp, .. } = race;
    let ThreadPlace { warp, lane, .. } = earlier_thread;
    let warp = if *same_warp { String::new() } else { format!(" of warp {warp}") };
    let value = earlier_value.map_or("it".to_string(), |value| value.to_string());
    let did = match (earlier_write, race.earlier_atomic) {
        (false, _) => "read",
        (true, false) => "wrote",
        (true, true) => "changed",
    };
    let atomic = if race.earlier_atomic { "an atomic of " } else { "" };
    format!("{atomic}lane {lane}{warp} {did} {value} here")
}

/// The thread that came first.
pub(super) fn note(race: &Race) -> String {
    format!("the first was {}", thread_place(&race.earlier_thread))
}
