//! Lanes that wait for others of their warp at an operation of lanes together, or for other warps at a barrier.

use super::WarpSplit;
use simt_core::LaneMask;
use smallvec::SmallVec;

/// What a policy keeps of lanes that go together.
pub(crate) trait Lanes: Copy {
    fn lanes(self) -> LaneMask;
}

impl Lanes for WarpSplit {
    #[inline(always)]
    fn lanes(self) -> LaneMask {
        self.mask
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

    /// These lanes wait no longer. Returns one split after the other, of those that have no other lanes.
    pub(crate) fn wake(&mut self, lanes: LaneMask) -> Option<S> {
        let woken = self.0.iter().position(|split| split.lanes().is_subset(lanes))?;
        Some(self.0.remove(woken))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = S> {
        self.0.iter().copied()
    }
}
