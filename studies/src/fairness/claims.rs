//! What the papers say of what ends, and whether it is so here.

use super::{of, policies};
use crate::claims::{List, Must};
use crate::endings::{Outcome, Place};
use crate::programs::{Scale, waiting};

/// The programs that every fair schedule ends, by their names.
const FAIRLY_ENDING: [&str; 8] = ["2", "2 swapped", "2 and more", "3", "4", "behind", "inside", "else"];

pub(super) fn claims(list: &mut List<'_>, _scale: Scale) {
    stacks(list);
    others(list);
    volta(list);
    machines(list);
}

fn outcome(list: &List<'_>, program: &str, policy: &str, place: Place) -> Outcome {
    let number = waiting().iter().position(|other| other.name == program).expect("a program of the list");
    let ending = of(list.results, number, place).iter().find(|ending| ending.policy == policy);
    ending.expect("a policy of the library").outcome
}

/// Whether a program ends under a policy, on all machines.
fn ends(list: &List<'_>, program: &str, policy: &str) -> bool {
    Place::ALL.iter().all(|&place| outcome(list, program, policy, place) == Outcome::Ends)
}

/// Whether it is proved on all machines that it does not.
fn never(list: &List<'_>, program: &str, policy: &str) -> bool {
    Place::ALL.iter().all(|&place| {
        matches!(outcome(list, program, policy, place), Outcome::Proved | Outcome::ProvedHere | Outcome::Deadlock)
    })
}

/// How many of the programs that every fair schedule ends do.
fn ending(list: &List<'_>, policy: &str) -> f64 {
    FAIRLY_ENDING.iter().filter(|program| ends(list, program, policy)).count() as f64
}

impl List<'_> {
    fn ends(&mut self, place: &'static str, text: &str, program: &str, policy: &str) {
        let ends = f64::from(u8::from(ends(self, program, policy)));
        self.says(place, format!("{text}: program {program} ends under {policy}"), ends, Must::AtLeast(1.0));
    }

    fn never(&mut self, place: &'static str, text: &str, program: &str, policy: &str) {
        let never = f64::from(u8::from(never(self, program, policy)));
        let text = format!("{text}: program {program} never ends under {policy}");
        self.says(place, text, never, Must::AtLeast(1.0));
    }

    /// A policy that is fair, or not: by how many programs end that every fair schedule ends.
    fn fair(&mut self, place: &'static str, text: &str, policy: &str, is: bool) {
        let (ending, all) = (ending(self, policy), FAIRLY_ENDING.len());
        let (says, must) = match is {
            true => ("all", Must::AtLeast(all as f64)),
            false => ("not all", Must::Below(all as f64)),
        };
        self.says(place, format!("{text}: {says} of {all} programs end under {policy} (those that do)"), ending, must);
    }
}

/// ESOP'12, section 5.1.
fn stacks(list: &mut List<'_>) {
    list.fair("ESOP'12 5", "Every weakly fair interleaving ends", "Mimd", true);
    list.never("ESOP'12 5.1", "The else path runs before thread 0", "2", "TokenStack");
    list.ends("ESOP'12 5.1", "If the if path were first, it would end", "2", "TokenStack<FallThroughFirst>");
    list.ends("ESOP'12 5.1", "If the statement were reversed, it would end", "2 swapped", "TokenStack");
    list.never("ESOP'12 5.1", "Thread 0 waits where the loop's paths meet", "3", "TokenStack");
    list.never("ESOP'12 5.1", "With either path first", "3", "TokenStack<FallThroughFirst>");
    list.ends("ESOP'12 Lemma 6", "What is sufficient is not necessary", "4", "TokenStack");
}

