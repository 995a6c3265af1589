mod reference_assigned {
    use simt::prelude::*;

    #[device]
    fn count(calls: &mut u32, by: &u32) {
        *calls += 1;
        *by = 2;
    }

    #[kernel]
    fn wrong(out: &mut [u32]) {
        let mut calls = 0;
        count(&mut calls, &1);
        out[0] = calls;
    }
}

mod reference_atomic_value {
    use simt::prelude::*;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    #[device]
    fn next(counter: &AtomicU32, n: u32) -> u32 {
        n.fetch_add(1, Relaxed);
        *counter
    }

    #[kernel]
    fn wrong(counter: &AtomicU32, out: &mut [u32]) {
        out[0] = next(counter, 1);
    }
}

mod reference_element {
    use simt::prelude::*;

    #[device]
    fn count(calls: &mut u32) {
        calls += 1;
    }

    #[kernel]
    fn calls(out: &mut [u32]) {
        let mut calls = 0;
        count(&mut calls);
        out[global_id()] = calls;
    }
}

mod reference_elements_twice {
    use simt::prelude::*;

    #[device]
    fn add(to: &mut u32, by: &u32, all: &[u32]) -> u32 {
        *to += *by;
        all[0]
    }

    #[kernel]
    fn wrong(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        add(&mut out[i], &out[i + 1], x);
        add(&mut out[i], &x[i], out);
        add(&mut out[i], &add(&mut out[0], &1, x), x);
    }
}

mod reference_twice {
    use simt::prelude::*;

    #[device]
    fn exchange(a: &mut (u32, u32), b: &mut u32, c: &u32) {
        a.0 = *b;
        *b = *c;
        exchange(a, b, &*b);
    }

    #[kernel]
    fn wrong(out: &mut [u32]) {
        let mut pair = (1, 2);
        let mut n = 3;
        exchange(&mut pair, &mut pair.0, &1);
        exchange(&mut pair, &mut n, &n);
        out[0] = pair.0;
    }
}

fn main() {}
