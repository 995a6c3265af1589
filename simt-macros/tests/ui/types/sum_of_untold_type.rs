use simt::prelude::*;

#[derive(Clone, Copy, KernelData)]
struct Ratio {
    over: u32,
}

#[device]
impl std::iter::Sum for Ratio {
    fn sum<I: Iterator<Item = Ratio>>(items: I) -> Ratio {
        items.fold(Ratio { over: 0 }, |a, b| Ratio { over: a.over + b.over })
    }
}

#[kernel]
fn sums(x: &[Ratio], out: &mut [u32]) {
    let all = [x.iter().copied().sum(), x[0]];
    out[global_id()] = all[1].over;
}

fn main() {}
