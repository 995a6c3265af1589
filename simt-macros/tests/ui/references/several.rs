mod array_conversion_written {
    use simt::prelude::*;

    #[kernel]
    fn written(x: &mut [u32]) {
        let a: &mut [u32; 2] = (&mut x[..2]).try_into().unwrap();
        a[0] = 1;
    }
}

mod borrowed_twice {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        let mut x = n;
        let a = &mut x;
        let b = &mut x;
        *a += 1;
        *b += 1;
        out[0] = x;
    }

    #[kernel]
    fn halves(out: &mut [u32]) {
        let low = &mut out[..2];
        let high = &mut out[2..];
        low[0] = 1;
        high[0] = 2;
    }
}

mod borrowed_without_mut {
    use simt::prelude::*;

    #[device]
    fn bump(n: &mut u32) { *n += 1; }
    #[kernel]
    fn k(out: &mut [u32]) {
        let i = global_id();
        let n = 0;
        bump(&mut n);
        out[i] = n;
    }
}

mod changed_while_borrowed {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        let mut x = [n; 4];
        let first = &x[0];
        x[1] = 4;
        out[0] = *first;
    }

    #[kernel]
    fn read(n: u32, out: &mut [u32]) {
        let mut x = n;
        let a = &mut x;
        out[0] = x;
        *a += 1;
    }
}

mod kernel_one_value {
    use simt::prelude::*;
    use std::sync::atomic::AtomicU32;

    #[derive(Clone, Copy, KernelData)]
    struct Rows<'a> {
        rows: &'a [u32],
    }

    #[kernel]
    fn references_to_references(x: &&u32, y: &mut &mut u32) {}

    #[kernel]
    fn atomic(x: &mut AtomicU32) {}

    #[kernel]
    fn nothing(x: &mut ()) {}

    #[kernel]
    fn constant(#[constant] x: &u32, #[constant] y: &mut u32) {}

    #[kernel]
    fn changing(mut x: &mut u32) {}

    #[kernel]
    fn of_references(x: &Rows<'_>, y: &mut Rows<'_>) {}

    #[kernel]
    fn of_any(x: &impl Iterator, y: &mut dyn Copy, z: &mut String) {}
}

mod raw_pointer {
    use simt::prelude::*;

    #[kernel]
    fn k(x: *const f32, out: &mut [f32]) {
        let i = global_id();
        out[i] = *x.add(i);
    }
}

mod read_only {
    use simt::prelude::*;

    #[kernel]
    fn part_of_input(x: &[u32]) {
        let part = &mut x[1..];
        part[0] = 1;
    }

    #[kernel]
    fn through_shared(x: &mut [u32]) {
        let part = &x[1..];
        part[0] = 1;
    }

    #[kernel]
    fn variable(n: u32, out: &mut [u32]) {
        let m = n + 1;
        let r = &mut m;
        *r += 1;
        out[0] = m;
    }

    #[kernel]
    fn element(x: &[u32], out: &mut [u32]) {
        let e = &mut x[1];
        *e = 1;
        out[0] = *e;
    }

    #[kernel]
    fn halves(x: &[u32]) {
        let (a, b) = x.split_at_mut(2);
        a[0] = b[0];
    }

    #[kernel]
    fn pieces(x: &[u32]) {
        for piece in x.chunks_mut(2) {
            piece[0] = 1;
        }
    }
}

fn main() {}
