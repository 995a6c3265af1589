//! The tokens that a machine with a small stack moves to memory and back. They are only counted; no result depends on it.

use crate::policy::Figure;

/// The oldest tokens of a stack are in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spills {
    /// How many the machine holds.
    held: usize,
    /// How many are in memory.
    spilled: usize,
    spills: u64,
    fills: u64,
    deepest: usize,
}

impl Spills {
    pub(super) fn new(held: usize) -> Self {
        Self { held, spilled: 0, spills: 0, fills: 0, deepest: 0 }
    }

    /// A token was pushed; the stack now holds so many.
    #[inline(always)]
    pub(super) fn pushed(&mut self, tokens: usize) {
        self.deepest = self.deepest.max(tokens);
        if tokens - self.spilled > self.held {
            self.spilled += 1;
            self.spills += 1;
        }
    }

    /// A token was popped; the stack still holds so many.
    #[inline(always)]
    pub(super) fn popped(&mut self, below: usize) {
        if below < self.spilled {
            self.spilled -= 1;
            self.fills += 1;
        }
    }

    #[inline]
    pub(super) fn figures(&self, tell: &mut dyn FnMut(Figure)) {
        tell(Figure::highest("deepest stack (tokens)", self.deepest as u64));
        tell(Figure::sum("tokens spilled", self.spills));
        tell(Figure::sum("tokens filled", self.fills));
    }
}
