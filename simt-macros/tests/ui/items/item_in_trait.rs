use simt::prelude::*;

trait Steps {
    #[kernel]
    fn wrong(out: &mut [u32]) {
        out[0] = 1;
    }
}

fn main() {}
