//! Races as text.

use super::super::{Race, ThreadPlace, element_name};
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
    /// The barrier of all threads of the grid.
    of_all: &'static str,
    /// How a thread releases what it has done to those of other blocks, and how one acquires that.
    release: &'static str,
    acquire: &'static str,
    /// What orders no other blocks.
    too_weak: &'static str,
}

const RUST: Terms = Terms {
    warp: "`sync_warp()`",
    block: "`sync_threads()`",
    arrive: "`arrive_barrier(i, n)`",
    fence: "call `fence_block()`",
    flag: "an atomic that the one stores with `Release` and the other loads with `Acquire`: `Relaxed` orders nothing",
    grid: "behind `sync_grid()`, or in a launch of its own",
    of_all: "`sync_grid()`",
    release: "it stores to an atomic with `Release`, or behind `fence_device()`",
    acquire: "loads that atomic with `Acquire`, or before `fence_device()`",
    too_weak: "`sync_threads()` and `fence_block()`",
};

const PTX: Terms = Terms {
    warp: "`bar.warp.sync`",
    block: "`bar.sync`",
    arrive: "`bar.arrive`",
    fence: "execute `membar.cta`",
    flag: "that the one stores by `st.release` or behind a `fence`, and the other loads by `ld.acquire` or with a `fence` behind \
           it: relaxed and volatile accesses alone order nothing",
    grid: "in a launch of its own",
    of_all: "the barrier of the grid",
    release: "it stores to a flag by `st.release`, or behind `membar.gl`",
    acquire: "loads that flag by `ld.acquire`, or before `membar.gl`",
    too_weak: "`bar.sync` and `membar.cta`",
};

/// What lets an access be, of which the other is an atomic.
const BOTH_ATOMICS: &str =
    "let both be atomics: a load may be `ld.relaxed` or `ld.volatile`, a store `st.relaxed` or `st.volatile`";

/// A race of threads of two blocks.
fn between_blocks(race: &Race, element: &str, label: String) -> Words {
    let Terms { block, grid, of_all, release, acquire, too_weak, .. } = if race.by_address { PTX } else { RUST };
    let is = if race.write && race.earlier_write && race.atomic == race.earlier_atomic {
        let done = if race.atomic { "changed by atomics of" } else { "written by" };
        format!("{element} is {done} threads of two blocks")
    } else {
        let earlier = done_by(race.earlier_write, race.earlier_atomic, "a thread of one block");
        let now = done_by(race.write, race.atomic, "one of another");
        format!("{element} is {earlier} and {now}")
    };
    if race.earlier_returned {
        return words(
            "race",
            format!("{is}, and {of_all} between the two did not wait for the first, which had returned"),
            label,
            format!(
                "{of_all} waits for threads that have not returned: let the thread return behind it, not before it"
            ),
        );
    }
    let atomics = match (race.atomic, race.earlier_atomic) {
        (true, true) => "let both be atomics of the device: of scope `.cta` one is an atomic for its block only",
        (false, false) => "where both change one, use an atomic",
        _ => BOTH_ATOMICS,
    };
    let between = format!("if another thread of the block does, {block} comes between");
    let hand_over = if race.earlier_released {
        format!("or let this thread acquire what the first has released since: it {acquire}; {between}")
    } else {
        format!(
            "or let the first thread release it: {release}; and this one acquire that: it {acquire}; {between}; {too_weak} alone \
             order no other blocks"
        )
    };
    let help = format!(
        "blocks run in any order, and side by side: let each have elements of its own; {atomics}; or access it {grid}; {hand_over}"
    );
    words("race", format!("{is}, which nothing orders"), label, help)
}

/// What has been accessed, where an index of the kernel's is of so many elements.
fn element(race: &Race, row: usize) -> String {
    let Race { name, index, .. } = race;
    match &race.lies_in {
        Some(whose) => whose.byte(*index as u64),
        None if race.by_address => format!("the byte at {index:#x} of {name} memory"),
        None => format!("`{}`", element_name(name, *index, row)),
    }
}

/// A race in words, where an index of the kernel's is of so many elements; `at_one_place` if both accesses are at one place of it.
pub(super) fn in_words(race: &Race, row: usize, at_one_place: bool) -> Words {
    let Race { write, value, earlier_write, same_warp, same_issue, earlier_arrived, .. } = race;
    let Terms { warp, block, arrive, fence, flag, .. } = if race.by_address { PTX } else { RUST };
    let element = element(race, row);
    let is_mixed = race.atomic || race.earlier_atomic;
    let both = if *earlier_write && *write && !is_mixed {
        "written by two".to_string()
    } else {
        let earlier = done_by(*earlier_write, race.earlier_atomic, "one");
        format!("{earlier} and {}", done_by(*write, race.atomic, "another"))
    };
    let is_update = at_one_place && write != earlier_write;
    let first = if is_update {
        "each thread reads the element and writes it back: use an atomic, or let one do it for all; otherwise "
    } else {
        ""
    };
    let atomics = if race.volatile {
        "; lanes that exchange values by volatile accesses rely on running in step; a flag is stored by `st.relaxed` and loaded by \
         `ld.relaxed`"
            .to_string()
    } else if is_mixed {
        format!("; or {BOTH_ATOMICS}")
    } else if is_update {
        String::new()
    } else {
        "; where both change the element, use an atomic".to_string()
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
                "{first}the lanes of a warp need not run in step: let them meet at {warp} between the two accesses, or at {block} if \
                 threads of other warps access it, too{flag}{atomics}"
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
        format!("{first}let the threads meet at {block} between the two accesses{flag}{atomics}"),
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
