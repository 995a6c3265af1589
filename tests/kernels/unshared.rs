//! Structs that are not `Copy`: values of kernels as any other.

#[derive(simt::prelude::KernelData)]
struct Rng {
    state: u32,
    calls: u32,
}

#[simt::device]
impl Rng {
    fn new(seed: u32) -> Self {
        Self { state: seed | 1, calls: 0 }
    }

    fn step(&mut self) -> u32 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 17;
        self.calls += 1;
        self.state % 100
    }

    fn finished(self) -> u32 {
        self.calls
    }
}

items_with_kernels! {
    {
        fn twice(rng: &mut Rng) -> u32 {
            rng.step() + rng.step()
        }

        fn last(rng: Rng) -> u32 {
            let Rng { state, .. } = rng;
            state % 7
        }
    }

    fn random(x: &[u32], out: &mut [u32]) {
        let i = global_id();
        let mut rng = Rng::new(x[i]);
        let mut other = Rng { state: 5, ..Rng::new(3) };
        let sum = rng.step() + twice(&mut rng) + other.step();
        out[i] = sum + last(other) + rng.finished();
    }
}

same! { random }
