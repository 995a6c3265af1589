use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct Sparse<'a> {
    offsets: &'a [u32],
}

#[device]
impl Sparse<'_> {
    fn row(&self, i: usize) -> u32 {
        self.offsets[i + 1] - self.offsets[i]
    }
}

fn main() {}
