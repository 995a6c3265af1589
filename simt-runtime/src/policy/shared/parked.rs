//! Lanes that wait for others of their warp at an operation of lanes together, or for other warps at a barrier.

use super::WarpSplit;
use simt_core::LaneMask;
use smallvec::SmallVec;

/// What a policy keeps of lanes that go together.
pub(crate) trait Lanes: Copy {
    fn lanes(self) -> LaneMask;
    /// The same with these lanes only.
    fn of(self, lanes: LaneMask) -> Self;
}

impl Lanes for WarpSplit {
    #[inline(always)]
    fn lanes(self) -> LaneMask {
        self.mask
    }
    fn of(self, mask: LaneMask) -> Self {
        Self { mask, ..self }
    }
}

/// Splits that wait, in the order in which they came.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Parked<S>(SmallVec<[S; 4]>);

impl<S> Default for Parked<S> {
    fn default() -> Self {
        Self(SmallVec::new())
    }
}

impl<S: Lanes> Parked<S> {
    pub(crate) fn park(&mut self, split: S) {
        self.0.push(split);
    }

    /// These lanes wait no longer. Returns one split of them after the other.
    pub(crate) fn wake(&mut self, lanes: LaneMask) -> Option<S> {
        let place = self.0.iter().position(|split| !(split.lanes() & lanes).is_empty())?;
        let (split, rest) = (self.0[place], self.0[place].lanes() - lanes);
        if rest.is_empty() {
            return Some(self.0.remove(place));
        }
        self.0[place] = split.of(rest);
        Some(split.of(split.lanes() & lanes))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = S> {
        self.0.iter().copied()
    }
}
