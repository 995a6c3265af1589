//! Configurations that come again: the proof that a block never ends in any order of its warps.
//!
//! A warp comes back to where it was (its policy, its registers, the calls that it is in), and on the way no lane has changed
//! memory. If that is so for each warp of the block that can run, nothing ever changes: whatever the order in which they
//! run, memory stays as it is, so each goes round as it did, and those that wait at barriers wait for ever. What memory
//! holds while a warp goes round is the same for all of them, as none changes it.
//!
//! Through barriers it is the block that comes back: from a barrier at which all warps wait back to it. What a warp does
//! between two of them follows from memory, which stays as it is, and from what it was told at the barrier; so here, too, the
//! order does not matter. Barriers with a count prove nothing, as it may depend on the order which warps meet there.
//!
//! All this is tried out on copies of the warps: the block itself stays where it is, and so does memory, as nothing is run that
//! would change it. An ordinary kernel soon comes to something that does, which ends the trial.
//!
//! What is kept to compare with is replaced after 1, 2, 4, 8, .. segments (Brent 1980, *An improved Monte Carlo factorization
//! algorithm*, section 2): a circle is found after at most three times as many as it takes to come into it and around.

mod compared;
pub(super) mod trial;
mod writes;

use super::{Block, Launch, Spent, Stopped, Units, Why};
use crate::lanes::Registers;
use crate::memory::Memory;
use crate::observe::Observer;
use crate::plan::Plan;
use crate::policy::WarpPart;
use simt_core::LaneMask;
use simt_core::code::Pc;
use std::collections::BTreeMap;

/// What a segment costs to look at beyond its instructions, in units of work.
const SEGMENT: u64 = 4;

/// How many instructions of a warp that is given up are looked at, to see what it does.
const WINDOW: u64 = 1 << 10;

/// The segments that a warp ran, by address, and the lanes that ran them.
pub(crate) type Circle = BTreeMap<Pc, LaneMask>;

/// Why it is not known whether warps go round in circles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// They change memory, or do something else that cannot be taken back.
    Changes,
    /// A warp has come to a barrier.
    Arrives,
    /// It would take longer than it may, or cannot be looked at.
    TooLong,
}

/// How strong the statement is that a launch never ends.
///
/// All of them are about this policy and this input. Blocks run one after the other in the order of their numbers, so a block
/// cannot wait for a later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LivelockProof {
    /// Proved for every order in which the warps of the block may run, as long as all get their turns: each comes back to
    /// where it was and changes nothing that others see, or it is the only one that can run.
    EverySchedule,
    /// Proved if the warps of a block run one after the other, each to its end, as they do where a kernel has no barriers,
    /// atomics or volatile accesses: the warp comes back to where it was. A later warp that ran at the same time might
    /// change what it reads.
    OneAfterTheOther,
    /// Proved for this policy, which regroups the threads of the block and so decides on the order of all of them: the block
    /// comes back to where it was, memory and all.
    ThisPolicy,
    /// Not proved: the block was given up.
    GivenUp {
        /// How much it had done since a thread of it ended or, unless barriers opened all the time, since a barrier opened. In
        /// the units of [`GpuConfig::progress_limit`](crate::GpuConfig::progress_limit).
        work: u64,
        /// Whether barriers opened meanwhile.
        barriers: bool,
    },
}

impl LivelockProof {
    /// Whether it is proved that the launch never ends, on this machine under this policy.
    pub fn is_proved(self) -> bool {
        !matches!(self, Self::GivenUp { .. })
    }
}

/// When what is kept to compare with is replaced.
struct Distance {
    /// Comparisons since it was kept, and after how many it is replaced.
    now: u64,
    replaced_after: u64,
}

impl Distance {
    fn new() -> Self {
        Self { now: 0, replaced_after: 1 }
    }

    /// It has been compared once more, and was another.
    fn is_to_be_replaced(&mut self) -> bool {
        self.now += 1;
        let replaced = self.now == self.replaced_after;
        if replaced {
            *self = Self { now: 0, replaced_after: 2 * self.replaced_after };
        }
        replaced
    }
}

/// What registers hold that the plan uses.
pub(super) fn contents(plan: &Plan, registers: &Registers) -> impl Iterator<Item = u64> {
    let (words, wides, predicates) = registers.contents(plan);
    let words = words.iter().flat_map(|chunk| chunk.0).map(u64::from);
    words.chain(wides.iter().flat_map(|chunk| chunk.0)).chain(predicates.iter().copied())
}

impl<U: Units> Block<U> {
    /// Stops a launch that has spent what it may. Units run on for a little, to see what they do.
    #[cold]
    pub(crate) fn given_up<O: Observer>(
        &mut self,
        spent: Spent,
        launch: &Launch<'_>,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> Box<Stopped> {
        let Spent::WithoutProgress { work, barriers } = spent else {
            return self.stopped(self.first_left(), Why::Spent(spent));
        };
        let mut circles = self.no_circles();
        for unit in 0..U::count(self.units.warps().len()) {
            let length = if U::REGROUPS { WINDOW.saturating_mul(self.units.warps().len() as u64) } else { WINDOW };
            if let Err(stopped) = self.window(unit, length, &mut circles, launch, memory, observer) {
                return stopped;
            }
        }
        self.livelock(circles, LivelockProof::GivenUp { work, barriers })
    }

    /// Stops a block that never ends.
    #[cold]
    pub(crate) fn livelock(&mut self, circles: Vec<Circle>, proof: LivelockProof) -> Box<Stopped> {
        self.stopped(0, Why::Livelock { circles, proof })
    }

    /// Stops a block none of whose warps can go on.
    #[cold]
    pub(crate) fn deadlocked(&mut self) -> Box<Stopped> {
        self.stopped(0, Why::Deadlock)
    }

    fn no_circles(&self) -> Vec<Circle> {
        self.units.warps().iter().map(|_| Circle::new()).collect()
    }

    /// A unit issues so many instructions, segment by segment: notes which.
    fn window<O: Observer>(
        &mut self,
        unit: usize,
        length: u64,
        circles: &mut [Circle],
        launch: &Launch<'_>,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> Result<(), Box<Stopped>> {
        self.units.settle();
        let end = self.units.steps(unit) + length;
        while self.units.steps(unit) < end && self.units.runs(unit) && self.note(unit, circles) {
            let turned = self.turn(unit, 0, launch, memory, observer)?;
            if !turned.goes_on::<U>() {
                break;
            }
        }
        Ok(())
    }

    /// Notes which segment a unit runs next. Returns whether there is one.
    fn note(&self, unit: usize, circles: &mut [Circle]) -> bool {
        let mut parts = U::Parts::default();
        let Some(pc) = self.units.current(unit, &mut parts) else { return false };
        for &WarpPart { warp, lanes } in &*parts {
            *circles[warp].entry(pc).or_insert(LaneMask::EMPTY) |= lanes;
        }
        true
    }
}
