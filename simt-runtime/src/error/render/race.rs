//! Races as text.

use super::super::{Race, ThreadPlace};
use super::fault::{Words, words};
use super::thread_place;

/// `read`, `written`.
fn done(write: bool) -> &'static str {
    if write { "written" } else { "read" }
}

pub(super) fn in_words(race: &Race) -> Words {
    let Race { name, index, write, value, earlier_write, same_warp, same_issue, earlier_arrived, .. } = race;
    let element =
        if race.by_address { format!("the byte at {index:#x} of {name} memory") } else { format!("`{name}[{index}]`") };
    let both = match (earlier_write, write) {
        (true, true) => "written by two".to_string(),
        (&earlier, &now) => format!("{} by one and {} by another", done(earlier), done(now)),
    };
    let label = format!("{element} {} here{}", done(*write), value.map_or(String::new(), |value| format!(": {value}")));
    if *same_issue {
        return words(
            "race",
            format!("lanes of one warp write different values to {element} at once"),
            label,
            "which of them stays depends on which lanes issue together: let one lane write, or make the elements atomics",
        );
    }
    if *same_warp {
        return words(
            "warp-synchrony",
            format!("{element} is {both} of the lanes of one warp, with no `sync_warp()` between the two"),
            label,
            "the lanes of a warp need not run in step: let them meet at `sync_warp()` between the two accesses, or at \
             `sync_threads()` if threads of other warps access it, too; where both change the element, use an atomic",
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
        "let the threads meet at `sync_threads()` between the two accesses, or let a flag order them, an atomic that the one \
         stores with `Release` and the other loads with `Acquire`: `Relaxed` orders nothing; where both change the element, \
         use an atomic"
    } else {
        "let the threads meet at `sync_threads()` between the two accesses; where both change the element, use an atomic"
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
    format!("lane {lane}{warp} {} {value} here", if *earlier_write { "wrote" } else { "read" })
}

/// The thread that came first.
pub(super) fn note(race: &Race) -> String {
    let returned =
        if race.earlier_returned && !race.relaxed { "; it has returned, and barriers do not wait for it" } else { "" };
    format!("the first was {}{returned}", thread_place(&race.earlier_thread))
}
