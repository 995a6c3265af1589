//! How many threads a launch has, and how they are numbered.

mod size;

pub use size::Size;

use size::{is_negative, size};
use std::fmt;

/// Three dimensions; the second and third are 1 where they are not used. Made of one to three integers of any type.
///
/// ```
/// use simt::Dim3;
///
/// assert_eq!(Dim3::from(7), Dim3 { x: 7, y: 1, z: 1 });
/// assert_eq!(Dim3::from((2, 3, 4)).volume(), Some(24));
/// assert_eq!(Dim3::from((2_u32, 3_usize)), Dim3 { x: 2, y: 3, z: 1 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dim3 {
    /// First dimension, which varies fastest.
    pub x: usize,
    /// Second dimension.
    pub y: usize,
    /// Third dimension.
    pub z: usize,
}

impl Dim3 {
    /// The number of points, if it can be represented.
    pub fn volume(self) -> Option<usize> {
        self.x.checked_mul(self.y)?.checked_mul(self.z)
    }

    /// The point with a given number, counting along x first.
    pub fn point(self, number: usize) -> Self {
        Self { x: number % self.x, y: number / self.x % self.y, z: number / self.x / self.y }
    }
}

impl fmt::Display for Dim3 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // One that was below 0 is shown so.
        write!(f, "({}, {}, {})", self.x as isize, self.y as isize, self.z as isize)
    }
}

/// The grid of a launch: blocks of threads, and the shared memory that each has beside what its kernel declares.
///
/// Its numbers may be of any type of integer, see [`Size`]; those of two and three dimensions are tuples.
///
/// ```
/// use simt::prelude::*;
///
/// assert_eq!(Grid::covering(1000, 128).blocks().x, 8);
/// assert_eq!(Grid::new((2, 3), 64).threads().x, 64);
///
/// let (width, height) = (640_u32, 480_u32);
/// assert_eq!(Grid::new((width / 16, height / 16), (16, 16)).blocks().y, 30);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    blocks: Dim3,
    threads: Dim3,
    shared_memory: usize,
}

/// Most threads in a block, and most along x and along y (CUDA C++ Programming Guide, table of compute capabilities).
const MAX_THREADS: usize = 1024;
/// Most threads in a block along z (ibid.).
const MAX_THREADS_Z: usize = 64;
/// Most blocks along x (ibid.).
const MAX_BLOCKS_X: usize = (1 << 31) - 1;
/// Most blocks along y and along z (ibid.).
const MAX_BLOCKS_YZ: usize = 65_535;

/// A grid that no machine can run.
///
/// ```
/// use simt::error::GridError;
/// use simt::prelude::*;
///
/// #[kernel]
/// fn nothing() {}
///
/// let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 2000), nothing()).unwrap_err();
/// assert!(matches!(error, LaunchError::Grid { error: GridError::BlockTooLarge { .. }, .. }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GridError {
    /// A number below 0.
    #[error("a grid of {grid} has a number below 0: no number of blocks, threads or bytes is negative")]
    Negative {
        /// The grid.
        grid: Grid,
    },
    /// A block without threads.
    #[error("blocks of {threads} have no threads: every dimension of a block must be at least 1")]
    EmptyBlock {
        /// Size of a block.
        threads: Dim3,
    },
    /// Too many threads in a block.
    #[error("blocks of {threads} are too large: at most 1024 threads in all, 1024 along x and y, 64 along z")]
    BlockTooLarge {
        /// Size of a block.
        threads: Dim3,
    },
    /// Too many blocks.
    #[error("a grid of {blocks} blocks is too large: at most 2147483647 along x and 65535 along y and z")]
    TooManyBlocks {
        /// Size of the grid.
        blocks: Dim3,
    },
    /// The threads of all blocks wait for each other, and the machine cannot run so many blocks at a time.
    #[error(
        "the kernel calls `sync_grid()`, so that its {blocks} blocks must all run at the same time, but the machine has room for {room}: launch fewer blocks, and let each thread do more, or set {field}"
    )]
    NotAllAtOnce {
        /// Blocks of the grid.
        blocks: usize,
        /// How many blocks the machine can run at a time.
        room: usize,
        /// What of the config says so.
        field: &'static str,
    },
    /// More threads than 32 bits can number.
    #[error(
        "{blocks} blocks of {threads} threads are more than 4294967296 threads, which `global_id()` cannot number: launch several smaller grids"
    )]
    TooManyThreads {
        /// Size of the grid.
        blocks: Dim3,
        /// Size of a block.
        threads: Dim3,
    },
}

