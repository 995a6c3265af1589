//! The memory in which a launch looks for races.

/// Where a launch looks for races: for threads that access an element, one of which writes it, with nothing between them that
/// orders the two; for those of a block, or of all blocks.
///
/// In particular that finds kernels that rely on *implicit warp synchrony*: on the lanes of a warp running in step, so that
/// one lane can read in the next line what another has stored. Such kernels give the intended results where lanes do run in
/// step, under [`Ipdom`](crate::Ipdom) for instance; under policies that run lanes apart or with those of other warps they
/// give others ([`Mimd`](crate::Mimd), [`Dwf`](crate::Dwf)), as on GPUs since Volta. The launch ends with
/// [`FaultKind::Race`](crate::FaultKind::Race), which names both accesses and what belongs between them.
///
/// A race depends on whether something orders two accesses, not on the order in which they came: it is found under policies
/// under which it does no harm, too. Where the kernel's branches depend on the order, or what an atomic by address reads,
/// another schedule may have other races: `Mimd` has lanes apart.
/// An element that is read before any thread has written it is [`FaultKind::Unwritten`](crate::FaultKind::Unwritten) first.
///
/// | what | orders | as |
/// |---|---|---|
/// | `sync_warp()`, `sync_warp_mask(m)` | the lanes that meet there | CUDA C++ Programming Guide, `__syncwarp` |
/// | votes, shuffles, `active_mask()` | nothing | the same, warp vote and shuffle functions: they imply no memory barrier |
/// | `sync_threads()`, `sync_barrier(i, n)`, their reductions, `sync_grid()` | the threads that meet there, and is no fence for relaxed atomics behind it | the same, `__syncthreads`; PTX ISA, `bar` |
/// | `arrive_barrier(i, n)` | what comes before a fence (or a barrier, or `sync_warp()`) before it, and the threads that wait there | CUDA report, section 5.3.2: no implied memory barrier. The PTX ISA of today has `bar.arrive` order all that comes before it |
/// | atomics | by their `Ordering`; two atomics never race, whatever their sizes. By address an atomic races with a plain access, unless an atomic or volatile load of that thread, of the same bytes, came between | Rust; PTX ISA, memory consistency model. A `compare_exchange` that fails counts as one that succeeds: a race may be missed, or by address be told of where there is none |
/// | the end of a thread | nothing, though barriers do not wait for threads that have ended: read what it wrote behind a barrier at which it was | |
/// | `fence_block()`, `fence_device()` | with atomics before or behind them, as Rust's `fence` | Rust |
/// | `volatile`, cache operators | nothing: two volatile accesses race | Rust |
/// | `volatile` by address | with fences, as relaxed atomics, with which it does not race | PTX ISA, memory consistency model; that two of one warp race with each other is ours: kernels that rely on lanes running in step have them |
///
/// Threads that write the same value do not race, unless one does by an atomic. Of each thread the last write of an element
/// counts: what it has written before may race with another's write of that last value, and is not found then. Lanes that write
/// different values at once race: the language does not say which one stays, though here it is the highest of those that issue
/// together.
///
/// The words are those of NVIDIA's Compute Sanitizer, whose tool `racecheck` looks at shared memory. A launch without the check
/// has none of its operations.
///
/// # Threads of different blocks
///
/// [`Grid`](Self::Grid) compares them, too: what two blocks do to an element of a slice, or of global memory by address, races if
/// nothing orders the two and one reads and the other writes, or both write, unless the same value; though here one block may end
/// before the next begins. It finds the sum or histogram without atomics, the neighbour across the edge of a block, and the block
/// that comes last and adds up what it has not acquired.
///
/// Blocks are ordered by `sync_grid()`, and by atomics in global memory, with their `Ordering` or with `fence_device()`: what a
/// thread so hands on is what it has done and what it knows of others, of its block for instance from `sync_threads()`.
/// `fence_block()` and atomics in shared memory order no other blocks. In PTX atomics of scope `.cta` do not, either, and race with
/// all that another block does to their memory: the PTX ISA's memory consistency model, morally strong operations. What a thread of
/// a block hands on to another of it by way of a third, in another block, is followed by `Grid` only:
/// [`Everywhere`](Self::Everywhere) tells that as a race.
///
/// * Where nothing orders blocks, a race is found if there is one.
/// * Where something does, it may be missed. Of each element the last reads of two blocks are kept, and the last writes, two of a
///   block that writes two values; by address, of atomics and volatile accesses, those of the last two blocks. So a race with a third
///   block may be missed, and one with a thread of a block another of which has done the same later. By address a word that three
///   blocks have polled is not compared with plain reads.
///
/// That takes 1.5 KB for each page of 32 elements that a block reads and as much if one writes it, twice that if several do, until the
/// launch ends. What a thread has heard of others is shared by those that have heard the same: an addition by `SeqCst` takes some
/// 3 µs where each of a million threads makes one to a counter (Intel Xeon, 2026-12-01), most of what the launch takes.
///
/// # What it costs
///
/// The check takes time at each access of an element by its index: least where consecutive lanes access consecutive elements,
/// each thread its own, or read all the same; most where several threads access an element and only some of them meet behind
/// it. By address an element is an aligned word of four bytes, and of shorter accesses a byte; where a block has atomics by
/// address, volatile accesses or such of other sizes, each lane is looked at by itself. Where all threads of a block meet, what
/// came before is no longer compared; a thread that has ended meets none.
///
/// It takes memory in pages of 32 elements, 1 KB for those that a block reads and as much for those it writes, which the next
/// block uses again; more for elements of several threads; and for each atomic that is released 4 bytes times the threads of
/// the block.
///
/// ```
/// use simt::prelude::*;
/// use simt::RaceCheck;
/// use simt::error::FaultKind;
///
/// /// Lane 3 adds up all elements; each grows by that factor.
/// #[kernel]
/// fn grow(x: &mut [u32], synchronised: bool) {
///     #[shared]
///     let mut factor: [u32; 1];
///     factor[0] = 1;
///     sync_warp();
///     if lane_id() == 3 {
///         let mut sum = 0;
///         for i in 0..4 {
///             sum += x[i];
///         }
///         factor[0] = sum;
///     }
///     if synchronised {
///         sync_warp();
///     }
///     x[lane_id()] *= factor[0];
/// }
///
/// let (grid, input, grown) = (Grid::new(1, 4), [2, 3, 4, 5], [28, 42, 56, 70]);
/// // In step it works, as the other lanes wait for lane 3.
/// let mut x = input;
/// Gpu::<Ipdom>::default().launch(grid, grow(&mut x, false))?;
/// assert_eq!(x, grown);
/// // Where no lane waits for another it does not.
/// let mut x = input;
/// Gpu::<Mimd>::default().launch(grid, grow(&mut x, false))?;
/// assert_ne!(x, grown);
///
/// // The check finds it under either policy.
/// let mut x = input;
/// let gpu = Gpu::<Ipdom>::default().with_race_check(RaceCheck::Shared);
/// let error = gpu.launch(grid, grow(&mut x, false)).unwrap_err();
/// assert!(error.to_string().contains("with no `sync_warp()` between the two"));
/// let LaunchError::Fault(fault) = error else { panic!("{error}") };
/// let FaultKind::Race(race) = fault.kind else { panic!("{:?}", fault.kind) };
/// assert!(race.same_warp && race.name == "factor");
///
/// gpu.launch(grid, grow(&mut x, true))?;
/// assert_eq!(x, grown);
/// # Ok::<(), LaunchError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum RaceCheck {
    /// Nowhere.
    #[default]
    Off,
    /// In the `#[shared]` arrays of blocks.
    Shared,
    /// In the `#[shared]` arrays, and in slices that threads may write.
    Everywhere,
    /// The same, and also for races between threads of different blocks.
    Grid,
}
