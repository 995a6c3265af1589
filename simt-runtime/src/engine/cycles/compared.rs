//! What repeats itself, memory and all.
//!
//! A warp that runs while no other of its block can, and a block whose threads the policy regroups, go on as their
//! configuration says: policies, registers, which threads have run ahead, barriers, and memory. So a configuration that
//! comes a second time comes again and again, also if memory changes on the way. That is a proof; that none has come again
//! so far proves nothing.
//!
//! They are looked at segment by segment while they run, for as long as a look may take.

use super::{Distance, LivelockProof, SEGMENT};
use crate::engine::{Block, Launch, Stopped, Turned, Units};
use crate::memory::Memory;
use crate::observe::Observer;

/// What memory held, and how much may still be looked at.
struct Image {
    effort: u64,
    /// What it costs to look at all of memory, in units of work.
    price: u64,
    words: Vec<u64>,
    now: Vec<u64>,
}

impl Image {
    /// For a look at so much.
    fn new(effort: u64, memory: &Memory<'_>) -> Self {
        Self { effort, price: memory.size() as u64 / 4, words: Vec::new(), now: Vec::new() }
    }

    fn pay(&mut self, price: u64) -> Option<()> {
        self.effort = self.effort.checked_sub(price)?;
        Some(())
    }

    /// A segment of so many instructions is looked at. Nothing if that is too much.
    fn segment(&mut self, instructions: u64) -> Option<()> {
        self.pay(instructions + SEGMENT)
    }

    /// Keeps what memory holds.
    fn keep(&mut self, memory: &Memory<'_>) -> Option<()> {
        self.pay(self.price)?;
        self.words.clear();
        memory.show(&mut self.words);
        Some(())
    }

    /// Whether memory holds what it did.
    fn is(&mut self, memory: &Memory<'_>) -> Option<bool> {
        self.pay(self.price)?;
        self.now.clear();
        memory.show(&mut self.now);
        Some(self.now == self.words)
    }
}

impl<U: Units> Block<U> {
    /// Whether nothing else of the block runs when a unit does, until that comes to a barrier.
    pub(in crate::engine) fn runs_alone(&self, unit: usize) -> bool {
        (0..U::count(self.units.warps().len())).all(|other| self.units.runs(other) == (other == unit))
    }

    /// A turn of a unit that runs alone, compared with where it was after each segment.
    #[cold]
    pub(in crate::engine) fn turn_compared<O: Observer>(
        &mut self,
        unit: usize,
        effort: u64,
        launch: &Launch<'_>,
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> Result<Turned, Box<Stopped>> {
        let mut image = Image::new(effort, memory);
        let (mut kept, mut barriers) = (self.units.keep(unit, launch), self.barriers.clone());
        let (mut distance, mut length) = (Distance::new(), 0);
        if image.keep(memory).is_none() {
            return self.turn(unit, 0, launch, memory, observer);
        }
        let mut whole = None;
        loop {
            let turned = self.turn(unit, 0, launch, memory, observer)?;
            let whole = whole.get_or_insert(turned);
            whole.add(turned);
            length += turned.issued;
            if !turned.goes_on::<U>() || image.segment(turned.issued).is_none() {
                return Ok(*whole);
            }
            if self.units.is(unit, &kept, launch) && self.barriers == barriers {
                match image.is(memory) {
                    Some(true) => {
                        let mut circles = self.no_circles();
                        self.window(unit, length, &mut circles, launch, memory, observer)?;
                        return Err(self.livelock(circles, self.proof(launch)));
                    }
                    Some(false) => {}
                    None => return Ok(*whole),
                }
            }
            if distance.is_to_be_replaced() {
                (kept, barriers, length) = (self.units.keep(unit, launch), self.barriers.clone(), 0);
                if image.keep(memory).is_none() {
                    return Ok(*whole);
                }
            }
        }
    }

    /// How strong the statement is that a block never ends which comes back to where it was.
    pub(in crate::engine) fn proof(&self, launch: &Launch<'_>) -> LivelockProof {
        match self.units.only() {
            _ if U::REGROUPS => LivelockProof::ThisPolicy,
            Some(warp) if warp + 1 < launch.warps() => LivelockProof::OneAfterTheOther,
            _ => LivelockProof::EverySchedule,
        }
    }
}
