//! The threads that have executed an instruction, of those that issued it.
//!
//! Lanes that return to different places, or take different ways of an indirect branch, go one place after the other: each
//! goes with one of several issues.

use crate::observe::{Observer, Ran, WarpId};
use crate::policy::{ThreadMask, WarpPart};
use simt_core::LaneMask;

/// The threads that have executed the last instruction, by warp.
#[derive(Clone, Debug, Default)]
pub(crate) struct Executed {
    warp: usize,
    parts: Vec<WarpPart>,
    /// Whether the parts are of several warps, and were told.
    formed: bool,
}

impl Executed {
    /// Another instruction begins.
    pub(crate) fn begin(&mut self) {
        self.parts.clear();
        self.formed = false;
    }

    /// The threads that have executed the instruction.
    pub(crate) fn parts(&self) -> &[WarpPart] {
        &self.parts
    }
}

impl Observer for Executed {
    fn warp(&mut self, warp: WarpId) {
        self.warp = warp.warp;
    }

    fn formed(&mut self, _block: usize, threads: &ThreadMask) {
        self.parts.clear();
        self.parts.extend(threads.parts());
        self.formed = true;
    }

    fn ran(&mut self, _run: Ran<'_>, mask: LaneMask, _taken: LaneMask) {
        if !self.formed {
            self.parts.push(WarpPart { warp: self.warp, lanes: mask });
        }
    }
}
