use simt::prelude::*;

struct Solver;

impl Solver {
    #[kernel]
    fn wrong(&self, out: &mut [u32]) {
        out[0] = 1;
    }

    #[kernel]
    fn also_wrong(n: u32, #[constant] table: &[u32], out: &mut [u32]) {
        out[0] = table[0] + Self::helper(n);
    }

    #[device]
    fn helper(n: u32) -> u32 {
        n + 1
    }

    fn run(&self, out: &mut [u32]) {
        let gpu = Gpu::<Ipdom>::default();
        gpu.launch(Grid::new(1, 1), Self::also_wrong(1, &[2], out)).unwrap();
    }
}

fn main() {
    Solver.run(&mut [0]);
}