/// Section 5.2.
fn others(list: &mut List<'_>) {
    list.fair("ESOP'12 5.2", "Stack-less execution is as fair as its schedule", "StackLess<RoundRobin>", true);
    list.fair("ESOP'12 5.2", "Stack-less execution is as fair as its schedule", "StackLess<MostLanes>", false);
    list.fair("ESOP'12 5.2", "The lowest program counter first is unfair", "MinPc", false);
    list.fair("ESOP'12 5.2", "Of five schedules of warp formation DTime is fair", "Dwf<TimeStamp>", true);
    for policy in ["Dwf<Majority>", "Dwf<Minority>", "Dwf<LowestPc>", "Dwf<PdomPriority>"] {
        list.fair("ESOP'12 5.2", "Of five schedules only DTime is", policy, false);
    }
    list.fair("ESOP'12 5.2", "Block compaction suffers from unfairness", "BlockCompaction", false);
    list.ends("ESOP'12 5.2", "Subdivision interleaves divergent paths", "2", "WarpSubdivision");
    list.fair("ESOP'12 5.2", "Subdivision is unfair all the same", "WarpSubdivision", false);
}

/// The Hanoi paper.
fn volta(list: &mut List<'_>) {
    list.never("Hanoi III", "A spin lock hangs before Volta", "behind", "Ipdom");
    list.never("Hanoi III", "A spin lock hangs before Volta, whichever path is first", "behind", "Ipdom<SmallerFirst>");
    list.ends("Hanoi VI-C", "A spin lock ends on Turing", "behind", "Hanoi");
    list.ends("Hanoi VII-C", "YIELD runs the sibling path", "2 and more", "Hanoi");
    list.never("Hanoi VII-C", "Without a reconvergence point in common YIELD does nothing", "2", "Hanoi");
    list.fair("Hanoi IV", "Since Volta none of the constraints is left", "ConvergenceBarriers", true);
}

/// What holds of all launches together.
fn machines(list: &mut List<'_>) {
    let names = policies(list.results);
    for (what, clock) in [("without a clock", false), ("with a clock", true)] {
        let of_kind = list.results.endings.iter().filter(|((_, place), _)| place.has_clock() == clock);
        let outcomes = of_kind.flat_map(|(_, endings)| endings.iter().map(|ending| ending.outcome));
        let stopped: Vec<Outcome> = outcomes.filter(|outcome| *outcome != Outcome::Ends).collect();
        let proved = stopped.iter().filter(|outcome| **outcome != Outcome::GivenUp && **outcome != Outcome::Failed);
        let share = proved.count() as f64 / stopped.len().max(1) as f64;
        list.says("here", format!("Of launches {what} that do not end it is proved (share)"), share, Must::Above(0.5));
    }
    let (mut by_width, mut by_clock, mut worse) = (0, 0, 0);
    for program in waiting() {
        for policy in &names {
            let [narrow, wide, fung, turing] =
                Place::ALL.map(|place| outcome(list, program.name, policy, place) == Outcome::Ends);
            by_width += u32::from(narrow != wide);
            by_clock += u32::from(!wide && (fung || turing));
            worse += u32::from(wide && !(fung && turing));
        }
    }
    list.says(
        "here",
        "What ends does not depend on the width of warps (fields that do)",
        by_width.into(),
        Must::AtMost(0.0),
    );
    list.says(
        "here",
        "With a clock some end that never do without: another split issues while one waits (fields)",
        by_clock.into(),
        Must::Above(0.0),
    );
    list.says("here", "What ends without a clock ends with one (fields that do not)", worse.into(), Must::AtMost(0.0));
    let fair = list.results.endings.iter().flat_map(|(&(program, _), endings)| {
        endings.iter().filter(|ending| ending.fair).map(move |ending| (waiting()[program].name, ending.outcome))
    });
    let hanging =
        fair.filter(|(name, outcome)| FAIRLY_ENDING.contains(name) && *outcome != Outcome::Ends).count() as f64;
    list.says(
        "here",
        "Under policies that say that they are fair none hangs (launches that do)",
        hanging,
        Must::AtMost(0.0),
    );
}
