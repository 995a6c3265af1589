//! Tiles: parts of a warp whose lanes work together, CUDA's `cooperative_groups::thread_block_tile`.

use crate::block;
use crate::prelude::*;

/// `N` neighbouring lanes of a warp: CUDA's `thread_block_tile<N>`. [`tile`] returns the one that a lane belongs to.
///
/// | method | what it returns |
/// |---|---|
/// | `thread_rank()` | the lane's number in the tile |
/// | `size()` | `N` |
/// | `meta_group_rank()`, `meta_group_size()` | the tile's number in the block; how many there are |
/// | `lanes()` | the lanes of the warp that are the tile's, for collectives with a mask |
/// | `sync();` | waits for the tile's lanes |
/// | `shuffle(v, rank)` | `v` of the lane of this rank, modulo `N` |
/// | `shuffle_up(v, n)`, `shuffle_down(v, n)` | `v` of the lane n below, above; its own where the tile has none |
/// | `shuffle_xor(v, m)` | `v` of the lane whose rank differs in the bits of `m` |
/// | `any(p)`, `all(p)` | whether `p` holds in any, in all lanes |
/// | `ballot(p)` | a `u64`: the lanes whose `p` holds, by their ranks |
/// | `sum(v)`, `product(v)`, `minimum(v)`, `maximum(v)`, `and(v)`, `or(v)`, `xor(v)` | that of all lanes' `v`, in each of them |
/// | `prefix_sum(v)`, `prefix_product(v)`, .. | that of the lanes up to this one, itself included |
///
/// Ranks and distances are `u32`. All lanes of the tile that have a thread call these together, but tiles of one warp need not: one
/// may be in a loop that another has left. The last tile of a block may have fewer lanes than `N`.
///
/// ```
/// use simt::prelude::*;
/// use simt::warp;
///
/// /// The sum of each eight neighbours, of those whose first element is not 0.
/// #[kernel]
/// fn sums(x: &[u32], out: &mut [u32]) {
///     let i = global_id();
///     let tile = warp::tile::<8>();
///     if tile.shuffle(x[i], 0) != 0 {
///         out[i] = tile.sum(x[i]);
///     }
/// }
///
/// let (x, mut out) = ([1, 2, 3, 4, 5, 6, 7, 8, 0, 2, 3, 4], [0; 12]);
/// Gpu::<Ipdom>::default().launch(Grid::new(1, 12), sums(&x, &mut out))?;
/// assert_eq!(out, [36, 36, 36, 36, 36, 36, 36, 36, 0, 0, 0, 0]);
/// # Ok::<(), LaunchError>(())
/// ```
#[derive(Clone, Copy, Debug, KernelData)]
pub struct Tile<const N: usize> {
    lanes: u64,
}

/// `fn tile<const N: usize>() -> Tile<N>` returns the tile of `N` lanes that the calling lane belongs to: CUDA's
/// `tiled_partition<N>(this_thread_block())`.
///
/// `N` is a power of two, and not more than the machine's warp has lanes: else the launch ends with a `panic`.
#[device]
pub fn tile<const N: usize>() -> Tile<N> {
    assert!(N.is_power_of_two(), "a tile has 1, 2, 4, 8, 16, 32 or 64 lanes, not {}", N);
    assert!(N <= warp_width(), "a tile of {} lanes is larger than a warp, which has {}", N, warp_width());
    Tile { lanes: u64::MAX >> (64 - N) << (lane_id() / N * N) }
}

#[device]
impl<const N: usize> Tile<N> {
    /// The lane's number in the tile.
    pub fn thread_rank(self) -> u32 {
        (lane_id() % N) as u32
    }

    /// How many lanes a tile has; the last one of a block may have fewer.
    pub fn size(self) -> u32 {
        N as u32
    }

    /// The tile's number in the block.
    pub fn meta_group_rank(self) -> u32 {
        (block::thread_id() / N) as u32
    }

    /// How many tiles the block has.
    pub fn meta_group_size(self) -> u32 {
        block::threads().div_ceil(N) as u32
    }

    /// The lanes of the warp that are the tile's.
    pub fn lanes(self) -> u64 {
        self.lanes
    }

    /// How many lanes of the tile have a thread.
    fn present(self) -> u32 {
        (block::threads() - block::thread_id() / N * N).min(N) as u32
    }

    /// The lane of the warp that has a rank.
    fn lane(self, rank: u32) -> u32 {
        self.lanes.trailing_zeros() + rank
    }

    /// Waits for the tile's lanes.
    pub fn sync(self) {
        sync_warp_mask(self.lanes);
    }

    /// `v` of the lane of this rank, modulo the size.
    pub fn shuffle<T: Scalar>(self, v: T, rank: u32) -> T {
        shuffle_mask(self.lanes, v, self.lane(rank % N as u32))
    }

    /// `v` of the lane `n` below; its own where there is none.
    pub fn shuffle_up<T: Scalar>(self, v: T, n: u32) -> T {
        let own = self.thread_rank();
        shuffle_mask(self.lanes, v, self.lane(if n <= own { own - n } else { own }))
    }

    /// `v` of the lane `n` above; its own where there is none.
    pub fn shuffle_down<T: Scalar>(self, v: T, n: u32) -> T {
        let own = self.thread_rank();
        shuffle_mask(self.lanes, v, self.lane(if n < self.present() - own { own + n } else { own }))
    }

    /// `v` of the lane whose rank differs in the bits of `m`.
    pub fn shuffle_xor<T: Scalar>(self, v: T, m: u32) -> T {
        shuffle_mask(self.lanes, v, self.lane(self.thread_rank() ^ m % N as u32))
    }

    /// Whether `holds` is true in a lane.
    pub fn any(self, holds: bool) -> bool {
        any_mask(self.lanes, holds)
    }

    /// Whether `holds` is true in all lanes.
    pub fn all(self, holds: bool) -> bool {
        all_mask(self.lanes, holds)
    }

    /// The lanes in which `holds` is true, by their ranks.
    pub fn ballot(self, holds: bool) -> u64 {
        ballot_mask(self.lanes, holds) >> self.lane(0)
    }
}

macro_rules! operations {
    ($($reduce:ident $scan:ident <T: $bound:ident> |$before:ident, $own:ident| $both:expr;)*) => {
        #[device]
        impl<const N: usize> Tile<N> {$(
            /// The same for all lanes of the tile.
            pub fn $reduce<T: $bound>(self, v: T) -> T {
                let all = self.$scan(v);
                self.shuffle(all, self.present() - 1)
            }

            /// That of the lanes up to this one, itself included.
            pub fn $scan<T: $bound>(self, mut $own: T) -> T {
                let mut distance = 1;
                while distance < N as u32 {
                    let $before = self.shuffle_up($own, distance);
                    if self.thread_rank() >= distance {
                        $own = $both;
                    }
                    distance *= 2;
                }
                $own
            }
        )*}
    };
}

operations! {
    sum prefix_sum <T: Num> |before, own| before + own;
    product prefix_product <T: Num> |before, own| before * own;
    minimum prefix_minimum <T: Num> |before, own| before.min(own);
    maximum prefix_maximum <T: Num> |before, own| before.max(own);
    and prefix_and <T: Int> |before, own| before & own;
    or prefix_or <T: Int> |before, own| before | own;
    xor prefix_xor <T: Int> |before, own| before ^ own;
}
