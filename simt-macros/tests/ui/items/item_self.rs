use simt::prelude::*;

struct Grid2;

impl Grid2 {
    #[kernel]
    fn wrong(&self, out: &mut [u32]) {
        out[0] = 1;
    }
}

fn main() {
    let _ = Grid2;
}
