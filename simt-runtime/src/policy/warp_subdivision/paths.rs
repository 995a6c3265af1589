//! The paths of a warp: a tree, whose inner nodes wait for those above them.

use crate::policy::WarpSplit;
use simt_core::LaneMask;
use simt_core::code::Pc;
use smallvec::SmallVec;

/// No address: the path ends with the kernel or, in a function, with its return.
pub(super) const NEVER: Pc = Pc(u32::MAX);

/// The state of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Nothing: its place is free.
    Free,
    /// It has its turns.
    Runs,
    /// It waits for the paths above it.
    Waits,
    /// It has no room.
    Pending,
    /// It waits for others at a collective or barrier.
    Parked,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Path {
    pub(super) state: State,
    /// The path that goes on where this one ends.
    pub(super) below: Option<u32>,
    /// How many paths there are above it.
    pub(super) above: u32,
    /// Whether those are its own parts, divided at a load, which meet before the next branch.
    pub(super) parted: bool,
    /// Where it ends.
    pub(super) reconvergence: Pc,
    /// Where its lanes are, or go on.
    pub(super) next: Pc,
    /// Its lanes, those of paths above it included.
    pub(super) mask: LaneMask,
}

impl Path {
    const FREE: Self = Self {
        state: State::Free,
        below: None,
        above: 0,
        parted: false,
        reconvergence: NEVER,
        next: NEVER,
        mask: LaneMask::EMPTY,
    };
}

/// Paths by place. A place that has become free is taken again.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Paths {
    /// The first paths, which are seldom too few, and the others.
    few: [Path; FEW],
    more: Vec<Path>,
    /// PERF: the paths that run, and the free places, as a bit for each place that has one, so that there is no search.
    runs: u64,
    free: u64,
}

/// The number of places that suffices most often.
const FEW: usize = 8;
/// The number of places that have a bit.
const BITS: usize = u64::BITS as usize;

impl Default for Paths {
    fn default() -> Self {
        Self { few: [Path::FREE; FEW], more: Vec::new(), runs: 0, free: u64::MAX }
    }
}

impl Paths {
    /// How many places there are.
    pub(super) fn len(&self) -> usize {
        FEW + self.more.len()
    }

    fn iter(&self) -> impl Iterator<Item = &Path> {
        self.few.iter().chain(&self.more)
    }

    #[inline(always)]
    pub(super) fn get(&self, place: usize) -> &Path {
        if place < FEW { &self.few[place] } else { &self.more[place - FEW] }
    }

    /// A path; its state changes in the methods here only.
    #[inline(always)]
    pub(super) fn at(&mut self, place: usize) -> &mut Path {
        if place < FEW { &mut self.few[place] } else { &mut self.more[place - FEW] }
    }

    /// Changes the state of a path, which does not become free.
    #[inline(always)]
    pub(super) fn set(&mut self, place: usize, state: State) {
        self.at(place).state = state;
        self.mark(place, state);
    }

    /// A path waits for so many above it, and goes on at an address then.
    #[inline(always)]
    pub(super) fn wait(&mut self, place: usize, next: Pc, above: u32) {
        let path = self.at(place);
        (path.state, path.next, path.above) = (State::Waits, next, above);
        self.mark(place, State::Waits);
    }

    /// A path that is whole begins or goes on.
    #[inline(always)]
    pub(super) fn begin(&mut self, place: usize, state: State) {
        let path = self.at(place);
        (path.state, path.parted) = (state, false);
        self.mark(place, state);
    }

    /// The path at a place, which is not free, runs or does not.
    ///
    /// PERF: what is free is not written along: the compiler would load both words as one, and that load waits until the stores of
    /// its halves have left the processor.
    #[inline(always)]
    fn mark(&mut self, place: usize, state: State) {
        if place < BITS {
            let bit = 1 << place;
            self.runs = if state == State::Runs { self.runs | bit } else { self.runs & !bit };
        }
    }

