mod arc_parameter {
    use simt::prelude::*;

    use std::sync::Arc;
    #[kernel]
    fn k(x: Arc<Vec<u32>>, out: &mut [u32]) {
        let i = global_id();
        out[i] = x[i];
    }
}

mod atomic_alias {
    use simt::prelude::*;
    use std::sync::atomic::{AtomicU32 as Counter, Ordering::Relaxed};

    type Flag = std::sync::atomic::AtomicU32;

    #[kernel]
    fn counted(total: &mut [Counter]) {
        total[0].fetch_add(1, Relaxed);
    }

    #[kernel]
    fn flagged(flags: &mut [Flag]) {
        flags[0].store(1, Relaxed);
    }
}

mod atomic_arguments {
    use simt::prelude::*;
    use std::sync::atomic::AtomicU32;

    #[kernel]
    fn wrong(hist: &[AtomicU32], out: &mut [u32]) {
        hist[0].fetch_add(1);
    }
}

mod atomic_exchange_value {
    use simt::prelude::*;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    #[kernel]
    fn wrong(hist: &[AtomicU32], out: &mut [u32]) {
        out[0] = hist[0].compare_exchange(0, 1, Relaxed, Relaxed);
    }
}

mod atomic_float_and {
    use simt::prelude::*;
    use std::sync::atomic::Ordering::Relaxed;

    #[kernel]
    fn wrong(sums: &[AtomicF32]) {
        sums[0].fetch_and(1.0, Relaxed);
    }
}

mod atomic_incremented {
    use simt::prelude::*;
    use std::sync::atomic::AtomicU32;

    #[kernel]
    fn wrong(hist: &[AtomicU32], out: &mut [u32]) {
        hist[out[0] as usize] += 1;
    }
}

mod atomic_load_release {
    use simt::prelude::*;
    use std::sync::atomic::{AtomicU32, Ordering::Release};

    #[kernel]
    fn wrong(hist: &[AtomicU32], out: &mut [u32]) {
        out[0] = hist[0].load(Release);
    }
}

mod atomic_on_slice {
    use simt::prelude::*;
    use std::sync::atomic::Ordering::Relaxed;

    #[kernel]
    fn wrong(out: &mut [u32]) {
        out[0].fetch_add(1, Relaxed);
    }
}

mod atomic_order_type {
    use simt::prelude::*;
    use std::sync::atomic::AtomicU32;

    #[kernel]
    fn wrong(hist: &[AtomicU32], out: &mut [u32]) {
        hist[0].fetch_add(1, out[0]);
    }
}

mod atomic_read {
    use simt::prelude::*;
    use std::sync::atomic::AtomicU32;

    #[kernel]
    fn wrong(hist: &[AtomicU32], out: &mut [u32]) {
        out[0] = hist[0];
    }
}

mod atomic_value_type {
    use simt::prelude::*;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    #[kernel]
    fn wrong(hist: &[AtomicU32], out: &mut [u32]) {
        hist[0].fetch_max(1.5, Relaxed);
    }
}

mod atomic_written {
    use simt::prelude::*;
    use std::sync::atomic::AtomicU32;

    #[kernel]
    fn wrong(hist: &[AtomicU32], out: &mut [u32]) {
        hist[0] = out[0];
    }
}

mod mutex_parameter {
    use simt::prelude::*;

    use std::sync::Mutex;
    #[kernel]
    fn k(total: &Mutex<u32>, x: &[u32]) {
        let i = global_id();
        *total.lock().unwrap() += x[i];
    }
}

fn main() {}
