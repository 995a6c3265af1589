//! The paths of a warp: a tree, whose inner nodes wait for those above them.

use crate::policy::WarpSplit;
use simt_core::LaneMask;
use simt_core::code::Pc;
use smallvec::SmallVec;

/// No address: the path ends with the kernel or, in a function, with its return.
pub(super) const NEVER: Pc = Pc(u32::MAX);

/// What a path does.
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
    pub(super) below: Option<usize>,
    /// How many paths there are above it.
    pub(super) above: usize,
    /// Where it ends.
    pub(super) reconvergence: Pc,
    /// Where its lanes are, or go on.
    pub(super) next: Pc,
    /// Its lanes, those of paths above it included.
    pub(super) mask: LaneMask,
}

impl Path {
    const FREE: Self =
        Self { state: State::Free, below: None, above: 0, reconvergence: NEVER, next: NEVER, mask: LaneMask::EMPTY };
}

/// Paths by place. A place that has become free is taken again.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Paths(SmallVec<[Path; 4]>);

impl Paths {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    pub(super) fn get(&self, place: usize) -> Option<&Path> {
        self.0.get(place)
    }

    #[inline(always)]
    pub(super) fn at(&mut self, place: usize) -> &mut Path {
        &mut self.0[place]
    }

    /// A path that is yet to begin.
    pub(super) fn add(&mut self, below: Option<usize>, reconvergence: Pc, next: Pc, mask: LaneMask) -> usize {
        if let Some(below) = below {
            self.0[below].above += 1;
        }
        let path = Path { state: State::Pending, below, above: 0, reconvergence, next, mask };
        match self.0.iter().position(|path| path.state == State::Free) {
            Some(place) => {
                self.0[place] = path;
                place
            }
            None => {
                self.0.push(path);
                self.0.len() - 1
            }
        }
    }

    /// Ends a path; gives the one below it.
    pub(super) fn remove(&mut self, place: usize) -> Option<usize> {
        let path = std::mem::replace(&mut self.0[place], Path::FREE);
        if let Some(below) = path.below {
            self.0[below].above -= 1;
        }
        path.below
    }

    /// The first path from a place on that runs, or the first of all.
    #[inline(always)]
    pub(super) fn next_that_runs(&self, from: usize) -> Option<usize> {
        let runs = |&place: &usize| self.0[place].state == State::Runs;
        let from = from.min(self.0.len());
        (from..self.0.len()).find(runs).or_else(|| (0..from).find(runs))
    }

    /// The first path that runs and has some of these lanes, and others.
    pub(super) fn parted_by(&self, lanes: LaneMask) -> Option<usize> {
        let parted = |path: &Path| !(path.mask & lanes).is_empty() && !path.mask.is_subset(lanes);
        self.0.iter().position(|path| path.state == State::Runs && parted(path))
    }

    /// The path above the same one, with the same end, that stands at an address.
    pub(super) fn sibling(&self, below: Option<usize>, reconvergence: Pc, next: Pc) -> Option<usize> {
        self.0.iter().position(|path| {
            matches!(path.state, State::Runs | State::Pending)
                && (path.below, path.reconvergence, path.next) == (below, reconvergence, next)
                && !path.mask.is_empty()
        })
    }

    /// Another such path than this one.
    pub(super) fn sibling_of(&mut self, place: usize) -> Option<usize> {
        let path = self.0[place];
        self.0[place].state = State::Waits;
        let found = self.sibling(path.below, path.reconvergence, path.next);
        self.0[place].state = path.state;
        found
    }

    /// Lanes have ended.
    pub(super) fn forget(&mut self, lanes: LaneMask) {
        self.0.iter_mut().for_each(|path| path.mask = path.mask - lanes);
    }

    /// Each lane with the path that is furthest up.
    pub(super) fn by_lanes(&self) -> impl Iterator<Item = WarpSplit> {
        let mut masks: SmallVec<[LaneMask; 16]> = self.0.iter().map(|path| path.mask).collect();
        for Path { below, mask, .. } in &self.0 {
            if let Some(below) = *below {
                masks[below] = masks[below] - *mask;
            }
        }
        let splits = masks.into_iter().zip(&self.0).map(|(mask, path)| WarpSplit { pc: path.next, mask });
        splits.filter(|split| !split.mask.is_empty())
    }
}
