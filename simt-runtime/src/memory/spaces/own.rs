//! Memory that a block has, and memory that each of its threads has.

use super::layout::Layout;
use crate::memory::device::bytes::Bytes;

/// The memory of one block and of its threads. It has no values where the block begins; of a thread's that is zero, as compilers
/// copy what they have not written: structs with the bytes between their fields, words of which a field has some bits.
#[derive(Debug, Default)]
pub(crate) struct Own {
    pub(super) shared: Bytes,
    /// That of all threads, thread by thread.
    threads: Bytes,
    /// Bytes of one thread.
    of_thread: usize,
    /// Lanes of a warp.
    width: usize,
    /// The warp that runs.
    warp: usize,
}

impl Own {
    /// Memory of a block of up to so many warps.
    pub(super) fn new(layout: &Layout, width: usize, warps: usize) -> Self {
        let (shared, local) = (&layout.shared, &layout.local);
        let threads = Bytes::new(local.size * width * warps, local.used * width * warps);
        Self { shared: Bytes::new(shared.size, shared.used), threads, of_thread: local.size, width, warp: 0 }
    }

    /// A block begins.
    pub(crate) fn begin_block(&mut self) {
        self.shared.forget();
        self.threads.forget();
    }

    /// Threads begin, in the memory of others that have ended.
    pub(crate) fn begin_threads(&mut self) {
        self.threads.forget();
    }

    pub(crate) fn select_warp(&mut self, warp: usize) {
        self.warp = warp;
    }

    /// Where the memory of a lane's thread begins.
    #[inline]
    pub(super) fn thread(&self, lane: usize) -> usize {
        (self.warp * self.width + lane) * self.of_thread
    }

    /// Bytes of one thread.
    #[inline]
    pub(super) fn of_thread(&self) -> usize {
        self.of_thread
    }

    /// The bytes of all threads.
    #[inline]
    pub(super) fn threads(&self) -> &Bytes {
        &self.threads
    }

    /// The bytes of all threads, mutable.
    #[inline]
    pub(super) fn threads_mut(&mut self) -> &mut Bytes {
        &mut self.threads
    }

    #[inline]
    pub(super) fn local(&self, at: usize, count: usize, lane: usize) -> Option<u64> {
        self.threads.get_or_zero(self.thread(lane) + at, count)
    }

    #[inline]
    pub(super) fn set_local(&mut self, at: usize, count: usize, lane: usize, bits: u64) -> Option<()> {
        self.threads.set(self.thread(lane) + at, count, bits)
    }

    /// Appends all that it holds to `image`.
    pub(super) fn show(&self, image: &mut Vec<u64>) {
        self.shared.show(image);
        self.threads.show(image);
    }

    /// How many words that are.
    pub(super) fn size(&self) -> usize {
        self.shared.size() + self.threads.size()
    }
}
