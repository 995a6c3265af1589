use simt::prelude::*;

struct Machine;

impl Machine {
    #[device]
    fn wrong(&self, n: u32) -> u32 {
        n
    }
}

fn main() {
    let _ = Machine;
}