    /// A path that runs, or has no room. The one below it is to count it.
    #[inline(always)]
    pub(super) fn add(&mut self, path: Path) -> usize {
        let mut place = self.free.trailing_zeros() as usize;
        if place >= FEW {
            place = self.free_behind();
        }
        // PERF: field by field: see `Stack::grow`.
        let Path { state, below, above, parted, reconvergence, next, mask } = path;
        let there = self.at(place);
        (there.state, there.below, there.above, there.parted) = (state, below, above, parted);
        (there.reconvergence, there.next, there.mask) = (reconvergence, next, mask);
        self.mark(place, state);
        if place < BITS {
            self.free &= !(1 << place);
        }
        place
    }

    #[cold]
    #[inline(never)]
    fn free_behind(&mut self) -> usize {
        let free = self.more.iter().position(|path| path.state == State::Free).unwrap_or(self.more.len());
        if free == self.more.len() {
            self.more.push(Path::FREE);
        }
        FEW + free
    }

    /// Ends a path; returns whether it ran, and the one below it.
    #[inline(always)]
    pub(super) fn remove(&mut self, place: usize) -> (bool, Option<usize>) {
        let path = self.at(place);
        let (ran, below) = (path.state == State::Runs, path.below.map(|below| below as usize));
        *path = Path::FREE;
        self.mark(place, State::Free);
        if place < BITS {
            self.free |= 1 << place;
        }
        (ran, below)
    }

    /// The first path from a place on that runs, or the first of all.
    #[inline(always)]
    pub(super) fn next_that_runs(&self, from: usize) -> Option<usize> {
        if self.len() > BITS {
            return self.next_of_many(from);
        }
        let behind = self.runs & u64::MAX.checked_shl(from as u32).unwrap_or(0);
        let runs = if behind == 0 { self.runs } else { behind };
        (runs != 0).then_some(runs.trailing_zeros() as usize)
    }

    #[cold]
    #[inline(never)]
    fn next_of_many(&self, from: usize) -> Option<usize> {
        let runs = |&place: &usize| self.get(place).state == State::Runs;
        let from = from.min(self.len());
        (from..self.len()).find(runs).or_else(|| (0..from).find(runs))
    }

    /// The first path that runs and has some of these lanes, and others.
    pub(super) fn parted_by(&self, lanes: LaneMask) -> Option<usize> {
        let parted = |path: &Path| !(path.mask & lanes).is_empty() && !path.mask.is_subset(lanes);
        self.iter().position(|path| path.state == State::Runs && parted(path))
    }

    /// The path above the same one, with the same end, that stands at an address.
    pub(super) fn sibling(&self, below: Option<u32>, reconvergence: Pc, next: Pc) -> Option<usize> {
        self.iter().position(|path| {
            matches!(path.state, State::Runs | State::Pending)
                && (path.below, path.reconvergence, path.next) == (below, reconvergence, next)
                && !path.mask.is_empty()
        })
    }

    /// Another path with the same end and parent as this one.
    pub(super) fn sibling_of(&mut self, place: usize) -> Option<usize> {
        let Path { state, below, reconvergence, next, .. } = *self.at(place);
        self.at(place).state = State::Waits;
        let found = self.sibling(below, reconvergence, next);
        self.at(place).state = state;
        found
    }

    /// Removes lanes that have ended.
    pub(super) fn forget(&mut self, lanes: LaneMask) {
        self.few.iter_mut().chain(&mut self.more).for_each(|path| path.mask = path.mask - lanes);
    }

    /// The lanes that wait where paths meet.
    pub(super) fn held(&self) -> impl Iterator<Item = WarpSplit> {
        self.with_own_lanes().filter(|(path, _)| path.state == State::Waits).map(|(_, split)| split)
    }

    /// Each lane with the path that is furthest up.
    pub(super) fn by_lanes(&self) -> impl Iterator<Item = WarpSplit> {
        self.with_own_lanes().map(|(_, split)| split)
    }

    /// The paths that have lanes which no other above them has, with these.
    fn with_own_lanes(&self) -> impl Iterator<Item = (&Path, WarpSplit)> {
        let mut masks: SmallVec<[LaneMask; 16]> = self.iter().map(|path| path.mask).collect();
        for Path { below, mask, .. } in self.iter() {
            if let Some(below) = *below {
                masks[below as usize] = masks[below as usize] - *mask;
            }
        }
        let splits = self.iter().zip(masks).map(|(path, mask)| (path, WarpSplit { pc: path.next, mask }));
        splits.filter(|(_, split)| !split.mask.is_empty())
    }
}
