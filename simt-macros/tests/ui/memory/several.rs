mod shared_dynamic {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &mut [u32]) {
        #[shared]
        let tile: [u32];
        tile[0] = x[0];
        #[shared]
        let mut other: [char];
        x[0] = tile;
    }
}

mod shared_element {
    use simt::prelude::*;

    #[kernel]
    fn wrong(out: &mut [u32]) {
        #[shared]
        let mut tile: [char; 16];
        out[0] = tile.len() as u32;
    }
}

mod shared_initial {
    use simt::prelude::*;

    #[kernel]
    fn wrong(out: &mut [u32]) {
        #[shared]
        let mut tile: [u32; 16] = [0; 16];
        out[0] = tile[0];
    }
}

mod shared_not_mut {
    use simt::prelude::*;

    #[kernel]
    fn wrong(out: &mut [u32]) {
        #[shared]
        let tile: [u32; 16];
        tile[0] = 1;
        out[0] = tile[0];
    }
}

mod shared_parameter {
    use simt::prelude::*;

    #[kernel]
    fn wrong(#[shared] tile: &mut [u32], out: &mut [u32]) {
        out[0] = tile[0];
    }
}

mod shared_without_type {
    use simt::prelude::*;

    #[kernel]
    fn wrong(out: &mut [u32]) {
        #[shared]
        let mut tile;
        out[0] = tile[0];
    }
}

fn main() {}
