mod collective_arguments {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        out[0] = shuffle_xor(n);
    }
}

mod collective_lane {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        out[0] = shuffle(n, lane_id());
    }
}

mod collective_result {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, out: &mut [u32]) {
        out[0] = ballot(n > 3);
    }
}

mod collective_type {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: u32, masks: &mut [u64]) {
        masks[0] = ballot(n);
    }
}

mod collective_value {
    use simt::prelude::*;

    #[kernel]
    fn wrong(out: &mut [u32]) {
        out[0] = sync_threads();
    }
}

mod sync_grid {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &mut [u32]) {
        sync_grid(1);
        x[0] = sync_grid();
    }
}

fn main() {}
