//! The threads of the host that parts of a launch run on.
//!
//! They are one pool of the process. It is not rayon's global one: a thread of that which waits for its launch would take up
//! other work of the user's meanwhile, perhaps a launch that waits for atomics which the first one holds.

#[cfg(feature = "parallel")]
static PROCESSORS: std::sync::LazyLock<usize> =
    std::sync::LazyLock::new(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get));

/// On how many threads work may run of which at most `threads` are asked for.
#[cfg(feature = "parallel")]
pub(super) fn at_most(threads: usize) -> usize {
    threads.clamp(1, *PROCESSORS)
}

/// On the caller's thread.
#[cfg(not(feature = "parallel"))]
pub(super) fn at_most(_threads: usize) -> usize {
    1
}

/// Runs `work` on the caller's thread, and at the same time on others that are idle, at most `threads` in all.
#[cfg(feature = "parallel")]
pub(super) fn run(threads: usize, work: &(dyn Fn() + Sync)) {
    use rayon_core::{ThreadPool, ThreadPoolBuilder};
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// As many as help a thread that launches; none if the system gives no threads.
    static POOL: LazyLock<Option<ThreadPool>> = LazyLock::new(|| {
        let threads = (*PROCESSORS - 1).max(1);
        ThreadPoolBuilder::new().num_threads(threads).thread_name(|number| format!("simt {number}")).build().ok()
    });
    /// Threads that launch, and those that help them: launches that run at the same time share the processors.
    static BUSY: AtomicUsize = AtomicUsize::new(0);

    /// So many threads are busy until this is dropped.
    struct Busy(usize);
    impl Drop for Busy {
        fn drop(&mut self) {
            BUSY.fetch_sub(self.0, Ordering::Relaxed);
        }
    }

    let busy = BUSY.fetch_add(1, Ordering::Relaxed).saturating_add(1);
    let mut all = Busy(1);
    let helpers = PROCESSORS.saturating_sub(busy).min(threads.saturating_sub(1));
    if helpers > 0
        && let Some(pool) = &*POOL
    {
        BUSY.fetch_add(helpers, Ordering::Relaxed);
        all.0 += helpers;
        pool.in_place_scope(|scope| {
            (0..helpers).for_each(|_| scope.spawn(|_| work()));
            work();
        });
    } else {
        work();
    }
}

/// Runs `work` on the caller's thread.
#[cfg(not(feature = "parallel"))]
pub(super) fn run(_threads: usize, work: &(dyn Fn() + Sync)) {
    work();
}
