//! Which threads a warp has, and what the builtins tell them: the thread environment η as far as it is fixed.

use simt_core::LaneMask;
use simt_core::program::Builtin;

/// The place of a warp in a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Blocks of the grid, x first.
    pub grid_dim: [u32; 3],
    /// Threads of a block.
    pub block_dim: [u32; 3],
    /// The warp's block.
    pub block_idx: [u32; 3],
    /// Number of the warp in its block.
    pub warp: u32,
    /// Threads of a full warp.
    pub warp_width: u32,
}

impl Place {
    /// The warp of a grid that has only this one, and in it so many threads.
    pub const fn alone(threads: u32) -> Self {
        Self { grid_dim: [1; 3], block_dim: [threads, 1, 1], block_idx: [0; 3], warp: 0, warp_width: threads }
    }

    pub(crate) const fn width(&self) -> u32 {
        self.warp_width
    }

    /// The threads that there are: all of a full warp, fewer in the last one of a block.
    pub fn threads(&self) -> LaneMask {
        let volume = self.block_dim.iter().fold(1u64, |volume, &extent| volume.saturating_mul(extent.into()));
        let before = u64::from(self.warp) * u64::from(self.warp_width);
        let rest = volume.saturating_sub(before).min(self.warp_width.into());
        LaneMask::first(rest as usize)
    }

    /// Whether the warp is the only one of its block.
    pub(crate) fn is_block(&self) -> bool {
        let volume = self.block_dim.iter().fold(1u64, |volume, &extent| volume.saturating_mul(extent.into()));
        self.warp == 0 && volume <= self.warp_width.into()
    }

    /// Whether the warp is the only one of the grid.
    pub(crate) fn is_grid(&self) -> bool {
        self.is_block() && self.grid_dim.iter().all(|&blocks| blocks == 1)
    }

    /// What a builtin tells a thread; the device's `usize`s are 32 bits wide.
    pub fn builtin(&self, lane: usize, builtin: Builtin) -> u32 {
        let [block_x, block_y, block_z] = self.block_dim;
        let number = self.warp.wrapping_mul(self.warp_width).wrapping_add(lane as u32);
        let (row, rows) = (block_x.max(1), block_y.max(1));
        match builtin {
            Builtin::GlobalId => {
                let [x, y, z] = self.block_idx;
                let blocks = z.wrapping_mul(self.grid_dim[1]).wrapping_add(y).wrapping_mul(self.grid_dim[0]);
                let volume = block_x.wrapping_mul(block_y).wrapping_mul(block_z);
                blocks.wrapping_add(x).wrapping_mul(volume).wrapping_add(number)
            }
            Builtin::LaneId => lane as u32,
            Builtin::WarpId => self.warp,
            Builtin::ThreadIdxX => number % row,
            Builtin::ThreadIdxY => number / row % rows,
            Builtin::ThreadIdxZ => number / row / rows,
            Builtin::BlockIdxX => self.block_idx[0],
            Builtin::BlockIdxY => self.block_idx[1],
            Builtin::BlockIdxZ => self.block_idx[2],
            Builtin::BlockDimX => block_x,
            Builtin::BlockDimY => block_y,
            Builtin::BlockDimZ => block_z,
            Builtin::GridDimX => self.grid_dim[0],
            Builtin::GridDimY => self.grid_dim[1],
            Builtin::GridDimZ => self.grid_dim[2],
            Builtin::WarpWidth => self.warp_width,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_count_x_first_and_the_last_warp_may_not_be_full() {
        let place = Place { grid_dim: [4, 2, 1], block_dim: [3, 2, 1], block_idx: [1, 1, 0], warp: 1, warp_width: 4 };
        assert_eq!(place.threads(), LaneMask::first(2));
        let of = |builtin| place.builtin(1, builtin);
        assert_eq!([Builtin::ThreadIdxX, Builtin::ThreadIdxY, Builtin::ThreadIdxZ].map(of), [2, 1, 0]);
        // Block 1 + 1 × 4 of 6 threads each, and thread 5 of it.
        assert_eq!(of(Builtin::GlobalId), 35);
        assert_eq!([Builtin::LaneId, Builtin::WarpId, Builtin::GridDimX].map(of), [1, 1, 4]);
        assert_eq!(of(Builtin::WarpWidth), 4);
    }
}
