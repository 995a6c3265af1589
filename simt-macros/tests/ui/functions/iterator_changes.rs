use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct Stack {
    items: [u32; 4],
    len: usize,
}

#[device]
impl Stack {
    fn drain(&mut self) -> impl Iterator<Item = u32> {
        let len = self.len;
        self.len = 0;
        (0..len).map(|i| self.items[i])
    }
}

#[kernel]
fn drained(out: &mut [u32]) {
    let mut stack = Stack { items: [1; 4], len: 2 };
    for v in stack.drain() {
        out[0] += v;
    }
}

fn main() {}