impl Grid {
    /// A grid of `blocks` blocks of `threads` threads each, in one to three dimensions. Checked at launch.
    ///
    /// A grid without blocks, in which any dimension is 0, is one over no data: its launch checks the arguments, runs
    /// nothing, changes nothing and succeeds, with a report that has counted nothing. (CUDA refuses it.) Blocks without
    /// threads are an error, [`GridError::EmptyBlock`], however many there are.
    ///
    /// ```
    /// use simt::error::GridError;
    /// use simt::prelude::*;
    ///
    /// #[kernel]
    /// fn nothing() {}
    ///
    /// let gpu = Gpu::<Ipdom>::default();
    /// let report = gpu.launch(Grid::new(0, 128), nothing())?;
    /// assert_eq!((report.issues(), report.simd_efficiency()), (0, 1.0));
    /// let error = gpu.launch(Grid::new(0, 0), nothing()).unwrap_err();
    /// assert!(matches!(error, LaunchError::Grid { error: GridError::EmptyBlock { .. }, .. }));
    /// # Ok::<(), LaunchError>(())
    /// ```
    pub fn new(blocks: impl Into<Dim3>, threads: impl Into<Dim3>) -> Self {
        Self { blocks: blocks.into(), threads: threads.into(), shared_memory: 0 }
    }

    /// The grid whose blocks have so many bytes of shared memory for the array of the kernel whose length the launch gives, the
    /// third number of a launch in CUDA. A kernel without such an array has no use for them; they count as taken all the same.
    ///
    /// ```
    /// use simt::prelude::*;
    ///
    /// #[kernel]
    /// fn reverse(x: &mut [f32]) {
    ///     #[shared]
    ///     let mut tile: [f32];
    ///     let t = thread_idx().x;
    ///     tile[t] = x[global_id()];
    ///     sync_threads();
    ///     x[global_id()] = tile[tile.len() - 1 - t];
    /// }
    ///
    /// let mut x = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    /// let grid = Grid::new(2, 3).with_shared_memory(3 * size_of::<f32>());
    /// Gpu::<Ipdom>::default().launch(grid, reverse(&mut x))?;
    /// assert_eq!(x, [3.0, 2.0, 1.0, 6.0, 5.0, 4.0]);
    /// # Ok::<(), LaunchError>(())
    /// ```
    #[must_use]
    pub fn with_shared_memory(self, bytes: impl Size) -> Self {
        Self { shared_memory: size(bytes), ..self }
    }

    /// Bytes of shared memory that a block has for an array whose length the launch gives.
    pub fn shared_memory(&self) -> usize {
        self.shared_memory
    }

    /// The grid with at least one thread per item, in as many dimensions as the items have: the last blocks may have threads
    /// without one, which must return early (`if i >= x.len() { return; }`). A grid for no items has no blocks: such a launch
    /// runs nothing and succeeds, see [`Grid::new`]. Blocks without threads are an error, also without items.
    ///
    /// ```
    /// use simt::prelude::*;
    ///
    /// let (width, height) = (1000_u32, 50);
    /// assert_eq!(Grid::covering((width, height), (16, 16)).blocks(), (63, 4).into());
    /// ```
    pub fn covering(items: impl Into<Dim3>, threads_per_block: impl Into<Dim3>) -> Self {
        let (items, threads) = (items.into(), threads_per_block.into());
        // What is negative stays so, for the error.
        let along =
            |items: usize, threads: usize| if is_negative(items) { items } else { items.div_ceil(threads.max(1)) };
        let blocks = Dim3 { x: along(items.x, threads.x), y: along(items.y, threads.y), z: along(items.z, threads.z) };
        Self::new(blocks, threads)
    }

