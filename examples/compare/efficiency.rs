//! An observer of our own: how full each warp was on average, for the picture of the warps.

use simt::core::LaneMask;
use simt::core::code::Pc;
use simt::observe::{Observer, WarpId};

/// Adds up each warp's issues.
#[derive(Default)]
pub(crate) struct EfficiencyOfWarps {
    warps_per_block: usize,
    now: usize,
    warps: Vec<Load>,
}

#[derive(Clone, Copy, Default)]
struct Load {
    issues: u64,
    active_lanes: u64,
}

impl EfficiencyOfWarps {
    pub(crate) fn new(warps_per_block: usize) -> Self {
        Self { warps_per_block, ..Self::default() }
    }

    /// Each warp's SIMD efficiency, in the order of the warps in the grid.
    pub(crate) fn of_width(&self, warp_width: usize) -> Vec<f64> {
        let efficiency = |load: &Load| load.active_lanes as f64 / (load.issues.max(1) * warp_width as u64) as f64;
        self.warps.iter().map(efficiency).collect()
    }
}

impl Observer for EfficiencyOfWarps {
    fn warp(&mut self, warp: WarpId) {
        self.now = warp.block * self.warps_per_block + warp.warp;
        if self.now >= self.warps.len() {
            self.warps.resize(self.now + 1, Load::default());
        }
    }

    fn issued(&mut self, _at: Pc, instructions: u32, mask: LaneMask) {
        let load = &mut self.warps[self.now];
        load.issues += u64::from(instructions);
        load.active_lanes += u64::from(instructions) * mask.count() as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issues_are_added_up_by_warp() {
        let mut observer = EfficiencyOfWarps::new(2);
        observer.warp(WarpId { block: 0, warp: 0 });
        observer.issued(Pc(0), 3, LaneMask(0b1111));
        observer.issued(Pc(3), 1, LaneMask(0b1000));
        observer.warp(WarpId { block: 1, warp: 1 });
        observer.issued(Pc(0), 3, LaneMask(0b0011));
        // A marker is no instruction of the program.
        observer.issued(Pc(3), 0, LaneMask(0b0011));
        assert_eq!(observer.of_width(4), [13.0 / 16.0, 0.0, 0.0, 0.5]);
    }
}
