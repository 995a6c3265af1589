//! At which loads a warp is subdivided.

/// At which loads [`WarpSubdivision`](crate::WarpSubdivision) divides a split, with a clock: at a load that hits the first
/// level of caches for some lanes and misses for others, the lanes that hit run ahead of those that miss. Names and rules
/// are those of ISCA'10. Without a clock, or with an ideal memory, no lane comes before another.
///
/// A lane hits if the first level has its data when the load issues; a lane that waits for a line that is underway falls
/// behind. **Assumed:** other splits of the warp do not count as others that could issue.
///
/// ```
/// use simt::prelude::*;
/// use simt::policy::LoadSplits;
///
/// /// Half of a warp finds what it needs in the cache, first one half and then the other.
/// #[kernel]
/// fn hops(x: &[u32], y: &mut [u32]) {
///     let i = global_id();
///     let warm = x[0] as usize;
///     let a = x[i / 16 * 4096 + warm] as usize;
///     let b = x[(1 - i / 16) * 8192 + a];
///     y[i] = b;
/// }
///
/// let (x, mut y) = (vec![0; 3 * 4096], [1; 32]);
/// let mut cycles = |load_splits| {
///     let gpu = Gpu::<WarpSubdivision>::new(GpuConfig { load_splits, ..GpuConfig::fung2009() });
///     let report = gpu.launch(Grid::new(1, 32), hops(&x, &mut y))?;
///     Ok(report.clock().map_or(0, |clock| clock.cycles()))
/// };
/// assert!(cycles(LoadSplits::Lazy)? < cycles(LoadSplits::Never)?);
/// # Ok::<(), LaunchError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum LoadSplits {
    /// At none: a split waits for the last of its lanes.
    #[default]
    Never,
    /// AggressiveSplit: at every such load.
    Aggressive,
    /// LazySplit: at those at which all other warps of the core wait, for memory or at a barrier.
    Lazy,
    /// ReviveSplit: as lazily; and when all warps of the core wait, those lanes of one split go on whose data has come, one
    /// split a cycle.
    Revive,
}

impl LoadSplits {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self::Never, Self::Aggressive, Self::Lazy, Self::Revive];
}
