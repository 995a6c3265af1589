//! What a thread knows of others: which of their accesses are before all that it does now.

use smallvec::SmallVec;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
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

fn join(known: &mut Releases, other: &Releases) {
    if !Rc::ptr_eq(known, other) {
        let known = Rc::make_mut(known);
        known.iter_mut().zip(other.iter()).for_each(|(known, &other)| *known = other.max(*known));
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
#[derive(Clone, Debug)]
struct OfBlock {
    /// All of the times before its threads have all met so often, ..
    era: u32,
    /// .. and how often each had released since that had, by thread. They are few: a thread that tells others knows of those which
    /// it has heard of since all have met.
    releases: SmallVec<[(u32, u32); 2]>,
}

impl OfBlock {
    /// Adds what else is known of it.
    fn join(&mut self, other: &Self) {
        if self.era < other.era {
            self.clone_from(other);
        } else if self.era == other.era {
            for &(thread, count) in &other.releases {
                match self.releases.binary_search_by_key(&thread, |&(thread, _)| thread) {
                    Ok(place) => self.releases[place].1 = count.max(self.releases[place].1),
                    Err(place) => self.releases.insert(place, (thread, count)),
                }
            }
        }
    }

    /// Whether it is of what a thread did at a time of its own clock.
    fn has(&self, thread: u32, then: u32) -> bool {
        let place = self.releases.binary_search_by_key(&thread, |&(thread, _)| thread);
        place.is_ok_and(|place| self.releases[place].1 >= then)
    }
}

/// Blocks of a neighbourhood.
const NEIGHBOURS: u32 = 32;

/// What is known of the blocks of a neighbourhood, by number.
type Neighbourhood = BTreeMap<u32, OfBlock>;

/// What is known of other blocks. PERF: what two threads know differs in few neighbourhoods, and they share the others: thousands of
/// blocks may count on one atomic.
#[derive(Clone, Debug, Default)]
pub(super) struct Heard(Option<Rc<BTreeMap<u32, Rc<Neighbourhood>>>>);

impl Heard {
    fn is(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(own), Some(other)) => Rc::ptr_eq(own, other),
            _ => false,
        }
    }

    pub(super) fn is_nothing(&self) -> bool {
        self.0.is_none()
    }

    /// Adds what another has heard.
    pub(super) fn join(&mut self, other: &Self) {
        if self.is(other) {
            return;
        }
        match (&mut self.0, &other.0) {
            (_, None) => {}
            (own @ None, Some(_)) => own.clone_from(&other.0),
            (Some(own), Some(other)) => {
                let own = Rc::make_mut(own);
                other.iter().for_each(|(&number, blocks)| match own.entry(number) {
                    Entry::Vacant(place) => drop(place.insert(Rc::clone(blocks))),
                    Entry::Occupied(known) if Rc::ptr_eq(known.get(), blocks) => {}
                    Entry::Occupied(mut known) => {
                        let known = Rc::make_mut(known.get_mut());
                        blocks.iter().for_each(|(&block, of)| add(known, block, Cow::Borrowed(of)));
                    }
                });
            }
        }
    }

    /// Adds what a thread of a block, whose threads have all met so often, knows of them.
    pub(super) fn add(&mut self, block: u32, era: u32, own: &Releases) {
        let releases = (0..).zip(own.iter().copied()).filter(|&(_, count)| count > 0).collect();
        let of = OfBlock { era, releases };
        let known = Rc::make_mut(self.0.get_or_insert_default()).entry(block / NEIGHBOURS).or_default();
        add(Rc::make_mut(known), block, Cow::Owned(of));
    }

    /// What it tells of a block's own threads to one of them: how often each had released, since all have met so often.
    pub(super) fn of_own(&self, block: u32, era: u32) -> impl Iterator<Item = (u32, u32)> {
        let of = self.0.as_ref().and_then(|heard| heard.get(&(block / NEIGHBOURS))?.get(&block));
        of.filter(|of| of.era == era).into_iter().flat_map(|of| of.releases.iter().copied())
    }

    /// Whether it tells of what a thread of a block did at a time of its own clock, when all had met so often.
    pub(super) fn knows(&self, block: u32, era: u32, (thread, then): (u32, u32)) -> bool {
        let of = self.0.as_ref().and_then(|heard| heard.get(&(block / NEIGHBOURS))?.get(&block));
        of.is_some_and(|of| era < of.era || era == of.era && of.has(thread, then))
    }
}

fn add(known: &mut Neighbourhood, block: u32, of: Cow<'_, OfBlock>) {
    match known.entry(block) {
        Entry::Vacant(place) => drop(place.insert(of.into_owned())),
        Entry::Occupied(mut place) => place.get_mut().join(&of),
    }
}
