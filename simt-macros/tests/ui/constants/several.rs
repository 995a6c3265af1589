mod constant_scalar {
    use simt::prelude::*;

    #[kernel]
    fn wrong(#[constant] n: u32, out: &mut [u32]) {
        out[0] = n;
    }
}

mod constant_slice_mut {
    use simt::prelude::*;

    #[kernel]
    fn wrong(#[constant] table: &mut [u32]) {
        table[0] = 1;
    }
}

mod constant_written {
    use simt::prelude::*;

    #[kernel]
    fn wrong(#[constant] table: &[u32]) {
        table[0] = 1;
    }
}

fn main() {}
