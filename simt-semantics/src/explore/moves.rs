//! Schedules as data: which threads move, transition by transition; printed, read, and handed to a run.

use crate::choice::Choice;
use crate::interleaved::Schedule;
use simt_core::LaneMask;
use std::fmt;
use std::str::FromStr;

/// The threads that make a transition.
///
/// Of interleaved threads it is one thread, or those that execute a collective together. Of a stack-less warp it is a group,
/// in the order in which its threads write. Of a warp it is the order in which the active threads write; no thread is named
/// for a transition that leaves nothing open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(Vec<usize>);

impl Move {
    /// These threads in this order; a number that comes again, or is not below 64, is left out.
    pub fn new(threads: impl IntoIterator<Item = usize>) -> Self {
        let mut known = LaneMask::EMPTY;
        let new = threads.into_iter().filter(|&thread| {
            let new = thread < 64 && !known.contains(thread);
            known |= if new { LaneMask::lane(thread) } else { LaneMask::EMPTY };
            new
        });
        Self(new.collect())
    }

    /// One thread.
    pub fn thread(thread: usize) -> Self {
        Self::new([thread])
    }

    /// These threads, in the order of their numbers.
    pub fn together(threads: LaneMask) -> Self {
        Self(threads.lanes().collect())
    }

    /// The threads in their order.
    pub fn order(&self) -> &[usize] {
        &self.0
    }

    /// The threads.
    pub fn mask(&self) -> LaneMask {
        self.0.iter().fold(LaneMask::EMPTY, |all, &thread| all | LaneMask::lane(thread))
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_slice() {
            [] => f.write_str("warp"),
            [thread] => write!(f, "thread {thread}"),
            threads => {
                f.write_str("threads")?;
                threads.iter().try_for_each(|thread| write!(f, " {thread}"))
            }
        }
    }
}

/// A schedule: the moves from the initial configuration to one that it bears witness of.
///
/// It prints as `thread 0 x3, thread 1 x5` and is read back from that, or from `0 x3, 1 x5`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Witness {
    /// The moves, the first first.
    pub moves: Vec<Move>,
}

impl Witness {
    /// Moves in a row that are the same, with their number.
    pub fn runs(&self) -> impl Iterator<Item = (&Move, usize)> {
        self.moves.chunk_by(|left, right| left == right).map(|run| (&run[0], run.len()))
    }

    /// How often the schedule switches to other threads.
    pub fn switches(&self) -> usize {
        let named = self.moves.iter().map(Move::mask).filter(|mask| !mask.is_empty());
        named.clone().zip(named.skip(1)).filter(|(before, after)| before != after).count()
    }
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.moves.is_empty() {
            return f.write_str("none");
        }
        self.runs().enumerate().try_for_each(|(number, (by, count))| {
            f.write_str(if number == 0 { "" } else { ", " })?;
            by.fmt(f)?;
            if count == 1 { Ok(()) } else { write!(f, " x{count}") }
        })
    }
}

/// A text that is no schedule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{part}` is no part of a schedule, which looks like `thread 0 x3, threads 1 2, thread 1 x5`: {why}")]
pub struct WitnessError {
    /// The part that cannot be read.
    pub part: String,
    why: &'static str,
}

/// More moves than a text may stand for.
const LONGEST: usize = 1 << 20;

impl FromStr for Witness {
    type Err = WitnessError;

    fn from_str(text: &str) -> Result<Self, WitnessError> {
        let mut witness = Self::default();
        if text.trim() == "none" {
            return Ok(witness);
        }
        for part in text.split(',') {
            let wrong = |why| WitnessError { part: part.trim().to_string(), why };
            let mut words: Vec<&str> = part.split_whitespace().collect();
            let times = words.last().and_then(|word| word.strip_prefix(['x', '×']));
            let count = match times.map(str::parse) {
                Some(Ok(count)) => count,
                Some(Err(_)) => return Err(wrong("behind `x` stands how often")),
                None => 1,
            };
            words.truncate(words.len() - usize::from(times.is_some()));
            let names = match words.split_first() {
                Some((&("thread" | "threads"), names)) => names,
                Some((&"warp", [])) => &[],
                Some(_) => &words,
                None => return Err(wrong("no thread is named")),
            };
            if names.is_empty() && words.first() != Some(&"warp") {
                return Err(wrong("no thread is named"));
            }
            let mut by = Move::default();
            for name in names {
                match name.parse() {
                    Ok(thread) if thread < 64 && !by.0.contains(&thread) => by.0.push(thread),
                    Ok(0..64) => return Err(wrong("a thread is named twice")),
                    _ => return Err(wrong("threads are numbers below 64")),
                }
            }
            if count > LONGEST - witness.moves.len() {
                return Err(wrong("it stands for more than 1048576 moves"));
            }
            witness.moves.extend(std::iter::repeat_n(by, count));
        }
        Ok(witness)
    }
}

/// A [`Witness`] as the [`Schedule`] of an [`Interleaved::run`](crate::Interleaved::run), and as the [`Choice`] of a warp.
/// Behind its end it stops the threads, and a warp writes in the order of the lanes.
///
/// At a collective such a run takes all threads that have come to it, where a witness may have fewer;
/// [`replay`](super::replay()) follows it move by move.
#[derive(Clone, Debug)]
pub struct Replay {
    rest: std::vec::IntoIter<Move>,
}

impl Replay {
    /// The schedule from its beginning.
    pub fn new(witness: &Witness) -> Self {
        Self { rest: witness.moves.clone().into_iter() }
    }
}

impl Schedule for Replay {
    fn next(&mut self, live: LaneMask) -> Option<usize> {
        self.rest.next()?.mask().lanes().next().filter(|&thread| live.contains(thread))
    }
}

impl Choice for Replay {
    fn order(&mut self, threads: LaneMask) -> Vec<usize> {
        let order = self.rest.find(|by| !by.order().is_empty()).filter(|by| by.mask() == threads);
        order.unwrap_or_else(|| Move::together(threads)).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schedule_is_read_as_it_is_printed() {
        for text in ["none", "thread 0 x3, threads 1 0, thread 1 x5", "warp x3, threads 2 0 1, warp"] {
            let witness: Witness = text.parse().unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(witness.to_string(), text);
        }
        let terse: Result<Witness, _> = "0 x2,1,0 ×1".parse();
        assert_eq!(terse.map(|witness| witness.to_string()).as_deref(), Ok("thread 0 x2, thread 1, thread 0"));
    }

    #[test]
    fn what_is_no_schedule_is_refused() {
        for text in
            ["", ",", "thread", "thread 64", "0 0", "0 x", "x3", "0 x1048577", "warp 1", "0 x99999999999999999999"]
        {
            let error = text.parse::<Witness>().expect_err(text);
            assert!(error.to_string().contains("is no part of a schedule"), "{error}");
        }
    }
}
