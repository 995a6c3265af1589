mod tuple_arity {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        let (a, b) = (n, n, n);
        out[0] = a + b;
    }
}

mod tuple_assigned {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        let (a, mut b) = (n, n);
        (a, b) = (b, a);
        out[0] = a + b;
    }
}

mod tuple_field {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        let pair = (n, n);
        out[0] = pair.2;
    }
}

mod tuple_field_of_number {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        out[0] = n.0;
    }
}

mod tuple_number {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        let pair = (n, n) + 1;
        out[0] = pair.0;
    }
}

mod tuple_of_nine {
    use simt::prelude::*;

    #[kernel]
    fn value(n: u32, out: &mut [u32]) {
        let t = (n, 1, 2, 3, 4, 5, 6, 7, 8);
        out[0] = t.8;
        let (a, b, c, d, e, f, g, h, i) = (n, 1, 2, 3, 4, 5, 6, 7, 8);
        out[1] = a + i;
    }

    #[kernel]
    fn parameter(x: &[(u32, u32, u32, u32, u32, u32, u32, u32, u32)], out: &mut [u32]) {
        out[0] = x[0].8;
    }

    #[device]
    fn result(n: u32) -> (u32, u32, u32, u32, u32, u32, u32, u32, u32) {
        (n, 1, 2, 3, 4, 5, 6, 7, 8)
    }

    #[derive(Clone, Copy, KernelData)]
    struct Field {
        all: (u32, u32, u32, u32, u32, u32, u32, u32, u32),
    }
}

mod tuple_part_type {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        let (a, b): (u32, f32) = (n, n);
        out[0] = a + b as u32;
    }
}

fn main() {}
