mod array_annotation {
    use simt::prelude::*;

    #[kernel]
    fn wrong(out: &mut [u32]) {
        let a: u32 = [1, 2];
        out[0] = a;
    }
}

mod array_element_types {
    use simt::prelude::*;

    #[kernel]
    fn wrong(out: &mut [u32]) {
        let a = [out[0], 2.0];
        out[0] = a[0];
    }
}

mod array_immutable {
    use simt::prelude::*;

    #[kernel]
    fn wrong(out: &mut [u32]) {
        let a = [0; 4];
        a[0] = out[1];
    }
}

mod array_length {
    use simt::prelude::*;

    #[kernel]
    fn wrong(out: &mut [u32]) {
        let a: [u32; 3] = [1, 2];
        out[0] = a[0];
    }
}

mod array_runtime_length {
    use simt::prelude::*;

    #[kernel]
    fn wrong(n: usize, out: &mut [u32]) {
        let a = [0; n];
        out[0] = a[0];
    }
}

mod without_elements {
    use simt::prelude::*;
    use std::sync::atomic::AtomicU32;

    #[kernel]
    fn of_a_thread(out: &mut [u32]) {
        let a = [0_u32; 0];
        let b: [u32; 0] = [];
        let mut c: [u32; 0];
        let d = [[0; 0]; 3];
        for v in [0_u32; 0] {
            out[0] = v;
        }
    }

    #[kernel]
    fn of_a_block(out: &mut [u32]) {
        #[shared]
        let mut a: [u32; 0];
        #[shared]
        let mut b: [[u32; 3]; 0x0];
        #[shared]
        let c: [AtomicU32; 0_usize];
    }
}

mod without_length {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &mut [u32]) {
        let mut own: [u32];
        own[0] = x[0];
    }
}

mod without_values_and_mut {
    use simt::prelude::*;

    #[kernel]
    fn k(x: &mut [u32]) {
        let a: [u32; 4];
        x[0] = a[1];
    }
}

fn main() {}