    /// Number of blocks.
    pub fn blocks(&self) -> Dim3 {
        self.blocks
    }

    /// Number of threads in each block.
    pub fn threads(&self) -> Dim3 {
        self.threads
    }

    /// Blocks, and threads per block, of a grid that can be launched.
    pub(crate) fn validate(&self) -> Result<(usize, usize), GridError> {
        let Self { blocks, threads, shared_memory } = *self;
        let all = [blocks.x, blocks.y, blocks.z, threads.x, threads.y, threads.z, shared_memory];
        if all.into_iter().any(is_negative) {
            return Err(GridError::Negative { grid: *self });
        }
        if threads.x == 0 || threads.y == 0 || threads.z == 0 {
            return Err(GridError::EmptyBlock { threads });
        }
        let per_block = threads.volume().filter(|&volume| volume <= MAX_THREADS && threads.z <= MAX_THREADS_Z);
        let per_block = per_block.ok_or(GridError::BlockTooLarge { threads })?;
        if blocks.x > MAX_BLOCKS_X || blocks.y > MAX_BLOCKS_YZ || blocks.z > MAX_BLOCKS_YZ {
            return Err(GridError::TooManyBlocks { blocks });
        }
        let too_many = GridError::TooManyThreads { blocks, threads };
        let n_blocks = blocks.volume().ok_or(too_many)?;
        match n_blocks.checked_mul(per_block) {
            Some(all) if all as u64 <= 1 << 32 => Ok((n_blocks, per_block)),
            _ => Err(too_many),
        }
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} blocks of {} threads", self.blocks, self.threads)?;
        match self.shared_memory {
            0 => Ok(()),
            bytes => write!(f, " with {} bytes of shared memory", bytes as isize),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_count_along_x_first() {
        let dim = Dim3::from((3, 2, 2));
        assert_eq!(dim.point(0), (0, 0, 0).into());
        assert_eq!(dim.point(4), (1, 1, 0).into());
        assert_eq!(dim.point(11), (2, 1, 1).into());
    }

    #[test]
    fn each_limit_has_its_error() {
        assert_eq!(Grid::new(3, 1024).validate(), Ok((3, 1024)));
        for blocks in [(0, 1, 1), (3, 0, 2), (1, 1, 0), (0, 0, 0), (MAX_BLOCKS_X, MAX_BLOCKS_YZ, 0)] {
            assert_eq!(Grid::new(blocks, 64).validate(), Ok((0, 64)));
        }
        assert_eq!(Grid::covering(0, 64).validate(), Ok((0, 64)));
        for grid in
            [Grid::covering(5, 0), Grid::covering(0, 0), Grid::new(0, 0), Grid::new(0, (8, 0)), Grid::new(1, (1, 1, 0))]
        {
            assert!(matches!(grid.validate(), Err(GridError::EmptyBlock { .. })), "{grid}");
        }
        assert!(matches!(Grid::new((0, 65_536), 64).validate(), Err(GridError::TooManyBlocks { .. })));
        assert!(matches!(Grid::new(0, 1025).validate(), Err(GridError::BlockTooLarge { .. })));
        assert!(matches!(Grid::new(1, 1025).validate(), Err(GridError::BlockTooLarge { .. })));
        assert!(matches!(Grid::new(1, (1, 1, 65)).validate(), Err(GridError::BlockTooLarge { .. })));
        assert!(matches!(Grid::new(1, (isize::MAX, 2)).validate(), Err(GridError::BlockTooLarge { .. })));
        assert!(matches!(Grid::new((1, 65_536), 1).validate(), Err(GridError::TooManyBlocks { .. })));
        assert!(matches!(Grid::new(1 << 23, 1024).validate(), Err(GridError::TooManyThreads { .. })));
        assert_eq!(Grid::new(1 << 22, 1024).validate(), Ok((1 << 22, 1024)));
    }
}
