//! What a thread knows of others: which of their accesses are before all that it does now.

use super::tree::{Join, Joined, Tree};
use std::cmp::Ordering;
use std::rc::Rc;

/// The number of known releases of each thread of a block.
type Releases = Rc<Vec<u32>>;

/// What a thread knows.
#[derive(Clone, Debug, Default)]
pub(super) struct Knowledge {
    /// Of the threads of its block.
    pub(super) own: Releases,
    /// Of other blocks.
    pub(super) heard: Heard,
}

impl Knowledge {
    /// That of a thread of a block of so many which knows of none.
    pub(super) fn nothing(threads: usize) -> Self {
        Self { own: Rc::new(vec![0; threads]), heard: Heard::default() }
    }

    /// Whether both are the same, at one place.
    pub(super) fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.own, &other.own) && self.heard.is(&other.heard)
    }

    /// Adds the knowledge of another thread of the block.
    pub(super) fn join(&mut self, other: &Self) {
        join(&mut self.own, &other.own);
        self.heard.join(&other.heard);
    }
}

/// PERF: keeps the one of both that has all, so that they share it.
fn join(known: &mut Releases, other: &Releases) {
    if Rc::ptr_eq(known, other) || known.iter().zip(&**other).all(|(known, other)| known >= other) {
        return;
    }
    if known.iter().zip(&**other).all(|(known, other)| known <= other) {
        known.clone_from(other);
    } else {
        Rc::make_mut(known).iter_mut().zip(&**other).for_each(|(known, &other)| *known = other.max(*known));
    }
}

/// As [`Knowledge::join`], where there may be none yet.
pub(super) fn join_to(known: &mut Option<Knowledge>, other: Knowledge) {
    match known {
        Some(known) => known.join(&other),
        None => *known = Some(other),
    }
}

/// What is known of a block.
#[derive(Clone, Debug, Default)]
struct OfBlock {
    /// All of the times before its threads have all met so often, ..
    era: u32,
    /// .. and how often each had released since that had, by thread.
    releases: Tree<u32>,
}

impl Join for OfBlock {
    fn joined(&self, other: &Self) -> Joined<Self> {
        match self.era.cmp(&other.era) {
            Ordering::Less => Joined::Second,
            Ordering::Equal => self.releases.joined(&other.releases).map(|releases| Self { era: self.era, releases }),
            Ordering::Greater => Joined::First,
        }
    }
}

/// What is known of other blocks, by number.
#[derive(Clone, Debug, Default)]
pub(super) struct Heard(Tree<OfBlock>);

impl Heard {
    fn is(&self, other: &Self) -> bool {
        self.0.is(&other.0)
    }

    pub(super) fn is_nothing(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds what another has heard.
    pub(super) fn join(&mut self, other: &Self) {
        self.0.join(&other.0);
    }

    /// Adds what a thread of a block, whose threads have all met so often, knows of them.
    pub(super) fn add(&mut self, block: u32, era: u32, own: &[u32]) {
        self.0.join(&Tree::of(block, OfBlock { era, releases: Tree::of_all(own) }));
    }

    /// Adds what it tells of a block's own threads, since all have met so often, to what is known of them.
    pub(super) fn tell_own(&self, (block, era): (u32, u32), own: &mut Releases) {
        if let Some(of) = self.0.get(block).filter(|of| of.era == era && !of.releases.is_empty()) {
            let mut raised = own.to_vec();
            of.releases.raise(&mut raised);
            join(own, &Rc::new(raised));
        }
    }

    /// Whether it tells of what a thread of a block did at a time of its own clock, when all had met so often.
    pub(super) fn knows(&self, block: u32, era: u32, (thread, then): (u32, u32)) -> bool {
        let has = |of: &OfBlock| of.releases.get(thread).is_some_and(|&count| count >= then);
        self.0.get(block).is_some_and(|of| era < of.era || era == of.era && has(of))
    }
}
